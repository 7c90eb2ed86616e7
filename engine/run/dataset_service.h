// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// A data set as the window shows it.
struct DatasetCard {
    std::string name, title, summary, origin, licence, citation, homepage;
    std::int64_t classes = 0, train = 0, test = 0;
    std::int64_t bytes = 0;  ///< to fetch in all; 0: nothing or not published
    bool procedural = false;
    bool fetchable = false;  ///< has addresses; else the user must ask its makers
    bool present = false;
    std::string folder;       ///< where it is, or would be
    std::string missing;      ///< a sentence: what is missing and what to do; empty when present
    bool takes_files = true;  ///< the user may give the files; else they are read where they lie
    std::string part_of;      ///< name of the data set whose files it is read from; empty: its own
    std::string packages;     ///< Debian packages that hold it, separated by spaces; empty: there are none
};

struct DatasetProgress {
    std::string step;  ///< "Downloading", "Checking", "Unpacking", ...
    std::string file;
    std::int64_t bytes = 0, total = 0;  ///< total 0: unknown
    double bytes_per_second = 0;
};

/// Source of the files of a fetch; by default the catalogue's addresses.
struct FetchOrigin {
    std::filesystem::path have;  ///< a file or folder that the user already has; may be empty
    std::string mirror;          ///< an address that is tried first; may be empty
    bool offline = false;        ///< nothing is asked of the network: what is there is checked and unpacked
};

/// The same for streams of the same images and classes, however many of the images they take.
inline std::string imagesKey(const StreamOptions& stream) {
    return stream.dataset + '\n' + stream.root + '\n' + std::to_string(stream.classes) + '\n' +
           std::to_string(stream.first_class);
}

/// The same for experiments whose training images are the same, at the same positions.
inline std::string trainingSetKey(const Experiment& experiment) {
    return imagesKey(experiment.stream) + '\n' + std::to_string(experiment.stream.train_limit);
}

/// The same for experiments whose test images are the same, at the same positions.
inline std::string testSetKey(const Experiment& experiment) {
    return "test\n" + imagesKey(experiment.stream) + '\n' + std::to_string(experiment.stream.test_limit);
}

/// Data sets for the window, which links neither the data set library nor LibTorch. Calls may take long and come from
/// worker threads, several at once; they throw Error.
class DatasetService {
public:
    virtual ~DatasetService() = default;
    virtual std::vector<DatasetCard> cards(const std::filesystem::path& root) const = 0;
    /// Returns false when stopped.
    virtual bool fetch(const std::string& name, const std::filesystem::path& root, const FetchOrigin& source,
                       const std::function<void(const DatasetProgress&)>& progress, std::stop_token stop) const = 0;
    /// The first `count` training images of one class as small RGB pictures of at most `side` pixels.
    virtual std::vector<Thumbnail> samplesOfClass(const Experiment& experiment, std::int32_t label, int count, int side,
                                                  std::stop_token stop) const = 0;
    /// The training images at these positions, likewise, in the order asked for; fewer when stopped. One that cannot be
    /// read, or is not there, has size 0.
    virtual std::vector<Thumbnail> samplesAt(const Experiment& experiment, std::span<const std::int64_t> positions,
                                             int side, std::stop_token stop) const = 0;
    /// The same for test images. Without an answer there are none.
    virtual std::vector<Thumbnail> testSamplesAt(const Experiment&, std::span<const std::int64_t> /*positions*/,
                                                 int /*side*/, std::stop_token) const {
        return {};
    }
    /// Files may have changed: what was opened is opened anew when it is next needed. Never blocks.
    virtual void forget() const {}
};

}  // namespace palimpsest
