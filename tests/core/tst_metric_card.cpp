// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/metrics/metric_card.h"
#include "engine/metrics/metric_catalogue.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/resource_folder.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_metric_card {

namespace {

/// A small run of two sessions, computed by hand.
MetricFacts smallRun() {
    MetricFacts facts;
    facts.anytime = {0.5, 0.6, 0.7};
    facts.session_ends = {0.9, 0.65};
    facts.r = {{0.9}, {0.6, 0.7}};
    facts.tested = 200;
    facts.sessions = 2;
    facts.total_samples = 3500;
    facts.every_samples = 1000;
    facts.over = true;
    facts.summary.sessions_ended = 2;
    facts.summary.f_last_classwise = -0.025;
    facts.summary.bwt_last = 0.025;
    return facts;
}

const MetricSide& side(const MetricCard& card, const std::string& tag) {
    for (const MetricSide& one : card.sides)
        if (one.tag == tag) return one;
    qFatal("no such side");
}

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

}  // namespace

class TestMetricCard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFormulaCarriesTheActualValues_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("tag");
        QTest::addColumn<QString>("worked");
        QTest::addColumn<double>("value");
        QTest::newRow("A_AUC") << "a_auc"
                               << "paper, and published code and tables"
                               << "(50.0 + 60.0 + 70.0) / 3 = 60.0 %" << 0.6;
        QTest::newRow("A_Last") << "a_last"
                                << "paper's text"
                                << "(60.0 + 70.0) / 2 = 65.0 %" << 0.65;
        QTest::newRow("A_Last, code") << "a_last"
                                      << "published code and tables"
                                      << "130 / 200 = 65.0 %" << 0.65;
        QTest::newRow("F_Last") << "f_last"
                                << "paper's text"
                                << "((90.0 − 60.0) + (70.0 − 70.0)) / 2 = 15.0 %" << 0.15;
        QTest::newRow("F_Last, code") << "f_last"
                                      << "published code and tables"
                                      << "" << -0.025;
        QTest::newRow("A_Avg") << "a_avg"
                               << "published code and tables"
                               << "(90.0 + 65.0) / 2 = 77.5 %" << 0.775;
        QTest::newRow("from the code's side") << "a_last_overall"
                                              << "paper's text"
                                              << "(60.0 + 70.0) / 2 = 65.0 %" << 0.65;
    }
    void theFormulaCarriesTheActualValues() {
        QFETCH(QString, key);
        QFETCH(QString, tag);
        QFETCH(QString, worked);
        QFETCH(double, value);
        const MetricCard card = metricCard(key.toStdString(), smallRun());
        const MetricSide& one = side(card, tag.toStdString());
        QCOMPARE(text(one.worked), worked);
        QVERIFY(one.value);
        QCOMPARE(*one.value, value);
        QVERIFY(one.undefined.empty());
        QVERIFY(card.stage.empty());
    }

    void everyNumberHasItsCardAndTheSameWordsAsTheReport() {
        for (const Metric& metric : metrics()) {
            const MetricCard card = metricCard(metric.key, smallRun());
            QCOMPARE(text(card.symbol), QString(metric.symbol));
            const MetricSide& own = side(card, toText(metric.family));
            QCOMPARE(text(own.formula), QString(metric.formula));
            QCOMPARE(text(own.meaning), QString(metric.meaning));
            // Both definitions of a name are on one card, the one that was asked for first.
            const Metric* other = findMetric(metric.counterpart);
            QCOMPARE(card.sides.size(), other ? std::size_t{2} : std::size_t{1});
            QCOMPARE(other != nullptr, std::string(metric.counterpart) != "");
            if (other) {
                QCOMPARE(card.sides.front().tag, std::string(toText(metric.family)));
                QCOMPARE(card.sides.back().tag, std::string(toText(other->family)));
                QCOMPARE(std::string(other->counterpart), std::string(metric.key));
            }
        }
        QVERIFY_THROWS_EXCEPTION(Error, metricCard("a_acu", smallRun()));
        QVERIFY_THROWS_EXCEPTION(Error, curveCard("anyhow", smallRun()));
    }

    void longSumsAreShortened() {
        MetricFacts facts = smallRun();
        facts.anytime.assign(5, 0.5);
        QCOMPARE(text(metricCard("a_auc", facts).sides.front().worked),
                 QString("(50.0 + 50.0 + 50.0 + 50.0 + 50.0) / 5 = 50.0 %"));
        facts.anytime.assign(59, 0.5);
        facts.anytime.back() = 0.8;
        QCOMPARE(text(metricCard("a_auc", facts).sides.front().worked),
                 QString("(50.0 + 50.0 + 50.0 + … + 80.0) / 59 = 50.5 %"));
        facts.anytime.assign(1, 0.5);
        QCOMPARE(text(metricCard("a_auc", facts).sides.front().worked), QString("50.0 / 1 = 50.0 %"));
    }

    void sessionsWithoutTestImagesAreLeftOut() {
        MetricFacts facts = smallRun();
        facts.r = {{0.9}, {0.6, std::nullopt}};
        QCOMPARE(text(metricCard("a_last", facts).sides.front().worked), QString("60.0 / 1 = 60.0 %"));
    }

    void theCardSaysWhatItDividesByAndWhy_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("tag");
        QTest::addColumn<bool>("disjoint");
        QTest::addColumn<int>("sessions");
        QTest::addColumn<QString>("worked");
        QTest::addColumn<QString>("counted");
        const QString terms = "(80.0 + 70.0 + 60.0 + 50.0) / 4 = 65.0 %";
        const QString drops = "((90.0 − 80.0) + (70.0 − 70.0) + (60.0 − 60.0) + (50.0 − 50.0)) / 4 = 2.5 %";
        const QString own = "Over 4 of 5 sessions; in session 3 no class to test came for the first time.";
        QTest::newRow("A_Last") << "a_last"
                                << "paper's text" << false << 5 << terms << own;
        QTest::newRow("F_Last") << "f_last"
                                << "paper's text" << false << 5 << drops << own;
        QTest::newRow("as the code prints R") << "a_last"
                                              << "paper's text" << true << 5 << terms
                                              << "Over 4 of 5 sessions; session 3 brought no disjoint class to test.";
        QTest::newRow("stopped") << "a_last"
                                 << "paper's text" << false << 8 << terms
                                 << "Over 4 of 5 sessions that have ended; in session 3 no class to test came for the "
                                    "first time.";
        QTest::newRow("A_Last, code") << "a_last"
                                      << "published code and tables" << false << 5 << "130 / 200 = 65.0 %"
                                      << "No session is left out here: it is divided by the number of test images.";
        QTest::newRow("F_Last, code") << "f_last"
                                      << "published code and tables" << false << 5 << ""
                                      << "No session is left out here: it is divided by the number of classes.";
    }
    void theCardSaysWhatItDividesByAndWhy() {
        QFETCH(QString, key);
        QFETCH(QString, tag);
        QFETCH(bool, disjoint);
        QFETCH(int, sessions);
        QFETCH(QString, worked);
        QFETCH(QString, counted);
        MetricFacts facts = smallRun();
        facts.session_ends = {0.9, 0.8, 0.7, 0.7, 0.65};
        facts.summary.sessions_ended = 5;
        facts.r = {{0.9}, {0.8, 0.7}, {0.8, 0.7, {}}, {0.8, 0.7, {}, 0.6}, {0.8, 0.7, {}, 0.6, 0.5}};
        facts.sessions = sessions;
        facts.disjoint_only = disjoint;
        const MetricCard card = metricCard(key.toStdString(), facts);
        const MetricSide& one = side(card, tag.toStdString());
        QCOMPARE(text(one.worked), worked);
        QCOMPARE(text(one.counted), counted);
        // If every session counts there is nothing to explain.
        for (const MetricSide& usual : metricCard(key.toStdString(), smallRun()).sides)
            QCOMPARE(text(usual.counted), QString());
    }

    void aMeanWhoseTermsAreNotAllKnownIsNotWorkedOut() {
        MetricFacts facts = smallRun();
        facts.summary.a_avg = 0.4;
        facts.summary.sessions_ended = 3;
        const MetricSide avg = metricCard("a_avg", facts).sides.front();
        QCOMPARE(*avg.value, 0.4);
        QCOMPARE(text(avg.worked), QString());
        // An imported result may lack everything else.
        MetricFacts bare;
        bare.summary.a_avg = 0.4;
        QCOMPARE(text(metricCard("a_avg", bare).sides.front().worked), QString());
    }

    void whereThereIsNoNumberTheCardSaysWhy_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("reason");
        QTest::newRow("nothing on the way") << "a_auc"
                                            << "never"
                                            << "Evaluate every is only at session ends, so nothing";
        QTest::newRow("short stream") << "a_auc"
                                      << "short"
                                      << "The stream has only 900 images";
        QTest::newRow("not yet") << "a_auc"
                                 << "live"
                                 << "The first point comes after 1,000 images.";
        QTest::newRow("stopped early") << "a_auc"
                                       << "stopped"
                                       << "The run ended before it was evaluated on the way";
        QTest::newRow("no session yet") << "a_last"
                                        << "live"
                                        << "No session has ended yet";
        QTest::newRow("no session at all") << "f_last"
                                           << "stopped"
                                           << "The run ended before a session did.";
        QTest::newRow("one of two") << "f_last"
                                    << "one"
                                    << "Only 1 of 2 sessions has ended";
        QTest::newRow("one of two, code") << "f_last_classwise"
                                          << "one"
                                          << "Only 1 of 2 sessions has ended";
        QTest::newRow("one session") << "f_last"
                                     << "single"
                                     << "Not defined for a single session";
        QTest::newRow("one session, code") << "f_last_classwise"
                                           << "single"
                                           << "the code itself reports −999";
        QTest::newRow("backward transfer, one of two") << "bwt_last"
                                                       << "one"
                                                       << "Only 1 of 2 sessions has ended";
        QTest::newRow("nothing is chosen") << "router_accuracy"
                                           << "no class"
                                           << "Only runs of methods that choose";
        QTest::newRow("class by class, later") << "f_last_classwise"
                                               << "going on"
                                               << "Known once the run has ended";
        QTest::newRow("never right before") << "f_last_classwise"
                                            << "no class"
                                            << "No class was answered rightly before";
    }
    void whereThereIsNoNumberTheCardSaysWhy() {
        QFETCH(QString, key);
        QFETCH(QString, change);
        QFETCH(QString, reason);
        MetricFacts facts = smallRun();
        const auto nothing = [&] {
            facts.anytime.clear();
            facts.session_ends.clear();
            facts.r.clear();
            facts.tested.reset();
            facts.summary = {};
        };
        if (change == "never") facts.anytime.clear(), facts.every_samples = 0;
        if (change == "short") facts.anytime.clear(), facts.total_samples = 900;
        if (change == "live") nothing(), facts.over = false;
        if (change == "stopped") nothing();
        if (change == "one" || change == "single") {
            nothing();
            facts.r = {{0.9}};
            facts.session_ends = {0.9};
            facts.sessions = change == "single" ? 1 : 2;
        }
        if (change == "going on") facts.summary = {}, facts.over = false;
        if (change == "no class") facts.summary.f_last_classwise.reset();
        const MetricCard card = metricCard(key.toStdString(), facts);
        const MetricSide& one = side(card, toText(findMetric(key.toStdString())->family));
        QVERIFY(!one.value);
        QVERIFY2(text(one.undefined).contains(reason), one.undefined.c_str());
        QVERIFY(one.worked.empty());
    }

    void aRunThatGoesOnSaysHowFar() {
        MetricFacts facts = smallRun();
        facts.over = false;
        facts.sessions = 5;
        facts.summary = {};
        QCOMPARE(text(metricCard("a_auc", facts).stage), QString("so far"));
        QCOMPARE(text(metricCard("a_last", facts).stage), QString("after 2 of 5 sessions"));
        facts.over = true;
        QCOMPARE(text(metricCard("a_auc", facts).stage), QString("as far as the run went"));
    }

    void aCurveShowsItsLastPoint() {
        QCOMPARE(text(curveCard("anytime", smallRun()).sides.front().worked), QString("a_3 = 70.0 %"));
        QCOMPARE(text(curveCard("retention", smallRun()).sides.front().worked),
                 QString("R_2,1 = 60.0 %, R_2,2 = 70.0 %"));
        for (const CurveMeaning& curve : curveMeanings()) {
            const MetricCard card = curveCard(curve.key, {});
            QVERIFY(card.sides.front().worked.empty());
            QCOMPARE(text(card.sides.front().undefined), QString(curve.undefined));
        }
    }

    void formulasCanBeWrittenWithoutHtml_data() {
        QTest::addColumn<QString>("html");
        QTest::addColumn<QString>("plain");
        QTest::newRow("letter") << "a<sub>l</sub>"
                                << "a_l";
        QTest::newRow("indices") << "R<sub>T,j</sub> − 1"
                                 << "R_T,j − 1";
        QTest::newRow("range") << "Σ<sub>l = 1…L</sub> a"
                               << "Σ_{l = 1…L} a";
        QTest::newRow("entity") << "max<sub>t&lt;T</sub> a &gt; 0"
                                << "max_{t<T} a > 0";
    }
    void formulasCanBeWrittenWithoutHtml() {
        QFETCH(QString, html);
        QFETCH(QString, plain);
        QCOMPARE(text(plainFormula(html.toStdString())), plain);
    }

    void thePageAboutNumbersSaysTheSame() {
        const std::string page = readTextFile(resourceFolder() / "docs" / "metrics.md");
        QVERIFY2(page.find(metricMarkdown()) != std::string::npos,
                 "Put what metricMarkdown() returns into resources/docs/metrics.md.");
    }
};

PALIMPSEST_APPLESS_TEST(TestMetricCard)

}  // namespace tst_metric_card

#include "tst_metric_card.moc"
