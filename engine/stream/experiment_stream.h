// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "engine/config/experiment.h"
#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// Settings of an experiment's stream over `classes` classes.
StreamSettings streamSettings(const Experiment& experiment, std::int64_t classes);

/// The plan with the edits applied one after the other. An edit moves the samples that the class has in one session, or
/// in all, to its target. If that session was the class's home, the target becomes its home; the class stays disjoint
/// or blurry, as it was drawn. A sample that ends in the session it was drawn for keeps its position; each of the
/// others gets a random position in its new session, whose own samples keep their order. The draws depend on the seed
/// and the session alone (an imported list has no seed: 0), so the same plan and edits give the same stream, and
/// sessions without moved samples do not change. Throws Error(Input) for a class or session that does not exist.
StreamPlan editedStream(StreamPlan plan, std::span<const std::int32_t> labels, const std::vector<StreamEdit>& edits);

/// Plans the experiment's stream over the labels, or imports it when the experiment names an index list, and applies
/// the experiment's edits. Throws Error(Input).
StreamPlan planExperimentStream(const Experiment& experiment, std::span<const std::int32_t> labels,
                                std::int64_t classes);
/// The same with settings that differ from streamSettings(), for instance in the seed.
StreamPlan planExperimentStream(const Experiment& experiment, std::span<const std::int32_t> labels,
                                const StreamSettings& settings);

/// Warnings of lintStream(), and those that follow from the experiment's other options: a stream that is too short for
/// an evaluation before its end, or that fits into the memory as a whole.
std::vector<std::string> lintExperimentStream(const Experiment& experiment, const StreamPlan& plan,
                                              std::span<const std::int32_t> labels,
                                              std::optional<std::span<const std::int32_t>> testLabels = std::nullopt,
                                              std::span<const std::string> classNames = {});

}  // namespace palimpsest
