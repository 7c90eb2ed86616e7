// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_history.h"

#include <algorithm>
#include <limits>

namespace palimpsest {

void RunHistory::take(const RunStarted& event) {
    test_labels = event.test_labels;
}

void RunHistory::take(const UpdateDone& event) {
    loss.add(static_cast<double>(event.samples_seen), event.loss);
}

void RunHistory::take(const Evaluated& event) {
    // The end of a session may fall on an anytime evaluation: the same weights.
    if (!classes.empty() && classes.back().samples_seen == event.samples_seen) return;
    for (const ClassCount& count : event.classes)
        addClass(event.samples_seen, count.label,
                 count.samples > 0 ? static_cast<double>(count.correct) / static_cast<double>(count.samples)
                                   : std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < event.prompt_use.size(); ++i) addPrompt(event.samples_seen, i, event.prompt_use[i]);
    if (!event.predictions) return;
    predicted.push_back(event.samples_seen);
    newest = event.predictions;
}

void RunHistory::take(const MemoryHeld& event, std::size_t named) {
    MemoryBalance balance = balanceOf(event, named);
    if (memory.empty() || !(memory.back() == balance)) memory.push_back(std::move(balance));
}

std::size_t RunHistory::classCount() const {
    std::size_t count = 0;
    for (const std::int32_t label : seen) count = std::max(count, static_cast<std::size_t>(label) + 1);
    return count;
}

void RunHistory::addClass(std::int64_t samplesSeen, std::int32_t label, double accuracy) {
    if (label < 0 || static_cast<std::size_t>(label) >= kMostClasses) return;
    if (classes.empty() || classes.back().samples_seen != samplesSeen) classes.push_back({samplesSeen, {}});
    std::vector<float>& row = classes.back().accuracy;
    const auto place = static_cast<std::size_t>(label);
    if (place >= row.size()) row.resize(place + 1, std::numeric_limits<float>::quiet_NaN());
    row[place] = static_cast<float>(accuracy);
    if (place >= met_.size()) met_.resize(place + 1, false);
    if (!met_[place]) seen.push_back(label);
    met_[place] = true;
}

void RunHistory::addPrompt(std::int64_t samplesSeen, std::size_t prompt, std::int64_t uses) {
    constexpr std::size_t kMostPrompts = 100'000;
    if (prompt >= kMostPrompts) return;
    if (prompts.empty() || prompts.back().samples_seen != samplesSeen) prompts.push_back({samplesSeen, {}});
    std::vector<std::int64_t>& row = prompts.back().uses;
    if (prompt >= row.size()) row.resize(prompt + 1, 0);
    row[prompt] = uses;
}

}  // namespace palimpsest
