// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/support/digest.h"

namespace palimpsest {

/// Reads the whole file. Throws Error(Input) when it is missing, no regular file, unreadable or larger than `most`
/// bytes.
std::vector<std::uint8_t> readFileBytes(const std::filesystem::path& path, std::uint64_t most);

/// The lines of a small text file (64 MiB at most), without their Unix or Windows line ends.
std::vector<std::string> readTextLines(const std::filesystem::path& path);

/// Words such as "a web page (18 bytes)" for a file that begins as one; empty for any other and for one that cannot be
/// opened. Source: https://mimesniff.spec.whatwg.org, section 7.1.
std::string webPageWords(const std::filesystem::path& path);

/// Progress callback, called about four times a second.
using ByteProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Clock of progress reports, which are due four times a second, the first time at once.
class ProgressInterval {
public:
    using Clock = std::chrono::steady_clock;

    bool due() {
        const auto now = Clock::now();
        if (now < next_) return false;
        next_ = now + std::chrono::milliseconds(250);
        return true;
    }

private:
    Clock::time_point next_{};
};

/// A checksum as published in a catalogue.
struct Checksum {
    DigestKind kind = DigestKind::Sha256;
    std::string hex;  ///< lower case

    /// Parses "sha256:HEX" or "md5:HEX". Throws Error(Input) for anything else.
    static Checksum parse(const std::string& text);
    std::string text() const;  ///< in the form that parse() reads
};

/// The checksum of a file's content, read in pieces. Absent when stopped; throws Error(Input) when the file cannot be
/// read.
std::optional<Checksum> fileChecksum(const std::filesystem::path& file, DigestKind kind,
                                     const ByteProgress& progress = {}, std::stop_token stop = {});

}  // namespace palimpsest
