// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/support/error.h"

namespace palimpsest {

/// The experiment's method is a program of the user's own.
inline bool learnsByProgram(const Experiment& experiment) {
    return experiment.method.name == "external";
}

/// A file that a command names.
struct LearnerFile {
    std::string path;     ///< absolute, links followed
    std::string content;  ///< its SHA-256; the same word for all that only the system's administrator can change
};

/// A command that starts a learner, as method.external_command has it.
struct LearnerCommand {
    std::vector<std::string> words;  ///< the program as an absolute path, links kept; then its arguments
    /// SHA-256 of the words and of the content of every file among them, links followed; files that only the system's
    /// administrator can change count by their path.
    std::string digest;
    std::vector<LearnerFile> files{};  ///< among the words, in their order
};

/// The words of a command, split at blanks as a shell does it, with single and double quotes and backslashes; nothing
/// else of a shell is known. A word that begins with ~/ begins in the home folder. Throws Error(Input).
std::vector<std::string> commandWords(const std::string& command);
/// The words as a shell takes them: commandWords() gives them back.
std::string commandLine(const std::vector<std::string>& words);
/// The command whose program lies at its path, or in the folders of PATH where it is a name alone. Throws Error(Input)
/// where there is none, or none that may be started, and where the script is missing that an interpreter is to run.
LearnerCommand learnerCommand(const std::string& command);

/// An experiment names a program to start, and may come from a stranger: only what the user has allowed is started.
/// True if the command was allowed, for this process or for good, and nothing of it has changed since.
bool isLearnerAllowed(const LearnerCommand& command);
/// The same, for good: what another program that starts it goes by.
bool isLearnerAllowedForGood(const LearnerCommand& command);
/// The files that have another content than when these words with these files were allowed; empty where they never
/// were, or where that is not known.
std::vector<std::string> changedSinceAllowed(const LearnerCommand& command);
/// Thrown for a command that the user has not allowed: the window can ask about it.
class LearnerRefused : public Error {
public:
    explicit LearnerRefused(const LearnerCommand& command);
    const LearnerCommand& command() const { return command_; }

private:
    LearnerCommand command_;
};
/// Throws LearnerRefused unless the command is allowed.
void requireAllowed(const LearnerCommand& command);
/// Allows the command while this process lives.
void allowLearnerOnce(const LearnerCommand& command);
/// Allows every command while this process lives: the user has said so.
void allowAllLearners();
/// True after allowAllLearners().
bool allLearnersAllowed();
/// Allows the command for good: until a file of it changes. It takes the place of what the files were before. Throws
/// Error; GivenUp while another program changes the list and a StopScope wants no waiting.
void rememberLearner(const LearnerCommand& command);
/// Takes the permission for good back, whatever its files were when it was given. Returns how many entries of the list
/// that were; 0: it was not allowed. Throws Error.
std::int64_t forgetLearner(const std::string& command);
/// The same of all commands.
std::int64_t forgetAllLearners();
/// A command that was allowed for good.
struct RememberedLearner {
    std::string line;      ///< its words, as a shell takes them
    bool changed = false;  ///< a file of it has changed or is gone since, so that it is allowed no more
};
/// Reads the files of all of them. Throws Error(Input) where the list is damaged.
std::vector<RememberedLearner> rememberedLearners();
/// Where that is kept: $PALIMPSEST_LEARNERS/allowed.json, else below XDG_CONFIG_HOME. Throws Error(Input) as
/// userFolder() does.
std::filesystem::path allowedLearnersFile();

}  // namespace palimpsest
