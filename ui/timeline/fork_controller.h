// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "engine/run/run_service.h"
#include "ui/state/background.h"
#include "ui/state/failure.h"
#include "ui/state/fork_origin.h"

class QAction;
class QComboBox;

namespace palimpsest {

class ActionStrip;
class CurveCursor;
class RunSet;
class LaneDraft;
class MessageBar;
class RunController;

/// Forks of runs: takes a run and a moment, brings the run's experiment into the draft, and lets Start begin with the
/// run's past instead of anew. The draft is the fork's no longer than until that has begun.
class ForkController : public QObject {
    Q_OBJECT
public:
    using Fork = decltype(Laboratory::fork);
    struct Parts {
        RunController* controller;
        const LaneDraft* lanes;
        const RunSet* store;
        const CurveCursor* cursor;  ///< the moment that a person put down
        MessageBar* messages;
        QAction* here;
    };
    /// `fork`: Laboratory::fork; null: no run can be forked.
    ForkController(Fork fork, const Parts& parts, QObject* parent);

    /// For the window, over the figures.
    ActionStrip* strip() { return strip_; }
    /// A fork waits to be started.
    bool waits() const { return origin_.has_value(); }
    /// Of the checkpoint that it begins with; -1: no fork waits.
    std::int64_t at() const { return origin_ ? at_ : -1; }

Q_SIGNALS:
    /// A fork has been started, and the draft is again what it was before.
    void begun();

public Q_SLOTS:
    /// The run in full colour, at the moment that a person put down, else at its newest checkpoint.
    void forkHere();
    /// The same for a run by its folder; of another run than that in full colour, its newest checkpoint.
    void fork(const QString& run);
    /// The draft is then what it was before the fork; what was changed for the fork is a step of the history away, and
    /// that is said.
    void giveUp();

private:
    /// Leaves the draft as it is.
    void drop();
    /// Brings the settings before the fork back, with what was changed since the fork was handed over.
    void finish();
    /// What a person changed in the draft of the fork that waits; empty: nothing.
    QString changedByHand() const;
    void sayGivenUp(const QString& changed);
    void read(const QString& run, std::optional<std::int64_t> moment);
    void take(const ForkOrigin& origin, std::optional<std::int64_t> moment);
    /// Another checkpoint of the same run; what was changed by hand stays.
    void choose(std::int64_t checkpoint);
    /// What was said about a fork does not hold any longer.
    void forget();
    void fillBox();
    void show();
    std::optional<Failure> obstacle() const;
    RunFunction instead();

    const Fork fork_;
    const Parts parts_;
    ActionStrip* strip_;
    QComboBox* box_;
    std::optional<ForkOrigin> origin_;
    std::int64_t at_ = 0;
    Experiment before_;               ///< the draft before the fork that waits
    QMetaObject::Connection undone_;  ///< gives the fork up with its settings
    int turn_ = 0;                    ///< counts the forks that waited
    std::optional<int> starting_;     ///< the turn of the one that was handed over and has not begun
    Experiment handed_;               ///< what that one was handed over with
    Background background_;
};

}  // namespace palimpsest
