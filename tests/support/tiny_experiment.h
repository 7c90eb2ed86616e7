// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/config/option_table.h"
#include "engine/method_options/head_method_options.h"

namespace palimpsest::testing {

/// The user's settings, reduced to a size that takes a second.
inline Experiment tinyExperiment(const Experiment& draft, const OptionTable& table) {
    Experiment small = table.defaults();
    small.name = draft.name;
    small.seed = draft.seed;
    small.stream.dataset = "shapes";
    small.stream.sessions = std::min<std::int64_t>(draft.stream.sessions, 5);
    small.stream.disjoint_percent = draft.stream.disjoint_percent;
    small.stream.blurry_percent = draft.stream.blurry_percent;
    small.stream.train_limit = 60;
    small.stream.test_limit = 20;
    small.method.name = draft.method.name;
    small.method.of<RandomFeatureOptions>().count = 64;
    small.method.of<RainbowMemoryOptions>().epochs = 1;
    small.mask.name = draft.mask.name;
    small.memory.size = std::min<std::int64_t>(draft.memory.size, 20);
    small.training.batch_size = 10;
    small.training.updates_per_batch = 1;
    small.evaluation.every_samples = 20;
    small.initial_session.prompts = "none";
    small.threads = 1;
    return small;
}

}  // namespace palimpsest::testing
