// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ctime>

#include "engine/library/run_query.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_run_query {

/// A time zone for as long as this lives. `zone`: as POSIX writes TZ, so "EAST-9" is nine hours ahead of UTC.
class TimeZone {
public:
    explicit TimeZone(const char* zone) { set(zone); }
    ~TimeZone() { set(before_); }
    Q_DISABLE_COPY_MOVE(TimeZone)

private:
    static void set(const QByteArray& zone) {
        zone.isNull() ? qunsetenv("TZ") : qputenv("TZ", zone);
        tzset();
    }
    const QByteArray before_ = qgetenv("TZ");
};

class TestRunQuery : public QObject {
    Q_OBJECT
private:
    static RunRow run() {
        RunRow row;
        row.name = "Prompts that last";
        row.method = "dualprompt";
        row.mask = "batch";
        row.prompts = "fam";
        row.dataset = "fashion-mnist";
        row.state = RecordedState::Finished;
        row.seed = 12;
        row.total_samples = 6400;
        row.a_auc = 0.33349;
        row.started = "2025-11-20T11:00:00.000Z";
        row.ended = "2025-11-21T12:30:00.000Z";
        row.notes.tags = {"paper", "Table-1"};
        row.notes.note = "with the slow schedule";
        return row;
    }

private Q_SLOTS:
    void aSearchFindsWhatItSays_data() {
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<bool>("found");
        const auto row = [](const char* words, bool found) { QTest::newRow(words) << QByteArray(words) << found; };
        row("", true);
        row("   ", true);
        row("prompts", true);
        row("PROMPTS Batch", true);
        row("prompts l2p", false);
        row("schedule", true);
        row("table", true);
        row("finished", true);
        row("12", false);
        row("tag:paper", true);
        row("tag:pap", true);
        row("tag:aper", false);
        row("TAG:table-1", true);
        row("tag:slow", false);
        row("method:dual", true);
        row("method:batch", false);
        row("mask:batch", true);
        row("data:fashion", true);
        row("prompts:fam", true);
        row("state:stopped", false);
        row("note:slow", true);
        row("note:paper", false);
        row("name:last", true);
        row("seed:12", true);
        row("seed:1", false);
        row("seed:>11", true);
        row("seed:>12", false);
        row("seed:>=12", true);
        row("seed:<12", false);
        row("seed:<=12", true);
        row("seed:10..12", true);
        row("seed:1..11", false);
        row("seed:12..", true);
        row("seed:..11", false);
        row("-seed:12", false);
        row("-seed:1..5", true);
        row("seed:012", true);
        row("seed:x", false);
        row("-seed:x", false);
        row("seed:>", true);
        row("seed:>=", true);
        row("seed:..", true);
        row("images:6400", true);
        row("images:<1000", false);
        row("memory:0", true);
        row("a_auc:33.3", true);
        row("a_auc:>33.3", false);
        row("A_AUC:>30", true);
        row("a_auc:0.3", false);
        row("a_auc:1e1..1e2", true);
        row("a_auc:nan", false);
        row("f_last:>0", false);
        row("date:2025", true);
        row("date:2025-11", true);
        row("date:2025-11-21", true);
        row("date:2025-11-20", false);
        row("date:>2025-11-20", true);
        row("date:>=2025-11-21", true);
        row("date:>2025-11-21", false);
        row("date:>2025", false);
        row("date:>=2025", true);
        row("date:<2025-12", true);
        row("date:2025-11-01..2025-11-30", true);
        row("date:2025-10..2025-11", true);
        row("date:..2025-10", false);
        row("date:yesterday", false);
        row("date:2025-1", false);
        row("date:20251121", false);
        row("-date:2025", false);
        row("-l2p", true);
        row("-dualprompt", false);
        row("-tag:paper", false);
        row("prompts -tag:draft", true);
        row("\"that last\"", true);
        row("\"last that\"", false);
        row("note:\"slow schedule\"", true);
        row("note:\"schedule slow\"", false);
        row("tag:", true);
        row("-", true);
        row("- dualprompt", true);
        row("colour:red", false);
        row("\"", true);
    }
    void aSearchFindsWhatItSays() {
        QFETCH(QByteArray, words);
        QFETCH(bool, found);
        const TimeZone utc("UTC0");
        QCOMPARE(RunQuery(words.toStdString()).matches(run()), found);
    }

    void aSearchThatCannotBeUnderstoodSaysHowToWriteIt() {
        for (const char* words : {"seed:x", "seed:1..x", "a_auc:>3%", "images:1e999", "date:today", "date:>2025-1-1"}) {
            const RunQuery query(std::string("batch ") + words);
            QCOMPARE(query.terms().size(), std::size_t{2});
            QVERIFY(query.terms()[0].problem.empty());
            QVERIFY2(query.terms()[1].problem.find(':') != std::string::npos, words);
            QCOMPARE(query.terms()[1].written, std::string(words));
        }
        for (const char* words : {"seed:1", "-seed:1..", "date:2025-11", "note:\"a b\"", "-tag:x"}) {
            const RunQuery query(words);
            QCOMPARE(query.terms().size(), std::size_t{1});
            QVERIFY2(query.terms()[0].problem.empty(), query.terms()[0].problem.c_str());
            QCOMPARE(query.terms()[0].written, std::string(words));
        }
    }

    void daysAreThoseOfThisComputer() {
        RunRow row = run();
        row.ended = "2025-11-21T22:30:00Z";
        {
            const TimeZone ahead("EAST-9");
            QVERIFY(RunQuery("date:2025-11-22").matches(row));
        }
        {
            const TimeZone behind("WEST9");
            QVERIFY(RunQuery("date:2025-11-21").matches(row));
        }
        row.ended = "not a moment";
        QVERIFY(!RunQuery("date:>=1970").matches(row));
    }

    void aFieldStillBeingTypedAsksForNothing() {
        QVERIFY(RunQuery("tag:").empty());
        QVERIFY(!RunQuery("tag:x").empty());
    }
};

PALIMPSEST_GUILESS_TEST(TestRunQuery)

}  // namespace tst_run_query

#include "tst_run_query.moc"
