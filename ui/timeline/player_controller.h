// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <atomic>
#include <memory>

#include "ui/timeline/player_strip.h"

class QAction;

namespace palimpsest {

class ActionBook;
struct WindowState;

/// Plays recorded runs back in the window, as if they learned now. Nothing of them is written or changed.
class PlayerController : public QObject {
    Q_OBJECT
public:
    /// Answers the commands of a replay.
    PlayerController(WindowState& state, const ActionBook& book);

    /// For the window, over the figures.
    PlayerStrip* strip() { return strip_; }
    /// The run of a folder, from its beginning.
    void replay(const QString& folder);
    /// Times as fast as the run learned; a replay under way follows at once.
    int speed() const;
    void setSpeed(int speed);

private:
    /// To the next one of the speeds, up or down.
    void change(std::ptrdiff_t by);
    void refresh();

    WindowState& state_;
    QAction *replay_, *faster_, *slower_;
    PlayerStrip* strip_;
    /// Shared with the thread that plays.
    const std::shared_ptr<std::atomic<double>> speed_;
    QString run_;  ///< that was played last
};

}  // namespace palimpsest
