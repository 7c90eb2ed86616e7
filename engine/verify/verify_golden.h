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
    std::string detail;       ///< why it failed, or which method is still to come
    double of_tolerance = 0;  ///< the largest error as a share of what it may be; above 1: failed
};
/// Number for number against a folder of golden files. Throws Error(Input) when the folder is not understood.
void verifyGolden(const std::filesystem::path& folder, const std::function<void(const VerifiedCase&)>& report);

}  // namespace palimpsest
