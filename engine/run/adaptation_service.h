// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/run/adaptation.h"

namespace palimpsest {

class ServiceThread;

/// One initial session adaptation at a time on a thread of its own. Called from the user interface's thread; no call
/// blocks, except the destructor, which aborts and joins.
class AdaptationService {
public:
    explicit AdaptationService(AdaptFunction function);
    ~AdaptationService();
    AdaptationService(const AdaptationService&) = delete;
    AdaptationService& operator=(const AdaptationService&) = delete;

    /// The observer must outlive the adaptation; what its onEnded() throws is dropped. Only when not busy(); throws
    /// Error(Run) otherwise.
    void start(const Experiment& experiment, const AdaptationPlace& place, AdaptationObserver& observer);
    bool busy() const;
    void pause();
    void resume();
    /// One more optimiser step, then pause again.
    void step();
    void stop();
    void abort();

private:
    AdaptFunction function_;
    std::unique_ptr<ServiceThread> thread_;
};

}  // namespace palimpsest
