// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/report/averages.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;

namespace tst_seed_counts {

namespace {

/// R with one row for each entry of the list, each averaged over that many seeds from its own row on.
std::vector<std::vector<Spread>> averaged(const QList<int>& counts) {
    std::vector<std::vector<Spread>> retention;
    for (qsizetype row = 0; row < counts.size(); ++row) {
        auto& entries = retention.emplace_back();
        for (qsizetype session = 0; session <= row; ++session) entries.push_back({0.5, 0.1, counts[session]});
    }
    return retention;
}

QString told(const std::vector<std::vector<Spread>>& retention) {
    return QString::fromStdString(seedsText(seedsOfSessions(retention)));
}

}  // namespace

class SeedCountsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sessionsThatHaveFewerSeedsAreNamed_data() {
        QTest::addColumn<QList<int>>("counts");
        QTest::addColumn<QString>("text");
        QTest::newRow("alike") << QList<int>{3, 3, 3} << "3 seeds";
        QTest::newRow("one has fewer") << QList<int>{3, 3, 3, 3, 2} << "3 seeds (session 5: 2)";
        QTest::newRow("some have fewer") << QList<int>{5, 2, 5, 2, 2, 1, 5}
                                         << "5 seeds (sessions 2, 4 and 5: 2; session 6: 1)";
        QTest::newRow("a row of them") << QList<int>{3, 2, 2, 2, 3, 2} << "3 seeds (sessions 2–4 and 6: 2)";
        QTest::newRow("none is tested") << QList<int>{3, 0, 3} << "3 seeds";
        QTest::newRow("a single run") << QList<int>{1, 1} << "";
        QTest::newRow("a run and half another") << QList<int>{2, 1} << "2 seeds (session 2: 1)";
        QTest::newRow("nothing") << QList<int>{} << "";
    }
    void sessionsThatHaveFewerSeedsAreNamed() {
        QFETCH(QList<int>, counts);
        QFETCH(QString, text);
        QCOMPARE(told(averaged(counts)), text);
    }

    void aSessionThatLosesSeedsOnTheWaySaysSo() {
        std::vector<std::vector<Spread>> retention = averaged({3, 3});
        retention[1][0].count = 2;
        QCOMPARE(told(retention), QString("3 seeds (session 1: 2 to 3)"));
        retention[0][0].count = 3;
        retention[1][1].count = 2;
        QCOMPARE(told(retention), QString("3 seeds (session 1: 2 to 3; session 2: 2)"));
        retention.push_back({{0.5, 0.1, 2}, {0.5, 0.1, 3}, {}});
        QCOMPARE(told(retention), QString("2 to 3 seeds"));
    }

    void experimentsWithDifferentNumbersOfSeedsAreToldTogether() {
        using Counts = std::set<std::int64_t>;
        QCOMPARE(seedsText(Counts{3}), std::string("3 seeds"));
        QCOMPARE(seedsText(Counts{1, 2, 5}), std::string("1, 2 or 5 seeds"));
        QCOMPARE(seedsText(Counts{1}), std::string());
        QCOMPARE(seedsText(Counts{}), std::string());
    }
};

PALIMPSEST_APPLESS_TEST(SeedCountsTest)

}  // namespace tst_seed_counts

#include "tst_seed_counts.moc"
