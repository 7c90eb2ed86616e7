// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/experiment.h"
#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// The stream that an experiment asks for, over `classes` classes.
inline StreamSettings streamSettings(const Experiment& experiment, std::int64_t classes) {
    StreamSettings settings;
    settings.classes = classes;
    settings.sessions = experiment.stream.sessions;
    settings.disjoint_percent = experiment.stream.disjoint_percent;
    settings.blurry_percent = experiment.stream.blurry_percent;
    settings.partition = experiment.stream.partition == "uniform" ? Partition::Uniform : Partition::Stochastic;
    settings.seed = static_cast<std::uint64_t>(experiment.seed);
    return settings;
}

}  // namespace palimpsest
