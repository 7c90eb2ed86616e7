// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_service.h"

#include <utility>

#include "engine/support/error.h"

namespace palimpsest {

namespace {

/// Passes everything on, and makes sure that a run ends exactly once.
class EndKeeper : public RunObserver {
public:
    EndKeeper(std::int64_t run, RunObserver& target, std::atomic<bool>& busy)
        : run_(run), target_(target), busy_(busy) {}

    void onStarted(const RunStarted& event) override { target_.onStarted(event); }
    void onState(const StateChanged& event) override { target_.onState(event); }
    void onProgress(const Progress& event) override { target_.onProgress(event); }
    void onBatch(const BatchLearned& event) override { target_.onBatch(event); }
    void onUpdate(const UpdateDone& event) override { target_.onUpdate(event); }
    void onEvaluated(const Evaluated& event) override { target_.onEvaluated(event); }
    void onSessionEnded(const SessionEnded& event) override { target_.onSessionEnded(event); }
    void onEnded(const RunEnded& event) override {
        if (std::exchange(ended_, true)) return;
        // Free before the news is out: whoever hears that the run has ended may start the next one at once.
        busy_ = false;
        try {
            target_.onEnded(event);
        } catch (...) {
            // The run is over, and an exception that left the thread would end the program.
        }
    }

    void fail(const std::string& error, const std::string& hint = {}, ErrorKind kind = ErrorKind::Run) {
        RunEnded event;
        event.run = run_;
        event.how = RunEnd::Failed;
        event.error = error;
        event.hint = hint;
        event.kind = kind;
        onEnded(event);
    }

private:
    const std::int64_t run_;
    RunObserver& target_;
    std::atomic<bool>& busy_;
    bool ended_ = false;
};

void runToTheEnd(const RunFunction& function, std::int64_t run, const Experiment& experiment, RunControl& control,
                 EndKeeper& keeper) {
    try {
        function(run, experiment, control, keeper);
        keeper.fail("The run returned without saying how it ended.");
    } catch (const Error& error) {
        keeper.fail(error.what(), error.hint(), error.kind());
    } catch (const std::exception& error) {
        keeper.fail(error.what());
    } catch (...) {
        keeper.fail("The run ended by an unknown exception.");
    }
}

}  // namespace

RunService::RunService(RunFunction function)
    : function_(std::move(function)), busy_(std::make_shared<std::atomic<bool>>(false)) {}

RunService::~RunService() {
    abort();
}

std::int64_t RunService::start(const Experiment& experiment, RunObserver& observer) {
    if (busy()) throw runError("A run is still going on.", "Stop it before you start another.");
    // The previous thread has reported its end and is on its way out.
    if (thread_.joinable()) thread_.join();
    const std::int64_t run = ++runs_;
    auto control = std::make_shared<RunControl>();
    auto busy = std::make_shared<std::atomic<bool>>(true);
    control_ = control;
    busy_ = busy;
    try {
        thread_ = std::jthread([function = function_, run, experiment, control, busy, &observer] {
            EndKeeper keeper(run, observer, *busy);
            runToTheEnd(function, run, experiment, *control, keeper);
        });
    } catch (const std::system_error& error) {
        *busy = false;
        throw runError(std::string("The system gives no thread for the run: ") + error.what() + ".",
                       "Close other programs and try again.");
    }
    return run;
}

bool RunService::busy() const {
    return *busy_;
}

void RunService::pause() {
    if (control_) control_->pause();
}
void RunService::resume() {
    if (control_) control_->resume();
}
void RunService::step() {
    if (control_) control_->step();
}
void RunService::stop() {
    if (control_) control_->stop();
}
void RunService::abort() {
    if (control_) control_->abort();
}

}  // namespace palimpsest
