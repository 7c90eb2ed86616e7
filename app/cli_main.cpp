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
#include "app/cli/value_checks.h"
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

/// "learner allow": a command with those that it belongs to.
std::string wholeName(const CLI::App& command) {
    const CLI::App* const above = command.get_parent();
    return above == nullptr || above->get_parent() == nullptr ? command.get_name()
                                                              : wholeName(*above) + " " + command.get_name();
}

/// Explains a missing argument, where CLI11 only says "runs is required".
std::string missingArgument(const CLI::App& command) {
    if (command.get_require_subcommand_min() > 0 && command.get_subcommands().empty())
        return wholeName(command) + " needs a command of its own";
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_required() || option->count() > 0) continue;
        std::string what = option->get_description();
        if (!what.empty()) what.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(what.front())));
        const std::string name = option->get_positional() ? option->get_type_name() : option->get_name();
        return wholeName(command) + " needs " + name + (what.empty() ? "" : ": " + what);
    }
    return {};
}

/// A guess at the meaning of an argument that a command does not take, as a sentence behind a full stop; else empty.
std::string meantInstead(const CLI::App& command, Shell& shell, const std::string& word, const std::string& next) {
    if (!word.starts_with("--")) return {};
    const std::size_t sign = word.find('=');
    const std::string name = word.substr(0, sign);
    std::string key = name.substr(2);
    std::ranges::replace(key, '-', '_');
    const auto asOption = [&](const std::string& known) {
        const std::string value = sign != std::string::npos             ? word.substr(sign + 1)
                                  : next.empty() || next.front() == '-' ? "VALUE"
                                                                        : next;
        return ". Options of the experiment are set with --set: --set " + shellWord(known + "=" + value);
    };
    const bool sets = command.get_option_no_throw("--set") != nullptr;
    if (sets && shell.table().find(key)) return asOption(key);
    std::vector<std::string> flags;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& each : option->get_lnames()) flags.push_back("--" + each);
    if (const std::string near = nearestWord(name, flags); !near.empty() && editDistance(name, near) == 1)
        return didYouMean(near);
    if (sets)
        if (const std::string near = shell.table().nearest(key); !near.empty()) return asOption(near);
    return didYouMean(nearestWord(name, flags));
}

/// Arguments that were not expected, in the order in which it was typed (which CLI11's own message turns round).
std::string unexpected(const CLI::App& app, const CLI::App& command, Shell& shell) {
    const std::vector<std::string> words = app.remaining(true);
    if (words.empty()) return {};
    std::string text =
        words.size() > 1 ? "The following arguments were not expected:" : "The following argument was not expected:";
    for (const std::string& word : words) text += " " + word;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string meant =
            meantInstead(command, shell, words[i], i + 1 < words.size() ? words[i + 1] : std::string());
        if (!meant.empty()) return text + meant;
    }
    return text;
}

/// The chosen command, or the chosen verb of a command with verbs; the program itself where none was.
const CLI::App& chosenCommand(const CLI::App& app) {
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    return *command;
}

std::string explained(const CLI::App& app, Shell& shell, const CLI::ParseError& error) {
    const CLI::App* const command = &chosenCommand(app);
    std::string ours;
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) ours = missingArgument(*command);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) ours = unexpected(app, *command, shell);
    if (ours.empty()) ours = valueFault(error);
    if (ours.empty()) ours = error.what();
    return ours.ends_with('?') ? ours : ours + ".";
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
        const CLI::App& command = chosenCommand(app);
        return complain(explained(app, shell, error) + " `palimpsest-cli " +
                            (command.get_parent() == nullptr ? "" : wholeName(command) + " ") +
                            "--help` shows how to call it.",
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
