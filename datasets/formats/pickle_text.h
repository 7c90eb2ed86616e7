// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace palimpsest {

// Decoding of texts that a pickle stores in encoded form. The result is absent for a broken sequence.

/// Decodes a Python string literal without its quotes ("\n", "\x00", "\017").
std::optional<std::string> unescapedString(std::string_view text);
/// Decodes Python's raw-unicode-escape ("\u2028", other bytes are Latin-1) to UTF-8.
std::optional<std::string> unescapedUnicode(std::string_view text);
/// Converts UTF-8 back to one byte a character; absent for characters beyond Latin-1.
std::optional<std::string> latin1Bytes(std::string_view text);

}  // namespace palimpsest
