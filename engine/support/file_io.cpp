// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/file_io.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "engine/support/error.h"

namespace palimpsest {

std::string readTextFile(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        throw inputError(file.string() + " is a folder, not a file.", "Name the file itself.");
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        const std::string reason = errno ? std::strerror(errno) : "unreadable";
        throw inputError("Cannot read " + file.string() + ": " + reason + ".", "Check its name and its permissions.");
    }
    return text;
}

void replaceTextFile(const std::filesystem::path& file, std::string_view text, Keep keep) {
    std::filesystem::path aside = file;
    aside += ".part";
    errno = 0;
    std::ofstream out(aside, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (out && keep == Keep::OnDisk) syncFile(aside);
    if (out) {
        std::error_code error;
        std::filesystem::rename(aside, file, error);
        if (!error) return;
        errno = error.value();
    }
    const std::string reason = errno ? std::strerror(errno) : "the disk refused";
    std::error_code ignored;
    std::filesystem::remove(aside, ignored);
    throw inputError("Cannot write " + file.string() + ": " + reason + ".",
                     "Choose a folder you may write to, with space left.");
}

void syncFile(const std::filesystem::path& file) {
    const int open = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = open >= 0 && fsync(open) == 0;
    const int reason = errno;
    if (open >= 0) close(open);
    // Some file systems cannot be asked, and keep what they are given all the same.
    if (!done && reason != EINVAL)
        throw inputError("Cannot write " + file.string() + ": " + std::strerror(reason) + ".",
                         "Check the disk that it lies on.");
}

DiskReserve::DiskReserve(const std::filesystem::path& folder) {
    const std::filesystem::path name = folder / ".reserve";
    file_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0) return;
    unlink(name.c_str());
    if (posix_fallocate(file_, 0, kSize) != 0) release();
}

void DiskReserve::release() noexcept {
    if (file_ >= 0) close(std::exchange(file_, -1));
}

}  // namespace palimpsest
