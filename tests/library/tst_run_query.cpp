// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/library/run_query.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_run_query {

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
        QCOMPARE(RunQuery(words.toStdString()).matches(run()), found);
    }

    void aFieldStillBeingTypedAsksForNothing() {
        QVERIFY(RunQuery("tag:").empty());
        QVERIFY(!RunQuery("tag:x").empty());
    }
};

PALIMPSEST_GUILESS_TEST(TestRunQuery)

}  // namespace tst_run_query

#include "tst_run_query.moc"
