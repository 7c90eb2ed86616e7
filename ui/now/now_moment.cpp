// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/now_moment.h"

#include <algorithm>
#include <cmath>

#include "engine/config/option_table.h"
#include "engine/record/run_history.h"
#include "ui/plots/run_axis.h"
#include "ui/state/learned_batch.h"
#include "ui/state/run_set.h"
#include "ui/widgets/sparkline.h"

namespace palimpsest {
namespace {

/// The last of a list in order of images seen that is not after the moment; null: none is.
template <class Entry>
const Entry* lastUpTo(const std::vector<Entry>& entries, std::int64_t samples) {
    const auto after = std::upper_bound(entries.begin(), entries.end(), samples,
                                        [](std::int64_t x, const Entry& entry) { return x < entry.samples_seen; });
    return after == entries.begin() ? nullptr : &*(after - 1);
}

std::optional<double> accuracyAt(const ShownRun& run, std::int64_t samples) {
    const AnytimePoint* anytime = lastUpTo(run.points.anytime(), samples);
    const AnytimePoint* end = lastUpTo(run.points.sessionEnds(), samples);
    if (!anytime || (end && end->samples_seen > anytime->samples_seen)) anytime = end;
    return anytime ? std::optional(anytime->accuracy) : std::nullopt;
}

/// Classes that were tested: those that had come.
std::vector<std::int32_t> testedAt(const RunHistory& history, std::int64_t samples) {
    std::vector<std::int32_t> seen;
    const ClassMoment* moment = lastUpTo(history.classes, samples);
    for (const std::int32_t label : history.seen) {
        const auto place = static_cast<std::size_t>(label);
        if (moment && place < moment->accuracy.size() && !std::isnan(moment->accuracy[place])) seen.push_back(label);
    }
    return seen;
}

/// Sets the visible classes by the rules of the masks. Replayed images of a batch are not recorded, so where they count
/// the mask stays unknown.
void setVisibleClasses(NowMoment& now, const OptionTable& table, const Experiment& settings,
                       const LearnedBatch& batch) {
    const Option* option = table.find("mask.name");
    if (!option || !table.idleReason(settings, *option).empty()) return;  // the method has one of its own
    const std::string& mask = settings.mask.name;
    const bool replays = settings.memory.size > 0;
    now.mask_known = true;
    if (mask == "none" || mask == "seen" || mask == "learnable") {
        now.visible = now.seen;
        now.unseen_open = mask == "none";
    } else if (mask == "batch" && !replays) {
        now.visible = batch.labels;
    } else if (mask == "session" && !replays) {
        now.visible = batch.session;
        if (settings.mask.session_scope != "so-far")
            for (const std::int32_t label : batch.whole_session)
                if (std::ranges::find(now.seen, label) != now.seen.end()) now.visible.push_back(label);
    } else {
        now.mask_known = false;
    }
}

}  // namespace

NowMoment nowMoment(const OptionTable& table, const ShownRun& run, const RunHistory* history, const LearnedBatch* batch,
                    std::int64_t samplesSeen) {
    NowMoment now;
    now.classes = run.facts->class_names;
    now.samples_seen = samplesSeen;
    // At a border, the session that has just ended.
    now.session = static_cast<std::int64_t>(std::max(0.0, sessionPlace(run, static_cast<double>(samplesSeen) - 0.5)));
    now.accuracy = accuracyAt(run, samplesSeen);
    now.memory_size = run.facts->experiment.memory.size;
    if (history) {
        now.seen = testedAt(*history, samplesSeen);
        if (const PromptMoment* prompts = lastUpTo(history->prompts, samplesSeen)) now.prompt_use = prompts->uses;
        if (const PushMoment* pushes = lastUpTo(history->pushes, samplesSeen))
            now.pushes = classPushes(*pushes, history->seen);
        if (const MemoryBalance* memory = lastUpTo(history->memory, samplesSeen)) now.memory = *memory;
        const std::size_t end = history->loss.upper(static_cast<double>(samplesSeen));
        const std::size_t begin = end - std::min<std::size_t>(end, Sparkline::kHistory);
        const std::vector<double>& losses = history->loss.ys();
        now.losses.assign(losses.begin() + static_cast<std::ptrdiff_t>(begin),
                          losses.begin() + static_cast<std::ptrdiff_t>(end));
    }
    if (!batch) return now;
    now.seen = batch->seen;
    now.images = batch->images;
    now.batch = batch->number;
    now.batches = batch->count;
    // A fork records the settings it went on with, not those of the past it shares.
    if (batch->begin >= run.facts->forked_at)
        setVisibleClasses(now, table, settingsAt(table, run, batch->begin), *batch);
    return now;
}

}  // namespace palimpsest
