// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_experiment.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/data/dataset_opening.h"
#include "engine/method/initial_prompts.h"
#include "engine/network/compute.h"
#include "engine/network/explained_error.h"
#include "engine/network/weights.h"
#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_folder_writer.h"
#include "engine/record/run_history.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/train/engine_catalogue.h"
#include "engine/train/method_setup.h"
#include "engine/train/run_checkpoints.h"
#include "engine/train/run_images.h"
#include "engine/train/run_news.h"
#include "engine/train/run_recorder.h"

namespace palimpsest {
namespace {

void applyChange(const OptionTable& table, const LiveChange& change, OnlineLoop& loop, Method& method) {
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

/// One run, from its start to its end.
class ExperimentRun {
public:
    ExperimentRun(std::int64_t run, const Experiment& experiment, const RunStart& start, RunControl& control,
                  RunObserver& observer)
        : run_(run),
          experiment_(experiment),
          start_(start),
          control_(control),
          observer_(observer),
          table_(engineCatalogue()) {}

    RunEnded go() {
        RunEnded ended;
        ended.run = run_;
        try {
            ended.how = learnUnlessGivenUp(ended) ? RunEnd::Finished : askedEnd();
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
    /// Network, and method that learns with it.
    struct Learner {
        Compute compute;
        MethodSetup setup;
        std::unique_ptr<Method> method;
        std::string prompts_note;  // warning about the prompts that it loads; may be empty
    };
    /// Loop and method, and what records and keeps their state.
    struct Session {
        Method& method;
        OnlineLoop& loop;
        RunRecorder& recorder;
        RunCheckpoints& checkpoints;
    };

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

    bool resumes() const { return std::holds_alternative<ResumedRun>(start_); }

    /// Only a run that has begun, and is not thrown away, keeps its folder.
    void settle(RunEnded& ended) {
        if (!writer_) return;
        // A run that was resumed is never thrown away: it had learned something before.
        if (resumes() && ended.how == RunEnd::Aborted) ended.how = RunEnd::Stopped;
        if (!resumes() && (!begun_ || ended.how == RunEnd::Aborted)) {
            ended.folder.clear();
            writer_->discard();
            return;
        }
        writer_->onEnded(ended);
        if (ended.how != RunEnd::Failed) writer_->throwIfFailed();
    }

    /// False when the user ended the run early, also while its data set was being opened.
    bool learnUnlessGivenUp(RunEnded& ended) {
        try {
            return prepareAndLearn(ended);
        } catch (const GivenUp&) {
            return prepares("");
        }
    }

    void requireSound() const {
        const auto problems = table_.problems(experiment_);
        if (problems.empty()) return;
        std::string all;
        for (const std::string& problem : problems) all += (all.empty() ? "" : " ") + problem;
        throw inputError(all);
    }

    // First step of each start: the folder of a fresh run, the checkpoint of the others.

    void open(const FreshRun& fresh) {
        writer_ = fresh.exact.empty() ? RunFolderWriter::create(table_, experiment_, fresh.parent)
                                      : RunFolderWriter::createExact(table_, experiment_, fresh.exact);
        writer_->addVersion("palimpsest", PALIMPSEST_VERSION);
        writer_->addVersion("libtorch", libtorchVersion());
    }
    void open(const ResumedRun& resumed) { from_ = newestSoundCheckpoint(resumed.folder); }
    void open(const ForkedRun& fork) { from_ = SoundCheckpoint{forkableCheckpoint(fork.origin, fork.at), {}}; }

    // Second step, when all is ready to learn: the folder of a run that has a past. Only now is anything in it touched.

    void enterFolder(const FreshRun&) {}
    void enterFolder(const ResumedRun& resumed) {
        saved_ = savedState(resumed.folder, from_->record);
        const std::vector<LiveChange> changed = changesSinceBegin(resumed.folder);
        requireSameRun(resumed.folder, from_->record.facts, facts_);
        // A checkpoint is older than what was changed at the same border: that, and what came later, comes again.
        for (const LiveChange& change : changed)
            if (change.at >= from_->record.samples_seen) control_.change(change);
        writer_ = RunFolderWriter::reopen(table_, resumed.folder, from_->record.mark);
        dropCheckpointsAfter(resumed.folder, from_->record.samples_seen);
    }
    void enterFolder(const ForkedRun& fork) {
        saved_ = savedState(fork.origin, from_->record);
        changed_before_ = changesSinceBegin(fork.origin);
        std::erase_if(changed_before_, [&](const LiveChange& change) { return change.at >= fork.at; });
        changed_by_fork_ = requireForkable(table_, experiment_, fork.origin, from_->record, facts_, changed_before_);
        writer_ = RunFolderWriter::branch(table_, experiment_, fork.parent, fork.exact, fork.origin, fork.at,
                                          from_->record.mark);
    }

    // Third step: the state of the checkpoint.

    void restore(const FreshRun&, const Session&, RunStarted&) {}
    void restore(const ResumedRun&, const Session& session, RunStarted&) {
        session.checkpoints.restore(std::move(saved_));
        session.recorder.resumeFrom({from_->record.seconds, from_->record.training_seconds}, writer_->sharedPast());
    }
    void restore(const ForkedRun& fork, const Session& session, RunStarted& started) {
        try {
            session.checkpoints.restore(std::move(saved_));
        } catch (const Error& error) {
            throw inputError("The state of " + fork.origin.string() + " does not fit this fork: " + error.what(),
                             "Set back what decides sizes, such as those of pools and prompts, or start a run of "
                             "its own.");
        }
        session.recorder.resumeFrom({}, session.recorder.learnedSoFar());
        writer_->setSharedPast(session.recorder.learnedSoFar());
        started.fork = forkFacts(table_, experiment_, fork.origin, changed_before_, fork.at);
        for (const LiveChange& change : changed_by_fork_) applyChange(table_, change, session.loop, session.method);
    }

    // Last step, once the run has begun: its note in commands.csv.

    void noteStart(const FreshRun&, const Session&) {}
    void noteStart(const ResumedRun&, const Session& session) {
        writer_->recordCommand(session.loop.samplesSeen(), "continue", "");
    }
    void noteStart(const ForkedRun& fork, const Session& session) {
        writer_->recordCommand(session.loop.samplesSeen(), "fork", fork.origin.string());
        session.checkpoints.save(false);
    }

    Learner makeLearner(std::int64_t classes, const StreamPlan& plan) {
        const auto seed = static_cast<std::uint64_t>(experiment_.seed);
        Learner learner;
        learner.compute = prepareCompute(experiment_.device, experiment_.precision, experiment_.threads);
        on_cpu_ = learner.compute.device.is_cpu();
        auto vit = std::make_shared<Vit>(loadBackbone(experiment_.backbone, seed, learner.compute));
        learner.setup = methodSetup(table_, experiment_, std::move(vit), classes);
        if (readsOption(table_, experiment_, "initial_session.prompts"))
            learner.prompts_note = otherBackboneNote(learner.setup.initial_session.prompts, experiment_.backbone, seed);
        // An imported list has its own number of sessions.
        learner.setup.sessions = static_cast<std::int64_t>(plan.sessions.size());
        learner.setup.stream_samples = plan.totalSamples();
        learner.method = makeMethod(learner.setup);
        return learner;
    }

    /// False when the user ended the run early.
    bool prepareAndLearn(RunEnded& ended) {
        requireSound();
        std::visit([&](const auto& start) { open(start); }, start_);
        if (writer_) ended.folder = writer_->folder().string();
        if (const auto* resumed = std::get_if<ResumedRun>(&start_)) ended.folder = resumed->folder.string();

        if (!prepares("Reading the data set")) return false;
        std::optional<StopScope> preparing(std::in_place, control_.endToken());
        const ImageDataset data = openDataset(datasetRequest(experiment_));
        const auto classes = static_cast<std::int64_t>(data.class_names.size());
        const auto plan =
            std::make_shared<const StreamPlan>(planExperimentStream(experiment_, data.train->labels(), classes));

        if (!prepares("Preparing the network")) return false;
        const Learner learner = makeLearner(classes, *plan);
        RunImages images(experiment_, data, plan, learner.setup.vit->shape().image_size, learner.compute,
                         from_ ? from_->record.batches : 0);
        preparing.reset();

        if (!prepares("")) return false;
        facts_ = checkpointFacts(table_, experiment_, learner.compute, plan->fingerprint());
        std::visit([&](const auto& start) { enterFolder(start); }, start_);
        ended.folder = writer_->folder().string();
        return learn(data, plan, learner, images, ended);
    }

    RunStarted startedEvent(const ImageDataset& data, const std::shared_ptr<const StreamPlan>& plan,
                            const Learner& learner) const {
        RunStarted started =
            runStarted(table_, experiment_, data, plan, learner.compute, *learner.method, learner.prompts_note);
        started.run = run_;
        started.folder = writer_->folder().string();
        started.experiment = experiment_;
        if (const auto* resumed = std::get_if<ResumedRun>(&start_))
            for (const LiveChange& change : changesSinceBegin(resumed->folder))
                table_.setText(started.experiment, change.key, change.value);
        started.experiment.stream.sessions = static_cast<std::int64_t>(plan->sessions.size());
        return started;
    }

    /// Adds what was measured up to the checkpoint.
    void addPast(RunStarted& started, std::int64_t samplesSeen) const {
        started.resumed_at = samplesSeen;
        started.past = std::make_shared<const RunRecord>(readRun(table_, writer_->folder()));
        started.history = std::make_shared<RunHistory>(readHistory(writer_->folder(), started.class_names.size()));
        for (const std::string& note : from_->passed_over) started.warnings.push_back(note);
    }

    /// False when the user ended the run early.
    bool learn(const ImageDataset& data, const std::shared_ptr<const StreamPlan>& plan, const Learner& learner,
               RunImages& images, RunEnded& ended) {
        Method& method = *learner.method;
        const std::string& hidden = experiment_.mask.evaluation;
        const bool seenOnly = hidden == "auto" ? method.evaluatesSeenOnly() : hidden == "seen";
        Evaluator evaluator(method, images.test(), static_cast<std::int64_t>(data.class_names.size()), seenOnly,
                            evaluationBatch(experiment_.training.batch_size), learner.compute.device);
        RunStarted started = startedEvent(data, plan, learner);
        RunRecorder recorder({run_, experiment_, plan, control_, observer_, *writer_, images.train(), method.poolSize(),
                              data.test->size(), [&] {
                                  return method.hasOptimizer() ? method.optimizer().learningRate()
                                                               : experiment_.training.learning_rate;
                              }});
        OnlineLoop loop(loopSettings(experiment_, learner.setup), method, images.train(), evaluator, recorder);
        RunCheckpoints checkpoints({*writer_, loop, recorder, images.train().unreadable(), images.test().unreadable(),
                                    facts_, experiment_.evaluation.checkpoints << 20, learner.compute.device});
        recorder.attach(loop, {[&](bool evaluated) { checkpoints.save(evaluated); },
                               [&](const LiveChange& change) { applyChange(table_, change, loop, method); }});
        const Session session{method, loop, recorder, checkpoints};
        std::visit([&](const auto& start) { restore(start, session, started); }, start_);
        if (from_) addPast(started, loop.samplesSeen());
        begin(session, started);
        images.train().unreadable().listen([&](const UnreadableImage& image) { recorder.leftOut(image.text(), true); });
        images.test().unreadable().listen([&](const UnreadableImage& image) { recorder.leftOut(image.text(), false); });
        return learnStream(*plan, session, ended);
    }

    void begin(const Session& session, const RunStarted& started) {
        begun_ = true;
        writer_->onStarted(started);
        observer_.onStarted(started);
        std::visit([&](const auto& start) { noteStart(start, session); }, start_);
    }

    static bool learnStream(const StreamPlan& plan, const Session& session, RunEnded& ended) {
        try {
            const bool whole = session.loop.run(plan);
            if (whole) session.recorder.keepState();
            // The work after the last session may have changed it since it was measured.
            session.recorder.recordMemory();
            ended.summary = session.recorder.summary();
            return whole;
        } catch (...) {
            // Numbers measured before it went wrong are worth keeping.
            ended.summary = session.recorder.summary();
            throw;
        }
    }

    const std::int64_t run_;
    const Experiment& experiment_;
    const RunStart& start_;
    RunControl& control_;
    RunObserver& observer_;
    const OptionTable table_;
    std::unique_ptr<RunFolderWriter> writer_;
    CheckpointFacts facts_;
    bool begun_ = false;
    bool on_cpu_ = true;

    // Past of a run that is resumed or forked.
    std::optional<SoundCheckpoint> from_;
    TensorsByName saved_;
    std::vector<LiveChange> changed_before_;   // in a fork's origin, on its way to the checkpoint
    std::vector<LiveChange> changed_by_fork_;  // made at once by the fork
};

}  // namespace

void runExperiment(std::int64_t run, const Experiment& experiment, const RunStart& start, RunControl& control,
                   RunObserver& observer) {
    const RunEnded ended = ExperimentRun(run, experiment, start, control, observer).go();
    try {
        observer.onEnded(ended);
    } catch (...) {
        // The run is over, and no listener is left.
    }
}

void resumeRun(std::int64_t run, const std::filesystem::path& folder, RunControl& control, RunObserver& observer) {
    RunEnded ended;
    try {
        const OptionTable table(engineCatalogue());
        runExperiment(run, resumableExperiment(table, folder), ResumedRun{folder}, control, observer);
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
