// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "datasets/fetching/download.h"
#include "datasets/table/image_dataset.h"

namespace palimpsest {

/// How far a fetch has come. Handed out a few times a second, on the thread that fetches.
struct FetchProgress {
    enum class Step { Downloading, Checking, Unpacking, Waiting };  ///< Waiting: another fetch of it is at work
    Step step = Step::Downloading;
    std::string file;
    std::int64_t bytes = 0;  ///< of this file, what an interrupted fetch had left included
    std::int64_t total = 0;  ///< 0: unknown
    double bytes_per_second = 0;
};

/// "Downloading".
inline const char* wordOf(FetchProgress::Step step) {
    switch (step) {
        case FetchProgress::Step::Downloading:
            return "Downloading";
        case FetchProgress::Step::Checking:
            return "Checking";
        case FetchProgress::Step::Unpacking:
            return "Unpacking";
        case FetchProgress::Step::Waiting:
            break;
    }
    return "Waiting";
}

struct FetchSettings {
    std::filesystem::path root;        ///< where data sets lie; empty: dataFolder()
    std::filesystem::path have;        ///< a file, or a folder of files, that the person already has; copied, checked
    std::vector<std::string> mirrors;  ///< base addresses tried before the catalogue's; a file's name is appended
    bool offline = false;              ///< check and unpack what is there; never touch the network
    std::function<void(const FetchProgress&)> progress;
    std::stop_token stop;
    DownloadPatience patience{};
};

struct FetchOutcome {
    std::filesystem::path folder;  ///< for stream.root
    bool stopped = false;          ///< asked to stop: what was fetched is kept and the next fetch goes on from it
    bool elsewhere = false;        ///< nothing was to be done: it is in a place where no fetch brings it
};

/// Fetches what is missing or damaged of a data set, checks sizes and checksums, also of what is there, and unpacks
/// archives; whatever is sound is left alone. A file gets its name only when it is whole and checked. By name, without
/// a root or files of the person's own, a data set that the loader finds in another place will do. Throws Error:
/// unknown data set, nothing to fetch from (with the homepage), no network, wrong size or checksum (file, expected,
/// found), full disk.
FetchOutcome fetchDataset(const std::string& name, const FetchSettings& settings);
FetchOutcome fetchDataset(const DatasetInfo& info, const FetchSettings& settings);

struct DatasetFileStatus {
    enum class State { Missing, Partial, WrongSize, WrongChecksum, NotUnpacked, Present };
    std::string file;
    State state = State::Missing;
    std::int64_t expected_bytes = 0;  ///< 0: not published
    std::int64_t found_bytes = 0;
    std::string detail;  ///< a sentence for a person: expected, found, what to do
};

struct DatasetStatus {
    std::filesystem::path folder;
    bool complete = false;
    std::vector<DatasetFileStatus> files;
};

/// Looks at the files of a data set. `thorough` computes checksums too (seconds to minutes).
DatasetStatus datasetStatus(const std::string& name, const std::filesystem::path& root, bool thorough,
                            std::stop_token stop = {});
DatasetStatus datasetStatus(const DatasetInfo& info, const std::filesystem::path& root, bool thorough,
                            std::stop_token stop = {});

}  // namespace palimpsest
