// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "engine/run/run_control.h"
#include "engine/support/error.h"

namespace palimpsest {

/// Passes the event of an end on once. Later ends are dropped, and so are exceptions of the listener.
class EndGate {
public:
    explicit EndGate(std::atomic<bool>& busy) : busy_(busy) {}
    /// The service is free before the event is sent: the listener may start the next piece of work at once.
    void pass(const std::function<void()>& notify);

private:
    std::atomic<bool>& busy_;
    bool ended_ = false;
};

/// Base of the services: one piece of work at a time on a thread of its own, with the user's commands. Called from the
/// user interface's thread; no call blocks, except the destructor, which aborts and joins.
class ServiceThread {
public:
    ServiceThread(const ServiceThread&) = delete;
    ServiceThread& operator=(const ServiceThread&) = delete;

    bool busy() const { return *busy_; }
    // Commands to the present work, as RunControl has them; without effect before the first work.
    void pause();
    void resume();
    void step();
    void stop();
    void stopNow();
    void abort();

protected:
    /// `what`: "run", for sentences about it.
    explicit ServiceThread(std::string what);
    ~ServiceThread();

    /// `work` reports its end through the gate; where it throws or reports none, `failed` is called through it. Both
    /// own what they use, except the listener. `control`: made for this work; null: its own. Throws Error(Run) while
    /// busy, and when the system gives no thread.
    void begin(std::function<void(RunControl&, EndGate&)> work, std::function<void(const Error&)> failed,
               std::shared_ptr<RunControl> control = nullptr);
    /// Control of the present work, or of the last; null before the first.
    RunControl* control() const { return control_.get(); }

private:
    std::string what_;
    std::shared_ptr<RunControl> control_;
    std::shared_ptr<std::atomic<bool>> busy_;
    std::jthread thread_;
};

}  // namespace palimpsest
