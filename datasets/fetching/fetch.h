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

/// Progress of a fetch, reported a few times a second on the fetching thread.
struct FetchProgress {
    enum class Step { Downloading, Checking, Unpacking, Waiting };  ///< Waiting: for another fetch of the same data set
    Step step = Step::Downloading;
    std::string file;
    std::int64_t bytes = 0;  ///< of this file, including those of an interrupted fetch
    std::int64_t total = 0;  ///< 0: unknown
    double bytes_per_second = 0;
};

/// Name of a step, such as "Downloading".
inline const char* stepName(FetchProgress::Step step) {
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

/// Sources of the files of a fetch, and who is told of its progress.
struct FetchSource {
    std::filesystem::path have;        ///< a file, or a folder of files, that the user already has; copied and checked
    std::vector<std::string> mirrors;  ///< base addresses tried before the catalogue's; a file's name is appended
    bool offline = false;              ///< check and unpack existing files; never use the network
    std::function<void(const FetchProgress&)> progress{};
    std::stop_token stop{};
    DownloadPatience patience{};
};

struct FetchSettings : FetchSource {
    std::filesystem::path root;  ///< folder of data sets; empty: dataFolder()
    bool renew = false;          ///< fetch all files anew, also sound ones, which stay until then
    /// Fault of a new file's content beyond its size and checksum, to follow its name: "is ...", or empty. Asked before
    /// the file gets its name; may be null.
    std::function<std::string(const std::filesystem::path&)> fault{};
    /// Called where a new file was refused because it has not the checksum of this one; may be null.
    std::function<void(const DatasetFile&)> on_other_checksum{};
    /// Told where a new file came from: an address, or the path of a file that the user had; may be null.
    std::function<void(const DatasetFile&, const std::string&)> on_origin{};
};

struct FetchOutcome {
    std::filesystem::path folder;  ///< for stream.root
    bool stopped = false;          ///< asked to stop: fetched bytes are kept and the next fetch resumes
    bool elsewhere = false;        ///< nothing to do: it is in a folder that no fetch fills
};

/// Throws Error(Input) for a mirror that is no address of http or https.
void requireMirrors(const std::vector<std::string>& mirrors);

/// Fetches missing and damaged files of a data set, checks sizes and checksums, also of existing files, and unpacks
/// archives; sound files are left alone. A file gets its name only when it is complete and checked. By name, without a
/// root or files of the user's own, a data set that the loader finds elsewhere is accepted. Throws Error: unknown data
/// set, a mirror that is no address, no address at all (with the homepage), no network, wrong size or checksum (file,
/// expected, found), full disk.
FetchOutcome fetchDataset(const std::string& name, const FetchSettings& settings);
FetchOutcome fetchDataset(const DatasetInfo& info, const FetchSettings& settings);

struct DatasetFileStatus {
    enum class State { Missing, Partial, WrongSize, WrongChecksum, NotUnpacked, Present };
    std::string file;
    State state = State::Missing;
    std::int64_t expected_bytes = 0;  ///< 0: not published
    std::int64_t found_bytes = 0;
    std::string detail;  ///< a sentence for the user: expected, found, remedy
};

struct DatasetStatus {
    std::filesystem::path folder;
    bool complete = false;
    std::vector<DatasetFileStatus> files;
};

/// Inspects the files of a data set. `thorough` computes checksums too (seconds to minutes).
DatasetStatus datasetStatus(const std::string& name, const std::filesystem::path& root, bool thorough,
                            std::stop_token stop = {});
DatasetStatus datasetStatus(const DatasetInfo& info, const std::filesystem::path& root, bool thorough,
                            std::stop_token stop = {});

}  // namespace palimpsest
