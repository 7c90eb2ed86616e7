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

/// Passes the event of an end on once: what comes later is dropped, and so is what a listener throws.
class EndGate {
public:
    explicit EndGate(std::atomic<bool>& busy) : busy_(busy) {}
    /// The service is free before the event is sent: whoever receives an end may start the next piece of work at once.
    void pass(const std::function<void()>& tell);

private:
    std::atomic<bool>& busy_;
    bool ended_ = false;
};

/// One piece of work at a time on a thread of its own, with the user's commands. No call blocks, except the
/// destructor, which aborts and joins.
class ServiceThread {
public:
    /// `what`: "run", for sentences about it.
    explicit ServiceThread(std::string what);
    ~ServiceThread();
    ServiceThread(const ServiceThread&) = delete;
    ServiceThread& operator=(const ServiceThread&) = delete;

    /// `work` reports its end through the gate; where it throws or reports none, `failed` is called through it. Both
    /// own what they use, but for the listener. `control`: made for this work; null: its own. Throws Error(Run) while
    /// busy, and when the system gives no thread.
    void begin(std::function<void(RunControl&, EndGate&)> work, std::function<void(const Error&)> failed,
               std::shared_ptr<RunControl> control = nullptr);
    bool busy() const { return *busy_; }
    void pause();
    void resume();
    void step();
    void stop();
    void abort();
    /// Control of the present work, or of the last; null before the first.
    RunControl* control() const { return control_.get(); }

private:
    std::string what_;
    std::shared_ptr<RunControl> control_;
    std::shared_ptr<std::atomic<bool>> busy_;
    std::jthread thread_;
};

}  // namespace palimpsest
