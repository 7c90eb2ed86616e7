// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/checksum.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "datasets/files/progress_interval.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace fs = std::filesystem;

Checksum Checksum::parse(const std::string& text) {
    const auto colon = text.find(':');
    const std::string kind = text.substr(0, colon);
    std::string hex = colon == std::string::npos ? "" : text.substr(colon + 1);
    std::ranges::transform(hex, hex.begin(), [](char c) { return c >= 'A' && c <= 'F' ? char(c - 'A' + 'a') : c; });
    const std::size_t digits = kind == "sha256" ? 64 : kind == "md5" ? 32 : 0;
    if (digits == 0 || hex.size() != digits || hex.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw inputError("\"" + text + "\" is not a checksum.",
                         "Write sha256: and 64 hexadecimal digits, or md5: and 32.");
    return {kind == "md5" ? DigestKind::Md5 : DigestKind::Sha256, hex};
}

std::string Checksum::text() const {
    return (kind == DigestKind::Md5 ? "md5:" : "sha256:") + hex;
}

std::optional<Checksum> fileChecksum(const fs::path& file, DigestKind kind, const ByteProgress& progress,
                                     std::stop_token stop) {
    std::error_code failure;
    const auto total = static_cast<std::int64_t>(fs::file_size(file, failure));
    std::ifstream stream;
    if (!failure) stream.open(file, std::ios::binary);
    const auto fail = [&file](const std::string& reason) -> void {
        throw inputError("The file " + file.string() + " cannot be read: " + reason + ".",
                         "Check that it exists and that you may read it.");
    };
    if (failure) fail(failure.message());
    if (!stream.is_open()) fail(std::strerror(errno));
    Digest digest(kind);
    ProgressInterval interval;
    std::int64_t done = 0;
    std::vector<char> block(1 << 18);
    while (stream) {
        if (stop.stop_requested()) return std::nullopt;
        errno = 0;
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        if (stream.bad()) fail(errno != 0 ? std::strerror(errno) : "the disk gave an error");
        digest.add(std::as_bytes(std::span(block.data(), static_cast<std::size_t>(stream.gcount()))));
        done += stream.gcount();
        if (progress && interval.due()) progress(done, total);
    }
    if (progress) progress(done, total);
    return Checksum{kind, digest.hex()};
}

}  // namespace palimpsest
