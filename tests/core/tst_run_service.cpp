// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <atomic>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "engine/run/run_service.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_run_service {

namespace {

class Listener : public RunObserver {
public:
    void onState(const StateChanged&) override { ++states; }
    void onEnded(const RunEnded& event) override {
        {
            const std::scoped_lock lock(mutex_);
            ends_.push_back(event);
        }
        ended.release();
    }
    std::vector<RunEnded> ends() const {
        const std::scoped_lock lock(mutex_);
        return ends_;
    }
    std::counting_semaphore<> ended{0};
    std::atomic<int> states{0};

private:
    mutable std::mutex mutex_;
    std::vector<RunEnded> ends_;
};

/// Waits for the end of the run and reports how it ended.
void untilStopped(std::int64_t run, const Experiment&, RunControl& control, RunObserver& observer) {
    while (control.atBatchBorder([&](bool) {
        observer.onState({run, RunState::Paused, {}});
    }) == RunControl::Verdict::Continue) {
    }
    RunEnded event;
    event.run = run;
    event.how = control.verdict() == RunControl::Verdict::Abort ? RunEnd::Aborted : RunEnd::Stopped;
    observer.onEnded(event);
}

}  // namespace

class TestRunService : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsNumberedAndHandedItsExperiment() {
        std::vector<std::pair<std::int64_t, std::int64_t>> seen;
        RunService service([&](std::int64_t run, const Experiment& experiment, RunControl&, RunObserver& observer) {
            seen.emplace_back(run, experiment.seed);
            RunEnded event;
            event.run = run;
            observer.onEnded(event);
        });
        Listener listener;
        for (std::int64_t i = 1; i <= 3; ++i) {
            Experiment experiment;
            experiment.seed = 10 * i;
            QCOMPARE(service.start(experiment, listener), i);
            listener.ended.acquire();
            QVERIFY(!service.busy());
        }
        QCOMPARE(seen, (std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 10}, {2, 20}, {3, 30}}));
    }

    void stopEndsTheRun() {
        RunService service(untilStopped);
        Listener listener;
        service.start({}, listener);
        QVERIFY(service.busy());
        service.stop();
        listener.ended.acquire();
        QVERIFY(!service.busy());
        QCOMPARE(listener.ends().size(), std::size_t{1});
        QCOMPARE(listener.ends()[0].how, RunEnd::Stopped);
    }

    void verbsReachTheRun() {
        RunService service(untilStopped);
        Listener listener;
        service.start({}, listener);
        service.pause();
        QTRY_COMPARE(listener.states.load(), 1);
        service.step();
        QTRY_COMPARE(listener.states.load(), 3);
        service.resume();
        QTRY_COMPARE(listener.states.load(), 4);
        service.abort();
        listener.ended.acquire();
        QCOMPARE(listener.ends()[0].how, RunEnd::Aborted);
    }

    void wishesReachTheRun() {
        std::counting_semaphore<> requested{0};
        std::vector<LiveChange> changes;
        PauseCondition condition;
        bool keep = false;
        RunService service([&](std::int64_t run, const Experiment&, RunControl& control, RunObserver& observer) {
            requested.acquire();
            changes = control.takeChanges(100);
            condition = control.pauseCondition();
            keep = control.takeKeepState();
            RunEnded event;
            event.run = run;
            observer.onEnded(event);
        });
        Listener listener;
        service.start({}, listener);
        service.change({"mask.name", "none"});
        service.pauseWhen({.session_end = true});
        service.keepState();
        requested.release();
        listener.ended.acquire();
        QCOMPARE(changes.size(), std::size_t{1});
        QVERIFY(changes[0] == (LiveChange{"mask.name", "none"}));
        QVERIFY(condition.session_end);
        QVERIFY(keep);
    }

    void verbsWithoutARunDoNothing() {
        RunService service(untilStopped);
        service.pause();
        service.resume();
        service.step();
        service.stop();
        service.abort();
        service.change({"mask.name", "none"});
        service.pauseWhen({.session_end = true});
        service.keepState();
        QVERIFY(!service.busy());
    }

    void aSecondRunIsRefusedWhileOneGoesOn() {
        RunService service(untilStopped);
        Listener listener;
        service.start({}, listener);
        QVERIFY_EXCEPTION_THROWN(service.start({}, listener), Error);
        service.stop();
        listener.ended.acquire();
    }

    void aThrowingRunStillEnds_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("error");
        QTest::addColumn<QString>("hint");
        QTest::newRow("our own error") << 0 << "No data."
                                       << "Install it.";
        QTest::newRow("a library's error") << 1 << "broken tensor"
                                           << "";
        QTest::newRow("anything") << 2 << "The run ended by an unknown exception."
                                  << "";
        QTest::newRow("silence") << 3 << "The run returned without saying how it ended."
                                 << "";
    }
    void aThrowingRunStillEnds() {
        QFETCH(int, what);
        QFETCH(QString, error);
        QFETCH(QString, hint);
        RunService service([what](std::int64_t, const Experiment&, RunControl&, RunObserver&) {
            if (what == 0) throw inputError("No data.", "Install it.");
            if (what == 1) throw std::runtime_error("broken tensor");
            if (what == 2) throw 42;
        });
        Listener listener;
        const std::int64_t run = service.start({}, listener);
        listener.ended.acquire();
        const RunEnded end = listener.ends().at(0);
        QCOMPARE(end.run, run);
        QCOMPARE(end.how, RunEnd::Failed);
        QCOMPARE(QString::fromStdString(end.error), error);
        QCOMPARE(QString::fromStdString(end.hint), hint);
        QCOMPARE(end.kind, what == 0 ? ErrorKind::Input : ErrorKind::Run);
        QVERIFY(!service.busy());
    }

    void aRunThatThrowsAfterItsEndEndsOnce() {
        RunService service([](std::int64_t run, const Experiment&, RunControl&, RunObserver& observer) {
            RunEnded event;
            event.run = run;
            observer.onEnded(event);
            throw std::runtime_error("too late");
        });
        Listener listener;
        service.start({}, listener);
        listener.ended.acquire();
        service.start({}, listener);
        listener.ended.acquire();
        QCOMPARE(listener.ends().size(), std::size_t{2});
        QCOMPARE(listener.ends()[0].how, RunEnd::Finished);
    }

    void aListenerThatThrowsAtTheEndDoesNoHarm_data() {
        QTest::addColumn<bool>("byService");
        QTest::newRow("the run reports its end") << false;
        QTest::newRow("the service reports it") << true;
    }
    void aListenerThatThrowsAtTheEndDoesNoHarm() {
        QFETCH(bool, byService);
        struct Thrower : Listener {
            void onEnded(const RunEnded& event) override {
                Listener::onEnded(event);
                throw 42;
            }
        } thrower;
        RunService service([byService](std::int64_t, const Experiment&, RunControl&, RunObserver& observer) {
            if (!byService) observer.onEnded({});
        });
        service.start({}, thrower);
        thrower.ended.acquire();
        service.start({}, thrower);
        thrower.ended.acquire();
        QCOMPARE(thrower.ends().size(), std::size_t{2});
    }

    void theNextRunMayStartAsSoonAsTheEndIsHeard() {
        // The function returns some time after its last event; start() must wait for it instead of refusing.
        RunService service([](std::int64_t run, const Experiment&, RunControl&, RunObserver& observer) {
            RunEnded event;
            event.run = run;
            observer.onEnded(event);
            std::this_thread::yield();
        });
        Listener listener;
        for (int i = 0; i < 200; ++i) {
            service.start({}, listener);
            listener.ended.acquire();
        }
        QCOMPARE(listener.ends().size(), std::size_t{200});
    }

    void destructionAbortsAPausedRun() {
        Listener listener;
        {
            RunService service(untilStopped);
            service.start({}, listener);
            service.pause();
            QTRY_COMPARE(listener.states.load(), 1);
        }
        QCOMPARE(listener.ends().size(), std::size_t{1});
        QCOMPARE(listener.ends()[0].how, RunEnd::Aborted);
    }
};

PALIMPSEST_APPLESS_TEST(TestRunService)

}  // namespace tst_run_service

#include "tst_run_service.moc"
