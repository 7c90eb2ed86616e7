// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "engine/config/option_table.h"
#include "engine/support/error.h"

namespace palimpsest {

/// Type, range and choice.
bool accepts(const Option& option, const OptionValue& value);
/// The value a text stands for; a text when it does not fit the type, so that the check can quote it.
OptionValue interpreted(const Option& option, std::string_view text);
/// Why a value is not accepted, with what is.
Error refusal(const Option& option, const OptionValue& value);

}  // namespace palimpsest
