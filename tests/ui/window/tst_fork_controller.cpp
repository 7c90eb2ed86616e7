// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QComboBox>
#include <QMenu>
#include <QPushButton>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QUndoStack>
#include <mutex>

#include "engine/config/experiment_file.h"
#include "tests/support/forkable_run.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/experiment/live_change_controller.h"
#include "ui/runs/run_actions.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/timeline/fork_controller.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel.h"
#include "ui/window/curves_view.h"
#include "ui/window/lane_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/time_controller.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_fork_controller {

namespace fs = std::filesystem;

namespace {

/// Arguments that a fork was begun with.
struct Asked {
    fs::path parent;
    std::int64_t at = -1;
    std::string mask;
};

}  // namespace

class TestForkController : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{ScriptedRun::catalogue()};

    /// The window with a run of its own folder selected.
    struct Scene {
        QTemporaryDir folder;
        ScriptedRun script;
        std::mutex mutex;
        std::vector<Asked> asked;  // guarded by mutex
        std::string refusal;       // before a fork is started
        bool learns = false;       // a fork goes on as the script says, rather than end at once
        bool prepares = false;     // a fork begins only when it may
        QSemaphore may_begin;
        fs::path run;
        std::unique_ptr<MainWindow> window;

        ~Scene() { may_begin.release(); }
        ForkController& controller() const { return *window->time()->forks(); }
        ExperimentDraft& draft() const { return *window->controller()->draft(); }
        std::vector<Asked> forks() {
            const std::scoped_lock lock(mutex);
            return asked;
        }
        void press(int key, Qt::KeyboardModifiers modifiers = {}) const {
            QTest::keyClick(window.get(), static_cast<Qt::Key>(key), modifiers);
        }
        void forkHere() const { press(Qt::Key_B, Qt::ControlModifier); }
        void choose(std::int64_t checkpoint) const {
            auto* box = window->findChild<QComboBox*>("forkCheckpoint");
            const int index = box->findData(QVariant::fromValue<qlonglong>(checkpoint));
            QVERIFY(index >= 0);
            box->setCurrentIndex(index);
            Q_EMIT box->activated(index);
        }
    };

    void open(Scene& scene, const std::vector<std::int64_t>& checkpoints, const std::string& changed = {}) const {
        scene.run = writeForkableRun(table_, scene.folder.path().toStdString(), "batch", checkpoints, changed);
        Laboratory laboratory = scene.script.laboratory();
        laboratory.fork = [&scene](std::int64_t run, const fs::path& parent, std::int64_t at,
                                   const Experiment& experiment, RunControl& control, RunObserver& observer) {
            if (scene.learns) return scene.script.function()(run, experiment, control, observer);
            if (scene.prepares) scene.may_begin.acquire();
            const std::scoped_lock lock(scene.mutex);
            scene.asked.push_back({parent, at, experiment.mask.name});
            RunEnded ended;
            ended.run = run;
            ended.error = scene.refusal;
            ended.how = scene.refusal.empty() ? RunEnd::Finished : RunEnd::Failed;
            if (scene.refusal.empty()) {
                RunStarted started = madeUpStart(run, "/runs/a fork", experiment.mask.name);
                started.experiment = experiment;
                observer.onStarted(started);
            }
            observer.onEnded(ended);
        };
        scene.window = std::make_unique<MainWindow>(laboratory, scene.folder.path().toStdString());
        showActive(*scene.window);
        QSignalSpy opened(scene.window.get(), &MainWindow::opened);
        scene.window->open(QString::fromStdString(scene.run.string()));
        QVERIFY(opened.wait());
        QVERIFY(scene.window->curves()->selected());
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void aForkBeginsAtTheNewestCheckpointThatIsNotAfterTheMoment_data() {
        QTest::addColumn<qlonglong>("pinned");
        QTest::addColumn<qlonglong>("at");
        QTest::newRow("no moment") << -1LL << 3000LL;
        QTest::newRow("between two") << 1999LL << 1000LL;
        QTest::newRow("at one") << 2000LL << 2000LL;
    }
    void aForkBeginsAtTheNewestCheckpointThatIsNotAfterTheMoment() {
        QFETCH(qlonglong, pinned);
        QFETCH(qlonglong, at);
        Scene scene;
        open(scene, {500, 1000, 2000, 3000});
        if (pinned >= 0) scene.window->state().figures.cursor.pin(pinned);
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        QCOMPARE(scene.controller().at(), std::int64_t{at});
        QVERIFY(scene.controller().strip()->isVisible());
        QVERIFY2(scene.controller().strip()->text().startsWith(
                     QString("Fork of “batch run” after %1 images").arg(countText(at))),
                 qPrintable(scene.controller().strip()->text()));
        QCOMPARE(scene.window->findChild<QComboBox*>("forkCheckpoint")->currentData().toLongLong(), at);
    }

    void aMomentBeforeAllCheckpointsIsSaid() {
        Scene scene;
        open(scene, {500, 1000});
        scene.window->state().figures.cursor.pin(100);
        scene.forkHere();
        QTRY_VERIFY(scene.window->messages()->text().contains("has no checkpoint up to 100 images"));
        QVERIFY(!scene.controller().waits());
    }

    void undoneTheForkIsGivenUpWithItsSettings() {
        Scene scene;
        open(scene, {500, 1000});
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        scene.draft().set("mask.name", std::string("none"));
        scene.draft().undoStack()->undo();
        QVERIFY(scene.controller().waits());
        scene.draft().undoStack()->undo();
        QVERIFY(!scene.controller().waits());
        QVERIFY(!scene.controller().strip()->isVisible());
    }

    void thatIsSoWhereUndoHasForgottenTheFirstOfItsSteps() {
        Scene scene;
        open(scene, {500, 1000});
        QUndoStack* stack = scene.draft().undoStack();
        const int limit = stack->undoLimit();
        QVERIFY(limit > 0);
        for (int i = 0; i < limit + 2; ++i) scene.draft().set("seed", std::int64_t{i % 2 + 100});
        QCOMPARE(stack->index(), limit);
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        scene.draft().set("mask.name", std::string("none"));
        QCOMPARE(stack->index(), limit);
        stack->undo();
        QVERIFY(scene.controller().waits());
        stack->undo();
        QVERIFY(!scene.controller().waits());
    }

    void noCheckpointAtTheEndOfTheStreamIsOffered() {
        Scene scene;
        open(scene, {500, 1000, kImages});
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        QCOMPARE(scene.controller().at(), std::int64_t{1000});
        QCOMPARE(scene.window->findChild<QComboBox*>("forkCheckpoint")->count(), 2);
    }

    void aRunWithoutAnEarlierCheckpointIsSaid() {
        Scene scene;
        open(scene, {kImages});
        scene.forkHere();
        QTRY_VERIFY2(scene.window->messages()->text().contains("a fork would learn nothing"),
                     qPrintable(scene.window->messages()->text()));
        QVERIFY(!scene.controller().waits());
    }

    void theDraftIsWhatItWasBeforeTheFork_data() {
        QTest::addColumn<bool>("start");
        QTest::newRow("started") << true;
        QTest::newRow("given up") << false;
    }
    void theDraftIsWhatItWasBeforeTheFork() {
        QFETCH(bool, start);
        Scene scene;
        open(scene, {500, 1000});
        scene.draft().set("name", std::string("mine"));
        scene.draft().set("mask.name", std::string("seen"));
        const std::string before = formatExperiment(table_, scene.draft().experiment());
        const int steps = scene.draft().undoStack()->count();
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        QVERIFY(scene.draft().experiment().name != "mine");
        // A second fork takes the place of the first: that one is given up, and this one brought in.
        scene.forkHere();
        QTRY_COMPARE(scene.draft().undoStack()->count(), steps + 3);
        scene.draft().set("mask.name", std::string("none"));
        if (start)
            scene.press(Qt::Key_F5);
        else
            scene.window->findChild<QPushButton*>("forkGiveUp")->click();
        QTRY_VERIFY(!scene.controller().waits());
        QCOMPARE(formatExperiment(table_, scene.draft().experiment()), before);
        // That is a step of the history, as every other.
        scene.draft().undoStack()->undo();
        QCOMPARE(scene.draft().experiment().mask.name, std::string("none"));
        QVERIFY(!scene.controller().waits());
        QTRY_VERIFY(!scene.window->controller()->busy());
    }

    void whatIsChangedWhileAForkPreparesStays() {
        Scene scene;
        scene.prepares = true;
        open(scene, {500});
        scene.draft().set("name", std::string("mine"));
        scene.draft().set("mask.name", std::string("seen"));
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        scene.draft().set("mask.name", std::string("none"));
        scene.press(Qt::Key_F5);
        QTRY_VERIFY(scene.window->controller()->busy());
        scene.draft().set("seed", std::int64_t{77});
        scene.may_begin.release();
        QTRY_VERIFY(!scene.controller().waits());
        QCOMPARE(scene.draft().experiment().seed, std::int64_t{77});
        QCOMPARE(scene.draft().experiment().mask.name, std::string("seen"));
        QCOMPARE(scene.draft().experiment().name, std::string("mine"));
        QTRY_VERIFY(!scene.window->controller()->busy());
    }

    void whatWasChangedForAForkThatIsGivenUpIsSaid_data() {
        QTest::addColumn<bool>("another");
        QTest::newRow("for none") << false;
        QTest::newRow("for another fork") << true;
    }
    void whatWasChangedForAForkThatIsGivenUpIsSaid() {
        QFETCH(bool, another);
        Scene scene;
        open(scene, {500});
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        scene.draft().set("mask.name", std::string("none"));
        const QString said = "What was changed for the fork was given up with it: Logit mask: batch → none.";
        if (another)
            scene.forkHere();
        else
            scene.window->findChild<QPushButton*>("forkGiveUp")->click();
        QTRY_COMPARE(scene.window->messages()->text(), said);
        QVERIFY2(scene.window->messages()->hint().contains("Ctrl+Z"), qPrintable(scene.window->messages()->hint()));
        QCOMPARE(scene.controller().waits(), another);
        // Brought back, it is not given up any longer.
        scene.draft().undoStack()->undo();
        QVERIFY(scene.window->messages()->text() != said);
        if (another) scene.draft().undoStack()->undo();
        QCOMPARE(scene.draft().experiment().mask.name, std::string("none"));
    }

    void withoutAChangeNothingIsSaidOfAForkThatIsGivenUp() {
        Scene scene;
        open(scene, {500});
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        const int before = scene.window->messages()->count();
        scene.window->findChild<QPushButton*>("forkGiveUp")->click();
        QVERIFY(!scene.controller().waits());
        QCOMPARE(scene.window->messages()->count(), before);
    }

    void aHistoryThatBeginsAnewGivesTheForkUp() {
        Scene scene;
        open(scene, {500});
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        scene.draft().restart(scene.draft().experiment());
        QVERIFY(!scene.controller().waits());
    }

    void whileAForkGoesOnOnlyWhatIsChangedThenIsOfferedToIt() {
        Scene scene;
        scene.learns = true;
        open(scene, {500});
        scene.draft().set("mask.name", std::string("seen"));
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        scene.draft().set("mask.name", std::string("none"));
        scene.press(Qt::Key_F5);
        RunController* controller = scene.window->controller();
        QTRY_COMPARE(controller->state(), RunState::Running);
        QTRY_VERIFY(!scene.controller().waits());
        QCOMPARE(scene.draft().experiment().mask.name, std::string("seen"));
        QCOMPARE(controller->running()->mask.name, std::string("none"));
        const ActionStrip* strip = scene.window->time()->live()->strip();
        QVERIFY2(strip->isHidden(), qPrintable(strip->text()));
        scene.draft().set("training.learning_rate", 0.001);
        QVERIFY(strip->isVisible());
        QVERIFY2(strip->text().contains("learning rate 0.001"), qPrintable(strip->text()));
        QVERIFY2(!strip->text().contains("mask"), qPrintable(strip->text()));
        controller->stop();
        QTRY_VERIFY(!controller->busy());
    }

    void startBeginsTheForkWithWhatWasChanged() {
        Scene scene;
        open(scene, {500, 1000});
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        scene.choose(500);
        scene.draft().set("mask.name", std::string("none"));
        QSignalSpy ended(scene.window->controller()->bridge(), &RunBridge::ended);
        scene.press(Qt::Key_F5);
        QTRY_COMPARE(ended.count(), 1);
        const std::vector<Asked> forks = scene.forks();
        QCOMPARE(forks.size(), std::size_t{1});
        QCOMPARE(forks[0].parent.string(), scene.run.string());
        QCOMPARE(forks[0].at, std::int64_t{500});
        QCOMPARE(forks[0].mask, std::string("none"));
        // It has begun, so the next start is one from the beginning.
        QTRY_VERIFY(!scene.controller().waits());
        QVERIFY(scene.controller().strip()->isHidden());
        QCOMPARE(scene.script.learned(), 0);
    }

    void theRunsExperimentComesIntoTheDraftAndCanBeUndone() {
        Scene scene;
        open(scene, {500});
        scene.draft().set("mask.name", std::string("none"));
        const int before = scene.draft().undoStack()->index();
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        QCOMPARE(scene.draft().experiment().mask.name, std::string("batch"));
        // On the device that the run had.
        QCOMPARE(scene.draft().experiment().device, std::string("cpu"));
        QCOMPARE(scene.draft().undoStack()->index(), before + 1);
        scene.draft().undoStack()->undo();
        QCOMPARE(scene.draft().experiment().mask.name, std::string("none"));
    }

    void whatWasChangedOnTheWayBelongsToLaterCheckpointsAlone() {
        Scene scene;
        open(scene, {500, 1000}, "seen");
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        QCOMPARE(scene.draft().experiment().mask.name, std::string("seen"));
        scene.choose(500);
        QCOMPARE(scene.draft().experiment().mask.name, std::string("batch"));
        scene.choose(1000);
        QCOMPARE(scene.draft().experiment().mask.name, std::string("seen"));
        // The user's choice stays.
        scene.draft().set("mask.name", std::string("none"));
        scene.choose(500);
        QCOMPARE(scene.draft().experiment().mask.name, std::string("none"));
    }

    void aRunWithoutCheckpointsIsSaid() {
        Scene scene;
        open(scene, {});
        scene.forkHere();
        QTRY_COMPARE(scene.window->messages()->text(),
                     QString("“batch run” has no checkpoints, so it cannot be forked."));
        QVERIFY(!scene.controller().waits());
        QVERIFY(scene.controller().strip()->isHidden());
    }

    void givenUpTheNextStartIsOneFromTheBeginning() {
        Scene scene;
        open(scene, {500});
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        scene.window->findChild<QPushButton*>("forkGiveUp")->click();
        QVERIFY(!scene.controller().waits());
        QVERIFY(scene.controller().strip()->isHidden());
        scene.script.allowAll();
        QSignalSpy ended(scene.window->controller()->bridge(), &RunBridge::ended);
        scene.press(Qt::Key_F5);
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(scene.forks().empty());
        QVERIFY(scene.script.learned() > 0);
    }

    void aRefusedForkCanBeMendedAndStartedAgain() {
        Scene scene;
        const std::string refusal = "A fork must agree with its parent, and does not: Seed (seed) was 1 and is 2.";
        scene.refusal = refusal;
        open(scene, {500});
        scene.forkHere();
        QTRY_VERIFY(scene.controller().waits());
        scene.press(Qt::Key_F5);
        QTRY_COMPARE(scene.window->messages()->text(), QString::fromStdString(scene.refusal));
        QTRY_VERIFY(scene.window->controller()->canStart());
        QVERIFY(scene.controller().waits());
        scene.refusal.clear();
        scene.press(Qt::Key_F5);
        QTRY_VERIFY(!scene.controller().waits());
        QCOMPARE(scene.forks().size(), std::size_t{2});
        QVERIFY(scene.window->messages()->text() != QString::fromStdString(refusal));
    }

    void aForkAndTwoLanesExcludeEachOther_data() {
        QTest::addColumn<bool>("lanes_first");
        QTest::newRow("the lanes were there first") << true;
        QTest::newRow("the fork was there first") << false;
    }
    void aForkAndTwoLanesExcludeEachOther() {
        QFETCH(bool, lanes_first);
        Scene scene;
        open(scene, {500});
        if (lanes_first) {
            scene.press(Qt::Key_L, Qt::ControlModifier);
            QVERIFY(scene.window->state().lane_b.on());
            scene.forkHere();
        } else {
            scene.forkHere();
            QTRY_VERIFY(scene.controller().waits());
            scene.press(Qt::Key_L, Qt::ControlModifier);
            scene.press(Qt::Key_F5);
        }
        const QString refusal = "A fork goes on alone, and two lanes are being compared.";
        QCOMPARE(scene.window->messages()->text(), refusal);
        QCOMPARE(scene.controller().waits(), !lanes_first);
        QVERIFY(!scene.window->controller()->busy());
        QVERIFY(scene.forks().empty());
        // It is said as long as it is so.
        if (lanes_first)
            scene.press(Qt::Key_L, Qt::ControlModifier);
        else
            scene.window->findChild<QPushButton*>("forkGiveUp")->click();
        QVERIFY(scene.window->messages()->text() != refusal);
    }

    void theListOfRunsOffersAFork() {
        Scene scene;
        open(scene, {500, 1000});
        auto* view = scene.window->findChild<QTableView*>("runsTable");
        QTRY_VERIFY(view->model()->rowCount() > 0);
        view->setCurrentIndex(view->model()->index(0, 0));
        view->selectRow(0);
        auto* actions = scene.window->findChild<RunActions*>();
        QVERIFY(actions);
        QMenu menu;
        QTRY_VERIFY(([&] {
            menu.clear();
            actions->fillMenu(&menu, view->currentIndex());
            auto* item = menu.findChild<QAction*>("runFork");
            return item && item->isEnabled();
        }()));
        menu.findChild<QAction*>("runFork")->trigger();
        QTRY_VERIFY(scene.controller().waits());
        QCOMPARE(scene.controller().at(), std::int64_t{1000});
    }

    void whereRunsCannotBeForkedTheCommandIsOutOfReach() {
        ScriptedRun script;
        QTemporaryDir folder;
        MainWindow window(script.laboratory(), folder.path().toStdString());
        QVERIFY(!window.findChild<QAction*>("forkHere")->isEnabled());
    }
};

PALIMPSEST_TEST(TestForkController)

}  // namespace tst_fork_controller

#include "tst_fork_controller.moc"
