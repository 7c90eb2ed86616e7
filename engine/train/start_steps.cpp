// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/start_steps.h"

#include <utility>

#include "engine/config/experiment_differences.h"
#include "engine/network/weights.h"
#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_history.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

class FreshSteps : public StartSteps {
public:
    FreshSteps(const FreshRun& start, RunParts& parts) : StartSteps(parts), start_(start) {}

    std::filesystem::path open() override {
        parts_.writer = start_.exact.empty()
                            ? RunFolderWriter::create(parts_.table, parts_.experiment, start_.parent)
                            : RunFolderWriter::createExact(parts_.table, parts_.experiment, start_.exact);
        parts_.writer->addVersion("palimpsest", PALIMPSEST_VERSION);
        parts_.writer->addVersion("libtorch", libtorchVersion());
        return parts_.writer->folder();
    }

private:
    const FreshRun& start_;
};

/// Steps of a run that begins with a checkpoint, its own or that of another run.
class CheckpointSteps : public StartSteps {
public:
    using StartSteps::StartSteps;
    std::int64_t learnedBatches() const override { return from_.record.batches; }

protected:
    /// Adds to the event what was measured up to the checkpoint.
    void addPast(const LearningParts& parts, RunStarted& started) const {
        const std::filesystem::path& folder = parts_.writer->folder();
        started.resumed_at = parts.loop.samplesSeen();
        started.past = std::make_shared<const RunRecord>(readRun(parts_.table, folder));
        started.history = std::make_shared<RunHistory>(readHistory(folder, started.class_names.size()));
        for (const std::string& note : from_.passed_over) started.warnings.push_back(note);
        const auto& before = started.past->program;
        if (before && started.program && before->digest != started.program->digest)
            started.warnings.push_back("The program " + started.program->name + " has changed since: it was " +
                                       before->text() + ", and from " + grouped(started.resumed_at) +
                                       " images on it is " + started.program->text() + ".");
    }

    SoundCheckpoint from_;
    TensorsByName saved_;  // its tensors, from enterFolder() to restore()
};

class ResumedSteps : public CheckpointSteps {
public:
    ResumedSteps(const ResumedRun& start, RunParts& parts) : CheckpointSteps(parts), folder_(start.folder) {}

    std::filesystem::path open() override {
        from_ = newestSoundCheckpoint(folder_);
        return folder_;
    }

    void enterFolder(const CheckpointFacts& facts) override {
        const CheckpointRecord& from = from_.record;
        saved_ = savedState(folder_, from);
        const std::vector<LiveChange> changed = changesSinceBegin(folder_);
        requireSameRun(folder_, from.facts, facts);
        // A checkpoint is older than what was changed at the same border: that, and what came later, comes again.
        for (const LiveChange& change : changed)
            if (change.at >= from.samples_seen) parts_.control.change(change);
        parts_.writer = RunFolderWriter::reopen(parts_.table, folder_, from.mark);
        dropCheckpointsAfter(folder_, from.samples_seen);
    }

    void restore(const LearningParts& parts, RunStarted& started) override {
        for (const LiveChange& change : changesSinceBegin(folder_))
            parts_.table.setText(started.experiment, change.key, change.value);
        parts.checkpoints.restore(std::move(saved_));
        parts.recorder.resumeFrom({from_.record.seconds, from_.record.training_seconds}, parts_.writer->sharedPast());
        addPast(parts, started);
    }

    void noteStart(const LearningParts& parts) override {
        parts_.writer->recordCommand(parts.loop.samplesSeen(), "continue", "");
    }

    bool keepsFolder() const override { return true; }

private:
    const std::filesystem::path& folder_;
};

/// Steps of a run that ended before its first checkpoint: it begins anew, in its own folder.
class RestartedSteps : public StartSteps {
public:
    RestartedSteps(const ResumedRun& start, RunParts& parts) : StartSteps(parts), folder_(start.folder) {}

    std::filesystem::path open() override { return folder_; }

    void enterFolder(const CheckpointFacts&) override {
        std::error_code ignored;
        // All that was changed on its way comes again, when it came.
        if (std::filesystem::exists(folder_ / "commands.csv", ignored))
            for (const LiveChange& change : changesSinceBegin(folder_)) parts_.control.change(change);
        parts_.writer = RunFolderWriter::restart(parts_.table, parts_.experiment, folder_);
        parts_.writer->addVersion("palimpsest", PALIMPSEST_VERSION);
        parts_.writer->addVersion("libtorch", libtorchVersion());
    }

    /// It holds the user's notes, perhaps, and is the run that was to be resumed.
    bool keepsFolder() const override { return true; }

private:
    const std::filesystem::path& folder_;
};

class ForkSteps : public CheckpointSteps {
public:
    ForkSteps(const ForkedRun& start, RunParts& parts) : CheckpointSteps(parts), start_(start) {}

    std::filesystem::path open() override {
        from_ = SoundCheckpoint{forkableCheckpoint(start_.origin, start_.at), {}};
        return {};
    }

    void enterFolder(const CheckpointFacts& facts) override {
        saved_ = savedState(start_.origin, from_.record);
        changed_before_ = changesSinceBegin(start_.origin);
        std::erase_if(changed_before_, [&](const LiveChange& change) { return change.at >= start_.at; });
        changed_by_fork_ =
            requireForkable(parts_.table, parts_.experiment, start_.origin, from_.record, facts, changed_before_);
        parts_.writer = RunFolderWriter::branch(parts_.table, parts_.experiment, start_.parent, start_.exact,
                                                start_.origin, start_.at, from_.record.mark);
    }

    void restore(const LearningParts& parts, RunStarted& started) override {
        try {
            parts.checkpoints.restore(std::move(saved_));
        } catch (const Error& error) {
            throw inputError("The state of " + start_.origin.string() + " does not fit this fork: " + error.what(),
                             parts.method.program()
                                 ? error.hint()
                                 : "Set back what decides sizes, such as those of pools and prompts, "
                                   "or start a run of its own.");
        }
        parts.recorder.resumeFrom({}, parts.recorder.learnedSoFar());
        parts_.writer->setSharedPast(parts.recorder.learnedSoFar());
        started.fork = facts();
        for (const LiveChange& change : changed_by_fork_) parts.apply(parts_.table, change);
        addPast(parts, started);
    }

    void noteStart(const LearningParts& parts) override {
        parts_.writer->recordCommand(parts.loop.samplesSeen(), "fork", start_.origin.string());
        parts.checkpoints.save(false);
    }

private:
    ForkFacts facts() const {
        const Experiment& experiment = parts_.experiment;
        const Experiment begun = pinnedExperiment(parts_.table, start_.origin);
        Experiment before = forkedExperiment(parts_.table, begun, changed_before_, start_.at);
        // These agree, or there were no fork; but one may say "auto" where the other names what that is.
        before.device = experiment.device;
        before.precision = experiment.precision;
        before.threads = experiment.threads;
        ForkFacts facts{begun.name, start_.origin.string(), {}};
        for (const ExperimentDifference& each : experimentDifferences(parts_.table, before, experiment))
            facts.differences.push_back(each.text());
        return facts;
    }

    const ForkedRun& start_;
    std::vector<LiveChange> changed_before_;   // in the origin, on its way to the checkpoint
    std::vector<LiveChange> changed_by_fork_;  // applied by the fork before it learns
};

std::unique_ptr<StartSteps> stepsOf(const FreshRun& start, RunParts& parts) {
    return std::make_unique<FreshSteps>(start, parts);
}
std::unique_ptr<StartSteps> stepsOf(const ResumedRun& start, RunParts& parts) {
    if (neverLearned(parts.table, start.folder)) return std::make_unique<RestartedSteps>(start, parts);
    return std::make_unique<ResumedSteps>(start, parts);
}
std::unique_ptr<StartSteps> stepsOf(const ForkedRun& start, RunParts& parts) {
    return std::make_unique<ForkSteps>(start, parts);
}

}  // namespace

void LearningParts::apply(const OptionTable& table, const LiveChange& change) const {
    Experiment changed = table.defaults();
    table.setText(changed, change.key, change.value);
    if (change.key == "mask.name") {
        loop.setMask(kMaskKinds.at(changed.mask.name));
    } else if (change.key == "mask.form") {
        loop.setMaskForm(kMaskForms.at(changed.mask.form));
    } else if (change.key == "evaluation.every_samples") {
        loop.setEvery(changed.evaluation.every_samples);
    } else if (change.key == "training.learning_rate") {
        if (method.hasOptimizer()) method.optimizer().setLearningRate(changed.training.learning_rate);
    } else {
        throw inputError("The option " + change.key + " cannot be changed while a run goes on.",
                         "Start another run with it.");
    }
}

std::unique_ptr<StartSteps> makeStartSteps(const RunStart& start, RunParts& parts) {
    return std::visit([&](const auto& one) { return stepsOf(one, parts); }, start);
}

}  // namespace palimpsest
