// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <limits>

#include "engine/metrics/paired_difference.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_paired_difference {

namespace {

bool near(double a, double b, double within = 1e-12) {
    return std::abs(a - b) <= within;
}

PairedEvidence evidenceOf(const std::vector<double>& differences) {
    return pairedEvidence(differences);
}

std::optional<double> flip(const std::vector<double>& differences) {
    return signFlipTest(differences);
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

class TestPairedDifference : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quantilesAreThoseOfTheTables_data() {
        QTest::addColumn<double>("probability");
        QTest::addColumn<qlonglong>("degrees");
        QTest::addColumn<double>("t");
        // Published tables of Student's distribution, to three places.
        QTest::newRow("1") << 0.975 << 1ll << 12.706;
        QTest::newRow("2") << 0.975 << 2ll << 4.303;
        QTest::newRow("3") << 0.975 << 3ll << 3.182;
        QTest::newRow("4") << 0.975 << 4ll << 2.776;
        QTest::newRow("5") << 0.975 << 5ll << 2.571;
        QTest::newRow("9") << 0.975 << 9ll << 2.262;
        QTest::newRow("30") << 0.975 << 30ll << 2.042;
        QTest::newRow("120") << 0.975 << 120ll << 1.980;
        QTest::newRow("0.9") << 0.9 << 7ll << 1.415;
        QTest::newRow("0.995") << 0.995 << 10ll << 3.169;
        QTest::newRow("below the middle") << 0.025 << 4ll << -2.776;
        QTest::newRow("the middle") << 0.5 << 4ll << 0.0;
    }
    void quantilesAreThoseOfTheTables() {
        QFETCH(double, probability);
        QFETCH(qlonglong, degrees);
        QFETCH(double, t);
        const double found = studentQuantile(probability, degrees);
        QVERIFY2(near(found, t, 5.1e-4), qPrintable(QString::number(found, 'g', 8)));
    }

    void theDistributionIsExactWhereItIsSimple() {
        // One degree: Cauchy's, 2 atan(t) / π. Two: t / √(2 + t²).
        QVERIFY(near(studentWithin(1, 1), 0.5));
        QVERIFY(near(studentWithin(2, 2), 2 / std::sqrt(6)));
        for (const std::int64_t degrees : {1, 2, 3, 8, 15, 400})
            QVERIFY(near(studentWithin(studentQuantile(0.975, degrees), degrees), 0.95));
    }

    void theIntervalIsThatOfThePairs() {
        // 1 to 5: mean 3, deviation √2.5, half-width 2.776445 · √(2.5 / 5).
        const PairedEvidence evidence = evidenceOf({0.01, 0.02, 0.03, 0.04, 0.05});
        QCOMPARE(evidence.difference.count, std::int64_t{5});
        QVERIFY(near(evidence.difference.mean, 0.03));
        QVERIFY(near(*evidence.half_width, 0.02776445105 * std::sqrt(0.5), 1e-10));
        QVERIFY(evidence.distinguishable());
        QVERIFY(!evidence.seeds_needed);
        QCOMPARE(evidenceText(evidence), std::string("the 95 % interval excludes 0 with 5 seeds"));
        QVERIFY(evidenceOf({-0.01, -0.02, -0.03, -0.04, -0.05}).distinguishable());
    }

    void allOnOneSideOfFiveIsTwoPatternsOfThirtyTwo() {
        QVERIFY(near(*flip({0.1, 0.2, 0.3, 0.4, 0.5}), 2.0 / 32));
        QVERIFY(near(*flip({-0.1, -0.2, -0.3, -0.4, -0.5}), 2.0 / 32));
        // 1 + 2 − 3 is 0, and no pattern is nearer.
        QVERIFY(near(*flip({1, 2, -3}), 1));
        // Sums of ±1 ±2 ±4: only ±7 and ±5 are at least 5.
        QVERIFY(near(*flip({-1, 2, 4}), 4.0 / 8));
    }

    void tiesCountAsAtLeastAsFar() {
        // Of 16 patterns of four equal ones 1 + 4 + 4 + 1 have a sum of at least two, but for rounding.
        QVERIFY(near(*flip({0.1, 0.1, 0.1, -0.1}), 10.0 / 16));
        QVERIFY(near(*flip({0.1, 0.3 - 0.2, 0.1, 0.1}), 2.0 / 16));
        // A difference of 0 has the same sum with either sign.
        QVERIFY(near(*flip({0, 1, 2}), 2.0 / 4));
    }

    void zeroDifferencesAreNoEvidence() {
        const PairedEvidence evidence = evidenceOf({0, 0, 0});
        QCOMPARE(*evidence.half_width, 0.0);
        QVERIFY(!evidence.distinguishable() && !evidence.seeds_needed);
        QCOMPARE(*flip({0, 0, 0}), 1.0);
        QCOMPARE(evidenceText(evidence), std::string("not distinguishable with 3 seeds"));
    }

    void onePairHasNoInterval() {
        const PairedEvidence one = evidenceOf({0.2});
        QVERIFY(!one.half_width && !one.distinguishable() && !one.seeds_needed);
        QVERIFY(!flip({0.2}));
        QCOMPARE(evidenceText(one), std::string("one run each: no evidence"));
        QVERIFY(!evidenceOf({}).half_width && !flip({}));
        QCOMPARE(evidenceText(evidenceOf({})), std::string("no seed in common: no evidence"));
    }

    void whatIsNoNumberIsLeftOut() {
        const double infinite = std::numeric_limits<double>::infinity();
        QCOMPARE(evidenceOf({kNan, 0.1, infinite, 0.2}).difference.count, std::int64_t{2});
        QVERIFY(near(*flip({kNan, 0.1, -infinite, 0.2}), 0.5));
        const std::map<std::int64_t, double> own = {{1, 0.5}, {2, kNan}, {3, 0.7}, {5, 0.9}},
                                             other = {{1, 0.4}, {2, 0.1}, {3, 0.5}, {4, 0.1}};
        const std::vector<double> paired = pairedDifferences(own, other);
        QCOMPARE(paired.size(), std::size_t{2});
        QVERIFY(near(paired[0], 0.1) && near(paired[1], 0.2));
    }

    void seedsAreNeededUntilTheIntervalExcludesZero() {
        // Mean 1, deviation 2: t · 2 / √n is 1.03 at 17 and below 1 at 18 (2.1098 · 2 / √18 = 0.9946).
        QCOMPARE(seedsNeeded(1, 2), std::int64_t{18});
        QCOMPARE(seedsNeeded(-1, 2), std::int64_t{18});
        QCOMPARE(seedsNeeded(1, 0), std::int64_t{2});
        QCOMPARE(seedsNeeded(0.001, 2), kMostSeeds + 1);
        const PairedEvidence evidence = evidenceOf({-0.01, 0.03, 0.01});
        QVERIFY(!evidence.distinguishable());
        QCOMPARE(evidenceText(evidence), "not distinguishable with 3 seeds; about " +
                                             std::to_string(seedsNeeded(0.01, 0.02)) + " would be needed");
        QCOMPARE(evidenceText(evidenceOf({-1, 1.001})),
                 std::string("two seeds are too few; more than 1,000 would be needed"));
    }

    void twoSeedsAreTooFewHoweverTheyAgree() {
        // 10 and 10.1 points: the interval is 9.4 to 10.7 points.
        const PairedEvidence two = evidenceOf({0.100, 0.101});
        QVERIFY(two.low() > 0);
        QVERIFY(!two.distinguishable());
        QCOMPARE(two.seeds_needed, std::optional<std::int64_t>(3));
        QCOMPARE(evidenceText(two), std::string("two seeds are too few; about 3 would be needed"));
        QVERIFY(!evidenceOf({-0.1, -0.1}).distinguishable());
        QCOMPARE(evidenceText(evidenceOf({0, 0})), std::string("two seeds are too few"));
        QVERIFY(evidenceOf({0.100, 0.101, 0.102}).distinguishable());
    }

    void aLargeSampleOfPatternsIsAlwaysTheSame() {
        std::vector<double> differences;
        for (int i = 0; i < 30; ++i) differences.push_back(i % 3 == 0 ? -0.8 : 1);
        const double p = *flip(differences);
        QCOMPARE(*flip(differences), p);
        // By the central limit theorem: sum 12, deviation √(20 + 10 · 0.64), z 2.34.
        QVERIFY2(p > 0.012 && p < 0.028, qPrintable(QString::number(p)));
        QVERIFY(*flip(std::vector<double>(40, 1.0)) == 1.0 / 100'001);
        // More signs than a word has bits.
        QVERIFY(*flip(std::vector<double>(100, 0.0)) == 1);
    }

    void holmMultipliesTheSmallestMost() {
        const std::vector<std::optional<double>> p = {0.01, 0.04, std::nullopt, 0.03, 0.005};
        const auto corrected = holmCorrected(p);
        QVERIFY(near(*corrected[4], 0.02));
        QVERIFY(near(*corrected[0], 0.03));
        QVERIFY(near(*corrected[3], 0.06));
        // 0.04 itself is less than what the one before it came to.
        QVERIFY(near(*corrected[1], 0.06));
        QVERIFY(!corrected[2]);
        QCOMPARE(*holmCorrected(std::vector<std::optional<double>>{0.7, 0.8})[0], 1.0);
    }
};

PALIMPSEST_APPLESS_TEST(TestPairedDifference)

}  // namespace tst_paired_difference

#include "tst_paired_difference.moc"
