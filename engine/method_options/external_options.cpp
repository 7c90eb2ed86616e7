// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/external_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/learner/learner_messages.h"
#include "engine/learner/learner_permit.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

void addExternalProblems(const Experiment& experiment, MethodProblems& problems) {
    const auto& external = experiment.method.of<ExternalOptions>();
    if (external.command.empty()) {
        problems.options.push_back("method.external_command is empty: name the program that learns.");
        return;
    }
    try {
        commandWords(external.command);
        learnerSettings("method.external_options", external.options);
    } catch (const Error& error) {
        problems.options.push_back(error.sentence());
    }
}

std::string idleExternalReason(const Experiment&, const std::string& key) {
    if (key == "training.optimizer") return "A program of your own brings its own optimiser.";
    return "";
}

std::vector<std::string> externalNotes(const Experiment& experiment) {
    std::vector<std::string> notes;
    if (experiment.method.of<ExternalOptions>().sessions)
        notes.push_back(
            "method.external_sessions is true, so the learner is told where sessions end, which the stream tells no "
            "other method.");
    return notes;
}

}  // namespace

std::optional<LearnerCommand> namedLearner(const OptionTable& table, const Experiment& experiment) {
    const Option* command = table.find("method.external_command");
    if (!command || !table.idleReason(experiment, *command).empty()) return std::nullopt;
    return learnerCommand(experiment.method.of<ExternalOptions>().command);
}

MethodDeclaration declareExternal() {
    using namespace option_row;
    return {
        .choice = {"external", "Your own program",
                   "A program of yours, in any language, learns; this one gives it the stream and measures it.",
                   method_family::kOwn, "Whatever it likes.", "What it needs, and a copy of each batch.",
                   "The learner protocol, version 1, 2026"},
        .group = OptionGroup::Past,
        .options = {text("method.external_command", "Program", "", OPTION_OF(ExternalOptions, command))
                        .help("The program that learns, with its arguments, such as python3 my_method.py; it "
                              "speaks the learner protocol. It is only started when you have allowed it.")
                        .source("The guide's page on the learner protocol"),
                    text("method.external_options", "Its options", "", OPTION_OF(ExternalOptions, options))
                        .help("Options of that program, such as lr=0.01, epochs=2; palimpsest-cli learner describe "
                              "lists those that it has."),
                    real("method.external_timeout", "Time for an answer", 60, OPTION_OF(ExternalOptions, timeout))
                        .range(0.1, 86400)
                        .unit("s")
                        .expert()
                        .help("A program that needs longer for one answer is ended, and the run with it."),
                    integer("method.external_memory", "Memory limit", 16384, OPTION_OF(ExternalOptions, memory))
                        .range(0, 16777216)
                        .special("no limit")
                        .unit("MB")
                        .expert()
                        .help("How much memory each process of it may take for its data; 0 sets no limit."),
                    boolean("method.external_sessions", "Tell it the sessions", false,
                            OPTION_OF(ExternalOptions, sessions))
                        .expert()
                        .help("Tells it how many sessions there are and when one ends, which nobody tells the other "
                              "methods.")},
        .only_told_mask = true,
        .own_learning_rate = "The program is told the learning rate when it begins.",
        .problems = addExternalProblems,
        .idleReason = idleExternalReason,
        .notes = externalNotes};
}

}  // namespace palimpsest
