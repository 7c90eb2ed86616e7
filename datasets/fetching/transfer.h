// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "datasets/fetching/download.h"

namespace palimpsest {

struct TransferResult {
    enum class End {
        Whole,
        Stopped,
        Cut,          ///< worth another try
        Unreachable,  ///< nobody answered at all
        Refused,      ///< this address will not do
    };
    End end = End::Refused;
    std::string reason;                        ///< what the address did: "answered 404"
    std::int64_t begun_at = 0;                 ///< bytes that had been there and were kept
    std::chrono::milliseconds retry_after{0};  ///< what the server asked for
    bool stalled = false;                      ///< cut because it sent hardly anything any more
    std::int64_t received = 0;                 ///< bytes that this request brought
};

/// One request for what is missing of a job's part. Throws Error(Run) when the disk fails.
TransferResult transfer(const DownloadJob& job, const std::string& url);

}  // namespace palimpsest
