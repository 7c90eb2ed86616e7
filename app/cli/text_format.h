// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace palimpsest {

/// Text in lines of at most 80 characters, each indented by `indent` blanks; a longer word has its own line.
std::string wrapped(const std::string& text, std::size_t indent);

/// Two columns, the first as wide as its longest text.
std::string twoColumns(const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace palimpsest
