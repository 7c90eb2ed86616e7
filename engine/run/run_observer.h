// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run_events.h"

namespace palimpsest {

/// Receives the events of a run, in order, on the engine thread. Every call must return within a millisecond and must
/// not call the run back. The default does nothing.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    virtual void onStarted(const RunStarted&) {}
    virtual void onState(const StateChanged&) {}
    virtual void onProgress(const Progress&) {}
    virtual void onBatch(const BatchLearned&) {}
    virtual void onUpdate(const UpdateDone&) {}
    virtual void onChange(const ChangeMade&) {}
    virtual void onImageLeftOut(const ImageLeftOut&) {}
    virtual void onMemory(const MemoryHeld&) {}
    virtual void onEvaluated(const Evaluated&) {}
    virtual void onSessionEnded(const SessionEnded&) {}
    /// Always the last call of a run, also of one that failed while preparing.
    virtual void onEnded(const RunEnded&) {}
};

}  // namespace palimpsest
