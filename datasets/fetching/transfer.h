// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "datasets/fetching/download.h"

namespace palimpsest {

/// An address without its user name and password, as it may be shown and kept.
std::string withoutPassword(const std::string& url);

/// Origin of the bytes of a partial download. Stored beside the part as PART.source.
struct PartRecord {
    std::string url;         ///< without a password
    std::string validator;   ///< a strong ETag or a Last-Modified date, for If-Range; empty: the server gave none
    std::int64_t total = 0;  ///< bytes of the whole file; 0: unknown

    /// The record of a part; empty if there is none or it is damaged.
    static PartRecord load(const std::filesystem::path& part);
    void save(const std::filesystem::path& part) const;
    static std::filesystem::path fileOf(const std::filesystem::path& part);
};

struct TransferResult {
    enum class End {
        Whole,
        Stopped,
        Cut,          ///< worth another try
        Unreachable,  ///< no response at all
        Refused,      ///< this address is unusable
    };
    End end = End::Refused;
    std::string reason;                        ///< failure of the address, such as "answered 404"
    std::int64_t begun_at = 0;                 ///< bytes of an earlier download that were kept
    std::chrono::milliseconds retry_after{0};  ///< requested by the server
    bool stalled = false;                      ///< cut because it hardly sent anything any more
    std::int64_t received = 0;                 ///< bytes received by this request
    bool untrusted = false;                    ///< refused because it could not prove who it is
};

/// One request for the missing bytes of a job's part. Throws Error(Run) when the disk fails.
TransferResult transfer(const DownloadJob& job, const std::string& url);

}  // namespace palimpsest
