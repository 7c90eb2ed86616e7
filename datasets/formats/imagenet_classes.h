// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace palimpsest {

/// Ranks (0..999, by WordNet number) of the 611 classes of ImageNet-1k that have nothing in common with the data sets
/// streamed afterwards. Source: MISA's experiment without overlap, after Kim et al., 2022.
std::vector<std::size_t> imagenet611Ranks();

}  // namespace palimpsest
