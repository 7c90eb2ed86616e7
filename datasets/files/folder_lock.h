// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace palimpsest {

/// Exclusive lock on changing a folder, among all programs of this machine. It is released with its holder, also when
/// that is killed. A file system without locks counts as unlocked.
class FolderLock {
public:
    /// Waits until the folder is free; if it is not, calls `onWait` once. Check held() afterwards. `name`: of the lock
    /// file, which exists while the lock is held. Throws Error(Run) if it cannot be created.
    FolderLock(const std::filesystem::path& folder, const std::function<void()>& onWait, std::stop_token stop,
               const std::string& name = ".fetching");
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    bool held() const { return held_; }  ///< false: asked to stop before the folder was free

private:
    enum class Attempt { Held, Busy, Replaced };
    Attempt tryLock();
    void release();

    std::filesystem::path path_;
    int file_ = -1;
    int missing_ = 0;  // consecutive attempts without a folder for the file
    bool held_ = false;
};

}  // namespace palimpsest
