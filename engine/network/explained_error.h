// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/support/error.h"

namespace palimpsest {

/// The exception that is being handled, in words for a person. `attached`: what to send along with a report of
/// something unexpected, "the run folder"; `onCpu`: the work was done on the processor. To be called in a catch block.
Error explainedError(const std::string& attached, bool onCpu);

}  // namespace palimpsest
