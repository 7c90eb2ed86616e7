// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/library/preset_differences.h"
#include "engine/library/run_notes.h"
#include "engine/record/run_folder.h"

namespace palimpsest {

/// Row of a list of runs: a small part of a run's record, and the user's notes about it. Of an imported run, whose
/// settings are not known, method and data set are the other program's words, and all other words are empty.
struct RunRow {
    std::filesystem::path folder;
    std::string signature;  ///< see runSignature()
    std::string name, method, mask, prompts, dataset;
    std::string program;      ///< as Experiment::program
    std::int64_t memory = 0;  ///< images it may keep
    std::int64_t seed = 0;
    std::int64_t sessions = 0;  ///< of the stream
    std::int64_t batch_size = 0, updates_per_batch = 0;
    RecordedState state = RecordedState::None;
    std::string error, started, ended, fingerprint;
    std::string family;               ///< the same for runs that differ in the seed alone
    std::filesystem::path parent;     ///< the run it was forked from; empty: none
    std::int64_t forked_at = -1;      ///< as RunRecord
    std::string origin;               ///< of an imported run: "Mammoth, logs.pyd"
    std::vector<LiveChange> changes;  ///< made during the run, from which its settings above differ
    PromptLengths prompt_lengths;     ///< as RunRecord
    PresetDifferences preset;
    std::int64_t total_samples = 0;
    std::int64_t samples_seen = 0;  ///< at its last anytime evaluation
    std::int64_t sessions_ended = 0;
    bool area_whole = false;  ///< no further evaluation can come into A_AUC
    std::optional<double> a_auc, a_last_overall, f_last_classwise, a_last, f_last;  ///< as Summary
    std::int64_t modified = 0;  ///< seconds since 1970, of what changed last in the folder; see modifiedAt()
    bool trashed = false;
    RunNotes notes;

    /// UTC time of its end, or of its beginning: a crash leaves no end behind.
    const std::string& lastMoment() const { return ended.empty() ? started : ended; }
    bool imported() const { return state == RecordedState::Imported; }
};

/// A number of a row that lists show and compare.
struct ListedMetric {
    const char* key;  ///< as in summary.json and findMetric()
    std::optional<double> RunRow::*value;
};
/// Those that published tables hold come before the paper's own.
inline constexpr std::array<ListedMetric, 5> kListedMetrics{{{"a_auc", &RunRow::a_auc},
                                                             {"a_last_overall", &RunRow::a_last_overall},
                                                             {"f_last_classwise", &RunRow::f_last_classwise},
                                                             {"a_last", &RunRow::a_last},
                                                             {"f_last", &RunRow::f_last}}};

/// True when no further anytime evaluation is due before the end of the stream.
bool areaIsWhole(const std::vector<AnytimePoint>& anytime, std::int64_t totalSamples, std::int64_t everySamples);

using RunRowPtr = std::shared_ptr<const RunRow>;

/// Absolute, without dots and a slash at its end: how rows name their folders.
std::filesystem::path wholePath(const std::filesystem::path& path);

/// Sizes and times of the files of a run folder that matter here; the same as long as nothing was written.
std::string runSignature(const std::filesystem::path& folder);

/// Time of the file that changed last, seconds since 1970.
std::int64_t modifiedAt(const std::filesystem::path& folder);

/// RunRow::family of runs with this text of apartFromSeed().
std::string familyOf(const std::string& apart);

/// The row of a run that was read; signature, modified, preset and notes are the caller's. Reads no file.
RunRow rowOf(const OptionTable& table, const RunRecord& record);

}  // namespace palimpsest
