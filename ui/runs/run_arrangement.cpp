// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_arrangement.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace palimpsest {
namespace {

/// Sort key of a line: a number, then a text.
struct Key {
    double number = 0;
    std::string text;
    bool operator<(const Key& other) const {
        return number != other.number ? number < other.number : text < other.text;
    }
};

std::string small(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool goesOn(const RunRow& row) {
    return row.state == RecordedState::Running;
}

double orLeast(const std::optional<double>& number) {
    return number.value_or(-1);
}

Key keyOf(const RunRow& row, const RunOrder& order) {
    if (isMetricOrDifference(order.column)) {
        const std::size_t metric = listedMetric(order.column);
        // A_AUC is shown before it is whole, but it has no difference then.
        const bool known = order.column == RunColumn::AreaUnderCurve || isFinal(row, metric);
        return {known ? orLeast(row.*kListedMetrics[metric].value) : -1, {}};
    }
    switch (order.column) {
        case RunColumn::Shown:
            return {static_cast<double>(order.shown.value(QString::fromStdString(row.folder.string()))), {}};
        case RunColumn::Name:
            return {0, small(row.name)};
        case RunColumn::Data:
            return {0, small(row.dataset)};
        case RunColumn::Method:
            return {0, small(row.program.empty() ? row.method : row.program)};
        case RunColumn::Mask:
            return {0, row.mask};
        case RunColumn::Prompts:
            return {0, row.prompts};
        case RunColumn::Memory:
            return {static_cast<double>(row.memory), {}};
        case RunColumn::Images:
            return {static_cast<double>(row.total_samples), {}};
        case RunColumn::Seed:
            return {static_cast<double>(row.seed), {}};
        case RunColumn::Tags:
            return {0, small(tagsText(row.notes.tags))};
        case RunColumn::Note:
            return {0, small(row.notes.note)};
        default:
            break;
    }
    // A run that goes on is the newest.
    return {goesOn(row) ? 1.0 : 0.0, row.started};
}

/// Headings stand where their mean does, or their first member.
Key keyOf(const RunFamily& family, const Key& first, RunColumn::Index column) {
    if (!isMetricOrDifference(column)) return first;
    const Spread& spread = family.spreads[listedMetric(column)];
    return {spread.count > 0 ? spread.mean : -1, {}};
}

/// True if a line with the same key shows something else.
bool isChanged(const RunArrangement& before, const RunLine& old, const RunArrangement& after, const RunLine& now) {
    return old.run < 0 || old.family != now.family ||
           before.rows[static_cast<std::size_t>(old.run)] != after.rows[static_cast<std::size_t>(now.run)];
}

void findChanges(const RunArrangement& before, const RunArrangement& after, RunListChange& change) {
    for (std::size_t i = 0; i < after.lines.size(); ++i) {
        if (!isChanged(before, before.lines[i], after, after.lines[i])) continue;
        if (change.first < 0) change.first = static_cast<int>(i);
        change.last = static_cast<int>(i);
    }
}

}  // namespace

std::string familyKey(const std::string& family) {
    return "family:" + family;
}

RunArrangement arrangeRuns(std::vector<RunRowPtr> rows, const RunOrder& order) {
    RunArrangement made;
    made.rows = std::move(rows);
    std::vector<Key> keys(made.rows.size());
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < made.rows.size(); ++i) {
        const RunRow& row = *made.rows[i];
        if (row.notes.hidden && !order.hidden) continue;
        ++made.offered;
        if (!order.query.matches(row)) continue;
        keys[i] = keyOf(row, order);
        places.push_back(i);
    }
    made.matching = static_cast<int>(places.size());
    const auto before = [&](const Key& a, const Key& b) { return order.order == Qt::AscendingOrder ? a < b : b < a; };
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return before(keys[a], keys[b]); });
    const auto addRun = [&](std::size_t place, int family) {
        made.lines.push_back({static_cast<int>(place), family, made.rows[place]->folder.native()});
    };
    if (!order.grouped) {
        for (const std::size_t place : places) addRun(place, -1);
        return made;
    }
    made.families = familiesOf(made.rows, places);
    for (const RunFamily& family : made.families)
        made.headings.push_back(familyKey(made.rows[family.members.front()]->family));
    std::vector<std::size_t> turns(made.families.size());
    std::vector<Key> headings(made.families.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
        turns[i] = i;
        const RunFamily& family = made.families[i];
        const Key& first = keys[family.members.front()];
        headings[i] = family.members.size() > 1 ? keyOf(family, first, order.column) : first;
    }
    std::stable_sort(turns.begin(), turns.end(),
                     [&](std::size_t a, std::size_t b) { return before(headings[a], headings[b]); });
    for (const std::size_t i : turns) {
        const RunFamily& family = made.families[i];
        const int number = static_cast<int>(i);
        if (family.members.size() == 1) {
            addRun(family.members.front(), -1);
            continue;
        }
        const bool open = order.open.contains(QString::fromStdString(made.headings[i]));
        made.lines.push_back({-1, number, made.headings[i]});
        if (!open) continue;
        for (const std::size_t place : family.members) addRun(place, number);
    }
    return made;
}

RunListChange changeOf(const RunArrangement& before, const RunArrangement& after) {
    RunListChange change;
    const auto &old = before.lines, &now = after.lines;
    const auto sameKey = [](const RunLine& a, const RunLine& b) { return a.key == b.key; };
    if (std::equal(old.begin(), old.end(), now.begin(), now.end(), sameKey)) {
        change.kind = RunListChange::Kind::Same;
        findChanges(before, after, change);
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
