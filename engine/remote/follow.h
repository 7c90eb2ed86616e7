// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/remote/remote_copy.h"

namespace palimpsest {

/// What is told while a copy follows its runs; on the thread that follows.
struct FollowTeller {
    /// After each round that brought anything, and after the first.
    std::function<void(const CopiedFiles&)> copied = [](const CopiedFiles&) {};
    /// Once for each break; it is tried again, at first after so long.
    std::function<void(const Error&, std::chrono::seconds)> broken = [](const Error&, std::chrono::seconds) {};
    std::function<void()> back = [] {};
    /// Why the run that is followed waits there, a sentence, once for each pause; empty: it goes on.
    std::function<void(const std::string& why)> paused = [](const std::string&) {};
    /// The process of a run there has gone without ending it; the last words of its log, empty where it has none.
    std::function<void(const std::filesystem::path& run, const std::string& last)> crashed =
        [](const std::filesystem::path&, const std::string&) {};
};

/// State that log and disk there tell of a run whose copy says that it goes on.
struct RemoteRunState {
    bool gone = false;  ///< its process has, without ending it
    std::string why;    ///< a sentence where it is paused or may be, the last words of its log where it has gone
};
/// State of the run of a copy that `run --on` or the window has started; nothing of any other. Its documents cannot
/// tell: they are not written while the disk there is full. Throws RemoteError.
RemoteRunState remoteRunState(const RemoteCopy& copy);

struct FollowPlan {
    std::chrono::seconds every{5};
    /// Longest time between two tries while there is no connection.
    std::chrono::seconds longest{60};
    /// True where nothing is left to come, given the runs that there are and have all ended.
    std::function<bool(const std::vector<std::filesystem::path>& runs)> done =
        [](const std::vector<std::filesystem::path>& runs) { return !runs.empty(); };
    /// Called after each round that came; true: nothing is left to come, whatever the runs say. What it throws counts
    /// as a break.
    std::function<bool()> over = [] { return false; };
    /// A first round that fails is a break like a later one.
    bool patient = false;
};

/// Brings what has changed again and again until all runs have ended, and then once more. A broken connection is tried
/// again, ever less often. Returns when done; throws GivenUp where a StopScope ends it, and what the
/// first round throws unless it is patient.
void follow(RemoteCopy& copy, const FollowPlan& plan, const FollowTeller& teller);

}  // namespace palimpsest
