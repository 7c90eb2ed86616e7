// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// The rows of the table by what they belong to; each adds its own behind those that are there. A form shows them in
/// the order in which they are added.
namespace option_sections {
void addGeneral(std::vector<Option>& rows);
void addStream(std::vector<Option>& rows, const Catalogue& catalogue);
void addBackbone(std::vector<Option>& rows, const Catalogue& catalogue);
/// The method itself, and the prompts of DualPrompt, L2P and MVP.
void addMethodAndPrompts(std::vector<Option>& rows, const Catalogue& catalogue);
/// Methods that prompt the first blocks or leave the network as it is, and the calibration of features.
void addFeatureMethods(std::vector<Option>& rows);
/// Methods that hold back what the network learns, or replay.
void addTunedMethods(std::vector<Option>& rows);
void addMask(std::vector<Option>& rows, const Catalogue& catalogue);
void addInitialSession(std::vector<Option>& rows);
void addMemory(std::vector<Option>& rows);
void addTraining(std::vector<Option>& rows);
void addEvaluation(std::vector<Option>& rows);

/// Methods that can begin with prompts that were learned before.
std::vector<std::string> initialPromptMethods();
/// How images can be varied, for the stream and for initial sessions.
std::vector<Choice> augmentations();
}  // namespace option_sections

}  // namespace palimpsest
