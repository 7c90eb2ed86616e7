// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/config/experiment.h"

namespace palimpsest {

/// The meaning of initial_session.prompts: "none", or the file or folder to load. "naive", "sam" and "fam" are the
/// prompts that come with the program for its embedded backbone. Throws Error(Input) when these do not belong to the
/// chosen backbone, and when there is nothing at the place.
std::string initialPrompts(const InitialSessionOptions& options, const BackboneOptions& backbone);

/// The note for the user when the file `prompts`, or "none", says that its prompts were made for other weights than
/// those that `backbone` names; empty: it does not. Throws Error(Input) when a file cannot be read, and GivenUp when
/// the thread's StopScope asks for it.
std::string otherBackboneNote(const std::string& prompts, const BackboneOptions& backbone, std::uint64_t seed);

}  // namespace palimpsest
