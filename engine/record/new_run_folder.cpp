// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/new_run_folder.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <vector>

#include "engine/support/clock.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestName = 40;

Error notEmpty(const fs::path& folder) {
    return inputError("The folder " + folder.string() + " is not empty, and a run is never overwritten.",
                      "Name a new folder.");
}

}  // namespace

fs::path makeRunFolder(const fs::path& parent, const std::string& name, std::int64_t seed,
                       const std::string& nameless) {
    std::error_code error;
    fs::create_directories(parent, error);
    if (error) throw cannotMakeRunFolder(parent, error);
    const std::string text = slug(name, kLongestName);
    const std::string base = (text.empty() ? nameless : text) + "-" + std::to_string(seed) + "-" + utcStamp();
    for (int attempt = 1;; ++attempt) {
        const fs::path folder = parent / (attempt == 1 ? base : base + "-" + std::to_string(attempt));
        if (fs::create_directory(folder, error)) return folder;
        if (error) throw cannotMakeRunFolder(folder, error);
    }
}

Error cannotMakeRunFolder(const fs::path& folder, const std::error_code& error) {
    return inputError("Cannot make the run folder " + folder.string() + ": " + error.message() + ".",
                      "Choose a folder you may write to.");
}

void claimRunFolder(const fs::path& folder, bool made) {
    const int file = open((folder / "run.json").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
        close(file);
        return;
    }
    const std::error_code error(errno, std::generic_category());
    std::error_code notEmptied;
    if (made) fs::remove(folder, notEmptied);
    throw error == std::errc::file_exists ? notEmpty(folder) : cannotMakeRunFolder(folder, error);
}

bool madeOrEmpty(const fs::path& folder) {
    std::error_code error;
    const bool made = fs::create_directories(folder, error);
    if (error) throw cannotMakeRunFolder(folder, error);
    const bool empty = made || fs::is_empty(folder, error);
    if (error) throw cannotMakeRunFolder(folder, error);
    if (!empty) throw notEmpty(folder);
    return made;
}

void takeRunAway(const fs::path& folder, bool withFolder) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error)) {
        entries.push_back(entry->path());
    }
    for (const fs::path& entry : entries) fs::remove_all(entry, error);
    if (withFolder) fs::remove(folder, error);
}

}  // namespace palimpsest
