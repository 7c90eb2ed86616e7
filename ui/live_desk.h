// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

#include "engine/config/experiment_differences.h"

class QAction;

namespace palimpsest {

class ActionStrip;
class MessageBar;
class RunController;

/// Options that a person may change while a run goes on: says which of them the draft has and the run has not, and
/// hands them over. Of two lanes it speaks of the first alone.
class LiveDesk : public QObject {
    Q_OBJECT
public:
    struct Parts {
        RunController* controller;
        MessageBar* messages;
        QAction* change;
    };
    LiveDesk(const Parts& parts, QObject* parent);

    /// For the window, over the figures.
    ActionStrip* strip() { return strip_; }

private:
    /// It goes on, and takes changes.
    bool open() const;
    /// What the draft has and the run has not, and was not handed over either.
    std::vector<ExperimentDifference> waiting() const;
    void hand();
    void takeBack();
    void refresh();

    const Parts parts_;
    ActionStrip* strip_;
    QWidget *hand_, *take_back_;
};

}  // namespace palimpsest
