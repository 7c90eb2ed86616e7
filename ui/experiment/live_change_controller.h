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

/// Changes of options during a run: shows which changes of the draft the run does not have, and sends them to the run.
/// It serves the first of two lanes alone.
class LiveChangeController : public QObject {
    Q_OBJECT
public:
    /// `change`: the window's command that sends the changes.
    LiveChangeController(RunController* controller, MessageBar* messages, QAction* change);

    /// The strip for the window, over the figures.
    ActionStrip* strip() { return strip_; }

    /// Ignores the present differences, since the draft is not that of the run: only later changes are offered.
    void ignoreDraft();

private:
    /// The run is in progress and accepts changes.
    bool open() const;
    /// Differences between the draft and expected(), less those that are ignored.
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
