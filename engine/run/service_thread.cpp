// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/service_thread.h"

#include <system_error>
#include <utility>

#include "engine/support/memory_reserve.h"

namespace palimpsest {

void EndGate::pass(const std::function<void()>& notify) {
    if (std::exchange(ended_, true)) return;
    busy_ = false;
    try {
        notify();
    } catch (...) {
        // The work is over, and an exception that left the thread would end the program.
    }
}

ServiceThread::ServiceThread(std::string what)
    : what_(std::move(what)), busy_(std::make_shared<std::atomic<bool>>(false)) {}

ServiceThread::~ServiceThread() {
    abort();
}

void ServiceThread::begin(std::function<void(RunControl&, EndGate&)> work, std::function<void(const Error&)> failed,
                          std::shared_ptr<RunControl> control) {
    if (busy()) {
        const char* const article = what_.find_first_of("aeiou") == 0 ? "An " : "A ";
        throw runError(article + what_ + " is still going on.", "Stop it before you start another.");
    }
    // The previous thread has reported its end, and at most gives memory back.
    if (thread_.joinable()) thread_.join();
    if (!control) control = std::make_shared<RunControl>();
    auto busy = std::make_shared<std::atomic<bool>>(true);
    control_ = control;
    busy_ = busy;
    try {
        thread_ = std::jthread([work = std::move(work), failed = std::move(failed), control, busy, what = what_] {
            EndGate gate(*busy);
            const auto fail = [&](const Error& error) { gate.pass([&] { failed(error); }); };
            try {
                work(*control, gate);
                fail(runError("The " + what + " returned without saying how it ended."));
            } catch (const Error& error) {
                fail(error);
            } catch (const std::exception& error) {
                fail(runError(error.what()));
            } catch (...) {
                fail(runError("The " + what + " ended by an unknown exception."));
            }
            control->leave();
            giveMemoryBack();
        });
    } catch (const std::system_error& error) {
        *busy = false;
        control->leave();
        throw runError("The system gives no thread for the " + what_ + ": " + error.what() + ".",
                       "Close other programs and try again.");
    }
}

void ServiceThread::pause() {
    if (control_) control_->pause();
}
void ServiceThread::resume() {
    if (control_) control_->resume();
}
void ServiceThread::step() {
    if (control_) control_->step();
}
void ServiceThread::stop() {
    if (control_) control_->stop();
}
void ServiceThread::stopNow() {
    if (control_) control_->stopNow();
}
void ServiceThread::abort() {
    if (control_) control_->abort();
}

}  // namespace palimpsest
