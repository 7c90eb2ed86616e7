// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <string>
#include <vector>

#include "engine/config/experiment_differences.h"

class QAction;

namespace palimpsest {

class ActionStrip;
class MessageBar;
class RunController;

/// Options that the user may change while a run goes on: says which of them the draft has and the run has not, and
/// hands them over. Of two lanes it speaks of the first alone.
class LiveChangeController : public QObject {
    Q_OBJECT
public:
    /// `change`: hands the changes over as a command of the window.
    LiveChangeController(RunController* controller, MessageBar* messages, QAction* change);

    /// For the window, over the figures.
    ActionStrip* strip() { return strip_; }

    /// The draft is not that of the run that has begun, nor meant to be: only what is changed from now on is offered.
    void ignoreDraft();

private:
    /// The run goes on, and accepts changes.
    bool open() const;
    /// Differences between the draft and expected(), less what was left apart.
    std::vector<ExperimentDifference> waiting() const;
    void applyChanges();
    void revert();
    void refresh();

    RunController* controller_;
    MessageBar* messages_;
    QAction* change_;
    ActionStrip* strip_;
    QWidget *apply_, *revert_;
    std::map<std::string, OptionValue> ignored_;  ///< of the draft by key, until they are changed
};

}  // namespace palimpsest
