// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

#include "engine/network/tensor.h"

namespace palimpsest {

class StateArchive;

/// Sums over the samples so far from which ridge regression on classes is solved: G = sum of phi phi^T, Q = sum of phi
/// onehot^T, and how many samples a target has. Sums, so that the order of the samples does not matter (but for
/// rounding). In double precision up to 4,096 features, in single beyond, as the official codes.
class RidgeStatistics {
public:
    /// `keepsGram`: false for means alone, which need no G.
    RidgeStatistics(std::int64_t features, std::int64_t targets, at::Device device, bool keepsGram = true);

    /// phi [B, M] and targets int64 [B].
    void add(const Tensor& phi, const Tensor& targets);
    /// Ridge regression on the targets, float32 [M, targets], by Cholesky factors: (G + lambda I)^-1 Q.
    /// `balanced`: each of the K targets that have samples weighs the same,
    /// (S / N + 1/K sum of mu mu^T + lambda / N I)^-1 [mu_1 ... mu_K] / K, S = within(), N all samples. That is the
    /// pooled form of AIR (Fang et al., arXiv 2408.10349), which divides the G of each class by its number of samples;
    /// here all classes share the covariance within them, so that no class needs a G of its own. With equally many
    /// samples of each class all three are the same. Throws Error(Input) for a lambda too small for the sums' rounding.
    Tensor solved(double lambda, bool balanced = false) const;
    /// The same; nothing where it would throw.
    std::optional<Tensor> trySolved(double lambda, bool balanced = false) const;
    /// The same for each of several lambdas.
    std::vector<std::optional<Tensor>> trySolvedEach(std::span<const double> lambdas, bool balanced = false) const;

    /// Means of the targets, 0 without a sample: [M, targets].
    Tensor means() const;
    /// G - sum of n mu mu^T: the scatter of the samples about the means of their targets, [M, M].
    Tensor within() const;

    std::int64_t samples() const { return samples_; }
    const Tensor& gram() const { return gram_; }      ///< G [M, M]; undefined without
    const Tensor& sums() const { return sums_; }      ///< Q [M, targets]
    const Tensor& counts() const { return counts_; }  ///< [targets]
    std::vector<NamedTensor> tensors() const;
    void keep(StateArchive& archive);

private:
    /// (left + share lambda I) W = right.
    struct Equations {
        Tensor left, right;
        double share;
    };
    Equations equations(bool balanced) const;

    Tensor gram_, sums_, counts_;
    std::int64_t samples_ = 0;
};

/// (A + lambda I)^-1 B of a symmetric A [M, M] and B [M, C] by Cholesky factors, in the precision of A, or in double
/// where single is not enough; nothing where A + lambda I is not positive definite in double either.
std::optional<Tensor> choleskySolved(const Tensor& a, double lambda, const Tensor& b);

}  // namespace palimpsest
