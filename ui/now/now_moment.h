// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "engine/record/memory_balance.h"
#include "engine/run/run_events.h"
#include "ui/state/class_names.h"

namespace palimpsest {

class OptionTable;
struct LearnedBatch;
struct ShownRun;
struct RunHistory;

/// Content of Now for a moment that has passed.
struct NowMoment {
    QString run;  ///< what it is called
    ClassNames classes;
    std::int64_t samples_seen = 0;
    std::int64_t session = 0;           ///< from 0
    std::optional<double> accuracy;     ///< of the last evaluation up to then
    std::vector<std::int32_t> seen;     ///< raw labels
    std::vector<std::int32_t> visible;  ///< likewise: classes the mask let through
    bool mask_known = false;            ///< else `visible` says nothing: no record has it
    bool unseen_open = false;           ///< as BatchLearned has it
    std::vector<std::int64_t> prompt_use;
    std::vector<ClassPush> pushes;  ///< between the last two evaluations up to then; empty: not known
    std::optional<MemoryBalance> memory;
    std::int64_t memory_size = 0;         ///< places; 0: there is none
    std::vector<double> losses;           ///< the latest
    std::vector<Thumbnail> images;        ///< of the batch that was learned last
    std::int64_t batch = 0, batches = 0;  ///< its number from 1, and how many there are; 0: not known
    QString why;                          ///< why there are no images
    bool reading = false;                 ///< the images are on their way
};

/// From what a run measured (`history` null: not known yet) and from its stream (`batch` null: not known).
NowMoment nowMoment(const OptionTable& table, const ShownRun& run, const RunHistory* history, const LearnedBatch* batch,
                    std::int64_t samplesSeen);

}  // namespace palimpsest
