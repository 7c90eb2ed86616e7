// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QObject>
#include <QStringList>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/record/run_player.h"

class QAction;
class QComboBox;

namespace palimpsest {

class ActionBook;
class FittingLabel;
struct ShownRun;
struct WindowState;

/// One line over the figures while a recorded run is played back: which one, how fast, and a way to end it.
class PlayerStrip : public QFrame {
    Q_OBJECT
public:
    /// Times as fast as the run learned.
    static constexpr std::array<int, 8> kSpeeds{1, 2, 3, 5, 10, 20, 50, 100};

    explicit PlayerStrip(QWidget* parent = nullptr);

    /// `others`: names of the runs that play beside it.
    void setRun(const QString& name, const QStringList& others = {});
    /// One of kSpeeds.
    void setSpeed(int speed);

Q_SIGNALS:
    void speedChosen(int speed);
    void endAsked();

private:
    FittingLabel* title_;
    QComboBox* speed_;
};

/// Plays recorded runs back in the window, as if they learned now: one run, and in step with it all others that the
/// figures show. Nothing of them is written or changed.
class PlayerController : public QObject {
    Q_OBJECT
public:
    /// Answers the commands of a replay.
    PlayerController(WindowState& state, const ActionBook& book);

    /// For the window, over the figures.
    PlayerStrip* strip() { return strip_; }
    /// The run of a folder, from its beginning, and beside it the other visible runs as far as they are recorded.
    void replay(const QString& folder) { replayFrom(folder, 0); }
    /// The same, with the first images of it, so many, there at once.
    void replayFrom(const QString& folder, std::int64_t from);
    /// Times as fast as the run learned; a replay under way follows at once.
    int speed() const { return static_cast<int>(speed_->load()); }
    void setSpeed(int speed);

Q_SIGNALS:
    /// A run does not play beside the others; the message says why.
    void leftOut(const QString& message, const QString& hint);

private:
    /// A run that plays beside the replayed one; its events reach figures and histories, and nothing else.
    PlayedBeside besideOf(const ShownRun& run);
    /// To the next one of the speeds, up or down.
    void change(std::ptrdiff_t by);
    void refresh();

    WindowState& state_;
    QAction *replay_, *faster_, *slower_;
    PlayerStrip* strip_;
    /// Shared with the thread that plays.
    const std::shared_ptr<std::atomic<double>> speed_;
    QString run_;               ///< that was played last
    QStringList beside_;        ///< that played with it
    std::int64_t numbers_ = 0;  ///< of runs that played beside another one, below those of the engine
};

}  // namespace palimpsest
