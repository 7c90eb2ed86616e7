// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/experiment.h"

namespace palimpsest {

/// For a linear head with replay: without a memory it is a linear probe, `with` what makes it another one.
void addNothingReplayedNote(const Experiment& experiment, std::vector<std::string>& notes, const char* with = "");
/// For a method whose published code means three updates for each image of a batch by its --online_iter 3.
void addPublishedUpdatesNote(const Experiment& experiment, std::vector<std::string>& notes);

}  // namespace palimpsest
