// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace palimpsest {

/// Origin of the bytes of a partial download. Stored beside the part as PART.source.
struct PartRecord {
    std::string url;
    std::string validator;   ///< a strong ETag or a Last-Modified date, for If-Range; empty: the server gave none
    std::int64_t total = 0;  ///< bytes of the whole file; 0: unknown

    /// The record of a part; empty if there is none or it is damaged.
    static PartRecord load(const std::filesystem::path& part);
    void save(const std::filesystem::path& part) const;
    static std::filesystem::path fileOf(const std::filesystem::path& part);
};

}  // namespace palimpsest
