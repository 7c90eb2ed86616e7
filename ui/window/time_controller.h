// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <memory>

class QWidget;

namespace palimpsest {

class ActionBook;
class BranchesController;
class CurvesView;
class ForkController;
class LiveChangeController;
class MessageBar;
class NowPair;
class PauseController;
class PlayerController;
class RunsPanel;
struct WindowState;

/// Controllers of a run's time: its moments, replay, forks, branches, changes on its way, and pauses by itself.
class TimeController : public QObject {
    Q_OBJECT
public:
    struct Widgets {
        CurvesView* curves;
        NowPair* now;
        RunsPanel* runs;
        MessageBar* messages;
    };
    /// Answers commands of the book.
    TimeController(WindowState& state, const Widgets& widgets, const ActionBook& book, QWidget* window);
    ~TimeController() override;

    ForkController* forks() const { return forks_.get(); }
    PlayerController* player() const { return player_.get(); }
    LiveChangeController* live() const { return live_.get(); }
    /// For the window, over the figures.
    QList<QWidget*> strips() const;

private:
    std::unique_ptr<PlayerController> player_;
    std::unique_ptr<ForkController> forks_;
    std::unique_ptr<LiveChangeController> live_;
    std::unique_ptr<BranchesController> branches_;
    std::unique_ptr<PauseController> pauses_;
};

}  // namespace palimpsest
