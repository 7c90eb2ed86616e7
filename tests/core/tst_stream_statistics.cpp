// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <numeric>

#include "engine/stream/stream_statistics.h"
#include "engine/support/random.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_stream_statistics {

using Labels = std::vector<std::int32_t>;
using List = std::vector<std::int64_t>;

namespace {

bool near(double a, double b) {
    return std::abs(a - b) < 1e-12;
}

}  // namespace

class TestStreamStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Values computed by hand: 8, 4, 2, 2 of 16 has the entropy 1.75 bits, so 2^1.75 effective classes and evenness
    /// 1.75 / 2.
    void balancesByHand_data() {
        QTest::addColumn<List>("counts");
        QTest::addColumn<int>("classes");
        QTest::addColumn<double>("imbalance");
        QTest::addColumn<double>("evenness");
        QTest::addColumn<double>("effective");
        QTest::newRow("even") << List{5, 5, 5, 5} << 4 << 1.0 << 1.0 << 4.0;
        QTest::newRow("halves") << List{8, 4, 2, 2} << 4 << 4.0 << 0.875 << std::exp2(1.75);
        QTest::newRow("absent classes do not count") << List{0, 8, 0, 4, 2, 2} << 4 << 4.0 << 0.875 << std::exp2(1.75);
        QTest::newRow("a crumb") << List{3, 1} << 2 << 3.0 << (2 - 0.75 * std::log2(3.0))
                                 << std::exp2(2 - 0.75 * std::log2(3.0));
    }
    void balancesByHand() {
        QFETCH(List, counts);
        QFETCH(int, classes);
        QFETCH(double, imbalance);
        QFETCH(double, evenness);
        QFETCH(double, effective);
        const std::vector<ClassHome> homes(counts.size());
        const Balance balance = balanceOf(counts, homes);
        QCOMPARE(balance.classes, std::int64_t{classes});
        QCOMPARE(balance.samples, std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
        QVERIFY(near(*balance.imbalance, imbalance));
        QVERIFY(near(*balance.evenness, evenness));
        QVERIFY(near(balance.effective_classes, effective));
    }

    void aSingleClassHasNoEvenness() {
        const std::vector<ClassHome> homes(2);
        const Balance balance = balanceOf(List{0, 7}, homes);
        QCOMPARE(*balance.imbalance, 1.0);
        QVERIFY(!balance.evenness);
        QCOMPARE(balance.effective_classes, 1.0);
    }

    void nothingHasNeither() {
        const Balance balance = balanceOf(List{0, 0}, std::vector<ClassHome>(2));
        QVERIFY(!balance.imbalance);
        QVERIFY(!balance.evenness);
        QCOMPARE(balance.effective_classes, 0.0);
        QCOMPARE(balance.disjoint_share, 0.0);
    }

    void sharesAndAppearancesByHand() {
        // Class 0 is disjoint, class 1 blurry, class 2 never occurs.
        StreamPlan plan;
        plan.settings.classes = 3;
        plan.settings.sessions = 3;
        plan.disjoint_classes = {{0}, {}, {}};
        plan.blurry_classes = {{}, {}, {1}};
        plan.sessions = {{0, 1, 3}, {}, {4, 5}};
        const StreamStatistics statistics = streamStatistics(plan, Labels{0, 0, 2, 1, 1, 1});
        QCOMPARE(statistics.sessions.size(), std::size_t{3});
        QVERIFY(near(statistics.sessions[0].disjoint_share, 2.0 / 3));
        QVERIFY(near(statistics.sessions[0].blurry_share, 1.0 / 3));
        QCOMPARE(statistics.sessions[1].samples, 0);
        QCOMPARE(statistics.sessions[2].blurry_share, 1.0);
        QCOMPARE(statistics.whole.samples, 5);
        QVERIFY(near(statistics.whole.disjoint_share, 0.4));

        const ClassAppearance& disjoint = statistics.classes[0];
        QCOMPARE(disjoint.samples, 2);
        QCOMPARE(disjoint.sessions, 1);
        QCOMPARE(disjoint.first_session, 0);
        QCOMPARE(disjoint.first_position, 0);
        QCOMPARE(disjoint.last_position, 1);
        const ClassAppearance& blurry = statistics.classes[1];
        QCOMPARE(blurry.sessions, 2);
        QCOMPARE(blurry.first_session, 0);
        QCOMPARE(blurry.last_session, 2);
        QCOMPARE(blurry.first_position, 2);
        QCOMPARE(blurry.last_position, 4);
        QVERIFY(blurry.home.blurry);
        const ClassAppearance& never = statistics.classes[2];
        QCOMPARE(never.samples, 0);
        QCOMPARE(never.first_session, -1);
        QCOMPARE(never.last_position, -1);

        QVERIFY(near(statistics.meanEffectiveClasses(), (statistics.sessions[0].effective_classes + 1) / 2));
        QVERIFY(near(*statistics.worstImbalance(), 2));
    }

    void anEmptyStreamHasNoWorstImbalance() {
        StreamPlan plan;
        plan.settings.classes = 1;
        plan.sessions = {{}, {}};
        const StreamStatistics statistics = streamStatistics(plan, Labels{0});
        QVERIFY(!statistics.worstImbalance());
        QCOMPARE(statistics.meanEffectiveClasses(), 0.0);
    }

    void numbersStayInTheirRanges() {
        Random random(1, 4);
        for (int round = 0; round < 200; ++round) {
            const auto classes = static_cast<std::int64_t>(2 + random.below(40));
            Labels labels(static_cast<std::size_t>(1 + random.below(500)));
            for (auto& label : labels)
                label = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(classes)));
            StreamSettings settings;
            settings.classes = classes;
            settings.seed = random.longWord();
            const StreamPlan plan = planStream(labels, settings);
            const StreamStatistics statistics = streamStatistics(plan, labels);
            std::int64_t samples = 0;
            for (const Balance& session : statistics.sessions) {
                samples += session.samples;
                if (session.samples == 0) continue;
                QVERIFY(*session.imbalance >= 1);
                QVERIFY(session.effective_classes >= 1 - 1e-9);
                QVERIFY(session.effective_classes <= static_cast<double>(session.classes) + 1e-9);
                if (session.evenness) QVERIFY(*session.evenness > 0 && *session.evenness <= 1 + 1e-12);
                QVERIFY(near(session.disjoint_share + session.blurry_share, 1));
            }
            QCOMPARE(samples, statistics.whole.samples);
            QCOMPARE(samples, static_cast<std::int64_t>(labels.size()));
            // A disjoint class occurs in one session at most.
            for (const ClassAppearance& seen : statistics.classes)
                if (!seen.home.blurry) QVERIFY(seen.sessions <= 1);
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestStreamStatistics)

}  // namespace tst_stream_statistics

#include "tst_stream_statistics.moc"
