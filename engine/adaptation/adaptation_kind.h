// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/experiment.h"

namespace palimpsest {

/// Throws Error(Input) where initial_session.prompts is a slip of the pen: a word that is no kind of adaptation, and no
/// place of prompts either.
void checkAdaptationKind(const std::string& prompts);

/// With the kind of adaptation that PromptAdapter takes it for: FAM, where the prompts are none or a file.
Experiment withAdaptationKind(Experiment experiment);

}  // namespace palimpsest
