// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/train/online_loop.h"

namespace palimpsest {

/// How the loop learns what an experiment asks for; classes, seed and memory are those of its method.
LoopSettings loopSettings(const Experiment& experiment, const MethodSetup& setup);

}  // namespace palimpsest
