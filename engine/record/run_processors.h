// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/support/json.h"

namespace palimpsest {

/// Models of the processors that computed a run, from its run.json: in order, each once; empty when not recorded.
std::vector<std::string> processorsIn(const Json& run);

/// True for a run whose numbers need not be those of one machine bit for bit: it went on on another processor. What a
/// GPU computes does not depend on the processor beside it.
bool continuedElsewhere(const std::vector<std::string>& processors, const std::string& device);

}  // namespace palimpsest
