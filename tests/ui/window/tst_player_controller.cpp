// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

#include "tests/support/file_content.h"
#include "tests/support/foreign_run.h"
#include "tests/support/measured_run.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/history_store.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/timeline/player_controller.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/main_window.h"
#include "ui/window/quit.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_player_controller {

class TestPlayerController : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{ScriptedRun::catalogue()};
    std::unique_ptr<QTemporaryDir> runs_;
    ScriptedRun script_;
    std::unique_ptr<MainWindow> window_;
    QString id_;  ///< of a finished run: 6,000 images in 60 updates, 12 evaluations, 60 s

    const ShownRun& curves() const { return *window_->curves()->find(id_); }
    RunController* controller() const { return window_->controller(); }
    PlayerStrip* strip() const { return window_->findChild<PlayerStrip*>("playerStrip"); }
    QComboBox* speed() const { return window_->findChild<QComboBox*>("replaySpeed"); }
    QAction* action(const char* name) const { return window_->findChild<QAction*>(name); }
    QString topBar() const { return window_->findChild<QLabel*>("progressSession")->text(); }
    std::size_t updates() const {
        const auto history = window_->state().figures.histories.find(id_);
        return history ? history->loss.size() : 0;
    }
    QString stateInList(const QString& id) const {
        const RunTableModel* model = window_->findChild<RunsPanel*>()->model();
        return model->index(model->rowOf(id), RunTableModel::When).data(RunTableModel::StateRole).toString();
    }
    void choose(int times) const { speed()->setCurrentIndex(speed()->findData(times)); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        QTest::keyClick(window_.get(), key, modifiers);
    }

    void open() {
        window_ = std::make_unique<MainWindow>(script_.laboratory(), runs_->path().toStdString());
        showActive(*window_);
    }

    /// The finished run, paused before its first batch: at such a speed it would take a minute.
    void playAndPause() {
        choose(1);
        press(Qt::Key_R, Qt::ControlModifier);
        QVERIFY(controller()->replaying());
        press(Qt::Key_Space);
        QTRY_COMPARE(controller()->state(), RunState::Paused);
        QTRY_VERIFY(curves().live);
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }
    void init() {
        runs_ = std::make_unique<QTemporaryDir>();
        id_ = RunSet::idOf(measureRun(runs_->path().toStdString(), true).folder.string(), 0);
        open();
        QSignalSpy opened(window_.get(), &MainWindow::opened);
        window_->open(id_);
        QTRY_COMPARE(opened.count(), 1);
        QTRY_VERIFY(!window_->library()->scanning());
        QVERIFY(window_->library()->row(id_));
        QCOMPARE(curves().points.anytime().size(), std::size_t{12});
    }
    void cleanup() { window_.reset(); }

    void theCurvesBeginAnewGrowStepByStepAndEndWhole() {
        const int messages = window_->messages()->count();
        QVERIFY(strip()->isHidden());
        playAndPause();
        QVERIFY(strip()->isVisible());
        QTRY_COMPARE(strip()->findChild<QLabel*>("replayTitle")->text(), QString("Replay of “batch run”"));
        QVERIFY(topBar().startsWith("Replay, session 1 of 5"));
        // The form is not that of what plays, and says so.
        const auto* note = window_->findChild<QLabel*>("replayNote");
        QVERIFY(note->isVisible() && note->text().contains("your next run"));
        QVERIFY(curves().display.selected);
        // A slow machine may have come past some of them before the pause.
        const std::size_t before = updates();
        QVERIFY(before < 60);
        QCOMPARE(curves().points.anytime().size(), before / 5);
        for (std::size_t steps = 1; steps <= 5; ++steps) {
            press(Qt::Key_Right);
            QTRY_COMPARE(updates(), before + steps);
        }
        QTRY_COMPARE(curves().points.anytime().size(), before / 5 + 1);

        choose(100);
        press(Qt::Key_Space);
        QTRY_VERIFY(!controller()->busy());
        QVERIFY(strip()->isHidden() && note->isHidden());
        QCOMPARE(topBar(), QString("The replay is over."));
        QVERIFY(!curves().live && curves().finished && curves().display.selected);
        QCOMPARE(curves().points.anytime().size(), std::size_t{12});
        QCOMPARE(curves().points.retentionOf(0).size(), std::size_t(kSessions));
        QTRY_COMPARE(updates(), std::size_t{60});
        QCOMPARE(window_->messages()->count(), messages);
    }

    void aGuessBeginsWithoutWhatWasSaidOfTheReplay() {
        playAndPause();
        choose(100);
        press(Qt::Key_Space);
        QTRY_VERIFY(!controller()->busy());
        QCOMPARE(topBar(), QString("The replay is over."));
        window_->action(Command::GuessFirst)->trigger();
        QVERIFY2(topBar().startsWith("Ready."), qPrintable(topBar()));
    }

    void endedEarlyTheWholeRunIsThereAgain() {
        playAndPause();
        QVERIFY(curves().points.anytime().size() < 12);
        window_->findChild<QToolButton*>("endReplay")->click();
        QTRY_VERIFY(!controller()->busy());
        QCOMPARE(topBar(), QString("The replay was ended."));
        QVERIFY(!curves().live && curves().finished);
        QCOMPARE(curves().points.anytime().size(), std::size_t{12});
        QTRY_COMPARE(updates(), std::size_t{60});
    }

    void allRunsInTheFiguresPlayInStep() {
        const QString other = RunSet::idOf(writeStoppedRun(table_, runs_->path().toStdString()).string(), 0);
        const QString hidden = RunSet::idOf(writeMadeUpRun(table_, runs_->path().toStdString(), "seen", 2).string(), 0);
        for (const QString& id : {other, hidden}) {
            window_->library()->touch(id);
            QTRY_VERIFY(window_->library()->row(id));
            window_->curves()->addRecord(readRun(table_, id.toStdString()));
        }
        window_->curves()->setVisible(other, true);
        const auto beside = [&]() -> const ShownRun& { return *window_->curves()->find(other); };
        QCOMPARE(beside().points.anytime().size(), std::size_t{5});

        playAndPause();
        QTRY_VERIFY(beside().live && beside().replayed);
        QVERIFY(curves().display.selected && beside().display.visible);
        QTRY_COMPARE(strip()->findChild<QLabel*>("replayTitle")->text(),
                     QString("Replay of “%1” and “%2”").arg(curves().label, beside().label));
        QVERIFY(!window_->curves()->find(hidden)->live);
        while (updates() < 12) {
            const std::size_t before = updates();
            press(Qt::Key_Right);
            QTRY_COMPARE(updates(), before + 1);
        }
        // 1,200 images: both have been evaluated twice.
        QTRY_COMPARE(beside().points.anytime().size(), std::size_t{2});
        QTRY_COMPARE(curves().points.anytime().size(), std::size_t{2});
        QTRY_COMPARE(beside().points.learned(), std::int64_t{1200});
        // Another run may be looked at meanwhile.
        window_->curves()->select(other);
        press(Qt::Key_Right);
        QTRY_COMPARE(updates(), std::size_t{13});
        QVERIFY(beside().display.selected);

        press(Qt::Key_F5, Qt::ShiftModifier);
        QTRY_VERIFY(!controller()->busy());
        QTRY_VERIFY(!beside().live);
        QCOMPARE(beside().points.anytime().size(), std::size_t{5});
        QVERIFY(!beside().finished);
        QCOMPARE(curves().points.anytime().size(), std::size_t{12});
        QCOMPARE(window_->messages()->count(), 0);
    }

    void aRunThatCannotPlayBesideStaysWhole() {
        const std::filesystem::path folder = writeStoppedRun(table_, runs_->path().toStdString());
        const QString other = RunSet::idOf(folder.string(), 0);
        window_->curves()->addRecord(readRun(table_, folder));
        window_->curves()->setVisible(other, true);
        std::filesystem::remove_all(folder);
        playAndPause();
        QTRY_COMPARE(window_->messages()->count(), 1);
        QVERIFY2(window_->messages()->text().contains("does not play beside the others"),
                 qPrintable(window_->messages()->text()));
        QCOMPARE(window_->curves()->find(other)->points.anytime().size(), std::size_t{5});
        QVERIFY(controller()->replaying());
    }

    void theListAndTheFolderKnowNothingOfIt() {
        const auto before = test::contentsBelow(id_.toStdString());
        playAndPause();
        QCOMPARE(stateInList(id_), QString("finished"));
        press(Qt::Key_F5, Qt::ShiftModifier);
        QTRY_VERIFY(!controller()->busy());
        QTRY_VERIFY(!window_->library()->scanning());
        QCOMPARE(stateInList(id_), QString("finished"));
        QVERIFY(test::contentsBelow(id_.toStdString()) == before);
    }

    void aCrashedRunPlaysAndStaysCrashed() {
        ForeignRun foreign(table_, runs_->path());
        foreign.kill();
        window_->library()->touch(foreign.id());
        QTRY_VERIFY(window_->library()->row(foreign.id()));
        QCOMPARE(stateInList(foreign.id()), QString("crashed"));
        QSignalSpy ended(controller()->bridge(), &RunBridge::ended);
        choose(100);
        Q_EMIT window_->findChild<RunActions*>()->replayRequested(foreign.id());
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][0].value<RunEnded>().how, RunEnd::Finished);
        QTRY_VERIFY(!window_->library()->scanning());
        QCOMPARE(stateInList(foreign.id()), QString("crashed"));
        QVERIFY(!window_->curves()->find(foreign.id())->finished);
        QCOMPARE(window_->curves()->find(foreign.id())->points.anytime().size(), std::size_t{1});
    }

    void theMenuOfARunPlaysIt() {
        auto* panel = window_->findChild<RunsPanel*>();
        const int row = panel->model()->rowOf(id_);
        QVERIFY(row >= 0);
        panel->view()->selectRow(row);
        QMenu menu;
        panel->actions()->fillMenu(&menu, panel->model()->index(row, 0));
        auto* play = menu.findChild<QAction*>("runReplay");
        QVERIFY(play && play->isEnabled());
        play->trigger();
        QVERIFY(controller()->replaying());
        QVERIFY(strip()->isVisible());
    }

    void theKeysChangeTheSpeedUpToItsEnds() {
        QVERIFY(!action("replayFaster")->isEnabled() && !action("replaySlower")->isEnabled());
        QVERIFY(action("replayRun")->isEnabled());
        playAndPause();
        QVERIFY(!action("replayRun")->isEnabled());
        QVERIFY(!action("replaySlower")->isEnabled());
        for (const int times : {2, 3, 5, 10, 20, 50, 100}) {
            press(Qt::Key_Period, Qt::ControlModifier);
            QCOMPARE(speed()->currentData().toInt(), times);
        }
        QVERIFY(!action("replayFaster")->isEnabled());
        press(Qt::Key_Comma, Qt::ControlModifier);
        QCOMPARE(speed()->currentText(), QString("50×"));
    }

    void nothingElseStartsMeanwhile() {
        const std::int64_t learned = script_.learned();
        choose(1);
        press(Qt::Key_R, Qt::ControlModifier);
        QTRY_COMPARE(controller()->state(), RunState::Running);
        press(Qt::Key_F5);
        QCOMPARE(window_->messages()->text(), QString("A recorded run is being played back."));
        QVERIFY(!window_->messages()->hint().isEmpty());
        QVERIFY(controller()->replaying());
        QCOMPARE(script_.learned(), learned);
        QVERIFY(!controller()->running());
    }

    void whileARunLearnsNoneIsPlayed() {
        press(Qt::Key_F5);
        QTRY_COMPARE(controller()->state(), RunState::Running);
        QVERIFY(!action("replayRun")->isEnabled());
        Q_EMIT window_->findChild<RunActions*>()->replayRequested(id_);
        QCOMPARE(window_->messages()->text(), QString("Another run is going on."));
        QVERIFY(!controller()->replaying());
        QVERIFY(!curves().live);
        controller()->stop();
        QTRY_VERIFY(!controller()->busy());
    }

    void afterAReplayARunLearnsAsEver() {
        playAndPause();
        press(Qt::Key_F5, Qt::ShiftModifier);
        QTRY_VERIFY(!controller()->busy());
        script_.allow(1);
        press(Qt::Key_F5);
        QVERIFY(controller()->running());
        QTRY_VERIFY(topBar().startsWith("Session 1"));
        QVERIFY(strip()->isHidden());
        controller()->stop();
        QTRY_VERIFY(!controller()->busy());
    }

    void closingAsksNothing() {
        choose(1);
        press(Qt::Key_R, Qt::ControlModifier);
        QTRY_COMPARE(controller()->state(), RunState::Running);
        QVERIFY(window_->close());
        QVERIFY(!window_->findChild<QuitQuestion*>());
        QTRY_VERIFY(!controller()->busy());
    }

    void aFolderThatIsNoRunIsOneMessage() {
        const int messages = window_->messages()->count();
        QTemporaryDir elsewhere;
        Q_EMIT window_->findChild<RunActions*>()->replayRequested(elsewhere.path());
        QTRY_VERIFY(!controller()->busy());
        QCOMPARE(window_->messages()->count(), messages + 1);
        QVERIFY2(window_->messages()->text().contains("is not a run folder"), qPrintable(window_->messages()->text()));
        QCOMPARE(topBar(), QString("The run cannot be played back."));
        QCOMPARE(window_->curves()->runs().size(), std::size_t{1});
    }

    void deletingARunThatPlaysBesideEndsTheReplayAndItComesBackWhole() {
        const QString other = RunSet::idOf(writeStoppedRun(table_, runs_->path().toStdString()).string(), 0);
        window_->library()->touch(other);
        QTRY_VERIFY(window_->library()->row(other));
        window_->curves()->addRecord(readRun(table_, other.toStdString()));
        window_->curves()->setVisible(other, true);
        playAndPause();
        QTRY_VERIFY(window_->curves()->find(other)->live);
        QSignalSpy removed(window_->library(), &RunLibrary::removed);
        window_->library()->remove({other});
        QTRY_COMPARE(removed.count(), 1);
        window_->library()->restore(removed[0][2].toStringList());
        QTRY_VERIFY(!controller()->busy());
        QTRY_VERIFY(window_->library()->row(other));
        window_->curves()->addRecord(readRun(table_, other.toStdString()));
        QCOMPARE(window_->curves()->find(other)->points.anytime().size(), std::size_t{5});
        QVERIFY(!window_->curves()->find(other)->live);
    }

    void deletingTheRunEndsItsReplay() {
        playAndPause();
        window_->library()->remove({id_});
        QTRY_VERIFY(!controller()->busy());
        QVERIFY(!window_->curves()->find(id_));
        QVERIFY(!window_->library()->row(id_));
    }
};

PALIMPSEST_TEST(TestPlayerController)

}  // namespace tst_player_controller

#include "tst_player_controller.moc"
