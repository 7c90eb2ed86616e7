// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_differences.h"

#include <algorithm>
#include <utility>

namespace palimpsest {

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

template <class List, class Text>
std::string joined(const List& list, const Text& text) {
    std::string all;
    for (const auto& entry : list) all += (all.empty() ? "" : ", ") + text(entry);
    return all;
}

/// Everything a grid says, in its order: what, and its value.
Facts factsOf(const SweepGrid& grid) {
    const auto same = [](const std::string& text) { return text; };
    Facts facts = {{"title", grid.title},
                   {"base", grid.base},
                   {"seeds", joined(grid.seeds, [](std::int64_t seed) { return std::to_string(seed); })},
                   {"metrics", joined(grid.metrics, same)}};
    for (const SweepSetting& setting : grid.settings) facts.emplace_back("set, " + setting.key, toText(setting.value));
    facts.emplace_back("rows", joined(grid.rows, [](const SweepRow& row) { return row.name; }));
    for (const SweepRow& row : grid.rows) {
        for (const SweepSetting& setting : row.settings) {
            facts.emplace_back("row \"" + row.name + "\", " + setting.key, toText(setting.value));
        }
    }
    for (const SweepAxis& axis : grid.axes) {
        facts.emplace_back("vary, " + axis.key, joined(axis.values, [](const OptionValue& v) { return toText(v); }));
    }
    return facts;
}

std::string valueOf(const Facts& facts, const std::string& what) {
    const auto found = std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == what; });
    return found == facts.end() || found->second.empty() ? "nothing" : found->second;
}

}  // namespace

std::string sweepDifference(const SweepGrid& there, const SweepGrid& here) {
    const Facts old = factsOf(there);
    const Facts now = factsOf(here);
    for (const Facts* facts : {&old, &now}) {
        for (const auto& [what, value] : *facts) {
            const std::string before = valueOf(old, what);
            const std::string after = valueOf(now, what);
            if (before != after) return what + ": " + before + " there, " + after + " here";
        }
    }
    return {};
}

}  // namespace palimpsest
