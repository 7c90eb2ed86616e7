// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace palimpsest {

inline constexpr std::size_t kCifarSide = 32;
inline constexpr std::size_t kCifarPixels = kCifarSide * kCifarSide;
inline constexpr std::size_t kCifarImageBytes = 3 * kCifarPixels;

/// Differences between CIFAR-10 and CIFAR-100.
struct CifarLayout {
    std::int32_t classes = 10;
    std::size_t label_bytes = 1;       ///< in front of each picture of a binary file; the last is the label
    std::string label_key = "labels";  ///< of a python file
};

/// The pictures and labels of one file of the distribution.
struct CifarBatch {
    std::vector<std::uint8_t> bytes;  ///< holds every picture as [3, 32, 32], RGB
    std::size_t first = 0;            ///< offset of the first picture
    std::size_t stride = kCifarImageBytes;
    std::vector<std::int32_t> labels;

    const std::uint8_t* picture(std::size_t i) const { return bytes.data() + first + i * stride; }
};

// Both check every label and the exact size, and throw Error(Input) that names `origin`. Source: Krizhevsky, "The
// CIFAR-10 dataset" (https://www.cs.toronto.edu/~kriz/cifar.html), dataset layout.
CifarBatch readCifarBinary(std::vector<std::uint8_t> bytes, const CifarLayout& layout, const std::string& origin);
CifarBatch readCifarPickle(std::vector<std::uint8_t> bytes, const CifarLayout& layout, const std::string& origin);

}  // namespace palimpsest
