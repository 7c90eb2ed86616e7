// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace palimpsest {

/// Tokens of a run's prompts in a block of its network, by the option that asks for them, such as method.g_length: what
/// a length of 0 became stands here alone. Empty: the method has no prompts, or it is not known.
using PromptLengths = std::map<std::string, std::int64_t>;

/// Those options.
inline constexpr std::array kPromptLengthOptions{"method.g_length", "method.e_length", "method.l2p_length",
                                                 "method.prompt_length"};

/// "prompts of 3 general and 7 expert tokens", "prompts of 5 tokens"; empty for none.
std::string promptLengthsText(const PromptLengths& lengths);

}  // namespace palimpsest
