// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>

namespace palimpsest {

/// Calls work(0) ... work(parts - 1), each once, on the calling thread and on up to `threads` - 1 others; returns when
/// all are done. Threads take the next part when they are done with theirs, so a slow one holds up nobody for long.
/// They are kept, and sleep while there is nothing to do. Several callers may share them. The first exception is thrown
/// again here, and parts that have not begun by then are left out.
void shareWork(std::size_t parts, int threads, const std::function<void(std::size_t part)>& work);

}  // namespace palimpsest
