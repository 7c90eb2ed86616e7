// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cache_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "engine/support/stop_scope.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// A file of the folder; `unused` holds its lock if no other process does.
struct CacheFile {
    fs::path path;
    std::int64_t bytes = 0;  // when full
    std::int64_t taken = 0;  // on the disk now
    timespec used{};
    OwnedDescriptor unused;
};

/// Polls for the lock up to `patience`. Others hold it only briefly, unless they were stopped meanwhile or a network
/// disk hangs.
bool lockedInTime(int descriptor, std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds kPause{10};
    for (const auto end = std::chrono::steady_clock::now() + patience;;) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        if (std::chrono::steady_clock::now() >= end) return false;
        StopScope::check();
        std::this_thread::sleep_for(kPause);
    }
}

std::vector<CacheFile> filesIn(const fs::path& folder) {
    std::vector<CacheFile> files;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
        if (entry->path().extension() != CacheFolder::kEnding) continue;
        // For writing, as NFS locks nothing else exclusively.
        OwnedDescriptor file(open(entry->path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        struct stat status {};
        if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
        const bool unused = flock(file.get(), LOCK_EX | LOCK_NB) == 0;
        files.push_back({entry->path(), status.st_size, std::int64_t{status.st_blocks} * 512, status.st_mtim,
                         unused ? std::move(file) : OwnedDescriptor()});
    }
    std::sort(files.begin(), files.end(), [](const CacheFile& a, const CacheFile& b) {
        return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
    });
    return files;
}

}  // namespace

OwnedDescriptor::~OwnedDescriptor() {
    if (descriptor_ >= 0) close(descriptor_);
}

int OwnedDescriptor::release() {
    return std::exchange(descriptor_, -1);
}

std::int64_t freeBytes(const fs::path& place) {
    struct statvfs disk {};
    if (statvfs(place.c_str(), &disk) != 0) return 0;
    const std::uint64_t most = std::numeric_limits<std::int64_t>::max() / std::max<std::uint64_t>(disk.f_frsize, 1);
    return static_cast<std::int64_t>(std::min<std::uint64_t>(disk.f_bavail, most) * disk.f_frsize);
}

CacheFolder::CacheFolder(const fs::path& folder, std::chrono::milliseconds patience) : folder_(folder) {
    std::error_code ignored;
    fs::create_directories(folder.parent_path(), ignored);
    mkdir(folder.c_str(), 0700);
    OwnedDescriptor lock(::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (lock && lockedInTime(lock.get(), patience)) lock_ = std::move(lock);
}

bool CacheFolder::makeRoom(std::int64_t bytes, std::int64_t budget) const {
    if (bytes > budget) return false;
    const std::vector<CacheFile> files = filesIn(folder_);
    std::int64_t total = bytes, room = freeBytes(folder_) - kSpare, bound = bytes, gain = 0;
    for (const CacheFile& file : files) {
        total += file.bytes;
        if (file.unused)
            gain += file.taken;
        else
            bound += file.bytes;
    }
    // No file is removed when removing all unused ones would not help.
    if (bound > budget || room + gain < bytes) return false;
    for (const CacheFile& file : files) {
        if (total <= budget && room >= bytes) break;
        if (!file.unused || unlink(file.path.c_str()) != 0) continue;
        total -= file.bytes;
        room += file.taken;
    }
    return total <= budget && room >= bytes;
}

}  // namespace palimpsest
