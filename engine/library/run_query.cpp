// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "engine/support/clock.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

struct Field {
    std::string_view name;
    std::string_view (*text)(const RunRow&);
};
template <std::string RunRow::*text>
std::string_view rowText(const RunRow& row) {
    return row.*text;
}
std::string_view rowStateText(const RunRow& row) {
    return toText(row.state);
}
constexpr std::array<Field, 6> kFields = {{{"name", rowText<&RunRow::name>},
                                           {"method", rowText<&RunRow::method>},
                                           {"mask", rowText<&RunRow::mask>},
                                           {"prompts", rowText<&RunRow::prompts>},
                                           {"data", rowText<&RunRow::dataset>},
                                           {"state", rowStateText}}};

bool alike(char a, char b) {
    return asciiLower(a) == b;
}

/// `word` in small letters.
bool contains(std::string_view text, std::string_view word) {
    return std::search(text.begin(), text.end(), word.begin(), word.end(), alike) != text.end();
}

bool begins(std::string_view text, std::string_view word) {
    return text.size() >= word.size() &&
           std::equal(word.begin(), word.end(), text.begin(), [](char w, char t) { return alike(t, w); });
}

bool isMetric(std::string_view name) {
    return std::any_of(kListedMetrics.begin(), kListedMetrics.end(),
                       [&](const ListedMetric& metric) { return name == metric.key; });
}

bool isNumber(std::string_view field) {
    return field == "seed" || field == "images" || field == "memory" || isMetric(field);
}

bool isField(std::string_view name) {
    return isNumber(name) || name == "date" || name == "tag" || name == "note" ||
           std::any_of(kFields.begin(), kFields.end(), [&](const Field& field) { return field.name == name; });
}

bool hasTag(const RunRow& row, std::string_view word) {
    return std::any_of(row.notes.tags.begin(), row.notes.tags.end(),
                       [&](const std::string& tag) { return begins(tag, word); });
}

std::optional<double> numberOf(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
    return value;
}

/// A year, a month or a day: "2026-11-28".
bool isDate(std::string_view text) {
    constexpr std::string_view kPattern = "dddd-dd-dd";
    if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
    return std::equal(text.begin(), text.end(), kPattern.begin(),
                      [](char c, char p) { return p == 'd' ? c >= '0' && c <= '9' : c == p; });
}

/// Bounds that a word gives: after an operator, around two dots, or the word itself as both.
RunQuery::Range rangeOf(const std::string& word) {
    if (const std::size_t dots = word.find(".."); dots != std::string::npos)
        return {word.substr(0, dots), word.substr(dots + 2)};
    const bool low = word.starts_with('>'), high = word.starts_with('<');
    if (!low && !high) return {word, word};
    const bool with = word.size() > 1 && word[1] == '=';
    const std::string value = word.substr(with ? 2 : 1);
    return low ? RunQuery::Range{value, {}, !with, false} : RunQuery::Range{{}, value, false, !with};
}

/// A sentence on a number or a date that cannot be read; empty: both bounds can.
std::string problemOf(const std::string& field, const RunQuery::Range& range) {
    const auto known = [&](const std::string& value) {
        return value.empty() || (field == "date" ? isDate(value) : numberOf(value).has_value());
    };
    if (known(range.low) && known(range.high)) return {};
    if (field == "date")
        return "A date is a year, a month or a day, as in date:2026, date:2026-11, date:>=2026-11-28 or "
               "date:2026-11-01..2026-11-28.";
    return "After " + field + ": comes a number, as in " + field + ":3, " + field + ":>3 or " + field + ":1..5.";
}

/// True where a value lies within the range. `compare`: the order of the value and a bound, less than 0 below it.
template <class Compare>
bool isWithin(const RunQuery::Range& range, Compare compare) {
    if (!range.low.empty()) {
        const auto order = compare(range.low);
        if (order < 0 || (range.without_low && order == 0)) return false;
    }
    if (!range.high.empty()) {
        const auto order = compare(range.high);
        if (order > 0 || (range.without_high && order == 0)) return false;
    }
    return true;
}

/// As lists show it: per cent with one decimal.
std::optional<double> shownNumber(std::string_view field, const RunRow& row) {
    if (field == "seed") return static_cast<double>(row.seed);
    if (field == "images") return static_cast<double>(row.total_samples);
    if (field == "memory") return static_cast<double>(row.memory);
    for (const ListedMetric& metric : kListedMetrics)
        if (const std::optional<double>& value = row.*metric.value; field == metric.key && value)
            return std::round(*value * 1000) / 10;
    return {};
}

bool holdsNumber(const RunQuery::Term& term, const RunRow& row) {
    const std::optional<double> value = shownNumber(term.field, row);
    return value && isWithin(term.range, [&](const std::string& bound) { return *value - numberOf(bound).value(); });
}

bool holdsDate(const RunQuery::Term& term, const RunRow& row) {
    const std::string day = localDay(row.lastMoment());
    return !day.empty() &&
           isWithin(term.range, [&](const std::string& bound) { return day.compare(0, bound.size(), bound); });
}

}  // namespace

RunQuery::RunQuery(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == ' ') {
            ++at;
            continue;
        }
        Term term;
        if (text[at] == '-') {
            term.opposite = true;
            ++at;
        }
        const std::size_t begin = at - (term.opposite ? 1 : 0);
        bool quoted = false;
        for (; at < text.size() && (quoted || text[at] != ' '); ++at) {
            if (text[at] == '"') {
                quoted = !quoted;
            } else if (text[at] == ':' && !quoted && term.field.empty() && isField(term.word)) {
                term.field = std::move(term.word);
                term.word.clear();
            } else {
                term.word += asciiLower(text[at]);
            }
        }
        term.written = text.substr(begin, at - begin);
        term.place = begin;
        // A field, a minus or a comparison without a word is still being typed.
        const bool compared = isNumber(term.field) || term.field == "date";
        if (compared) term.range = rangeOf(term.word);
        if (term.word.empty() || (compared && term.range.low.empty() && term.range.high.empty())) continue;
        if (compared) term.problem = problemOf(term.field, term.range);
        terms_.push_back(std::move(term));
    }
}

bool RunQuery::holds(const Term& term, const RunRow& row) {
    if (term.field == "tag") return hasTag(row, term.word);
    if (term.field == "date") return holdsDate(term, row);
    if (isNumber(term.field)) return holdsNumber(term, row);
    if (term.field == "note") return contains(row.notes.note, term.word);
    for (const Field& field : kFields)
        if ((term.field.empty() || term.field == field.name) && contains(field.text(row), term.word)) return true;
    // A mask that the run was changed to counts like the one it began with.
    if ((term.field.empty() || term.field == "mask") &&
        std::any_of(row.changes.begin(), row.changes.end(), [&](const LiveChange& change) {
            return change.key == "mask.name" && contains(change.value, term.word);
        }))
        return true;
    if (!term.field.empty()) return false;
    return contains(row.notes.note, term.word) ||
           std::any_of(row.notes.tags.begin(), row.notes.tags.end(),
                       [&](const std::string& tag) { return contains(tag, term.word); });
}

bool RunQuery::matches(const RunRow& row) const {
    return std::all_of(terms_.begin(), terms_.end(),
                       [&](const Term& term) { return term.problem.empty() && holds(term, row) != term.opposite; });
}

}  // namespace palimpsest
