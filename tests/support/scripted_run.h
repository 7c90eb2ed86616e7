// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/method_options/prompt_options.h"
#include "engine/metrics/metrics.h"
#include "engine/run/laboratory.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/error.h"
#include "tests/support/test_catalogue.h"

namespace palimpsest::testing {

/// A run without a network: plans the real stream of an experiment over made-up labels and emits every kind of event
/// with plausible numbers. Each batch waits at a gate that the test opens.
class ScriptedRun {
public:
    struct Script {
        std::int64_t images = 600;  ///< training images, spread evenly over the classes
        std::int64_t classes = 10;
        int pace_ms = 0;                  ///< pause after each batch, so that the user or a test can act
        std::int64_t fail_at_batch = -1;  ///< from 1; 0: while preparing
        std::string error = "The data set is cut short in train-images.gz.";
        std::string hint = "Install it again.";
        std::optional<LearnerCommand> refused{};  ///< why it fails
    };

    ScriptedRun() : ScriptedRun(Script()) {}
    explicit ScriptedRun(Script script) : state_(std::make_shared<State>()) { state_->script = std::move(script); }
    ScriptedRun(const ScriptedRun&) = delete;
    ScriptedRun& operator=(const ScriptedRun&) = delete;
    /// Opens the gate, so that no run waits for ever.
    ~ScriptedRun() { allowAll(); }

    /// Lets `batches` more batches pass.
    void allow(std::int64_t batches) {
        const std::lock_guard lock(state_->mutex);
        state_->allowed += batches;
        state_->wake.notify_all();
    }
    void allowAll() { allow(std::int64_t{1} << 40); }
    /// Batches learned by all runs so far.
    std::int64_t learned() const {
        const std::lock_guard lock(state_->mutex);
        return state_->learned;
    }
    /// Number of requested checkpoints.
    std::int64_t kept() const {
        const std::lock_guard lock(state_->mutex);
        return state_->kept;
    }
    /// Number of times that labels were requested.
    std::int64_t labelReads() const {
        const std::lock_guard lock(state_->mutex);
        return state_->label_reads;
    }

    RunFunction function() const {
        return
            [state = state_](std::int64_t run, const Experiment& experiment, RunControl& control,
                             RunObserver& observer) { Performance(*state, run, experiment, control, observer).play(); };
    }

    static Catalogue catalogue() { return testCatalogue(); }

    Laboratory laboratory() const {
        Laboratory lab;
        lab.catalogue = catalogue();
        lab.run = function();
        lab.labels = [state = state_](const Experiment& experiment) { return state->labels(experiment); };
        lab.version = "0.1.0";
        lab.engine = [] {
            EngineFacts facts;
            facts.libtorch = "1.13.1";
            facts.device = "a script";
            facts.gpu_state = GpuState::NoCuda;
            return facts;
        };
        return lab;
    }

private:
    struct State {
        Script script;
        mutable std::mutex mutex;
        std::condition_variable wake;
        std::int64_t allowed = 0;
        std::int64_t learned = 0;
        std::int64_t label_reads = 0;
        std::int64_t kept = 0;

        std::shared_ptr<const DatasetLabels> labels(const Experiment& experiment) {
            {
                const std::lock_guard lock(mutex);
                ++label_reads;
            }
            static const std::vector<std::string> names{"T-shirt", "Trouser", "Pullover", "Dress", "Coat",
                                                        "Sandal",  "Shirt",   "Sneaker",  "Bag",   "Boot"};
            auto result = std::make_shared<DatasetLabels>();
            result->name = experiment.stream.dataset;
            result->title = "Fashion-MNIST";
            for (std::int64_t i = 0; i < script.classes; ++i)
                result->class_names.push_back(i < 10 ? names[static_cast<std::size_t>(i)]
                                                     : "class " + std::to_string(i));
            const std::int64_t limit = experiment.stream.train_limit;
            const std::int64_t images = limit > 0 ? std::min(limit, script.images) : script.images;
            for (std::int64_t i = 0; i < images; ++i)
                result->train.push_back(static_cast<std::int32_t>(i % script.classes));
            result->test = result->train;
            return result;
        }
    };

    /// One run of the script.
    class Performance {
    public:
        Performance(State& state, std::int64_t run, const Experiment& experiment, RunControl& control,
                    RunObserver& observer)
            : state_(state), run_(run), experiment_(experiment), control_(control), observer_(observer) {}

        void play() {
            tell(RunState::Preparing, "Reading Fashion-MNIST");
            if (state_.script.fail_at_batch == 0) return fail();
            const auto labels = state_.labels(experiment_);
            try {
                prepare(*labels);
            } catch (const Error& error) {
                return end(RunEnd::Failed, error.what(), error.hint());
            }
            tell(RunState::Running, "");
            for (std::int64_t session = 0; session < sessions(); ++session) {
                const auto& indices = plan_->sessions[static_cast<std::size_t>(session)];
                const auto size = static_cast<std::int64_t>(indices.size());
                const std::int64_t batch = experiment_.training.batch_size;
                for (std::int64_t from = 0; from < size; from += batch) {
                    if (!passGate() || !passBorder()) return endEarly();
                    if (state_.script.fail_at_batch == batch_ + 1) return fail();
                    learn(*labels, session, indices, from, std::min(from + batch, size),
                          static_cast<double>(std::min(from + batch, size)) / static_cast<double>(size));
                }
                endSession(session);
            }
            end(RunEnd::Finished);
        }

    private:
        std::int64_t sessions() const { return static_cast<std::int64_t>(plan_->sessions.size()); }

        void prepare(const DatasetLabels& labels) {
            plan_ = std::make_shared<const StreamPlan>(
                planExperimentStream(experiment_, labels.train, state_.script.classes));
            RunStarted event;
            event.run = run_;
            event.experiment = experiment_;
            event.experiment.stream.sessions = sessions();
            event.plan = plan_;
            event.class_names = labels.class_names;
            event.fingerprint = plan_->fingerprint();
            event.device = "cpu";
            event.precision = "float32";
            event.threads = 1;
            event.total_samples = total_ = plan_->totalSamples();
            event.trainable_parameters = 93322;
            event.warnings = lintStream(*plan_, labels.train);
            observer_.onStarted(event);
        }

        bool passGate() {
            std::unique_lock lock(state_.mutex);
            while (state_.allowed == 0) {
                // RunControl does not notify this gate, so the end of the run is polled.
                state_.wake.wait_for(lock, std::chrono::milliseconds(1));
                if (control_.ending()) return false;
            }
            --state_.allowed;
            if (state_.script.pace_ms > 0) {
                lock.unlock();
                std::unique_lock pace(pace_mutex_);
                pace_.wait_for(pace, std::chrono::milliseconds(state_.script.pace_ms));
            }
            return true;
        }

        bool passBorder() {
            const auto told = [this](bool paused) {
                const bool condition = paused && !why_.empty();
                observer_.onState({run_, paused ? RunState::Paused : RunState::Running, condition ? why_ : "",
                                   condition ? PauseReason::Condition : PauseReason::Asked});
            };
            const bool goesOn = control_.atBatchBorder(told, seen_) == RunControl::Verdict::Continue;
            why_.clear();
            if (control_.takeKeepState()) {
                const std::lock_guard lock(state_.mutex);
                ++state_.kept;
            }
            for (const LiveChange& change : control_.takeChanges(seen_)) {
                OptionTable(catalogue()).setText(experiment_, change.key, change.value);
                observer_.onChange({run_, seen_, change.key, change.value});
            }
            return goesOn;
        }

        /// Accuracy on a session's data when `sessions` more have been learned since.
        double retained(double sessions) const {
            const std::string& mask = experiment_.mask.name;
            const double keep = mask == "batch" ? 0.96 : (mask == "session" ? 0.9 : 0.62);
            return 0.92 * std::pow(keep, sessions);
        }

        double anytime(std::int64_t session, double share) const {
            double sum = (0.35 + 0.57 * (1 - std::exp(-4 * share)));
            for (std::int64_t j = 0; j < session; ++j)
                sum += retained(static_cast<double>(session - j - 1) + std::sqrt(share));
            const double wobble = 0.012 * std::sin(static_cast<double>(seen_) * 0.013);
            return std::clamp(sum / static_cast<double>(session + 1) + wobble, 0.0, 1.0);
        }

        void learn(const DatasetLabels& labels, std::int64_t session, const std::vector<std::int64_t>& indices,
                   std::int64_t from, std::int64_t to, double share) {
            ++batch_;
            BatchLearned event;
            event.run = run_;
            event.batch = batch_;
            event.session = session;
            std::set<std::int32_t> present;
            for (std::int64_t i = from; i < to; ++i) {
                const std::int64_t sample = indices[static_cast<std::size_t>(i)];
                const std::int32_t label = labels.train[static_cast<std::size_t>(sample)];
                present.insert(label);
                if (std::find(seen_classes_.begin(), seen_classes_.end(), label) == seen_classes_.end())
                    seen_classes_.push_back(label);
                event.images.push_back(picture(label, sample));
            }
            seen_ += to - from;
            event.samples_seen = seen_;
            event.loss = 0.25 + 1.8 * std::exp(-static_cast<double>(batch_) / 40) + 0.15 * (1 - share);
            event.accuracy = 1 - event.loss / 3;
            event.seen_classes = seen_classes_;
            if (experiment_.mask.name == "batch")
                event.visible_classes.assign(present.begin(), present.end());
            else
                event.visible_classes = seen_classes_;
            event.unseen_open = experiment_.mask.name == "none";
            for (std::int64_t p = 0; p < experiment_.method.of<PromptPoolOptions>().size; ++p)
                event.prompt_use.push_back(batch_ * (p == session + 2 ? 20 : 3) + p);

            for (std::int64_t u = 0; u < experiment_.training.updates_per_batch; ++u) {
                UpdateDone update;
                update.run = run_;
                update.samples_seen = seen_;
                update.update = ++updates_;
                update.loss = event.loss + 0.02 * static_cast<double>(experiment_.training.updates_per_batch - u);
                update.batch_accuracy = event.accuracy;
                update.learning_rate = experiment_.training.learning_rate;
                observer_.onUpdate(update);
            }
            observer_.onBatch(event);
            Progress progress;
            progress.run = run_;
            progress.samples_seen = seen_;
            progress.total_samples = total_;
            progress.session = session;
            progress.images_per_second = 214;
            progress.seconds_left = static_cast<double>(total_ - seen_) / 214;
            observer_.onProgress(progress);
            {
                const std::lock_guard lock(state_.mutex);
                ++state_.learned;
            }
            const std::int64_t every = experiment_.evaluation.every_samples;
            if (every > 0 && seen_ / every > evaluations_) {
                ++evaluations_;
                evaluate(EvaluationKind::Anytime, session, share);
            }
        }

        void evaluate(EvaluationKind kind, std::int64_t session, double share) {
            Evaluated event;
            event.run = run_;
            event.kind = kind;
            event.samples_seen = seen_;
            event.session = session;
            event.updates = updates_;
            event.accuracy = anytime(session, share);
            event.loss = 1 - event.accuracy;
            for (const std::int32_t label : seen_classes_)
                event.classes.push_back({label, static_cast<std::int64_t>(event.accuracy * 100), 100});
            if (kind == EvaluationKind::Anytime) accuracies_.push_back(event.accuracy);
            observer_.onEvaluated(event);
        }

        void endSession(std::int64_t session) {
            evaluate(EvaluationKind::SessionEnd, session, 1);
            SessionEnded event;
            event.run = run_;
            event.session = session;
            event.samples_seen = seen_;
            for (std::int64_t j = 0; j <= session; ++j)
                event.accuracies.push_back({j, retained(static_cast<double>(session - j)), 100});
            observer_.onSessionEnded(event);
            if (!control_.pauseCondition().session_end) return;
            why_ = "Session " + std::to_string(session + 1) + " has ended.";
            control_.pauseWhen({});
            control_.pause();
        }

        void tell(RunState state, const std::string& detail) { observer_.onState({run_, state, detail}); }
        void fail() { end(RunEnd::Failed, state_.script.error, state_.script.hint); }
        void endEarly() { end(control_.verdict() == RunControl::Verdict::Stop ? RunEnd::Stopped : RunEnd::Aborted); }
        void end(RunEnd how, const std::string& error = {}, const std::string& hint = {}) {
            RunEnded event;
            event.run = run_;
            event.how = how;
            event.error = error;
            event.hint = hint;
            if (how == RunEnd::Failed) event.refused = state_.script.refused;
            event.summary.a_auc = areaUnderCurve(accuracies_);
            event.summary.seconds = static_cast<double>(seen_) / 214;
            observer_.onEnded(event);
        }

        /// A trapezium, bent differently for each class.
        static Thumbnail picture(std::int32_t label, std::int64_t sample) {
            constexpr int kSize = 28;
            Thumbnail image;
            image.size = kSize;
            image.label = label;
            image.rgb.assign(kSize * kSize * 3, 0);
            const int bend = 3 + label % 5, tone = 90 + static_cast<int>(sample * 37 % 150);
            for (int y = 6; y < 22; ++y)
                for (int x = 5 + (22 - y) * bend / 16; x < 23 - (y % 3) - label / 5; ++x)
                    for (int c = 0; c < 3; ++c)
                        image.rgb[static_cast<std::size_t>((y * kSize + x) * 3 + c)] = static_cast<std::uint8_t>(tone);
            return image;
        }

        State& state_;
        const std::int64_t run_;
        Experiment experiment_;
        RunControl& control_;
        RunObserver& observer_;
        std::shared_ptr<const StreamPlan> plan_;
        std::vector<std::int32_t> seen_classes_;
        std::vector<double> accuracies_;
        std::string why_;  // condition that holds, for which it pauses next
        std::int64_t total_ = 0, seen_ = 0, batch_ = 0, updates_ = 0, evaluations_ = 0;
        std::mutex pace_mutex_;
        std::condition_variable pace_;
    };

    std::shared_ptr<State> state_;
};

/// A run whose learner hangs: it answers neither a batch nor a stop, only RunControl::stopNow(), which `now` asks.
inline RunFunction hangingRun(std::stop_token& now) {
    return [&now](std::int64_t run, const Experiment&, RunControl& control, RunObserver& observer) {
        now = control.nowToken();
        observer.onState({.run = run, .state = RunState::Running, .wait = LearnerWait{"nearest mean", 3, 60}});
        while (!control.ending()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        observer.onState({.run = run, .state = RunState::Stopping, .wait = LearnerWait{"nearest mean", 4, 60}});
        while (!control.nowToken().stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        RunEnded ended;
        ended.run = run;
        ended.how = RunEnd::Stopped;
        observer.onEnded(ended);
    };
}

}  // namespace palimpsest::testing
