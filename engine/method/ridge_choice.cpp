// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/ridge_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/ridge_statistics.h"

namespace palimpsest {
namespace {

constexpr std::array kGrid = {1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
constexpr double kNever = std::numeric_limits<double>::infinity();

/// The ridge with the least score; the largest one of several.
double leastOf(std::span<const double> scores) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (scores[i] <= scores[best]) best = i;
    return kGrid[best];
}

std::vector<double> numbersOf(const Tensor& tensor) {
    const Tensor host = tensor.to(at::kCPU, at::kDouble).contiguous();
    return {host.data_ptr<double>(), host.data_ptr<double>() + host.numel()};
}

}  // namespace

std::span<const double> ridgeGrid() {
    return kGrid;
}

std::vector<double> gcvScores(const RidgeStatistics& statistics, std::span<const double> ridges) {
    NoGradGuard guard;
    const auto [values, vectors] = at::linalg_eigh(statistics.gram().to(at::kDouble), "L");
    const std::vector<double> s = numbersOf(values);
    const std::vector<double> along =
        numbersOf(at::matmul(vectors.t(), statistics.sums().to(at::kDouble)).square().sum(1));
    // Eigenvalues that are no more than rounding belong to directions without a sample.
    const double digits = statistics.gram().scalar_type() == at::kDouble ? std::numeric_limits<double>::epsilon()
                                                                         : std::numeric_limits<float>::epsilon();
    const double noise = s.back() * digits * static_cast<double>(s.size());
    const auto samples = static_cast<double>(statistics.samples());
    double rank = 0, outside = samples;  // |Y|^2 of one-hot rows, less what the features can say
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i] <= noise) continue;
        ++rank;
        outside -= along[i] / s[i];
    }
    // As many directions as samples say everything: what is left is rounding.
    outside = rank >= samples ? 0 : std::max(outside, 0.0);
    rank = std::min(rank, samples);
    std::vector<double> scores;
    for (const double ridge : ridges) {
        // In place of differences of large numbers: the parts that the ridge takes away.
        double residual = outside, free = samples - rank;
        for (std::size_t i = 0; i < s.size(); ++i) {
            if (s[i] <= noise) continue;
            const double share = ridge / (s[i] + ridge);
            residual += along[i] / s[i] * share * share;
            free += share;
        }
        const bool hidden = ridge <= noise || free <= 0;
        const double part = free / samples;
        scores.push_back(hidden ? kNever : residual / samples / (part * part));
    }
    return scores;
}

double gcvRidge(const RidgeStatistics& statistics) {
    return leastOf(gcvScores(statistics, kGrid));
}

void PrequentialRidge::score(const Tensor& phi, const Tensor& units) {
    if (!weights_.defined()) return;
    NoGradGuard guard;
    const Tensor known = at::nonzero(known_.index_select(0, units)).flatten();
    if (known.size(0) == 0) return;
    const Tensor rows = phi.index_select(0, known);
    const Tensor wanted = at::one_hot(units.index_select(0, known), weights_.size(2)).to(at::kFloat);
    std::vector<Tensor> sums;
    for (const Tensor& weight : weights_.unbind(0))
        sums.push_back((at::matmul(rows, weight) - wanted).square().sum(at::kDouble));
    const std::vector<double> found = numbersOf(at::stack(sums));
    errors_.resize(kGrid.size(), 0);
    for (std::size_t i = 0; i < kGrid.size(); ++i) errors_[i] += solved_[i] ? found[i] : kNever;
}

Tensor PrequentialRidge::solve(const RidgeStatistics& statistics, bool balanced) {
    const std::vector<std::optional<Tensor>> weights = statistics.trySolvedEach(kGrid, balanced);
    std::vector<Tensor> all;
    std::vector<double> scores = errors_;
    solved_.clear();
    for (std::size_t i = 0; i < kGrid.size(); ++i) {
        solved_.push_back(weights[i].has_value());
        all.push_back(weights[i] ? *weights[i] : at::zeros_like(statistics.sums(), at::kFloat));
        // A ridge that the sums have outgrown since it was scored gives way.
        if (!scores.empty() && !solved_[i]) scores[i] = kNever;
    }
    weights_ = at::stack(all).contiguous();
    known_ = statistics.counts() > 0;
    if (!scores.empty()) ridge_ = leastOf(scores);
    for (std::size_t i = 0; i < kGrid.size(); ++i)
        if (weights[i] && kGrid[i] == ridge_) return *weights[i];
    return statistics.solved(ridge_, balanced);
}

void PrequentialRidge::keep(StateArchive& archive) {
    archive("ridge", ridge_);
    archive("errors", errors_);
    archive("solved", solved_);
    archive("weights", weights_);
    archive("known", known_);
}

}  // namespace palimpsest
