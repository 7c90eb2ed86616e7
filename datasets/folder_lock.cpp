// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "datasets/output_file.h"

namespace palimpsest {

FolderLock::FolderLock(const std::filesystem::path& folder, const std::function<void()>& onWait, std::stop_token stop)
    : path_(folder / ".fetching") {
    std::mutex mutex;
    std::condition_variable_any nobody;
    std::unique_lock lock(mutex);
    bool told = false;
    while (!stop.stop_requested()) {
        const Grip now = grip();
        held_ = now == Grip::Held;
        if (held_) return;
        if (now == Grip::Replaced) continue;
        if (!told && onWait) onWait();
        told = true;
        nobody.wait_for(lock, stop, std::chrono::milliseconds(50), [] { return false; });
    }
}

FolderLock::~FolderLock() {
    // Before the lock goes: whoever waits for this file sees that its name is gone and makes a new one.
    if (held_) unlink(path_.c_str());
    letGo();
}

FolderLock::Grip FolderLock::grip() {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0 && errno == ENOENT) {
        // The fetch that was waited for took its empty folder away.
        makeFolder(path_.parent_path());
        return Grip::Replaced;
    }
    if (file_ < 0) throw diskError(path_, errno);
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) return Grip::Held;
        letGo();
        return Grip::Busy;
    }
    struct stat mine {};
    struct stat named {};
    if (fstat(file_, &mine) == 0 && stat(path_.c_str(), &named) == 0 && mine.st_ino == named.st_ino) return Grip::Held;
    letGo();
    return Grip::Replaced;
}

void FolderLock::letGo() {
    if (file_ >= 0) close(file_);
    file_ = -1;
}

}  // namespace palimpsest
