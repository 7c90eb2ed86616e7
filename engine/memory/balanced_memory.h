// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/memory/sample_memory.h"

namespace palimpsest {

/// Keeps as many samples of each class as of any other: while there is room all are kept; then every newcomer replaces
/// one of the largest class, itself counted, the class that appeared first among equals. The one of that
/// class that leaves is a random one (MISA, methods/rainbow_memory.py, update_memory; its code fails when the class has
/// but one), or the one of least importance, the lowest slot among equals (MISA, methods/clib.py, update_memory).
class BalancedMemory : public SampleMemory {
public:
    enum class Leaves { Random, LeastImportant };
    explicit BalancedMemory(std::int64_t capacity, Leaves leaves = Leaves::Random)
        : SampleMemory(capacity), leaves_(leaves) {}

    void offer(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& units,
               const Draw& draw) override;
    void replace(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& units) override;
    void keep(StateArchive& archive) override;

    /// Class of each slot.
    const std::vector<std::int64_t>& units() const { return units_; }
    /// Samples held of each class that was ever offered.
    const std::vector<std::int64_t>& counts() const { return counts_; }
    /// Slots written by the last offer(), in the order of writing; one may come twice.
    const std::vector<std::int64_t>& written() const { return written_; }

    /// Importance of each slot. A newcomer starts with the mean of its class, without which with that of all.
    const std::vector<double>& importance() const { return importance_; }
    void setImportance(std::vector<double> importance) { importance_ = std::move(importance); }

private:
    void count(std::int64_t unit, std::int64_t change);
    std::int64_t leaving(std::int64_t newcomer, const Draw& draw) const;
    /// Mean importance of the other samples of the class; `otherwise` when there are none.
    double meanOfClass(std::int64_t unit, std::size_t except, double otherwise) const;

    Leaves leaves_;
    std::vector<std::int64_t> units_, counts_, written_;
    std::vector<double> importance_;
};

/// The gain of the others from a sample's replay, moved a tenth of the way at a time: of the samples `replayed` since
/// the last measurement, importance falls by (1 - 0.9) (d - mean importance / their number), d being the mean change of
/// the loss over all slots that were there before and not `rewritten` since (MISA, utils/memory.py,
/// update_loss_history). `before` and `now`: the losses by slot, `before` maybe shorter. Without any such slot nothing
/// changes.
void updateImportance(std::vector<double>& importance, std::span<const double> before, std::span<const double> now,
                      std::span<const std::int64_t> replayed, std::span<const std::int64_t> rewritten);

/// A sample that may be remembered, and how unsure the network is of it.
struct UncertainSample {
    std::int64_t sample = 0, unit = 0;
    double uncertainty = 0;  ///< 0 (all views agree) to below 1
};

/// 1 - share of the most frequent vote, the network's answers to several views of one image (MISA,
/// methods/rainbow_memory.py, variance_ratio).
double voteUncertainty(std::span<const std::int64_t> votes);

/// Rainbow Memory's choice, as positions in `candidates`: of each class in turn capacity / classes samples, spread
/// evenly from the surest to the least sure; a smaller class gives all it has. Room that is left goes to others at
/// random (MISA, methods/rainbow_memory.py, uncertainty_sampling; Bang et al., CVPR 2021, section 4.1).
std::vector<std::int64_t> spreadByUncertainty(const std::vector<UncertainSample>& candidates, std::int64_t capacity,
                                              std::int64_t classes, const SampleMemory::Draw& draw);

}  // namespace palimpsest
