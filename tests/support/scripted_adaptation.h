// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/run/adaptation.h"
#include "engine/support/error.h"

namespace palimpsest::testing {

/// An initial session without a network. Each step waits at a gate that the test opens; prompts and state are small
/// files that contain the number of the last step.
class ScriptedAdaptation {
public:
    struct Script {
        std::int64_t steps = 40;
        std::int64_t fail_at_step = -1;  ///< from 1; 0: while preparing
        std::int64_t no_number_at = -1;  ///< a step whose loss is not a number
        bool fail_on_stop = false;       ///< the prompts cannot be saved
        bool no_room = false;            ///< for the prompts, at the first path and in missing folders
        std::int64_t state_lags = 0;     ///< number of steps by which the state of a stopped adaptation lags behind
        std::string warning{};           ///< reported before the first step
        std::vector<std::string> warnings{};
        std::vector<std::string> left_out{};  ///< images that cannot be read
        std::string error = "The loss is not a number in step 3.";
        std::string hint = "Take a smaller learning rate.";
    };

    /// A request to adapt.
    struct Order : AdaptationPlace {
        std::string prompts;  ///< initial_session.prompts
    };

    ScriptedAdaptation() : ScriptedAdaptation(Script()) {}
    explicit ScriptedAdaptation(Script script) : state_(std::make_shared<State>()) {
        state_->script = std::move(script);
    }
    ScriptedAdaptation(const ScriptedAdaptation&) = delete;
    ScriptedAdaptation& operator=(const ScriptedAdaptation&) = delete;
    /// Opens the gate, so that no thread waits for ever.
    ~ScriptedAdaptation() { allowAll(); }

    /// Lets `steps` more steps pass.
    void allow(std::int64_t steps) {
        const std::lock_guard lock(state_->mutex);
        state_->allowed += steps;
        state_->wake.notify_all();
    }
    void allowAll() { allow(std::int64_t{1} << 40); }
    /// Requests so far.
    std::vector<Order> orders() const {
        const std::lock_guard lock(state_->mutex);
        return state_->orders;
    }

    AdaptFunction function() const {
        return [state = state_](const Experiment& experiment, const AdaptationPlace& place, RunControl& control,
                                AdaptationObserver& observer) {
            play(*state, {place, experiment.initial_session.prompts}, control, observer);
        };
    }

private:
    struct State {
        Script script;
        mutable std::mutex mutex;
        std::condition_variable_any wake;
        std::int64_t allowed = 0;
        std::vector<Order> orders;
    };

    static void play(State& state, const Order& place, RunControl& control, AdaptationObserver& observer) {
        const Script& script = state.script;
        {
            const std::lock_guard lock(state.mutex);
            state.orders.push_back(place);
        }
        const std::filesystem::path waiting = place.file.string() + ".state";
        AdaptationEnded ended;
        ended.seconds = 75;
        const auto fail = [&] {
            ended.how = AdaptationEnded::How::Failed;
            ended.error = script.error;
            ended.hint = script.hint;
            observer.onEnded(ended);
        };
        observer.onPreparing("Drawing fractals");
        if (script.fail_at_step == 0) return fail();
        AdaptationStarted started;
        started.kind = place.prompts;
        started.data = "Fractals: 900 classes to learn, 100 others";
        started.total_steps = script.steps;
        started.first_step = place.resume ? numberIn(waiting) : 0;
        started.trainable_parameters = 93'322;
        started.device = "cpu";
        started.precision = "float32";
        started.warnings = script.warnings;
        observer.onStarted(started);
        for (const std::string& text : script.left_out) observer.onImageLeftOut(text);
        if (!script.warning.empty()) observer.onWarning(script.warning);
        for (std::int64_t step = started.first_step + 1; step <= script.steps; ++step) {
            const bool goes = pass(state, control) && control.atBatchBorder([&](bool paused) {
                observer.onPaused(paused);
            }) == RunControl::Verdict::Continue;
            if (!goes) {
                if (script.fail_on_stop && control.verdict() == RunControl::Verdict::Stop) return fail();
                ended.how = AdaptationEnded::How::Stopped;
                if (control.verdict() == RunControl::Verdict::Stop) {
                    write(place.file, step - 1);
                    ended.step = step - 1;
                    ended.state_step = std::max<std::int64_t>(0, ended.step - script.state_lags);
                    if (ended.state_step > 0) write(waiting, ended.state_step);
                    ended.file = place.file;
                }
                return observer.onEnded(ended);
            }
            if (script.fail_at_step == step) return fail();
            AdaptationProgress progress;
            progress.step = step;
            progress.epoch = 1 + (step - 1) / 10;
            progress.samples_seen = 32 * step;
            progress.loss =
                step == script.no_number_at ? std::nan("") : 0.25 + 2 * std::exp(-static_cast<double>(step) / 10);
            progress.other_loss = progress.loss + 0.1;
            progress.accuracy = 0.5;
            progress.steps_per_second = 2;
            observer.onProgress(progress);
        }
        ended.step = script.steps;
        if (script.no_room) {
            ended.keep_at = [steps = script.steps](const std::filesystem::path& file) {
                if (!std::filesystem::is_directory(file.parent_path()))
                    throw runError("The file " + file.string() + " could not be written.", "Choose another folder.");
                write(file, steps);
            };
            return fail();
        }
        write(place.file, script.steps);
        std::filesystem::remove(waiting);
        ended.file = place.file;
        observer.onEnded(ended);
    }

    /// Waits for the gate. False: the adaptation should end.
    static bool pass(State& state, const RunControl& control) {
        std::unique_lock lock(state.mutex);
        if (!state.wake.wait(lock, control.endToken(), [&] { return state.allowed > 0; })) return false;
        --state.allowed;
        return true;
    }

    static void write(const std::filesystem::path& file, std::int64_t number) { std::ofstream(file) << number; }
    static std::int64_t numberIn(const std::filesystem::path& file) {
        std::int64_t number = 0;
        std::ifstream(file) >> number;
        return number;
    }

    std::shared_ptr<State> state_;
};

}  // namespace palimpsest::testing
