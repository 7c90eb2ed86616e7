// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/network/tensor.h"
#include "engine/support/error.h"

namespace palimpsest {

/// True for LibTorch's error where a device, or the machine, has no memory left.
bool isOutOfMemory(const c10::Error& error);

/// The exception that is being handled, explained for the user. `attached`: the thing to send with a report of an
/// unexpected error, such as "the run folder"; `onCpu`: the work was done on the processor. Must be called in a catch
/// block.
Error explainedError(const std::string& attached, bool onCpu);

}  // namespace palimpsest
