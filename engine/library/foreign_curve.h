// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_folder.h"

namespace palimpsest {

/// Anytime accuracies that another program measured. Accuracies are fractions.
struct ForeignCurve {
    std::vector<AnytimePoint> points;          ///< in order of images seen, at least one
    std::vector<double> session_ends;          ///< accuracies at the ends of sessions; may be empty
    std::optional<std::int64_t> seed;          ///< as the file's name says
    std::vector<std::filesystem::path> files;  ///< that were read
};

/// Is this the name of a file that readForeignCurve() takes?
bool isForeignCurve(const std::filesystem::path& file);

/// A .csv or .tsv with columns for images seen and accuracy, or a .npy of the official code. Throws Error(Input) that
/// says what is wrong with it and where. `every`: images between two evaluations, for a .npy without their times; 0:
/// not known.
ForeignCurve readForeignCurve(const std::filesystem::path& file, std::int64_t every = 0);

// The two kinds.

/// A header names the columns, in any order: samples_seen, images or step; accuracy or acc; session and loss if there
/// are such. Between them commas, semicolons or tabs; with the latter two a comma in a number is a decimal point.
/// Accuracies above 1 are per cent.
ForeignCurve readCsvCurve(const std::filesystem::path& file);
/// seed_N_eval.npy (accuracies) with seed_N_eval_time.npy (images seen) and seed_N.npy (accuracies at the ends of
/// sessions), any of which may be named; the first must be there.
ForeignCurve readNpyCurve(const std::filesystem::path& file, std::int64_t every);

/// Checks what both kinds have in common: accuracies from 0 to 1 (or to 100, which are divided), images that grow.
/// `where(i)`: "line 7" or "entry 7" of point i.
void settleCurve(ForeignCurve& curve, const std::filesystem::path& file, const std::vector<std::string>& where);

/// The whole file as text. Throws for one that is larger than any curve.
std::string readCurveFile(const std::filesystem::path& file);

}  // namespace palimpsest
