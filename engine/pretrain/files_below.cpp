// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pretrain/files_below.h"

#include <algorithm>

#include "engine/support/error.h"

namespace palimpsest {

std::vector<std::filesystem::path> filesBelow(const std::filesystem::path& folder,
                                              const std::vector<std::string>& endings) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
        throw inputError("There is no folder " + folder.string() + ".",
                         "Make one with resources/scripts/pretraining-pictures, or leave the option out.");
    std::vector<std::filesystem::path> files;
    try {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.is_regular_file() &&
                std::ranges::find(endings, entry.path().extension().string()) != endings.end())
                files.push_back(entry.path());
    } catch (const std::filesystem::filesystem_error& failure) {
        throw inputError("The folder " + folder.string() + " cannot be read: " + failure.code().message() + ".",
                         "Correct its permissions.");
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace palimpsest
