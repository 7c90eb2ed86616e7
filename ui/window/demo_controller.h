// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

class QAction;

namespace palimpsest {

class MessageBar;
class OpenController;
class PlayerController;
struct RunEnded;
struct RunRecord;
struct WindowState;

/// The demo: two recorded runs of one stream, with the mask and without it, are played back together, the same on every
/// machine; then it offers to learn the stream here, with both side by side.
class DemoController : public QObject {
    Q_OBJECT
public:
    /// `watch`: the command.
    DemoController(WindowState& state, OpenController* opening, PlayerController* player, MessageBar* messages,
                   QAction* watch);

    /// Plays the recorded runs; does nothing while a run is going on, which is then the one to watch.
    void watch();
    /// Learns the demo's stream with the mask and without it, side by side.
    void learnHere();

Q_SIGNALS:
    /// The figures have something to show.
    void began();

private:
    using Record = std::shared_ptr<const RunRecord>;
    void show(const std::vector<Record>& runs);
    void play();
    void onEnded(const RunEnded& event);
    /// Opens the preset of the demo; then calls `next`, unless a run has begun meanwhile or it cannot be read.
    void openDemo(void (DemoController::*next)());
    void beginLanes();

    WindowState& state_;
    OpenController* opening_;
    PlayerController* player_;
    MessageBar* messages_;
    std::vector<Record> runs_;  ///< of the demo, those that are played first
    bool playing_ = false;
};

}  // namespace palimpsest
