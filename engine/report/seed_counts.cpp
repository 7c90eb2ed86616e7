// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/seed_counts.h"

#include <algorithm>
#include <utility>

#include "engine/metrics/session_list.h"

namespace palimpsest::report {
namespace {

bool isKnown(const SessionSeeds& seeds) {
    return seeds.most > 0;
}

}  // namespace

std::string seedsText(const std::set<std::int64_t>& counts) {
    if (counts.empty() || *counts.rbegin() < 2) return {};
    std::string text;
    for (const std::int64_t count : counts)
        text += (text.empty() ? "" : count == *counts.rbegin() ? " or " : ", ") + std::to_string(count);
    return text + " seeds";
}

std::vector<SessionSeeds> seedsOfSessions(const std::vector<std::vector<Spread>>& retention) {
    std::vector<SessionSeeds> sessions(retention.size());
    for (const std::vector<Spread>& row : retention) {
        for (std::size_t session = 0; session < row.size(); ++session) {
            const std::int64_t count = row[session].count;
            if (count == 0) continue;
            SessionSeeds& own = sessions[session];
            own.least = own.most == 0 ? count : std::min(own.least, count);
            own.most = std::max(own.most, count);
        }
    }
    return sessions;
}

std::string seedsText(const SessionSeeds& seeds) {
    const std::string most = std::to_string(seeds.most);
    return seeds.least == seeds.most ? most : std::to_string(seeds.least) + " to " + most;
}

SessionSeeds usualSeeds(const std::vector<SessionSeeds>& sessions) {
    SessionSeeds usual;
    bool alike = true;
    for (const SessionSeeds& own : sessions) {
        if (!isKnown(own)) continue;
        alike = alike && (!isKnown(usual) || own == usual);
        if (own.most > usual.most) usual = own;
    }
    return alike ? usual : SessionSeeds{usual.most, usual.most};
}

std::string seedsText(const std::vector<SessionSeeds>& sessions) {
    const SessionSeeds usual = usualSeeds(sessions);
    if (usual.most < 2) return {};
    std::vector<std::pair<SessionSeeds, std::vector<std::size_t>>> others;
    for (std::size_t session = 0; session < sessions.size(); ++session) {
        if (!isKnown(sessions[session]) || sessions[session] == usual) continue;
        const auto same = std::find_if(others.begin(), others.end(),
                                       [&](const auto& other) { return other.first == sessions[session]; });
        if (same == others.end())
            others.push_back({sessions[session], {session}});
        else
            same->second.push_back(session);
    }
    std::string exceptions;
    for (const auto& [seeds, list] : others)
        exceptions += (exceptions.empty() ? "" : "; ") + sessionList(list) + ": " + seedsText(seeds);
    return seedsText(usual) + " seeds" + (exceptions.empty() ? "" : " (" + exceptions + ")");
}

}  // namespace palimpsest::report
