// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/prompt_pool.h"

namespace palimpsest {

Tensor keyDistances(const Tensor& queries, const Tensor& keys) {
    return 1 - cosine(queries.unsqueeze(1), keys.unsqueeze(0), -1);
}

PromptPool::PromptPool(std::int64_t size, std::int64_t length, std::int64_t width, Random& random, at::Device device) {
    const auto options = at::TensorOptions(at::kFloat).device(device);
    keys_ = at::zeros({size, width}, options);
    prompts_ = at::zeros({size, length, width}, options);
    fillUniform(keys_, random, -1, 1);
    fillUniform(prompts_, random, -1, 1);
    keys_.requires_grad_(true);
    prompts_.requires_grad_(true);
}

PromptPool::Selection PromptPool::select(const Tensor& query, std::int64_t first, std::int64_t count,
                                         bool published) const {
    const Tensor distances = keyDistances(query, keys_.narrow(0, first, count));  // [B, count]
    const Tensor nearest = distances.detach().argmin(1);
    return {published ? nearest : nearest + first, distances.gather(1, nearest.unsqueeze(1)).squeeze(1)};
}

}  // namespace palimpsest
