// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace palimpsest {

// Numbers as text: the same in every locale, with a point and grouped by commas. Of a tie such as 12.5 the number
// further from zero is taken, as one rounds by hand and as Qt does in the window, so that the command line, reports and
// the window agree.

/// "12,000".
std::string grouped(std::int64_t number);
/// "1 session", "12,000 sessions".
std::string counted(std::int64_t number, const std::string& one, const std::string& many);
/// "1 byte", "29.5 kB", "310 MB": steps of 1,000, three digits. A negative number counts as none.
std::string byteCount(std::int64_t bytes);

/// With so many decimals; of a tie the number further from zero: 12.5 is "13". Never "-0.00".
std::string fixedText(double value, int decimals);
/// As fixedText(), without zeros at the end: "1.5", "12".
std::string trimmedText(double value, int decimals);
/// The shortest decimal that reads back as the same number.
std::string shortestDigits(double value);
/// The same, but 1 is "1.0", and 0.0001 is not "1e-04": it keeps looking like a real number.
std::string shortestText(double value);

/// "67.7" for 0.677.
std::string perCent(double fraction);
/// "+18.3" for 0.183, with a true minus sign below zero; "±0.0".
std::string signedPerCent(double fraction);
/// " 67.7 %", at least 7 characters wide; "    -  " when there is no number.
std::string perCentColumn(const std::optional<double>& fraction);

/// "42 s", "3 min 05 s", "1 h 02 min".
std::string duration(double seconds);
/// No finer than an estimate can be: "40 s", "3 min", "1 h 02 min".
std::string roughDuration(double seconds);

}  // namespace palimpsest
