// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/group_warnings.h"

#include <algorithm>
#include <map>
#include <set>

namespace palimpsest::report {

std::string quotedName(const std::filesystem::path& folder) {
    return "“" + folder.filename().string() + "”";
}

/// A sweep that went on several times has many of them, and none is missing in its numbers.
void warnOfSuperseded(const std::vector<std::filesystem::path>& folders, std::vector<std::string>& warnings) {
    if (folders.empty()) return;
    constexpr std::size_t kMostNamed = 3;
    std::string names;
    for (std::size_t k = 0; k < std::min(folders.size(), kMostNamed); ++k) {
        names += (k == 0 ? "" : ", ") + quotedName(folders[k]);
    }
    if (folders.size() > kMostNamed) names += " and " + std::to_string(folders.size() - kMostNamed) + " more";
    warnings.push_back((folders.size() == 1
                            ? "A run that has not finished is left out, since the same seed was run again"
                            : std::to_string(folders.size()) +
                                  " runs that have not finished are left out, since the same seeds were "
                                  "run again") +
                       std::string(" to the end: ") + names + ".");
}

void warnOfMixtures(const RunGroup& group, std::vector<std::string>& warnings) {
    std::set<std::string> kinds;
    for (const RunRecord& run : group.runs) {
        kinds.insert(run.precision + " on " + run.device);
    }
    if (kinds.size() > 1) {
        std::string all;
        for (const std::string& kind : kinds) {
            all += (all.empty() ? "" : ", ") + kind;
        }
        warnings.push_back("The runs of “" + group.name + "” were computed in different ways: " + all + ".");
    }
}

void warnOfStreams(const std::vector<RunGroup>& groups, std::vector<std::string>& warnings) {
    std::map<std::int64_t, std::set<std::string>> streams;
    std::set<std::vector<std::int64_t>> seeds;
    for (const RunGroup& group : groups) {
        if (group.imported()) {
            warnings.push_back("“" + group.name +
                               "” was imported: neither its settings nor its stream are known here.");
            continue;
        }
        std::vector<std::int64_t> own;
        for (const RunRecord& run : group.runs) {
            streams[run.experiment.seed].insert(run.fingerprint);
            own.push_back(run.experiment.seed);
        }
        seeds.insert(own);
    }
    for (const auto& [seed, fingerprints] : streams) {
        if (fingerprints.size() > 1) {
            warnings.push_back("The experiments see different streams (first at seed " + std::to_string(seed) +
                               "), so differences between them are not due to the method alone.");
            break;
        }
    }
    if (seeds.size() > 1) {
        warnings.emplace_back(
            "The experiments were not run with the same seeds, so their means are not of the same streams.");
    }
}

}  // namespace palimpsest::report
