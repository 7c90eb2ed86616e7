// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include "app/commands/commands.h"
#include "app/commands/experiment_arguments.h"
#include "app/commands/label_file.h"
#include "app/json_output.h"
#include "app/text_format.h"
#include "engine/api.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

struct Arguments {
    ExperimentArguments experiment;
    std::string labels;
    std::optional<std::int64_t> classes;
    std::optional<std::int64_t> sessions;
    std::optional<std::int64_t> disjoint;
    std::optional<std::int64_t> blurry;
    std::optional<std::uint64_t> seed;
    std::string partition;
    std::string format = "json";
};

struct Input {
    std::vector<std::int32_t> labels;
    std::optional<std::vector<std::int32_t>> test_labels;
    StreamSettings settings;
};

Partition partitionCalled(const std::string& name) {
    return name == "uniform" ? Partition::Uniform : Partition::Stochastic;
}

Input inputOf(const Arguments& given, const OptionTable& table) {
    Input input;
    if (given.labels.empty() == given.experiment.experiment.empty()) {
        throw inputError("stream needs either an experiment or --labels FILE.",
                         "`palimpsest-cli stream --help` shows both.");
    }
    if (given.labels.empty()) {
        const Experiment experiment = given.experiment.resolve(table);
        const auto data = experimentLabels(experiment);
        input.labels = data->train;
        input.test_labels = data->test;
        input.settings = streamSettings(experiment, static_cast<std::int64_t>(data->class_names.size()));
    } else {
        if (!given.experiment.settings.empty()) {
            throw inputError("--set belongs to an experiment, not to --labels.",
                             "Use --sessions, --disjoint, --blurry and --seed.");
        }
        input.labels = readLabelFile(given.labels);
        input.settings.classes = std::int64_t{*std::max_element(input.labels.begin(), input.labels.end())} + 1;
    }
    StreamSettings& settings = input.settings;
    settings.classes = given.classes.value_or(settings.classes);
    settings.sessions = given.sessions.value_or(settings.sessions);
    settings.disjoint_percent = given.disjoint.value_or(settings.disjoint_percent);
    settings.blurry_percent = given.blurry.value_or(settings.blurry_percent);
    settings.seed = given.seed.value_or(settings.seed);
    if (!given.partition.empty()) settings.partition = partitionCalled(given.partition);
    return input;
}

std::string joined(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const std::int64_t number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
    return text.empty() ? "none" : text;
}

void printText(const StreamPlan& plan, const std::vector<std::string>& warnings) {
    std::cout << grouped(plan.totalSamples()) << " samples in " << plan.sessions.size() << " sessions, "
              << plan.disjoint_count << " disjoint and " << plan.blurry_count << " blurry classes, seed "
              << plan.settings.seed << "\n";
    for (std::size_t t = 0; t < plan.sessions.size(); ++t) {
        std::cout << "Session " << t + 1 << ": " << grouped(static_cast<std::int64_t>(plan.sessions[t].size()))
                  << " samples; disjoint classes: " << joined(plan.disjoint_classes[t]) << "; blurry classes: "
                  << joined(t < plan.blurry_classes.size() ? plan.blurry_classes[t] : std::vector<std::int64_t>{})
                  << "\n";
    }
    for (const std::string& warning : warnings) std::cout << "Note: " << warning << "\n";
    std::cout << "Fingerprint: " << plan.fingerprint() << "\n";
}

int streamCommand(const Arguments& given, const OptionTable& table) {
    const Input input = inputOf(given, table);
    const StreamPlan plan = planStream(input.labels, input.settings);
    const std::vector<std::string> warnings = lintStream(plan, input.labels, input.test_labels);
    if (given.format == "text") {
        printText(plan, warnings);
    } else {
        printLine({{"sessions", plan.sessions},
                   {"disjoint_classes", plan.disjoint_classes},
                   {"blurry_classes", plan.blurry_classes},
                   {"fingerprint", plan.fingerprint()},
                   {"warnings", warnings}});
    }
    return 0;
}

}  // namespace

void addStream(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("stream", "Show which samples come in which session");
    given->experiment.addTo(*command);
    command
        ->add_option("--labels", given->labels,
                     "Labels instead of an experiment: a number a line, or IDX, gzipped or not")
        ->type_name("FILE");
    command->add_option("--classes", given->classes, "Length of the class list [largest label + 1]")->type_name("C");
    command->add_option("--sessions", given->sessions, "Sessions [5]")->type_name("T");
    command
        ->add_option("--disjoint", given->disjoint, "Per cent of disjoint classes [50]; above 100: in numbered order")
        ->type_name("N");
    command
        ->add_option("--blurry", given->blurry, "Per cent of blurry samples [10]; above 100: one new class a session")
        ->type_name("M");
    command->add_option("--seed", given->seed, "Seed [1]")->type_name("S");
    command->add_option("--partition", given->partition, "stochastic or uniform [stochastic]")
        ->type_name("KIND")
        ->check(CLI::IsMember({"stochastic", "uniform"}));
    command->add_option("--format", given->format, "json or text [json]")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"json", "text"}));
    command->add_flag_callback(
        "--json", [given] { given->format = "json"; }, "The same as --format json");
    command->footer("With an experiment, --sessions and the others change its settings for this once.");
    command->callback(
        [&shell, given] { shell.action = [&shell, given] { return streamCommand(*given, shell.table()); }; });
}

}  // namespace palimpsest
