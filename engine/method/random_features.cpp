// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/random_features.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace palimpsest {
namespace {

/// [D, M] with `connections` normal values a column.
Tensor sparseMatrix(std::int64_t width, std::int64_t count, std::int64_t connections, Random& random) {
    Tensor matrix = at::zeros({width, count}, at::kFloat);
    float* const data = matrix.data_ptr<float>();
    std::vector<std::int64_t> inputs(static_cast<std::size_t>(width));
    std::iota(inputs.begin(), inputs.end(), std::int64_t{0});
    for (std::int64_t column = 0; column < count; ++column) {
        random.shuffle(inputs);
        for (std::int64_t i = 0; i < connections; ++i)
            data[inputs[static_cast<std::size_t>(i)] * count + column] = static_cast<float>(random.normal());
    }
    return matrix;
}

}  // namespace

RandomFeatures::RandomFeatures(std::int64_t width, std::int64_t count, Random random, at::Device device, Kind kind)
    : kind_(kind), size_(count > 0 ? count : width) {
    if (count == 0) return;
    const auto options = at::TensorOptions(at::kFloat).device(device);
    matrix_ = at::zeros({width, count}, options);
    const double inputs = static_cast<double>(width);
    switch (kind) {
        case Kind::Relu:
            fillNormal(matrix_, random);
            break;
        case Kind::Sparse:
            matrix_ = sparseMatrix(width, count, sparseConnections(width), random).to(device);
            break;
        case Kind::Sigmoid:
            fillUniform(matrix_, random, -1 / std::sqrt(inputs), 1 / std::sqrt(inputs));
            break;
        case Kind::Fourier:
            fillNormal(matrix_, random);
            matrix_.mul_(std::sqrt(2 / inputs));
            shift_ = at::zeros({count}, options);
            fillUniform(shift_, random, 0, 2 * std::numbers::pi);
            break;
    }
}

std::int64_t RandomFeatures::sparseConnections(std::int64_t width) {
    return std::clamp<std::int64_t>((width * 300 + 384) / 768, 1, width);
}

std::int64_t RandomFeatures::sparseKept(std::int64_t count) {
    return std::max<std::int64_t>(count * 3 / 10, 1);
}

Tensor RandomFeatures::operator()(const Tensor& features) const {
    if (!matrix_.defined()) return features;
    const Tensor all = at::matmul(features, matrix_);
    switch (kind_) {
        case Kind::Relu:
            return at::relu(all);
        case Kind::Sparse: {
            const auto [values, places] = at::topk(all, sparseKept(size_), 1, /*largest=*/true, /*sorted=*/false);
            return at::zeros_like(all).scatter_(1, places, values);
        }
        case Kind::Sigmoid:
            return at::sigmoid(all);
        case Kind::Fourier:
            return at::cos(all + shift_) * std::sqrt(2 / static_cast<double>(size_));
    }
    return all;
}

}  // namespace palimpsest
