// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// Names of backbones or weights that were most likely meant, best first, three at most; empty where none is near.
/// Apart from misspelt ones these are names as others write them, "vit_base_patch16_224" or "ViT-B/16", and those that
/// a shorter one begins: "vit-b16" of "vit-b16-in21k".
std::vector<std::string> nearestBackbones(std::string_view word, std::span<const std::string> known);
/// "Did you mean A, B or C?", or `otherwise` where none is near.
std::string backboneMeant(std::string_view word, std::span<const std::string> known, const std::string& otherwise);

}  // namespace palimpsest
