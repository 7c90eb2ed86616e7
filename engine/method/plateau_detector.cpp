// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/plateau_detector.h"

#include <cmath>

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {

std::optional<LossPlateau> PlateauDetector::add(double loss) {
    losses_.push_back(loss);
    if (std::ssize(losses_) > settings_.window) losses_.erase(losses_.begin());
    if (std::ssize(losses_) < settings_.window) return std::nullopt;
    LossPlateau now;
    const auto count = static_cast<double>(losses_.size());
    for (const double each : losses_) now.mean += each / count;
    for (const double each : losses_) now.variance += (each - now.mean) * (each - now.mean) / count;
    if (!armed_) armed_ = now.mean > last_.mean + std::sqrt(last_.variance);
    const bool settled = now.mean < settings_.mean && now.variance < settings_.variance;
    if (!armed_ || !settled) return std::nullopt;
    armed_ = false;
    last_ = now;
    return now;
}

void PlateauDetector::keep(StateArchive& archive) {
    archive("losses", losses_);
    archive("armed", armed_);
    archive("mean", last_.mean);
    archive("variance", last_.variance);
    // A fork may have a shorter window.
    const auto extra = std::ssize(losses_) - settings_.window;
    if (extra > 0) losses_.erase(losses_.begin(), losses_.begin() + extra);
}

}  // namespace palimpsest
