// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/network/vit.h"

namespace palimpsest {

class StateArchive;

/// Changes of low rank to the queries and the values of every block, W x + B A x + B' A' x: A' and B' learn, A and B
/// are what earlier ones left (Online-LoRA, utils/lora.py, as facts).
class LowRankChanges {
public:
    /// How a change that has been learned is kept.
    enum class Merge {
        /// BA + B'A': the factors stand side by side, and the rank grows, until their product takes less work
        Products,
        Factors,  ///< (B + B')(A + A'), as published
    };
    LowRankChanges(const Vit& vit, std::int64_t rank, Merge merge, std::uint64_t seed);

    /// A change for each block, differentiable in what learns.
    std::vector<LowRank> changes() const;
    /// "blocks.I.lora.a" [2, rank, D] and "blocks.I.lora.b" [2, D, rank] of each block, those of the queries first.
    const std::vector<NamedTensor>& learning() const { return learning_; }
    /// What was learned joins what is kept, and new factors begin: those of A' uniform in +-1/sqrt(D) (PyTorch's
    /// Kaiming), those of B' 0.
    void merge();
    /// Rank of what is kept, at most D; 0 before the first merge().
    std::int64_t keptRank() const { return products_.empty() ? kept_a_.front().size(1) : width_; }
    /// What is kept, and how often something was. The factors that learn are the method's to archive. Throws
    /// Error(Input) where the state is of another form.
    void keep(StateArchive& archive);

private:
    const Tensor& a(std::size_t block) const { return learning_[2 * block].tensor; }
    const Tensor& b(std::size_t block) const { return learning_[2 * block + 1].tensor; }
    void begin();
    void multiply();

    std::int64_t width_;
    Merge merge_;
    std::uint64_t seed_;
    std::int64_t begun_ = 0;               // times that new factors have begun
    std::vector<NamedTensor> learning_;    // A' and B' of each block
    std::vector<Tensor> kept_a_, kept_b_;  // of each block: [2, R, D], [2, D, R]
    std::vector<Tensor> products_;         // in their place, of each block: [3 D, D]; empty while factors are kept
};

}  // namespace palimpsest
