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

/// Where the cases are computed. The numbers were recorded on a processor, and a GPU sums in another order.
struct VerifyPlace {
    std::string device = "cpu";
    double slack = 1;  ///< factor of every tolerance
};

/// Compares every number with a folder of golden files, in float32. Throws Error(Input) when the folder is not
/// recognised, and for a device that is not there.
void verifyGolden(const std::filesystem::path& folder, const CaseReport& report, const VerifyPlace& place = {});

}  // namespace palimpsest
