// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/run/backbone_service.h"

// Backbones in wide use and where their files belong, without LibTorch.

namespace palimpsest {

/// All cards, the embedded weights' first, whose size and checksum are those of the file that is there.
std::vector<BackboneCard> backboneCards();

/// `name`: one of kEmbeddedBackbones.
std::filesystem::path embeddedBackboneFile(std::string_view name = kEmbeddedBackbones[0]);
/// Folder of well-known weights: `backbones` in the data folder.
std::filesystem::path knownBackbonesFolder();
/// Checksum of the file of that name that was fetched first; empty: none was. Throws Error(Input) for a damaged record.
std::string rememberedChecksum(const std::filesystem::path& folder, const std::string& name);
/// The file that remembers it.
std::filesystem::path firstFetchedRecord(const std::filesystem::path& folder, const std::string& name);
/// The card of well-known weights. Throws Error(Input) for any other name, with the nearest one.
const BackboneCard& knownBackbone(const std::string& name);
/// Place in the data folder where the file of well-known weights belongs: DATA/backbones/NAME/FILE. Empty for a name
/// that none of the listed ones has, and for those that come with the program.
std::filesystem::path knownBackboneFile(const std::string& name);
/// How an experiment names weights that come with the program, in a sentence. `name`: one of kEmbeddedBackbones.
std::string embeddedBackboneRemedy(std::string_view name);
/// How to get that file, in a sentence. The name must be known.
std::string knownBackboneRemedy(const std::string& name);

}  // namespace palimpsest
