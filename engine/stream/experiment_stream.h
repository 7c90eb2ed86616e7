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

/// Plans the experiment's stream over the labels, or imports it where the experiment names an index list, and edits it
/// as the experiment says. Throws Error(Input).
StreamPlan planExperimentStream(const Experiment& experiment, std::span<const std::int32_t> labels,
                                std::int64_t classes);
/// The same with settings that are not quite streamSettings(), such as a larger seed.
StreamPlan planExperimentStream(const Experiment& experiment, std::span<const std::int32_t> labels,
                                const StreamSettings& settings);

/// lintStream, and what the experiment's other options make of the stream: one that is too short to be evaluated on the
/// way, or that the memory holds as a whole.
std::vector<std::string> lintExperimentStream(const Experiment& experiment, const StreamPlan& plan,
                                              std::span<const std::int32_t> labels,
                                              std::optional<std::span<const std::int32_t>> testLabels = std::nullopt,
                                              std::span<const std::string> classNames = {});

}  // namespace palimpsest
