// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <map>

#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/record/example_runs.h"
#include "engine/record/talk.h"
#include "engine/record/talk_caption.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

struct TalkArguments {
    std::string file;
    std::string runs;
};

/// The runs of a talk that are on this computer, and a sentence on each that is not. Runs that are made here are not
/// looked for.
struct TalkRunsFound {
    std::map<std::string, TalkNumbers> numbers;
    std::vector<std::string> missing;
};

TalkRunsFound findTalkRuns(const OptionTable& table, const Talk& talk, const fs::path& runs) {
    TalkRunsFound found;
    for (const TalkRun& run : talk.runs) {
        if (!run.experiment.empty()) continue;
        const fs::path recorded = recordedRunsFolder() / run.recorded;
        try {
            const fs::path folder = run.recorded.empty() ? runs / run.folder : recorded;
            found.numbers[run.name] = talkNumbers(readRun(table, folder));
        } catch (const Error& error) {
            found.missing.push_back("The run " + run.name + " is not here: " + error.what());
        }
    }
    return found;
}

int checkTalk(const OptionTable& table, const TalkArguments& given) {
    const Talk talk = readTalk(given.file);
    const fs::path folder = fs::absolute(given.file).parent_path();
    for (const TalkRun& run : talk.runs)
        if (!run.experiment.empty()) talkExperiment(table, run, folder);
    const TalkRunsFound found =
        findTalkRuns(table, talk, given.runs.empty() ? defaultRunsFolder() : fs::path(given.runs));
    std::cout << talk.title << '\n';
    for (std::size_t i = 0; i < talk.scenes.size(); ++i) {
        const TalkScene scene = talk.scene(i);
        const auto numbers = [&](const std::string& name) -> const TalkNumbers* {
            const auto its = found.numbers.find(name);
            return its == found.numbers.end() ? nullptr : &its->second;
        };
        const std::string first = scene.runs.empty() ? scene.start : scene.runs.front();
        std::cout << "  " << i + 1 << "  " << filledCaption(scene.caption, first, numbers) << '\n';
    }
    for (const std::string& sentence : found.missing) std::cout << sentence << '\n';
    const auto scenes = static_cast<std::int64_t>(talk.scenes.size());
    const auto runs = static_cast<std::int64_t>(talk.runs.size());
    std::cout << counted(scenes, "scene", "scenes") << ", " << counted(runs, "run", "runs")
              << (found.missing.empty() ? "; all is well\n" : "\n");
    return found.missing.empty() ? 0 : 1;
}

}  // namespace

void addTalk(CLI::App& app, Shell& shell) {
    CLI::App* talk = app.add_subcommand("talk", "Check a script of the window's stage");
    talk->require_subcommand(1);
    auto given = std::make_shared<TalkArguments>();
    CLI::App* check = talk->add_subcommand("check", "Say what is wrong with a talk, and print its captions");
    check->add_option("file", given->file, "The talk")->type_name("TALK.toml")->required();
    check->add_option("--runs", given->runs, "Folder of the runs that it shows; by default that of the window")
        ->type_name("FOLDER");
    check->footer(
        "Captions stand as the audience reads them, with numbers of the runs; what a run that is made here\n"
        "will say is \"…\".\n"
        "Exit codes: 0 all is well; 1 a run is missing; 2 the talk cannot be read.");
    shell.onChosen(*check, [&shell, given] { return checkTalk(shell.table(), *given); });
}

}  // namespace palimpsest
