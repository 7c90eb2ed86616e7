// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QSplitter>
#include <QStandardPaths>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/library/foreign_curve.h"
#include "engine/support/error.h"
#include "engine/support/slug.h"
#include "ui/accuracy_plot.h"
#include "ui/adaptation_controller.h"
#include "ui/adaptation_desk.h"
#include "ui/adaptation_figure.h"
#include "ui/adaptation_log.h"
#include "ui/adaptation_note.h"
#include "ui/backbone_desk.h"
#include "ui/curve_store.h"
#include "ui/curves_view.h"
#include "ui/dataset_desk.h"
#include "ui/docs_viewer.h"
#include "ui/experiment_panel.h"
#include "ui/fetch_note.h"
#include "ui/figure.h"
#include "ui/file_worker.h"
#include "ui/key_guard.h"
#include "ui/left_out_note.h"
#include "ui/main_menus.h"
#include "ui/memory_desk.h"
#include "ui/memory_strip.h"
#include "ui/message_bar.h"
#include "ui/now_panel.h"
#include "ui/publish_desk.h"
#include "ui/quit_question.h"
#include "ui/retention_plot.h"
#include "ui/run_actions.h"
#include "ui/run_controller.h"
#include "ui/run_library.h"
#include "ui/runs_panel.h"
#include "ui/stream_desk.h"
#include "ui/text_style.h"
#include "ui/top_bar.h"

namespace palimpsest {
namespace {

constexpr int kGap = 12;
constexpr int kLeftWidth = 284;
constexpr int kRightWidth = 264;
constexpr int kRightTitle = 200;  // room for the longest heading on the right
constexpr int kRunsHeight = 168;
constexpr QSize kUsualSize(1280, 800);
constexpr double kFirstShare = 0.8;  // of the screen

QSplitter* makeSplitter(Qt::Orientation orientation, const QString& name, const QList<QWidget*>& parts, int stretched) {
    auto* splitter = new QSplitter(orientation);
    splitter->setObjectName(name);
    splitter->setHandleWidth(kGap);
    splitter->setChildrenCollapsible(false);
    for (QWidget* part : parts) splitter->addWidget(part);
    for (int i = 0; i < parts.size(); ++i) splitter->setStretchFactor(i, stretched < 0 || i == stretched ? 1 : 0);
    return splitter;
}

/// Where learned prompts are kept: beside the runs.
QString promptsBeside(const std::filesystem::path& runs) {
    return QString::fromStdString((std::filesystem::absolute(runs) / ".." / "prompts").lexically_normal().string());
}

/// What a message about a written file is about, so that the next one takes its place.
QString topicOf(FileWorker::Written what) {
    switch (what) {
        case FileWorker::Written::Experiment:
            return QStringLiteral("experiment");
        case FileWorker::Written::Figure:
            return QStringLiteral("figure");
        case FileWorker::Written::Prompts:
            return QStringLiteral("prompts");
        case FileWorker::Written::Stream:
            break;
    }
    return QStringLiteral("stream");
}

}  // namespace

MainWindow::MainWindow(Laboratory laboratory, const std::filesystem::path& runs, QWidget* parent)
    : QMainWindow(parent),
      laboratory_(std::move(laboratory)),
      table_(std::make_unique<const OptionTable>(laboratory_.catalogue)),
      store_(new CurveStore(this)),
      library_(new RunLibrary(table_.get(), runs, this)),
      controller_(new RunController(table_.get(), laboratory_.run, this)),
      files_(new FileWorker(table_.get(), this)),
      menus_(new MainMenus(controller_)),
      messages_(new MessageBar),
      experiment_(new ExperimentPanel(controller_, laboratory_.labels)),
      datasets_(new DatasetDesk(laboratory_, controller_, experiment_, messages_, this)),
      backbones_(new BackboneDesk(laboratory_.backbones, controller_->draft(), experiment_->form(), this)),
      adaptation_(new AdaptationDesk(laboratory_.adapt, controller_, experiment_->form(), messages_,
                                     promptsBeside(runs), this)),
      accuracy_(new AccuracyPlot(store_, this)),
      retention_(new RetentionPlot(store_, this)),
      now_(new NowPanel(this)),
      runs_(new RunsPanel(store_, library_, this)),
      streams_(new StreamDesk(laboratory_.labels, experiment_, library_, files_, messages_, this)),
      memory_(new MemoryDesk(laboratory_.datasets, controller_, store_, library_, this)),
      publish_(new PublishDesk(table_.get(), store_, files_, this)),
      curves_(new CurvesView(store_, controller_->bridge(), laboratory_.datasets, accuracy_, retention_)) {
    setObjectName("mainWindow");
    setAcceptDrops(true);
    setMinimumSize(1024, 680);
    resize(kUsualSize);
    store_->setCatalogue(laboratory_.catalogue);
    qApp->installEventFilter(new KeyGuard(this));
    place();
    connectRun();
    connectFiles();
    connectDatasets();
    connectAdaptation();
    connectMenus();
    refreshTitle();
    files_->findPresets();
    library_->refresh();
}

MainWindow::~MainWindow() {
    // The table outlives everything that reads it.
    delete streams_;
    delete memory_;
    delete publish_;
    delete takeCentralWidget();
    delete datasets_;
    delete adaptation_;
    delete backbones_;
    delete controller_;
    delete files_;
    delete library_;
}

void MainWindow::place() {
    accuracy_->setObjectName("anytimePlot");
    retention_->setObjectName("retentionPlot");
    now_->setObjectName("nowPanel");
    runs_->setObjectName("runsPanel");

    auto* upper = makeSplitter(Qt::Horizontal, "upperSplitter", {curves_, now_}, -1);
    auto* right = makeSplitter(Qt::Vertical, "rightSplitter", {upper, runs_}, 0);
    auto* all = makeSplitter(Qt::Horizontal, "mainSplitter", {experiment_, right}, 1);
    fitToText(this, [this, all, right] {
        experiment_->setMinimumWidth(scaled(kLeftWidth));
        now_->setMinimumWidth(std::max(kRightWidth, scaled(kRightTitle)));
        all->setSizes({scaled(kLeftWidth), 2000});
        // Large text leaves the room to the curves: a row less of runs.
        right->setSizes({1000, (kRunsHeight + scaled(kRunsHeight)) / 2});
    });
    upper->setSizes({1000, kRightWidth});

    auto* centre = new QWidget;
    centre->setObjectName("centralArea");
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new TopBar(controller_, menus_);
    bar->addNote(datasets_->note());
    bar->addNote(adaptation_->note());
    column->addWidget(bar);
    auto* content = new QVBoxLayout;
    content->setContentsMargins(kGap, kGap, kGap, kGap);
    content->setSpacing(kGap);
    content->addWidget(messages_);
    content->addWidget(all, 1);
    column->addLayout(content, 1);
    setCentralWidget(centre);
    // Nothing is under the keyboard until a person says so; a click beside the controls takes the focus away again.
    centre->setFocusPolicy(Qt::ClickFocus);
    centre->setFocus();
}

void MainWindow::connectRun() {
    RunBridge* bridge = controller_->bridge();
    connect(bridge, &RunBridge::started, store_, &CurveStore::onStarted);
    connect(bridge, &RunBridge::evaluated, store_, &CurveStore::onEvaluated);
    connect(bridge, &RunBridge::sessionEnded, store_, &CurveStore::onSessionEnded);
    connect(bridge, &RunBridge::ended, store_, &CurveStore::onEnded);
    connect(bridge, &RunBridge::started, now_, &NowPanel::setRun);
    connect(bridge, &RunBridge::batchLearned, now_, &NowPanel::setBatch);
    connect(bridge, &RunBridge::updatesDone, now_, &NowPanel::addUpdates);
    connect(bridge, &RunBridge::memoryHeld, now_, &NowPanel::setMemory);
    connect(now_->memory(), &MemoryStrip::clicked, memory_, &MemoryDesk::showDialog);
    const auto touch = [this](const std::string& folder) {
        if (!folder.empty()) library_->touch(QString::fromStdString(folder));
    };
    connect(bridge, &RunBridge::started, this, [touch](const RunStarted& event) { touch(event.folder); });
    connect(bridge, &RunBridge::ended, this, [this, touch](const RunEnded& event) {
        touch(event.folder);
        withdrawQuestion();
        if (closing_) close();
    });
    new LeftOutNote(bridge, messages_, this);
    connect(controller_, &RunController::noted, this, [this](const QString& message, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Note, message, hint);
    });
    connect(controller_, &RunController::failed, this, [this](const QString& message, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Error, message, hint);
        datasets_->findRemedy(message);
    });
    connect(controller_, &RunController::stateChanged, store_,
            [this] { store_->setPaused(controller_->state() == RunState::Paused); });
    connect(controller_->draft()->undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::refreshTitle);
    connect(controller_->draft(), &ExperimentDraft::changed, this, [this](const QString& key) {
        if (key.isEmpty() || key == "name") refreshTitle();
    });
}

void MainWindow::connectFiles() {
    connect(files_, &FileWorker::docsFound, this, &MainWindow::openDocs);
    connect(files_, &FileWorker::presetsFound, experiment_, &ExperimentPanel::setPresets);
    connect(experiment_, &ExperimentPanel::presetChosen, this, &MainWindow::open);
    connect(runs_, &RunsPanel::openRequested, this, &MainWindow::open);
    connect(runs_, &RunsPanel::messageRequested, this, [this](const QString& text, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Error, text, hint);
    });
    connect(runs_, &RunsPanel::noteRequested, this, [this](const QString& text, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Note, text, hint);
    });
    connect(runs_, &RunsPanel::doneRequested, this,
            [this](const QString& text, const QString& hint, const std::function<void()>& undo) {
                if (undo)
                    messages_->showMessage(MessageBar::Kind::Done, text, hint, {tr("Undo"), undo});
                else
                    messages_->showPassing(QStringLiteral("runs"), text, hint);
            });
    for (QWidget* plot : {static_cast<QWidget*>(accuracy_), static_cast<QWidget*>(retention_)})
        runs_->acceptRunsOn(plot);
    connect(files_, &FileWorker::experimentRead, this, [this](const Experiment& experiment, const QString& file) {
        file_ = file;
        ExperimentDraft* draft = controller_->draft();
        // With nothing done yet there is nothing to go back to.
        if (draft->undoStack()->count() == 0)
            draft->restart(experiment);
        else
            draft->replace(experiment, tr("opening of %1").arg(QString::fromStdString(experiment.name)));
        draft->undoStack()->setClean();
        Q_EMIT opened(true);
    });
    connect(files_, &FileWorker::runRead, this, [this](const std::shared_ptr<const RunRecord>& run) {
        showRun(run);
        Q_EMIT opened(true);
    });
    connect(files_, &FileWorker::saved, this, [this](const QString& file) {
        file_ = file;
        controller_->draft()->undoStack()->setClean();
        refreshTitle();
    });
    connect(files_, &FileWorker::failed, this, [this](const QString& message, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Error, message, hint);
    });
    connect(files_, &FileWorker::written, this, [this](FileWorker::Written what, const QString& file) {
        const QFileInfo info(file);
        save_folder_ = info.absolutePath();
        messages_->showPassing(topicOf(what), tr("Saved %1").arg(info.fileName()),
                               tr("In the folder %1").arg(QDir::toNativeSeparators(save_folder_)));
        Q_EMIT saveFolderChanged(save_folder_);
    });
    connect(files_, &FileWorker::notWritten, this,
            [this](FileWorker::Written what, const QString& message, const QString& hint) {
                messages_->showLatest(MessageBar::Kind::Error, topicOf(what), message, hint);
            });
    connect(files_, &FileWorker::openFailed, this, [this] { Q_EMIT opened(false); });
}

void MainWindow::connectDatasets() {
    connect(files_, &FileWorker::imagesFound, datasets_, &DatasetDesk::takeImages);
    connect(datasets_, &DatasetDesk::imagesTaken, this, &MainWindow::opened);
    connect(menus_, &MainMenus::openImagesAsked, datasets_, &DatasetDesk::askForImages);
    connect(menus_, &MainMenus::datasetsAsked, datasets_, [this] { datasets_->showDialog(); });
    // Queued: a fetch that had not begun ends while the window is being closed.
    connect(datasets_->shelf(), &DatasetShelf::settled, this, [this] {
        withdrawQuestion();
        if (closing_) close();
    }, Qt::QueuedConnection);
}

void MainWindow::connectAdaptation() {
    connect(menus_, &MainMenus::backboneAsked, backbones_, &BackboneDesk::showDialog);
    connect(menus_, &MainMenus::adaptationAsked, adaptation_, &AdaptationDesk::showDialog);
    menus_->findChild<QAction*>("backbone")->setEnabled(backbones_->available());
    menus_->findChild<QAction*>("initialSession")->setEnabled(adaptation_->available());
    connect(adaptation_, &AdaptationDesk::exportAsked, this, [this](const AdaptationLog* log) {
        publish_->publish(
            [reports = log->reports(), other = log->hasOther()] { return adaptationPublication(reports, other); },
            saveFolder());
    });
    // Whoever chose to stop and quit stays to read that nothing was kept. What the system ends, ends.
    connect(adaptation_->controller(), &AdaptationController::ended, this, [this](const AdaptationEnded& event) {
        if (quit_chosen_ && event.how == AdaptationEnded::How::Failed) closing_ = quit_chosen_ = false;
    });
    // Queued: whatever there is to tell of its end is told first.
    connect(adaptation_->controller(), &AdaptationController::stateChanged, this, [this] {
        if (adaptation_->busy()) return;
        withdrawQuestion();
        if (closing_) close();
    }, Qt::QueuedConnection);
}

void MainWindow::connectMenus() {
    connect(menus_, &MainMenus::openExperimentAsked, this, &MainWindow::askForExperiment);
    connect(menus_, &MainMenus::openRunAsked, this, &MainWindow::askForRun);
    connect(menus_, &MainMenus::importAsked, runs_->actions(), &RunActions::askForImport);
    connect(menus_, &MainMenus::saveAsked, this, &MainWindow::askWhereToSave);
    connect(menus_, &MainMenus::exportAsked, this, [this] {
        if (auto source = curves_->source())
            publish_->publish(std::move(source), saveFolder());
        else
            publish_->publishRuns(curves_->publishedAs(), saveFolder());
    });
    connect(menus_, &MainMenus::exportTableAsked, this, [this] { publish_->publishRuns("metrics", saveFolder()); });
    connect(menus_, &MainMenus::exportStreamAsked, streams_, [this] { streams_->askWhereToExport(saveFolder()); });
    connect(menus_, &MainMenus::compareStreamsAsked, streams_, &StreamDesk::compare);
    connect(menus_, &MainMenus::memoryAsked, memory_, &MemoryDesk::showDialog);
    connect(datasets_, &DatasetDesk::forgotten, memory_, &MemoryDesk::forgetPictures);
    menus_->addToView(curves_->menu());
    connect(menus_, &MainMenus::quitAsked, this, &QWidget::close);
    connect(menus_, &MainMenus::guideAsked, this, [this] { showHelp({}); });
    connect(menus_, &MainMenus::keyboardAsked, this, [this] { showHelp("keyboard"); });
    connect(menus_, &MainMenus::aboutAsked, this, [this] { showHelp("about"); });
    connect(menus_, &MainMenus::appearanceChosen, this, [this](Appearance appearance) {
        setAppearance(appearance);
        Q_EMIT appearanceChosen(appearance);
    });
    connect(menus_, &MainMenus::textSizeChosen, this, [this](TextSize size) {
        setTextSize(size);
        Q_EMIT textSizeChosen(size);
    });
    connect(menus_, &MainMenus::experimentShown, experiment_, &QWidget::setVisible);
    connect(menus_, &MainMenus::nowShown, now_, &QWidget::setVisible);
    connect(menus_, &MainMenus::runsShown, runs_, &QWidget::setVisible);
}

void MainWindow::showRun(const std::shared_ptr<const RunRecord>& record) {
    const RunRecord& run = *record;
    library_->add(record);
    store_->addRecord(run);
    store_->setPrimary(CurveStore::idOf(run.folder.string(), 0));
    controller_->draft()->replace(run.experiment, tr("opening of %1").arg(QString::fromStdString(run.experiment.name)));
    if (run.state == "crashed")
        messages_->showMessage(MessageBar::Kind::Note,
                               tr("This run has crashed. What it measured until then is shown."));
    for (const std::string& warning : run.warnings)
        messages_->showMessage(MessageBar::Kind::Note, QString::fromStdString(warning));
}

void MainWindow::open(const QString& what) { files_->open(what); }

void MainWindow::setAppearance(Appearance appearance) {
    menus_->setAppearance(appearance);
    applyAppearance(*qApp, appearance);
}

void MainWindow::setTextSize(TextSize size) {
    menus_->setTextSize(size);
    applyTextSize(*qApp, size);
}

QSize MainWindow::firstSize(const QSize& available) {
    return (available * kFirstShare).expandedTo(kUsualSize).boundedTo(available);
}

QString MainWindow::saveFolder() const {
    if (QFileInfo(save_folder_).isDir()) return save_folder_;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void MainWindow::askForExperiment() {
    auto* dialog =
        new QFileDialog(this, tr("Open experiment"), file_.isEmpty() ? saveFolder() : QFileInfo(file_).path(),
                        tr("Experiments (*.toml)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::open);
    dialog->show();
}

void MainWindow::askForRun() {
    auto* dialog = new QFileDialog(this, tr("Open run folder"), QString::fromStdString(library_->folder().string()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::open);
    dialog->show();
}

void MainWindow::askWhereToSave() {
    const QString name = QString::fromStdString(slug(controller_->draft()->experiment().name, 60));
    auto* dialog = new QFileDialog(this, tr("Save experiment"), saveFolder(), tr("Experiments (*.toml)"));
    dialog->setObjectName("saveDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix("toml");
    dialog->selectFile(file_.isEmpty() ? name + ".toml" : file_);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { files_->save(controller_->draft()->experiment(), file); });
    dialog->show();
}

void MainWindow::showHelp(const QString& page) {
    wanted_page_ = page;
    if (docs_)
        docs_->showPage(page);
    else
        files_->findDocs();
}

void MainWindow::openDocs(const QList<DocsPage>& pages) {
    if (!docs_) {
        docs_ = new DocsViewer(this);
        docs_->addPages(pages);
        docs_->addPages({{"keyboard", tr("Keyboard"), menus_->keyboardPage()}, {"about", tr("About"), aboutPage()}});
    }
    docs_->showPage(wanted_page_);
}

QString MainWindow::aboutPage() const {
    return tr("# Palimpsest %1\n\nWatch a neural network learn from a stream, forget, and be helped to remember.\n\n"
              "Computes on: %2  \nQt %3\n\n## Licence\n\n"
              "Palimpsest is free software: you may use it, study it, change it and pass it on under the terms of the GNU "
              "General Public License, version 3 or (at your choice) any later one. It comes without any warranty. The "
              "full text stands in the file LICENSE and at <https://www.gnu.org/licenses/gpl-3.0.html>.\n")
        .arg(QString::fromStdString(laboratory_.version), QString::fromStdString(laboratory_.device),
             QLatin1String(qVersion()));
}

void MainWindow::refreshTitle() {
    setWindowTitle(tr("%1[*] · Palimpsest").arg(QString::fromStdString(controller_->draft()->experiment().name)));
    setWindowModified(!file_.isEmpty() && !controller_->draft()->undoStack()->isClean());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const bool asks = !closing_ && (busy() || promptsUnwritten());
    event->setAccepted(!busy() && !asks);
    if (asks) askWhetherToQuit();
}

bool MainWindow::busy() const { return controller_->busy() || adaptation_->busy() || datasets_->busy(); }

bool MainWindow::promptsUnwritten() const { return adaptation_->controller()->unwritten(); }

void MainWindow::askWhetherToQuit() {
    if (!question_) {
        const Experiment* running = controller_->running();
        const auto work = promptsUnwritten()    ? QuitQuestion::Work::Prompts
                          : running              ? QuitQuestion::Work::Run
                          : adaptation_->busy() ? QuitQuestion::Work::Adaptation
                                                : QuitQuestion::Work::Fetch;
        question_ = new QuitQuestion(work, running ? QString::fromStdString(running->name) : QString(), this);
        connect(question_, &QuitQuestion::quitChosen, this, [this] {
            quit_chosen_ = true;
            stopAll();
        });
    }
    question_->open();
}

void MainWindow::withdrawQuestion() {
    if (!question_) return;
    const bool still = question_->work() == QuitQuestion::Work::Prompts ? promptsUnwritten()
                                                                        : busy() && !promptsUnwritten();
    if (!still) question_->close();
}

void MainWindow::stopAndClose() {
    quit_chosen_ = false;
    stopAll();
}

void MainWindow::stopAll() {
    // The window's thread never waits for a run, prompts or a fetch: they are told to stop, and the window closes when
    // they have.
    closing_ = true;
    if (question_) question_->close();
    controller_->stop();
    adaptation_->controller()->stop();
    adaptation_->closeDialog();
    datasets_->shelf()->cancelAll();
    if (!busy()) close();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        if (!url.isLocalFile()) continue;
        const QString file = url.toLocalFile();
        if (isForeignCurve(file.toStdString()))
            runs_->actions()->importFiles({file});
        else
            open(file);
    }
    event->acceptProposedAction();
}

}  // namespace palimpsest
