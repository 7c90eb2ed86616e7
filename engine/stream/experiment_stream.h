// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "engine/config/experiment.h"
#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// "stochastic", "uniform", "ordered", "one-class" or "imported", as the experiment file writes it.
Partition partitionCalled(std::string_view word);
/// "current" or "older".
Sampler samplerCalled(std::string_view word);

/// The stream that an experiment asks for, over `classes` classes.
StreamSettings streamSettings(const Experiment& experiment, std::int64_t classes);

/// Plans the experiment's stream over the labels, or imports it where the experiment names an index list. Throws
/// Error(Input).
StreamPlan planExperimentStream(const Experiment& experiment, std::span<const std::int32_t> labels,
                                std::int64_t classes);

}  // namespace palimpsest
