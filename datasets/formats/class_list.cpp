// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/class_list.h"

#include "datasets/formats/image_folder.h"
#include "engine/support/error.h"
#include "engine/support/utf8.h"

namespace palimpsest {

std::vector<std::string> completeClassFolders(const std::filesystem::path& root, const DatasetInfo& info) {
    std::vector<std::string> folders = classFolders(root);
    if (static_cast<std::int64_t>(folders.size()) != info.classes)
        throw inputError(info.title + " in " + plainLine(root.string()) +
                             " is incomplete or not alone there: " + std::to_string(info.classes) +
                             " class folders are expected, but it has " + std::to_string(folders.size()) + ".",
                         "Unpack it again, or stream the folder as it is with the data set \"folder\".");
    return folders;
}

}  // namespace palimpsest
