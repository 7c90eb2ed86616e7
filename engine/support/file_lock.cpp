// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <cerrno>
#include <utility>

#include "engine/support/file_io.h"
#include "engine/support/stop_scope.h"

namespace palimpsest {

bool tryLock(int file, bool shared) {
    return flock(file, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

int openLockFile(const std::filesystem::path& file) {
    return openRegularFile(file, FilePlace::InFolder, O_RDWR | O_CREAT);
}

std::optional<FileLock> FileLock::take(int file, bool shared) {
    FileLock lock(file);
    if (!tryLock(file, shared)) return std::nullopt;
    return lock;
}

FileLock FileLock::wait(int file, std::chrono::milliseconds pause) {
    FileLock lock(file);
    while (!tryLock(file)) waitUnlessGivenUp(pause);
    return lock;
}

FileLock::FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
}

FileLock::~FileLock() {
    if (file_ >= 0) close(file_);
}

}  // namespace palimpsest
