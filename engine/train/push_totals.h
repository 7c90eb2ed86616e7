// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/method/push.h"
#include "engine/run/run_events.h"

namespace palimpsest {

class StateArchive;

/// Pushes of a run on its classes, summed over updates: those of the batch that is being learned, those since an
/// evaluation, and of each class those since it was learned last.
class PushTotals {
public:
    /// Pushes [C] of an update; empty: it had none. `besides`: units of past images that it learned, too.
    void add(std::span<const UnitPush> pushes, std::span<const std::int64_t> besides = {});
    void beginBatch() { batch_.clear(); }
    /// `seen`: labels in order of first appearance. Empty: nothing was pushed.
    std::vector<ClassPush> ofBatch(const std::vector<std::int32_t>& seen) const { return named(batch_, seen); }
    /// Since the last call.
    std::vector<ClassPush> take(const std::vector<std::int32_t>& seen);

    /// Between two batches. States of older versions have none of it.
    void keep(StateArchive& archive);

private:
    using Sums = std::vector<std::optional<double>>;  // by unit; absent: the mask hid it in each update
    std::vector<ClassPush> named(const Sums& sums, const std::vector<std::int32_t>& seen) const;

    Sums batch_, taken_;
    std::vector<double> since_;  // by unit
};

}  // namespace palimpsest
