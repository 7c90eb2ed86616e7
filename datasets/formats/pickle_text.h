// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace palimpsest {

// How pickles write texts that do not stand in the file as they are. Nothing for a broken sequence.

/// A Python string literal without its quotes ("\n", "\x00", "\017").
std::optional<std::string> unescapedString(std::string_view text);
/// Python's raw-unicode-escape ("\u2028", other bytes are Latin-1), as UTF-8.
std::optional<std::string> unescapedUnicode(std::string_view text);
/// UTF-8 back to one byte a character; nothing for characters beyond Latin-1.
std::optional<std::string> latin1Bytes(std::string_view text);

}  // namespace palimpsest
