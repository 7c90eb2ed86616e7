// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"

#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// Class folders of a distribution, sorted by name. With another number of folders than the data set's classes their
/// ranks would be wrong labels: Error(Input) with the numbers expected and found.
std::vector<std::string> completeClassFolders(const std::filesystem::path& root, const DatasetInfo& info);

}  // namespace palimpsest
