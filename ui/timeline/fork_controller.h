// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "ui/state/background.h"
#include "ui/state/launch.h"

class QAction;
class QComboBox;

namespace palimpsest {

class ActionStrip;
class MessageBar;
struct WindowState;

/// Forks of runs: brings the experiment of a run at a moment into the draft, so that Start begins with the run's past
/// instead of anew. The draft is the fork's only until that has begun.
class ForkController : public QObject {
    Q_OBJECT
public:
    /// `here`: forkHere() as a command of the window.
    ForkController(WindowState& state, MessageBar* messages, QAction* here);

    /// For the window, over the figures.
    ActionStrip* strip() { return strip_; }
    /// A fork waits to be started.
    bool waits() const { return origin_.has_value(); }
    /// Images seen at the checkpoint that it begins with; -1: no fork waits.
    std::int64_t at() const { return origin_ ? at_ : -1; }
    /// The fork that waits.
    std::optional<ForkLaunch> launch() const {
        return origin_ ? std::optional(ForkLaunch{origin_->folder, at_}) : std::nullopt;
    }
    /// Why the fork that waits cannot start: it goes on alone.
    std::optional<Failure> obstacle() const;

Q_SIGNALS:
    /// A fork has been started, and the draft is again what it was before.
    void begun();

public Q_SLOTS:
    /// Forks the selected run, at the chosen moment, else at its newest checkpoint.
    void forkHere();
    /// The same for a run by its folder; of another run than the selected one, its newest checkpoint.
    void fork(const QString& run);
    /// The draft is then what it was before the fork; what was changed for the fork is a step of the history away, and
    /// that is said.
    void discard();

private:
    /// Remembers the fork that begins, if it is one that begins.
    void noteStart();
    /// Leaves the draft as it is.
    void clear();
    /// Brings the settings before the fork back, with what was changed since the fork was handed over.
    void finish();
    /// Changes by the user in the draft of the fork that waits; empty: none.
    QString changedByHand() const;
    void reportDiscarded(const QString& changed);
    void read(const QString& run, std::optional<std::int64_t> moment);
    void apply(const ForkOrigin& origin, std::optional<std::int64_t> moment);
    /// Another checkpoint of the same run; what was changed by hand stays.
    void choose(std::int64_t checkpoint);
    /// Messages about a fork do not hold any longer.
    void withdrawMessages();
    void fillBox();
    void show();

    WindowState& state_;
    MessageBar* messages_;
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
