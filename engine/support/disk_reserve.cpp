// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/disk_reserve.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace palimpsest {

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
