// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "tests/support/watched_model.h"
#include "ui/stream/stream_table.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::watch;

namespace tst_stream_table {

class TestStreamTable : public QObject {
    Q_OBJECT
private:
    static PlannedStream planned(std::int64_t seed, std::int64_t sessions = 5,
                                 const std::string& data = "fashion-mnist") {
        Experiment experiment = OptionTable(ScriptedRun::catalogue()).defaults();
        experiment.seed = seed;
        experiment.stream.sessions = sessions;
        experiment.stream.dataset = data;
        return *plannedStream(experiment, ScriptedRun().laboratory().labels(experiment));
    }

private Q_SLOTS:
    void oneStreamHasARowASessionAndOneForAll() {
        const PlannedStream stream = planned(1);
        const StreamNumbers numbers = numbersOf(stream, nullptr);
        QVERIFY(!numbers.comparison);
        QCOMPARE(numbers.sessions.rows.size(), std::size_t{6});
        QCOMPARE(numbers.sessions.rows.back().front(), QString("all"));
        QCOMPARE(numbers.sessions.rows.back()[1], QString("600"));
        for (const QStringList& row : numbers.sessions.rows) QCOMPARE(row.size(), numbers.sessions.headers.size());
        QCOMPARE(numbers.sessions.tips.size(), numbers.sessions.headers.size());
        QCOMPARE(numbers.classes.rows.size(), std::size_t{10});
        QVERIFY(numbers.classes.rows[3].front().contains("Dress"));
    }

    void twoStreamsStandSideBySide() {
        const PlannedStream a = planned(1), b = planned(2, 7);
        const StreamNumbers numbers = numbersOf(a, &b);
        QVERIFY(numbers.comparison->sameness == Sameness::SameSamples);
        QCOMPARE(numbers.sessions.rows.size(), std::size_t{8});
        QVERIFY(numbers.sessions.headers.contains("Images A"));
        QVERIFY(numbers.sessions.headers.contains("Images B"));
        const auto images = numbers.sessions.headers.indexOf("Images A");
        QCOMPARE(numbers.sessions.rows[6][images], QString("0"));
        QCOMPARE(numbers.sessions.rows.back()[numbers.sessions.headers.indexOf("Jaccard")], QString("1.000"));
        const auto after = numbers.classes.headers.indexOf("First after B"),
                   later = numbers.classes.headers.indexOf("Later by");
        const auto plain = [](QString text) { return text.remove(',').toInt(); };
        for (const QStringList& row : numbers.classes.rows)
            QCOMPARE(plain(row[later]), plain(row[after]) - plain(row[after - 1]));
        for (const StreamTable* table : {&numbers.sessions, &numbers.classes})
            for (const QStringList& row : table->rows) QCOMPARE(row.size(), table->headers.size());
    }

    void theLongestTextOfEachColumnIsKnown() {
        const PlannedStream a = planned(1), b = planned(2, 7);
        const StreamNumbers numbers = numbersOf(a, &b);
        for (const StreamTable* table : {&numbers.sessions, &numbers.classes}) {
            QCOMPARE(std::ssize(table->longest), table->headers.size());
            for (int column = 0; column < table->headers.size(); ++column)
                for (const QStringList& row : table->rows)
                    QVERIFY(row[column].size() <=
                            table->rows[std::size_t(table->longest[std::size_t(column)])][column].size());
        }
        StreamTableModel model;
        QVERIFY(!model.longestCell(0).isValid());
        model.setTable(numbers.classes);
        QCOMPARE(model.longestCell(1).row(), numbers.classes.longest[1]);
        QVERIFY(!model.longestCell(model.columnCount()).isValid());
        QVERIFY(!model.longestCell(-1).isValid());
        // A view without a current cell asks for it when something is to be copied.
        QVERIFY(!model.data(QModelIndex()).isValid());
    }

    void streamsOfOtherDataAreNotCompared() {
        const PlannedStream a = planned(1), b = planned(1, 5, "shapes");
        const StreamNumbers numbers = numbersOf(a, &b);
        QVERIFY(numbers.comparison->sameness == Sameness::OtherData);
        QVERIFY(!numbers.sessions.headers.contains("Jaccard"));
        QVERIFY(numbers.sessions.headers.contains("Images B"));
        QVERIFY(!numbers.classes.headers.contains("Kind B"));
    }

    void aLineSumsUpTheBalance() {
        PlannedStream stream = planned(1);
        stream.statistics.sessions = {Balance()};
        QVERIFY(balanceText(stream.statistics).isEmpty());
        stream.statistics.sessions[0].samples = 4;
        stream.statistics.sessions[0].effective_classes = 2.25;
        stream.statistics.sessions[0].imbalance = 3;
        QVERIFY(balanceText(stream.statistics).contains("· 3.0 : 1"));
        stream.statistics.sessions[0].imbalance = 1234.5;
        QVERIFY(balanceText(stream.statistics).contains("· 1,234 : 1"));
        QVERIFY(!balanceHelp().isEmpty());
    }

    void theModelShowsAndCopiesItsTable() {
        StreamTableModel model;
        watch(model);
        model.setTable({{"Session", "Images"}, {"which", "how many"}, {{"1", "10"}, {"2", "20"}, {"all", "30"}}});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.data(model.index(1, 1)).toString(), QString("20"));
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(), QString("how many"));
        QCOMPARE(model.text(), QString("Session\tImages\n1\t10\n2\t20\nall\t30\n"));
        QCOMPARE(model.text({2}), QString("Session\tImages\nall\t30\n"));
        model.setTable({{"Class"}, {"which"}, {{"Trouser"}}});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.columnCount(), 1);
        model.setTable({});
        QCOMPARE(model.rowCount(), 0);
    }
};

PALIMPSEST_GUILESS_TEST(TestStreamTable)

}  // namespace tst_stream_table

#include "tst_stream_table.moc"
