// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace palimpsest {

// The IDX format of MNIST and related sets (LeCun, Cortes and Burges, "The MNIST database": file formats): a magic
// number and the dimensions as 32-bit big-endian numbers, then bytes. Files may be gzipped; their content decides, not
// their name. Both readers check the whole file, including the parts that they do not keep, and throw Error(Input)
// naming the file, what was expected and what was found.

struct IdxImages {
    std::int64_t count = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<std::uint8_t> pixels;  ///< [count, rows, columns]
    std::int64_t in_file = 0;          ///< images in the file, of which the first `count` were kept
};

/// `keep`: number of images to keep, from the first; 0: all.
IdxImages readIdxImages(const std::filesystem::path& path, std::int64_t keep = 0);

/// Reads all labels.
std::vector<std::uint8_t> readIdxLabels(const std::filesystem::path& path);

}  // namespace palimpsest
