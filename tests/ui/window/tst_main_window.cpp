// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QUndoStack>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stop_token>

#include "engine/config/experiment_file.h"
#include "engine/learner/learner_permit.h"
#include "engine/record/run_folder_writer.h"
#include "tests/support/foreign_run.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_adaptation.h"
#include "tests/support/scripted_run.h"
#include "tests/support/scripted_trust.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/commands/action_book.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/figures/matrix_canvas.h"
#include "ui/guide/guide_viewer.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/trust_dialog.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/main_menus.h"
#include "ui/window/main_window.h"
#include "ui/window/quit.h"

using namespace palimpsest;
using palimpsest::testing::ForeignRun;
using palimpsest::testing::ScriptedAdaptation;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::ScriptedTrust;
using palimpsest::testing::showActive;
using palimpsest::testing::writeMadeUpRun;

namespace tst_main_window {

class TestMainWindow : public QObject {
    Q_OBJECT
private:
    QTemporaryDir runs_, elsewhere_;

    std::unique_ptr<MainWindow> open(const ScriptedRun& script) {
        auto window = std::make_unique<MainWindow>(script.laboratory(), runs_.path().toStdString());
        showActive(*window);
        return window;
    }

    /// With a finished run of a folder of its own in sight.
    std::unique_ptr<MainWindow> openWithARun(const ScriptedRun& script) {
        auto window = open(script);
        const auto folder =
            writeMadeUpRun(OptionTable(ScriptedRun::catalogue()), elsewhere_.path().toStdString(), "batch");
        QSignalSpy opened(window.get(), &MainWindow::opened);
        window->open(QString::fromStdString(folder.string()));
        if (!QTest::qWaitFor([&] { return opened.count() == 1; })) qFatal("The run is not read.");
        return window;
    }

    static void drop(QWidget* target, const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &event);
    }

    static QString stateInList(const MainWindow& window, const QString& id) {
        const RunTableModel* model = window.findChild<RunsPanel*>()->model();
        return model->index(model->rowOf(id), RunTableModel::When).data(RunTableModel::StateRole).toString();
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void theKeysSteerTheRun() {
        ScriptedRun script;
        const auto window = open(script);
        RunController* run = window->controller();
        QTest::keyClick(window.get(), Qt::Key_Right);
        QTest::keyClick(window.get(), Qt::Key_Space);
        QCOMPARE(run->state(), RunState::Idle);

        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(run->state(), RunState::Running);
        QTest::keyClick(window.get(), Qt::Key_Right);
        QTest::keyClick(window.get(), Qt::Key_Space);
        script.allowAll();
        QTRY_COMPARE(run->state(), RunState::Paused);
        QCOMPARE(script.learned(), 0);
        QTest::keyClick(window.get(), Qt::Key_Right);
        QTRY_COMPARE(script.learned(), 1);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QCOMPARE(run->state(), RunState::Running);
        QTRY_COMPARE(run->state(), RunState::Idle);
    }

    void aHeldKeyActsOnce_data() {
        QTest::addColumn<Qt::Key>("key");
        QTest::addColumn<QString>("action");
        QTest::newRow("Right") << Qt::Key_Right << "stepRun";
        QTest::newRow("Space") << Qt::Key_Space << "pauseRun";
        QTest::newRow("F5") << Qt::Key_F5 << "startRun";
    }
    void aHeldKeyActsOnce() {
        QFETCH(Qt::Key, key);
        QFETCH(QString, action);
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        QTest::keyClick(window.get(), Qt::Key_Space);
        script.allow(1);
        QTRY_COMPARE(window->controller()->state(), RunState::Paused);
        auto* deed = window->findChild<QAction*>(action);
        QVERIFY(deed);
        QSignalSpy done(deed, &QAction::triggered);
        for (int i = 0; i < 6; ++i) {
            QTest::simulateEvent(window.get(), true, key, Qt::NoModifier, {}, i > 0);
            // Only the key counts, not whether the action makes sense by now.
            deed->setEnabled(true);
        }
        QTest::simulateEvent(window.get(), false, key, Qt::NoModifier, {}, false);
        QCOMPARE(done.count(), 1);
    }

    void shiftF5StopsAndKeepsTheWindowReady() {
        ScriptedRun script;
        const auto window = open(script);
        QSignalSpy ended(window->controller()->bridge(), &RunBridge::ended);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        QTest::keyClick(window.get(), Qt::Key_F5, Qt::ShiftModifier);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][0].value<RunEnded>().how, RunEnd::Stopped);
        QVERIFY(window->controller()->canStart());
    }

    void aSliderUnderTheKeyboardKeepsItsArrowsWhileTheRunIsPaused() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        QTest::keyClick(window.get(), Qt::Key_Space);
        script.allowAll();
        QTRY_COMPARE(window->controller()->state(), RunState::Paused);
        auto* slider = window->findChild<QWidget*>("optionEditor.stream.sessions.slider");
        slider->setFocus();
        const auto before = window->controller()->draft()->experiment().stream.sessions;
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(window->controller()->draft()->experiment().stream.sessions, before + 1);
        QCOMPARE(script.learned(), 0);
    }

    void aButtonUnderTheKeyboardDoesNotKeepSpaceFromTheRun() {
        ScriptedRun script;
        const auto window = open(script);
        auto* button = window->findChild<QAbstractButton*>("runsGrouping");
        button->show();
        button->setFocus(Qt::TabFocusReason);
        const bool grouped = button->isChecked();
        // Nothing goes on: the button is pressed.
        QTest::keyClick(button, Qt::Key_Space);
        QCOMPARE(button->isChecked(), !grouped);
        QCOMPARE(window->controller()->state(), RunState::Idle);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        script.allow(1);
        button->setFocus(Qt::TabFocusReason);
        QTest::keyClick(button, Qt::Key_Space);
        QCOMPARE(button->isChecked(), !grouped);
        script.allowAll();
        QTRY_COMPARE(window->controller()->state(), RunState::Paused);
        QTest::keyClick(button, Qt::Key_Return);
        QCOMPARE(button->isChecked(), grouped);
        QCOMPARE(window->controller()->state(), RunState::Paused);
        // In a detached panel, too, where the keys of the run hold as well.
        auto* dock = window->findChild<QDockWidget*>("runsDock");
        dock->setFloating(true);
        QTRY_VERIFY(dock->isVisible() && button->window() == dock);
        button->setFocus(Qt::TabFocusReason);
        QTest::keyClick(button, Qt::Key_Return);
        QCOMPARE(button->isChecked(), !grouped);
        window->controller()->stop();
        QTRY_COMPARE(window->controller()->state(), RunState::Idle);
    }

    /// Unconfirmed text is committed while all its listeners still exist.
    void textInADetachedPanelIsTakenOverBeforeTheWindowGoes() {
        ScriptedRun script;
        auto window = open(script);
        auto* dock = window->findChild<QDockWidget*>("experimentDock");
        dock->setFloating(true);
        QTRY_VERIFY(dock->isVisible() && dock->isWindow());
        auto* field = window->findChild<QAbstractSpinBox*>("optionEditor.seed.value");
        QVERIFY(field);
        auto* line = field->findChild<QLineEdit*>();
        // Typed by a program, or in a panel that has lost the keyboard: nothing has the focus.
        line->selectAll();
        QTest::keyClicks(line, "12345");
        const QPointer<MessageBar> messages = window->messages();
        bool heard = false, in_time = false;
        connect(window->controller()->draft(), &ExperimentDraft::changed, this, [&] {
            heard = true;
            in_time = !messages.isNull();
        });
        window.reset();
        QVERIFY(heard && in_time);
    }

    void pageKeysTurnTheFiguresWhereverTheFocusIs() {
        ScriptedRun script;
        const auto window = open(script);
        auto* curves = window->findChild<CurvesView*>();
        const auto first = curves->page();
        auto* list = window->findChild<QTableView*>("runsTable");
        QVERIFY(list);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_PageDown);
        QCOMPARE(int(curves->page()), (int(first) + 1) % int(CurvesView::kPages));
        QTest::keyClick(list, Qt::Key_PageUp);
        QCOMPARE(curves->page(), first);
        QTest::keyClick(window.get(), Qt::Key_PageUp);
        QCOMPARE(int(curves->page()), int(CurvesView::kPages) - 1);
        QTest::keyClick(window.get(), Qt::Key_PageDown);
        QCOMPARE(curves->page(), first);
    }

    void aTypedSpaceGoesIntoTheText() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        auto* name = window->findChild<QLineEdit*>("optionEditor.name.value");
        name->setFocus();
        name->setText("a");
        QTest::keyClick(name, Qt::Key_Space);
        QCOMPARE(name->text(), QString("a "));
        QVERIFY(window->controller()->detail().isEmpty());
    }

    void undoAndRedoByKeyboard() {
        ScriptedRun script;
        const auto window = open(script);
        ExperimentDraft* draft = window->controller()->draft();
        draft->set("seed", std::int64_t{8});
        QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(draft->experiment().seed, 1);
        QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(draft->experiment().seed, 8);
    }

    void theMessageOfADeletionGoesWithIt() {
        const QTemporaryDir runs;
        writeMadeUpRun(OptionTable(ScriptedRun::catalogue()), runs.path().toStdString(), "batch");
        ScriptedRun script;
        MainWindow window(script.laboratory(), runs.path().toStdString());
        showActive(window);
        QTableView* list = window.findChild<RunsPanel*>()->view();
        const auto listed = [list](int count) { return list->model()->rowCount() == count; };
        QTRY_VERIFY(listed(1));
        const int before = window.messages()->count();
        const auto remove = [&] {
            window.library()->remove({RunSet::idOf(window.library()->rows().front()->folder.string(), 0)});
            QTRY_VERIFY(listed(0));
            QTRY_COMPARE(window.messages()->count(), before + 1);
            QVERIFY(window.messages()->text().startsWith("Deleted"));
        };
        remove();
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(listed(1));
        QCOMPARE(window.messages()->count(), before);
        // Nor does it offer what an empty trash does not have any more.
        remove();
        window.library()->emptyTrash();
        QTRY_VERIFY(window.messages()->text().startsWith("The trash is empty"));
        QCOMPARE(window.messages()->count(), before + 1);
    }

    void aProgramThatIsNotAllowedIsAQuestionAndNoMessage() {
        QTemporaryDir folder;
        const std::string program = folder.filePath("learner").toStdString();
        std::ofstream(program) << "#!/bin/sh\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        ScriptedRun::Script lines;
        lines.fail_at_batch = 2;
        lines.refused = learnerCommand(program);
        ScriptedRun script(lines);
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        script.allowAll();
        QTRY_VERIFY(window->findChild<QMessageBox*>("learnerQuestion"));
        QTRY_VERIFY(!window->messages()->isVisible());
        const auto* status = window->findChild<QLabel*>("progressSession");
        QVERIFY2(status->text().startsWith("Waiting for your answer"), qPrintable(status->text()));
        QTest::keyClick(window->findChild<QMessageBox*>("learnerQuestion"), Qt::Key_Escape);
        QTRY_VERIFY(window->controller()->canStart());
        QTRY_VERIFY2(status->text().startsWith("The run failed."), qPrintable(status->text()));
    }

    void aFailedRunShowsItsMessageUntilDismissed() {
        ScriptedRun::Script lines;
        lines.fail_at_batch = 2;
        ScriptedRun script(lines);
        script.allowAll();
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_VERIFY(window->messages()->isVisible());
        QCOMPARE(window->messages()->text(), QString::fromStdString(lines.error));
        QCOMPARE(window->messages()->hint(), QString::fromStdString(lines.hint));
        QVERIFY(window->controller()->canStart());
        window->findChild<QAbstractButton*>("messageDismiss")->click();
        QVERIFY(!window->messages()->isVisible());
    }

    void theCurrentSessionIsFramedOnlyInTheStreamThatRuns() {
        ScriptedRun script;
        const auto window = open(script);
        auto* preview = window->findChild<StreamPreview*>("streamPreview");
        QTRY_VERIFY(preview->stream());
        QTest::keyClick(window.get(), Qt::Key_F5);
        script.allow(1);
        QTRY_COMPARE(preview->currentSession(), 0);
        const auto running = preview->stream();
        window->controller()->draft()->set("seed", std::int64_t{77});
        QTRY_VERIFY(preview->stream() != running);
        QCOMPARE(preview->currentSession(), -1);
        script.allowAll();
        QTRY_COMPARE(window->controller()->state(), RunState::Idle);
    }

    void anExperimentFileCanBeDroppedAndSavedAgain() {
        ScriptedRun script;
        const auto window = open(script);
        const OptionTable table(ScriptedRun::catalogue());
        Experiment experiment = table.defaults();
        experiment.name = "Dropped";
        experiment.seed = 77;
        QTemporaryDir folder;
        const QString file = folder.filePath("dropped.toml");
        writeExperiment(table, experiment, file.toStdString());
        QSignalSpy opened(window.get(), &MainWindow::opened);
        drop(window.get(), file);
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(window->controller()->draft()->experiment().seed, 77);
        QVERIFY(window->windowTitle().startsWith("Dropped"));
        QVERIFY(!window->isWindowModified());
        window->controller()->draft()->set("seed", std::int64_t{78});
        QVERIFY(window->isWindowModified());
    }

    void aFileThatCannotBeOpenedSaysWhatCan_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("hint");
        QTest::newRow("a picture") << "figure.png"
                                   << "Open an experiment";
        QTest::newRow("a program") << "my_method.py"
                                   << "Your own program";
    }
    void aFileThatCannotBeOpenedSaysWhatCan() {
        QFETCH(QString, name);
        QFETCH(QString, hint);
        ScriptedRun script;
        const auto window = open(script);
        QTemporaryDir folder;
        const QString path = folder.filePath(name);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("\x89PNG import torch\n") > 0);
        file.close();
        drop(window.get(), path);
        auto* bar = window->findChild<MessageBar*>();
        QTRY_VERIFY(bar->text().contains("neither results, an experiment nor a folder"));
        QVERIFY2(bar->hint().contains(hint), qPrintable(bar->hint()));
    }

    /// As the program's argument, which may be relative to where it was started, or dropped.
    void resultsOfAnotherProgramAreImported_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("dropped");
        for (const char* name : {"t.csv", "logs.pyd", "pycil.log"})
            for (const bool dropped : {false, true})
                QTest::addRow("%s %s", name, dropped ? "dropped" : "named") << QString(name) << dropped;
    }
    void resultsOfAnotherProgramAreImported() {
        QFETCH(QString, name);
        QFETCH(bool, dropped);
        ScriptedRun script;
        const auto window = open(script);
        QTemporaryDir folder(QDir::current().filePath("imp-XXXXXX"));
        const QString path = folder.filePath(name);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            name == "t.csv" ? "samples_seen,accuracy\n500,61.5\n1000,70.5\n"
            : name == "logs.pyd"
                ? "{'accmean_task1': 50.0, 'model': 'er', 'dataset': 'seq-cifar10'}\n"
                : "2026-01-01 [trainer.py] => model_name: icarl\n2026-01-01 [trainer.py] => CNN top1 curve: [50.0]\n");
        file.close();
        const QString relative = QDir::current().relativeFilePath(path);
        QVERIFY(MainWindow::opensBeside(relative));
        const QString before = window->windowTitle();
        if (dropped)
            drop(window.get(), path);
        else
            window->open(relative);
        auto* bar = window->findChild<MessageBar*>();
        QTRY_VERIFY2(bar->text().startsWith("Imported"), qPrintable(bar->text()));
        QCOMPARE(window->windowTitle(), before);
        const ShownRun* shown = window->curves()->selected();
        QVERIFY(shown && shown->facts->imported);
    }

    void aTableWithoutResultsSaysWhatIsMissing() {
        ScriptedRun script;
        const auto window = open(script);
        QTemporaryDir folder;
        QFile file(folder.filePath("prices.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("day,price\n1,2\n") > 0);
        file.close();
        window->open(file.fileName());
        auto* bar = window->findChild<MessageBar*>();
        QTRY_VERIFY2(bar->text().contains("no column for"), qPrintable(bar->text()));
    }

    void aRunFolderCanBeDropped() {
        ScriptedRun script;
        script.allowAll();
        const OptionTable table(ScriptedRun::catalogue());
        Experiment experiment = table.defaults();
        experiment.name = "Recorded";
        experiment.evaluation.every_samples = 100;
        QTemporaryDir folder;
        auto writer = RunFolderWriter::create(table, experiment, folder.path().toStdString());
        RunControl control;
        script.function()(1, experiment, control, *writer);
        const QString place = QString::fromStdString(writer->folder().string());
        writer.reset();

        const auto window = open(script);
        QSignalSpy opened(window.get(), &MainWindow::opened);
        drop(window.get(), place);
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(opened[0][0].toBool(), true);
        const ShownRun* curves = window->curves()->selected();
        QVERIFY(curves);
        QCOMPARE(curves->facts->name, QString("Recorded"));
        QVERIFY(curves->points.anytime().size() > 3);
    }

    void aCrashedRunThatIsOpenedIsListedAsCrashed() {
        const OptionTable table(ScriptedRun::catalogue());
        QTemporaryDir elsewhere;
        ForeignRun run(table, elsewhere.path());
        run.kill();
        ScriptedRun script;
        const auto window = open(script);
        QSignalSpy opened(window.get(), &MainWindow::opened);
        window->open(QString::fromStdString(run.folder().string()));
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(window->library()->find(run.id()));
        QCOMPARE(window->library()->find(run.id())->state, RecordedState::Crashed);
        QCOMPARE(stateInList(*window, run.id()), QString("crashed"));
        QVERIFY(window->messages()->text().contains("crashed"));
        auto* panel = window->findChild<RunsPanel*>();
        QCOMPARE(panel->model()->rowOf(run.id()) >= 0, true);
        panel->view()->setCurrentIndex(panel->view()->model()->index(0, RunTableModel::Name));
        Q_EMIT panel->view()->customContextMenuRequested(QPoint(-1, -1));
        auto* menu = panel->findChild<QMenu*>("runsMenu");
        QVERIFY(menu);
        for (const QAction* action : menu->actions()) {
            const QString words = action->text();
            if (words.startsWith("Open") || words.startsWith("Copy")) QVERIFY2(action->isEnabled(), qPrintable(words));
        }
        menu->close();
    }

    void aPausedRunIsListedAsPaused() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_VERIFY(window->curves()->selected());
        const QString id = window->curves()->selected()->id;
        QCOMPARE(stateInList(*window, id), QString("running"));
        QTest::keyClick(window.get(), Qt::Key_Space);
        script.allow(1);
        QTRY_COMPARE(stateInList(*window, id), QString("paused"));
        QTest::keyClick(window.get(), Qt::Key_Space);
        QCOMPARE(stateInList(*window, id), QString("running"));
        script.allowAll();
        QTRY_COMPARE(window->controller()->state(), RunState::Idle);
    }

    void whatCannotBeOpenedIsToldInTheMessageBar_data() {
        QTest::addColumn<QString>("what");
        QTest::newRow("nothing there") << "/nowhere/at/all.toml";
        QTest::newRow("a folder that is neither a run nor images") << runs_.path();
        QTest::newRow("no preset") << "no-such-preset";
    }
    void whatCannotBeOpenedIsToldInTheMessageBar() {
        QFETCH(QString, what);
        ScriptedRun script;
        const auto window = open(script);
        QSignalSpy opened(window.get(), &MainWindow::opened);
        window->open(what);
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(opened[0][0].toBool(), false);
        QVERIFY(window->messages()->isVisible());
        QVERIFY(!window->messages()->text().isEmpty());
    }

    void aRunFolderThatCannotBeReadIsANoteInTheMessageBar() {
        QTemporaryDir runs;
        QVERIFY(QDir(runs.path()).mkdir("broken"));
        QFile file(runs.filePath("broken/run.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"started": "2026-03-01T10:00:00.125Z"})");
        file.close();
        ScriptedRun script;
        MainWindow window(script.laboratory(), runs.path().toStdString());
        window.show();
        QTRY_VERIFY(window.messages()->isVisible());
        QVERIFY2(window.messages()->text().contains(runs.filePath("broken")), qPrintable(window.messages()->text()));
        QCOMPARE(window.messages()->property("kind").toString(), QString("note"));
    }

    void closingInMidRunAsksAndThenStopsItFirst() {
        ScriptedRun script;
        const auto window = open(script);
        QSignalSpy ended(window->controller()->bridge(), &RunBridge::ended);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        window->close();
        QVERIFY(window->isVisible());
        auto* question = window->findChild<QuitQuestion*>();
        QVERIFY(question && question->isVisible());
        QVERIFY(question->text().contains(QString::fromStdString(window->controller()->running()->name)));
        question->findChild<QAbstractButton*>("stayButton")->click();
        QTRY_VERIFY(!window->findChild<QuitQuestion*>());
        QVERIFY(window->isVisible());
        QCOMPARE(window->controller()->state(), RunState::Running);

        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        QTest::keyClick(window.get(), Qt::Key_Q, Qt::ControlModifier);
        question = window->findChild<QuitQuestion*>();
        QVERIFY(question);
        question->findChild<QAbstractButton*>("quitButton")->click();
        QTRY_VERIFY(!window->isVisible());
        QCOMPARE(ended.count(), 1);
    }

    void whatTheSystemEndsStopsTheRunWithoutAQuestion() {
        ScriptedRun script;
        const auto window = open(script);
        QSignalSpy ended(window->controller()->bridge(), &RunBridge::ended);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        window->close();  // a person was just being asked
        QVERIFY(window->findChild<QuitQuestion*>());
        window->stopAndClose();
        QTRY_VERIFY(!window->isVisible());
        QTRY_VERIFY(!window->findChild<QuitQuestion*>());
        QCOMPARE(ended.count(), 1);
    }

    /// The first close keeps everything, whatever it waits for, and so does the end of the session.
    void closingOnceMoreAsksWhetherToEndALearnerThatHangs() {
        ScriptedRun script;
        Laboratory laboratory = script.laboratory();
        std::stop_token now;
        laboratory.run = testing::hangingRun(now);
        MainWindow window(laboratory, runs_.path().toStdString());
        showActive(window);
        window.controller()->startOrResume();
        QTRY_COMPARE(window.controller()->state(), RunState::Running);
        window.close();
        auto* question = window.findChild<QuitQuestion*>();
        QVERIFY(question && question->work() == QuitQuestion::Work::Run);
        question->findChild<QAbstractButton*>("quitButton")->click();
        QTRY_VERIFY(window.controller()->canStopNow() && !window.findChild<QuitQuestion*>());
        window.stopAndClose();
        window.stopAndClose();
        QVERIFY(window.isVisible() && !now.stop_requested());
        QVERIFY(!window.findChild<QuitQuestion*>());

        window.close();
        question = window.findChild<QuitQuestion*>();
        QVERIFY(question && question->work() == QuitQuestion::Work::Learner);
        QCOMPARE(question->text(), QString("The program that learns has not answered for 4 s."));
        QVERIFY2(question->informativeText().startsWith("The window closes when it has answered."),
                 qPrintable(question->informativeText()));
        question->tellCheckpoint(1250);
        QVERIFY2(question->informativeText().contains("checkpoint at 1,250 images"),
                 qPrintable(question->informativeText()));
        question->tellCheckpoint(std::nullopt);
        QVERIFY2(question->informativeText().contains("no checkpoint yet"), qPrintable(question->informativeText()));
        question->findChild<QAbstractButton*>("stayButton")->click();
        QTRY_VERIFY(!window.findChild<QuitQuestion*>());
        QVERIFY(window.isVisible() && !now.stop_requested());

        window.close();
        question = window.findChild<QuitQuestion*>();
        QVERIFY(question && question->isVisible());
        question->findChild<QAbstractButton*>("quitButton")->click();
        QVERIFY(now.stop_requested());
        QTRY_VERIFY(!window.isVisible());
    }

    void closingOverAStopThatHangsEndsTheLearnerAtOnce() {
        ScriptedRun script;
        Laboratory laboratory = script.laboratory();
        std::stop_token now;
        laboratory.run = testing::hangingRun(now);
        MainWindow window(laboratory, runs_.path().toStdString());
        showActive(window);
        window.controller()->startOrResume();
        QTRY_COMPARE(window.controller()->state(), RunState::Running);
        window.controller()->stop();
        QTRY_VERIFY(window.controller()->canStopNow());
        window.close();
        auto* question = window.findChild<QuitQuestion*>();
        QVERIFY(question && question->work() == QuitQuestion::Work::Learner);
        QVERIFY2(question->informativeText().startsWith("Quitting ends it at once."),
                 qPrintable(question->informativeText()));
        question->findChild<QAbstractButton*>("quitButton")->click();
        QVERIFY(now.stop_requested());
        QTRY_VERIFY(!window.isVisible());
    }

    void theQuestionGoesWhenTheRunEndsByItself() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        window->close();
        QVERIFY(window->findChild<QuitQuestion*>());
        script.allowAll();
        QTRY_COMPARE(window->controller()->state(), RunState::Idle);
        QTRY_VERIFY(!window->findChild<QuitQuestion*>());
        QVERIFY(window->isVisible());
    }

    void closingInMidCheckAsksAndThenStopsTheChecksFirst() {
        ScriptedRun script;
        ScriptedTrust checks;
        Laboratory laboratory = script.laboratory();
        laboratory.trust = checks.function();
        MainWindow window(laboratory, runs_.path().toStdString());
        showActive(window);
        window.action(Command::Trust)->trigger();
        auto* page = window.findChild<TrustDialog*>();
        QVERIFY(page);
        page->findChild<QAbstractButton*>("trustStart")->click();
        QTRY_COMPARE(checks.requests().size(), std::size_t{1});
        window.close();
        QVERIFY(window.isVisible());
        auto* question = window.findChild<QuitQuestion*>();
        QVERIFY(question && question->isVisible());
        QVERIFY(question->work() == QuitQuestion::Work::Checks);
        question->findChild<QAbstractButton*>("stayButton")->click();
        QTRY_VERIFY(!window.findChild<QuitQuestion*>());
        QVERIFY(window.isVisible());
        QVERIFY(page->findChild<QAbstractButton*>("trustStop")->isEnabled());

        window.close();
        question = window.findChild<QuitQuestion*>();
        QVERIFY(question);
        question->findChild<QAbstractButton*>("quitButton")->click();
        QTRY_VERIFY(!window.isVisible());
        QVERIFY2(!page->findChild<QAbstractButton*>("trustStop")->isEnabled(), "the checks have ended before it");
    }

    void theQuestionGoesWhenTheChecksEndByThemselves() {
        ScriptedRun script;
        ScriptedTrust checks;
        Laboratory laboratory = script.laboratory();
        laboratory.trust = checks.function();
        MainWindow window(laboratory, runs_.path().toStdString());
        showActive(window);
        window.action(Command::Trust)->trigger();
        window.findChild<TrustDialog*>()->findChild<QAbstractButton*>("trustStart")->click();
        window.close();
        QVERIFY(window.findChild<QuitQuestion*>());
        checks.allow(7);
        QTRY_VERIFY(!window.findChild<QuitQuestion*>());
        QVERIFY(window.isVisible());
    }

    void f5InMidRunSaysWhatIsGoingOn() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        const QString learning = QString::fromStdString(window->controller()->running()->name);
        window->controller()->draft()->set("name", std::string("The next one"));
        QTest::keyClick(window.get(), Qt::Key_F5);
        QVERIFY2(window->messages()->text().contains(learning), qPrintable(window->messages()->text()));
        QVERIFY2(window->messages()->hint().contains("The next one"), qPrintable(window->messages()->hint()));
        QCOMPARE(window->messages()->property("kind").toString(), QString("note"));
    }

    void aClickOnAButtonLeavesSpaceToTheRun() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        QTest::mouseClick(window->findChild<QWidget*>("anytimeCanvas"), Qt::LeftButton);
        QTest::mouseClick(window->findChild<QWidget*>("anytimeTableButton"), Qt::LeftButton);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        script.allowAll();
        QTRY_COMPARE(window->controller()->state(), RunState::Paused);
    }

    void figuresLeaveSpaceAndRightToTheRun() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->controller()->state(), RunState::Running);
        QTest::keyClick(window.get(), Qt::Key_Space);
        script.allow(3);
        QTRY_COMPARE(window->controller()->state(), RunState::Paused);
        const auto learned = script.learned();
        // The figure itself comes under the keyboard, whichever page was there before.
        window->findChild<QWidget*>("anytimeCanvas")->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_4, Qt::ControlModifier);
        auto* matrix = qobject_cast<MatrixCanvas*>(QApplication::focusWidget());
        QVERIFY(matrix);
        QTest::keyClick(matrix, Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget()->objectName(), QString("anytimeCanvas"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_4, Qt::ControlModifier);
        QTest::mouseClick(matrix, Qt::LeftButton);
        QCOMPARE(QApplication::focusWidget(), matrix);
        QTest::keyClick(matrix, Qt::Key_Right);
        QTRY_COMPARE(script.learned(), learned + 1);
        QTRY_COMPARE(window->controller()->state(), RunState::Paused);
        QTest::keyClick(matrix, Qt::Key_Space);
        QCOMPARE(window->controller()->state(), RunState::Running);
        script.allowAll();
    }

    void aPresetsNameFollowsWhatIsChosenAndATypedOneStays() {
        ScriptedRun script;
        const auto window = open(script);
        QSignalSpy opened(window.get(), &MainWindow::opened);
        window->open("default");
        QTRY_COMPARE(opened.count(), 1);
        auto* presets = window->findChild<QComboBox*>("presetChooser");
        QTRY_COMPARE(presets->currentText(), QString("Batch mask"));
        ExperimentDraft* draft = window->controller()->draft();
        const auto name = [&] { return QString::fromStdString(draft->experiment().name); };
        draft->set("seed", std::int64_t{7});
        QCOMPARE(name(), QString("Batch mask"));
        draft->set("stream.sessions", std::int64_t{4});
        QCOMPARE(name(), QString("Batch mask (edited)"));
        QCOMPARE(presets->currentIndex(), -1);
        QCOMPARE(presets->placeholderText(), QString("Batch mask (edited)"));
        draft->set("memory.size", std::int64_t{500});
        draft->set("method.name", std::string("er"));
        QCOMPARE(name(), QString("ER, batch mask, 500 replayed"));
        QCOMPARE(presets->placeholderText(), QString("Own: ER, batch mask, 500 replayed"));
        QCOMPARE(window->findChild<QLineEdit*>("optionEditor.name.value")->text(), name());
        // Undone, the name goes with what it named.
        for (int i = 0; i < 3; ++i) draft->undoStack()->undo();
        QCOMPARE(name(), QString("Batch mask"));
        QCOMPARE(presets->currentText(), QString("Batch mask"));
        draft->set("name", std::string("Mine"));
        draft->set("method.name", std::string("er"));
        QCOMPARE(name(), QString("Mine"));
    }

    void anExperimentFromAFileIsCalledByItsName() {
        ScriptedRun script;
        const OptionTable table(ScriptedRun::catalogue());
        Experiment experiment = table.defaults();
        experiment.name = "My own";
        QTemporaryDir folder;
        const QString file = folder.filePath("own.toml");
        writeExperiment(table, experiment, file.toStdString());
        const auto window = open(script);
        QSignalSpy opened(window.get(), &MainWindow::opened);
        window->open(file);
        QTRY_COMPARE(opened.count(), 1);
        auto* presets = window->findChild<QComboBox*>("presetChooser");
        QCOMPARE(presets->currentText().isEmpty() ? presets->placeholderText() : presets->currentText(),
                 QString("My own"));
    }

    void theLabelsAreReadInTheBackgroundOnceForEachStream() {
        ScriptedRun script;
        const auto window = open(script);
        auto* preview = window->findChild<StreamPreview*>("streamPreview");
        QTRY_VERIFY(preview->stream());
        QCOMPARE(script.labelReads(), 1);
        window->controller()->draft()->set("mask.name", std::string("none"));
        window->controller()->draft()->set("training.learning_rate", 0.1);
        QTest::qWait(0);
        QCOMPARE(script.labelReads(), 1);
    }

    void ctrlEExportsTheFigureUnderTheFocus_data() {
        QTest::addColumn<QString>("canvas");
        QTest::addColumn<QString>("piece");
        QTest::newRow("anytime") << "anytimeCanvas"
                                 << "Anytime accuracy";
        QTest::newRow("retention") << "retentionCanvas"
                                   << "Retention";
    }
    void ctrlEExportsTheFigureUnderTheFocus() {
        QFETCH(QString, canvas);
        QFETCH(QString, piece);
        ScriptedRun script;
        const auto window = openWithARun(script);
        window->findChild<QWidget*>("retentionCanvas")->setFocus();
        window->findChild<QWidget*>(canvas)->setFocus();
        QTest::keyClick(window.get(), Qt::Key_E, Qt::ControlModifier);
        auto* dialog = window->findChild<QDialog*>("publishDialog");
        QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
        QTRY_COMPARE(dialog->findChild<QComboBox*>("publishPiece")->currentText(), piece);
    }

    void theTableHasItsOwnCommand() {
        ScriptedRun script;
        const auto window = openWithARun(script);
        window->findChild<QAction*>("exportTable")->trigger();
        auto* dialog = window->findChild<QDialog*>("publishDialog");
        QVERIFY(dialog);
        QTRY_COMPARE(dialog->findChild<QComboBox*>("publishPiece")->currentText(), QString("Table of the numbers"));
    }

    void withoutARunTheExportSaysHowToGetOne() {
        ScriptedRun script;
        QTemporaryDir empty;
        auto window = std::make_unique<MainWindow>(script.laboratory(), empty.path().toStdString());
        window->show();
        window->findChild<QAction*>("exportFigure")->trigger();
        auto* dialog = window->findChild<QDialog*>("publishDialog");
        QVERIFY(dialog);
        QVERIFY(dialog->findChild<QLabel*>("publishMessage")->text().contains("F5"));
        QVERIFY(!dialog->findChild<QAbstractButton*>("savePiece")->isEnabled());
    }

    void aGoodExportTakesTheErrorOfABadOneAway() {
        ScriptedRun script;
        const auto window = openWithARun(script);
        QTemporaryDir folder;
        QSignalSpy chosen(window.get(), &MainWindow::saveFolderChanged);
        QSignalSpy opened(window.get(), &MainWindow::opened);
        window->findChild<QAction*>("exportFigure")->trigger();
        auto* save = window->findChild<QAbstractButton*>("savePiece");
        QTRY_VERIFY(save->isEnabled());
        const auto exportTo = [&](const QString& file) {
            save->click();
            auto* dialog = window->findChild<QFileDialog*>("exportDialog");
            QVERIFY(dialog && !dialog->isModal());
            Q_EMIT dialog->fileSelected(file);
            delete dialog;
        };
        exportTo("/no/such/folder/figure.pdf");
        QTRY_VERIFY(window->messages()->text().contains("/no/such/folder/figure.pdf"));
        QVERIFY(!window->messages()->hint().isEmpty());
        QCOMPARE(chosen.count(), 0);
        exportTo(folder.filePath("exp1.pdf"));
        QTRY_COMPARE(window->messages()->text(), QString("Saved exp1.pdf"));
        QCOMPARE(window->messages()->count(), 1);
        QCOMPARE(window->messages()->property("kind").toString(), QString("done"));
        QCOMPARE(chosen[0][0].toString(), folder.path());
        QCOMPARE(opened.count(), 0);
    }

    void ctrlSProposesANameInTheFolderUsedLast() {
        ScriptedRun script;
        const auto window = open(script);
        QTemporaryDir folder;
        window->setSaveFolder(folder.path());
        window->controller()->draft()->set("name", std::string("Batch mask, again"));
        QTest::keyClick(window.get(), Qt::Key_S, Qt::ControlModifier);
        auto* dialog = window->findChild<QFileDialog*>("saveDialog");
        QVERIFY(dialog);
        QVERIFY(!dialog->isModal());
        QCOMPARE(dialog->directory().canonicalPath(), QDir(folder.path()).canonicalPath());
        QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), QString("batch-mask-again.toml"));
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_COMPARE(window->messages()->text(), QString("Saved batch-mask-again.toml"));
        QVERIFY(QFile::exists(folder.filePath("batch-mask-again.toml")));
    }

    void withoutAFolderUsedLastDialogsBeginAtHome_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("none") << "";
        QTest::newRow("gone") << "/no/such/folder";
    }
    void withoutAFolderUsedLastDialogsBeginAtHome() {
        QFETCH(QString, folder);
        ScriptedRun script;
        const auto window = open(script);
        window->setSaveFolder(folder);
        QTest::keyClick(window.get(), Qt::Key_S, Qt::ControlModifier);
        auto* dialog = window->findChild<QFileDialog*>("saveDialog");
        QVERIFY(dialog);
        QVERIFY2(dialog->directory().absolutePath().startsWith(QDir::homePath()),
                 qPrintable(dialog->directory().path()));
    }

    void theTextSizeIsChosenByKeyboard() {
        ScriptedRun script;
        const auto window = open(script);
        QSignalSpy chosen(window.get(), &MainWindow::textSizeChosen);
        const auto pixels = [&] { return window->findChild<QLabel*>("panelTitle")->font().pixelSize(); };
        const int normal = pixels();
        QTest::keyClick(window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(pixels(), qRound(normal * 1.25));
        QTest::keyClick(window.get(), Qt::Key_Equal, Qt::ControlModifier);
        QTest::keyClick(window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(pixels(), qRound(normal * 1.5));
        QVERIFY(window->findChild<QAction*>("textVeryLarge")->isChecked());
        QTest::keyClick(window.get(), Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(pixels(), qRound(normal * 1.25));
        QTest::keyClick(window.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(pixels(), normal);
        QCOMPARE(chosen.count(), 4);
        QCOMPARE(chosen.last()[0].value<TextSize>(), TextSize::Normal);
    }

    void anotherThemeReachesEveryPartOfTheWindow() {
        ScriptedRun script;
        const auto window = open(script);
        const auto barColour = [&] {
            auto* bar = window->findChild<QWidget*>("topBar");
            return bar->grab().toImage().pixelColor(2, 2);
        };
        window->setAppearance(Appearance::Dark);
        QTest::qWait(0);
        QCOMPARE(barColour(), Theme::darkTheme().panel);
        // Rules of its own would keep a part as it was.
        for (const QWidget* part : window->findChildren<QWidget*>())
            QVERIFY2(part->styleSheet().isEmpty(),
                     qPrintable(QString("%1 %2").arg(part->metaObject()->className(), part->objectName())));
        window->findChild<QAction*>("appearanceLight")->trigger();
        QCOMPARE(barColour(), Theme::lightTheme().panel);
        for (const QMenu* menu : window->findChildren<QMenu*>()) QVERIFY(menu->styleSheet().isEmpty());
        QTRY_VERIFY(window->findChild<QAction*>("undo")->isEnabled());
        window->findChild<QAction*>("undo")->trigger();
        QCOMPARE(barColour(), Theme::darkTheme().panel);
    }

    void panelsCanBePutAway_data() {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("panel");
        QTest::newRow("experiment") << "showExperiment"
                                    << "experimentPanel";
        QTest::newRow("now") << "showNow"
                             << "nowPanel";
        QTest::newRow("runs") << "showRuns"
                              << "runsPanel";
    }
    void panelsCanBePutAway() {
        QFETCH(QString, action);
        QFETCH(QString, panel);
        ScriptedRun script;
        const auto window = open(script);
        auto* shown = window->findChild<QAction*>(action);
        auto* figure = window->findChild<QWidget*>("anytimePlot");
        QVERIFY(shown && shown->isChecked());
        const QSize before = figure->size();
        shown->trigger();
        QVERIFY(!window->findChild<QWidget*>(panel)->isVisible());
        QTRY_VERIFY(figure->width() > before.width() || figure->height() > before.height());
        shown->trigger();
        QVERIFY(window->findChild<QWidget*>(panel)->isVisible());
    }

    void theFirstWindowTakesMostOfTheScreen_data() {
        QTest::addColumn<QSize>("available");
        QTest::addColumn<QSize>("window");
        QTest::newRow("4K") << QSize(3840, 2160) << QSize(3072, 1728);
        QTest::newRow("full HD") << QSize(1920, 1080) << QSize(1536, 864);
        QTest::newRow("laptop") << QSize(1366, 768) << QSize(1280, 728);
        QTest::newRow("as large as the usual window") << QSize(1280, 800) << QSize(1276, 760);
        QTest::newRow("small") << QSize(1024, 700) << QSize(1020, 660);
    }
    void theFirstWindowTakesMostOfTheScreen() {
        QFETCH(QSize, available);
        QFETCH(QSize, window);
        QCOMPARE(MainWindow::firstSize(available), window);
    }

    void f1ShowsTheGuideWithTheKeysOfTheMenus() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_F1);
        QTRY_VERIFY(window->findChild<GuideViewer*>());
        auto* docs = window->findChild<GuideViewer*>();
        QVERIFY(docs->isVisible());
        QVERIFY(!docs->isModal());
        auto* pages = docs->findChild<QListWidget*>("docsList");
        QCOMPARE(pages->currentRow(), 0);
        QCOMPARE(pages->item(0)->text(), QString("Guide"));
        QCOMPARE(pages->item(1)->text(), QString("Installing"));
        docs->showPage("keyboard");
        const auto* page = docs->findChild<QTextBrowser*>("docsText");
        for (const char* key :
             {"F5", "Space", "Right", "Shift+F5", "Ctrl+O", "Ctrl+S", "Ctrl+E", "Ctrl+Z", "Ctrl+0", "Ctrl++", "F1"})
            QTRY_VERIFY2(page->toPlainText().contains(key), key);
    }

    void aboutNamesWhatLearns() {
        ScriptedRun script;
        const auto window = open(script);
        window->findChild<MainMenus*>()->action(Command::About)->trigger();
        QTRY_VERIFY(window->findChild<GuideViewer*>());
        const auto* page = window->findChild<GuideViewer*>()->findChild<QTextBrowser*>("docsText");
        QTRY_VERIFY(page->toPlainText().contains("Computes on: a script, LibTorch 1.13.1"));
    }

    void computeSaysWhatIsMissingAndWhatToDo() {
        ScriptedRun script;
        const auto window = open(script);
        window->findChild<MainMenus*>()->action(Command::Compute)->trigger();
        QTRY_VERIFY(window->findChild<GuideViewer*>());
        const auto* page = window->findChild<GuideViewer*>()->findChild<QTextBrowser*>("docsText");
        // A long page comes piece by piece.
        for (const char* part : {"Compute", "1.13.1", "a script", "What is missing", "app/run --gpu"})
            QTRY_VERIFY2(page->toPlainText().contains(part), part);
        // What is read can be copied.
        QVERIFY(page->textInteractionFlags() & Qt::TextSelectableByMouse);
    }

    void everyCommandOfTheMenusHasItsKeysFromTheBook() {
        ScriptedRun script;
        const auto window = open(script);
        const auto* menus = window->findChild<MainMenus*>();
        const auto named = [menus](const QString& name) -> QAction* {
            for (const ActionBook::Entry& entry : menus->book()->entries())
                if (entry.action->objectName() == name) return entry.action;
            return nullptr;
        };
        for (std::size_t i = 0; i < kCommands; ++i) {
            const auto command = static_cast<Command>(i);
            QVERIFY2(menus->action(command) == named(commandRow(command).name), commandRow(command).name);
        }
        int commands = 0;
        const std::function<void(const QList<QAction*>&)> check = [&](const QList<QAction*>& actions) {
            for (QAction* action : actions) {
                if (action->isSeparator()) continue;
                if (action->menu()) {
                    check(action->menu()->actions());
                    continue;
                }
                QVERIFY2(named(action->objectName()) == action, qPrintable(action->text()));
                ++commands;
            }
        };
        check(menus->actions());
        QCOMPARE(commands, int(menus->book()->entries().size()));
        for (const char* name : {"importResults", "exportTable", "curvesPage7", "curvesSmoothing5", "showRuns"})
            QVERIFY2(named(name), name);
    }

    void aPageOfTheCurvesTakesOtherKeys() {
        ScriptedRun script;
        const auto window = open(script);
        const auto* tab = window->findChild<QAbstractButton*>("curvesTab5");
        QVERIFY2(tab->toolTip().contains("Ctrl+5"), qPrintable(tab->toolTip()));
        window->setKeys({{"curvesPage5", "Ctrl+L"}});
        QVERIFY2(tab->toolTip().contains("Ctrl+L"), qPrintable(tab->toolTip()));
        QTest::keyClick(window.get(), Qt::Key_5, Qt::ControlModifier);
        QCOMPARE(window->curvesView()->page(), CurvesView::kAccuracy);
        QTest::keyClick(window.get(), Qt::Key_L, Qt::ControlModifier);
        QCOMPARE(window->curvesView()->page(), CurvesView::kLoss);
    }

    void unfoldedSettingsComeIntoSight() {
        ScriptedRun script;
        const auto window = open(script);
        window->experimentPanel()->form()->setExpertShown(true);
        auto* fold = window->findChild<QAbstractButton*>("moreSettings");
        QTRY_VERIFY(!fold->visibleRegion().isEmpty());
        QTRY_VERIFY(!window->findChild<QWidget*>("optionEditor.precision")->visibleRegion().isEmpty());
    }

    void everyOptionHasItsEditor() {
        ScriptedRun script;
        ScriptedAdaptation adaptation;
        Laboratory lab = script.laboratory();
        lab.adapt = adaptation.function();
        const auto window = std::make_unique<MainWindow>(lab, runs_.path().toStdString());
        window->findChild<QAction*>("initialSession")->trigger();
        const OptionTable table(ScriptedRun::catalogue());
        for (const Option& option : table.options()) {
            // Made by dragging, and listed.
            if (option.key == "stream.edits") continue;
            const QString name = "optionEditor." + QString::fromStdString(option.key);
            QCOMPARE(window->findChildren<OptionEditor*>(name).size(), 1);
        }
        QVERIFY(window->findChild<QWidget*>("streamEdits"));
    }

    void everythingAPersonCanUseHasNameAndTooltip() {
        ScriptedRun script;
        const auto window = open(script);
        for (QWidget* widget : window->findChildren<QWidget*>()) {
            const bool usable = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                                qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QAbstractSlider*>(widget) ||
                                qobject_cast<QLineEdit*>(widget);
            // Parts that Qt makes inside its own widgets are named by those.
            const bool inner = qobject_cast<QScrollBar*>(widget) || widget->objectName().startsWith("qt_") ||
                               qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
                               qobject_cast<QComboBox*>(widget->parentWidget()) ||
                               widget->parentWidget()->inherits("QAbstractItemView") ||
                               widget->parentWidget()->inherits("QLineEdit") || widget->inherits("QTableCornerButton");
            if (!usable || inner) continue;
            const QByteArray who = widget->metaObject()->className() + QByteArray(" ") + widget->objectName().toUtf8();
            QVERIFY2(!widget->objectName().isEmpty(), who);
            QVERIFY2(!widget->accessibleName().isEmpty(), who);
            QVERIFY2(!widget->toolTip().isEmpty(), who);
        }
        for (const char* name : {"startButton", "stepButton", "stopButton", "presetChooser", "streamPreview",
                                 "anytimePlot", "retentionPlot", "nowPanel", "runsTable", "messageBar", "progressBar"})
            QVERIFY2(window->findChild<QWidget*>(name), name);
    }

    void noTextIsSmallerThanTenPixels() {
        ScriptedRun script;
        const auto window = open(script);
        for (const QWidget* widget : window->findChildren<QWidget*>()) {
            const int pixels = QFontInfo(widget->font()).pixelSize();
            QVERIFY2(pixels >= 10, qPrintable(QString("%1 %2").arg(widget->objectName()).arg(pixels)));
        }
    }
};

PALIMPSEST_TEST(TestMainWindow)

}  // namespace tst_main_window

#include "tst_main_window.moc"
