// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/stream/stream_compare.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_stream_compare {

using Labels = std::vector<std::int32_t>;
using Lists = std::vector<std::vector<std::int64_t>>;

namespace {

const Labels kLabels{0, 0, 1, 1, 2, 2};

StreamPlan planOf(const Lists& sessions) {
    StreamPlan plan;
    plan.settings.classes = 3;
    plan.settings.sessions = static_cast<std::int64_t>(sessions.size());
    plan.sessions = sessions;
    return plan;
}

StreamComparison compared(const Lists& first, const Lists& second) {
    return compareStreams({"data", kLabels, planOf(first)}, {"data", kLabels, planOf(second)});
}

}  // namespace

class TestStreamCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstBatchApartIsFound_data() {
        QTest::addColumn<Lists>("second");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("session");
        QTest::addColumn<int>("seen");
        // In batches of two: 0 1, 2, 3 4, 5.
        QTest::newRow("none") << Lists{{0, 1, 2}, {3, 4, 5}} << 0 << 0 << 0;
        QTest::newRow("at once") << Lists{{1, 0, 2}, {3, 4, 5}} << 1 << 0 << 0;
        QTest::newRow("the shorter last one") << Lists{{0, 1, 5}, {3, 4, 2}} << 2 << 0 << 2;
        QTest::newRow("one more in a session") << Lists{{0, 1, 2, 3}, {4, 5}} << 2 << 0 << 2;
        QTest::newRow("behind a shorter one") << Lists{{0, 1, 2}, {3, 5, 4}} << 3 << 1 << 3;
        QTest::newRow("fewer in the end") << Lists{{0, 1, 2}, {3, 4}} << 4 << 1 << 5;
        QTest::newRow("a session more") << Lists{{0, 1, 2}, {3, 4, 5}, {0}} << 5 << 2 << 6;
    }
    void theFirstBatchApartIsFound() {
        QFETCH(Lists, second);
        QFETCH(int, batch);
        const auto apart = firstBatchApart(planOf({{0, 1, 2}, {3, 4, 5}}), planOf(second), 2);
        QCOMPARE(apart.has_value(), batch > 0);
        if (!apart) return;
        QCOMPARE(apart->batch, std::int64_t{batch});
        QTEST(static_cast<int>(apart->session), "session");
        QTEST(static_cast<int>(apart->samples_seen), "seen");
    }

    void samenessIsToldApart_data() {
        QTest::addColumn<Lists>("first");
        QTest::addColumn<Lists>("second");
        QTest::addColumn<Sameness>("sameness");
        QTest::addColumn<QString>("sentence");
        const Lists base{{0, 1, 2}, {3, 4}};
        QTest::newRow("identical") << base << base << Sameness::Identical
                                   << "The same stream: the same samples in the same sessions, in the same order.";
        QTest::newRow("another order") << base << Lists{{2, 1, 0}, {3, 4}} << Sameness::SameSessions
                                       << "The same samples in each session, in another order.";
        QTest::newRow("other sessions") << base << Lists{{0, 1}, {2, 3, 4}} << Sameness::SameSamples
                                        << "The same samples, in other sessions.";
        QTest::newRow("more sessions") << base << Lists{{0, 1}, {2}, {3, 4}} << Sameness::SameSamples
                                       << "The same samples, in other sessions.";
        QTest::newRow("other samples") << base << Lists{{0, 1, 2}, {3, 5}} << Sameness::Different
                                       << "Different samples: 4 in both, 1 in the first alone, 1 in the second alone.";
        QTest::newRow("one sample twice")
            << base << Lists{{0, 1, 2}, {3, 4, 4}} << Sameness::Different << "The same samples, but not equally often.";
    }
    void samenessIsToldApart() {
        QFETCH(Lists, first);
        QFETCH(Lists, second);
        QFETCH(Sameness, sameness);
        QFETCH(QString, sentence);
        const StreamComparison comparison = compared(first, second);
        QCOMPARE(static_cast<int>(comparison.sameness), static_cast<int>(sameness));
        QCOMPARE(QString::fromStdString(sentenceOf(comparison)), sentence);
        QCOMPARE(comparison.first == comparison.second, sameness == Sameness::Identical);
    }

    void sessionsOverlapByHand() {
        const StreamComparison comparison = compared({{0, 1, 2}, {3}}, {{1, 2, 3, 2}, {}, {5}});
        QCOMPARE(comparison.sessions.size(), std::size_t{3});
        // 1 and 2 of 0, 1, 2 and 3 are shared.
        QCOMPARE(comparison.sessions[0].shared, 2);
        QCOMPARE(comparison.sessions[0].only_first, 1);
        QCOMPARE(comparison.sessions[0].only_second, 1);
        QCOMPARE(comparison.sessions[0].jaccard(), 0.5);
        QCOMPARE(comparison.sessions[1].jaccard(), 0.0);
        QCOMPARE(comparison.sessions[2].only_second, 1);
        QCOMPARE(comparison.samples.shared, 3);
        QCOMPARE(comparison.samples.jaccard(), 0.6);
        QCOMPARE(Overlap().jaccard(), 1.0);
    }

    void classesComeEarlierOrLater() {
        const StreamComparison comparison = compared({{0, 2}, {1, 4}}, {{2, 0}, {1}});
        QCOMPARE(comparison.classes.size(), std::size_t{3});
        QCOMPARE(comparison.classes[0].first.first_position, 0);
        QCOMPARE(comparison.classes[0].second.first_position, 1);
        QVERIFY(comparison.classes[0].differs());
        QVERIFY(comparison.classes[1].differs());
        QCOMPARE(comparison.classes[2].second.first_session, -1);
        QVERIFY(comparison.classes[2].differs());
        QVERIFY(!compared({{0, 2}}, {{0, 2}}).classes[0].differs());
    }

    void aLimitedStreamOfTheSameDataIsComparable() {
        const StreamPlan plan = planOf({{0, 1}});
        const Labels limited(kLabels.begin(), kLabels.begin() + 2);
        const StreamComparison comparison = compareStreams({"data", kLabels, plan}, {"data", limited, plan});
        QVERIFY(comparison.sameness == Sameness::Identical);
    }

    void otherDataAreNotCompared_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("otherLabels");
        QTest::addColumn<int>("classes");
        QTest::newRow("another name") << "other" << false << 3;
        QTest::newRow("other labels") << "data" << true << 3;
        QTest::newRow("more classes") << "data" << false << 4;
    }
    void otherDataAreNotCompared() {
        QFETCH(QString, name);
        QFETCH(bool, otherLabels);
        QFETCH(int, classes);
        Labels labels = kLabels;
        if (otherLabels) labels[0] = 1;
        StreamPlan plan = planOf({{0, 1}});
        const StreamPlan first = plan;
        plan.settings.classes = classes;
        const StreamComparison comparison =
            compareStreams({"data", kLabels, first}, {name.toStdString(), labels, plan});
        QVERIFY(comparison.sameness == Sameness::OtherData);
        QVERIFY(comparison.sessions.empty());
        QVERIFY(comparison.classes.empty());
        QVERIFY(QString::fromStdString(sentenceOf(comparison)).contains("cannot be compared"));
    }

    void anotherSeedIsTheSameSamplesInOtherSessions() {
        Labels labels(500);
        for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % 10);
        const StreamPlan one = planStream(labels, {10, 5, 50, 10, Partition::Stochastic, 1});
        const StreamPlan two = planStream(labels, {10, 5, 50, 10, Partition::Stochastic, 2});
        const StreamComparison comparison = compareStreams({"", labels, one}, {"", labels, two});
        QVERIFY(comparison.sameness == Sameness::SameSamples);
        QCOMPARE(comparison.samples.shared, 500);
        QCOMPARE(comparison.samples.jaccard(), 1.0);
    }
};

PALIMPSEST_APPLESS_TEST(TestStreamCompare)

}  // namespace tst_stream_compare

#include "tst_stream_compare.moc"
