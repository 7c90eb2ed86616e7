// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/learner/learner_link.h"

namespace palimpsest {

/// Whether an answer that is known already may be given again.
enum class Describe { Known, Anew };

/// What a learner says of itself. It is started and asked once for each digest of a command (learnerCommand()) while
/// this process lives; an answer that was none is asked for again. May be called from any thread. Throws Error(Input)
/// where the user has not allowed the command, and as LearnerLink does for everything that goes wrong.
LearnerHello describedLearner(const LearnerStart& start, Describe how = Describe::Known);

}  // namespace palimpsest
