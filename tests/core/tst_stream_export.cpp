// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/stream/stream_export.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_stream_export {

using nlohmann::json;
using Labels = std::vector<std::int32_t>;

namespace {

const Labels kLabels{0, 1, 0, 1, 0, 1};
const std::vector<std::string> kNames{"cat", "d\xc3\xb6g"};

/// Class 0 in session 1, class 1 in both.
StreamPlan plan() {
    StreamPlan plan;
    plan.settings.classes = 2;
    plan.settings.sessions = 2;
    plan.settings.seed = 7;
    plan.disjoint_classes = {{0}, {}};
    plan.blurry_classes = {{}, {1}};
    plan.disjoint_count = 1;
    plan.blurry_count = 1;
    plan.sessions = {{4, 0, 1}, {5, 3}};
    return plan;
}

}  // namespace

class TestStreamExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jsonHoldsSessionsClassesAndFingerprint() {
        const StreamPlan p = plan();
        const std::string text = formatStream({p, kLabels, kNames, {"Mind the gap."}}, StreamFormat::Json);
        QVERIFY(text.find('\n') == text.size() - 1);
        const json read = json::parse(text);
        QVERIFY(read["sessions"] == json::parse("[[4,0,1],[5,3]]"));
        QVERIFY(read["disjoint_classes"] == json::parse("[[0],[]]"));
        QVERIFY(read["blurry_classes"] == json::parse("[[],[1]]"));
        QCOMPARE(read["fingerprint"].get<std::string>(), p.fingerprint());
        QCOMPARE(read["labels_fingerprint"].get<std::string>().size(), std::size_t{16});
        QVERIFY(read["warnings"] == json::parse(R"(["Mind the gap."])"));
        QVERIFY(!read.contains("statistics"));
    }

    void jsonWithStatistics() {
        const StreamPlan p = plan();
        const json read = json::parse(formatStream({p, kLabels, kNames, {}, true}, StreamFormat::Json))["statistics"];
        QCOMPARE(read["sessions"].size(), std::size_t{2});
        QVERIFY(read["sessions"][0]["class_counts"] == json::parse("[2,1]"));
        QCOMPARE(read["sessions"][0]["imbalance"].get<double>(), 2.0);
        QVERIFY(read["sessions"][1]["evenness"].is_null());
        QCOMPARE(read["whole"]["samples"].get<int>(), 5);
        QCOMPARE(read["classes"][1]["name"].get<std::string>(), kNames[1]);
        QCOMPARE(read["classes"][1]["kind"].get<std::string>(), std::string("blurry"));
        QCOMPARE(read["classes"][1]["first_position"].get<int>(), 2);
        QCOMPARE(read["classes"][0]["last_session"].get<int>(), 0);
    }

    void csvHasALineASample() {
        const StreamPlan p = plan();
        QCOMPARE(QString::fromStdString(formatStream({p, kLabels, kNames, {}}, StreamFormat::Csv)),
                 QString("session,position,sample,class,kind\n"
                         "0,0,4,0,disjoint\n0,1,0,0,disjoint\n0,2,1,1,blurry\n1,3,5,1,blurry\n1,4,3,1,blurry\n"));
    }

    void textIsForPeople() {
        const StreamPlan p = plan();
        const QString text =
            QString::fromStdString(formatStream({p, kLabels, kNames, {"Mind the gap."}}, StreamFormat::Text));
        QVERIFY(
            text.startsWith("5 samples in 2 sessions, 1 disjoint and 1 blurry classes, seed 7\n"
                            "Session 1: 3 samples; disjoint classes: 0; blurry classes: none\n"
                            "Session 2: 2 samples; disjoint classes: none; blurry classes: 1\n"));
        QVERIFY(text.contains("Note: Mind the gap.\n"));
        QVERIFY(text.endsWith("Fingerprint: " + QString::fromStdString(p.fingerprint()) + "\n"));
        QVERIFY(!text.contains("evenness"));
        StreamPlan single = p;
        single.sessions = {{4}};
        QVERIFY(QString::fromStdString(formatStream({single, kLabels, kNames, {}}, StreamFormat::Text))
                    .startsWith("1 sample in 1 session, "));
        QVERIFY(formatStream({single, kLabels, kNames, {}}, StreamFormat::Text).find("Session 1: 1 sample; ") !=
                std::string::npos);
        StreamPlan imported = p;
        imported.settings.partition = Partition::Imported;
        QVERIFY(formatStream({imported, kLabels, kNames, {}}, StreamFormat::Text).find("classes, imported\n") !=
                std::string::npos);
        StreamPlan older = p;
        older.settings.sampler = Sampler::Older;
        QVERIFY(formatStream({older, kLabels, kNames, {}}, StreamFormat::Text).find("seed 7, older sampler\n") !=
                std::string::npos);
    }

    void statisticsInTextStandInColumns() {
        const StreamPlan p = plan();
        const QStringList lines =
            QString::fromStdString(formatStream({p, kLabels, kNames, {}, true}, StreamFormat::Text)).split('\n');
        const auto begin = lines.indexOf(QRegularExpression("^ +samples .*"));
        QVERIFY(begin > 0);
        QCOMPARE(lines[begin + 1].simplified(), QString("Session 1 3 2 2.00 0.918 1.89 66.7 % 33.3 %"));
        QCOMPARE(lines[begin + 2].simplified(), QString("Session 2 2 1 1.00 - 1.00 0.0 % 100.0 %"));
        QCOMPARE(lines[begin + 1].size(), lines[begin + 2].size());
        QVERIFY(lines.filter(QString::fromUtf8("1 (d\xc3\xb6g)")).size() == 1);
    }

    void theEndingOfAFileSaysItsFormat_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("format");
        QTest::newRow("json") << "a.json" << static_cast<int>(StreamFormat::Json);
        QTest::newRow("csv") << "b/a.csv" << static_cast<int>(StreamFormat::Csv);
        QTest::newRow("text") << "a.txt" << static_cast<int>(StreamFormat::Text);
        QTest::newRow("unknown") << "a.dat" << static_cast<int>(StreamFormat::Json);
        QTest::newRow("none") << "" << static_cast<int>(StreamFormat::Json);
    }
    void theEndingOfAFileSaysItsFormat() {
        QFETCH(QString, file);
        QFETCH(int, format);
        QCOMPARE(static_cast<int>(streamFormatOf(file.toStdString())), format);
    }

    void comparisonsAreWritten() {
        const StreamPlan p = plan();
        StreamPlan other = p;
        other.sessions = {{1, 4, 0}, {5, 2}};
        const StreamComparison comparison = compareStreams({"", kLabels, p}, {"", kLabels, other});
        const json read = json::parse(formatComparisonJson(comparison, kNames));
        QCOMPARE(read["sameness"].get<std::string>(), std::string("different"));
        QCOMPARE(read["samples"]["shared"].get<int>(), 4);
        QCOMPARE(read["sessions"][0]["jaccard"].get<double>(), 1.0);
        QCOMPARE(read["classes"][0]["second"]["first_position"].get<int>(), 1);
        QCOMPARE(read["classes"][0]["differs"].get<bool>(), true);
        const QString text = QString::fromStdString(formatComparisonText(comparison, kNames));
        QVERIFY(text.startsWith("Different samples: 4 in both, 1 in the first alone, 1 in the second alone.\n"));
        QVERIFY(text.contains("0 (cat)"));
        const QString same =
            QString::fromStdString(formatComparisonText(compareStreams({"", kLabels, p}, {"", kLabels, p}), kNames));
        QVERIFY(same.contains("Every class comes at the same time in both."));
        const StreamComparison strange = compareStreams({"a", kLabels, p}, {"b", kLabels, p});
        QVERIFY(!json::parse(formatComparisonJson(strange, kNames)).contains("samples"));
        QVERIFY(!formatComparisonText(strange, kNames).empty());
    }

    void aRunsOwnListIsWhatImportNeeds() {
        const json read = json::parse(formatIndexList(plan()));
        QCOMPARE(read.size(), std::size_t{4});
    }

    void numbersAreWrittenWithAPoint() {
        QCOMPARE(decimal(1.5, 2), std::string("1.50"));
        QCOMPARE(decimal(std::nullopt, 2), std::string("-"));
        QCOMPARE(decimal(1e300 * 1e300, 1), std::string("-"));
    }
};

PALIMPSEST_APPLESS_TEST(TestStreamExport)

}  // namespace tst_stream_export

#include "tst_stream_export.moc"
