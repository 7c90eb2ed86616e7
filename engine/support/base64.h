// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// Bytes as text, four characters for three of them (RFC 4648, section 4), with "=" at the end.
std::string base64(std::span<const std::byte> bytes);
/// The bytes again; nothing for a text that base64() does not write.
std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text);

}  // namespace palimpsest
