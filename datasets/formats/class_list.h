// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"

#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// The class folders of a distribution, sorted by name. Where their number is not the data set's own, ranks would be
/// wrong labels: Error(Input) with the number expected and the number found.
std::vector<std::string> completeClassFolders(const std::filesystem::path& root, const DatasetInfo& info);

}  // namespace palimpsest
