// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/adaptation_service.h"

#include <utility>

#include "engine/config/option_table.h"
#include "engine/run/service_thread.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

/// Passes everything on, the end once.
class AdaptationEndKeeper : public AdaptationObserver {
public:
    AdaptationEndKeeper(AdaptationObserver& target, EndGate& gate) : target_(target), gate_(gate) {}

    void onPreparing(const std::string& detail) override { target_.onPreparing(detail); }
    void onStarted(const AdaptationStarted& event) override { target_.onStarted(event); }
    void onProgress(const AdaptationProgress& event) override { target_.onProgress(event); }
    void onPaused(bool paused) override { target_.onPaused(paused); }
    void onImageLeftOut(const std::string& text) override { target_.onImageLeftOut(text); }
    void onWarning(const std::string& text) override { target_.onWarning(text); }
    void onEnded(const AdaptationEnded& event) override {
        gate_.pass([&] { target_.onEnded(event); });
    }

private:
    AdaptationObserver& target_;
    EndGate& gate_;
};

}  // namespace

void requirePromptMethod(const OptionTable& table, const Experiment& experiment) {
    const std::string idle = table.idleReason(experiment, *table.find("initial_session.prompts"));
    if (!idle.empty())
        throw inputError(
            "The method of this experiment takes no prompts (method.name is " + experiment.method.name + ").",
            idle + " Choose a method that does, and start again.");
}

AdaptationService::AdaptationService(AdaptFunction function)
    : function_(std::move(function)), thread_(std::make_unique<ServiceThread>("adaptation")) {}

AdaptationService::~AdaptationService() = default;

void AdaptationService::start(const Experiment& experiment, const AdaptationPlace& place,
                              AdaptationObserver& observer) {
    thread_->begin(
        [function = function_, experiment, place, &observer](RunControl& control, EndGate& gate) {
            AdaptationEndKeeper keeper(observer, gate);
            function(experiment, place, control, keeper);
        },
        [&observer](const Error& error) {
            AdaptationEnded event;
            event.how = AdaptationEnded::How::Failed;
            event.error = error.what();
            event.hint = error.hint();
            event.input_error = error.kind() == ErrorKind::Input;
            observer.onEnded(event);
        });
}

bool AdaptationService::busy() const {
    return thread_->busy();
}

void AdaptationService::pause() {
    thread_->pause();
}
void AdaptationService::resume() {
    thread_->resume();
}
void AdaptationService::step() {
    thread_->step();
}
void AdaptationService::stop() {
    thread_->stop();
}
void AdaptationService::abort() {
    thread_->abort();
}

}  // namespace palimpsest
