// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "datasets/table/image_dataset.h"
#include "engine/config/option_table.h"
#include "engine/method/method.h"
#include "engine/network/compute.h"
#include "engine/run/live_change.h"
#include "engine/run/run_events.h"

namespace palimpsest {

// What is told of a run when it begins.

/// All but the run's number, folder and experiment, and what lies behind one that is gone on with. `promptsNote`: a
/// warning of the prompts that it loads; may be empty.
RunStarted runStarted(const OptionTable& table, const Experiment& experiment, const ImageDataset& data,
                      const std::shared_ptr<const StreamPlan>& plan, const Compute& compute, const Method& method,
                      const std::string& promptsNote);

/// Of `experiment` as a fork of the run in `parent`. `changed`: in the parent, on its way to the checkpoint after `at`
/// samples.
ForkFacts forkFacts(const OptionTable& table, const Experiment& experiment, const std::filesystem::path& parent,
                    const std::vector<LiveChange>& changed, std::int64_t at);

}  // namespace palimpsest
