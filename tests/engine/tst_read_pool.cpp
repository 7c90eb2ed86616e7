// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <atomic>
#include <latch>
#include <set>

#include "engine/data/read_pool.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_read_pool {

using Urgency = ReadPool::Urgency;

class TestReadPool : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPieceIsDoneOnce_data() {
        QTest::addColumn<int>("threads");
        for (const int threads : {0, 1, 2, 7}) QTest::addRow("%d threads", threads) << threads;
    }
    void everyPieceIsDoneOnce() {
        QFETCH(int, threads);
        ReadPool pool(threads);
        QCOMPARE(pool.threads(), static_cast<std::size_t>(threads));
        std::vector<std::atomic<int>> done(500);
        std::vector<std::shared_ptr<ReadPool::Work>> works;
        for (std::size_t w = 0; w < 50; ++w)
            works.push_back(pool.begin(
                10, [&done, w](std::size_t i) { ++done[10 * w + i]; }, w % 3 == 0 ? Urgency::Now : Urgency::Ahead));
        for (const auto& work : works) pool.finish(*work);
        for (const auto& count : done) QCOMPARE(count.load(), 1);
    }

    void noPiecesAreDoneAtOnce() {
        ReadPool pool(0);
        pool.finish(*pool.begin(
            0, [](std::size_t) { QFAIL("there is no piece"); }, Urgency::Now));
    }

    void whatIsWantedNowGoesFirst() {
        ReadPool pool(1);
        std::latch busy(1), ready(1);
        const auto first = pool.begin(
            1,
            [&](std::size_t) {
                busy.count_down();
                ready.wait();
            },
            Urgency::Ahead);
        busy.wait();
        std::vector<int> order;
        std::latch all(2);
        const auto note = [&](int which) {
            return [&order, &all, which](std::size_t) {
                order.push_back(which);
                all.count_down();
            };
        };
        const auto ahead = pool.begin(1, note(1), Urgency::Ahead), now = pool.begin(1, note(2), Urgency::Now);
        ready.count_down();
        all.wait();
        QCOMPARE(order, (std::vector<int>{2, 1}));
    }

    void whatWasGivenUpIsNotBegun() {
        ReadPool pool(0);
        std::set<std::size_t> done;
        const auto work = pool.begin(
            5, [&](std::size_t i) { done.insert(i); }, Urgency::Ahead);
        const auto other = pool.begin(
            2, [&](std::size_t i) { done.insert(100 + i); }, Urgency::Ahead);
        pool.cancel(*work);
        pool.finish(*work);
        pool.finish(*other);
        QCOMPARE(done, (std::set<std::size_t>{100, 101}));
    }

    void givingUpDoesNotWaitForAPieceInProgress() {
        std::latch busy(1), ready(1);
        std::atomic<int> begun{0};
        ReadPool pool(1);
        const auto work = pool.begin(
            100,
            [&](std::size_t) {
                ++begun;
                busy.count_down();
                ready.wait();
            },
            Urgency::Now);
        busy.wait();
        pool.cancel(*work);  // would block if it waited for the piece
        ready.count_down();
        pool.finish(*work);
        QCOMPARE(begun.load(), 1);
    }

    void aPoolThatGoesLeavesTheRestUndone() {
        std::latch busy(1);
        std::atomic<int> done{0};
        {
            ReadPool pool(1);
            pool.begin(
                100'000'000,
                [&](std::size_t) {
                    if (done++ == 0) busy.count_down();
                },
                Urgency::Ahead);
            busy.wait();
        }
        QVERIFY(done.load() < 100'000'000);
    }

    void someThreadsReadWhateverTheMachine_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<bool>("gpu");
        QTest::addColumn<int>("expected");
        QTest::newRow("one core") << 1 << false << 1;
        QTest::newRow("two cores") << 2 << false << 1;
        QTest::newRow("sixteen cores") << 16 << false << 4;
        QTest::newRow("a hundred cores") << 100 << false << 8;
        QTest::newRow("one core and a GPU") << 1 << true << 1;
        QTest::newRow("sixteen cores and a GPU") << 16 << true << 15;
        QTest::newRow("a hundred cores and a GPU") << 100 << true << 16;
    }
    void someThreadsReadWhateverTheMachine() {
        QFETCH(int, threads);
        QFETCH(bool, gpu);
        QTEST(readingThreads(threads, gpu), "expected");
    }
};

PALIMPSEST_APPLESS_TEST(TestReadPool)

}  // namespace tst_read_pool

#include "tst_read_pool.moc"
