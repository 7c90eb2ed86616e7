// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/record/seed_runs.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_seed_runs {

namespace {

const char *const kMorning = "2026-03-01T08:00:00Z", *const kEvening = "2026-03-01T20:00:00Z";

SeedRun finished(std::int64_t seed, const char* started = kMorning) {
    return {seed, true, false, 2, 2000, started};
}

SeedRun stopped(std::int64_t seed, std::int64_t samples, const char* started = kMorning) {
    return {seed, false, false, 1, samples, started};
}

SeedRun running(std::int64_t seed, std::int64_t samples) {
    return {seed, false, true, 0, samples, kEvening};
}

using Places = std::vector<std::size_t>;

}  // namespace

class TestSeedRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void besideFinishedRunsNoOtherCounts() {
        QCOMPARE(runsThatCount({running(4, 176), finished(3), stopped(5, 1900), finished(1)}), (Places{3, 1}));
    }

    void besideStoppedRunsNoneThatGoesOnCounts() {
        QCOMPARE(runsThatCount({stopped(1, 900), running(2, 1200), stopped(3, 800)}), (Places{0, 2}));
    }

    void whereAllGoOnAllCount() {
        QCOMPARE(runsThatCount({running(1, 900), running(2, 100)}), (Places{0, 1}));
        QVERIFY(runsThatCount({}).empty());
    }

    void aSeedCountsOnceByItsNewestRun() {
        QCOMPARE(runsThatCount({finished(1), finished(1, kEvening), finished(2)}), (Places{1, 2}));
        QCOMPARE(runsThatCount({finished(1, kEvening), finished(1)}), Places{0});
    }

    void ofStoppedRunsTheOneThatGotFurthestCounts() {
        QCOMPARE(runsThatCount({stopped(1, 900), stopped(1, 800, kEvening)}), Places{0});
        QCOMPARE(runsThatCount({stopped(1, 900), stopped(1, 900, kEvening)}), Places{1});
    }

    void theSeedAloneMakesNoOtherExperiment() {
        const OptionTable table(testCatalogue());
        Experiment one = table.defaults(), other = one;
        other.seed = one.seed + 1;
        const std::vector<LiveChange> changes{{"mask.name", "none", 800}};
        QCOMPARE(apartFromSeed(table, one, false, {}), apartFromSeed(table, other, false, {}));
        QCOMPARE(apartFromSeed(table, one, false, changes), apartFromSeed(table, other, false, changes));
        QVERIFY(apartFromSeed(table, one, false, {}) != apartFromSeed(table, one, false, changes));
        QVERIFY(apartFromSeed(table, one, false, {}) != apartFromSeed(table, one, true, {}));
        QVERIFY(apartFromSeed(table, one, false, changes) !=
                apartFromSeed(table, one, false, {{"mask.name", "none", 900}}));
    }
};

PALIMPSEST_APPLESS_TEST(TestSeedRuns)

}  // namespace tst_seed_runs

#include "tst_seed_runs.moc"
