// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "engine/support/error.h"

namespace palimpsest {

/// A temporary folder, removed by the destructor.
class ScratchFolder {
public:
    /// Makes palimpsest-PURPOSE-... below `parent`, or where temporary files belong. Throws Error(Run) where it cannot.
    explicit ScratchFolder(const std::string& purpose, std::filesystem::path parent = {}) {
        std::error_code missing;
        if (parent.empty()) parent = std::filesystem::temp_directory_path(missing);
        std::string name = (parent / (nameFor(purpose) + "XXXXXX")).string();
        if (missing || mkdtemp(name.data()) == nullptr) {
            throw runError(missing ? "The folder for temporary files does not exist."
                                   : "No folder can be made below " + parent.string() + ".",
                           "Set TMPDIR to a folder you may write to.");
        }
        path_ = name;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    /// With what the names of such folders begin.
    static std::string nameFor(const std::string& purpose) { return "palimpsest-" + purpose + "-"; }

private:
    std::filesystem::path path_;
};

}  // namespace palimpsest
