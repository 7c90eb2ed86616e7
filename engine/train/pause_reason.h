// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/run/pause_condition.h"
#include "engine/run/run_events.h"
#include "engine/train/retention.h"

namespace palimpsest {

/// Why a run is to pause after an evaluation, in a sentence; empty: the condition does not hold. `session`: the one
/// that goes on, or has ended just now. `classes`: what was measured.
std::string pauseReason(const PauseCondition& when, bool sessionEnded, std::int64_t session,
                        const std::vector<ClassCount>& classes, const Retention& retention);

}  // namespace palimpsest
