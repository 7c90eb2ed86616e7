// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_diff.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "engine/config/experiment_differences.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

using Rows = std::vector<std::vector<double>>;

RunRecord recordOf(const OptionTable& table, const fs::path& folder) {
    RunRecord record = readRun(table, folder);
    if (record.state == RecordedState::Imported)
        throw inputError("The run " + folder.string() + " was imported, and only its curve is known.",
                         "Name two runs of this program; `report` compares curves.");
    return record;
}

Json documentOf(const fs::path& folder) {
    Json run = parsedJson(readTextFile(folder / "run.json", FilePlace::InFolder, file_limit::kDocument));
    return run.is_object() ? run : Json::object();
}

std::string wordOf(const Json& object, const std::string& key) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return "not known";
    return plainLine(found->is_string() ? found->get<std::string>()
                                        : found->dump(-1, ' ', false, Json::error_handler_t::replace));
}

void addFact(std::vector<FactDifference>& facts, const std::string& what, const std::string& first,
             const std::string& second) {
    if (first != second) facts.push_back({what, first, second});
}

std::string programText(const RunRecord& record) {
    return record.program ? record.program->text() : "not known";
}

std::vector<FactDifference> surroundingsOf(const Json& first, const Json& second) {
    std::vector<FactDifference> facts;
    for (const char* key : {"device", "precision", "threads"})
        addFact(facts, key, wordOf(first, key), wordOf(second, key));
    const auto versionsOf = [](const Json& run) {
        const auto found = run.find("versions");
        return found != run.end() && found->is_object() ? *found : Json::object();
    };
    const Json one = versionsOf(first), other = versionsOf(second);
    std::set<std::string> programs;
    for (const Json* versions : {&one, &other})
        for (const auto& [program, version] : versions->items()) programs.insert(program);
    for (const std::string& program : programs)
        addFact(facts, "version of " + plainLine(program), wordOf(one, program), wordOf(other, program));
    return facts;
}

/// A choice that was left to the program is compared by what it came to: "auto" that became "cpu" is "cpu". What both
/// left to it belongs to the surroundings.
std::vector<FactDifference> settingsApart(const OptionTable& table, const RunRecord& one, const RunRecord& other,
                                          const Experiment& oneUsed, const Experiment& otherUsed) {
    std::set<const Option*> asked;
    for (const ExperimentDifference& option : experimentDifferences(table, one.experiment, other.experiment))
        asked.insert(option.option);
    std::vector<FactDifference> facts;
    for (const ExperimentDifference& option : experimentDifferences(table, oneUsed, otherUsed))
        if (asked.contains(option.option))
            facts.push_back({option.option->key, plainLine(option.before), plainLine(option.after)});
    return facts;
}

std::string textOf(const LiveChange& change) {
    return change.key + " becomes " + change.value + " after " + grouped(change.at) + " images";
}

std::optional<FactDifference> changeApart(const std::vector<LiveChange>& first, const std::vector<LiveChange>& second) {
    for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
        const std::string one = i < first.size() ? textOf(first[i]) : "none";
        const std::string other = i < second.size() ? textOf(second[i]) : "none";
        if (one != other) return FactDifference{"change during the run", plainLine(one), plainLine(other)};
    }
    return std::nullopt;
}

/// Numbers are written so that they read back as themselves, so every difference counts, and "not a number" is one.
bool same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// `number`: place of the column that counts the rows; beyond the columns: none does. Where one of the two ended early,
/// what only the other has is no difference.
std::optional<RowDifference> rowApart(const Rows& first, const Rows& second, const std::vector<std::string>& columns,
                                      std::size_t number, bool bothWhole) {
    const std::size_t both = std::min(first.size(), second.size());
    const auto describe = [&](std::size_t row, const std::vector<double>& cells) {
        RowDifference apart;
        apart.rows_alike = static_cast<std::int64_t>(row);
        apart.samples_seen = std::max<std::int64_t>(0, countIn(cells[0]));
        if (number >= cells.size()) return apart;
        apart.number = std::max<std::int64_t>(0, countIn(cells[number]));
        // All updates of a batch have its number of images.
        apart.batch = 1;
        const Rows& rows = first.size() > row ? first : second;
        for (std::size_t i = 1; i <= row; ++i) apart.batch += same(rows[i][0], rows[i - 1][0]) ? 0 : 1;
        return apart;
    };
    for (std::size_t row = 0; row < both; ++row)
        for (std::size_t column = 0; column < columns.size(); ++column)
            if (const double one = first[row][column], other = second[row][column]; !same(one, other)) {
                RowDifference apart = describe(row, first[row]);
                apart.column = columns[column];
                apart.first = shortestDigits(one);
                apart.second = shortestDigits(other);
                return apart;
            }
    if (first.size() == second.size() || !bothWhole) return std::nullopt;
    return describe(both, first.size() > both ? first[both] : second[both]);
}

/// The first rows of sessions.csv that differ. They say after which session, and not after how many images.
std::optional<SessionDifference> sessionApart(const Rows& first, const Rows& second,
                                              const std::vector<std::string>& columns, bool bothWhole) {
    const std::optional<RowDifference> row = rowApart(first, second, columns, columns.size(), bothWhole);
    if (!row) return std::nullopt;
    const auto place = static_cast<std::size_t>(row->rows_alike);
    const std::vector<double>& cells = first.size() > place ? first[place] : second[place];
    SessionDifference apart{*row, countIn(cells[0]) + 1, countIn(cells[1]) + 1};
    apart.samples_seen = 0;
    return apart;
}

Rows rowsOf(const fs::path& file, const std::vector<std::string>& columns) {
    return readCsv(file, columns).rows;
}

std::vector<std::pair<std::int64_t, std::string>> statesOf(const Json& run) {
    std::vector<std::pair<std::int64_t, std::string>> states;
    const auto found = run.find("states");
    if (found == run.end() || !found->is_array()) return states;
    for (const Json& state : *found)
        if (state.is_object() && state.contains("samples_seen") && state["samples_seen"].is_number_integer())
            states.emplace_back(state["samples_seen"].get<std::int64_t>(), wordOf(state, "hash"));
    return states;
}

std::optional<RowDifference> stateApart(const Json& first, const Json& second) {
    const auto one = statesOf(first), other = statesOf(second);
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
        if (one[i] != other[i]) {
            RowDifference apart;
            apart.rows_alike = static_cast<std::int64_t>(i);
            apart.samples_seen = std::min(one[i].first, other[i].first);
            const bool sameMoment = one[i].first == other[i].first;
            apart.column = sameMoment ? "hash" : "samples_seen";
            apart.first = sameMoment ? one[i].second : std::to_string(one[i].first);
            apart.second = sameMoment ? other[i].second : std::to_string(other[i].first);
            return apart;
        }
    return std::nullopt;
}

std::string listed(const std::vector<FactDifference>& facts) {
    std::string text = facts.front().what;
    if (facts.size() > 1) text += " and " + counted(std::ssize(facts) - 1, "other", "others");
    return text;
}

}  // namespace

bool RunDifferences::sameNumbers() const {
    return !update && !evaluation && !session_accuracy && !state;
}

std::string RunDifferences::verdict() const {
    if (sameNumbers() && settings.empty() && surroundings.empty() && !change && sameStream())
        return "The two runs are the same, as far as both go.";
    if (!settings.empty())
        return std::string(sameNumbers() ? "They measured the same, though their settings differ: "
                                         : "Their settings differ: ") +
               listed(settings) + ".";
    if (!sameStream()) return "They learned other streams with the same settings, so their data sets or lists differ.";
    if (change) return "They were changed while they went on, one otherwise than the other.";
    if (!sameNumbers() &&
        std::ranges::any_of(surroundings, [](const FactDifference& fact) { return fact.what == "learner"; }))
        return "Another program learned in one than in the other, or the same one before it was changed.";
    if (!surroundings.empty())
        return std::string(sameNumbers() ? "They measured the same bit for bit, in other surroundings: "
                                         : "Only their surroundings differ, which changes last digits: ") +
               listed(surroundings) + ".";
    return "Nothing that is recorded explains why they differ: they should have been the same.";
}

RunDifferences compareRuns(const OptionTable& table, const fs::path& first, const fs::path& second) {
    const RunRecord one = recordOf(table, first), other = recordOf(table, second);
    const Json document = documentOf(first), otherDocument = documentOf(second);
    RunDifferences found;
    found.settings = settingsApart(table, one, other, pinnedExperiment(table, first), pinnedExperiment(table, second));
    found.surroundings = surroundingsOf(document, otherDocument);
    addFact(found.surroundings, "learner", programText(one), programText(other));
    found.change = changeApart(one.changes, other.changes);
    found.first_stream = plainLine(one.fingerprint);
    found.second_stream = plainLine(other.fingerprint);

    const bool whole = one.state == RecordedState::Finished && other.state == RecordedState::Finished;
    const std::vector<std::string> updates{"samples_seen", "update", "loss", "batch_accuracy", "learning_rate"};
    const std::vector<std::string> evaluations{"samples_seen", "session",      "accuracy",
                                               "loss",         "classes_seen", "updates"};
    {
        const Rows a = rowsOf(first / "training.csv", updates), b = rowsOf(second / "training.csv", updates);
        found.updates = static_cast<std::int64_t>(std::min(a.size(), b.size()));
        found.update = rowApart(a, b, updates, 1, whole);
    }
    const Rows a = rowsOf(first / "anytime.csv", evaluations), b = rowsOf(second / "anytime.csv", evaluations);
    found.evaluations = static_cast<std::int64_t>(std::min(a.size(), b.size()));
    found.evaluation = rowApart(a, b, evaluations, evaluations.size(), whole);
    {
        const std::vector<std::string> columns{"after_session", "session", "accuracy", "samples"};
        const Rows ends = rowsOf(first / "sessions.csv", columns), others = rowsOf(second / "sessions.csv", columns);
        found.session_accuracies = static_cast<std::int64_t>(std::min(ends.size(), others.size()));
        found.session_accuracy = sessionApart(ends, others, columns, whole);
    }
    found.states = static_cast<std::int64_t>(std::min(statesOf(document).size(), statesOf(otherDocument).size()));
    found.state = stateApart(document, otherDocument);
    return found;
}

}  // namespace palimpsest
