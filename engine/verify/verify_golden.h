// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace palimpsest {

enum class CaseResult { Ok, Fail, Todo };
struct VerifiedCase {
    std::string name;
    CaseResult result = CaseResult::Fail;
    double max_abs_error = 0;
    double max_rel_error = 0;
    std::string detail;       ///< reason of a failure, or the method that is still missing
    double of_tolerance = 0;  ///< largest error divided by its tolerance; above 1: failed
};
using CaseReport = std::function<void(const VerifiedCase&)>;

/// Compares every number with a folder of golden files. Throws Error(Input) when the folder is not recognised.
void verifyGolden(const std::filesystem::path& folder, const CaseReport& report);

}  // namespace palimpsest
