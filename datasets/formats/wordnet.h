// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
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

/// Ranks (0..999, by WordNet number) of the 611 classes of ImageNet-1k that have nothing in common with the data sets
/// streamed afterwards. Source: MISA's experiment without overlap, after Kim et al., 2022.
std::vector<std::size_t> imagenet611Ranks();

}  // namespace palimpsest
