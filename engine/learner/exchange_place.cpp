// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learner/exchange_place.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "engine/learner/learner_messages.h"
#include "engine/support/error.h"
#include "engine/support/process.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// For batches and logits of images of 224 by 224 pixels.
constexpr std::uint64_t kBatches = std::uint64_t{64} << 20U;

constexpr const char* kPurpose = "learner";
/// The file whose lock says that its folder is in use, and its name until it has one.
constexpr const char *kLock = ".owner", *kUnlocked = ".owner-new";

/// Unlike tryLock(), false also where the file system has no locks: there nothing tells whether a folder is in use.
bool locks(int file) {
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

/// The lock is taken before the file has its name, so that nobody finds it free in a folder that is in use.
std::optional<FileLock> lockedFolder(const fs::path& folder) {
    try {
        const int file = openLockFile(folder / kUnlocked);
        std::optional<FileLock> lock = FileLock::take(file);
        std::error_code failed;
        if (locks(file)) fs::rename(folder / kUnlocked, folder / kLock, failed);
        return lock;
    } catch (const Error&) {
        return std::nullopt;  // then it is never taken for one that was left
    }
}

/// Removes the folder where it was left; in a folder for temporary files anybody may have made it.
void removeIfLeft(const fs::path& folder) {
    struct stat found {};
    if (lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != geteuid()) return;
    const int file = open((folder / kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return;
    std::error_code ignored;
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) && locks(file)) fs::remove_all(folder, ignored);
    close(file);
}

}  // namespace

std::vector<ExchangePlace> exchangePlaces() {
    std::vector<fs::path> folders;
    if (const char* const runtime = std::getenv("XDG_RUNTIME_DIR")) folders.emplace_back(runtime);
    std::error_code unknown;
    if (const fs::path temporary = fs::temp_directory_path(unknown); !unknown) folders.push_back(temporary);
    try {
        folders.push_back(userFolder("PALIMPSEST_CACHE", "XDG_CACHE_HOME", ".cache", "learners"));
        fs::create_directories(folders.back(), unknown);
    } catch (const Error&) {
        // No home, no cache.
    }
    std::vector<ExchangePlace> places;
    for (const fs::path& folder : folders) {
        if (!folder.is_absolute() || !fs::is_directory(folder, unknown) || access(folder.c_str(), W_OK) != 0) continue;
        const fs::space_info space = fs::space(folder, unknown);
        places.push_back({folder, unknown ? 0 : static_cast<std::uint64_t>(space.available)});
    }
    return places;
}

fs::path exchangePlace(const std::vector<ExchangePlace>& places) {
    const ExchangePlace* best = nullptr;
    std::string tried;
    for (const ExchangePlace& place : places) {
        if (place.room >= learner_limit::kState + kBatches) return place.folder;
        // Rooms of one disk, asked for one after the other, may differ a little.
        if (best == nullptr || place.room / kBatches > best->room / kBatches) best = &place;
        tried += (tried.empty() ? "" : ", ") + place.folder.string();
    }
    if (best != nullptr && best->room >= kBatches) return best->folder;
    throw runError(tried.empty()
                       ? "There is no folder in which files for a learner can be made."
                       : "There is no room for the files of a learner, which take 64 MB and more, in " + tried + ".",
                   "Make room there, or name another folder in TMPDIR.");
}

void removeLeftExchangeFolders(const std::vector<ExchangePlace>& places) {
    const std::string begin = ScratchFolder::nameFor(kPurpose);
    for (const ExchangePlace& place : places) {
        std::error_code failed;
        std::vector<fs::path> found;
        for (fs::directory_iterator each(place.folder, failed), end; !failed && each != end; each.increment(failed))
            if (each->path().filename().string().starts_with(begin)) found.push_back(each->path());
        for (const fs::path& folder : found) removeIfLeft(folder);
    }
}

ExchangeFolder::ExchangeFolder() : ExchangeFolder(exchangePlaces()) {}

ExchangeFolder::ExchangeFolder(const std::vector<ExchangePlace>& places)
    : folder_(kPurpose,
              [&] {
                  // It may take the room that the new one needs.
                  removeLeftExchangeFolders(places);
                  return exchangePlace(exchangePlaces());
              }()),
      lock_(lockedFolder(folder_.path())) {}

}  // namespace palimpsest
