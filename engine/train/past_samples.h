// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/data/sources.h"
#include "engine/memory/sample_memory.h"
#include "engine/method/method.h"
#include "engine/optim/output_units.h"

namespace palimpsest {

/// Samples that updates replay: draws from a memory as it is now, and the images of what was drawn. Every draw belongs
/// to a (batch, update), so none depends on how often another was asked for.
class PastSamples {
public:
    using Samples = std::vector<std::int64_t>;
    struct Settings {
        std::uint64_t seed = 1;
        std::int64_t updates = 3;  ///< of each batch
        std::int64_t count = 32;   ///< samples that are drawn for each
    };
    /// All but the settings must outlive this.
    PastSamples(const Settings& settings, const SampleMemory& memory, const ClassRegistry& registry, TrainSource& train)
        : settings_(settings), memory_(memory), registry_(registry), train_(train) {}

    /// Samples that each update of a batch replays; empty lists while there is nothing.
    std::vector<Samples> drawAhead(std::int64_t batch) const;
    /// Draws `lot`, 0 or 1, of an update, as slots.
    Samples drawnSlots(std::int64_t batch, std::int64_t update, std::int64_t lot) const;
    Samples samplesOf(const Samples& slots) const;
    Samples unitsOf(const Samples& samples) const;
    /// Those that can still be read, transformed by themselves; `slots` may be empty.
    PastBatch shown(std::int64_t batch, std::int64_t draw, const Samples& samples, const Samples& slots) const;

private:
    Settings settings_;
    const SampleMemory& memory_;
    const ClassRegistry& registry_;
    TrainSource& train_;
};

}  // namespace palimpsest
