// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Something that two runs have otherwise: "threads", "1", "2".
struct FactDifference {
    std::string what, first, second;
};

/// The first row in which tables of the same kind differ.
struct RowDifference {
    std::int64_t rows_alike = 0;
    std::int64_t samples_seen = 0;
    std::int64_t number = 0;    ///< of the update, from 1; 0: it has none
    std::int64_t batch = 0;     ///< of the update: its batch among those that have updates, from 1; 0: it has none
    std::string column;         ///< the first that differs; empty: only one of the two has the row
    std::string first, second;  ///< what stands there; empty: there is no row
};

/// The first entry in which the accuracies of sessions differ.
struct SessionDifference : RowDifference {
    std::int64_t after_session = 0, session = 0;  ///< from 1; 0: not known
};

/// Differences of two runs, from their settings to their states.
struct RunDifferences {
    std::vector<FactDifference> settings;                   ///< options, in the order of the table, as they were used
    std::vector<FactDifference> surroundings;               ///< device, precision, threads, versions
    std::optional<FactDifference> change;                   ///< the first change made during the run that only one has
    std::string first_stream, second_stream;                ///< fingerprints; empty: not known
    std::int64_t updates = 0, evaluations = 0, states = 0;  ///< that both have
    std::optional<RowDifference> update;                    ///< training.csv
    std::optional<RowDifference> evaluation;                ///< anytime.csv
    std::int64_t session_accuracies = 0;                    ///< that both have
    std::optional<SessionDifference> session_accuracy;      ///< sessions.csv
    std::optional<RowDifference> state;                     ///< hashes of the whole state

    /// Their states differ before anything was learned. A state holds settings, such as the mask, beside the weights.
    bool beginsApart() const { return state && state->samples_seen == 0 && state->column == "hash"; }
    bool sameStream() const { return first_stream == second_stream; }
    /// As far as both go, they have measured the same.
    bool sameNumbers() const;
    /// Why they differ, or that they do not: one sentence.
    std::string verdict() const;
};

/// Compares what two run folders recorded. One that ended early is compared as far as it goes. Throws Error(Input) for
/// a folder that is no run of this program.
RunDifferences compareRuns(const OptionTable& table, const std::filesystem::path& first,
                           const std::filesystem::path& second);

}  // namespace palimpsest
