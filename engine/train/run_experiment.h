// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/run/run_service.h"

namespace palimpsest {

struct RunPlace {
    std::filesystem::path parent;  ///< a fresh folder is made below
    std::filesystem::path exact;   ///< or exactly this one, when not empty
    /// Or goes on in this one, with its resumableExperiment(), from its newest checkpoint that is whole.
    std::filesystem::path resume{};
    /// Or begins as a fork of another run: with its past, up to the checkpoint at so many samples. The experiment may
    /// differ in mask, memory, evaluation and options of its method and training.
    std::filesystem::path fork{};
    std::int64_t fork_at = 0;
};
/// Runs one experiment on the calling thread: writes the run folder, reports to `observer`, throws nothing.
void runExperiment(std::int64_t run, const Experiment& experiment, const RunPlace& place, RunControl& control,
                   RunObserver& observer);

/// Goes on with the run of a folder, likewise; throws nothing.
void goOnWithRun(std::int64_t run, const std::filesystem::path& folder, RunControl& control, RunObserver& observer);

}  // namespace palimpsest
