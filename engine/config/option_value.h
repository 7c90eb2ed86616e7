// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/support/error.h"

namespace palimpsest {

/// Type, range and choice.
bool accepts(const Option& option, const OptionValue& value);
/// The value a text stands for; a text when it does not fit the type, so that the check can quote it.
OptionValue interpreted(const Option& option, std::string_view text);
/// The error for a value that is not accepted, with the values that are.
Error refusal(const Option& option, const OptionValue& value);

/// Blocks of a network as an experiment lists them, counted from 0: "0,1", "4", or "none" for no block. They rise, and
/// none comes twice. Throws Error(Input), one sentence that names the option `key`, for anything else.
std::vector<std::int64_t> blockList(const std::string& key, const std::string& text);

}  // namespace palimpsest
