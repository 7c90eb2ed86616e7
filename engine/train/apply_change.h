// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/live_change.h"
#include "engine/train/online_loop.h"

namespace palimpsest {

/// Makes a change that requireLive() let through, between two batches.
void applyChange(const OptionTable& table, const LiveChange& change, OnlineLoop& loop, Method& method);

}  // namespace palimpsest
