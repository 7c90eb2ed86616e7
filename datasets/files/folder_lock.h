// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace palimpsest {

/// One at a time may change a folder, among all programs of this machine. The lock goes with its holder, also when that
/// is killed. A file system that knows no locks is no reason to refuse.
class FolderLock {
public:
    /// Waits until the folder is free, after one call of `onWait` where it is not. Look at held() afterwards.
    /// `name`: of the file that stands for the lock while it is held. Throws Error(Run) where it cannot be made.
    FolderLock(const std::filesystem::path& folder, const std::function<void()>& onWait, std::stop_token stop,
               const std::string& name = ".fetching");
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    bool held() const { return held_; }  ///< false: asked to stop before the folder was free

private:
    enum class Grip { Held, Busy, Replaced };
    Grip grip();
    void letGo();

    std::filesystem::path path_;
    int file_ = -1;
    int missing_ = 0;  // times in a row that there was no folder to make the file in
    bool held_ = false;
};

}  // namespace palimpsest
