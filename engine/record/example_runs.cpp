// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/example_runs.h"

#include <random>
#include <string>
#include <system_error>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/resource_folder.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void cannotBring(const fs::path& from, const fs::path& to, const std::error_code& reason) {
    throw inputError(
        "The recorded run " + from.string() + " cannot be copied to " + to.string() + ": " + reason.message() + ".",
        "Install the program again if it is missing, or make room there.");
}

void copyFolder(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::create_directories(to, error);
    if (error) cannotBring(from, to, error);
    fs::directory_iterator entry(from, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const fs::path target = to / entry->path().filename();
        if (entry->is_directory(error))
            copyFolder(entry->path(), target);
        else
            copyPlainFile(entry->path(), target, FilePlace::Named);
    }
    if (error) cannotBring(from, to, error);
}

/// The copy is made beside its place, under a name that no other program has, so that a run is there whole or not at
/// all.
void bring(const fs::path& from, const fs::path& to) {
    std::random_device random;
    const fs::path aside = to.parent_path() / ("." + to.filename().string() + "-" + std::to_string(random()));
    std::error_code error;
    try {
        copyFolder(from, aside);
    } catch (...) {
        fs::remove_all(aside, error);
        throw;
    }
    fs::rename(aside, to, error);
    if (!error) return;
    const std::error_code reason = error;
    fs::remove_all(aside, error);
    // Another window has brought it meanwhile.
    if (!fs::is_directory(to, error)) cannotBring(from, to, reason);
}

}  // namespace

fs::path recordedRunsFolder() {
    return resourceFolder() / "recorded";
}

std::vector<fs::path> bringDemoRuns(const fs::path& runs) {
    std::vector<fs::path> folders;
    for (const char* name : kDemoRuns) {
        const fs::path place = runs / name;
        std::error_code ignored;
        if (!fs::exists(fs::symlink_status(place, ignored))) bring(recordedRunsFolder() / name, place);
        folders.push_back(place);
    }
    return folders;
}

}  // namespace palimpsest
