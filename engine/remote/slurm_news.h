// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "engine/remote/remote_copy.h"

namespace palimpsest {

/// What Slurm says of a sweep on another machine, asked now and then while its copy is followed, and noted there
/// (kSlurmNote).
class SlurmNews {
public:
    struct Settings {
        std::string program = {};  ///< palimpsest-cli there; empty: it is found by itself
        std::string version;       ///< of this program, which the one there must fit
        std::chrono::seconds pause{30};
        /// What does not keep the files from coming, once; empty: it is over.
        std::function<void(const std::string& message)> noted = [](const std::string&) {};
    };
    /// The copy must outlive it.
    SlurmNews(const RemoteCopy& copy, Settings settings) : copy_(copy), settings_(std::move(settings)) {}

    /// True where nothing waits or runs any more. Asks Slurm when the pause is over, if the sweep is one for it. Throws
    /// RemoteError.
    bool over();
    /// Whether a task waited or ran when Slurm was last asked.
    bool active() const { return active_; }

private:
    void ask();

    const RemoteCopy& copy_;
    const Settings settings_;
    std::optional<std::chrono::steady_clock::time_point> asked_;
    std::string program_, noted_, told_;
    int quiet_ = 0;
    bool active_ = false;
};

}  // namespace palimpsest
