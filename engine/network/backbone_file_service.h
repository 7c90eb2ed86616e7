// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/run/backbone_service.h"

namespace palimpsest {

/// Lists well-known backbones and inspects files of weights.
std::unique_ptr<BackboneService> makeBackboneService();

/// The card of well-known weights. Throws Error(Input) for any other name, with the nearest one.
const BackboneCard& knownBackbone(const std::string& name);
/// Place in the data folder where the file of well-known weights belongs: DATA/backbones/NAME/FILE. Empty for a name
/// that none of the listed ones has, and for those that come with the program.
std::filesystem::path knownBackboneFile(const std::string& name);
/// How to get that file, in a sentence. The name must be known.
std::string knownBackboneRemedy(const std::string& name);

}  // namespace palimpsest
