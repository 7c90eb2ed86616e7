// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_trash.h"

#include <algorithm>

#include "engine/library/run_row.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

fs::path freeTrashName(const fs::path& folder, const std::string& name) {
    std::error_code error;
    for (int i = 1;; ++i) {
        const fs::path place = folder / (i == 1 ? name : name + "-" + std::to_string(i));
        if (!fs::exists(fs::symlink_status(place, error))) return place;
    }
}

fs::path moveInto(const fs::path& folder, const fs::path& run, const std::string& action) {
    const fs::path place = freeTrashName(folder, run.filename().string());
    std::error_code error;
    fs::rename(run, place, error);
    if (error)
        throw inputError("The run " + run.string() + " cannot be " + action + ": " + error.message() + ".",
                         "Check that its folder is still there and that you may write to the folder of runs.");
    return place;
}

}  // namespace

fs::path trashOf(const fs::path& runs) {
    return wholePath(runs) / kTrashFolder;
}

fs::path moveToTrash(const fs::path& runs, const fs::path& named) {
    const fs::path run = wholePath(named);
    if (run.parent_path() != wholePath(runs))
        throw inputError(
            "The run " + run.string() + " does not lie in " + wholePath(runs).string() + ", so it is not deleted here.",
            "Delete its folder by hand.");
    if (readRunState(run) == RecordedState::Running)
        throw inputError("The run " + run.filename().string() + " is going on, so it is not deleted.",
                         "Stop it first.");
    requirePlainFolder(trashOf(runs));
    std::error_code error;
    fs::create_directories(trashOf(runs), error);
    if (error)
        throw inputError("The folder " + trashOf(runs).string() + " cannot be made: " + error.message() + ".",
                         "Make the folder of runs writable.");
    return moveInto(trashOf(runs), run, "deleted");
}

fs::path restoreFromTrash(const fs::path& runs, const fs::path& trashed) {
    const fs::path run = wholePath(trashed);
    if (run.parent_path() != trashOf(runs))
        throw inputError(run.string() + " is not in the trash.", "Only deleted runs can be brought back.");
    return moveInto(wholePath(runs), run, "brought back");
}

std::vector<fs::path> trashedRuns(const fs::path& runs) {
    std::vector<fs::path> found;
    std::error_code ignored;
    // A link in place of the trash leads to runs that were not deleted here, and must not be emptied.
    if (fs::is_symlink(trashOf(runs), ignored)) return found;
    found = folderEntries(trashOf(runs));
    std::sort(found.begin(), found.end());
    return found;
}

std::size_t emptyTrash(const fs::path& runs) {
    std::size_t deleted = 0;
    for (const fs::path& run : trashedRuns(runs)) {
        std::error_code error;
        fs::remove_all(run, error);
        if (error)
            throw inputError("The run " + run.string() + " cannot be deleted: " + error.message() + ".",
                             "Check that you may write to it.");
        ++deleted;
    }
    return deleted;
}

}  // namespace palimpsest
