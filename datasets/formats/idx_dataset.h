// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/source.h"

#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// A data set of MNIST's kind: four IDX files of grey pictures, gzipped or not.
struct IdxDataset {
    DatasetInfo info;  ///< with the names of all classes
    float mean = 0;    ///< of all training pixels, in 0..1
    float deviation = 1;
    std::vector<std::string> folders;       ///< below the data folder, as common tools name them
    std::filesystem::path system_folder{};  ///< folder of a system package; empty: there is none
    std::string package{};                  ///< that package
};

DatasetSource idxSource(const IdxDataset& dataset);

/// The four files at one address or more; sizes and SHA-256 in the order of training images and labels, test images and
/// labels.
struct IdxFile {
    std::int64_t size;
    const char* sha256;
};
std::vector<DatasetFile> idxFiles(const std::vector<std::string>& addresses, const std::vector<IdxFile>& files);

}  // namespace palimpsest
