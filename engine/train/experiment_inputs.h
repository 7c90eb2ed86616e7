// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/config/option_table.h"
#include "engine/run/laboratory.h"

// Things that an experiment names: what it can choose from, the labels of its data set, and files of weights and
// prompts.

namespace palimpsest {

/// Methods, masks, data sets and backbones that an experiment can name.
Catalogue engineCatalogue();

/// Labels of the experiment's data set; no image is read. Throws Error(Input) when it is not installed.
std::shared_ptr<const DatasetLabels> experimentLabels(const Experiment& experiment);

/// Throws Error(Input) with all problems of the options, and `hint`.
void requireNoProblems(const OptionTable& table, const Experiment& experiment, const std::string& hint = {});

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
