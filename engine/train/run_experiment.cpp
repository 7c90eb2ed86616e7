// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <utility>

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/data/dataset_request.h"
#include "engine/method/initial_prompts.h"
#include "engine/network/compute.h"
#include "engine/network/explained_error.h"
#include "engine/network/weights.h"
#include "engine/record/checkpoint_ring.h"
#include "engine/record/forkable.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_history.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/train/apply_change.h"
#include "engine/train/engine_catalogue.h"
#include "engine/train/loop_settings.h"
#include "engine/train/method_setup.h"
#include "engine/train/run_checkpoints.h"
#include "engine/train/run_experiment.h"
#include "engine/train/run_images.h"
#include "engine/train/run_recorder.h"
#include "engine/train/run_start.h"

namespace palimpsest {
namespace {

/// Everything of one run, in the order it is made.
class ExperimentRun {
public:
    ExperimentRun(std::int64_t run, const Experiment& experiment, RunControl& control, RunObserver& observer)
        : run_(run), experiment_(experiment), control_(control), observer_(observer) {}

    RunEnded go(const RunPlace& place) {
        RunEnded ended;
        ended.run = run_;
        try {
            ended.how = learnUnlessGivenUp(place, ended) ? RunEnd::Finished : askedEnd();
        } catch (...) {
            fail(ended, explainedError(begun_ ? "the run folder" : "the experiment file", on_cpu_));
        }
        try {
            settle(ended);
        } catch (...) {
            fail(ended, explainedError(begun_ ? "the run folder" : "the experiment file", on_cpu_));
        }
        return ended;
    }

private:
    RunEnd askedEnd() const {
        return control_.verdict() == RunControl::Verdict::Abort ? RunEnd::Aborted : RunEnd::Stopped;
    }

    /// False when the run is to end before it has begun.
    bool prepares(const std::string& detail) {
        const bool ending = control_.ending();
        observer_.onState({run_, ending ? RunState::Stopping : RunState::Preparing, ending ? "" : detail});
        return !ending;
    }

    static void fail(RunEnded& ended, const Error& error) {
        ended.how = RunEnd::Failed;
        ended.error = error.what();
        ended.hint = error.hint();
        ended.kind = error.kind();
    }

    /// Only a run that has begun, and is not thrown away, keeps its folder.
    void settle(RunEnded& ended) {
        if (!writer_) return;
        // What a run had learned before it was gone on with is never thrown away.
        if (goes_on_ && ended.how == RunEnd::Aborted) ended.how = RunEnd::Stopped;
        if (!goes_on_ && (!begun_ || ended.how == RunEnd::Aborted)) {
            ended.folder.clear();
            writer_->discard();
            return;
        }
        writer_->onEnded(ended);
        if (ended.how != RunEnd::Failed) writer_->throwIfFailed();
    }

    /// False when the person ended the run early, also while its data set was being opened.
    bool learnUnlessGivenUp(const RunPlace& place, RunEnded& ended) {
        try {
            return learn(place, ended);
        } catch (const GivenUp&) {
            return prepares("");
        }
    }

    /// False when the person ended the run early.
    bool learn(const RunPlace& place, RunEnded& ended) {
        const OptionTable table(engineCatalogue());
        const auto problems = table.problems(experiment_);
        if (!problems.empty()) {
            std::string all;
            for (const std::string& problem : problems) all += (all.empty() ? "" : " ") + problem;
            throw inputError(all);
        }
        // Where a run is gone on with, or what it is a fork of.
        std::optional<SoundCheckpoint> from;
        const std::filesystem::path& origin = place.resume.empty() ? place.fork : place.resume;
        if (!place.resume.empty()) {
            from = newestSoundCheckpoint(origin);
        } else if (!place.fork.empty()) {
            from = SoundCheckpoint{forkableCheckpoint(origin, place.fork_at), {}};
        } else {
            writer_ = place.exact.empty() ? RunFolderWriter::create(table, experiment_, place.parent)
                                          : RunFolderWriter::createExact(table, experiment_, place.exact);
            writer_->addVersion("palimpsest", PALIMPSEST_VERSION);
            writer_->addVersion("libtorch", libtorchVersion());
        }
        ended.folder = writer_ ? writer_->folder().string() : place.resume.string();

        if (!prepares("Reading the data set")) return false;
        std::optional<StopScope> preparing(std::in_place, control_.endToken());
        const ImageDataset data = openDataset(datasetRequest(experiment_));
        const auto classes = static_cast<std::int64_t>(data.class_names.size());
        const auto plan =
            std::make_shared<const StreamPlan>(planExperimentStream(experiment_, data.train->labels(), classes));

        if (!prepares("Preparing the network")) return false;
        const auto seed = static_cast<std::uint64_t>(experiment_.seed);
        const Compute compute = prepareCompute(experiment_.device, experiment_.precision, experiment_.threads);
        on_cpu_ = compute.device.is_cpu();
        auto vit = std::make_shared<Vit>(loadBackbone(experiment_.backbone, seed, compute));
        MethodSetup setup = methodSetup(table, experiment_, std::move(vit), classes);
        std::string promptsNote;
        if (readsOption(table, experiment_, "initial_session.prompts"))
            promptsNote = otherBackboneNote(setup.initial_session.prompts, experiment_.backbone, seed);
        // An imported list has its own number of sessions.
        setup.sessions = static_cast<std::int64_t>(plan->sessions.size());
        setup.stream_samples = plan->totalSamples();
        const std::unique_ptr<Method> method = makeMethod(setup);

        RunImages images(experiment_, data, plan, setup.vit->shape().image_size, compute,
                         from ? from->record.batches : 0);
        preparing.reset();
        const std::string& hidden = experiment_.mask.evaluation;
        const bool seenOnly = hidden == "auto" ? method->evaluatesSeenOnly() : hidden == "seen";
        Evaluator evaluator(*method, images.test(), classes, seenOnly, evaluationBatch(experiment_.training.batch_size),
                            compute.device);

        if (!prepares("")) return false;
        const CheckpointFacts facts = checkpointFacts(table, experiment_, compute, plan->fingerprint());
        std::vector<LiveChange> changedByFork;
        TensorsByName saved;
        std::vector<LiveChange> changed;
        if (from) {
            saved = savedState(origin, from->record);
            changed = changesSinceBegin(origin);
        }
        if (!place.resume.empty()) {
            // Only now is anything in the folder touched.
            requireSameRun(origin, from->record.facts, facts);
            goes_on_ = true;
            // A checkpoint is older than what was changed at the same border: that, and what came later, comes again.
            for (const LiveChange& change : changed)
                if (change.at >= from->record.samples_seen) control_.change(change);
            writer_ = RunFolderWriter::reopen(table, origin, from->record.mark);
            dropCheckpointsAfter(origin, from->record.samples_seen);
        } else if (from) {
            std::erase_if(changed, [&](const LiveChange& change) { return change.at >= place.fork_at; });
            changedByFork = requireForkable(table, experiment_, origin, from->record, facts, changed);
            writer_ = RunFolderWriter::branch(table, experiment_, place.parent, place.exact, origin, place.fork_at,
                                              from->record.mark);
            ended.folder = writer_->folder().string();
        }
        RunStarted started = runStarted(table, experiment_, data, plan, compute, *method, promptsNote);
        started.run = run_;
        started.folder = ended.folder;
        started.experiment = experiment_;
        if (goes_on_)
            for (const LiveChange& change : changesSinceBegin(origin))
                table.setText(started.experiment, change.key, change.value);
        started.experiment.stream.sessions = static_cast<std::int64_t>(plan->sessions.size());
        std::optional<RunCheckpoints> checkpoints;
        std::function<void(const LiveChange&)> changes;
        RunRecorder recorder({run_, experiment_, plan, control_, observer_, *writer_, images.train(),
                              method->poolSize(), data.test->size(),
                              [&](bool evaluated) { checkpoints->save(evaluated); },
                              [&](const LiveChange& change) { changes(change); },
                              [&] {
                                  return method->hasOptimizer() ? method->optimizer().learningRate()
                                                                : experiment_.training.learning_rate;
                              }});
        OnlineLoop loop(loopSettings(experiment_, setup), *method, images.train(), evaluator, recorder);
        recorder.attach(loop);
        changes = [&](const LiveChange& change) { applyChange(table, change, loop, *method); };
        checkpoints.emplace(RunCheckpoints::Setup{*writer_, loop, recorder, images.train().unreadable(),
                                                  images.test().unreadable(), facts,
                                                  experiment_.evaluation.checkpoints << 20, compute.device});
        if (from) {
            try {
                checkpoints->restore(std::move(saved));
            } catch (const Error& error) {
                if (place.fork.empty()) throw;
                throw inputError("The state of " + origin.string() + " does not fit this fork: " + error.what(),
                                 "Set back what decides sizes, such as those of pools and prompts, or start a run of "
                                 "its own.");
            }
            if (place.fork.empty()) {
                recorder.goOnFrom({from->record.seconds, from->record.training_seconds}, writer_->shared());
            } else {
                recorder.goOnFrom({}, recorder.learnedSoFar());
                writer_->keepShared(recorder.learnedSoFar());
                started.fork = forkFacts(table, experiment_, origin, changed, place.fork_at);
            }
            for (const LiveChange& change : changedByFork) applyChange(table, change, loop, *method);
            started.resumed_at = loop.samplesSeen();
            started.past = std::make_shared<const RunRecord>(readRun(table, writer_->folder()));
            started.history = std::make_shared<RunHistory>(readHistory(writer_->folder(), data.class_names.size()));
            for (const std::string& note : from->passed_over) started.warnings.push_back(note);
        }
        begun_ = true;
        writer_->onStarted(started);
        observer_.onStarted(started);
        if (!place.resume.empty()) writer_->recordCommand(loop.samplesSeen(), "continue", "");
        if (!place.fork.empty()) {
            writer_->recordCommand(loop.samplesSeen(), "fork", origin.string());
            checkpoints->save(false);
        }
        images.train().unreadable().listen([&](const UnreadableImage& image) { recorder.leftOut(image.text(), true); });
        images.test().unreadable().listen([&](const UnreadableImage& image) { recorder.leftOut(image.text(), false); });
        try {
            const bool whole = loop.run(*plan);
            if (whole) recorder.keepState();
            // The work after the last session may have changed it since it was measured.
            recorder.recordMemory();
            ended.summary = recorder.summary();
            return whole;
        } catch (...) {
            // What was measured before it went wrong is worth keeping.
            ended.summary = recorder.summary();
            throw;
        }
    }

    std::int64_t run_;
    const Experiment& experiment_;
    RunControl& control_;
    RunObserver& observer_;
    std::unique_ptr<RunFolderWriter> writer_;
    bool begun_ = false;
    bool goes_on_ = false;
    bool on_cpu_ = true;
};

}  // namespace

void runExperiment(std::int64_t run, const Experiment& experiment, const RunPlace& place, RunControl& control,
                   RunObserver& observer) {
    const RunEnded ended = ExperimentRun(run, experiment, control, observer).go(place);
    try {
        observer.onEnded(ended);
    } catch (...) {
        // The run is over, and nobody is left who could be told.
    }
}

void goOnWithRun(std::int64_t run, const std::filesystem::path& folder, RunControl& control, RunObserver& observer) {
    RunEnded ended;
    try {
        const OptionTable table(engineCatalogue());
        runExperiment(run, resumableExperiment(table, folder), {{}, {}, folder}, control, observer);
        return;
    } catch (const Error& error) {
        ended = {.run = run,
                 .how = RunEnd::Failed,
                 .folder = folder.string(),
                 .summary = {},
                 .error = error.what(),
                 .hint = error.hint(),
                 .kind = error.kind()};
    }
    observer.onEnded(ended);
}

}  // namespace palimpsest
