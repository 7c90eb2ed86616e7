// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/metrics/metrics.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_metrics {

using nlohmann::json;

namespace {

/// Counts behind a published class accuracy: with the 1e-5 in its denominator each pair has a distinct value.
Hits hitsOf(float accuracy) {
    if (accuracy == 0) return {0, 1};
    for (std::int64_t samples = 1; samples < 100; ++samples)
        for (std::int64_t correct = 1; correct <= samples; ++correct)
            if (classAccuracy({correct, samples}) == accuracy) return {correct, samples};
    return {};
}

json wholeRuns() {
    std::ifstream stream(PALIMPSEST_TEST_DATA "/golden/end_to_end.json");
    const json content = json::parse(stream);
    json runs = json::array();
    for (const json& one : content.at("cases"))
        if (one.contains("expected")) runs.push_back(one);
    return runs;
}

void compare(std::optional<double> found, const json& expected) {
    if (expected.is_null()) {
        QVERIFY(!found);
        return;
    }
    QVERIFY(found.has_value());
    QVERIFY2(std::abs(*found - expected.get<double>()) < 1e-12, qPrintable(QString::number(*found, 'g', 17)));
}

}  // namespace

class TestMetrics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeOfficialRuns_data() {
        QTest::addColumn<int>("index");
        const json runs = wholeRuns();
        QVERIFY(runs.size() > 10);
        for (std::size_t i = 0; i < runs.size(); ++i)
            QTest::newRow(runs[i].at("case").get<std::string>().c_str()) << static_cast<int>(i);
    }
    void wholeOfficialRuns() {
        QFETCH(int, index);
        const json run = wholeRuns().at(static_cast<std::size_t>(index));
        std::vector<double> anytime;
        for (const json& evaluation : run.at("anytime")) anytime.push_back(evaluation.at("acc").get<double>());
        std::vector<double> ends;
        std::vector<std::vector<Hits>> sessions;
        for (const json& evaluation : run.at("session_end")) {
            ends.push_back(evaluation.at("acc").get<double>());
            sessions.emplace_back();
            for (const json& accuracy : evaluation.at("cls_acc")) {
                sessions.back().push_back(hitsOf(accuracy.get<float>()));
                QVERIFY(sessions.back().back().samples > 0);
            }
        }
        const json& expected = run.at("expected");
        compare(areaUnderCurve(anytime), expected.at("A_AUC"));
        compare(averageAccuracy(ends), expected.at("A_avg"));
        compare(ends.back(), expected.at("A_Last"));
        compare(classwiseForgetting(sessions), expected.at("F_Last"));
    }

    void emptyListsHaveNoMean() {
        QVERIFY(!areaUnderCurve({}));
        QVERIFY(!averageAccuracy({}));
        QVERIFY(!lastAccuracy({}));
        QVERIFY(!lastForgetting({}));
        QVERIFY(!classwiseForgetting({}));
        QCOMPARE(microAccuracy({}), 0.0);
    }

    void backwardTransferCountsFromTheFirstRightAnswer() {
        // Class 0 falls from 0.8 to 0.5, class 1 rises from 0.2 to 0.6 after it was never right, class 2 is first right
        // at the end, class 3 never is.
        const std::vector<std::vector<Hits>> sessions{
            {{8, 10}, {0, 10}, {}, {}}, {{9, 10}, {2, 10}, {0, 10}, {}}, {{5, 10}, {6, 10}, {7, 10}, {0, 10}}};
        const std::optional<double> transfer = backwardTransfer(sessions);
        QVERIFY(transfer);
        QVERIFY(std::abs(*transfer - (-0.3 + 0.4 + 0) / 3) < 1e-5);
        QVERIFY(!backwardTransfer({}));
        QVERIFY(!backwardTransfer(std::vector<std::vector<Hits>>{{{0, 10}}, {{0, 10}}}));
    }

    void thePapersMetricsSkipAbsentEntries() {
        const RMatrix r{{0.8, {}, {}}, {0.6, {}, {}}, {0.5, {}, 0.9}};
        QCOMPARE(*lastAccuracy(r), 0.7);
        QCOMPARE(*lastForgetting(r), 0.15);
        const RMatrix triangle{{0.8}, {0.9, 0.5}};
        QCOMPARE(*lastAccuracy(triangle), 0.7);
        QCOMPARE(*lastForgetting(triangle), 0.0);
        QVERIFY(!lastAccuracy(RMatrix{{{}, {}}}));
        QVERIFY(!lastForgetting(RMatrix{{{}, {}}}));
    }

    void thePapersForgettingIsNeverNegative() { QCOMPARE(*lastForgetting({{0.2, 0.1}, {0.9, 0.8}}), 0.0); }

    void theOfficialForgettingCanBeNegative() {
        const std::vector<std::vector<Hits>> better{{{1, 2}}, {{2, 2}}};
        QVERIFY(*classwiseForgetting(better) < -0.49);
    }

    void theOfficialForgettingOfOneSessionIsAsPublished() {
        const std::vector<std::vector<Hits>> one{{{1, 2}}};
        QCOMPARE(*classwiseForgetting(one), -999.0);
    }

    void classesNeverRightBeforeTheEndDoNotCount() {
        const std::vector<std::vector<Hits>> late{{{0, 4}, {4, 4}}, {{4, 4}, {2, 4}}};
        QVERIFY(std::abs(*classwiseForgetting(late) - 0.5) < 1e-5);
        const std::vector<std::vector<Hits>> never{{{0, 4}}, {{4, 4}}};
        QVERIFY(!classwiseForgetting(never));
    }

    void classAccuracyIsAFloatWithASmallDenominator() {
        QCOMPARE(classAccuracy({6, 6}), 0.9999983310699463f);
        QCOMPARE(classAccuracy({0, 0}), 0.0f);
    }

    void microAccuracyWeighsClassesByTheirSamples() {
        const std::vector<Hits> classes{{1, 1}, {0, 3}};
        QCOMPARE(microAccuracy(classes), 0.25);
    }

    void predictionsAreCountedByTrueClass() {
        const std::vector<std::int64_t> truth{0, 0, 2, 2, 2};
        const std::vector<std::int64_t> predicted{0, 2, 2, 1, 2};
        const std::vector<Hits> hits = countHits(truth, predicted, 4);
        QCOMPARE(hits.size(), std::size_t{4});
        QCOMPARE(hits[0].correct, std::int64_t{1});
        QCOMPARE(hits[0].samples, std::int64_t{2});
        QCOMPARE(hits[1].samples, std::int64_t{0});
        QCOMPARE(hits[2].correct, std::int64_t{2});
        QCOMPARE(hits[2].samples, std::int64_t{3});
        QVERIFY_EXCEPTION_THROWN(countHits(truth, std::vector<std::int64_t>{0}, 4), Error);
        QVERIFY_EXCEPTION_THROWN(countHits(truth, predicted, 2), Error);
    }

    void spreadIsTheSampleDeviation() {
        const std::vector<double> values{1, 2, 3, 6};
        const Spread found = spread(values);
        QCOMPARE(found.mean, 3.0);
        QCOMPARE(found.deviation, std::sqrt(14.0 / 3));
        QCOMPARE(found.count, std::int64_t{4});
        QCOMPARE(spread({}).count, std::int64_t{0});
        const std::vector<double> one{5};
        QCOMPARE(spread(one).deviation, 0.0);
    }
};

PALIMPSEST_APPLESS_TEST(TestMetrics)

}  // namespace tst_metrics

#include "tst_metrics.moc"
