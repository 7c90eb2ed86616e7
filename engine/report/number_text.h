// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "engine/metrics/metrics.h"

namespace palimpsest::report {

/// Decimal text with a point, whatever the locale. Ties go away from zero: 12.5 is "13".
std::string fixedText(double value, int digits);
/// The same without zeros at the end: "1.5", "12".
std::string trimmedText(double value, int digits);
/// The shortest decimal text that reads back as the same number.
std::string shortText(double value);
/// "67.7" of 0.677.
std::string percentText(double fraction);
/// "67.7 ± 1.9", or "67.7" for a single run; "–" when there is none. From fractions, in per cent.
std::string spreadText(const Spread& fractions);
/// "+18.3" of 0.183, with a true minus sign below zero.
std::string differenceText(double fraction);
/// "12,000".
std::string countText(std::int64_t count);
/// "1 run", "5 runs".
std::string countedText(std::int64_t count, const std::string& singular, const std::string& plural);

}  // namespace palimpsest::report
