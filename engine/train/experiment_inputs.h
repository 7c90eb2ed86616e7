// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/config/option_table.h"
#include "engine/inputs/experiment_choices.h"

// What an experiment names, as far as LibTorch is needed for it: files of weights and prompts.

namespace palimpsest {

/// Throws Error(Input) when weights, prompts or a covariance that the experiment names, and that its method reads, are
/// not there. Opens no file.
void requireNamedFiles(const OptionTable& table, const Experiment& experiment);

/// True if the experiment's device, or "auto", is a GPU here.
bool learnsOnGpu(const Experiment& experiment);
/// Estimate of the memory that a run takes, in bytes, from its backbone's shape and its batches.
std::int64_t learningMemory(const Experiment& experiment);

/// Checks before any run begins everything that could keep it from beginning, its data set and its device aside. Works
/// on the processor, and reads weights once for successive experiments with the same backbone.
class ExperimentCheck {
public:
    virtual ~ExperimentCheck() = default;
    /// Reads the weights as a run does, makes the prompts that its method names blocks for, and loads those of an
    /// initial session. Throws Error(Input) for files that are not there or no weights, for weights of another backbone
    /// than is named, for blocks that the network lacks and for prompts that do not fit; GivenUp when the thread's
    /// StopScope asks for it.
    virtual void check(const Experiment& experiment) = 0;
};

/// The table must outlive the check.
std::unique_ptr<ExperimentCheck> experimentCheck(const OptionTable& table);

}  // namespace palimpsest
