// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QDockWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

#include "engine/config/experiment_file.h"
#include "tests/support/foreign_run.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/plots/figure_pages.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/fold.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/main_window.h"
#include "ui/window/welcome_page.h"
#include "ui/window/window_docks.h"

using namespace palimpsest;
using palimpsest::testing::ForeignRun;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::showActive;
using palimpsest::testing::writeMadeUpRun;

namespace tst_window_session {

/// The program is closed and started again.
class TestWindowSession : public QObject {
    Q_OBJECT
private:
    struct Scene {
        ScriptedRun script;
        QTemporaryDir runs, folder;
        QString workspace = folder.filePath("workspace");
        std::unique_ptr<MainWindow> window;
        bool goes_on = false;

        Scene() { start(); }
        void start() {
            window = std::make_unique<MainWindow>(script.laboratory(), runs.path().toStdString());
            // This size fits the screen of the tests, as a restored window must.
            window->resize(1024, 690);
            goes_on = window->beginSession(workspace);
            showActive(*window);
        }
        void stop() {
            window->close();
            window.reset();
        }
        void restart() {
            stop();
            start();
        }
        ExperimentDraft* draft() const { return window->controller()->draft(); }
        QAction* action(const QString& name) const { return window->findChild<QAction*>(name); }
        QString file(const QString& name) const { return workspace + '/' + name; }
        bool welcomed() const { return window->findChild<WelcomePage*>()->isVisible(); }
        void open(const QString& what) {
            QSignalSpy opened(window.get(), &MainWindow::opened);
            window->open(what);
            QTRY_COMPARE(opened.count(), 1);
            QVERIFY(opened[0][0].toBool());
        }
    };
    static void put(const QString& name, const QByteArray& content) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void theFirstStartHasNothingToGoOnWith() {
        Scene scene;
        QVERIFY(!scene.goes_on);
        QVERIFY(scene.welcomed());
        QCOMPARE(scene.window->messages()->count(), 0);
    }

    void unsavedChangesAreThereAgain() {
        Scene scene;
        scene.draft()->set("seed", std::int64_t{4711});
        scene.draft()->set("name", std::string("Half done"));
        scene.restart();
        QVERIFY(scene.goes_on);
        QCOMPARE(scene.draft()->experiment().seed, 4711);
        QVERIFY(scene.window->windowTitle().startsWith("Half done"));
        // There is nothing to undo yet, and what is opened next can be taken back.
        QVERIFY(!scene.draft()->undoStack()->canUndo());
        scene.open("no-mask");
        scene.draft()->undoStack()->undo();
        QCOMPARE(scene.draft()->experiment().seed, 4711);
    }

    void aSecondWindowSaysSoAndLeavesTheWorkspaceAlone() {
        Scene scene;
        scene.draft()->set("seed", std::int64_t{11});
        {
            ScriptedRun script;
            MainWindow second(script.laboratory(), scene.runs.path().toStdString());
            second.beginSession(scene.workspace);
            QCOMPARE(second.messages()->count(), 1);
            QVERIFY2(second.messages()->text().contains("open in another window"),
                     qPrintable(second.messages()->text()));
            QVERIFY(second.messages()->hint().contains("workspace.lock"));
            second.controller()->draft()->set("seed", std::int64_t{22});
        }
        QCOMPARE(scene.window->messages()->count(), 0);
        scene.restart();
        QCOMPARE(scene.draft()->experiment().seed, 11);
        QCOMPARE(scene.window->messages()->count(), 0);
        scene.stop();
        QVERIFY(!QFile::exists(scene.file("workspace.lock")));
    }

    void theLockOfAProgramThatIsGoneIsNone() {
        Scene scene;
        scene.stop();
        // As a killed program leaves it: a process that no machine has, the program's name, this machine.
        QFile lock(scene.file("workspace.lock"));
        QVERIFY(lock.open(QIODevice::WriteOnly));
        lock.write("4194999\ntests_ui_window\n" + QSysInfo::machineHostName().toUtf8() + "\n");
        lock.close();
        scene.start();
        QCOMPARE(scene.window->messages()->count(), 0);
        scene.draft()->set("seed", std::int64_t{33});
        scene.restart();
        QCOMPARE(scene.draft()->experiment().seed, 33);
    }

    void anExperimentOfAFileIsStillTheFilesWithItsUnsavedChanges() {
        Scene scene;
        Experiment experiment = scene.draft()->experiment();
        experiment.name = "Of a file";
        const QString file = scene.folder.filePath("own.toml");
        writeExperiment(scene.draft()->table(), experiment, file.toStdString());
        scene.open(file);
        scene.restart();
        QVERIFY(!scene.window->isWindowModified());
        scene.draft()->set("seed", std::int64_t{12});
        QVERIFY(scene.window->isWindowModified());
        scene.restart();
        QVERIFY(scene.window->isWindowModified());
        scene.draft()->set("seed", experiment.seed);
        QVERIFY(!scene.window->isWindowModified());
    }

    void thePanelsComeBackAsTheyWereLeft() {
        Scene scene;
        scene.action("showNow")->trigger();
        WindowDocks* docks = scene.window->docks();
        docks->addDockWidget(Qt::TopDockWidgetArea, scene.window->findChild<QDockWidget*>("runsDock"));
        docks->resizeDocks({scene.window->findChild<QDockWidget*>("experimentDock")}, {400}, Qt::Horizontal);
        QTRY_COMPARE(scene.window->findChild<QDockWidget*>("experimentDock")->width(), 400);
        const QSize size = scene.window->size();
        scene.restart();
        QCOMPARE(scene.window->size(), size);
        QVERIFY(!scene.window->findChild<QDockWidget*>("nowDock")->isVisible());
        QVERIFY(!scene.action("showNow")->isChecked());
        QCOMPARE(scene.window->docks()->dockWidgetArea(scene.window->findChild<QDockWidget*>("runsDock")),
                 Qt::TopDockWidgetArea);
        QTRY_COMPARE(scene.window->findChild<QDockWidget*>("experimentDock")->width(), 400);
    }

    void howeverOftenItIsStartedTheWindowStandsWhereItStood() {
        Scene scene;
        // Without a frame, and so high that there would be no room for one.
        const QRect place(4, 4, 1024, 790);
        scene.window->setGeometry(place);
        QTRY_COMPARE(scene.window->geometry(), place);
        for (int start = 0; start < 2; ++start) {
            scene.restart();
            QCOMPARE(scene.window->geometry(), place);
        }
    }

    void thePageOfTheFiguresComesBack() {
        Scene scene;
        scene.window->curvesView()->showPage(CurvesView::kSessions);
        scene.restart();
        QCOMPARE(scene.window->curvesView()->page(), CurvesView::kSessions);
    }

    void theTablesOfFiguresComeBack() {
        Scene scene;
        scene.window->findChild<FigurePages*>("retentionPages")->setTableShown(true);
        scene.restart();
        QVERIFY(scene.window->findChild<FigurePages*>("retentionPages")->tableShown());
        QVERIFY(!scene.window->findChild<FigurePages*>("anytimePages")->tableShown());
    }

    void foldedSectionsComeBackFolded() {
        Scene scene;
        const auto isOpen = [&](const char* name) { return scene.window->findChild<Fold*>(name)->isOpen(); };
        QVERIFY(isOpen("dataSection") && isOpen("methodSection") && isOpen("runSection"));
        scene.window->findChild<Fold*>("runSection")->setOpen(false);
        scene.restart();
        QVERIFY(isOpen("dataSection") && isOpen("methodSection") && !isOpen("runSection"));
    }

    void theRunsThatWereShownAreShownAgainAndChangeNoSetting() {
        Scene scene;
        ForeignRun first(scene.draft()->table(), scene.runs.path());
        QTemporaryDir elsewhere;
        ForeignRun second(scene.draft()->table(), elsewhere.path());
        first.kill();
        second.kill();
        scene.open(QString::fromStdString(first.folder().string()));
        scene.open(QString::fromStdString(second.folder().string()));
        scene.window->curves()->select(first.id());
        scene.draft()->set("seed", std::int64_t{31});
        scene.restart();
        const RunSet* curves = scene.window->curves();
        QTRY_COMPARE(curves->visibleRuns().size(), std::size_t{2});
        QTRY_VERIFY(curves->selected());
        QCOMPARE(curves->selected()->id, first.id());
        QCOMPARE(scene.draft()->experiment().seed, 31);
        QVERIFY(!scene.welcomed());
    }

    void theBaselineOfTheListComesBack() {
        Scene scene;
        const std::filesystem::path folder =
            writeMadeUpRun(scene.draft()->table(), scene.runs.path().toStdString(), "none");
        const QString id = RunSet::idOf(folder.string(), 0);
        const auto list = [&] { return scene.window->findChild<RunsPanel*>()->model(); };
        scene.window->library()->refresh();
        QTRY_VERIFY(list()->rowOf(id) >= 0);
        list()->setBaseline(id);
        for (int start = 0; start < 2; ++start) {
            scene.restart();
            QTRY_COMPARE(list()->baseline(), id);
        }
        const auto* view = scene.window->findChild<RunsPanel*>()->view();
        QVERIFY(!view->isColumnHidden(RunTableModel::DeltaArea));
        QVERIFY(scene.window->curves()->visibleRuns().empty());
        // One that is gone is forgotten.
        scene.stop();
        std::filesystem::remove_all(folder);
        scene.start();
        QTRY_VERIFY(list()->keptBaseline().isEmpty());
        QVERIFY(list()->baseline().isEmpty());
    }

    void seedsStayGrouped() {
        Scene scene;
        const auto button = [&] { return scene.window->findChild<QToolButton*>("runsGrouping"); };
        button()->setChecked(true);
        scene.restart();
        QVERIFY(button()->isChecked());
        QVERIFY(scene.window->findChild<RunsPanel*>()->model()->grouped());
        button()->setChecked(false);
        scene.restart();
        QVERIFY(!button()->isChecked());
    }

    void runsKeepTheirMarkersAndDashes() {
        Scene scene;
        ForeignRun first(scene.draft()->table(), scene.runs.path()), second(scene.draft()->table(), scene.runs.path());
        first.kill();
        second.kill();
        // Their order differs from the one in which they come back.
        scene.window->curves()->keepStyles({{first.id(), 13}, {second.id(), 6}});
        scene.open(QString::fromStdString(first.folder().string()));
        scene.open(QString::fromStdString(second.folder().string()));
        QCOMPARE(scene.window->curves()->find(first.id())->display.style, 13);
        scene.restart();
        const RunSet* curves = scene.window->curves();
        QTRY_COMPARE(curves->visibleRuns().size(), std::size_t{2});
        QCOMPARE(curves->find(first.id())->display.style, 13);
        QCOMPARE(curves->find(second.id())->display.style, 6);
    }

    void runsKeepTheirColours() {
        Scene scene;
        QStringList ids;
        for (const char* mask : {"none", "seen"})
            ids.append(RunSet::idOf(
                writeMadeUpRun(scene.draft()->table(), scene.runs.path().toStdString(), mask).string(), 0));
        // No two runs get one hue by themselves as long as others are free.
        scene.window->curves()->keepHues({{ids[0], 2}, {ids[1], 2}});
        for (const QString& id : ids) scene.open(id);
        scene.restart();
        const RunSet* curves = scene.window->curves();
        QTRY_COMPARE(curves->visibleRuns().size(), std::size_t{2});
        for (const QString& id : ids) QCOMPARE(curves->find(id)->display.hue, 2);
    }

    void aRunThatIsGoneIsToldOnceAndForgotten() {
        Scene scene;
        auto elsewhere = std::make_unique<QTemporaryDir>();
        auto run = std::make_unique<ForeignRun>(scene.draft()->table(), elsewhere->path());
        run->kill();
        scene.open(QString::fromStdString(run->folder().string()));
        scene.stop();
        run.reset();
        elsewhere.reset();
        scene.start();
        QTRY_VERIFY(scene.window->messages()->text().contains("cannot be shown again"));
        QTRY_VERIFY(scene.welcomed());
        scene.restart();
        QCoreApplication::processEvents();
        QCOMPARE(scene.window->messages()->count(), 0);
    }

    void aDamagedWorkspaceIsSetAsideWithOneSentence() {
        Scene scene;
        scene.draft()->set("seed", std::int64_t{5});
        scene.stop();
        put(scene.file("workspace.json"), "{ half");
        scene.start();
        QCOMPARE(scene.window->messages()->count(), 1);
        QVERIFY(scene.window->messages()->text().contains("workspace.json.damaged"));
        // The experiment stands in a file of its own.
        QCOMPARE(scene.draft()->experiment().seed, 5);
        QVERIFY(QFile::exists(scene.file("workspace.json.damaged")));
        scene.restart();
        QCOMPARE(scene.window->messages()->count(), 0);
    }

    void aDamagedDraftIsSetAsideWithOneSentence() {
        Scene scene;
        scene.stop();
        put(scene.file("draft.toml"), "seed = = 3");
        scene.start();
        QVERIFY(!scene.goes_on);
        QCOMPARE(scene.window->messages()->count(), 1);
        QVERIFY2(scene.window->messages()->hint().contains("draft.toml.damaged"),
                 qPrintable(scene.window->messages()->hint()));
        QFile kept(scene.file("draft.toml.damaged"));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("seed = = 3"));
    }

    void aDamagedArrangementGivesTheOneOfTheFirstStart() {
        Scene scene;
        scene.action("showNow")->trigger();
        scene.stop();
        QFile file(scene.file("workspace.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray content = file.readAll();
        file.close();
        const auto from = content.indexOf("\"panels\": \"");
        QVERIFY(from > 0);
        content.replace(from + 11, 40, QByteArray(40, 'A'));
        put(scene.file("workspace.json"), content);
        scene.start();
        QVERIFY(scene.window->findChild<QDockWidget*>("nowDock")->isVisible());
        QVERIFY(scene.window->findChild<QWidget*>("experimentPanel")->isVisible());
    }

    void aPlaceThatCannotBeWrittenIsANote() {
        Scene scene;
        scene.stop();
        QVERIFY(QDir(scene.workspace).removeRecursively());
        put(scene.workspace, "in the way");
        scene.start();
        scene.draft()->set("seed", std::int64_t{2});
        // A moment after the change.
        QTRY_VERIFY(scene.window->messages()->count() > 0);
        QVERIFY2(scene.window->messages()->text().contains(scene.workspace),
                 qPrintable(scene.window->messages()->text()));
    }

    void otherKeysAreTakenUpAndToldWhenTheyChange() {
        Scene scene;
        QSignalSpy chosen(scene.window.get(), &MainWindow::keysChosen);
        scene.window->setKeys({{"startRun", "F6"}});
        QCOMPARE(chosen.last()[0].toMap(), (QVariantMap{{"startRun", "F6"}}));
        QTest::keyClick(scene.window.get(), Qt::Key_F5);
        QCOMPARE(scene.window->controller()->state(), RunState::Idle);
        QVERIFY(scene.window->findChild<QWidget*>("startButton")->toolTip().contains("F6"));
        QTest::keyClick(scene.window.get(), Qt::Key_F6);
        QTRY_COMPARE(scene.window->controller()->state(), RunState::Running);
        scene.script.allowAll();
        QTRY_COMPARE(scene.window->controller()->state(), RunState::Idle);
    }
};

PALIMPSEST_TEST(TestWindowSession)

}  // namespace tst_window_session

#include "tst_window_session.moc"
