// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace palimpsest::test {

/// Content of a file; empty if it does not exist.
inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Content of every file below a folder, by its path.
inline std::map<std::string, std::string> contentsBelow(const std::filesystem::path& folder) {
    std::map<std::string, std::string> contents;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) contents[entry.path().string()] = contentOf(entry.path());
    return contents;
}

}  // namespace palimpsest::test
