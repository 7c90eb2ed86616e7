// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace palimpsest {

/// How long a download puts up with a bad network.
struct DownloadPatience {
    int rounds = 5;                               ///< over all addresses without a step forward, before giving up
    std::chrono::milliseconds first_pause{1000};  ///< after the first round; doubled after each
    std::chrono::milliseconds longest_pause{30'000};
    std::chrono::milliseconds connect{20'000};
    std::chrono::milliseconds stall{30'000};  ///< how long a server may send less than `slowest`
    std::int64_t slowest = 1024;              ///< bytes a second
};

struct DownloadProgress {
    std::int64_t bytes = 0;       ///< of the file, what an earlier call had left included
    std::int64_t total = 0;       ///< 0: unknown
    double bytes_per_second = 0;  ///< over the last seconds
};

struct DownloadJob {
    std::string name;                 ///< of the file, for sentences
    std::vector<std::string> urls;    ///< http or https, best first
    std::filesystem::path part;       ///< what is there of it; goes on from it, beside a small file PART.source
    std::int64_t expected_bytes = 0;  ///< 0: not known
    std::int64_t most_bytes = std::int64_t{256} << 30;  ///< where the size is not known
    /// Looks at the whole file: what is wrong with it ("has ..."), or empty. Without one, a part is continued only
    /// where the server can tell that its file is still the same.
    std::function<std::string(const std::filesystem::path&)> wrong;
    std::function<void(const DownloadProgress&)> progress;  ///< about four times a second
    std::stop_token stop;
    DownloadPatience patience;
};

/// Fetches a file into `part` from the first address that serves it whole and right. True when it is there; false when
/// it was asked to stop (within a fraction of a second): the part stays and the next call goes on from it. A file that
/// turns out wrong does not stay. Throws Error(Run), naming each address and what it did. The proxy is the
/// environment's (http_proxy, https_proxy, all_proxy, no_proxy).
bool download(const DownloadJob& job);

/// Forgets a part, with what belongs to it.
void removePart(const std::filesystem::path& part);

}  // namespace palimpsest
