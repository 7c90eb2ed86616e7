// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <filesystem>
#include <memory>

#include "engine/run/run_service.h"
#include "ui/theme.h"

namespace palimpsest {

class AccuracyPlot;
class AdaptationDesk;
class BackboneDesk;
class CurveStore;
class CurvesView;
class DatasetDesk;
class DocsViewer;
class ExperimentPanel;
class FileWorker;
class MainMenus;
class MemoryDesk;
class MessageBar;
class NowPanel;
class PublishDesk;
class RetentionPlot;
class RunController;
class RunLibrary;
class QuitQuestion;
class RunsPanel;
class StreamDesk;
struct DocsPage;
struct RunRecord;

/// The one window: makes the parts, places them and connects them. What the parts do is theirs.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `runs`: the folder whose runs the library shows.
    MainWindow(Laboratory laboratory, const std::filesystem::path& runs, QWidget* parent = nullptr);
    /// A run that is going on is aborted and waited for; close() is the polite way.
    ~MainWindow() override;

    RunController* controller() const { return controller_; }
    CurveStore* curves() const { return store_; }
    CurvesView* curvesView() const { return curves_; }
    RunLibrary* library() const { return library_; }
    MessageBar* messages() const { return messages_; }
    ExperimentPanel* experimentPanel() const { return experiment_; }
    DatasetDesk* datasets() const { return datasets_; }
    AdaptationDesk* adaptation() const { return adaptation_; }

    /// A run folder, a folder of images, an experiment file or the name of a preset; read in the background, failures
    /// go to the message bar.
    void open(const QString& what);
    /// Stops what is going on, keeps it, and closes without a question.
    void stopAndClose();
    /// Sets the whole program's appearance.
    void setAppearance(Appearance appearance);
    void setTextSize(TextSize size);
    /// Where dialogs that save or open begin; without it, or when it is gone, in the person's documents.
    void setSaveFolder(const QString& folder) { save_folder_ = folder; }
    /// Of a window that was never opened before: most of the screen.
    static QSize firstSize(const QSize& available);

Q_SIGNALS:
    void appearanceChosen(palimpsest::Appearance appearance);
    void textSizeChosen(palimpsest::TextSize size);
    void saveFolderChanged(const QString& folder);
    /// What open() was asked for is shown, or its failure.
    void opened(bool success);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void place();
    void connectRun();
    void connectFiles();
    void connectDatasets();
    void connectAdaptation();
    void connectMenus();
    void showRun(const std::shared_ptr<const RunRecord>& record);
    void askForExperiment();
    void askForRun();
    void askWhereToSave();
    QString saveFolder() const;
    void showHelp(const QString& page);
    void openDocs(const QList<DocsPage>& pages);
    QString aboutPage() const;
    void refreshTitle();
    bool busy() const;
    /// Prompts that are done but could not be written are lost with the program.
    bool promptsUnwritten() const;
    void askWhetherToQuit();
    void stopAll();
    /// There is nothing left to ask about.
    void withdrawQuestion();

    const Laboratory laboratory_;
    const std::unique_ptr<const OptionTable> table_;
    CurveStore* store_;
    RunLibrary* library_;
    RunController* controller_;
    FileWorker* files_;
    MainMenus* menus_;
    MessageBar* messages_;
    ExperimentPanel* experiment_;
    DatasetDesk* datasets_;
    BackboneDesk* backbones_;
    AdaptationDesk* adaptation_;
    AccuracyPlot* accuracy_;
    RetentionPlot* retention_;
    NowPanel* now_;
    RunsPanel* runs_;
    StreamDesk* streams_;
    MemoryDesk* memory_;
    PublishDesk* publish_;
    CurvesView* curves_;
    DocsViewer* docs_ = nullptr;
    QString file_;
    QString save_folder_;
    QString wanted_page_;
    QPointer<QuitQuestion> question_;
    bool closing_ = false;
    bool quit_chosen_ = false;  ///< closing_, and a person chose it
};

}  // namespace palimpsest
