// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"

namespace palimpsest {

/// Random expansion of features h [B, D] to phi [B, M], never trained. M = 0: h itself.
class RandomFeatures {
public:
    enum class Kind {
        Relu,     ///< ReLU(h R), R standard normal (RanPAC, McDonnell et al., NeurIPS 2023; FlyPrompt)
        Sparse,   ///< h R, of which the largest 30 % of a sample stay and the others become 0; each column of R has
                  ///< normal values in sparseConnections(D) places drawn at random (Fly-CL, ICLR 2026)
        Sigmoid,  ///< sigmoid(h R), R uniform between -1 / sqrt(D) and 1 / sqrt(D), as PyTorch begins a linear layer
                  ///< (F-OAL, NeurIPS 2024)
        Fourier   ///< sqrt(2 / M) cos(h Omega + b), Omega normal of variance 2 / D, b uniform up to 2 pi: inner
                  ///< products come near exp(-|h - h'|^2 / D) (Rahimi and Recht, NeurIPS 2007). For values of variance
                  ///< 1 that is scikit-learn's RBFSampler with gamma = "scale" (RanDumb, NeurIPS 2024)
    };

    RandomFeatures(std::int64_t width, std::int64_t count, Random random, at::Device device, Kind kind = Kind::Relu);
    Tensor operator()(const Tensor& features) const;  ///< [B, D] -> [B, size()]
    std::int64_t size() const { return size_; }
    bool isRandom() const { return matrix_.defined(); }  ///< false: h itself

    /// Inputs of a sparse feature: the published 300 of 768, and the same share of other widths.
    static std::int64_t sparseConnections(std::int64_t width);
    /// Features of a sample that stay: the published 30 %, at least one.
    static std::int64_t sparseKept(std::int64_t count);

private:
    Kind kind_;
    std::int64_t size_;
    Tensor matrix_;  // [D, M]; undefined: none
    Tensor shift_;   // [M], of Fourier features
};

}  // namespace palimpsest
