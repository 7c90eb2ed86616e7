// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "app/calm_threads.h"
#include "app/commands/commands.h"
#include "engine/config/nearest_word.h"
#include "engine/support/error.h"

using namespace palimpsest;

namespace {

constexpr int kRunFailed = 1;
constexpr int kBadInput = 2;

int complain(std::string sentence, int code) {
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    std::cerr << "palimpsest-cli: " << sentence << std::endl;
    return code;
}

/// CLI11 calls an unknown command an unexpected argument; people deserve the nearest one.
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

}  // namespace

int main(int argc, char** argv) {
    calmThreads(argv);
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
        const auto chosen = app.get_subcommands();
        const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
        return complain(std::string(error.what()) + ". `palimpsest-cli " + command + "--help` shows how to call it.",
                        kBadInput);
    } catch (const Error& error) {
        return complain(error.sentence(), error.kind() == ErrorKind::Input ? kBadInput : kRunFailed);
    } catch (const std::exception& error) {
        return complain(error.what(), kRunFailed);
    }
}
