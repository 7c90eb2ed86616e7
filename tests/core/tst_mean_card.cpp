// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/metrics/metric_card.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_mean_card {

class TestMeanCard : public QObject {
    Q_OBJECT
private:
    static QString text(const std::string& words) { return QString::fromStdString(words); }
    static SeedNumbers own() { return {"MISA", {{1, 0.70}, {2, 0.72}, {3, 0.74}}}; }

private Q_SLOTS:
    void aMeanIsExplainedByItsRuns() {
        const MetricCard card = meanCard("a_auc", own(), CardSpread::Deviation);
        QCOMPARE(text(card.symbol), QString("A_AUC"));
        const MetricSide& side = card.sides.front();
        QVERIFY(side.value && std::abs(*side.value - 0.72) < 1e-12);
        QCOMPARE(text(side.worked), QString("(70.0 + 72.0 + 74.0) / 3 = 72.0 %"));
        QCOMPARE(text(side.details[0]), QString("seed 1: 70.0 %, seed 2: 72.0 %, seed 3: 74.0 %"));
        QCOMPARE(text(side.details[1]), QString("± 2.0, the sample standard deviation (divided by N − 1)"));
        QVERIFY(text(side.tag).contains("N = 3"));
    }

    void theStandardErrorSaysSo() {
        const MetricCard card = meanCard("a_last", own(), CardSpread::Error);
        QVERIFY2(text(card.sides.front().details[1]).startsWith("± 1.2, the standard error"),
                 card.sides.front().details[1].c_str());
        QVERIFY(text(card.sides.front().details[1]).endsWith("2.0 / √3"));
    }

    void withTheSameSeedsTheDifferenceIsAlsoSeedBySeed() {
        MetricCard card = meanCard("a_auc", own(), CardSpread::Deviation);
        // The seeds are in another order.
        addDifference(card, own(), {"no mask", {{3, 0.70}, {1, 0.68}, {2, 0.69}}}, CardSpread::Deviation, true);
        QCOMPARE(card.sides.size(), std::size_t{2});
        const MetricSide& side = card.sides.back();
        QCOMPARE(text(side.worked), QString("(70.0 + 68.0 + 69.0) / 3 = 69.0 %"));
        QCOMPARE(text(side.details[2]), QString("Difference: 72.0 − 69.0 = +3.0 points"));
        QCOMPARE(text(side.details[3]),
                 QString("Seed by seed: +2.0, +3.0, +4.0; mean +3.0 ± 1.0 (sample standard deviation)"));
        // 3 ± 4.303 · 1 / √3.
        QCOMPARE(text(side.details[4]),
                 QString("95 % interval +0.5 to +5.5 points, sign-flip test p = 0.250: the interval excludes 0"));
    }

    void withOtherSeedsItIsThatOfTheMeansAlone() {
        MetricCard card = meanCard("a_auc", own(), CardSpread::Deviation);
        addDifference(card, own(), {"no mask", {{1, 0.75}}}, CardSpread::Deviation, true);
        const MetricSide& side = card.sides.back();
        QCOMPARE(text(side.details.back()), QString("Difference: 72.0 − 75.0 = −3.0 points"));
        QVERIFY(text(side.meaning).contains("not the same seeds"));
    }

    void otherStreamsHaveNoDifference() {
        MetricCard card = meanCard("a_auc", own(), CardSpread::Deviation);
        addDifference(card, own(), {"no mask", {{1, 0.6}, {2, 0.6}, {3, 0.6}}}, CardSpread::Deviation, false);
        for (const std::string& line : card.sides.back().details) QVERIFY(!text(line).contains("Difference"));
        QVERIFY(text(card.sides.back().meaning).contains("another stream"));
    }

    void anUnknownKeyIsRefused() { QVERIFY_THROWS_EXCEPTION(Error, meanCard("a_acu", own(), CardSpread::Deviation)); }
};

PALIMPSEST_APPLESS_TEST(TestMeanCard)

}  // namespace tst_mean_card

#include "tst_mean_card.moc"
