// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_experiment.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/inputs/dataset_opening.h"
#include "engine/learner/learner_process.h"
#include "engine/method/initial_prompts.h"
#include "engine/network/device_copies.h"
#include "engine/network/device_graph.h"
#include "engine/network/explained_error.h"
#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/stop_scope.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_news.h"
#include "engine/train/run_setup.h"
#include "engine/train/start_steps.h"

namespace palimpsest {
namespace {

/// Ends the listening before the recorder goes.
struct ListenedTo {
    Method& method;
    ~ListenedTo() { method.listenToWaits(nullptr); }
};

/// While it lives, the wait for a program that learns ends with the token.
class EndsLearner {
public:
    EndsLearner(const std::stop_token& token, std::stop_source& learner)
        : callback_(token, [&learner] { learner.request_stop(); }) {}

private:
    std::stop_callback<std::function<void()>> callback_;
};

/// One run, from its start to its end; the steps of its preparation are members in the order they are done.
class ExperimentRun {
public:
    ExperimentRun(std::int64_t run, const Experiment& experiment, const RunStart& start, RunControl& control,
                  RunObserver& observer)
        : run_(run),
          experiment_(experiment),
          control_(control),
          observer_(observer),
          table_(engineCatalogue()),
          parts_{table_, experiment, control},
          start_(makeStartSteps(start, parts_)) {}

    RunEnded run() {
        ended_.run = run_;
        failOnThrow([&] { ended_.how = learnUnlessGivenUp() ? RunEnd::Finished : requestedEnd(); });
        failOnThrow([&] { closeFolder(); });
        return ended_;
    }

private:
    template <class Work>
    void failOnThrow(const Work& work) {
        try {
            work();
        } catch (const LearnerRefused& refused) {
            fail(refused);
            ended_.refused = refused.command();
        } catch (...) {
            fail(explainedError(begun_ ? "the run folder" : "the experiment file", on_cpu_));
        }
    }

    void fail(const Error& error) {
        ended_.how = RunEnd::Failed;
        ended_.error = error.what();
        ended_.hint = error.hint();
        ended_.kind = error.kind();
    }

    RunEnd requestedEnd() const {
        return control_.verdict() == RunControl::Verdict::Abort ? RunEnd::Aborted : RunEnd::Stopped;
    }

    /// Only a run that has begun, and is not aborted, keeps its folder.
    void closeFolder() {
        RunFolderWriter* const writer = parts_.writer.get();
        if (!writer) return;
        if (start_->keepsFolder() && ended_.how == RunEnd::Aborted) ended_.how = RunEnd::Stopped;
        if (!start_->keepsFolder() && (!begun_ || ended_.how == RunEnd::Aborted)) {
            ended_.folder.clear();
            writer->discard();
            return;
        }
        writer->onEnded(ended_);
        if (ended_.how == RunEnd::Failed) noteCheckpoint();
        if (ended_.how != RunEnd::Failed) writer->throwIfFailed();
    }

    void noteCheckpoint() {
        try {
            ended_.resumable = !listCheckpoints(ended_.folder).empty();
        } catch (const Error&) {
            // Whoever resumes the run is told.
        }
    }

    /// False when the user ended the run early, also while its data set was being opened.
    bool learnUnlessGivenUp() {
        try {
            return prepareAndLearn();
        } catch (const GivenUp&) {
            return announce("");
        }
    }

    /// Announces the next step of the preparation; false when the run is to end before it.
    bool announce(const std::string& detail) {
        const bool ending = control_.ending();
        observer_.onState({run_, ending ? RunState::Stopping : RunState::Preparing, ending ? "" : detail});
        return !ending;
    }

    /// False when the user ended the run early.
    bool prepareAndLearn() {
        requireNoProblems(table_, experiment_);
        ended_.folder = start_->open().string();

        if (!announce("Reading the data set")) return false;
        std::optional<StopScope> preparing(std::in_place, control_.endToken());
        std::optional<EndsLearner> preparing_learner(std::in_place, control_.endToken(), learner_end_);
        const ImageDataset data = openDataset(datasetRequest(experiment_));
        const auto classes = static_cast<std::int64_t>(data.class_names.size());
        const auto plan =
            std::make_shared<const StreamPlan>(planExperimentStream(experiment_, data.train->labels(), classes));

        if (!announce("Preparing the network")) return false;
        const Learner learner = prepareLearner(classes, *plan);
        RunImages images(experiment_, data, plan, learner.setup.vit->shape().image_size, learner.compute,
                         start_->learnedBatches());
        preparing.reset();
        preparing_learner.reset();

        if (!announce("")) return false;
        const CheckpointFacts facts = checkpointFacts(table_, experiment_, learner.compute, plan->fingerprint());
        start_->enterFolder(facts);
        ended_.folder = parts_.writer->folder().string();
        return learn(data, plan, learner, images, facts);
    }

    Learner prepareLearner(std::int64_t classes, const StreamPlan& plan) {
        const Compute compute = prepareCompute(experiment_.device, experiment_.precision, experiment_.threads);
        on_cpu_ = compute.device.is_cpu();
        stream_.emplace(compute.device);
        Learner learner =
            makeLearner(table_, experiment_, classes, plan, compute, makeMethod, learner_end_.get_token());
        if (readsOption(table_, experiment_, "initial_session.prompts"))
            prompts_note_ = otherBackboneNote(learner.setup.initial_session.prompts, experiment_.backbone,
                                              static_cast<std::uint64_t>(experiment_.seed));
        if (!on_cpu_ && experiment_.gpu.graph)
            learner.method->recordUpdates([device = compute.device] { return makeDeviceGraph(device); });
        return learner;
    }

    /// False when the user ended the run early.
    bool learn(const ImageDataset& data, const std::shared_ptr<const StreamPlan>& plan, const Learner& learner,
               RunImages& images, const CheckpointFacts& facts) {
        Method& method = *learner.method;
        UnreadableImages &unreadableTrain = images.train().unreadable(), &unreadableTest = images.test().unreadable();
        Evaluator evaluator(method, images.test(), static_cast<std::int64_t>(data.class_names.size()),
                            evaluatesSeenOnly(experiment_, method), evaluationBatch(experiment_.training.batch_size),
                            learner.compute.device, experiment_.evaluation.anytime_part);
        evaluator.watch(data.watched);
        RunStarted event = started(data, plan, learner);
        RunRecorder recorder({run_, experiment_, plan, control_, observer_, *parts_.writer, images.train(),
                              method.poolSize(), data.test->size(), [&] {
                                  return method.hasOptimizer() ? method.optimizer().learningRate()
                                                               : experiment_.training.learning_rate;
                              }});
        OnlineLoop loop(loopSettings(experiment_, learner.setup), method, images.train(), evaluator, recorder);
        evaluator.recordFor({[&] {
                                 return parts_.writer->wantsTopClasses(loop.samplesSeen(), data.test->size(),
                                                                       plan->totalSamples());
                             },
                             [&](std::size_t width, bool still) {
                                 FeatureMoment asked;
                                 asked.samples_seen = loop.samplesSeen();
                                 asked.width = width;
                                 asked.still = still;
                                 return parts_.writer->wantsFeatures(asked, plan->totalSamples());
                             }});
        RunCheckpoints checkpoints({*parts_.writer, loop, recorder, unreadableTrain, unreadableTest, facts,
                                    experiment_.evaluation.checkpoints << 20, learner.compute.device});
        const LearningParts parts{method, loop, recorder, checkpoints};
        recorder.attach(loop, {[&](bool evaluated) { checkpoints.save(evaluated); },
                               [&](const LiveChange& change) { parts.apply(table_, change); },
                               [&] { checkpoints.hold(); }, [&] { checkpoints.saveHeld(); }});

        method.listenToWaits([&recorder](const std::optional<LearnerWait>& wait) { recorder.waiting(wait); });
        const ListenedTo listened{method};
        start_->restore(parts, event);
        begun_ = true;
        parts_.writer->onStarted(event);
        observer_.onStarted(event);
        start_->noteStart(parts);
        unreadableTrain.listen([&](const UnreadableImage& image) { recorder.leftOut(image.text(), true); });
        unreadableTest.listen([&](const UnreadableImage& image) { recorder.leftOut(image.text(), false); });
        return learnStream(*plan, loop, recorder);
    }

    RunStarted started(const ImageDataset& data, const std::shared_ptr<const StreamPlan>& plan,
                       const Learner& learner) const {
        RunStarted event =
            startedEvent(table_, experiment_, data, plan, learner.compute, *learner.method, prompts_note_);
        event.run = run_;
        event.folder = parts_.writer->folder().string();
        event.experiment = experiment_;
        if (event.program) event.experiment.program = event.program->name;
        event.experiment.stream.sessions = static_cast<std::int64_t>(plan->sessions.size());
        return event;
    }

    bool learnStream(const StreamPlan& plan, OnlineLoop& loop, RunRecorder& recorder) {
        try {
            recorder.beginLearning();
            const bool whole = loop.run(plan);
            if (whole) recorder.keepState();
            // The work after the last session may have changed it since it was measured.
            recorder.recordMemory();
            ended_.summary = recorder.summary();
            return whole;
        } catch (const LearnerStopped& stopped) {
            ended_.summary = recorder.summary();
            recorder.learnerStopped(stopped.sentence());
            throw;
        } catch (...) {
            // Numbers measured before it went wrong are worth keeping.
            ended_.summary = recorder.summary();
            throw;
        }
    }

    const std::int64_t run_;
    const Experiment& experiment_;
    RunControl& control_;
    RunObserver& observer_;
    const OptionTable table_;
    RunParts parts_;
    const std::unique_ptr<StartSteps> start_;
    RunEnded ended_;
    std::stop_source learner_end_;
    const EndsLearner ends_learner_{control_.nowToken(), learner_end_};
    bool begun_ = false;
    bool on_cpu_ = true;
    std::optional<ComputeStream> stream_;  // from when it is known what computes, to the end of the run
    std::string prompts_note_;             // warning about the prompts that the method loads; may be empty
};

}  // namespace

void runExperiment(std::int64_t run, const Experiment& experiment, const RunStart& start, RunControl& control,
                   RunObserver& observer) {
    const RunEnded ended = ExperimentRun(run, experiment, start, control, observer).run();
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
