// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <memory>

#include "engine/run/run_service.h"

class QWidget;

namespace palimpsest {

class ActionBook;
class BranchesDesk;
class CurvesView;
class CurveStore;
class ForkDesk;
class LaneDraft;
class LiveDesk;
class MessageBar;
class NowPair;
class PlayerDesk;
class RunController;
class RunLibrary;
class RunsPanel;

/// What a person does with the time of a run: choose a moment of it, play it back, begin a fork of it, see its
/// branches, change it on its way, and let it pause by itself.
class TimeDesk : public QObject {
    Q_OBJECT
public:
    struct Parts {
        RunController* controller;
        CurveStore* store;
        CurvesView* curves;
        const LaneDraft* lanes;
        NowPair* now;
        RunLibrary* library;
        RunsPanel* runs;
        MessageBar* messages;
        ActionBook* book;
    };
    TimeDesk(const Laboratory& laboratory, const Parts& parts, QWidget* window);
    ~TimeDesk() override;

    ForkDesk* forks() const { return forks_.get(); }
    LiveDesk* live() const { return live_.get(); }
    /// For the window, over the figures.
    QList<QWidget*> strips() const;

private:
    std::unique_ptr<PlayerDesk> player_;
    std::unique_ptr<ForkDesk> forks_;
    std::unique_ptr<LiveDesk> live_;
    std::unique_ptr<BranchesDesk> branches_;
};

}  // namespace palimpsest
