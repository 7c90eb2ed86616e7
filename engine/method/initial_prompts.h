// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/experiment.h"

namespace palimpsest {

/// What initial_session.prompts stands for: "none", or the file or folder to load. "naive", "sam" and "fam" are the
/// prompts that come with the program for its embedded backbone. Throws Error(Input) when these do not belong to the
/// chosen backbone, and when there is nothing at the place.
std::string initialPrompts(const InitialSessionOptions& options, const BackboneOptions& backbone);

}  // namespace palimpsest
