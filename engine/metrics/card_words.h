// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace palimpsest {

// How cards write numbers, in per cent with one digit and a true minus sign.

/// "71.2" of 0.712.
std::string cardPercent(double fraction);
/// "+1.2", "−1.2", "±0.0" of a difference of fractions, in points.
std::string cardPoints(double difference);
/// All of a short list, else its beginning and its end: "31.2 + 44.0 + 50.1 + … + 75.1".
std::string cardList(const std::vector<std::string>& terms, const char* sign);
/// "(31.2 + 44.0) / 2 = 37.6 %".
std::string cardMean(const std::vector<std::string>& terms, double value);

}  // namespace palimpsest
