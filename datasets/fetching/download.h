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

/// Limits of a download on a bad network.
struct DownloadPatience {
    int rounds = 5;                               ///< rounds over all addresses without progress before giving up
    std::chrono::milliseconds first_pause{1000};  ///< after the first round; doubled after each
    std::chrono::milliseconds longest_pause{30'000};
    std::chrono::milliseconds connect{20'000};
    std::chrono::milliseconds stall{30'000};  ///< longest time that a server may send less than `slowest`
    std::int64_t slowest = 1024;              ///< bytes a second
};

struct DownloadProgress {
    std::int64_t bytes = 0;       ///< of the file, including those of an earlier call
    std::int64_t total = 0;       ///< 0: unknown
    double bytes_per_second = 0;  ///< over the last seconds
};

struct DownloadJob {
    std::string name;                 ///< of the file, for messages
    std::vector<std::string> urls;    ///< http or https, best first
    std::filesystem::path part;       ///< partial file, which a later call resumes, beside a small file PART.source
    std::int64_t expected_bytes = 0;  ///< 0: not known
    std::int64_t most_bytes = std::int64_t{256} << 30;  ///< limit if the size is not known
    /// Checks the whole file: its fault ("has ..."), or empty. Without a check, a part is only resumed if the server
    /// can confirm that its file is unchanged.
    std::function<std::string(const std::filesystem::path&)> wrong;
    std::function<void(const DownloadProgress&)> progress;  ///< about four times a second
    std::function<void(const std::string&)> served{};       ///< told the address, without a password, of the whole file
    std::stop_token stop;
    DownloadPatience patience;
};

/// Fetches a file into `part` from the first address that serves it complete and correct. True when it is complete;
/// false when stopped (within a fraction of a second): the part is kept and the next call resumes it. A file that turns
/// out wrong is deleted. Throws Error(Run), naming each address and its failure. The proxy is the environment's
/// (http_proxy, https_proxy, all_proxy, no_proxy).
bool download(const DownloadJob& job);

/// Deletes a part and its record.
void removePart(const std::filesystem::path& part);

}  // namespace palimpsest
