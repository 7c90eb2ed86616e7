// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <array>
#include <cmath>

#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/plots/a_auc_chip.h"
#include "ui/state/run_set.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_a_auc_chip {

class TestAucChipText : public QObject {
    Q_OBJECT
private:
    /// A finished run of the same accuracy all the way.
    static RunRecord flat(const std::string& folder, const std::string& mask, double accuracy, std::int64_t seed = 1) {
        RunRecord record = madeUpRecord(folder, mask, accuracy, seed);
        for (AnytimePoint& point : record.anytime) point.accuracy = accuracy;
        return record;
    }
    static void show(RunSet& store, const RunRecord& record) {
        store.addRecord(record);
        store.setVisible(RunSet::idOf(record.folder.string(), 0), true);
    }
    /// Three seeds, the first of which is selected.
    static void showSeeds(RunSet& store) {
        show(store, flat("/runs/1", "batch", 0.45, 1));
        show(store, flat("/runs/2", "batch", 0.50, 2));
        show(store, flat("/runs/3", "batch", 0.55, 3));
    }
    static AucChipText withBands(const RunSet& store, BandWidth width = BandWidth::Deviation) {
        return areaText(store, seedGroups(store, CurveKind::Anytime), width).value_or(AucChipText());
    }
    static AucChipText plain(const RunSet& store) {
        return areaText(store, {}, BandWidth::Deviation).value_or(AucChipText());
    }

private Q_SLOTS:
    void whereSeedsAreAMeanTheChipHasTheMean() {
        RunSet store;
        showSeeds(store);
        const MetricChip::Content chip = withBands(store).chip;
        QVERIFY(chip.value);
        QCOMPARE(chip.value->mean, 0.5);
        QCOMPARE(chip.value->half_width, 0.05);
        QCOMPARE(chip.value->count, std::int64_t(3));
        QCOMPARE(withBands(store, BandWidth::Error).chip.value->half_width, 0.05 / std::sqrt(3.0));
        // A seed of its own group is nothing to compare the mean with.
        QVERIFY(!chip.compared);
        QCOMPARE(plain(store).chip.value->mean, 0.45);
        QCOMPARE(plain(store).chip.value->count, std::int64_t(1));
        QCOMPARE(plain(store).chip.name, QString("batch run, seed 3"));
    }

    void importsWithoutAnAreaHaveNoneAndOtherDataAreNotCompared_data() {
        QTest::addColumn<bool>("area");
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<bool>("compared");
        QTest::addColumn<bool>("difference");
        QTest::newRow("no area") << false << "Seq-Fashion-MNIST" << false << false;
        QTest::newRow("the same data in other words") << true << "seq-FashionMNIST" << true << true;
        QTest::newRow("not known") << true << "" << true << true;
        QTest::newRow("other data") << true << "cifar100" << true << false;
    }
    void importsWithoutAnAreaHaveNoneAndOtherDataAreNotCompared() {
        QFETCH(bool, area);
        QFETCH(QString, dataset);
        QFETCH(bool, compared);
        QFETCH(bool, difference);
        RunSet store;
        show(store, flat("/runs/own", "batch", 0.7));
        RunRecord other = flat("/runs/other", "none", 0.5);
        other.state = RecordedState::Imported;
        other.origin.dataset = dataset.toStdString();
        if (area) other.summary.a_auc = 0.5;
        show(store, other);
        store.select("/runs/own");
        const MetricChip::Content chip = plain(store).chip;
        QCOMPARE(chip.compared.has_value(), compared);
        if (compared) QCOMPARE(chip.comparable, difference);
        store.select("/runs/other");
        QCOMPARE(plain(store).chip.value.has_value(), area);
    }

    void theMeanOfRunsThatGoOnReachesAsFarAsTheShortest() {
        RunSet store;
        RunRecord one = flat("/runs/1", "batch", 0.4, 1), two = flat("/runs/2", "batch", 0.6, 2);
        one.state = two.state = RecordedState::Running;
        one.anytime.resize(20);
        two.anytime.resize(10);
        for (std::size_t i = 10; i < 20; ++i) one.anytime[i].accuracy = 0.9;
        one.retention.clear();
        two.retention.clear();
        show(store, one);
        show(store, two);
        const AucChipText area = withBands(store);
        QCOMPARE(area.chip.value->mean, 0.5);
        QCOMPARE(area.reach, std::int64_t(1000));
        QCOMPARE(area.chip.note, QString("so far"));
        store.select("/runs/1");
        QVERIFY2(withBands(store).tip.contains("So far: 1,000 of"), qPrintable(withBands(store).tip));
    }

    void theOtherRunIsThatShownLastOrItsMean() {
        RunSet store;
        show(store, flat("/runs/own", "none", 0.7));
        showSeeds(store);
        store.select("/runs/own");
        QCOMPARE(plain(store).chip.name, QString("batch run, seed 3"));
        QCOMPARE(plain(store).chip.compared->mean, 0.55);
        QCOMPARE(withBands(store).chip.name, QString("batch run"));
        QCOMPARE(withBands(store).chip.compared->mean, 0.5);
        QCOMPARE(withBands(store).chip.compared->count, std::int64_t(3));
    }

    void aChosenBaselineIsWhatItIsComparedWith() {
        RunSet store;
        show(store, flat("/runs/own", "none", 0.7));
        show(store, flat("/runs/last", "seen", 0.1));
        store.select("/runs/own");
        QCOMPARE(plain(store).chip.name, QString("seen run"));
        // It need not be in sight.
        store.addRecord(flat("/runs/base", "batch", 0.6));
        store.setBaseline({"/runs/base"});
        QCOMPARE(plain(store).chip.name, QString("batch run"));
        QCOMPARE(plain(store).chip.compared->mean, 0.6);
        QVERIFY2(plain(store).tip.contains("batch run, the baseline"), qPrintable(plain(store).tip));
        // The mean of seeds can be it.
        store.addRecord(flat("/runs/base-2", "batch", 0.8, 2));
        store.setBaseline({"/runs/base", "/runs/base-2"});
        QCOMPARE(plain(store).chip.compared->mean, 0.7);
        QCOMPARE(plain(store).chip.compared->count, std::int64_t(2));
        QCOMPARE(plain(store).chip.name, QString("batch run"));
        // While it is being read nothing stands in for it.
        store.setBaseline({"/runs/unread"});
        QVERIFY(!plain(store).chip.compared);
        store.setBaseline({});
        QCOMPARE(plain(store).chip.name, QString("seen run"));
    }

    void aSingleRunIsComparedWithTheBaselinesRunOnItsStream() {
        RunSet store;
        const auto with = [](RunRecord record, const char* stream) {
            record.fingerprint = stream;
            return record;
        };
        show(store, with(flat("/runs/own", "none", 0.7, 2), "two"));
        store.addRecord(with(flat("/runs/base-1", "batch", 0.8, 1), "one"));
        store.addRecord(with(flat("/runs/base-2", "batch", 0.6, 2), "two"));
        store.select("/runs/own");
        store.setBaseline({"/runs/base-1", "/runs/base-2"});
        QCOMPARE(plain(store).chip.compared->mean, 0.6);
        QVERIFY(plain(store).chip.comparable && plain(store).chip.warning.isEmpty());
        // Without such a run it is the mean.
        store.addRecord(with(flat("/runs/base-3", "batch", 0.4, 3), "three"));
        store.setBaseline({"/runs/base-1", "/runs/base-3"});
        QCOMPARE(plain(store).chip.compared->mean, 0.6);
        QCOMPARE(plain(store).chip.compared->count, std::int64_t(2));
    }

    void theBaselineItselfIsComparedWithNothing() {
        RunSet store;
        show(store, flat("/runs/own", "none", 0.7));
        show(store, flat("/runs/last", "seen", 0.1));
        store.select("/runs/own");
        store.setBaseline({"/runs/own"});
        QVERIFY(!plain(store).chip.compared);
        QCOMPARE(plain(store).chip.note, QString("baseline"));
    }

    void meansOverOtherSeedsOfOneStreamAreComparable() {
        RunSet store;
        const auto showTwo = [&](const std::string& mask, std::int64_t from, std::int64_t disjoint) {
            for (std::int64_t seed = from; seed < from + 2; ++seed) {
                RunRecord record = flat("/runs/" + mask + std::to_string(seed), mask, 0.5, seed);
                record.fingerprint = "stream of seed " + std::to_string(seed);
                record.experiment.stream.disjoint_percent = disjoint;
                show(store, record);
            }
        };
        showTwo("batch", 1, 50);
        showTwo("none", 3, 50);
        QCOMPARE(withBands(store).chip.name, QString("none run"));
        QVERIFY(withBands(store).chip.comparable);
        QCOMPARE(withBands(store).chip.warning, QString("other seeds"));
        QVERIFY2(withBands(store).tip.contains("none run has other seeds"), qPrintable(withBands(store).tip));
        // One seed beside another is not.
        QVERIFY(!plain(store).chip.comparable);
        QCOMPARE(plain(store).chip.warning, QString("other stream"));
        // Nor is a stream of another kind.
        showTwo("seen", 5, 0);
        QCOMPARE(withBands(store).chip.name, QString("seen run"));
        QVERIFY(!withBands(store).chip.comparable);
    }

    void whatIsNotOnTheSameStreamsIsWarnedOf() {
        RunSet store;
        const auto add = [&](const std::string& mask, std::int64_t seed) {
            RunRecord record = flat("/runs/" + mask + std::to_string(seed), mask, 0.5, seed);
            record.fingerprint = "stream of seed " + std::to_string(seed);
            show(store, record);
        };
        for (const std::int64_t seed : {1, 2}) add("batch", seed);
        for (const std::int64_t seed : {1, 2}) add("none", seed);
        // The same seeds: nothing to say.
        QVERIFY(withBands(store).chip.compared);
        QVERIFY(withBands(store).chip.warning.isEmpty());
        // One more on one side.
        add("none", 3);
        QCOMPARE(withBands(store).chip.warning, QString("other seeds"));
        QVERIFY(withBands(store).chip.comparable);
        // A single one beside the mean.
        add("seen", 1);
        QCOMPARE(withBands(store).chip.name, QString("seen run"));
        QCOMPARE(withBands(store).chip.warning, QString("one seed"));
        QVERIFY(withBands(store).chip.comparable);
        QVERIFY2(withBands(store).tip.contains("not the method's"), qPrintable(withBands(store).tip));
    }

    void onlySeedsThatAgreeAreEvidence() {
        RunSet store;
        const auto showThree = [&](const std::string& mask, const std::array<double, 3>& areas) {
            for (const std::int64_t seed : {1, 2, 3}) {
                const double area = areas[static_cast<std::size_t>(seed - 1)];
                show(store, flat("/runs/" + mask + std::to_string(seed), mask, area, seed));
            }
        };
        showThree("batch", {0.60, 0.61, 0.62});
        showThree("none", {0.50, 0.52, 0.51});
        QCOMPARE(withBands(store).chip.name, QString("none run"));
        QVERIFY(withBands(store).chip.evident);
        QVERIFY2(withBands(store).tip.contains("The 95 % interval excludes 0 with 3 seeds."),
                 qPrintable(withBands(store).tip));
        // One seed of each, however far apart.
        QVERIFY(!plain(store).chip.evident);
        showThree("seen", {0.70, 0.58, 0.72});
        QCOMPARE(withBands(store).chip.name, QString("seen run"));
        QVERIFY(!withBands(store).chip.evident);
        QVERIFY2(withBands(store).tip.contains("Not distinguishable with 3 seeds; about "),
                 qPrintable(withBands(store).tip));
    }

    void twoSeedsAreNeverEvidence() {
        RunSet store;
        for (const std::int64_t seed : {1, 2}) {
            const double more = 0.01 * static_cast<double>(seed);
            show(store, flat("/runs/batch" + std::to_string(seed), "batch", 0.60 + more, seed));
            show(store, flat("/runs/none" + std::to_string(seed), "none", 0.50 + more, seed));
        }
        QVERIFY(withBands(store).chip.compared && withBands(store).chip.warning.isEmpty());
        QVERIFY(!withBands(store).chip.evident);
        QVERIFY2(withBands(store).tip.contains("Two seeds are too few; about 3 would be needed."),
                 qPrintable(withBands(store).tip));
    }

    void aStreamOfAnotherLengthIsAnother() {
        RunSet store;
        show(store, flat("/runs/own", "batch", 0.5));
        RunRecord other = flat("/runs/other", "none", 0.4);
        other.total_samples += 1000;
        show(store, other);
        QVERIFY(!plain(store).chip.comparable);
        QCOMPARE(plain(store).chip.warning, QString("other stream"));
    }
};

PALIMPSEST_GUILESS_TEST(TestAucChipText)

}  // namespace tst_a_auc_chip

#include "tst_a_auc_chip.moc"
