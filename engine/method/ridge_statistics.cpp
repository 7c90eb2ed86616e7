// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/ridge_statistics.h"

#include "engine/checkpoint/state_archive.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kDoubleUpTo = 4096;  // features; beyond, memory and time count more than digits

}  // namespace

std::optional<Tensor> choleskySolved(const Tensor& a, double lambda, const Tensor& b) {
    NoGradGuard guard;
    // In single precision a sum of very different sizes may lose its positive definiteness.
    for (const at::ScalarType type : {a.scalar_type(), at::kDouble}) {
        Tensor sum = a.to(type, /*non_blocking=*/false, /*copy=*/true);
        sum.diagonal().add_(lambda);
        const auto [factor, info] = at::linalg_cholesky_ex(sum, false, false);
        if (info.item<int>() == 0) return at::cholesky_solve(b.to(type), factor);
        if (type == at::kDouble) break;
    }
    return std::nullopt;
}

RidgeStatistics::RidgeStatistics(std::int64_t features, std::int64_t targets, at::Device device, bool keepsGram) {
    const auto options = at::TensorOptions(features <= kDoubleUpTo ? at::kDouble : at::kFloat).device(device);
    if (keepsGram) gram_ = at::zeros({features, features}, options);
    sums_ = at::zeros({features, targets}, options);
    counts_ = at::zeros({targets}, options);
}

void RidgeStatistics::add(const Tensor& phi, const Tensor& targets) {
    NoGradGuard guard;
    const Tensor rows = phi.to(sums_.scalar_type());
    const Tensor which = at::one_hot(targets, sums_.size(1)).to(sums_.scalar_type());
    if (gram_.defined()) gram_.addmm_(rows.t(), rows);
    sums_.addmm_(rows.t(), which);
    counts_.add_(which.sum(0));
    samples_ += phi.size(0);
}

Tensor RidgeStatistics::solved(double lambda, bool balanced) const {
    if (const std::optional<Tensor> weight = trySolved(lambda, balanced)) return *weight;
    const bool single = gram_.scalar_type() == at::kFloat;
    const std::string fewer =
        ", or at most " + grouped(kDoubleUpTo) + " features, whose sums are kept in double precision";
    throw inputError("The sums of the features cannot be solved with a ridge of " + shortestText(lambda) + ".",
                     "Choose a stronger ridge" + (single ? fewer : "") + ".");
}

std::optional<Tensor> RidgeStatistics::trySolved(double lambda, bool balanced) const {
    return trySolvedEach({{lambda}}, balanced).front();
}

std::vector<std::optional<Tensor>> RidgeStatistics::trySolvedEach(std::span<const double> lambdas,
                                                                  bool balanced) const {
    NoGradGuard guard;
    const Equations all = equations(balanced);
    std::vector<std::optional<Tensor>> weights;
    for (const double lambda : lambdas) {
        std::optional<Tensor> weight = choleskySolved(all.left, all.share * lambda, all.right);
        if (weight) weight = weight->to(at::kFloat);
        weights.push_back(std::move(weight));
    }
    return weights;
}

RidgeStatistics::Equations RidgeStatistics::equations(bool balanced) const {
    if (!balanced) return {gram_, sums_, 1};
    const double samples = static_cast<double>(samples_), classes = (counts_ > 0).sum().item<double>();
    const Tensor mu = means();
    return {within() / samples + at::matmul(mu, mu.t()) / classes, mu / classes, 1 / samples};
}

Tensor RidgeStatistics::means() const {
    NoGradGuard guard;
    return sums_ / counts_.clamp_min(1);
}

Tensor RidgeStatistics::within() const {
    NoGradGuard guard;
    const Tensor mu = means();
    return gram_ - at::matmul(mu * counts_, mu.t());
}

std::vector<NamedTensor> RidgeStatistics::tensors() const {
    std::vector<NamedTensor> all;
    if (gram_.defined()) all.push_back({"G", gram_});
    all.push_back({"Q", sums_});
    all.push_back({"n", counts_});
    return all;
}

void RidgeStatistics::keep(StateArchive& archive) {
    if (gram_.defined()) archive.shared("G", gram_);
    archive.shared("Q", sums_);
    archive.shared("n", counts_);
    archive("samples", samples_);
}

}  // namespace palimpsest
