// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <span>

#include "engine/config/option_table.h"

namespace palimpsest {

/// State shared by the commands.
struct Shell {
    /// The engine's option table, made on first use, so that help does not wait for it.
    const OptionTable& table();
    /// The chosen command's action; returns the exit code.
    std::function<int()> action;

private:
    std::unique_ptr<OptionTable> table_;
};

/// A command adds itself and its arguments; when it is chosen it sets `shell.action`.
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
void addRuns(CLI::App& app, Shell& shell);
void addReport(CLI::App& app, Shell& shell);
void addBench(CLI::App& app, Shell& shell);
void addVerify(CLI::App& app, Shell& shell);
void addSelfcheck(CLI::App& app, Shell& shell);

}  // namespace palimpsest
