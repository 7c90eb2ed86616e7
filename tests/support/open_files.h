// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fcntl.h>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace palimpsest::testing {

/// Whether this process has the file open for reading and writing.
inline bool openForWriting(const std::filesystem::path& file) {
    std::error_code error;
    for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
        const int number = std::atoi(entry.path().filename().c_str());
        if (std::filesystem::read_symlink(entry.path(), error) == std::filesystem::weakly_canonical(file, error) &&
            (fcntl(number, F_GETFL) & O_ACCMODE) == O_RDWR)
            return true;
    }
    return false;
}

}  // namespace palimpsest::testing
