// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/config/option_table.h"
#include "engine/run/laboratory.h"

namespace palimpsest {

std::shared_ptr<const DatasetLabels> experimentLabels(const Experiment& experiment);
/// Throws Error(Input) when weights, prompts or a covariance that the experiment names, and that its method reads, are
/// not there. Opens no file.
void requireNamedFiles(const OptionTable& table, const Experiment& experiment);

}  // namespace palimpsest
