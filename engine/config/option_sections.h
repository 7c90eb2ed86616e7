// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/method_declaration.h"

namespace palimpsest::option_sections {

// Rows of the table by what they belong to, in the order in which a form shows them.

std::vector<Option> general();
std::vector<Option> stream(const Catalogue& catalogue);
std::vector<Option> backbone(const Catalogue& catalogue);
/// The choice of a method, and the options of each.
std::vector<Option> method(const Catalogue& catalogue, const std::vector<MethodDeclaration>& methods);
std::vector<Option> mask(const Catalogue& catalogue);
std::vector<Option> initialSession(const std::vector<MethodDeclaration>& methods);
std::vector<Option> memory();
std::vector<Option> training(const std::vector<MethodDeclaration>& methods);
std::vector<Option> evaluation();
std::vector<Option> gpu();

/// Ways to vary images, for the stream and for initial sessions.
std::vector<Choice> augmentations();

}  // namespace palimpsest::option_sections
