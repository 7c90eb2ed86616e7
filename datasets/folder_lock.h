// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>

namespace palimpsest {

/// One at a time may change a folder, among all programs of this machine. The lock goes with its holder, also when that
/// is killed. A file system that knows no locks is no reason to refuse.
class FolderLock {
public:
    /// Waits until the folder is free, after one call of `onWait` where it is not. Look at held() afterwards.
    FolderLock(const std::filesystem::path& folder, const std::function<void()>& onWait, std::stop_token stop);
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
    bool held_ = false;
};

}  // namespace palimpsest
