// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/formats/file_table.h"

#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

// Folders of pictures in the order of torchvision's ImageFolder: classes sorted by folder name, in a class all folders
// below it sorted by path, in each the pictures sorted by name, all bytewise. Names that start with a dot and __MACOSX,
// which some archives contain, are skipped. Nothing is decoded. Errors are Error(Input).

/// Names of the folders directly below `root`.
std::vector<std::string> classFolders(const std::filesystem::path& root);

/// Names of the pictures directly in `folder`.
std::vector<std::string> pictureNames(const std::filesystem::path& folder);

/// Appends the pictures below `folder` (relative to `files.root`). Returns their number.
std::int64_t addPictures(LabelledFiles& files, const std::string& folder, std::int32_t label);

/// The pictures of all `classes` below `root`, labelled by index; a class without pictures is an error that names it.
LabelledFiles listClasses(const std::filesystem::path& root, const std::vector<std::string>& classes);

/// Class folders of a distribution, sorted by name. With another number of folders than the data set's classes their
/// ranks would be wrong labels: Error(Input) with the numbers expected and found.
std::vector<std::string> completeClassFolders(const std::filesystem::path& root, const DatasetInfo& info);

}  // namespace palimpsest
