// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace palimpsest {

class StateArchive;

/// CLIB's learning rate (Koh et al., ICLR 2022, section 4.4; MISA, methods/clib.py, adaptive_lr). Two rates, one a step
/// below the other, take turns of `period` updates, and the fall of the memory's loss in each turn is recorded.
/// When `length` turns of each are there, a one-sided Welch test asks which was better: both rates move down, or up, or
/// stay.
class AdaptiveRate {
public:
    struct Settings {
        double start = 0;    ///< the higher of the two at first
        double step = 0.95;  ///< lower / higher
        std::int64_t period = 10, length = 10;
    };
    explicit AdaptiveRate(const Settings& settings)
        : settings_(settings), high_(settings.start), low_(settings.start * settings.step) {}

    /// Returns the rate of the next update. `losses`: of every memory slot after this one; `rewritten`: slots written
    /// since the last call, which count for nothing until the next turn.
    double next(std::span<const double> losses, std::span<const std::int64_t> rewritten);
    void keep(StateArchive& archive);
    double rate() const { return is_high_ ? high_ : low_; }
    double high() const { return high_; }
    double low() const { return low_; }

private:
    /// Mean fall since the last turn over the slots that are comparable; absent without any.
    std::optional<double> meanFall(std::span<const double> losses) const;
    void compareTurns();

    Settings settings_;
    double high_, low_;
    bool is_high_ = true;
    std::int64_t updates_ = 0;
    std::vector<double> before_, falls_high_, falls_low_;
    std::vector<std::int64_t> rewritten_;
};

/// Probability that the mean of `a` would be that much greater than that of `b` by chance, for samples of any variances
/// (Welch's t-test, one-sided). Not a number for less than two values each, or where neither varies.
double welchGreater(std::span<const double> a, std::span<const double> b);

}  // namespace palimpsest
