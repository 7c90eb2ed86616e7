// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <optional>

#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/inputs/experiment_choices.h"
#include "engine/record/resumable.h"
#include "engine/record/run_diff.h"
#include "engine/stream/experiment_stream.h"
#include "engine/stream/stream_compare.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

struct DiffArguments {
    std::string first, second;
    bool json = false;
};

/// The first batch whose images differ; `why`: the reason that it cannot be told.
std::optional<BatchApart> batchApart(const OptionTable& table, const DiffArguments& given, std::string& why) {
    try {
        const Experiment one = pinnedExperiment(table, given.first), other = pinnedExperiment(table, given.second);
        const auto planned = [](const Experiment& experiment) {
            const auto labels = experimentLabels(experiment);
            return planExperimentStream(experiment, labels->train,
                                        static_cast<std::int64_t>(labels->class_names.size()));
        };
        if (one.training.batch_size != other.training.batch_size) {
            why = "Their batches are not of the same size.";
            return std::nullopt;
        }
        return firstBatchApart(planned(one), planned(other), one.training.batch_size);
    } catch (const Error& error) {
        why = error.sentence();
        return std::nullopt;
    }
}

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
            {"number", row->number},         {"column", row->column},
            {"first", row->first},           {"second", row->second}};
}

void print(const char* heading, const std::vector<FactDifference>& facts) {
    if (facts.empty()) {
        std::cout << heading << ": the same\n";
        return;
    }
    std::cout << heading << ":\n";
    for (const FactDifference& fact : facts)
        std::cout << "  " << fact.what << ": " << fact.first << " -> " << fact.second << "\n";
}

void print(const char* heading, std::int64_t both, const std::optional<RowDifference>& row, const std::string& place) {
    std::cout << heading << ": ";
    if (!row) {
        std::cout << (both > 0 ? "the same, all " + grouped(both) + " that both have" : "none that both have") << "\n";
        return;
    }
    std::cout << grouped(row->rows_alike) << " alike, then " << place << " after " << grouped(row->samples_seen)
              << " images differs";
    if (row->column.empty())
        std::cout << ": only one of them has it\n";
    else
        std::cout << ": " << row->column << " " << row->first << " -> " << row->second << "\n";
}

int diff(const OptionTable& table, const DiffArguments& given) {
    const RunDifferences found = compareRuns(table, given.first, given.second);
    std::string why;
    std::optional<BatchApart> batch;
    if (!found.sameStream()) batch = batchApart(table, given, why);
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
                   {"state", json(found.state)}});
        return same ? 0 : 1;
    }
    print("Settings", found.settings);
    print("Surroundings", found.surroundings);
    if (found.change)
        std::cout << "Changes during the run: " << found.change->first << " -> " << found.change->second << "\n";
    std::cout << "Streams: ";
    if (found.sameStream())
        std::cout << "the same\n";
    else if (batch)
        std::cout << "batch " << grouped(batch->batch) << " is the first with other images (session "
                  << batch->session + 1 << ", after " << grouped(batch->samples_seen) << " images)\n";
    else
        std::cout << "not the same (" << found.first_stream << " -> " << found.second_stream
                  << "); the first batch with other images is not known"
                  << (why.empty() ? "" : ": " + plainSentence(why)) << "\n";
    print("Updates", found.updates, found.update,
          "update " + (found.update ? grouped(found.update->number) : std::string()));
    print("Evaluations", found.evaluations, found.evaluation, "the one");
    print("States", found.states, found.state, "the one");
    std::cout << found.verdict() << "\n";
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
        "images, and the first update, evaluation and hash of a state whose numbers differ.\n"
        "Exit codes: 0 the runs are the same as far as both go; 1 they differ; 2 wrong input.");
    shell.onChosen(*command, [&shell, given] { return diff(shell.table(), *given); });
}

}  // namespace palimpsest
