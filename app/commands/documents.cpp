// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <iostream>

#include "app/commands/commands.h"
#include "app/documents/command_tree.h"
#include "app/documents/completions.h"
#include "app/documents/manual_pages.h"
#include "engine/config/experiment_file.h"
#include "engine/inputs/known_backbones.h"
#include "engine/lesson/lesson.h"
#include "engine/report/export_runs.h"
#include "engine/report/figure_style.h"
#include "engine/report/report.h"
#include "engine/run/trust.h"
#include "engine/support/error.h"
#include "engine/support/text.h"
#include "engine/sweep/sweep_grid.h"

namespace palimpsest {
namespace {

constexpr std::array kPages = {"palimpsest-cli", "palimpsest", "palimpsest-experiment"};

std::vector<std::string> values(const std::vector<Choice>& choices) {
    std::vector<std::string> names;
    for (const Choice& choice : choices) names.push_back(choice.value);
    return names;
}

std::vector<std::string> valuesOf(const OptionTable& table, const char* key) {
    const Option* option = table.find(key);
    return option ? values(option->choices) : std::vector<std::string>{};
}

/// Words of the arguments that explain themselves when they are wrong, and so are kept as typed.
ArgumentWords argumentWords(const OptionTable& table) {
    std::vector<std::string> styles, checks;
    for (const report::FigureStyle& style : report::figureStyles()) styles.emplace_back(style.name);
    for (const TrustCheckInfo& check : trustChecks()) checks.emplace_back(check.name);
    std::vector<std::string> fetched;
    for (const BackboneCard& card : knownBackbones())
        if (!card.embedded) fetched.push_back(card.name);
    const std::vector<std::string> datasets = values(table.catalogue().datasets);
    const std::vector<std::string> devices = {"auto", "cpu", "cuda:0"};
    return {{"report --format", reportFormats()},
            {"report --style", styles},
            {"export --format", exportFormats()},
            {"backbones fetch NAME", fetched},
            {"stream --format", {"json", "text", "csv"}},
            {"stream --partition", valuesOf(table, "stream.partition")},
            {"stream --sampler", valuesOf(table, "stream.sampler")},
            {"trust --checks", checks},
            {"methods NAME", values(table.catalogue().methods)},
            {"dataset list NAME", datasets},
            {"dataset fetch NAME", datasets},
            {"dataset show NAME", datasets},
            {"dataset check NAME", datasets},
            {"bench --backbone", values(table.catalogue().backbones)},
            {"bench --device", devices},
            {"verify --device", devices},
            {"documents man PAGE", {kPages.begin(), kPages.end()}},
            {"documents completions SHELL", {completionShells().begin(), completionShells().end()}}};
}

CompletionWords completionWords(const OptionTable& table) {
    CompletionWords words;
    for (const Preset& preset : listPresets()) words.presets.push_back(preset.name);
    words.grids = sweepNames();
    for (const LessonFile& lesson : lessonFiles()) words.lessons.push_back(lesson.name);
    for (const Option& option : table.options()) {
        words.settings.push_back(option.key + "=");
        for (const Choice& choice : option.choices) words.settings.push_back(option.key + "=" + choice.value);
        if (option.type == OptionType::Boolean)
            for (const char* value : {"true", "false"}) words.settings.push_back(option.key + "=" + value);
    }
    return words;
}

int printPage(const CLI::App& program, const OptionTable& table, const std::string& name) {
    if (name == kPages[0])
        std::cout << commandLinePage(documentedCommands(program, argumentWords(table)));
    else if (name == kPages[1])
        std::cout << windowPage(listPresets());
    else if (name == kPages[2])
        std::cout << experimentPage(table, listPresets());
    else
        throw inputError("There is no manual page \"" + name + "\".",
                         "Name palimpsest-cli, palimpsest or palimpsest-experiment.");
    return 0;
}

}  // namespace

void addDocuments(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::string page, shell;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("documents", "Print a manual page, or completions for a shell");
    command->require_subcommand(1);
    CLI::App* man = command->add_subcommand("man", "Print a manual page in man's language");
    man->add_option("page", given->page, "palimpsest-cli, palimpsest or palimpsest-experiment")
        ->type_name("PAGE")
        ->required();
    man->footer("`palimpsest-cli documents man palimpsest-cli | man -l -` shows it.");
    CLI::App* completing = command->add_subcommand("completions", "Print completions of both programs for a shell");
    completing->add_option("shell", given->shell, "bash, zsh or fish")->type_name("SHELL")->required();
    completing->footer("Debian's packages install them. In bash: source <(palimpsest-cli documents completions bash)");
    shell.onChosen(*man, [&app, &shell, given] { return printPage(app, shell.table(), given->page); });
    shell.onChosen(*completing, [&app, &shell, given] {
        std::cout << completions(given->shell, documentedCommands(app, argumentWords(shell.table())),
                                 completionWords(shell.table()));
        return 0;
    });
}

}  // namespace palimpsest
