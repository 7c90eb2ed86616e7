// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/adaptation.h"

namespace palimpsest {

/// Initial session adaptation: makes the prompts that the experiment's initial_session asks for (an AdaptFunction).
void adaptPrompts(const Experiment& experiment, const AdaptationPlace& place, RunControl& control,
                  AdaptationObserver& observer);

}  // namespace palimpsest
