// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/lesson/goal.h"
#include "engine/record/run_folder.h"

namespace palimpsest {

/// What goals ask for, of the points that a run has so far. A_Last and forgetting are those by session, of the sessions
/// that have ended (metrics.h). `anytime`: in order; `retention`: in any order.
LessonRun lessonRun(const Experiment& experiment, std::span<const AnytimePoint> anytime,
                    std::span<const RetentionPoint> retention);
/// The same of a run folder, with its guess. Throws Error(Input).
LessonRun lessonRun(const OptionTable& table, const std::filesystem::path& folder);

}  // namespace palimpsest
