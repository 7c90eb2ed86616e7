// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/choices.h"
#include "engine/record/run_history.h"

namespace palimpsest {

/// Facts about a run, besides its history, that the sentences need.
struct StoryFacts {
    std::vector<std::int64_t> session_starts;       ///< images seen when each session begins
    std::function<std::string(std::int32_t)> name;  ///< of a class, by raw label
    std::optional<MaskKind> mask;                   ///< that held; absent: the method has none, or one of its own
    bool features_learn = false;                    ///< what the head is given changes with learning, too
};

/// Sentences on what the last evaluation up to `samplesSeen` found that the one before it had not: which classes came,
/// which fell most, and what the mask has to do with it. Only what was measured, and what follows from how the mask is
/// defined (equation 4 of the paper). Empty before the first evaluation.
std::string momentStory(const RunHistory& history, const StoryFacts& facts, std::int64_t samplesSeen);

}  // namespace palimpsest
