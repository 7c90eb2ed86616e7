// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <optional>

#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/inputs/experiment_choices.h"
#include "engine/record/run_diff.h"
#include "engine/record/run_diff_text.h"

namespace palimpsest {
namespace {

struct DiffArguments {
    std::string first, second;
    bool json = false;
};

Json json(const FactDifference& fact) {
    return {{"what", fact.what}, {"first", fact.first}, {"second", fact.second}};
}

Json json(const std::vector<FactDifference>& facts) {
    Json list = Json::array();
    for (const FactDifference& fact : facts) list.push_back(json(fact));
    return list;
}

Json json(const std::optional<RowDifference>& row) {
    if (!row) return nullptr;
    return {{"rows_alike", row->rows_alike}, {"samples_seen", row->samples_seen},
            {"number", row->number},         {"batch", row->batch},
            {"column", row->column},         {"first", row->first},
            {"second", row->second}};
}

Json json(const std::optional<SessionDifference>& row) {
    if (!row) return nullptr;
    return {{"rows_alike", row->rows_alike}, {"after_session", row->after_session},
            {"session", row->session},       {"column", row->column},
            {"first", row->first},           {"second", row->second}};
}

int diff(const OptionTable& table, const DiffArguments& given) {
    const RunDifferences found = compareRuns(table, given.first, given.second);
    const StreamsApart streams = streamsApart(table, found, given.first, given.second, experimentLabels);
    const std::optional<BatchApart>& batch = streams.batch;
    const bool same = found.sameNumbers() && found.settings.empty() && found.surroundings.empty() && !found.change &&
                      found.sameStream();
    if (given.json) {
        const Json apart =
            batch
                ? Json{{"batch", batch->batch}, {"session", batch->session + 1}, {"samples_seen", batch->samples_seen}}
                : Json();
        printLine({{"same", same},
                   {"verdict", found.verdict()},
                   {"settings", json(found.settings)},
                   {"surroundings", json(found.surroundings)},
                   {"change", found.change ? json(*found.change) : Json()},
                   {"streams", {{"first", found.first_stream}, {"second", found.second_stream}, {"apart", apart}}},
                   {"update", json(found.update)},
                   {"evaluation", json(found.evaluation)},
                   {"session_accuracy", json(found.session_accuracy)},
                   {"state", json(found.state)}});
        return same ? 0 : 1;
    }
    std::cout << differencesText(found, streams);
    return same ? 0 : 1;
}

}  // namespace

void addDiff(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<DiffArguments>();
    CLI::App* command = app.add_subcommand("diff", "Say where two runs part, and why");
    command->add_option("first", given->first, "A run folder")->type_name("RUN")->required();
    command->add_option("second", given->second, "Another one")->type_name("RUN")->required();
    command->add_flag("--json", given->json, "Print one JSON object");
    command->footer(
        "Names the options that differ, device, precision, threads and versions, the first batch with other\n"
        "images, and the first update, evaluation, accuracy at the end of a session and hash of a state\n"
        "that differ.\n"
        "Exit codes: 0 the runs are the same as far as both go; 1 they differ; 2 wrong input.");
    shell.onChosen(*command, [&shell, given] { return diff(shell.table(), *given); });
}

}  // namespace palimpsest
