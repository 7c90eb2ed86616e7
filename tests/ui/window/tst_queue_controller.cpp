// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeView>
#include <QUndoStack>
#include <QUrl>
#include <QWindow>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "engine/learner/learner_permit.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "tests/support/made_up_sweep.h"
#include "tests/support/queue_program.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/queue/add_to_queue.h"
#include "ui/queue/queue_panel.h"
#include "ui/queue/sweep_editor.h"
#include "ui/queue/sweep_page.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/queue_controller.h"
#include "ui/window/quit.h"
#include "ui/window/window_docks.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_queue_controller {

namespace {

namespace fs = std::filesystem;

class Scene {
public:
    Scene() : before_(qgetenv("PALIMPSEST_CLI")) {
        qputenv("PALIMPSEST_CLI", makeQueueProgram(dir.path()).toLocal8Bit());
    }
    ~Scene() { qputenv("PALIMPSEST_CLI", before_); }
    /// One run that is at work, and goes on until it is stopped or finish() is called.
    static void queueOne(MainWindow& window) {
        RunQueue& queue = window.state().queue;
        queue.add(window.state().table.defaults(), {1});
        QTRY_VERIFY(queue.jobs().size() == 1 && queue.jobs()[0].pid > 0);
        QTRY_COMPARE(readRunState(queue.jobs()[0].folder), RecordedState::Running);
    }
    void finish() const {
        QFile go(dir.filePath("go"));
        QVERIFY(go.open(QIODevice::WriteOnly));
    }
    fs::path runs() const { return fs::path(dir.path().toStdString()) / "runs"; }
    std::unique_ptr<MainWindow> open() {
        auto window = std::make_unique<MainWindow>(script.laboratory(), runs());
        window->resize(1280, 800);
        showActive(*window);
        return window;
    }

    QTemporaryDir dir;
    ScriptedRun script;

private:
    const QByteArray before_;
};

/// A grid file of two masks with two seeds each.
fs::path makeGrid(const Scene& scene, const char* name) {
    const OptionTable table(ScriptedRun::catalogue());
    const fs::path folder = fs::path(scene.dir.path().toStdString()) / "made";
    makeSweepFolder(table, folder, "1-2");
    const fs::path grid = folder.parent_path() / name;
    fs::rename(folder / "sweep.toml", grid);
    return grid;
}

/// As if the user had chosen it under More.
void queueGrid(const MainWindow& window, const fs::path& grid) {
    Q_EMIT window.findChild<QueuePanel*>("queuePanel")->openGridAsked();
    auto* dialog = window.findChild<QFileDialog*>("openGridDialog");
    QVERIFY(dialog);
    Q_EMIT dialog->fileSelected(QString::fromStdString(grid.string()));
    delete dialog;
}

/// A program that learns, which nobody has allowed, for as long as this lives.
class Learner {
public:
    explicit Learner(const Scene& scene) : before_(qgetenv("PALIMPSEST_LEARNERS")), folder_(scene.dir.path()) {
        qputenv("PALIMPSEST_LEARNERS", (folder_ + "/learners").toLocal8Bit());
    }
    ~Learner() { qputenv("PALIMPSEST_LEARNERS", before_); }
    LearnerCommand command(const std::string& name) const {
        const fs::path program = fs::path(folder_.toStdString()) / name;
        if (!fs::exists(program)) std::ofstream(program) << "#!/bin/sh\n# " << name << "\n";
        fs::permissions(program, fs::perms::owner_all);
        return learnerCommand(program.string());
    }

private:
    const QByteArray before_;
    const QString folder_;
};

QMessageBox* learnerQuestion(const MainWindow& window) {
    return window.findChild<QMessageBox*>("learnerQuestion");
}

bool shown(const MainWindow& window) {
    return window.findChild<QDockWidget*>("queueDock")->toggleViewAction()->isChecked();
}

}  // namespace

class TestQueueController : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void theButtonBesideStartQueuesSeedsWhichTheNextWindowFinds() {
        Scene scene;
        auto window = scene.open();
        QVERIFY(!shown(*window));
        QVERIFY(!fs::exists(scene.runs() / kQueueFolder));
        window->findChild<QPushButton*>("queueButton")->click();
        window->findChild<QLineEdit*>("queueSeeds")->setText("1-3");
        window->findChild<QPushButton*>("queueAdd")->click();
        QTRY_COMPARE(window->state().queue.jobs().size(), std::size_t{3});
        QVERIFY(shown(*window));
        QTRY_VERIFY(fs::exists(window->state().queue.jobs()[0].folder / "run.json"));
        window.reset();
        window = scene.open();
        QTRY_VERIFY(window->state().queue.asks());
        QVERIFY(shown(*window));
        QVERIFY(window->findChild<QWidget*>("queueAsks")->isVisibleTo(window.get()));
        window->findChild<QPushButton*>("queueLater")->click();
        QVERIFY(window->state().queue.paused() && !window->state().queue.asks());
        QCOMPARE(window->state().queue.jobs().size(), std::size_t{3});
    }

    void whatIsAddedBesideTheQuestionWaitsForItsAnswer() {
        Scene scene;
        auto window = scene.open();
        scene.queueOne(*window);
        window.reset();
        window = scene.open();
        QTRY_VERIFY(window->state().queue.asks());
        window->state().queue.add(window->state().table.defaults(), {2});
        QTRY_COMPARE(window->state().queue.jobs().size(), std::size_t{2});
        QVERIFY2(window->messages()->text().contains("added to the queue"), qPrintable(window->messages()->text()));
        QVERIFY2(window->messages()->hint().startsWith("Nothing begins before you have said"),
                 qPrintable(window->messages()->hint()));
        window->findChild<QPushButton*>("queueLater")->click();
    }

    void aTextThatWasNotTakenIsNotQueued() {
        Scene scene;
        auto window = scene.open();
        window->controller()->draft()->setRefusal("seed", "Seed is a whole number.");
        window->action(Command::AddToQueue)->trigger();
        QVERIFY2(window->messages()->text().contains("Not queued"), qPrintable(window->messages()->text()));
        QVERIFY(!window->findChild<AddToQueueDialog*>());
        window->messages()->dismissAll();
        window->action(Command::NewSweep)->trigger();
        QVERIFY2(window->messages()->text().contains("No new sweep"), qPrintable(window->messages()->text()));
        QVERIFY(!window->findChild<SweepEditor*>());
        window->controller()->draft()->setRefusal("seed", {});
        window->action(Command::AddToQueue)->trigger();
        QVERIFY(!window->messages()->text().contains("Not queued"));
        QVERIFY(window->findChild<AddToQueueDialog*>());
    }

    void whatCannotStartIsNotQueued() {
        Scene scene;
        auto window = scene.open();
        ExperimentDraft* draft = window->controller()->draft();
        // Too few images for its sessions.
        QVERIFY(draft->set("stream.train_limit", std::int64_t{3}));
        QVERIFY(!draft->problems().isEmpty());
        window->action(Command::AddToQueue)->trigger();
        QVERIFY2(window->messages()->text().startsWith("The experiment cannot start: " + draft->problems().front()),
                 qPrintable(window->messages()->text()));
        QVERIFY(!window->findChild<AddToQueueDialog*>());
    }

    void whatHasNoDataIsNotQueued() {
        Scene scene;
        Laboratory laboratory = scene.script.laboratory();
        laboratory.labels = [](const Experiment&) -> std::shared_ptr<const DatasetLabels> {
            throw inputError("There is no data set here.", "Fetch it.");
        };
        const auto window = std::make_unique<MainWindow>(laboratory, scene.runs());
        showActive(*window);
        window->action(Command::AddToQueue)->trigger();
        window->findChild<QPushButton*>("queueAdd")->click();
        QTRY_VERIFY2(window->messages()->text().contains("There is no data set here."),
                     qPrintable(window->messages()->text()));
        QVERIFY(window->state().queue.jobs().empty());
    }

    void whatHasNoWeightsIsNotQueued() {
        Scene scene;
        Laboratory laboratory = scene.script.laboratory();
        bool there = false;
        laboratory.inputs = [&there](const Experiment&) -> std::optional<LearnerCommand> {
            if (!there) throw inputError("There are no backbone weights here.", "Fetch them.");
            return std::nullopt;
        };
        const auto window = std::make_unique<MainWindow>(laboratory, scene.runs());
        showActive(*window);
        const auto add = [&] {
            window->action(Command::AddToQueue)->trigger();
            window->findChild<QPushButton*>("queueAdd")->click();
        };
        add();
        QTRY_COMPARE(window->messages()->text(), QString("There are no backbone weights here."));
        QCOMPARE(window->messages()->hint(), QString("Fetch them."));
        QVERIFY(window->state().queue.jobs().empty());
        // The message goes with what it is about.
        there = true;
        add();
        QTRY_COMPARE(window->state().queue.jobs().size(), std::size_t{1});
        QVERIFY2(window->messages()->text().contains("added to the queue"), qPrintable(window->messages()->text()));
        window->messages()->dismiss();
        QCOMPARE(window->messages()->count(), 0);
    }

    void aProgramThatIsNotAllowedIsAskedAboutBeforeItIsQueued() {
        Scene scene;
        const Learner learner(scene);
        const LearnerCommand program = learner.command("learner");
        Laboratory laboratory = scene.script.laboratory();
        laboratory.inputs = [program](const Experiment&) { return std::optional(program); };
        const auto window = std::make_unique<MainWindow>(laboratory, scene.runs());
        showActive(*window);
        window->state().queue.setPaused(true);
        const auto question = [&] { return learnerQuestion(*window); };
        const auto add = [&] {
            window->action(Command::AddToQueue)->trigger();
            window->findChild<QPushButton*>("queueAdd")->click();
        };
        // What is allowed once is not allowed to a run of the queue.
        allowLearnerOnce(program);
        add();
        QTRY_VERIFY(question());
        // Beside the open question nothing is asked again.
        add();
        QTRY_COMPARE(window->messages()->hint(), QString("Answer the question that is open, then add it again."));
        QVERIFY2(window->messages()->text().contains("learner"), qPrintable(window->messages()->text()));
        QVERIFY(!question()->findChild<QPushButton*>("startLearnerOnceButton"));
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(!question());
        QVERIFY(window->state().queue.jobs().empty() && rememberedLearners().empty());
        add();
        QTRY_VERIFY(question());
        question()->findChild<QPushButton*>("alwaysStartLearnerButton")->click();
        QTRY_COMPARE(window->state().queue.jobs().size(), std::size_t{1});
        QCOMPARE(rememberedLearners().size(), std::size_t{1});
        // It is not asked about twice.
        QTRY_VERIFY(!question());
        add();
        QTRY_COMPARE(window->state().queue.jobs().size(), std::size_t{2});
        QVERIFY(!question());
    }

    void theProgramsOfASweepAreAskedAboutBeforeItIsQueued() {
        Scene scene;
        const Learner learner(scene);
        Laboratory laboratory = scene.script.laboratory();
        laboratory.inputs = [first = learner.command("first"), second = learner.command("second")](
                                const Experiment& experiment) -> std::optional<LearnerCommand> {
            return experiment.mask.name == "batch" ? second : first;
        };
        const auto window = std::make_unique<MainWindow>(laboratory, scene.runs());
        showActive(*window);
        const RunQueue& queue = window->state().queue;
        window->state().queue.setPaused(true);
        const fs::path grid = makeGrid(scene, "Masks.toml");
        const auto answer = [&](const char* button) {
            QTRY_VERIFY(learnerQuestion(*window));
            QVERIFY(!learnerQuestion(*window)->findChild<QPushButton*>("startLearnerOnceButton"));
            QPointer<QMessageBox> asked = learnerQuestion(*window);
            if (button)
                asked->findChild<QPushButton*>(button)->click();
            else
                QTest::keyClick(asked, Qt::Key_Escape);
            QTRY_VERIFY(!asked);
        };
        queueGrid(*window, grid);
        answer(nullptr);
        QVERIFY(queue.jobs().empty() && rememberedLearners().empty());
        // The rows name two of them.
        queueGrid(*window, grid);
        answer("alwaysStartLearnerButton");
        answer("alwaysStartLearnerButton");
        QTRY_COMPARE(queue.jobs().size(), std::size_t{1});
        QVERIFY(queue.jobs()[0].isSweep());
        QCOMPARE(rememberedLearners().size(), std::size_t{2});
        // So are those of the window of a new sweep.
        forgetAllLearners();
        window->action(Command::NewSweep)->trigger();
        auto* editor = window->findChild<SweepEditor*>();
        QVERIFY(editor);
        Q_EMIT editor->chosen(grid, scene.runs() / "other", "Other", 0);
        answer(nullptr);
        QCOMPARE(queue.jobs().size(), std::size_t{1});
    }

    void aSweepThatCannotStartIsNotQueued() {
        Scene scene;
        Laboratory laboratory = scene.script.laboratory();
        laboratory.inputs = [](const Experiment& experiment) -> std::optional<LearnerCommand> {
            if (experiment.mask.name == "batch") throw inputError("There are no backbone weights here.", "Fetch them.");
            return std::nullopt;
        };
        const auto window = std::make_unique<MainWindow>(laboratory, scene.runs());
        showActive(*window);
        const MessageBar* messages = window->messages();
        const fs::path grid = makeGrid(scene, "Masks.toml");
        queueGrid(*window, grid);
        QTRY_COMPARE(messages->text(), QString::fromStdString(grid.string()) +
                                           ", \"logit mask batch\": There are no backbone weights here.");
        QCOMPARE(messages->hint(), QString("Fetch them."));
        queueGrid(*window, scene.runs() / "no-grid.toml");
        QTRY_VERIFY2(messages->text().contains("no-grid.toml"), qPrintable(messages->text()));
        QCOMPARE(messages->count(), 1);
        QVERIFY(window->state().queue.jobs().empty());
    }

    void whatElseIsAddedLeavesTheRefusal() {
        Scene scene;
        Laboratory laboratory = scene.script.laboratory();
        laboratory.labels = [](const Experiment&) -> std::shared_ptr<const DatasetLabels> {
            throw inputError("There is no data set here.", "Fetch it.");
        };
        const auto window = std::make_unique<MainWindow>(laboratory, scene.runs());
        showActive(*window);
        RunQueue& queue = window->state().queue;
        queue.setPaused(true);
        window->action(Command::AddToQueue)->trigger();
        window->findChild<QPushButton*>("queueAdd")->click();
        QTRY_COMPARE(window->messages()->text(), QString("There is no data set here."));
        queue.add(window->state().table.defaults(), {1});
        QTRY_COMPARE(queue.jobs().size(), std::size_t{1});
        QVERIFY2(window->messages()->text().contains("added to the queue"), qPrintable(window->messages()->text()));
        window->messages()->dismiss();
        QCOMPARE(window->messages()->text(), QString("There is no data set here."));
    }

    void aRowThatFailedBeforeItBeganSaysWhy() {
        Scene scene;
        QFile fail(scene.dir.filePath("fail"));
        QVERIFY(fail.open(QIODevice::WriteOnly));
        const auto window = scene.open();
        RunQueue& queue = window->state().queue;
        queue.add(window->state().table.defaults(), {1});
        QTRY_VERIFY(queue.jobs().size() == 1 && queue.jobs()[0].state == QueueState::Failed);
        auto* panel = window->findChild<QueuePanel*>("queuePanel");
        Q_EMIT panel->runAsked(QString::fromStdString(queue.jobs()[0].folder.string()));
        // Whether it has a folder is asked on another thread, as the disk may not answer.
        QVERIFY(!window->messages()->text().contains("failed: "));
        QTRY_VERIFY2(window->messages()->text().contains("failed: The data are not there. Fetch them."),
                     qPrintable(window->messages()->text()));
        QVERIFY(!window->messages()->hint().isEmpty());
        // It is told as long as it holds.
        QVERIFY(fail.remove());
        QCOMPARE(window->findChild<QPushButton*>("messageAction")->text(), QString("Try again"));
        queue.retry({queue.jobs()[0].id});
        QTRY_VERIFY(queue.jobs()[0].state != QueueState::Failed);
        QVERIFY2(!window->messages()->text().contains("The data are not there"),
                 qPrintable(window->messages()->text()));
        // So is why a sweep failed.
        QVERIFY(fail.open(QIODevice::WriteOnly));
        queue.takeBack({queue.jobs()[0].id});
        queue.addSweep("/grids/masks.toml", scene.runs() / "no-masks", "Masks");
        QTRY_VERIFY(queue.jobs().back().isSweep() && queue.jobs().back().state == QueueState::Failed);
        Q_EMIT panel->sweepAsked(QString::fromStdString(queue.jobs().back().folder.string()));
        QTRY_VERIFY2(window->messages()->text().startsWith(QStringLiteral("“Masks” failed: ")),
                     qPrintable(window->messages()->text()));
        QVERIFY(!window->findChild<SweepPage*>());
    }

    void aRowThatFailedBeforeItMeasuredSaysWhy() {
        Scene scene;
        QFile fail(scene.dir.filePath("fail"));
        QVERIFY(fail.open(QIODevice::WriteOnly));
        const auto window = scene.open();
        RunQueue& queue = window->state().queue;
        queue.add(window->state().table.defaults(), {1});
        QTRY_VERIFY(queue.jobs().size() == 1 && queue.jobs()[0].state == QueueState::Failed);
        // As its program leaves the folder where the first batch fails.
        const fs::path folder = queue.jobs()[0].folder;
        fs::create_directories(folder);
        std::ofstream(folder / "experiment.toml") << *queue.jobs()[0].experiment;
        std::ofstream(folder / "run.json") << R"({"state": "failed", "error": "It broke."})";
        const auto* controller = window->findChild<QueueController*>();
        QVERIFY(controller);
        QSignalSpy shown(controller, &QueueController::runReady);
        Q_EMIT window->findChild<QueuePanel*>("queuePanel")->runAsked(QString::fromStdString(folder.string()));
        QTRY_VERIFY2(window->messages()->text().contains("failed: The data are not there. Fetch them."),
                     qPrintable(window->messages()->text()));
        QVERIFY2(window->messages()->hint().startsWith("It had measured nothing yet"),
                 qPrintable(window->messages()->hint()));
        QCOMPARE(window->findChild<QPushButton*>("messageAction")->text(), QString("Try again"));
        QVERIFY(shown.isEmpty());
    }

    void oldFailuresGoWithTheirExperiment() {
        ScriptedRun::Script script;
        script.fail_at_batch = 0;
        ScriptedRun failing(script);
        QTemporaryDir dir;
        MainWindow window(failing.laboratory(), (dir.path() + "/runs").toStdString());
        showActive(window);
        const auto* status = window.findChild<QLabel*>("progressSession");
        window.controller()->startOrResume();
        QTRY_COMPARE(window.messages()->text(), QString("The data set is cut short in train-images.gz."));
        QTRY_COMPARE(status->text(), QString("The run could not start."));
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open("nothing of that name");
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(!opened[0][0].toBool());
        QCOMPARE(window.messages()->count(), 2);
        QCOMPARE(status->text(), QString("The run could not start."));
        window.open("default");
        QTRY_COMPARE(opened.count(), 2);
        QVERIFY(opened[1][0].toBool());
        QCOMPARE(window.messages()->count(), 0);
        QVERIFY2(status->text().startsWith("Ready"), qPrintable(status->text()));
    }

    void aFileThatCannotBeOpenedLeavesTheWindowWhereItIs() {
        Scene scene;
        const auto first = scene.open();
        ScriptedRun script;
        MainWindow second(script.laboratory(), scene.runs());
        second.show();
        QVERIFY(QTest::qWaitForWindowExposed(&second));
        first->activateWindow();
        QTRY_VERIFY(first->isActiveWindow());
        second.open(scene.dir.filePath("missing.toml"));
        QTRY_VERIFY2(second.messages()->text().contains("missing.toml"), qPrintable(second.messages()->text()));
        QCoreApplication::processEvents();
        QVERIFY(first->isActiveWindow());
        // What the program was started with is told in front.
        second.comeToFront();
        QTRY_VERIFY(second.isActiveWindow());
    }

    void theQueueOfAnotherWindowTakesNothing() {
        Scene scene;
        auto first = scene.open();
        first->state().queue.setPaused(true);
        first->state().queue.add(first->state().table.defaults(), {1});
        QTRY_COMPARE(first->state().queue.jobs().size(), std::size_t{1});
        const auto second = scene.open();
        QTRY_VERIFY(second->state().queue.elsewhere());
        second->action(Command::AddToQueue)->trigger();
        QTRY_VERIFY2(second->messages()->text().contains("belongs to another window"),
                     qPrintable(second->messages()->text()));
        QVERIFY(!second->findChild<AddToQueueDialog*>());
        QVERIFY(shown(*second));
        // Once that one is closed, whoever comes to this one finds the queue here.
        first.reset();
        Q_EMIT qGuiApp->applicationStateChanged(Qt::ApplicationActive);
        QTRY_VERIFY(second->state().queue.isOpen());
        QCOMPARE(second->state().queue.jobs().size(), std::size_t{1});
    }

    void aRunIsShownWithoutTheForm() {
        Scene scene;
        const OptionTable table(ScriptedRun::catalogue());
        const fs::path folder = fs::path(scene.dir.path().toStdString()) / "masks";
        const SweepPlan plan = makeSweepFolder(table, folder, "1-2");
        writeSweepRuns(table, plan, folder);
        const auto window = scene.open();
        const Experiment before = window->controller()->draft()->experiment();
        Q_EMIT window->findChild<QueuePanel*>("queuePanel")->sweepAsked(QString::fromStdString(folder.string()));
        SweepPage* page = nullptr;
        QTRY_VERIFY((page = window->findChild<SweepPage*>("sweepPage")) && page->isActiveWindow());
        QVERIFY2(!page->windowHandle()->transientParent(), "the window could not come before it");
        const QString run = QString::fromStdString((folder / "runs" / plan.runs[1].folder).string());
        Q_EMIT page->runAsked(run);
        const QString id = RunSet::idOf(run.toStdString(), 0);
        QTRY_VERIFY(window->curves()->find(id) && window->curves()->find(id)->display.selected);
        QTRY_VERIFY(window->isActiveWindow());
        QVERIFY(window->controller()->draft()->experiment().name == before.name);
        QCOMPARE(window->controller()->draft()->undoStack()->count(), 0);
        // What has not begun has nothing to show.
        Q_EMIT page->runAsked(QString::fromStdString((folder / "runs" / "none").string()));
        QTRY_VERIFY(window->messages()->text().contains("has not begun"));
        window->close();
        QVERIFY(!page->isVisible());
    }

    void theClosingQuestionCountsWhatRunsAndWhatWaits() {
        const QuitQuestion one(QuitQuestion::Work::Queue, {}, false, 1, 0, nullptr);
        QCOMPARE(one.text(), QString("A run of the queue is running."));
        const QuitQuestion several(QuitQuestion::Work::Queue, {}, false, 2, 5, nullptr);
        QCOMPARE(several.text(), QString("2 runs of the queue are running, 5 wait."));
        const QuitQuestion beside(QuitQuestion::Work::Run, "Mine", false, 2, 1, nullptr);
        QVERIFY(beside.informativeText().contains("2 runs of the queue are running, one waits."));
    }

    void closingAsksWhatBecomesOfWhatRuns_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<bool>("runs_on");
        QTest::newRow("let it go on") << "letGoOnButton" << true;
        QTest::newRow("stop") << "quitButton" << false;
    }
    void closingAsksWhatBecomesOfWhatRuns() {
        QFETCH(QString, button);
        QFETCH(bool, runs_on);
        Scene scene;
        auto window = scene.open();
        scene.queueOne(*window);
        const fs::path folder = window->state().queue.jobs()[0].folder;
        window->close();
        auto* question = window->findChild<QuitQuestion*>();
        QVERIFY(question && question->work() == QuitQuestion::Work::Queue);
        QVERIFY(window->isVisible());
        question->findChild<QPushButton*>("stayButton")->click();
        QTRY_VERIFY(!window->findChild<QuitQuestion*>());
        QVERIFY(window->isVisible());
        QCOMPARE(readRunState(folder), RecordedState::Running);

        window->close();
        window->findChild<QuitQuestion*>()->findChild<QPushButton*>(button)->click();
        QTRY_VERIFY(!window->isVisible());
        window.reset();
        // What is asked to stop says so before it looks whether it may finish.
        scene.finish();
        QTRY_COMPARE(readRunState(folder), runs_on ? RecordedState::Finished : RecordedState::Stopped);
    }

    void whatTheSystemEndsStopsTheQueueWithoutAQuestion() {
        Scene scene;
        auto window = scene.open();
        scene.queueOne(*window);
        const fs::path folder = window->state().queue.jobs()[0].folder;
        window->stopAndClose();
        QVERIFY(!window->findChild<QuitQuestion*>());
        QTRY_VERIFY(!window->isVisible());
        window.reset();
        QTRY_COMPARE(readRunState(folder), RecordedState::Stopped);
    }

    void theQuestionStaysUntilItIsAnswered() {
        Scene scene;
        const auto window = scene.open();
        scene.queueOne(*window);
        window->close();
        auto* question = window->findChild<QuitQuestion*>();
        QVERIFY(question);
        QCOMPARE(question->text(), QString("A run of the queue is running."));
        scene.finish();
        QTRY_COMPARE_WITH_TIMEOUT(question->text(), QString("What ran in the queue has ended."), 30'000);
        QVERIFY(question->isVisible());
        question->findChild<QPushButton*>("quitButton")->click();
        QTRY_VERIFY(!window->isVisible());
    }

    void whatIsTakenBackIsUndone() {
        Scene scene;
        const auto window = scene.open();
        RunQueue& queue = window->state().queue;
        queue.setPaused(true);
        queue.add(window->state().table.defaults(), {1, 2, 3});
        QTRY_COMPARE(queue.jobs().size(), std::size_t{3});
        queue.takeBack({queue.jobs()[1].id});
        QCOMPARE(queue.jobs().size(), std::size_t{2});
        QVERIFY2(window->messages()->text().contains("seed 2"), qPrintable(window->messages()->text()));
        window->findChild<QPushButton*>("messageAction")->click();
        QCOMPARE(queue.jobs().size(), std::size_t{3});
        QCOMPARE(queue.jobs()[1].seed, std::int64_t{2});
        queue.takeBack({queue.jobs()[0].id, queue.jobs()[2].id});
        QVERIFY(window->messages()->text().contains("Took 2 off the queue"));
        window->action(Command::Undo)->trigger();
        QCOMPARE(queue.jobs().size(), std::size_t{3});
        QCOMPARE(queue.jobs()[0].seed, std::int64_t{1});
        QVERIFY(!window->messages()->text().contains("off the queue"));
        // What is done next ends the offer, and Undo goes back behind it.
        queue.takeBack({queue.jobs()[0].id});
        QVERIFY(window->messages()->text().contains("off the queue"));
        window->controller()->draft()->set("name", std::string("another"));
        QVERIFY(!window->messages()->text().contains("off the queue"));
        QCOMPARE(queue.jobs().size(), std::size_t{2});
        window->action(Command::Undo)->trigger();
        window->action(Command::Undo)->trigger();
        QCOMPARE(queue.jobs().size(), std::size_t{3});
    }

    void theQueueIsAsWideAsNow() {
        Scene scene;
        const auto window = scene.open();
        auto* now = window->findChild<QDockWidget*>("nowDock");
        auto* dock = window->findChild<QDockWidget*>("queueDock");
        const int before = now->width(), centre = window->docks()->centralWidget()->width();
        dock->toggleViewAction()->trigger();
        QTRY_VERIFY(dock->isVisible());
        QTRY_COMPARE(dock->width(), before);
        QCOMPARE(window->docks()->centralWidget()->width(), centre);
        window->state().queue.setPaused(true);
        window->state().queue.add(window->state().table.defaults(), {1, 2, 3});
        QTRY_COMPARE(window->state().queue.jobs().size(), std::size_t{3});
        const auto* list = window->findChild<QueuePanel*>("queuePanel")->list();
        QTRY_VERIFY(list->isVisible());
        QCOMPARE(dock->width(), before);
        QTRY_VERIFY(list->header()->length() <= list->viewport()->width());
        for (int column = 0; column < list->header()->count(); ++column) QVERIFY(list->columnWidth(column) > 30);
    }

    void aGridFileIsQueued() {
        Scene scene;
        const auto window = scene.open();
        window->state().queue.setPaused(true);
        queueGrid(*window, makeGrid(scene, "My masks.toml"));
        QTRY_COMPARE(window->state().queue.jobs().size(), std::size_t{1});
        const QueueJob& job = window->state().queue.jobs()[0];
        QVERIFY(job.isSweep());
        QCOMPARE(job.name, std::string("My masks"));
        QCOMPARE(job.grid, fs::path(scene.dir.filePath("My masks.toml").toStdString()));
        QCOMPARE(job.folder, fs::path(scene.dir.filePath("sweeps/my-masks").toStdString()));
    }

    void aSweepFolderThatIsDroppedOpensAsAPage() {
        Scene scene;
        const OptionTable table(ScriptedRun::catalogue());
        const fs::path folder = fs::path(scene.dir.path().toStdString()) / "masks";
        makeSweepFolder(table, folder, "1-2");
        const QString path = QString::fromStdString(folder.string());
        QVERIFY(MainWindow::opensBeside(path) && !MainWindow::opensBeside(scene.dir.path()));
        const auto window = scene.open();
        const std::string before = window->controller()->draft()->experiment().name;
        QSignalSpy opened(window.get(), &MainWindow::opened);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &drop);
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(opened[0][0].toBool());
        const auto* page = window->findChild<SweepPage*>("sweepPage");
        QVERIFY(page && page->isVisible());
        QTRY_VERIFY(page->sweep() && page->sweep()->whole);
        QCOMPARE(page->sweep()->runs.size(), std::size_t{4});
        QCOMPARE(window->controller()->draft()->experiment().name, before);
    }

    void aSweepFolderOpensAsAPage() {
        Scene scene;
        const OptionTable table(ScriptedRun::catalogue());
        const fs::path folder = fs::path(scene.dir.path().toStdString()) / "masks";
        makeSweepFolder(table, folder, "1-2");
        const auto window = scene.open();
        auto* panel = window->findChild<QueuePanel*>("queuePanel");
        Q_EMIT panel->sweepAsked(QString::fromStdString(folder.string()));
        SweepPage* page = nullptr;
        QTRY_VERIFY((page = window->findChild<SweepPage*>("sweepPage")) && page->isVisible());
        QTRY_VERIFY(page->sweep() && page->sweep()->whole);
        QCOMPARE(page->sweep()->runs.size(), std::size_t{4});
    }
};

PALIMPSEST_TEST(TestQueueController)

}  // namespace tst_queue_controller

#include "tst_queue_controller.moc"
