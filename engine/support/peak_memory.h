// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace palimpsest {

/// Peak resident memory of this process in bytes.
std::int64_t peakMemoryBytes();

}  // namespace palimpsest
