// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <stop_token>
#include <string_view>

#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
#include "app/cli/value_checks.h"
#include "app/commands/commands.h"
#include "engine/config/option_table.h"
#include "engine/learner/learner_check.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

struct LearnerArguments {
    std::string command, options;
    double timeout = 60;
    std::int64_t memory = 16384, image_size = kLearnerCheckSide;
    bool json = false, all = false;

    /// Whoever types a command on the command line wants it to be started.
    LearnerStart start() const {
        LearnerStart start{command, timeout, memory};
        start.found = learnerCommand(command);
        start.timeout_setting = "--timeout";
        start.memory_setting = "--memory";
        allowLearnerOnce(*start.found);
        return start;
    }
};

/// The exit code of work with a learner, which a signal ends together with the learner.
template <class Work>
int unlessStopped(const LearnerArguments& given, const char* stopped, const Work& work) {
    std::stop_source stop;
    const InterruptGuard guard([&](Interrupt) { stop.request_stop(); });
    LearnerStart start = given.start();
    start.stop = stop.get_token();
    try {
        return work(start);
    } catch (const GivenUp&) {
        std::cerr << stopped << std::endl;
        return 1;
    }
}

int check(const LearnerArguments& given, const LearnerStart& start) {
    bool sound = true;
    checkLearner(
        start, given.options,
        [&](const LearnerTrial& trial) {
            sound = sound && trial.sound;
            if (given.json)
                printLine({{"trial", trial.what}, {"sound", trial.sound}, {"found", plainSentence(trial.found)}});
            else
                std::cout << (trial.sound ? "sound  " : "FAULT  ") << trial.what << ": " << plainSentence(trial.found)
                          << std::endl;
        },
        given.image_size);
    if (!given.json)
        std::cout << (sound ? "It speaks the protocol.\n" : "It does not speak the protocol as it should.\n");
    return sound ? 0 : 2;
}

int describe(const LearnerArguments& given, const LearnerStart& start) {
    const LearnerLink link(start);
    const LearnerHello& hello = link.hello();
    if (given.json) {
        Json options = Json::array();
        for (const Option& option : hello.options) {
            Json choices = Json::array();
            for (const Choice& choice : option.choices) choices.push_back(choice.value);
            options.push_back({{"key", option.key},
                               {"title", option.title},
                               {"type", typeWord(option.type)},
                               {"default", toText(option.standard)},
                               {"allowed", learnerAllowedText(option)},
                               {"unit", orNull(option.unit)},
                               {"choices", choices},
                               {"help", orNull(option.help)}});
        }
        printLine({{"name", hello.name},
                   {"version", orNull(hello.version)},
                   {"images", hello.takes_images},
                   {"features", hello.takes_features},
                   {"needs_sessions", hello.needs_sessions},
                   {"options", options}});
        return 0;
    }
    std::cout << hello.name << (hello.version.empty() ? "" : ", version " + hello.version) << "\nLearns from "
              << (hello.takes_images ? "images" : "") << (hello.takes_images && hello.takes_features ? " and " : "")
              << (hello.takes_features ? "features" : "") << (hello.needs_sessions ? "; must be told the sessions" : "")
              << ".\n";
    std::vector<std::pair<std::string, std::string>> rows;
    const auto ended = [](std::string text) {
        if (!text.empty() && std::string_view(".!?:").find(text.back()) == std::string_view::npos) text += '.';
        return text;
    };
    for (const Option& option : hello.options) {
        const std::string unit = option.unit.empty() ? "" : " " + option.unit;
        const std::string standard = toText(option.standard);
        rows.emplace_back(option.key, option.title + ": " + learnerAllowedText(option) + unit + "." +
                                          (option.help.empty() ? "" : " " + ended(option.help)) +
                                          " Default: " + (standard.empty() ? "empty" : standard + unit) + ".");
    }
    if (rows.empty())
        std::cout << "It has no options.\n";
    else
        std::cout << "\nFor method.external_options, as in --set method.external_options=\""
                  << hello.options.front().key << "=" << toText(hello.options.front().standard) << "\":\n\n"
                  << twoColumns(rows);
    return 0;
}

int allow(const LearnerArguments& given) {
    const LearnerCommand command = learnerCommand(given.command);
    rememberLearner(command);
    std::cout << "Allowed until one of its files changes: " << plainSentence(commandLine(command.words))
              << "\nThe list is " << plainSentence(allowedLearnersFile().string()) << ".\n";
    return 0;
}

int forget(const LearnerArguments& given) {
    if (given.command.empty() == !given.all)
        throw inputError("learner forget needs either COMMAND or --all.", "`palimpsest-cli learner list` lists them.");
    const std::int64_t forgotten = given.all ? forgetAllLearners() : forgetLearner(given.command);
    if (forgotten == 0 && !given.all)
        throw inputError("The command \"" + given.command + "\" is not allowed for good.",
                         "`palimpsest-cli learner list` lists those that are.");
    std::cout << "Forgotten: " << counted(forgotten, "command", "commands")
              << ". Experiments that name one start it no more unless you allow it again.\n";
    return 0;
}

int listAllowed(const LearnerArguments& given) {
    const std::vector<RememberedLearner> learners = rememberedLearners();
    for (const RememberedLearner& learner : learners) {
        if (given.json)
            printLine({{"command", learner.line}, {"changed", learner.changed}});
        else
            std::cout << learner.line << (learner.changed ? "  (changed since; not allowed)" : "") << "\n";
    }
    if (!given.json && learners.empty()) std::cout << "No learner has been allowed for good.\n";
    return 0;
}

}  // namespace

void addLearner(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<LearnerArguments>();
    CLI::App* command = app.add_subcommand("learner", "Check programs of your own that play as methods");
    command->require_subcommand(1);
    const auto takesCommand = [&](CLI::App* verb, bool starts) {
        verb->add_option("command", given->command,
                         "Program and arguments in one word, such as \"python3 my_method.py\"")
            ->type_name("COMMAND")
            ->required();
        if (!starts) return;
        takesNumberFrom(verb->add_option("--timeout", given->timeout, "Seconds for one answer")->type_name("SECONDS"),
                        0.1, 86'400);
        takesFrom(verb->add_option("--memory", given->memory, "MB that each of its processes may take; 0: no limit")
                      ->type_name("MB"),
                  0, 16'777'216);
    };
    const auto json = [&](CLI::App* verb, const char* words) { verb->add_flag("--json", given->json, words); };

    CLI::App* checks =
        command->add_subcommand("check", "Play the whole protocol with a learner, and say what is wrong");
    takesCommand(checks, true);
    checks->add_option("--options", given->options, "Its options, as in lr=0.01,epochs=2")->type_name("KEY=VALUE,...");
    takesFrom(checks->add_option("--image-size", given->image_size, "Side of the images that it gets, 16 unless set")
                  ->type_name("PIXELS"),
              1, 1024);
    json(checks, "Print one JSON object a trial");
    checks->footer("Exit codes: 0 all is sound; 1 it was stopped; 2 there is a fault.");

    CLI::App* describes = command->add_subcommand("describe", "Print what a learner says of itself, with its options");
    takesCommand(describes, true);
    json(describes, "Print one JSON object");

    CLI::App* allows =
        command->add_subcommand("allow", "Allow a learner for good, so that experiments that name it may start it");
    takesCommand(allows, false);

    CLI::App* forgets = command->add_subcommand("forget", "Take the permission of a learner back");
    forgets->add_option("command", given->command, "The command as it was allowed, or as `learner list` prints it")
        ->type_name("COMMAND");
    forgets->add_flag("--all", given->all, "Take it back of all learners");

    CLI::App* list = command->add_subcommand("list", "List the learners that are allowed for good");
    json(list, "Print one JSON object a learner");

    shell.onChosen(*command, [given, checks, describes, allows, forgets] {
        if (checks->parsed())
            return unlessStopped(*given, "Stopped before all was tried; the learner has been ended.",
                                 [&](const LearnerStart& start) { return check(*given, start); });
        if (describes->parsed())
            return unlessStopped(*given, "Stopped before it was described; the learner has been ended.",
                                 [&](const LearnerStart& start) { return describe(*given, start); });
        if (allows->parsed()) return allow(*given);
        if (forgets->parsed()) return forget(*given);
        return listAllowed(*given);
    });
}

}  // namespace palimpsest
