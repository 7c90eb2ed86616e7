// SPDX-License-Identifier: GPL-3.0-or-later
#include <zlib.h>
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/support/error.h"
#include "engine/verify/case_check.h"
#include "engine/verify/label_rule.h"
#include "engine/verify/verify_cases.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_verify_core {

using nlohmann::json;

namespace {

const std::filesystem::path kGolden = PALIMPSEST_TEST_DATA "/golden";

std::vector<std::int32_t> fashionLabels(const std::string& dataset) {
    if (dataset != "fashion-mnist") throw inputError("Data set " + dataset + " is missing.");
    constexpr std::size_t kHeader = 8;
    std::vector<unsigned char> bytes(kHeader + 60000);
    const gzFile file = gzopen(PALIMPSEST_TEST_DATA "/fashion-mnist/train-labels-idx1-ubyte.gz", "rb");
    const int read = file ? gzread(file, bytes.data(), static_cast<unsigned>(bytes.size())) : 0;
    gzclose(file);
    if (read != static_cast<int>(bytes.size())) throw inputError("The label file is missing or truncated.");
    return {bytes.begin() + kHeader, bytes.end()};
}

std::vector<std::int32_t> noLabels(const std::string& dataset) {
    throw inputError("Data set " + dataset + " is missing.");
}

json read(const char* name) {
    std::ifstream stream(kGolden / name);
    return json::parse(stream);
}

struct Outcome {
    std::size_t count = 0;
    std::vector<VerifiedCase> cases;

    QStringList failed() const {
        QStringList names;
        for (const VerifiedCase& one : cases)
            if (one.result != CaseResult::Ok) names << QString::fromStdString(one.name + ": " + one.detail);
        return names;
    }
};

Outcome streams(const std::filesystem::path& file, const LabelSource& source = fashionLabels) {
    Outcome outcome;
    outcome.count = verifyStreams(file, source, [&](const VerifiedCase& one) { outcome.cases.push_back(one); });
    return outcome;
}

Outcome metrics(const std::filesystem::path& file) {
    Outcome outcome;
    outcome.count = verifyMetrics(file, [&](const VerifiedCase& one) { outcome.cases.push_back(one); });
    return outcome;
}

}  // namespace

class TestVerifyCore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(folder_.isValid()); }

    void everyGoldenStreamIsReproduced() {
        const Outcome outcome = streams(kGolden / "streams.json");
        QCOMPARE(outcome.failed(), QStringList{});
        QCOMPARE(outcome.count, std::size_t{60});
        QCOMPARE(outcome.cases.size(), outcome.count);
        QCOMPARE(outcome.cases.front().name, std::string("streams/P01"));
        QCOMPARE(outcome.cases.front().max_abs_error, 0.0);
    }

    void everyGoldenMetricIsReproduced() {
        const Outcome outcome = metrics(kGolden / "metrics.json");
        QCOMPARE(outcome.failed(), QStringList{});
        QCOMPARE(outcome.count, std::size_t{14});
        QCOMPARE(outcome.cases.size(), outcome.count);
        QCOMPARE(outcome.cases.front().name, std::string("metrics/basic"));
    }

    void aCaseSaysHowMuchOfItsToleranceItTook() {
        CaseCheck check("x");
        check.near("exact", 0, 0, 0);
        QCOMPARE(check.result().of_tolerance, 0.0);
        check.near("absolute", 1.25, 1, 0.5);
        check.near("relative", 8.5, 8, 0, 0.25);
        QCOMPARE(check.result().of_tolerance, 0.5);
        QCOMPARE(check.result().result, CaseResult::Ok);
        check.same("count", 1, 2);
        QVERIFY(check.result().of_tolerance > 1);
        QCOMPARE(check.result().result, CaseResult::Fail);
    }

    void aStreamOfAMissingDataSetFails() {
        const Outcome outcome = streams(kGolden / "streams.json", noLabels);
        QCOMPARE(outcome.failed().size(), 11);
        QCOMPARE(outcome.failed().front(), QString("streams/P28: Data set fashion-mnist is missing."));
    }

    void tamperedStreamsFail_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("value");
        QTest::newRow("an index") << "/sessions/0/indices/3"
                                  << "36";
        QTest::newRow("an index too many") << "/sessions/0/indices/9"
                                           << "36";
        QTest::newRow("a length") << "/sessions/2/length"
                                  << "52";
        QTest::newRow("a session's checksum") << "/sessions/4/sha256"
                                              << "\"c639\"";
        QTest::newRow("the labels' checksum") << "/labels/sha256"
                                              << "\"9bb3\"";
        QTest::newRow("a label") << "/labels/values/0"
                                 << "8";
        QTest::newRow("the seed") << "/seed"
                                  << "2";
        QTest::newRow("the partition") << "/varying"
                                       << "false";
        QTest::newRow("a disjoint class") << "/disjoint_classes/0/0"
                                          << "6";
        QTest::newRow("a blurry class") << "/blurry_classes/0/0"
                                        << "6";
        QTest::newRow("the class budget") << "/disjoint_num"
                                          << "4";
        QTest::newRow("the total") << "/total"
                                   << "199";
        QTest::newRow("the distinct samples") << "/distinct"
                                              << "199";
        QTest::newRow("a crash that is none") << "/result"
                                              << "\"crash\"";
        QTest::newRow("an unknown result") << "/result"
                                           << "\"perhaps\"";
        QTest::newRow("a number of another type") << "/num_tasks"
                                                  << "\"five\"";
    }
    void tamperedStreamsFail() {
        QFETCH(QString, place);
        QFETCH(QString, value);
        json golden = read("streams.json");
        golden["cases"] = json::array({golden["cases"][0]});
        QCOMPARE(streams(write(golden)).failed(), QStringList{});
        golden["cases"][0][json::json_pointer(place.toStdString())] = json::parse(value.toStdString());
        const Outcome outcome = streams(write(golden));
        QCOMPARE(outcome.failed().size(), 1);
        QVERIFY(!outcome.cases.front().detail.empty());
    }

    void aRefusedStreamThatShouldBePlannedFails() {
        json golden = read("streams.json");
        json& cases = golden["cases"];
        cases =
            json::array({*std::find_if(cases.begin(), cases.end(), [](const json& c) { return c["id"] == "P53"; })});
        QCOMPARE(streams(write(golden)).failed(), QStringList{});
        cases[0]["result"] = "ok";
        QCOMPARE(streams(write(golden)).failed(),
                 QStringList{"streams/P53: 7 blurry classes cannot be shared equally among 3 sessions."});
    }

    void tamperedMetricsFail_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("name");
        QTest::newRow("A_AUC") << "/official/0/expected/A_AUC"
                               << "0.48803398"
                               << "metrics/basic";
        QTest::newRow("F_Last") << "/official/0/expected/F_Last"
                                << "0.27036682"
                                << "metrics/basic";
        QTest::newRow("a mean that is not defined") << "/official/5/expected/F_Last"
                                                    << "0"
                                                    << "metrics/never_correct";
        QTest::newRow("a missing mean") << "/official/0/expected/F_Last"
                                        << "null"
                                        << "metrics/basic";
        QTest::newRow("a class accuracy") << "/official/0/cls_acc/0/0"
                                          << "0.8333333"
                                          << "metrics/basic";
        QTest::newRow("a prediction") << "/interpret_pred/pred/0"
                                      << "4"
                                      << "metrics/interpret_pred";
        QTest::newRow("a class count") << "/interpret_pred/num/0"
                                       << "7"
                                       << "metrics/interpret_pred";
        QTest::newRow("an entry of R") << "/paper_sessionwise/1/R/2/2"
                                       << "0.125"
                                       << "metrics/paper_sessionwise-2";
        QTest::newRow("an anytime accuracy") << "/paper_sessionwise/0/anytime/0"
                                             << "0.9"
                                             << "metrics/paper_sessionwise-1";
        QTest::newRow("no expectations") << "/official/0/expected"
                                         << "{}"
                                         << "metrics/basic";
    }
    void tamperedMetricsFail() {
        QFETCH(QString, place);
        QFETCH(QString, value);
        QFETCH(QString, name);
        json golden = read("metrics.json");
        golden[json::json_pointer(place.toStdString())] = json::parse(value.toStdString());
        const QStringList failed = metrics(write(golden)).failed();
        QCOMPARE(failed.size(), 1);
        QVERIFY2(failed.front().startsWith(name + ": "), qPrintable(failed.front()));
    }

    void filesThatAreNotUnderstoodAreRefused_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no JSON") << QByteArray("{\"format\":");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("no format") << QByteArray("{}");
        QTest::newRow("another format") << QByteArray("{\"format\":\"streams-v2\",\"cases\":[]}");
        QTest::newRow("no stream") << QByteArray("{\"format\":\"streams-v1\",\"cases\":[]}");
        QTest::newRow("no metric") << QByteArray("{\"format\":\"metrics-v1\",\"official\":[]}");
    }
    void filesThatAreNotUnderstoodAreRefused() {
        QFETCH(QByteArray, content);
        const std::filesystem::path file = write(content.toStdString());
        QVERIFY_EXCEPTION_THROWN(streams(file), Error);
        QVERIFY_EXCEPTION_THROWN(metrics(file), Error);
        QVERIFY_EXCEPTION_THROWN(streams(file.parent_path() / "missing.json"), Error);
    }

    void labelRules_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QList<int>>("expected");
        QTest::newRow("cyclic") << "mod"
                                << "label[i] = i % 3 for i in 0..6 (3 classes)" << QList<int>{0, 1, 2, 0, 1, 2, 0};
        QTest::newRow("blocks") << "blocks"
                                << "label[i] = (7 - i) // 3 for i in 1..4" << QList<int>{2, 1, 1, 1};
        QTest::newRow("round robin") << "uneven"
                                     << "count[c] = 1 + (2*c) % 3; labels = [c for r in 0..max(count)-1 for c in 0..2 "
                                        "if r < count[c]] (round robin)"
                                     << QList<int>{0, 1, 2, 1, 2, 1};
        QTest::newRow("a data set") << "fashion-mnist-train"
                                    << "the 5 labels of the Fashion-MNIST training label file, in file order"
                                    << QList<int>{9, 0, 0, 3, 0};
    }
    void labelRules() {
        QFETCH(QString, kind);
        QFETCH(QString, rule);
        QFETCH(QList<int>, expected);
        const auto labels = labelsByRule(kind.toStdString(), rule.toStdString(), fashionLabels);
        QCOMPARE(QList<int>(labels.begin(), labels.end()), expected);
    }

    void unknownLabelRulesAreRefused_data() {
        QTest::addColumn<QString>("rule");
        QTest::newRow("words") << "labels as they come";
        QTest::newRow("another variable") << "label[i] = j % 3 for i in 0..6";
        QTest::newRow("an open bracket") << "label[i] = (i + 1 for i in 0..6";
        QTest::newRow("division by zero") << "label[i] = i % 0 for i in 0..6";
        QTest::newRow("a huge range") << "label[i] = i % 3 for i in 0..99999999999999";
        QTest::newRow("a huge label") << "label[i] = i * 999999999 for i in 0..6";
        QTest::newRow("a negative label") << "label[i] = i - 3 for i in 0..6";
        QTest::newRow("numbers beyond 64 bits")
            << "label[i] = 999999999999 * 999999999999 * 999999999999 % 3 for i in 0..6";
        QTest::newRow("endless brackets")
            << "label[i] = " + QString(1000, '(') + "i" + QString(1000, ')') + " for i in 0..6";
        QTest::newRow("too few labels") << "the 70000 labels of the Fashion-MNIST training label file";
    }
    void unknownLabelRulesAreRefused() {
        QFETCH(QString, rule);
        QVERIFY_EXCEPTION_THROWN(labelsByRule("fashion-mnist-train", rule.toStdString(), fashionLabels), Error);
    }

    void formulasRoundDown() {
        QCOMPARE(evaluateFormula("-7 // 2", "i", 0), std::int64_t{-4});
        QCOMPARE(evaluateFormula("-7 % 3", "i", 0), std::int64_t{2});
        QCOMPARE(evaluateFormula("2 + 3*i - (i - 1)*2", "i", 5), std::int64_t{9});
        QCOMPARE(evaluateFormula("20 - 3 - 2 * 2 * 2", "i", 0), std::int64_t{9});
    }

private:
    std::filesystem::path write(const std::string& content) {
        const std::filesystem::path file = folder_.filePath("golden.json").toStdString();
        std::ofstream(file, std::ios::binary) << content;
        return file;
    }
    std::filesystem::path write(const json& content) { return write(content.dump()); }

    QTemporaryDir folder_;
};

PALIMPSEST_APPLESS_TEST(TestVerifyCore)

}  // namespace tst_verify_core

#include "tst_verify_core.moc"
