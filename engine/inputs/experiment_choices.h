// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/config/option_table.h"
#include "engine/run/laboratory.h"

// The choices of an experiment, and the labels of its data set.

namespace palimpsest {

/// Methods, masks, data sets and backbones that an experiment can name.
Catalogue engineCatalogue();

/// Labels of the experiment's data set; no image is read. Throws Error(Input) when it is not installed.
std::shared_ptr<const DatasetLabels> experimentLabels(const Experiment& experiment);

/// Throws Error(Input) with all problems of the options, and `hint`.
void requireNoProblems(const OptionTable& table, const Experiment& experiment, const std::string& hint = {});

}  // namespace palimpsest
