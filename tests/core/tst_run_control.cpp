// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <atomic>
#include <future>
#include <semaphore>
#include <thread>

#include "engine/run/run_control.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_run_control {

using Verdict = RunControl::Verdict;

namespace {

/// A run of empty batches on its own thread. `paused` and `resumed` are released as the run reports them.
struct FakeRun {
    explicit FakeRun(RunControl& control)
        : thread([this, &control] {
              for (;;) {
                  verdict = control.atBatchBorder([this](bool pausing) { (pausing ? paused : resumed).release(); });
                  if (verdict != Verdict::Continue) return;
                  ++batches;
              }
          }) {}

    std::counting_semaphore<> paused{0};
    std::counting_semaphore<> resumed{0};
    std::atomic<int> batches{0};
    std::atomic<Verdict> verdict{Verdict::Continue};
    std::jthread thread;
};

}  // namespace

class TestRunControl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anUntouchedRunGoesOn() {
        RunControl control;
        QCOMPARE(control.atBatchBorder(nullptr), Verdict::Continue);
        QVERIFY(!control.ending());
        QVERIFY(!control.stepping());
    }

    void aPausedRunWaitsUntilItIsResumed() {
        RunControl control;
        control.pause();
        FakeRun run(control);
        run.paused.acquire();
        QCOMPARE(run.batches.load(), 0);
        control.resume();
        run.resumed.acquire();
        QTRY_VERIFY(run.batches > 0);
        control.stop();
    }

    void whoeverWorksLongHearsOfTheEnd_data() {
        QTest::addColumn<bool>("abort");
        QTest::newRow("stop") << false;
        QTest::newRow("abort") << true;
    }
    void whoeverWorksLongHearsOfTheEnd() {
        QFETCH(bool, abort);
        RunControl control;
        const std::stop_token end = control.endToken();
        control.pause();
        control.step();
        control.resume();
        QVERIFY(end.stop_possible() && !end.stop_requested());
        abort ? control.abort() : control.stop();
        QVERIFY(end.stop_requested());
        QVERIFY(control.endToken().stop_requested());
    }

    void aStepLearnsExactlyOneBatch() {
        RunControl control;
        control.pause();
        FakeRun run(control);
        run.paused.acquire();
        for (int step = 1; step <= 3; ++step) {
            control.step();
            QVERIFY(control.stepping());
            run.resumed.acquire();
            run.paused.acquire();
            QCOMPARE(run.batches.load(), step);
        }
        control.stop();
        run.thread.join();
        QCOMPARE(run.batches.load(), 3);
    }

    void aBorderPassedForASingleBatchIsKnown() {
        RunControl control;
        control.atBatchBorder(nullptr);
        QVERIFY(!control.stepped());
        control.step();
        control.atBatchBorder(nullptr);
        QVERIFY(control.stepped());
        control.resume();
        control.atBatchBorder(nullptr);
        QVERIFY(!control.stepped());
        control.step();
        control.stop();
        control.atBatchBorder(nullptr);
        QVERIFY(!control.stepped());
    }

    void stepsPressedBeforeABatchBeginsAreOneBatch() {
        RunControl control;
        for (int i = 0; i < 4; ++i) control.step();
        FakeRun run(control);
        run.paused.acquire();
        QCOMPARE(run.batches.load(), 1);
        control.stop();
    }

    void resumeForgetsPendingSteps() {
        RunControl control;
        control.step();
        control.step();
        control.resume();
        QVERIFY(!control.stepping());
        control.pause();
        FakeRun run(control);
        run.paused.acquire();
        QCOMPARE(run.batches.load(), 0);
        control.abort();
    }

    void endingWakesAPausedRun_data() {
        QTest::addColumn<bool>("abort");
        QTest::newRow("stop") << false;
        QTest::newRow("abort") << true;
    }
    void endingWakesAPausedRun() {
        QFETCH(bool, abort);
        RunControl control;
        control.pause();
        FakeRun run(control);
        run.paused.acquire();
        abort ? control.abort() : control.stop();
        run.thread.join();
        QCOMPARE(run.verdict.load(), abort ? Verdict::Abort : Verdict::Stop);
        QVERIFY(control.ending());
        QVERIFY(run.resumed.try_acquire());
    }

    void abortOutranksStop() {
        RunControl control;
        control.abort();
        control.stop();
        QCOMPARE(control.verdict(), Verdict::Abort);
        RunControl other;
        other.stop();
        other.abort();
        QCOMPARE(other.verdict(), Verdict::Abort);
    }

    void pausesAreReportedInPairs() {
        RunControl control;
        FakeRun run(control);
        for (int i = 0; i < 200; ++i) {
            control.pause();
            run.paused.acquire();
            control.resume();
            run.resumed.acquire();
        }
        control.stop();
        run.thread.join();
        QVERIFY(!run.paused.try_acquire());
        QVERIFY(!run.resumed.try_acquire());
    }

    void verbsFromManyThreadsNeverLockUp() {
        RunControl control;
        FakeRun run(control);
        std::vector<std::jthread> people;
        for (int i = 0; i < 4; ++i) {
            people.emplace_back([&control, i] {
                for (int k = 0; k < 2000; ++k) {
                    switch ((k + i) % 4) {
                        case 0:
                            control.pause();
                            break;
                        case 1:
                            control.step();
                            break;
                        case 2:
                            control.resume();
                            break;
                        default:
                            static_cast<void>(control.stepping() && control.ending());
                    }
                }
            });
        }
        people.clear();
        control.stop();
        run.thread.join();
        QCOMPARE(run.verdict.load(), Verdict::Stop);
    }
};

PALIMPSEST_APPLESS_TEST(TestRunControl)

}  // namespace tst_run_control

#include "tst_run_control.moc"
