// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <variant>

#include "engine/run/run_control.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// Run that begins with the first image of its stream.
struct FreshRun {
    std::filesystem::path parent;   ///< a new folder is made in it
    std::filesystem::path exact{};  ///< the run folder itself, in place of a new one; empty: none is named
};
/// Run that goes on in its folder, with its resumableExperiment(), from its newest checkpoint that is whole; one that
/// neverLearned() begins anew there.
struct ResumedRun {
    std::filesystem::path folder;
};
/// Run that begins with the past of another run, up to one of its checkpoints. The experiment may differ in mask,
/// memory, evaluation and options of its method and training.
struct ForkedRun {
    std::filesystem::path parent, exact;  ///< as in FreshRun
    std::filesystem::path origin;         ///< folder of the other run
    std::int64_t at = 0;                  ///< samples seen at the checkpoint
};
using RunStart = std::variant<FreshRun, ResumedRun, ForkedRun>;

/// Runs one experiment on the calling thread: writes the run folder, reports to `observer`, throws nothing.
void runExperiment(std::int64_t run, const Experiment& experiment, const RunStart& start, RunControl& control,
                   RunObserver& observer);

/// Resumes the run of a folder, likewise; throws nothing.
void resumeRun(std::int64_t run, const std::filesystem::path& folder, RunControl& control, RunObserver& observer);

}  // namespace palimpsest
