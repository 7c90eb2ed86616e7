// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// Training labels of a data set by its catalogue name; throws when it is not installed.
using LabelSource = std::function<std::vector<std::int32_t>(const std::string& datasetName)>;

/// Value of a formula of one variable with + - * / // % and brackets over whole numbers, division and remainder rounded
/// down as in Python. Throws Error(Input) when it is not such a formula.
std::int64_t evaluateFormula(std::string_view formula, std::string_view variable, std::int64_t value);

/// Labels described in words by a golden file:
///   "label[i] = FORMULA for i in A..B ...",
///   "count[c] = FORMULA; labels = [c for r in 0..max(count)-1 for c in A..B if r < count[c]] ...",
///   and of kind "NAME-train" "the N labels of ...", the first N training labels of data set NAME.
/// Throws Error(Input) for any other rule.
std::vector<std::int32_t> labelsByRule(const std::string& kind, const std::string& rule, const LabelSource& source);

}  // namespace palimpsest
