// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "ui/state/background.h"
#include "ui/state/engine_text.h"
#include "ui/state/window_state.h"

class QAction;
class QDockWidget;

namespace palimpsest {

class AddToQueueDialog;
class LearnerQuestion;
class MainMenus;
class MessageBar;
class QueuePanel;
class SweepEditor;
class SweepPage;

/// Joins the queue with its panel, the commands that fill it, and the pages of sweeps.
class QueueController : public QObject {
    Q_OBJECT
public:
    /// What there is to see of a job that has failed. NotBegun: it has no folder.
    enum class Measured { NotBegun, Nothing, Something };

    QueueController(WindowState& state, MessageBar* messages, QWidget* window);
    ~QueueController() override;

    QueuePanel* panel() const { return panel_; }
    /// Connects the commands, and the action that shows the panel's dock.
    void answer(MainMenus* menus, QAction* show);
    /// Who asks whether a program that learns may be started for the queue; without it, such an experiment is refused.
    void setLearnerQuestion(LearnerQuestion* question) { question_ = question; }
    /// The table of a sweep's folder.
    void showSweep(const QString& folder);
    /// What was not queued is not the present experiment, or can start by now.
    void forgetRefusal();

Q_SIGNALS:
    /// A run that the user wants to see is in the library now. The form is left alone.
    void runReady(const QString& id);
    /// An experiment was not queued, for this sentence.
    void refused(const QString& message);
    /// Each is made when it is first needed, and lives as long as the window.
    void editorMade(SweepEditor* editor);
    void pageMade(SweepPage* page);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// False, and says so, where a field of the form shows a text that it refused; see ExperimentDraft::notTaken().
    bool allTaken(const QString& undone);
    void addToQueue();
    void queueChecked(const Experiment& experiment, const std::vector<std::int64_t>& seeds);
    /// `seconds`: that it takes, as it was measured; 0: not known.
    void queueSweep(const std::filesystem::path& grid, const std::filesystem::path& folder, const QString& name,
                    double seconds = 0);
    using Check = std::function<void(const Experiment&)>;
    /// Calls `add` once all that some experiments name has been found, and their programs may be started for good;
    /// else says what is in the way. `experiments` calls the check for each, on another thread, and may throw.
    void addChecked(const std::function<void(const Check&)>& experiments, const std::function<void()>& add);
    void refuse(const Failure& failure);
    void sayElsewhere();
    void showRun(const QString& folder);
    /// A sweep of the queue.
    void showQueued(const QString& folder);
    /// Something else is to be shown: tells whether its file or folder is there, unless more is asked for meanwhile.
    void lookFor(const QString& path, const std::function<void(bool)>& then);
    /// Says why the job with this folder failed. False: none with it has.
    bool tellFailure(const QString& folder, Measured measured);
    /// The library has read something.
    void findAskedRun(const QStringList& unreadable);
    void newSweep();
    void askForSweep();
    void askForGrid();
    void showPanel();
    /// Tells the sweep's page whether the queue has its sweep.
    void tellPage();
    /// What was taken off the list can be put back.
    void offerBack(const std::vector<RunQueue::Taken>& taken);
    /// Where sweeps go, unless the user says otherwise: beside the runs, which the library lists one by one.
    std::filesystem::path sweepsFolder() const;

    WindowState& state_;
    MessageBar* messages_;
    QWidget* window_;
    QueuePanel* panel_;
    LearnerQuestion* question_ = nullptr;
    QAction* show_ = nullptr;
    AddToQueueDialog* add_ = nullptr;
    SweepEditor* editor_ = nullptr;
    SweepPage* page_ = nullptr;
    int offers_ = 0;         ///< to put something back, until now
    std::int64_t told_ = 0;  ///< id of the job whose failure a message tells; 0: none
    QString asked_run_;      ///< id of one that is to be shown once it was read; empty: none
    QString asked_folder_;   ///< of that one, as the queue has it
    std::stop_source stop_;
    Background checks_;
    Background looks_;  ///< apart, as checks may take long
};

}  // namespace palimpsest
