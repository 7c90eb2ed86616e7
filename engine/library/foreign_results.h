// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/metrics/metrics.h"
#include "engine/record/run_folder.h"

namespace palimpsest {

/// What one run of another program measured. Accuracies are fractions. Words are as the file has them: writing them
/// down makes them plain.
struct ForeignResults {
    std::string program;               ///< "Mammoth"; empty: not known
    std::string method, dataset;       ///< as that program calls them; empty: not told
    std::string name;                  ///< of the run; empty: to be made from the file's
    std::string part;                  ///< "cut off after 2 of 5 sessions", where results are not those of a whole run
    std::vector<AnytimePoint> points;  ///< in order of images seen, at least one
    /// The points are evaluations within sessions, from which A_AUC comes; else those at the ends of sessions.
    bool anytime = true;
    std::vector<double> session_ends;  ///< accuracies at the ends of sessions; may be empty
    RMatrix retention;                 ///< after each session on the data of each up to it; may be empty
    std::optional<double> a_auc, f_last_classwise, bwt_last;  ///< where the program itself tells them
    std::optional<std::int64_t> seed;
    std::vector<std::pair<std::string, std::string>> settings;  ///< of that program, in its words
    std::vector<std::string> notes;                             ///< sentences on what was left out or had to be assumed
    std::vector<std::filesystem::path> files;                   ///< that were read
};

inline constexpr std::size_t kMostForeignPoints = 1'000'000;
inline constexpr std::size_t kMostForeignSessions = 1'000;

/// The whole file as text. Throws Error(Input) for one that is larger than any results.
std::string readResultsFile(const std::filesystem::path& file);

/// The results in a file, whichever program wrote it: a table, a .npy of the official code, or a log that
/// foreign_logs.h reads. What the file says decides, and its ending where that is all there is. `every`: images
/// between two evaluations, for a file that does not say them; 0: not known. At least one. Throws Error(Input) that
/// says what is wrong with the file and where.
std::vector<ForeignResults> readForeignResults(const std::filesystem::path& file, std::int64_t every);

}  // namespace palimpsest
