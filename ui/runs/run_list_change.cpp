// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_list_change.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace palimpsest {
namespace {

/// Whether a line with the same key says something else.
bool saysNew(const RunArrangement& before, const RunLine& old, const RunArrangement& after, const RunLine& now) {
    return old.run < 0 || old.family != now.family ||
           before.rows[static_cast<std::size_t>(old.run)] != after.rows[static_cast<std::size_t>(now.run)];
}

void findNews(const RunArrangement& before, const RunArrangement& after, RunListChange& change) {
    for (std::size_t i = 0; i < after.lines.size(); ++i) {
        if (!saysNew(before, before.lines[i], after, after.lines[i])) continue;
        if (change.first < 0) change.first = static_cast<int>(i);
        change.last = static_cast<int>(i);
    }
}

}  // namespace

RunListChange changeOf(const RunArrangement& before, const RunArrangement& after) {
    RunListChange change;
    const auto &old = before.lines, &now = after.lines;
    const auto sameKey = [](const RunLine& a, const RunLine& b) { return a.key == b.key; };
    if (std::equal(old.begin(), old.end(), now.begin(), now.end(), sameKey)) {
        change.kind = RunListChange::Kind::Same;
        findNews(before, after, change);
        return change;
    }
    const std::size_t more = std::max(old.size(), now.size()), less = std::min(old.size(), now.size());
    if (old.empty() || more - less > RunListChange::kFew) return change;
    std::unordered_map<std::string_view, int> wanted;
    wanted.reserve(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) wanted.emplace(now[i].key, static_cast<int>(i));
    std::vector<int> stay;  // new places of the old lines that stay
    for (std::size_t i = 0; i < old.size(); ++i) {
        const auto found = wanted.find(old[i].key);
        if (found == wanted.end())
            change.gone.push_back(static_cast<int>(i));
        else
            stay.push_back(found->second);
        if (change.gone.size() > RunListChange::kFew) return change;
    }
    std::vector<int> rank(now.size(), -1);  // of each new line: which of the old ones it is
    for (std::size_t i = 0; i < stay.size(); ++i) rank[static_cast<std::size_t>(stay[i])] = static_cast<int>(i);
    change.places.resize(stay.size());
    int place = 0;
    for (std::size_t i = 0; i < rank.size(); ++i) {
        if (rank[i] < 0)
            change.came.push_back(static_cast<int>(i));
        else
            change.places[static_cast<std::size_t>(rank[i])] = place++;
    }
    if (change.gone.size() + change.came.size() > RunListChange::kFew) return change;
    change.moved = !std::is_sorted(change.places.begin(), change.places.end());
    change.kind = RunListChange::Kind::Few;
    return change;
}

}  // namespace palimpsest
