// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/experiment.h"

namespace palimpsest {

/// Throws Error(Input) if initial_session.prompts is likely misspelt: neither a kind of adaptation nor a path of
/// prompts.
void checkAdaptationKind(const std::string& prompts);

/// The experiment with the kind of adaptation that PromptAdapter uses: FAM if the prompts are "none" or a file.
Experiment withAdaptationKind(Experiment experiment);

}  // namespace palimpsest
