// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_service.h"

#include <utility>

namespace palimpsest {
namespace {

/// Passes everything on, and makes sure that a run ends exactly once.
class EndKeeper : public RunObserver {
public:
    EndKeeper(RunObserver& target, EndGate& gate) : target_(target), gate_(gate) {}

    void onStarted(const RunStarted& event) override { target_.onStarted(event); }
    void onState(const StateChanged& event) override { target_.onState(event); }
    void onProgress(const Progress& event) override { target_.onProgress(event); }
    void onBatch(const BatchLearned& event) override { target_.onBatch(event); }
    void onUpdate(const UpdateDone& event) override { target_.onUpdate(event); }
    void onPlateau(const PlateauFound& event) override { target_.onPlateau(event); }
    void onChange(const ChangeMade& event) override { target_.onChange(event); }
    void onImageLeftOut(const ImageLeftOut& event) override { target_.onImageLeftOut(event); }
    void onWarned(const RunWarned& event) override { target_.onWarned(event); }
    void onMemory(const MemoryHeld& event) override { target_.onMemory(event); }
    void onEarlyLook(const EarlyLook& event) override { target_.onEarlyLook(event); }
    void onEvaluated(const Evaluated& event) override { target_.onEvaluated(event); }
    void onSessionEnded(const SessionEnded& event) override { target_.onSessionEnded(event); }
    void onEnded(const RunEnded& event) override {
        gate_.pass([&] { target_.onEnded(event); });
    }

private:
    RunObserver& target_;
    EndGate& gate_;
};

}  // namespace

std::int64_t RunService::start(const Experiment& experiment, RunObserver& observer, const Slot& slot) {
    return start(
        [function = function_, experiment](std::int64_t run, RunControl& control, RunObserver& target) {
            function(run, experiment, control, target);
        },
        observer, slot);
}

std::int64_t RunService::start(Work work, RunObserver& observer, const Slot& slot) {
    const std::int64_t run = slot.number > 0 ? slot.number : runs_ + 1;
    begin(
        [work = std::move(work), run, &observer](RunControl& control, EndGate& gate) {
            EndKeeper keeper(observer, gate);
            work(run, control, keeper);
        },
        [run, &observer](const Error& error) {
            RunEnded event;
            event.run = run;
            event.how = RunEnd::Failed;
            event.error = error.what();
            event.hint = error.hint();
            event.kind = error.kind();
            observer.onEnded(event);
        },
        slot.control);
    return runs_ = run;
}

void RunService::change(const LiveChange& change) {
    if (control()) control()->change(change);
}
void RunService::pauseWhen(const PauseCondition& condition) {
    if (control()) control()->pauseWhen(condition);
}
void RunService::keepState() {
    if (control()) control()->keepState();
}

}  // namespace palimpsest
