// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QSignalSpy>
#include <algorithm>
#include <array>
#include <semaphore>
#include <stop_token>

#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/state/run_controller.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;

namespace tst_run_controller {

class TestRunController : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{ScriptedRun::catalogue()};

private Q_SLOTS:
    void whenIdleOnlyStartMakesSense() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        QVERIFY(controller.canStart());
        QVERIFY(!controller.canPause() && !controller.canResume() && !controller.canStep() && !controller.canStop());
        controller.pauseOrResume();
        controller.step();
        controller.stop();
        QCOMPARE(controller.state(), RunState::Idle);
        QVERIFY(!controller.running());
    }

    void startRunsTheDraftToItsEnd() {
        ScriptedRun script;
        script.allowAll();
        RunController controller(&table_, script.function());
        controller.draft()->set("seed", std::int64_t{5});
        QSignalSpy started(controller.bridge(), &RunBridge::started);
        QSignalSpy ended(controller.bridge(), &RunBridge::ended);
        controller.startOrResume();
        QCOMPARE(controller.state(), RunState::Preparing);
        QVERIFY(!controller.canStart());
        QCOMPARE(controller.running()->seed, 5);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(started[0][0].value<RunStarted>().experiment.seed, 5);
        QCOMPARE(ended[0][0].value<RunEnded>().how, RunEnd::Finished);
        QCOMPARE(controller.state(), RunState::Idle);
    }

    void aTextThatWasRefusedIsNotStartedWithAnOlderValue() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        QSignalSpy noted(&controller, &RunController::noted);
        controller.draft()->setRefusal("seed", "Seed is a whole number.");
        controller.startOrResume();
        QCOMPARE(controller.state(), RunState::Idle);
        QCOMPARE(noted.count(), 1);
        QCOMPARE(noted[0][1].toString(), QString("Seed is a whole number."));
        controller.draft()->setRefusal("seed", {});
        controller.startOrResume();
        QCOMPARE(controller.state(), RunState::Preparing);
    }

    void aSecondRunStartsAsSoonAsTheFirstHasEnded() {
        ScriptedRun script;
        script.allowAll();
        RunController controller(&table_, script.function());
        QSignalSpy failed(&controller, &RunController::failed);
        int ends = 0;
        connect(controller.bridge(), &RunBridge::ended, this, [&] {
            if (++ends < 3) controller.startOrResume();
        });
        controller.startOrResume();
        QTRY_COMPARE(ends, 3);
        QCOMPARE(failed.count(), 0);
    }

    void changesOfTheDraftDoNotTouchTheRunningExperiment() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.startOrResume();
        controller.draft()->set("mask.name", std::string("none"));
        QCOMPARE(QString::fromStdString(controller.running()->mask.name), QString("batch"));
        controller.stop();
        QTRY_COMPARE(controller.state(), RunState::Idle);
    }

    void pauseHoldsTheRunAtABatchBorderAndResumeLetsItGoOn() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.startOrResume();
        QTRY_COMPARE(controller.state(), RunState::Running);
        controller.pauseOrResume();
        QCOMPARE(controller.state(), RunState::Running);
        QVERIFY(!controller.detail().isEmpty());
        script.allowAll();
        QTRY_COMPARE(controller.state(), RunState::Paused);
        QCOMPARE(script.learned(), 0);
        QVERIFY(controller.canResume() && controller.canStep() && controller.canStop());
        QSignalSpy ended(controller.bridge(), &RunBridge::ended);
        controller.startOrResume();
        QCOMPARE(controller.state(), RunState::Running);
        QTRY_COMPARE(ended.count(), 1);
    }

    void aPauseThatHasNotComeAboutYetCanBeTakenBack() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.startOrResume();
        QTRY_COMPARE(controller.state(), RunState::Running);
        controller.pauseOrResume();
        controller.pauseOrResume();
        QVERIFY(controller.detail().isEmpty());
        QSignalSpy ended(controller.bridge(), &RunBridge::ended);
        script.allowAll();
        QTRY_COMPARE(ended.count(), 1);
    }

    void whatIsWantedDuringPreparationIsShown() {
        std::counting_semaphore<> prepared{0};
        RunController controller(&table_, [&](std::int64_t run, const Experiment&, RunControl&, RunObserver& observer) {
            observer.onState({run, RunState::Preparing, "Reading the data set"});
            prepared.acquire();
            RunEnded ended;
            ended.run = run;
            ended.how = RunEnd::Stopped;
            observer.onEnded(ended);
        });
        // However the test ends, the run does not wait for ever.
        const auto release = qScopeGuard([&] { prepared.release(); });
        controller.startOrResume();
        QTRY_COMPARE(controller.detail(), QString("Reading the data set"));
        controller.pauseOrResume();
        QCOMPARE(controller.detail(), QString("Reading the data set, then pausing"));
        controller.pauseOrResume();
        QCOMPARE(controller.detail(), QString("Reading the data set"));
        controller.stop();
        QCOMPARE(controller.detail(), QString("Stopping"));
        prepared.release();
        QTRY_COMPARE(controller.state(), RunState::Idle);
    }

    void stepLearnsOneBatchAndNeverLooksUnpaused() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.startOrResume();
        QTRY_COMPARE(controller.state(), RunState::Running);
        controller.pauseOrResume();
        script.allowAll();
        QTRY_COMPARE(controller.state(), RunState::Paused);
        bool flickered = false;
        connect(&controller, &RunController::stateChanged, this,
                [&] { flickered |= controller.state() != RunState::Paused; });
        QSignalSpy batches(controller.bridge(), &RunBridge::batchLearned);
        for (int i = 1; i <= 3; ++i) {
            controller.step();
            QTRY_COMPARE(batches.count(), i);
            QCOMPARE(batches.last()[0].value<BatchLearned>().batch, i);
        }
        QTRY_COMPARE(controller.state(), RunState::Paused);
        QCOMPARE(script.learned(), 3);
        QVERIFY(!flickered);
    }

    void stopEndsTheRunFromEveryState_data() {
        QTest::addColumn<bool>("paused");
        QTest::newRow("running") << false;
        QTest::newRow("paused") << true;
    }
    void stopEndsTheRunFromEveryState() {
        QFETCH(bool, paused);
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.startOrResume();
        QTRY_COMPARE(controller.state(), RunState::Running);
        if (paused) {
            controller.pauseOrResume();
            script.allowAll();
            QTRY_COMPARE(controller.state(), RunState::Paused);
        }
        QSignalSpy ended(controller.bridge(), &RunBridge::ended);
        controller.stop();
        QCOMPARE(controller.state(), RunState::Stopping);
        QVERIFY(!controller.canStop() && !controller.canPause());
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][0].value<RunEnded>().how, RunEnd::Stopped);
        QCOMPARE(controller.state(), RunState::Idle);
    }

    void aFailureIsToldWithItsHintAndTheNextRunCanStart_data() {
        QTest::addColumn<int>("batch");
        QTest::newRow("while preparing") << 0;
        QTest::newRow("in the second batch") << 2;
    }
    void aFailureIsToldWithItsHintAndTheNextRunCanStart() {
        QFETCH(int, batch);
        ScriptedRun::Script lines;
        lines.fail_at_batch = batch;
        ScriptedRun script(lines);
        script.allowAll();
        RunController controller(&table_, script.function());
        QSignalSpy failed(&controller, &RunController::failed);
        controller.startOrResume();
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), QString::fromStdString(lines.error));
        QCOMPARE(failed[0][1].toString(), QString::fromStdString(lines.hint));
        QVERIFY(controller.canStart());
    }

    void aFailureCallsOptionsAsTheFormDoes() {
        ScriptedRun::Script lines;
        lines.fail_at_batch = 0;
        lines.error = "memory.size is 0, but this needs one.";
        lines.hint = "Lower the learning rate (training.learning_rate) and start again.";
        ScriptedRun script(lines);
        script.allowAll();
        RunController controller(&table_, script.function());
        QSignalSpy failed(&controller, &RunController::failed);
        controller.startOrResume();
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), QString("Memory is none, but this needs one."));
        QCOMPARE(failed[0][1].toString(), QString("Lower the learning rate and start again."));
    }

    void aFailureSaysHowToGoOn() {
        RunController controller(&table_, [](std::int64_t run, const Experiment&, RunControl&, RunObserver& observer) {
            RunEnded ended;
            ended.run = run;
            ended.how = RunEnd::Failed;
            ended.error = "The learner ended.";
            ended.hint = "`palimpsest-cli learner check` tries it alone.";
            ended.resumable = true;
            observer.onEnded(ended);
        });
        QSignalSpy failed(&controller, &RunController::failed);
        controller.startOrResume();
        QTRY_COMPARE(failed.count(), 1);
        const QString hint = failed[0][1].toString();
        QVERIFY2(hint.startsWith(QStringLiteral("“palimpsest-cli learner check” tries it alone. The run is kept: ")),
                 qPrintable(hint));
        QVERIFY2(hint.contains(QStringLiteral("“Resume this run”")) && !hint.contains('`'), qPrintable(hint));
    }

    void anExperimentWithAProblemDoesNotStart() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.draft()->set("name", std::string());
        QSignalSpy failed(&controller, &RunController::failed);
        controller.startOrResume();
        QCOMPARE(failed.count(), 1);
        QCOMPARE(controller.state(), RunState::Idle);
    }

    void aConditionThatHoldsPausesTheRunOnceAndSaysWhy() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        QSignalSpy noted(&controller, &RunController::noted);
        controller.startOrResume();
        QTRY_COMPARE(controller.state(), RunState::Running);
        controller.pauseWhen({.session_end = true});
        QVERIFY(controller.pauseCondition().session_end);
        script.allowAll();
        QTRY_COMPARE(controller.state(), RunState::Paused);
        QVERIFY(controller.canResume() && controller.canStep());
        QVERIFY(!controller.pauseCondition().any());
        QCOMPARE(noted.count(), 1);
        QCOMPARE(noted[0][0].toString(), QString("Session 1 has ended."));
        QCOMPARE(noted[0][2].value<RunController::Note>(), RunController::Note::Paused);
        QSignalSpy outdated(&controller, &RunController::outdated);
        QSignalSpy batches(controller.bridge(), &RunBridge::batchLearned);
        controller.step();
        QCOMPARE(outdated.count(), 1);
        QCOMPARE(outdated[0][0].value<RunController::Note>(), RunController::Note::Paused);
        QTRY_VERIFY(batches.count() == 1 && controller.lane(0).state() == RunState::Paused);
        QCOMPARE(controller.state(), RunState::Paused);
        QSignalSpy ended(controller.bridge(), &RunBridge::ended);
        controller.startOrResume();
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(noted.count(), 1);
    }

    void aConditionThatDidNotHoldIsForgottenWithItsRun() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.startOrResume();
        controller.pauseWhen({.session = 0, .below = 0.5});
        QVERIFY(controller.pauseCondition().any());
        controller.stop();
        QTRY_COMPARE(controller.state(), RunState::Idle);
        QVERIFY(!controller.pauseCondition().any());
        controller.pauseWhen({.session_end = true});
        QVERIFY(!controller.pauseCondition().any());
    }

    void aDiskWithoutRoomIsNoPauseOfAPerson() {
        std::counting_semaphore<> over{0};
        RunController controller(&table_, [&](std::int64_t run, const Experiment&, RunControl&, RunObserver& observer) {
            observer.onState({run, RunState::Paused, "There is no room.", PauseReason::Unwritable});
            over.acquire();
            RunEnded ended;
            ended.run = run;
            observer.onEnded(ended);
        });
        const auto release = qScopeGuard([&] { over.release(); });
        QSignalSpy noted(&controller, &RunController::noted);
        controller.startOrResume();
        QTRY_COMPARE(noted.count(), 1);
        QCOMPARE(noted[0][0].toString(), QString("There is no room."));
        QCOMPARE(noted[0][2].value<RunController::Note>(), RunController::Note::Waiting);
        QVERIFY(controller.state() != RunState::Paused);
        QSignalSpy outdated(&controller, &RunController::outdated);
        over.release();
        QTRY_COMPARE(controller.state(), RunState::Idle);
        QVERIFY(std::any_of(outdated.begin(), outdated.end(), [](const QList<QVariant>& arguments) {
            return arguments[0].value<RunController::Note>() == RunController::Note::Waiting;
        }));
    }

    /// A learner that hangs holds a run up, and the first stop waits for it.
    void aSecondPressOfStopEndsTheWaitForALearner() {
        std::stop_token now;
        RunController controller(&table_, testing::hangingRun(now));
        controller.startOrResume();
        QTRY_COMPARE(controller.state(), RunState::Running);
        QVERIFY(!controller.canStopNow());
        controller.stop();
        QCOMPARE(controller.state(), RunState::Stopping);
        QTRY_VERIFY(controller.canStopNow());
        QVERIFY(!controller.canStop());
        // Whatever else asks for a stop, such as the end of the program, throws nothing away.
        controller.stop();
        QVERIFY(!now.stop_requested());
        QSignalSpy ended(controller.bridge(), &RunBridge::ended);
        controller.stopOrStopNow();
        QTRY_COMPARE(ended.count(), 1);
        QTRY_COMPARE(controller.state(), RunState::Idle);
        QVERIFY(!controller.canStopNow());
    }

    void theLearnerOfTheOtherLaneIsNotEnded() {
        std::array<std::stop_token, 2> now;
        std::binary_semaphore over{0};
        RunController controller(
            &table_, [&](std::int64_t run, const Experiment& experiment, RunControl& control, RunObserver& observer) {
                const bool hangs = experiment.seed == 1;
                now[hangs ? 0 : 1] = control.nowToken();
                observer.onState({run, RunState::Running, ""});
                while (!control.ending()) QTest::qSleep(1);
                StateChanged stopping{.run = run, .state = RunState::Stopping};
                if (hangs) stopping.wait = LearnerWait{"nearest mean", 4, 60};
                observer.onState(stopping);
                if (hangs)
                    while (!control.nowToken().stop_requested()) QTest::qSleep(1);
                else
                    over.acquire();
                RunEnded ended;
                ended.run = run;
                ended.how = RunEnd::Stopped;
                observer.onEnded(ended);
            });
        const auto release = qScopeGuard([&] { over.release(); });
        controller.draft()->set("seed", std::int64_t{1});
        LanesLaunch both;
        both.beside = controller.draft()->experiment();
        both.beside.seed = 2;
        controller.start(both);
        QTRY_VERIFY(controller.lane(0).state() == RunState::Running && controller.lane(1).state() == RunState::Running);
        controller.stopOrStopNow();
        QTRY_VERIFY(controller.canStopNow());
        QSignalSpy ended(controller.bridge(), &RunBridge::ended);
        controller.stopOrStopNow();
        QVERIFY(now[0].stop_requested());
        QVERIFY(!now[1].stop_requested());
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(!now[1].stop_requested());
    }

    void whatIsChangedOnTheWayIsWhatTheRunHas() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.startOrResume();
        QTRY_COMPARE(controller.state(), RunState::Running);
        QSignalSpy changed(&controller, &RunController::runningChanged);
        QVERIFY(!controller.hasPendingChanges());
        controller.change({{"mask.name", "none"}});
        QCOMPARE(controller.running()->mask.name, std::string("batch"));
        QVERIFY(controller.hasPendingChanges());
        QCOMPARE(controller.expected().mask.name, std::string("none"));
        script.allow(2);
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(controller.running()->mask.name, std::string("none"));
        QVERIFY(!controller.hasPendingChanges());
        controller.stop();
        QTRY_COMPARE(controller.state(), RunState::Idle);
    }

    void aCheckpointIsAskedOfTheRunThatGoesOn() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.keepState();
        controller.startOrResume();
        QTRY_COMPARE(controller.state(), RunState::Running);
        controller.keepState();
        script.allow(2);
        QTRY_COMPARE(script.kept(), 1);
        controller.stop();
        QTRY_COMPARE(controller.state(), RunState::Idle);
    }

    void aForkLearnsTheDraft() {
        ScriptedRun script;
        script.allowAll();
        int seeds = 0;
        RunController controller(&table_, script.function(), {},
                                 [&](std::int64_t run, const std::filesystem::path& parent, std::int64_t at,
                                     const Experiment& experiment, RunControl&, RunObserver& observer) {
                                     if (parent == "/runs/parent" && at == 100)
                                         seeds += static_cast<int>(experiment.seed);
                                     RunEnded ended;
                                     ended.run = run;
                                     observer.onEnded(ended);
                                 });
        struct Planner : LaunchPlanner {
            Launch planned() const override { return ForkLaunch{"/runs/parent", 100}; }
            std::optional<Failure> obstacle(const Launch&) const override { return refusal; }
            std::optional<Failure> refusal;
        } planner;
        controller.setPlanner(&planner);
        controller.draft()->set("seed", std::int64_t{5});
        controller.startOrResume();
        QCOMPARE(controller.running()->seed, 5);
        QTRY_COMPARE(controller.state(), RunState::Idle);
        QCOMPARE(seeds, 5);
        planner.refusal = Failure{"Not now.", "Later."};
        QSignalSpy noted(&controller, &RunController::noted);
        controller.startOrResume();
        QCOMPARE(noted.count(), 1);
        QCOMPARE(controller.state(), RunState::Idle);
        QCOMPARE(script.learned(), 0);
    }

    void destroyingItInMidRunEndsTheRun() {
        ScriptedRun script;
        {
            RunController controller(&table_, script.function());
            controller.startOrResume();
            QTRY_COMPARE(controller.state(), RunState::Running);
        }
        QCOMPARE(script.learned(), 0);
    }
};

PALIMPSEST_GUILESS_TEST(TestRunController)

}  // namespace tst_run_controller

#include "tst_run_controller.moc"
