// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/formats/file_table.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace palimpsest {

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
