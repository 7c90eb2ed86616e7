// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "app/cli/interrupt_guard.h"
#include "app/commands/commands.h"
#include "engine/api.h"
#include "engine/support/error.h"
#include "engine/support/memory_reserve.h"
#include "engine/support/text.h"

using namespace palimpsest;

namespace {

constexpr int kRunFailed = 1;
constexpr int kBadInput = 2;

int complain(const std::string& sentence, int code) {
    std::cerr << "palimpsest-cli: " << plainSentence(sentence) << std::endl;
    return code;
}

/// A command that has done its work has not if nobody could read it: a disk that is full takes no line.
int afterOutput(int code) {
    std::cout.flush();
    if (std::cout.good() && std::fflush(stdout) == 0) return code;
    if (code != 0 || outputWasClosed()) return code;
    return complain("The output could not be written. Send it to a place with space left.", kBadInput);
}

/// Suggests the nearest command, where CLI11 only reports an unexpected argument.
void checkCommand(int argc, char** argv) {
    if (argc < 2) throw inputError("Name a command.", "`palimpsest-cli --help` lists them.");
    const std::string word = argv[1];
    std::vector<std::string> names;
    for (const Command& command : commands()) names.push_back(command.name);
    if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return;
    const std::string near = nearestWord(word, names);
    throw inputError("There is no command \"" + word + "\".",
                     near.empty() ? "`palimpsest-cli --help` lists them." : "Did you mean " + near + "?");
}

/// Explains a missing argument, where CLI11 only says "runs is required".
std::string missingArgument(const CLI::App& command) {
    if (command.get_require_subcommand_min() > 0 && command.get_subcommands().empty())
        return command.get_name() + " needs a command of its own";
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_required() || option->count() > 0) continue;
        std::string what = option->get_description();
        if (!what.empty()) what.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(what.front())));
        const std::string name = option->get_positional() ? option->get_type_name() : option->get_name();
        return command.get_name() + " needs " + name + (what.empty() ? "" : ": " + what);
    }
    return {};
}

std::string explained(const CLI::App& command, const CLI::ParseError& error) {
    std::string ours;
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) ours = missingArgument(command);
    return ours.empty() ? error.what() : ours;
}

/// The chosen command, or the chosen verb of a command with verbs.
const CLI::App& chosen(const CLI::App& app) {
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    return *command;
}

}  // namespace

namespace {

int runCommandLine(int argc, char** argv) {
    CLI::App app("Palimpsest: watch a network learn from a stream, forget, and be helped to remember.",
                 "palimpsest-cli");
    app.set_version_flag("--version", "palimpsest-cli " PALIMPSEST_VERSION);
    app.require_subcommand(1);
    Shell shell;
    for (const Command& command : commands()) command.add(app, shell);
    try {
        checkCommand(argc, argv);
        app.parse(argc, argv);
        return shell.action();
    } catch (const CLI::Success& wanted) {  // --help, --version
        return app.exit(wanted);
    } catch (const CLI::ParseError& error) {
        std::string command;
        for (const CLI::App* at = &app; !at->get_subcommands().empty();)
            command += (at = at->get_subcommands().front())->get_name() + " ";
        return complain(
            explained(chosen(app), error) + ". `palimpsest-cli " + command + "--help` shows how to call it.",
            kBadInput);
    } catch (const Error& error) {
        return complain(error.sentence(), error.kind() == ErrorKind::Input ? kBadInput : kRunFailed);
    } catch (const std::bad_alloc&) {
        return complain("The machine ran out of memory. Close other programs, or choose smaller settings.", kRunFailed);
    } catch (const std::exception& error) {
        return complain(error.what(), kRunFailed);
    }
}

}  // namespace

int main(int argc, char** argv) {
    holdMemoryBack();
    prepareProgram();
    return afterOutput(runCommandLine(argc, argv));
}
