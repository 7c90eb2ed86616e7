// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// A to Z become a to z whatever the locale; any other byte, also one of UTF-8, stays.
constexpr char smallLetter(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace palimpsest
