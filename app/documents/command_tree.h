// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace palimpsest {

/// Kind of value that an argument takes, which decides what completions offer for it.
enum class ValueKind { Nothing, File, Folder, Experiment, Grid, Lesson, Setting, Words };

/// An argument of a command: a flag, or a word that stands by itself.
struct DocumentedArgument {
    std::vector<std::string> names;  ///< "-h", "--help"; empty: it stands by itself
    std::string value;               ///< "DIR"; empty: it takes no value
    std::string help;                ///< a sentence, with what is allowed
    bool required = false;
    bool many = false;  ///< a word of its own that may come several times
    ValueKind kind = ValueKind::Nothing;
    std::vector<std::string> words;  ///< Words only

    bool isFlag() const { return !names.empty(); }
};

/// A command of the program, or a verb of one.
struct DocumentedCommand {
    std::vector<std::string> path;  ///< {"runs", "check"}; empty: the program itself
    std::string help;
    std::string footer;
    std::vector<DocumentedArgument> arguments;
    std::vector<std::string> verbs;
    bool needs_verb = false;

    std::string name() const;  ///< "runs check"
};

/// Words for arguments that the command line keeps as typed, by command and name: {"report --format", {"html", ...}};
/// of a word that stands by itself the name is that of its value, {"methods NAME", ...}.
using ArgumentWords = std::map<std::string, std::vector<std::string>>;

/// Text with a full stop at its end.
std::string asSentence(const std::string& text);

/// The program and all its commands and verbs, each before its own, in the order of the help text.
std::vector<DocumentedCommand> documentedCommands(const CLI::App& program, const ArgumentWords& words);

}  // namespace palimpsest
