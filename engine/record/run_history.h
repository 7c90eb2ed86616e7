// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/record/memory_balance.h"
#include "engine/run/run_events.h"
#include "engine/support/min_max_pyramid.h"

namespace palimpsest {

/// Accuracies of single classes at one moment; by raw label, not a number where there is none.
struct ClassMoment {
    std::int64_t samples_seen = 0;
    std::vector<float> accuracy;
};

/// Times each prompt had been selected by then.
struct PromptMoment {
    std::int64_t samples_seen = 0;
    std::vector<std::int64_t> uses;
    bool operator==(const PromptMoment&) const = default;
};

/// Pushes on single classes since the moment before; by raw label.
struct PushMoment {
    std::int64_t samples_seen = 0;
    std::vector<float> push;   ///< not a number: the class had not come, or the mask hid it all the while
    std::vector<float> since;  ///< since the class was learned last; not a number: it had not come
};

/// The same by class, of those of `seen` that had come.
std::vector<ClassPush> classPushes(const PushMoment& moment, const std::vector<std::int32_t>& seen);

/// Measurements of a run besides its accuracies: the same whether gathered from the run's events or read from its
/// folder. Every list only grows.
struct RunHistory {
    PointSeries loss;                     ///< of each update, over the images seen
    std::vector<ClassMoment> classes;     ///< an evaluation each
    std::vector<std::int32_t> seen;       ///< raw labels in order of first appearance
    std::vector<PromptMoment> prompts;    ///< likewise; empty: no prompt is chosen, or nothing known of it
    std::vector<PushMoment> pushes;       ///< likewise; empty: there are none, or nothing is known of them
    std::vector<MemoryBalance> memory;    ///< as recorded; empty: no memory, or nothing known of it
    std::vector<std::int64_t> predicted;  ///< images seen at the moments whose predictions are known, ascending
    TestClasses test_labels;              ///< null: not known
    TestClasses newest;                   ///< predictions of the last moment, from a run's events; else null
    std::vector<std::string> warnings;    ///< of reading: "classes.csv line 7: ..."

    void add(const RunStarted& event);
    void add(const UpdateDone& event);
    void add(const Evaluated& event);
    /// `named`: how many classes have names. What is held between two evaluations is passed over, as the folder does:
    /// call it with the event that comes just before an evaluation.
    void add(const MemoryHeld& event, std::size_t named);
    /// Classes that were measured at least once and the others: as long as the highest label known.
    std::size_t classCount() const;

    void addClass(std::int64_t samplesSeen, std::int32_t label, double accuracy);
    void addPrompt(std::int64_t samplesSeen, std::size_t prompt, std::int64_t uses);
    /// `push`: not a number where the class was hidden.
    void addPush(std::int64_t samplesSeen, std::int32_t label, double push, double since);

private:
    std::vector<bool> met_;  ///< by label: among `seen`
};

/// History of a run folder, at any moment of the run. Never throws: what cannot be read is a warning, and what an older
/// version did not write is absent. `classes`: how many the run names; 0: not known.
RunHistory readHistory(const std::filesystem::path& folder, std::size_t classes);

}  // namespace palimpsest
