// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/record/checkpoints.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_checkpoint_ring {

namespace {

/// Checkpoints of a run: one after the other, thinned out each time.
std::vector<KeptCheckpoint> keptOf(std::int64_t count, std::int64_t budget) {
    std::vector<KeptCheckpoint> kept;
    for (std::int64_t i = 0; i < count; ++i) {
        kept.push_back({i * 1000, 10});
        for (const std::int64_t gone : thinnedOut(kept, budget))
            std::erase_if(kept, [&](const KeptCheckpoint& one) { return one.samples_seen == gone; });
    }
    return kept;
}

}  // namespace

class TestCheckpointRing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingGoesWhileThereIsRoom() { QVERIFY(thinnedOut({{0, 10}, {1000, 10}, {2000, 10}}, 30).empty()); }
    void theNewestTwoStayWhateverTheyTake() {
        QCOMPARE(thinnedOut({{0, 10}, {1000, 10}, {2000, 10}}, 0), std::vector<std::int64_t>{0});
        QVERIFY(thinnedOut({{1000, 10}, {2000, 10}}, 0).empty());
        QVERIFY(thinnedOut({}, 0).empty());
    }
    void theRestKeepsToItsRoom() {
        const auto kept = keptOf(100, 80);
        QCOMPARE(kept.size(), std::size_t{8});
        QCOMPARE(kept.back().samples_seen, std::int64_t{99'000});
        QCOMPARE(kept[6].samples_seen, std::int64_t{98'000});
    }
    void whatIsLeftLiesTheDenserTheNewerItIs() {
        const auto kept = keptOf(100, 100);
        // The oldest go far back, and no gap is wider than the distance from it to the end.
        QVERIFY2(kept.front().samples_seen < 50'000, qPrintable(QString::number(kept.front().samples_seen)));
        for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
            const std::int64_t gap = kept[i + 1].samples_seen - kept[i].samples_seen;
            QVERIFY(gap <= 99'000 - kept[i].samples_seen);
            if (i + 2 < kept.size()) QVERIFY(2 * gap >= kept[i + 2].samples_seen - kept[i + 1].samples_seen);
        }
    }
    void checkpointsOfDifferentSizesKeepToTheirRoomToo() {
        std::vector<KeptCheckpoint> kept = {{0, 100}, {10, 1}, {20, 1}, {30, 1}, {40, 1}};
        std::int64_t bytes = 0;
        for (const std::int64_t gone : thinnedOut(kept, 50))
            std::erase_if(kept, [&](const KeptCheckpoint& one) { return one.samples_seen == gone; });
        for (const KeptCheckpoint& one : kept) bytes += one.bytes;
        QVERIFY(bytes <= 50);
    }
};

PALIMPSEST_GUILESS_TEST(TestCheckpointRing)

}  // namespace tst_checkpoint_ring

#include "tst_checkpoint_ring.moc"
