// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

namespace palimpsest {

/// Takes the lock of an open file without waiting, until the file is closed; false where another program holds it. NFS
/// locks only what is open for writing, and keeps the locks of folders to one machine. File systems without locks admit
/// every program. `shared`: beside others that share it.
bool tryLock(int file, bool shared = false);

/// Opens the file whose lock stands for something else, in a folder that may be a stranger's; makes it where it is
/// missing. Throws Error(Input) as openRegularFile() does.
int openLockFile(const std::filesystem::path& file);

/// The lock of an open file, which it closes in the end.
class FileLock {
public:
    /// Absent where another program holds it; see tryLock().
    static std::optional<FileLock> take(int file, bool shared = false);
    /// Waits for others, and asks again after each pause. Throws GivenUp where a StopScope wants no waiting.
    static FileLock wait(int file, std::chrono::milliseconds pause);
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

private:
    explicit FileLock(int file) : file_(file) {}

    int file_;
};

}  // namespace palimpsest
