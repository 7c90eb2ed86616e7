// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/config/option_table.h"

namespace palimpsest {

/// The experiment of a run that ended early, to go on with: on the device, in the precision and with the threads that
/// it had. Throws Error(Input) for a folder that is no run, and a run that is whole, goes on at this moment, or comes
/// from elsewhere.
Experiment resumableExperiment(const OptionTable& table, const std::filesystem::path& folder);
/// The experiment of any run with checkpoints, on the device, in the precision and with the threads that it had: for a
/// fork. Throws Error(Input) for a folder that is no run.
Experiment pinnedExperiment(const OptionTable& table, const std::filesystem::path& folder);

}  // namespace palimpsest
