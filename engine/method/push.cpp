// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/push.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace palimpsest {

std::vector<UnitPush> unitPushes(const PushedLogits& batch) {
    if (!batch.masked.defined()) return {};
    const Tensor logits = batch.masked.to(at::kFloat).contiguous(), mask = batch.mask.contiguous();
    const Tensor units = batch.units.contiguous();
    const Tensor others = batch.others.defined() ? batch.others.contiguous() : Tensor();
    const Tensor shares = batch.shares.defined() ? batch.shares.contiguous() : Tensor();
    const auto images = static_cast<std::size_t>(logits.size(0)), classes = static_cast<std::size_t>(logits.size(1));
    std::vector<UnitPush> pushes(classes);
    for (std::size_t c = 0; c < classes; ++c) pushes[c].hidden = mask.data_ptr<float>()[c] < 0;
    // A loop of its own: on small batches, operations on tensors cost more than all of their numbers.
    std::vector<float> weights(classes);
    for (std::size_t i = 0; i < images; ++i) {
        const float* row = logits.data_ptr<float>() + i * classes;
        const float most = *std::max_element(row, row + classes);
        double sum = 0;
        for (std::size_t c = 0; c < classes; ++c) {
            weights[c] = row[c] == -std::numeric_limits<float>::infinity() ? 0 : std::exp(row[c] - most);
            sum += weights[c];
        }
        for (std::size_t c = 0; c < classes; ++c) pushes[c].probabilities += weights[c] / sum;
        const double own = shares.defined() ? shares.data_ptr<float>()[shares.numel() == 1 ? 0 : i] : 1;
        pushes[static_cast<std::size_t>(units.data_ptr<std::int64_t>()[i])].targets += own;
        if (others.defined()) pushes[static_cast<std::size_t>(others.data_ptr<std::int64_t>()[i])].targets += 1 - own;
    }
    return pushes;
}

}  // namespace palimpsest
