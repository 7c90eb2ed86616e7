// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tensor.h"

#include <ATen/Parallel.h>

#include <cstddef>
#include <sstream>

#include "engine/support/error.h"
#include "engine/support/truncated_normal.h"

namespace palimpsest {
namespace {

template <class Draw>
void fill(Tensor& tensor, Draw draw) {
    NoGradGuard guard;
    Tensor values = at::empty(tensor.sizes(), at::kFloat);
    float* data = values.data_ptr<float>();
    for (std::int64_t i = 0; i < values.numel(); ++i) data[i] = static_cast<float>(draw());
    tensor.copy_(values);
}

}  // namespace

const Tensor& savedTensor(const TensorsByName& state, const std::string& name, at::IntArrayRef sizes) {
    const auto found = state.find(name);
    if (found == state.end())
        throw inputError("The saved state lacks the tensor " + name + ".", "Start again without it.");
    if (found->second.sizes() != sizes)
        throw inputError("The saved state holds " + name + " of shape " + sizesText(found->second.sizes()) +
                             " instead of " + sizesText(sizes) + ".",
                         "Resume with the settings it was made with, or start again without it.");
    return found->second;
}

Tensor withRows(const Tensor& tensor, std::int64_t rows) {
    if (!tensor.defined() || tensor.size(0) == rows) return tensor;
    if (tensor.size(0) > rows) return tensor.narrow(0, 0, rows).clone();
    std::vector<std::int64_t> sizes = tensor.sizes().vec();
    sizes[0] = rows - tensor.size(0);
    return at::cat({tensor, at::zeros(sizes, tensor.options())});
}

Tensor unitLength(const Tensor& vectors, std::int64_t dim) {
    return vectors / vectors.norm(2, {dim}, true).clamp_min(1e-12);
}

Tensor cosine(const Tensor& a, const Tensor& b, std::int64_t dim) {
    return at::cosine_similarity(a, b, dim, 1e-8);
}

std::string sizesText(at::IntArrayRef sizes) {
    std::ostringstream out;
    out << sizes;
    return out.str();
}

void fillUniform(Tensor& tensor, Random& random, double low, double high) {
    fill(tensor, [&] { return random.uniform(low, high); });
}

void fillNormal(Tensor& tensor, Random& random) {
    fill(tensor, [&] { return random.normal(); });
}

void fillTruncatedNormal(Tensor& tensor, Random& random, double deviation) {
    NoGradGuard guard;
    Tensor values = at::empty(tensor.sizes(), at::kFloat);
    drawTruncatedNormal({values.data_ptr<float>(), static_cast<std::size_t>(values.numel())}, random, deviation,
                        at::get_num_threads());
    tensor.copy_(values);
}

}  // namespace palimpsest
