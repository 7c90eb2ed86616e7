// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/method_declaration.h"

namespace palimpsest {

/// The rows of the table by what they belong to; each adds its own behind those that are there. A form shows them in
/// the order in which they are added.
namespace option_sections {
void addGeneral(std::vector<Option>& rows);
void addStream(std::vector<Option>& rows, const Catalogue& catalogue);
void addBackbone(std::vector<Option>& rows, const Catalogue& catalogue);
/// The choice of a method, and the options of each.
void addMethods(std::vector<Option>& rows, const Catalogue& catalogue, const std::vector<MethodDeclaration>& methods);
void addMask(std::vector<Option>& rows, const Catalogue& catalogue);
void addInitialSession(std::vector<Option>& rows, const std::vector<MethodDeclaration>& methods);
void addMemory(std::vector<Option>& rows);
void addTraining(std::vector<Option>& rows, const std::vector<MethodDeclaration>& methods);
void addEvaluation(std::vector<Option>& rows);

/// Ways to vary images, for the stream and for initial sessions.
std::vector<Choice> augmentations();
}  // namespace option_sections

}  // namespace palimpsest
