// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "engine/library/foreign_results.h"

namespace palimpsest {

/// Reads a table whose header names the columns, in any order: samples_seen, images or step; accuracy or acc; session
/// and loss if there are such. Between them commas, semicolons or tabs; with the latter two a comma in a number is a
/// decimal point. Accuracies above 1 are per cent. `text`: what the file holds. Throws Error(Input), which names the
/// line.
ForeignResults readCsvCurve(const std::filesystem::path& file, std::string_view text);

/// Reads seed_N_eval.npy (accuracies) with seed_N_eval_time.npy (images seen) and seed_N.npy (accuracies at the ends of
/// sessions), any of which may be named; the first must be there. `every`: images between two evaluations, for a file
/// without their times; 0: not known. Throws Error(Input).
ForeignResults readNpyCurve(const std::filesystem::path& file, std::int64_t every);

}  // namespace palimpsest
