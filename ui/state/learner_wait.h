// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/learner/learner_wait.h"

namespace palimpsest {

/// "4 of 60 s".
QString waitTimeText(const LearnerWait& wait);
/// "Waiting for nearest mean, 4 of 60 s".
QString waitText(const LearnerWait& wait);

}  // namespace palimpsest
