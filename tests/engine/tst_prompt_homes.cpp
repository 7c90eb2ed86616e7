// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/checkpoint/state_archive.h"
#include "engine/support/error.h"
#include "engine/train/prompt_homes.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_prompt_homes {

namespace {

using Numbers = std::vector<std::int64_t>;

/// Unit 0 was learned mostly with prompt 2, unit 1 only with prompt 0, unit 2 as often with 1 as with 2.
PromptHomes learned() {
    PromptHomes homes(3);
    homes.learn(Numbers{0, 0, 1}, Numbers{2, 1, 0});
    homes.learn(Numbers{0, 2, 2}, Numbers{2, 2, 1});
    return homes;
}

}  // namespace

class TestPromptHomes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theHomeIsThePromptOfMostImages() {
        const PromptHomes homes = learned();
        QCOMPARE(*homes.accuracy(Numbers{0, 0, 1, 2}, Numbers{2, 1, 0, 1}), 0.75);
        // The first of two prompts that learned a class equally often is its home.
        QCOMPARE(*homes.accuracy(Numbers{2}, Numbers{2}), 0.0);
    }

    void ofSeveralChosenTheNearestCounts() {
        PromptHomes homes(4);
        homes.learn(Numbers{0, 1}, Numbers{3, 0, 2, 1, 0, 3});
        QCOMPARE(*homes.accuracy(Numbers{0, 1}, Numbers{3, 1}), 1.0);
        QCOMPARE(*homes.accuracy(Numbers{0, 1}, Numbers{0, 0}), 0.0);
    }

    void whatWasNotLearnedHasNoHome() {
        const PromptHomes homes = learned();
        QCOMPARE(*homes.accuracy(Numbers{1, 3}, Numbers{0, 0}), 1.0);
        QVERIFY(!homes.accuracy(Numbers{3}, Numbers{0}));
        QVERIFY(!homes.accuracy(Numbers{}, Numbers{}));
        QVERIFY2(!homes.accuracy(Numbers{0, 1}, Numbers{}), "nothing was chosen");
        QVERIFY(!PromptHomes(0).accuracy(Numbers{0}, Numbers{0}));
    }

    void whatDoesNotFitIsNotCounted() {
        PromptHomes homes(2);
        homes.learn(Numbers{0, 1}, Numbers{1, 0, 1});
        homes.learn(Numbers{0}, Numbers{2});
        homes.learn(Numbers{}, Numbers{1});
        QVERIFY(!homes.accuracy(Numbers{0, 1}, Numbers{0, 0}));
    }

    void aRestoredOneGoesOn() {
        PromptHomes before = learned();
        StateArchive saved;
        before.keep(saved);
        PromptHomes after(3);
        StateArchive restored(saved.tensors(), at::kCPU);
        after.keep(restored);
        for (PromptHomes* homes : {&before, &after}) homes->learn(Numbers{0, 0}, Numbers{1, 1});
        QCOMPARE(*after.accuracy(Numbers{0, 1}, Numbers{1, 0}), 1.0);
        QCOMPARE(after.accuracy(Numbers{0, 1}, Numbers{2, 0}), before.accuracy(Numbers{0, 1}, Numbers{2, 0}));
        // A pool of one divides all counts.
        PromptHomes other(1);
        StateArchive again(saved.tensors(), at::kCPU);
        QVERIFY_THROWS_EXCEPTION(Error, other.keep(again));
    }

    void aStateWithoutItLeavesNone() {
        PromptHomes homes(3);
        StateArchive nothing(TensorsByName(), at::kCPU);
        homes.keep(nothing);
        homes.learn(Numbers{0}, Numbers{1});
        QVERIFY2(!homes.accuracy(Numbers{0}, Numbers{1}), "counts of a part of the stream name no home");
        // Nor do those after a checkpoint that was written since.
        StateArchive later;
        homes.keep(later);
        homes.learn(Numbers{0}, Numbers{1});
        QVERIFY(!homes.accuracy(Numbers{0}, Numbers{1}));
        PromptHomes again(3);
        StateArchive restored(later.tensors(), at::kCPU);
        again.keep(restored);
        again.learn(Numbers{0}, Numbers{1});
        QVERIFY(!again.accuracy(Numbers{0}, Numbers{1}));
    }
};

PALIMPSEST_APPLESS_TEST(TestPromptHomes)

}  // namespace tst_prompt_homes

#include "tst_prompt_homes.moc"
