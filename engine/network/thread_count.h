// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// Threads that LibTorch computes with at present.
int computingThreads();

}  // namespace palimpsest
