// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/adaptation.h"

#include "engine/config/option_table.h"
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

void AdaptationService::start(const Experiment& experiment, const AdaptationPlace& place,
                              AdaptationObserver& observer) {
    begin(
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

}  // namespace palimpsest
