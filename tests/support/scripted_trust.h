// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/run/trust.h"

namespace palimpsest::testing {

/// Checks without an engine: each waits at a gate that the test opens; the first is green, the second red, the third
/// amber, and so on.
class ScriptedTrust {
public:
    ScriptedTrust() : state_(std::make_shared<State>()) {}
    ~ScriptedTrust() { allow(1000); }

    void allow(int checks) {
        const std::lock_guard lock(state_->mutex);
        state_->allowed += checks;
        state_->wake.notify_all();
    }
    std::vector<TrustRequest> requests() const {
        const std::lock_guard lock(state_->mutex);
        return state_->requests;
    }
    void fail() { state_->fails = true; }

    TrustFunction function() const {
        return [state = state_](const TrustRequest& request, RunControl& control, TrustObserver& observer) {
            play(*state, request, control, observer);
        };
    }

private:
    struct State {
        std::mutex mutex;
        std::condition_variable_any wake;
        int allowed = 0;
        std::atomic<bool> fails = false;
        std::vector<TrustRequest> requests;
    };

    static void play(State& state, const TrustRequest& request, RunControl& control, TrustObserver& observer) {
        {
            const std::lock_guard lock(state.mutex);
            state.requests.push_back(request);
        }
        TrustEnded ended;
        ended.seconds = 75;
        if (state.fails) {
            ended.how = TrustEnded::How::Failed;
            ended.error = "The option seed is wrong.";
            ended.hint = "Change it.";
            return observer.onEnded(ended);
        }
        std::int64_t number = 0;
        for (const TrustCheckInfo& check : trustChecks()) {
            observer.onChecking(check, ++number, std::ssize(trustChecks()));
            observer.onProgress("Learning 32 of 320 images");
            {
                std::unique_lock lock(state.mutex);
                if (!state.wake.wait(lock, control.endToken(), [&] { return state.allowed > 0; })) {
                    ended.how = TrustEnded::How::Stopped;
                    return observer.onEnded(ended);
                }
                --state.allowed;
            }
            TrustVerdict verdict;
            verdict.check = check.name;
            verdict.colour = number % 3 == 1   ? TrustColour::Green
                             : number % 3 == 2 ? TrustColour::Red
                                               : TrustColour::Amber;
            verdict.sentence = "Reason " + std::to_string(number) + ".";
            verdict.evidence = {{"Images with another prediction", std::to_string(number) + " of 10"}};
            if (number == 1) verdict.cut = "The stream was cut to 320 of 6,000 images.";
            ++(verdict.colour == TrustColour::Green ? ended.green
               : verdict.colour == TrustColour::Red ? ended.red
                                                    : ended.amber);
            observer.onVerdict(verdict);
        }
        observer.onEnded(ended);
    }

    std::shared_ptr<State> state_;
};

}  // namespace palimpsest::testing
