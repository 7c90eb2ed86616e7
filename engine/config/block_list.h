// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace palimpsest {

/// Blocks of a network as an experiment lists them, counted from 0: "0,1", "4", or "none" for no block. They rise, and
/// none comes twice. Throws Error(Input), one sentence that names the option `key`, for anything else.
std::vector<std::int64_t> blockList(const std::string& key, const std::string& text);

}  // namespace palimpsest
