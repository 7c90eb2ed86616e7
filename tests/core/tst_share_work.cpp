// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/support/share_work.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_share_work {

class TestShareWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPartIsDoneOnce_data() {
        QTest::addColumn<int>("parts");
        QTest::addColumn<int>("threads");
        QTest::newRow("nothing to do") << 0 << 4;
        QTest::newRow("one part") << 1 << 4;
        QTest::newRow("one thread") << 100 << 1;
        QTest::newRow("no number of threads") << 10 << 0;
        QTest::newRow("fewer parts than threads") << 3 << 8;
        QTest::newRow("many parts") << 10000 << 3;
    }
    void everyPartIsDoneOnce() {
        QFETCH(const int, parts);
        QFETCH(const int, threads);
        for (int round = 0; round < 50; ++round) {
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(parts));
            shareWork(done.size(), threads, [&](std::size_t part) { ++done[part]; });
            for (const auto& times : done) QCOMPARE(times.load(), 1);
        }
    }

    void severalThreadsHelp() {
        // Each part waits until another thread has one, too: alone it would never end.
        std::atomic<int> inside{0}, most{0};
        shareWork(2, 2, [&](std::size_t) {
            ++inside;
            while (inside < 2) std::this_thread::yield();
            most = std::max(most.load(), inside.load());
        });
        QCOMPARE(most.load(), 2);
    }

    void noMoreThreadsThanAskedFor() {
        std::atomic<int> inside{0}, most{0};
        shareWork(200, 2, [&](std::size_t) {
            const int now = ++inside;
            int seen = most;
            while (now > seen && !most.compare_exchange_weak(seen, now)) {
            }
            for (int turn = 0; turn < 1000; ++turn) std::this_thread::yield();
            --inside;
        });
        QVERIFY(most <= 2);
    }

    void severalCallersShareTheThreads() {
        std::vector<std::jthread> callers;
        std::atomic<int> wrong{0};
        for (int caller = 0; caller < 4; ++caller)
            callers.emplace_back([&] {
                for (int round = 0; round < 200; ++round) {
                    std::atomic<int> sum{0};
                    shareWork(20, 3, [&](std::size_t part) { sum += static_cast<int>(part); });
                    wrong += sum != 190;
                }
            });
        callers.clear();
        QCOMPARE(wrong.load(), 0);
    }

    void aPartMayShareItsOwnWork() {
        std::atomic<int> sum{0};
        shareWork(4, 3,
                  [&](std::size_t) { shareWork(5, 3, [&](std::size_t part) { sum += static_cast<int>(part); }); });
        QCOMPARE(sum.load(), 40);
    }

    void anExceptionComesBackToTheCaller() {
        for (const int threads : {1, 3}) {
            std::atomic<int> done{0};
            QVERIFY_EXCEPTION_THROWN(shareWork(1000, threads,
                                               [&](std::size_t part) {
                                                   if (part == 5) throw std::runtime_error("no");
                                                   ++done;
                                               }),
                                     std::runtime_error);
            QVERIFY(done < 1000);
        }
        int after = 0;
        shareWork(1, 3, [&](std::size_t) { ++after; });
        QCOMPARE(after, 1);
    }
};

PALIMPSEST_APPLESS_TEST(TestShareWork)

}  // namespace tst_share_work

#include "tst_share_work.moc"
