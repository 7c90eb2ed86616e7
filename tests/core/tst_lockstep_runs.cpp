// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <atomic>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#include "engine/run/run_control.h"
#include "engine/run/run_events.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_lockstep_runs {

using Verdict = RunControl::Verdict;

namespace {

/// Actions of several runs, in their order.
class Log {
public:
    void add(int run, std::int64_t seen) {
        const std::scoped_lock lock(mutex_);
        entries_.emplace_back(run, seen);
    }
    std::vector<std::pair<int, std::int64_t>> entries() const {
        const std::scoped_lock lock(mutex_);
        return entries_;
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::pair<int, std::int64_t>> entries_;
};

/// A run of empty batches of one size on its own thread, which leaves when it has seen all its images.
struct FakeRun {
    FakeRun(std::shared_ptr<LockstepRuns> group, int number, std::int64_t batch, std::int64_t total, Log& log,
            std::atomic<int>& at_once)
        : control(std::move(group), static_cast<std::size_t>(number)), thread([=, this, &log, &at_once] {
              while (seen < total) {
                  const auto onPause = [this](bool pausing) { (pausing ? paused : resumed).release(); };
                  if (control.atBatchBorder(onPause, seen) != Verdict::Continue) break;
                  if (++at_once > 1) crowded = true;
                  std::this_thread::yield();
                  seen += batch;
                  log.add(number, seen);
                  --at_once;
              }
              control.leave();
          }) {}

    RunControl control;
    std::counting_semaphore<> paused{0};
    std::counting_semaphore<> resumed{0};
    std::atomic<std::int64_t> seen{0};
    std::atomic<bool> crowded{false};
    std::jthread thread;
};

struct Pair {
    explicit Pair(std::int64_t first_batch, std::int64_t second_batch, std::int64_t total, bool paused = false)
        : group(std::make_shared<LockstepRuns>(2)) {
        if (paused) group->pause();
        a = std::make_unique<FakeRun>(group, 0, first_batch, total, log, at_once);
        b = std::make_unique<FakeRun>(group, 1, second_batch, total, log, at_once);
    }
    ~Pair() {
        a->control.abort();
        b->control.abort();
    }
    void awaitPause() {
        a->paused.acquire();
        b->paused.acquire();
    }

    std::shared_ptr<LockstepRuns> group;
    Log log;
    std::atomic<int> at_once{0};
    std::unique_ptr<FakeRun> a, b;
};

using Entries = std::vector<std::pair<int, std::int64_t>>;

}  // namespace

class TestLockstepRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsOfEqualBatchesTakeTurns() {
        Pair pair(10, 10, 30);
        pair.a->thread.join();
        pair.b->thread.join();
        QCOMPARE(pair.log.entries(), (Entries{{0, 10}, {1, 10}, {0, 20}, {1, 20}, {0, 30}, {1, 30}}));
        QVERIFY(!pair.a->crowded && !pair.b->crowded);
    }

    void theOneThatIsBehindGoesFirst() {
        Pair pair(20, 10, 40);
        pair.a->thread.join();
        pair.b->thread.join();
        QCOMPARE(pair.log.entries(), (Entries{{0, 20}, {1, 10}, {1, 20}, {0, 40}, {1, 30}, {1, 40}}));
    }

    void aRunThatIsNotReadyYetIsWaitedFor() {
        const auto group = std::make_shared<LockstepRuns>(2);
        Log log;
        std::atomic<int> at_once{0};
        group->pause();
        FakeRun late(group, 1, 10, 20, log, at_once);
        late.paused.acquire();
        group->resume();
        // The second is at its border, while the first is still being prepared.
        FakeRun first(group, 0, 10, 20, log, at_once);
        first.thread.join();
        late.thread.join();
        QCOMPARE(log.entries(), (Entries{{0, 10}, {1, 10}, {0, 20}, {1, 20}}));
    }

    void pausedRunsHaveSeenTheSame_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::newRow("equal batches") << 32 << 32;
        QTest::newRow("large and small") << 32 << 1;
        QTest::newRow("small and large") << 1 << 32;
    }
    void pausedRunsHaveSeenTheSame() {
        QFETCH(int, first);
        QFETCH(int, second);
        Pair pair(first, second, std::int64_t{1} << 40);
        for (int i = 0; i < 30; ++i) {
            pair.b->control.pause();
            pair.awaitPause();
            QCOMPARE(pair.a->seen.load(), pair.b->seen.load());
            pair.a->control.resume();
            pair.a->resumed.acquire();
            pair.b->resumed.acquire();
        }
    }

    void aStepIsOneOfEach() {
        Pair pair(32, 32, std::int64_t{1} << 40, true);
        pair.awaitPause();
        for (int step = 1; step <= 20; ++step) {
            // One of them gets the command, and both make the step.
            (step % 2 ? pair.a : pair.b)->control.step();
            pair.a->resumed.acquire();
            pair.b->resumed.acquire();
            pair.awaitPause();
            QCOMPARE(pair.a->seen.load(), 32 * step);
            QCOMPARE(pair.b->seen.load(), 32 * step);
        }
    }

    void aStepOfTheLargerBatchIsManyOfTheSmaller() {
        Pair pair(32, 1, std::int64_t{1} << 40, true);
        pair.awaitPause();
        pair.a->control.step();
        pair.a->resumed.acquire();
        pair.awaitPause();
        QCOMPARE(pair.a->seen.load(), 32);
        QTRY_COMPARE(pair.b->seen.load(), 32);
    }

    void aRunThatEndsIsNotWaitedFor_data() {
        QTest::addColumn<bool>("abort");
        QTest::newRow("stop") << false;
        QTest::newRow("abort") << true;
    }
    void aRunThatEndsIsNotWaitedFor() {
        QFETCH(bool, abort);
        Pair pair(10, 10, 100, true);
        pair.awaitPause();
        abort ? pair.a->control.abort() : pair.a->control.stop();
        pair.a->thread.join();
        QVERIFY(!pair.b->control.ending());
        pair.b->control.resume();
        pair.b->thread.join();
        QCOMPARE(pair.b->seen.load(), 100);
        QCOMPARE(pair.a->seen.load(), 0);
    }

    void aRunThatNeverBeganIsNotWaitedFor() {
        const auto group = std::make_shared<LockstepRuns>(2);
        Log log;
        std::atomic<int> at_once{0};
        RunControl failed(group, 0);
        FakeRun other(group, 1, 10, 20, log, at_once);
        failed.leave();
        other.thread.join();
        QCOMPARE(other.seen.load(), 20);
    }
};

PALIMPSEST_GUILESS_TEST(TestLockstepRuns)

}  // namespace tst_lockstep_runs

#include "tst_lockstep_runs.moc"
