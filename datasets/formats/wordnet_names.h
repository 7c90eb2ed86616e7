// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// Names of classes that are WordNet numbers ("n01443537"), from the first of `files` that exists: lines of number,
/// space or tab, and names separated by commas, of which the first is used (ImageNet's LOC_synset_mapping.txt,
/// Tiny-ImageNet's words.txt). A name shared by two classes is followed by its number; a class without a name keeps its
/// number.
std::vector<std::string> wordnetNames(const std::vector<std::string>& classes,
                                      const std::vector<std::filesystem::path>& files);

/// True for "n" and eight digits.
bool isWordnetNumber(const std::string& text);

}  // namespace palimpsest
