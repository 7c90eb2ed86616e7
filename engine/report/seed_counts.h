// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/metrics/metrics.h"

namespace palimpsest::report {

// Over how many seeds a figure's numbers are averaged, in words. Not every seed has every number: in one of them no
// class may come for the first time in a session, and one that was stopped has fewer sessions.

/// "3 seeds", or "2 or 3 seeds" where the experiments have different numbers of them; empty where none has several.
std::string seedsText(const std::set<std::int64_t>& counts);

/// Least and most seeds of the entries of R that stand for one session: after it and after every later one.
struct SessionSeeds {
    std::int64_t least = 0, most = 0;  ///< 0: it has no entry
    bool operator==(const SessionSeeds&) const = default;
};

/// By session.
std::vector<SessionSeeds> seedsOfSessions(const std::vector<std::vector<Spread>>& retention);
/// "2", or "1 to 2".
std::string seedsText(const SessionSeeds& seeds);
/// How many most sessions have that are not named beside it.
SessionSeeds usualSeeds(const std::vector<SessionSeeds>& sessions);
/// "3 seeds" of all sessions alike, or "3 seeds (session 5: 2)"; empty where no session has several.
std::string seedsText(const std::vector<SessionSeeds>& sessions);

}  // namespace palimpsest::report
