// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/ridge_statistics.h"

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kDoubleUpTo = 4096;  // features; beyond, memory and time count more than digits

}  // namespace

RandomFeatures::RandomFeatures(std::int64_t width, std::int64_t count, Random random, at::Device device)
    : size_(count > 0 ? count : width) {
    if (count == 0) return;
    matrix_ = at::zeros({width, count}, at::TensorOptions(at::kFloat).device(device));
    fillNormal(matrix_, random);
}

Tensor RandomFeatures::operator()(const Tensor& features) const {
    return matrix_.defined() ? at::relu(at::matmul(features, matrix_)) : features;
}

RidgeStatistics::RidgeStatistics(std::int64_t features, std::int64_t targets, at::Device device) {
    const auto options = at::TensorOptions(features <= kDoubleUpTo ? at::kDouble : at::kFloat).device(device);
    gram_ = at::zeros({features, features}, options);
    sums_ = at::zeros({features, targets}, options);
    counts_ = at::zeros({targets}, options);
}

void RidgeStatistics::add(const Tensor& phi, const Tensor& targets) {
    NoGradGuard guard;
    const Tensor rows = phi.to(gram_.scalar_type());
    const Tensor which = at::one_hot(targets, sums_.size(1)).to(gram_.scalar_type());
    gram_.addmm_(rows.t(), rows);
    sums_.addmm_(rows.t(), which);
    counts_.add_(which.sum(0));
    samples_ += phi.size(0);
}

Tensor RidgeStatistics::solved(double lambda) const {
    NoGradGuard guard;
    const auto regularised = [&](at::ScalarType type) {
        Tensor sum = gram_.to(type, /*non_blocking=*/false, /*copy=*/true);
        sum.diagonal().add_(lambda);
        return sum;
    };
    {
        const auto [factor, info] = at::linalg_cholesky_ex(regularised(gram_.scalar_type()), false, false);
        if (info.item<int>() == 0) return at::cholesky_solve(sums_, factor).to(at::kFloat);
    }
    // In single precision a sum of very different sizes may lose its positive definiteness.
    const Tensor factor = at::linalg_cholesky(regularised(at::kDouble));
    return at::cholesky_solve(sums_.to(at::kDouble), factor).to(at::kFloat);
}

void RidgeStatistics::keep(StateArchive& archive) {
    archive.shared("G", gram_);
    archive.shared("Q", sums_);
    archive.shared("n", counts_);
    archive("samples", samples_);
}

}  // namespace palimpsest
