// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

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

}  // namespace palimpsest
