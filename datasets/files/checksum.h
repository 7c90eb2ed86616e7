// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/support/digest.h"

namespace palimpsest {

/// A checksum as published in a catalogue.
struct Checksum {
    DigestKind kind = DigestKind::Sha256;
    std::string hex;  ///< lower case

    /// Parses "sha256:HEX" or "md5:HEX". Throws Error(Input) for anything else.
    static Checksum parse(const std::string& text);
    std::string text() const;  ///< in the form that parse() reads
};

/// Progress callback, called about four times a second.
using ByteProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// The checksum of a file's content, read in pieces. Absent when stopped; throws Error(Input) when the file cannot be
/// read.
std::optional<Checksum> fileChecksum(const std::filesystem::path& file, DigestKind kind,
                                     const ByteProgress& progress = {}, std::stop_token stop = {});

}  // namespace palimpsest
