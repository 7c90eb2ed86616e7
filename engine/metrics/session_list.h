// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace palimpsest {

/// "session 5", "sessions 2, 4 and 6–9" of sessions counted from 0, in order.
std::string sessionList(std::span<const std::size_t> sessions);

}  // namespace palimpsest
