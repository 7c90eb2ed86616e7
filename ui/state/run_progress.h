// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <array>

#include "engine/run/run_events.h"
#include "ui/state/run_controller.h"

namespace palimpsest {

/// Progress of the runs of all lanes, and their results.
class RunProgress {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::RunProgress)
public:
    struct Lane {
        std::int64_t sessions = 0;  ///< 0: the run has not begun, or has ended
        Progress progress;
        QString outcome;
        bool failed = false;
    };

    void clear() { lanes_ = {}; }
    /// Of the results, those of runs that failed.
    void clearFailures();
    void begin(std::size_t lane, const RunStarted& event);
    void follow(std::size_t lane, const Progress& progress) { lanes_[lane].progress = progress; }
    /// `replayed`: the run was played back. `paired`: another one ran beside it.
    void end(std::size_t lane, const RunEnded& event, bool replayed, bool paired);

    /// Progress of the present run; of two lanes, which keep in step, the first. Null: none has begun.
    const Lane* current() const;
    /// Progress of both lanes where they take turns.
    Progress pace() const;
    /// Results in a sentence or two; empty: nothing has ended yet.
    QString outcome(bool paired) const;

private:
    std::array<Lane, RunController::kLanes> lanes_;
};

}  // namespace palimpsest
