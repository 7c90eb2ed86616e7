// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"

namespace palimpsest {

class StateArchive;

/// Random expansion of features: ReLU(h R), R [D, M] standard normal, never trained (RanPAC; FlyPrompt). M = 0: h
/// itself.
class RandomFeatures {
public:
    RandomFeatures(std::int64_t width, std::int64_t count, Random random, at::Device device);
    Tensor operator()(const Tensor& features) const;  ///< [B, D] -> [B, size()]
    std::int64_t size() const { return size_; }

private:
    std::int64_t size_;
    Tensor matrix_;  // undefined: none
};

/// Sums over the samples so far from which ridge regression on classes is solved: G = sum of phi phi^T, Q = sum of phi
/// onehot^T, and how many samples a target has. Sums, so that the order of the samples does not matter (but for
/// rounding). In double precision up to 4,096 features, in single beyond, as the official codes.
class RidgeStatistics {
public:
    RidgeStatistics(std::int64_t features, std::int64_t targets, at::Device device);

    /// phi [B, M] and targets int64 [B].
    void add(const Tensor& phi, const Tensor& targets);
    /// (G + lambda I)^-1 Q, float32 [M, targets], by Cholesky factors.
    Tensor solved(double lambda) const;

    std::int64_t samples() const { return samples_; }
    const Tensor& gram() const { return gram_; }      ///< G [M, M]
    const Tensor& sums() const { return sums_; }      ///< Q [M, targets]
    const Tensor& counts() const { return counts_; }  ///< [targets]
    std::vector<NamedTensor> tensors() const { return {{"G", gram_}, {"Q", sums_}, {"n", counts_}}; }
    void keep(StateArchive& archive);

private:
    Tensor gram_, sums_, counts_;
    std::int64_t samples_ = 0;
};

}  // namespace palimpsest
