// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace palimpsest {

Error diskError(const std::filesystem::path& path, int code) {
    if (code == ENOSPC || code == EDQUOT || code == EFBIG)
        return runError("There is no room on the disk for " + path.string() + " (" + std::strerror(code) + ").",
                        "Free some space or choose another folder; what is whole is kept.");
    return runError("Cannot write " + path.string() + " (" + std::strerror(code) + ").",
                    "Choose a folder that you may write to.");
}

DatasetOutputFile::DatasetOutputFile(std::filesystem::path path, Mode mode) : path_(std::move(path)) {
    // A folder of data may come from somebody else, with links and pipes for names that a fetch uses.
    const int more = mode == Mode::Fresh ? O_EXCL : O_APPEND;
    file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | more, 0666);
    if (file_ < 0) throw diskError(path_, errno);
    struct stat now {};
    if (fstat(file_, &now) != 0 || !S_ISREG(now.st_mode)) {
        close(file_);
        throw diskError(path_, EINVAL);
    }
}

DatasetOutputFile::~DatasetOutputFile() {
    close(file_);
}

void DatasetOutputFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw diskError(path_, written < 0 ? errno : ENOSPC);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void DatasetOutputFile::empty() {
    if (ftruncate(file_, 0) != 0) throw diskError(path_, errno);
}

void DatasetOutputFile::sync() {
    if (fsync(file_) != 0 && errno != EINVAL && errno != ENOSYS) throw diskError(path_, errno);
}

void syncFolder(const std::filesystem::path& folder) {
    const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) throw diskError(folder, errno);
#ifdef __linux__
    const int result = syncfs(file);
#else
    const int result = fsync(file);
#endif
    const int code = errno;
    close(file);
    if (result != 0 && code != EINVAL && code != ENOSYS) throw diskError(folder, code);
}

void makeFolder(const std::filesystem::path& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) throw diskError(folder, failure.value());
}

void publish(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code failure;
    std::filesystem::rename(from, to, failure);
    if (failure) throw diskError(to, failure.value());
}

}  // namespace palimpsest
