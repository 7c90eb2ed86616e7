// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/remote/remote_place.h"

namespace palimpsest {

/// State shared by the commands.
struct Shell {
    /// The engine's option table, made on first use, so that help does not wait for it.
    const OptionTable& table();
    /// Sets the action for the case that this command is the chosen one; the action returns the exit code.
    void onChosen(CLI::App& command, std::function<int()> chosenAction);
    /// The chosen command's action.
    std::function<int()> action;

private:
    std::unique_ptr<OptionTable> table_;
};

/// EXPERIMENT and --set, as used by `run`, `stream` and `isa`.
struct ExperimentArguments {
    std::string experiment;
    std::vector<std::string> settings;

    /// Adds both to a command; the first is returned.
    CLI::Option* addTo(CLI::App& command);
    /// The experiment with all settings applied. Throws Error(Input) also for problems between options.
    Experiment resolve(const OptionTable& table) const;
    /// Applies the settings alone; throws likewise.
    void change(const OptionTable& table, Experiment& resolved) const;
};

/// Adds --allow-learner to a command that may start the program of an experiment with method.name external.
void addAllowLearner(CLI::App& command);
/// Throws Error(Input) where --allow-learner was given for work that other calls do, on another machine or in tasks of
/// Slurm: it holds in the call that it is given to. `there`: the other machine; nullptr: this one.
void refuseAllowLearnerElsewhere(const CLI::App& command, const RemotePlace* there);

/// A command adds itself and its arguments; it sets its action with Shell::onChosen().
struct Command {
    const char* name;
    void (*add)(CLI::App& app, Shell& shell);
};

/// All commands in the order of the help text.
std::span<const Command> commands();

void addRun(CLI::App& app, Shell& shell);
void addStream(CLI::App& app, Shell& shell);
void addMethods(CLI::App& app, Shell& shell);
void addMasks(CLI::App& app, Shell& shell);
void addDatasets(CLI::App& app, Shell& shell);
void addBackbones(CLI::App& app, Shell& shell);
void addPresets(CLI::App& app, Shell& shell);
void addOptions(CLI::App& app, Shell& shell);
void addIsa(CLI::App& app, Shell& shell);
void addPretrain(CLI::App& app, Shell& shell);
void addProbe(CLI::App& app, Shell& shell);
void addPrompts(CLI::App& app, Shell& shell);
void addDataset(CLI::App& app, Shell& shell);
void addSweep(CLI::App& app, Shell& shell);
void addLesson(CLI::App& app, Shell& shell);
void addLearner(CLI::App& app, Shell& shell);
void addFollow(CLI::App& app, Shell& shell);
void addRuns(CLI::App& app, Shell& shell);
void addImport(CLI::App& app, Shell& shell);
void addExport(CLI::App& app, Shell& shell);
void addDiff(CLI::App& app, Shell& shell);
void addReport(CLI::App& app, Shell& shell);
void addTalk(CLI::App& app, Shell& shell);
void addBench(CLI::App& app, Shell& shell);
void addTrust(CLI::App& app, Shell& shell);
void addLens(CLI::App& app, Shell& shell);
void addAttention(CLI::App& app, Shell& shell);
void addVerify(CLI::App& app, Shell& shell);
void addSelfcheck(CLI::App& app, Shell& shell);
void addDocuments(CLI::App& app, Shell& shell);

}  // namespace palimpsest
