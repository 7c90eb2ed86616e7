// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/support/grouped.h"

namespace palimpsest {

std::string percent(std::optional<double> fraction);  ///< " 67.7 %"; "    -  " when there is no number
std::string fixed(double value, int decimals);
std::string duration(double seconds);  ///< "42 s", "3 min 05 s", "1 h 02 min"
std::string estimate(double seconds);  ///< as coarse as an estimate is: "40 s", "3 min", "1 h 02 min"

/// Text in lines of at most 80 characters, each indented by `indent` blanks; a longer word has its own line.
std::string wrapped(const std::string& text, std::size_t indent);

/// Two columns, the first as wide as its longest text.
std::string twoColumns(const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace palimpsest
