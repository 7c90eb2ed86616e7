// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/config/choices.h"
#include "engine/config/option_table.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_history.h"

namespace palimpsest {

/// Facts about a run, besides its history, that the sentences need.
struct StoryFacts {
    std::vector<std::int64_t> session_starts;       ///< images seen when each session begins
    std::int64_t total_samples = 0;                 ///< of the stream; 0: not known
    std::function<std::string(std::int32_t)> name;  ///< of a class, by raw label
    std::optional<MaskKind> mask;                   ///< that held; absent: it has none, its own, or is only told
    bool mask_changed = false;                      ///< on the way: what was pushed is not this mask's alone
    bool brief = false;                             ///< for a narrow place: what fell most and why, without the rest
    bool features_learn = false;                    ///< what the head is given changes with learning, too
};

/// Images seen at the last evaluation up to `samplesSeen`, which is the one that is told of; 0: there is none.
std::int64_t evaluationTold(const RunHistory& history, std::int64_t samplesSeen);
/// Facts that follow from the settings that held at that evaluation: the mask and whether features learn. `known`:
/// false where nothing says what held: in results of another program, and before a fork, in its parent.
StoryFacts storyFacts(const OptionTable& table, const Experiment& settings, bool known);

/// True where the mask was changed before that evaluation.
bool maskChanged(std::span<const LiveChange> changes, std::int64_t told);

/// Sentences on what the last evaluation up to `samplesSeen` found that the one before it had not: which classes came,
/// which fell most, and what the mask has to do with it. An evaluation at the end of a session is compared with one
/// that is not right before it; that at the end of the stream with the best that each class had. Only what was
/// measured, pushes included, and what follows from how the mask is defined (equation 4 of the paper). Empty before the
/// first evaluation.
std::string momentStory(const RunHistory& history, const StoryFacts& facts, std::int64_t samplesSeen);
/// The same of a run that was read from its folder. `samplesSeen` absent: the last evaluation.
std::string momentStory(const OptionTable& table, const RunRecord& run, const RunHistory& history,
                        std::optional<std::int64_t> samplesSeen = {});

}  // namespace palimpsest
