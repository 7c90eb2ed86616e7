// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVector>
#include <memory>

#include "engine/run/run_events.h"

namespace palimpsest {

/// Carries a run's events from the engine thread to the window's thread through a bounded mailbox, emptied at most once
/// a frame: all metric points are kept, but only the newest progress, batch and memory. The engine never waits. Events
/// of a run other than the current one are dropped.
class RunBridge : public QObject, public RunObserver {
    Q_OBJECT
public:
    explicit RunBridge(QObject* parent = nullptr);
    ~RunBridge() override;

    /// Forwards only this run's events from now on. UI thread.
    void setCurrentRun(std::int64_t run);

    // Engine thread.
    void onStarted(const RunStarted&) override;
    void onState(const StateChanged&) override;
    void onProgress(const Progress&) override;
    void onBatch(const BatchLearned&) override;
    void onUpdate(const UpdateDone&) override;
    void onPlateau(const PlateauFound&) override;
    void onChange(const ChangeMade&) override;
    /// Emitted with the newest alone, and the number of all.
    void onImageLeftOut(const ImageLeftOut&) override;
    void onWarned(const RunWarned&) override;
    /// The newest alone.
    void onMemory(const MemoryHeld&) override;
    void onEarlyLook(const EarlyLook&) override;
    void onEvaluated(const Evaluated&) override;
    void onSessionEnded(const SessionEnded&) override;
    void onEnded(const RunEnded&) override;

Q_SIGNALS:
    // UI thread, in the order of the run.
    void started(const palimpsest::RunStarted& event);
    void stateChanged(const palimpsest::StateChanged& event);
    void progressed(const palimpsest::Progress& event);
    void batchLearned(const palimpsest::BatchLearned& event);
    void updatesDone(const QVector<palimpsest::UpdateDone>& events);
    void plateauFound(const palimpsest::PlateauFound& event);
    void changed(const palimpsest::ChangeMade& event);
    void imageLeftOut(const palimpsest::ImageLeftOut& event);
    void warned(const palimpsest::RunWarned& event);
    void memoryHeld(const palimpsest::MemoryHeld& event);
    void lookedEarly(const palimpsest::EarlyLook& event);
    void evaluated(const palimpsest::Evaluated& event);
    void sessionEnded(const palimpsest::SessionEnded& event);
    void ended(const palimpsest::RunEnded& event);

private:
    void wake();  // any thread
    void drain();
    struct Mailbox;
    std::unique_ptr<Mailbox> mailbox_;
};

}  // namespace palimpsest
