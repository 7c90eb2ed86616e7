// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>
#include <vector>

#include "engine/config/experiment.h"

class QAction;

namespace palimpsest {

class MessageBar;
class PlayerController;
struct DemoFiles;
struct RunEnded;
struct RunRecord;
struct WindowState;

/// The demo: two recorded runs of one stream, with the mask and without it, are played back together, the same on every
/// machine; then it offers to learn the stream here, with both side by side.
class DemoController : public QObject {
    Q_OBJECT
public:
    /// `watch`: the command.
    DemoController(WindowState& state, PlayerController* player, MessageBar* messages, QAction* watch);

    /// Plays the recorded runs; does nothing while a run is going on, which is then the one to watch.
    void watch();
    /// Learns the demo's stream with the mask and without it, side by side. The experiment becomes the demo's.
    void learnHere();

Q_SIGNALS:
    /// The figures have something to show.
    void began();
    /// The same on ten streams, in the guide.
    void evidenceAsked(const QString& page, const QString& section);

private:
    void play(const DemoFiles& files);
    void onEnded(const RunEnded& event);
    /// Shows the runs that were visible before the demo, in its place.
    void showFormer();

    WindowState& state_;
    PlayerController* player_;
    MessageBar* messages_;
    std::shared_ptr<const RunRecord> with_, without_;  ///< the mask
    Experiment experiment_;                            ///< of the demo
    QStringList former_;                               ///< ids of the runs that were visible before
    QString former_selected_;
    bool playing_ = false;
};

}  // namespace palimpsest
