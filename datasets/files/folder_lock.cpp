// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "datasets/files/output_file.h"

namespace palimpsest {
namespace {

/// Attempts to open the lock file. Its folder may be removed between its creation and its use, but hardly this often in
/// a row.
constexpr int kTries = 3;

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, const std::function<void()>& onWait, std::stop_token stop,
                       const std::string& name)
    : path_(folder / name) {
    std::mutex mutex;
    std::condition_variable_any nobody;
    std::unique_lock lock(mutex);
    bool notified = false;
    while (!stop.stop_requested()) {
        const Attempt now = tryLock();
        held_ = now == Attempt::Held;
        if (held_) return;
        if (now == Attempt::Replaced) continue;
        if (!notified && onWait) onWait();
        notified = true;
        nobody.wait_for(lock, stop, std::chrono::milliseconds(50), [] { return false; });
    }
}

FolderLock::~FolderLock() {
    // The file is removed before the lock is released: those waiting for it see that its name is gone and make a new
    // one.
    if (held_) unlink(path_.c_str());
    release();
}

FolderLock::Attempt FolderLock::tryLock() {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    // Making the folder only helps if it is missing; not in /proc, nor if the name is a dangling link.
    if (file_ < 0 && errno == ENOENT && ++missing_ < kTries) {
        // The fetch that was waited for removed its empty folder.
        makeFolder(path_.parent_path());
        return Attempt::Replaced;
    }
    if (file_ < 0) throw diskError(path_, errno);
    missing_ = 0;
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) return Attempt::Held;
        release();
        return Attempt::Busy;
    }
    struct stat mine {};
    struct stat named {};
    if (fstat(file_, &mine) == 0 && stat(path_.c_str(), &named) == 0 && mine.st_ino == named.st_ino)
        return Attempt::Held;
    release();
    return Attempt::Replaced;
}

void FolderLock::release() {
    if (file_ >= 0) close(file_);
    file_ = -1;
}

}  // namespace palimpsest
