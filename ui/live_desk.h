// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <string>
#include <vector>

#include "engine/config/experiment_differences.h"
#include "engine/run/run_events.h"

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
    /// What the run will be once it has taken what was handed over.
    Experiment coming() const;
    /// What the draft has and coming() has not.
    std::vector<ExperimentDifference> waiting() const;
    void hand();
    void takeBack();
    void onChange(const ChangeMade& event);
    void refresh();

    const Parts parts_;
    ActionStrip* strip_;
    QWidget *hand_, *take_back_;
    std::map<std::string, std::string> handed_;  ///< values by key, on their way into the run
};

}  // namespace palimpsest
