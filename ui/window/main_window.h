// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QVariantMap>
#include <filesystem>
#include <memory>

#include "ui/commands/command.h"
#include "ui/state/window_state.h"
#include "ui/style/theme.h"

namespace palimpsest {

class AccuracyPlot;
class AdaptationController;
class BackboneController;
class ClusterController;
class CommandController;
class CurvesView;
class DatasetController;
class DemoController;
class DiffController;
class ExperimentPanel;
class FileDialogs;
class DrawClassController;
class GuessController;
class GuideController;
class LessonController;
class LaneController;
class MainMenus;
class ForgottenController;
class AttentionController;
class MaskLensController;
class MemoryController;
class MessageBar;
class NowPair;
class OpenController;
class OptionFinder;
class PublishController;
class QueueController;
class QuitController;
class RemoteRunController;
class ReplayExport;
class RetentionPlot;
class RunsPanel;
class StageController;
class StreamController;
class TalkController;
class TimeController;
class TrustController;
class ViewController;
class WelcomeController;
class WindowDocks;
class WindowLaunchPlanner;
class Workspace;

/// For WindowWithState alone. On the heap, so that a window that is const, as a pointer is, still leads to its state.
class WindowStateHolder {
protected:
    WindowStateHolder(Laboratory laboratory, const std::filesystem::path& runs)
        : owned_(std::make_unique<WindowState>(std::move(laboratory), runs)) {}

private:
    const std::unique_ptr<WindowState> owned_;

protected:
    WindowState& state_ = *owned_;
};

/// A window that owns its state. A base listed before QMainWindow is destroyed after it: first go the members of
/// MainWindow, then the child widgets, then what they showed.
class WindowWithState : protected WindowStateHolder, public QMainWindow {
protected:
    WindowWithState(Laboratory laboratory, const std::filesystem::path& runs, QWidget* parent)
        : WindowStateHolder(std::move(laboratory), runs), QMainWindow(parent) {}
};

/// The one window: makes widgets and controllers, places and connects them. The state is not theirs: see WindowState.
class MainWindow : public WindowWithState {
    Q_OBJECT
public:
    /// `runs`: the folder whose runs the library shows.
    MainWindow(Laboratory laboratory, const std::filesystem::path& runs, QWidget* parent = nullptr);
    /// A run that is going on is aborted and waited for; close() is the polite way.
    ~MainWindow() override;

    WindowState& state() const { return state_; }
    RunController* controller() const { return &state_.controller; }
    RunSet* curves() const { return &state_.figures.runs; }
    RunLibrary* library() const { return &state_.library; }
    CurvesView* curvesView() const { return curves_; }
    MessageBar* messages() const { return messages_; }
    ExperimentPanel* experimentPanel() const { return experiment_; }
    DatasetController* datasets() const { return datasets_.get(); }
    AdaptationController* adaptation() const { return adaptation_.get(); }
    LaneController* lanes() const { return lanes_.get(); }
    TimeController* time() const { return time_.get(); }
    WindowDocks* docks() const { return docks_; }
    StageController* stage() const { return stage_.get(); }
    RemoteRunController* remote() const { return remote_.get(); }
    TalkController* talk() const { return talk_.get(); }
    QAction* action(Command command) const;

    /// Brings back what was open when the program was closed, and remembers in `folder` what is open from now on.
    /// Before the window is shown. True: there is an experiment to go on with.
    bool beginSession(const QString& folder);
    /// Four ways in, in place of the curves, until there is something to show.
    void showWelcome();
    /// A run folder, the folder of a sweep, a folder of images, results of another program, an experiment file or the
    /// name of a preset; read in the background, failures go to the message bar.
    void open(const QString& what);
    /// The same for what stands behind the message of an open() that failed, which stays.
    void openBehind(const QString& what);
    /// True for what open() shows beside the experiment: a sweep, in a page of its own, and results of another program,
    /// as a run in the plots.
    static bool opensBeside(const QString& what);
    /// In front of all windows, as far as the desktop lets it.
    void comeToFront();
    /// Stops what is going on, keeps it, and closes without a question.
    void stopAndClose();
    /// Sets the whole program's appearance.
    void setAppearance(Appearance appearance);
    void setTextSize(TextSize size);
    /// Keys that differ from those the program comes with; see ActionBook.
    void setKeys(const QVariantMap& changes);
    /// Goals of lessons that were reached before; see LessonBook::kept().
    void setLessonProgress(const QStringList& kept);
    LessonController* lessons() const { return lessons_.get(); }
    /// The folder in which dialogs that save or open begin; without it, or when it is gone, the user's documents.
    void setSaveFolder(const QString& folder);
    /// What was last typed to run an experiment on another machine: machine, folder, program.
    void setRemoteFields(const QStringList& fields);
    /// The last entries for a sweep on a cluster.
    void setClusterFields(const QStringList& fields);
    /// Size of a window that was never opened before: most of the screen.
    static QSize firstSize(const QSize& available);

Q_SIGNALS:
    void appearanceChosen(palimpsest::Appearance appearance);
    void textSizeChosen(palimpsest::TextSize size);
    void keysChosen(const QVariantMap& changes);
    void saveFolderChanged(const QString& folder);
    void remoteFieldsChanged(const QStringList& fields);
    void clusterFieldsChanged(const QStringList& fields);
    void lessonProgressChanged(const QStringList& kept);
    /// The result of open() is shown, or its failure.
    void opened(bool success);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void place();
    void placePanels();
    void connectOpening();
    void connectDatasets();
    void connectAdaptation();
    void connectMenus();
    void connectStage();
    void connectLessons();
    void noteRecent(const QString& name, const QString& path);
    /// Another experiment is in the form: what failed before is not the present one's.
    void forgetFailures();
    void askForRun();
    void refreshTitle();

    // Each after those that it uses. Widgets belong to the central area as soon as they are placed in it. Controllers
    // that own a widget of the top bar, or what a widget shows, stand before that area, the others after it.
    MainMenus* const menus_;
    const std::unique_ptr<GuideController> guide_;
    MessageBar* const messages_;
    const std::unique_ptr<FileDialogs> asks_;
    ExperimentPanel* const experiment_;
    const std::unique_ptr<DatasetController> datasets_;
    const std::unique_ptr<BackboneController> backbones_;
    const std::unique_ptr<AdaptationController> adaptation_;
    const std::unique_ptr<QWidget> centre_;
    AccuracyPlot* const accuracy_;
    RetentionPlot* const retention_;
    NowPair* const now_;
    RunsPanel* const runs_;
    const std::unique_ptr<StreamController> streams_;
    const std::unique_ptr<MemoryController> memory_;
    const std::unique_ptr<ForgottenController> forgotten_;
    const std::unique_ptr<MaskLensController> lens_;
    const std::unique_ptr<AttentionController> attention_;
    const std::unique_ptr<PublishController> publish_;
    const std::unique_ptr<QueueController> queue_;
    CurvesView* const curves_;
    const std::unique_ptr<OpenController> opening_;
    const std::unique_ptr<WelcomeController> welcome_;
    WindowDocks* const docks_;
    std::unique_ptr<LaneController> lanes_;
    std::unique_ptr<TimeController> time_;
    std::unique_ptr<GuessController> guesses_;
    std::unique_ptr<DrawClassController> drawing_;
    ReplayExport* replays_ = nullptr;
    std::unique_ptr<TrustController> trust_;
    std::unique_ptr<DiffController> differences_;
    std::unique_ptr<RemoteRunController> remote_;
    std::unique_ptr<ClusterController> clusters_;
    std::unique_ptr<WindowLaunchPlanner> planner_;
    std::unique_ptr<ViewController> view_;
    std::unique_ptr<OptionFinder> finder_;
    std::unique_ptr<CommandController> commands_;
    std::unique_ptr<DemoController> demo_;
    std::unique_ptr<TalkController> talk_;
    std::unique_ptr<StageController> stage_;
    std::unique_ptr<QuitController> quit_;
    std::unique_ptr<LessonController> lessons_;
    std::unique_ptr<Workspace> workspace_;  ///< null: nothing is remembered
};

}  // namespace palimpsest
