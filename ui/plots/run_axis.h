// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace palimpsest {

struct AnytimePoint;
struct ShownRun;

/// Where a run's images stand along x: by their number, or by sessions and parts of them.
struct RunAxis {
    bool by_session = false;

    double placeIn(const ShownRun& run, std::int64_t samples) const;
    double samplesIn(const ShownRun& run, double place) const;
    /// The run's evaluation nearest to a place along x, before it or after; null without any.
    const AnytimePoint* evaluationAt(const ShownRun& run, double place) const;
};

/// The last evaluation at or before so many images; the first one where there is none; null without any.
const AnytimePoint* pointAt(const ShownRun& run, double samples);

}  // namespace palimpsest
