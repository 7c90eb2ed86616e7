// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/run_control.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// Plays the run of a folder back: sends its events again, as if it learned now, and reports as a RunFunction does.
/// Only reads. At a speed of 1 it takes as long as the run took; the speed, above 0, may change meanwhile. It obeys
/// pause, step, resume and stop as a run does, and there is nothing that could be aborted. A run that was played to its
/// end has Finished, with the summary as recorded, however it ended in its time.
void playRun(const OptionTable& table, const std::filesystem::path& folder, std::int64_t run,
             const std::atomic<double>& speed, RunControl& control, RunObserver& observer);

/// A recorded run that is played back beside another one.
struct PlayedBeside {
    std::filesystem::path folder;
    std::int64_t run = 0;             ///< number that its events bear
    RunObserver* observer = nullptr;  ///< gets its events, on the thread that plays; not null
};

/// The same of several runs in step: at any moment as many images have been seen in each of them, or all that a shorter
/// one has. The run of `folder` leads: the pace is its own, and it alone reports states. The others are read before it
/// starts, and each ends before it ends; one that cannot be read has Failed, and the rest play without it. `from`: so
/// many images are there at once, and the rest plays.
void playRuns(const OptionTable& table, const std::filesystem::path& folder, std::int64_t run,
              const std::vector<PlayedBeside>& beside, const std::atomic<double>& speed, RunControl& control,
              RunObserver& observer, std::int64_t from = 0);

}  // namespace palimpsest
