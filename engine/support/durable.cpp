// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/durable.h"

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "engine/support/error.h"
#include "engine/support/sha256.h"

namespace palimpsest {

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

std::string fileHash(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    Sha256 hash;
    std::array<char, 1 << 16> block{};
    while (in) {
        in.read(block.data(), block.size());
        hash.add(std::as_bytes(std::span(block.data(), static_cast<std::size_t>(in.gcount()))));
    }
    return in.eof() ? hash.hex() : std::string();
}

}  // namespace palimpsest
