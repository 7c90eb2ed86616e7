// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_query.h"

#include <algorithm>
#include <array>

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

bool isField(std::string_view name) {
    return name == "tag" || name == "seed" || name == "note" ||
           std::any_of(kFields.begin(), kFields.end(), [&](const Field& field) { return field.name == name; });
}

bool hasTag(const RunRow& row, std::string_view word) {
    return std::any_of(row.notes.tags.begin(), row.notes.tags.end(),
                       [&](const std::string& tag) { return begins(tag, word); });
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
        // A field or a minus without a word is still being typed.
        if (!term.word.empty()) terms_.push_back(std::move(term));
    }
}

bool RunQuery::holds(const Term& term, const RunRow& row) {
    if (term.field == "tag") return hasTag(row, term.word);
    if (term.field == "seed") return std::to_string(row.seed) == term.word;
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
                       [&](const Term& term) { return holds(term, row) != term.opposite; });
}

}  // namespace palimpsest
