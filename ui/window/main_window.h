// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QVariantMap>
#include <filesystem>
#include <memory>

#include "engine/run/laboratory.h"
#include "ui/style/theme.h"

namespace palimpsest {

class AccuracyPlot;
class AdaptationController;
class BackboneController;
class CommandController;
class RunSet;
class CurvesView;
class DatasetController;
class ExperimentPanel;
class FileDialogs;
class FileWorker;
class GuideController;
class SavedExperiment;
class LaneController;
class MainMenus;
class MemoryController;
class MessageBar;
class NowPair;
class OpenController;
class PublishController;
class RetentionPlot;
class RunController;
class RunLibrary;
class QuitController;
class RunsPanel;
class StreamController;
class TimeController;
class ViewController;
class WelcomeController;
class WindowDocks;
class Workspace;

/// The one window: makes the parts, places them and connects them. What the parts do is theirs.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `runs`: the folder whose runs the library shows.
    MainWindow(Laboratory laboratory, const std::filesystem::path& runs, QWidget* parent = nullptr);
    /// A run that is going on is aborted and waited for; close() is the polite way.
    ~MainWindow() override;

    RunController* controller() const { return controller_; }
    RunSet* curves() const { return store_; }
    CurvesView* curvesView() const { return curves_; }
    RunLibrary* library() const { return library_; }
    MessageBar* messages() const { return messages_; }
    ExperimentPanel* experimentPanel() const { return experiment_; }
    DatasetController* datasets() const { return datasets_; }
    AdaptationController* adaptation() const { return adaptation_; }
    LaneController* lanes() const { return lanes_; }
    TimeController* time() const { return time_; }
    WindowDocks* docks() const { return docks_; }

    /// Brings back what was open when the program was closed, and remembers in `folder` what is open from now on.
    /// Before the window is shown. True: there is an experiment to go on with.
    bool beginSession(const QString& folder);
    /// Three ways in, in place of the curves, until there is something to show.
    void showWelcome();
    /// A run folder, a folder of images, an experiment file or the name of a preset; read in the background, failures
    /// go to the message bar.
    void open(const QString& what);
    /// Stops what is going on, keeps it, and closes without a question.
    void stopAndClose();
    /// Sets the whole program's appearance.
    void setAppearance(Appearance appearance);
    void setTextSize(TextSize size);
    /// Keys that differ from those the program comes with; see ActionBook.
    void setKeys(const QVariantMap& changes);
    /// Where dialogs that save or open begin; without it, or when it is gone, in the person's documents.
    void setSaveFolder(const QString& folder);
    /// Of a window that was never opened before: most of the screen.
    static QSize firstSize(const QSize& available);

Q_SIGNALS:
    void appearanceChosen(palimpsest::Appearance appearance);
    void textSizeChosen(palimpsest::TextSize size);
    void keysChosen(const QVariantMap& changes);
    void saveFolderChanged(const QString& folder);
    /// What open() was asked for is shown, or its failure.
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
    void noteRecent(const QString& name, const QString& path);
    void askForRun();
    void refreshTitle();

    const Laboratory laboratory_;
    const std::unique_ptr<const OptionTable> table_;
    RunSet* store_;
    RunLibrary* library_;
    RunController* controller_;
    FileWorker* files_;
    SavedExperiment* kept_;
    MainMenus* menus_;
    GuideController* help_;
    MessageBar* messages_;
    FileDialogs* asks_;
    ExperimentPanel* experiment_;
    DatasetController* datasets_;
    BackboneController* backbones_;
    AdaptationController* adaptation_;
    AccuracyPlot* accuracy_;
    RetentionPlot* retention_;
    NowPair* now_;
    RunsPanel* runs_;
    StreamController* streams_;
    MemoryController* memory_;
    PublishController* publish_;
    CurvesView* curves_;
    OpenController* opening_;
    WelcomeController* welcome_;
    WindowDocks* docks_;
    LaneController* lanes_;
    TimeController* time_;
    CommandController* commands_;
    ViewController* view_;
    QuitController* quit_;
    Workspace* workspace_ = nullptr;  ///< null: nothing is remembered
};

}  // namespace palimpsest
