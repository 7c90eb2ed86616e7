// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "engine/method/update.h"

namespace palimpsest {

class StateArchive;

/// Tells where a loss has settled (Aljundi et al., Task-free continual learning, CVPR 2019; Online-LoRA). A plateau
/// begins where the mean of the last losses and their variance (of the window itself: divided by its length) both lie
/// below their limits. The next one can begin only once the mean has risen above the last plateau's by more than that
/// one's standard deviation, with that very loss at the earliest: then something new has come. As long as there are
/// fewer losses than the window takes, there is no plateau; the published code begins with the first one.
class PlateauDetector {
public:
    struct Settings {
        std::int64_t window = 5;  ///< losses
        double mean = 0;          ///< limit
        double variance = 0;      ///< limit
    };
    explicit PlateauDetector(const Settings& settings) : settings_(settings) {}

    /// Takes one more loss; the window's mean and variance where a plateau begins.
    std::optional<LossPlateau> add(double loss);
    void keep(StateArchive& archive);

private:
    Settings settings_;
    std::vector<double> losses_;  // the newest last
    bool armed_ = true;
    LossPlateau last_;  // meaningful while not armed
};

}  // namespace palimpsest
