// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "engine/train/run_checkpoints.h"
#include "engine/train/run_experiment.h"

namespace palimpsest {

/// Parts of a run that exist before its method.
struct RunParts {
    const OptionTable& table;
    const Experiment& experiment;
    RunControl& control;
    std::unique_ptr<RunFolderWriter> writer{};  ///< null until a step of the start opens the folder
};

/// Parts of a run that is ready to learn.
struct LearningParts {
    Method& method;
    OnlineLoop& loop;
    RunRecorder& recorder;
    RunCheckpoints& checkpoints;

    /// Applies a change of an option between two batches. Throws Error(Input) for an option that cannot be changed.
    void apply(const OptionTable& table, const LiveChange& change) const;
};

/// The steps of a run's preparation that depend on how it starts, in the order they are done. The base class does what
/// a fresh run needs after its first step.
class StartSteps {
public:
    explicit StartSteps(RunParts& parts) : parts_(parts) {}
    virtual ~StartSteps() = default;
    StartSteps(const StartSteps&) = delete;
    StartSteps& operator=(const StartSteps&) = delete;

    /// Before data and network are read. Returns the run's folder; empty: not known yet.
    virtual std::filesystem::path open() = 0;
    /// Batches of the stream that were learned before this start.
    virtual std::int64_t learnedBatches() const { return 0; }
    /// Once everything can be read that the run needs: from here on there is a folder. Nothing in an existing one is
    /// changed before. `facts`: of this run.
    virtual void enterFolder(const CheckpointFacts& /*facts*/) {}
    /// Before the first event: the state of the checkpoint, and its past for the event.
    virtual void restore(const LearningParts&, RunStarted&) {}
    /// Once the run has begun: its note in commands.csv.
    virtual void noteStart(const LearningParts&) {}
    /// True if the folder holds something that was learned before, so that it is never discarded.
    virtual bool keepsFolder() const { return false; }

protected:
    RunParts& parts_;
};

std::unique_ptr<StartSteps> makeStartSteps(const RunStart& start, RunParts& parts);

}  // namespace palimpsest
