// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "datasets/formats/picture_files.h"

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

/// Pictures in one folder, with a list of their classes.
struct Annotations {
    std::filesystem::path file;                  ///< the list, for errors
    std::map<std::string, std::string> classes;  ///< class of each picture
};

/// Pictures of `root`/`folder` sorted by name, labelled by the index of their class in `classes`; those of other
/// classes are left out. Error(Input) for a picture that is not in the list, and for the opposite.
LabelledFiles listAnnotated(const std::filesystem::path& root, const std::string& folder,
                            const Annotations& annotations, const std::vector<std::string>& classes);

}  // namespace palimpsest
