// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/option_table.h"

namespace palimpsest {

/// The experiment with its replay batch spelled out as resolvedMemory() says, and 0 where nothing is kept: however a
/// file says it, the same run has the same settings.
Experiment spelledOut(Experiment experiment);
/// The same text for experiments that are the same run: formatExperiment() of spelledOut().
std::string experimentIdentity(const OptionTable& table, const Experiment& experiment);
/// Likewise for runs of one experiment with several seeds.
std::string identityApartFromSeed(const OptionTable& table, Experiment experiment);

}  // namespace palimpsest
