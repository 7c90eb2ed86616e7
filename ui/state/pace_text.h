// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/run/run_events.h"

namespace palimpsest {

/// "21 s", "3 min 20 s", "2 h 5 min"; what a person wants to read of a duration.
QString durationText(double seconds);
/// "214 images/s · 21 s left"; the second part only when it is known.
QString paceText(const Progress& progress);

}  // namespace palimpsest
