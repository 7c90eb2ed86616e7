// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolTip>

#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/retention_plot.h"
#include "ui/plots/metric_chip.h"
#include "ui/plots/metric_hover.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/curve_options.h"
#include "ui/state/metric_facts.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"

#include <qcustomplot.h>

using namespace palimpsest;

namespace tst_metric_hover {

class TestMetricHover : public QObject {
    Q_OBJECT
private:
    static void rest(QWidget* widget, const QPoint& point) {
        QHelpEvent help(QEvent::ToolTip, point, widget->mapToGlobal(point));
        QCoreApplication::sendEvent(widget, &help);
    }
    static MetricTip* cardOf(QWidget* window) {
        for (auto* tip : window->findChildren<MetricTip*>())
            if (tip->isVisible()) return tip;
        return nullptr;
    }
    /// A finished run of the store, selected.
    static void show(RunSet& store, RunRecord record) {
        const QString id = QString::fromStdString(record.folder.string());
        store.addRecord(record);
        store.setVisible(id, true);
        store.select(id);
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void theFactsOfARunAreItsPoints() {
        RunSet store;
        const RunRecord record = testing::madeUpRecord("/runs/a", "batch", 0.5, 1, 1000);
        store.addRecord(record);
        const MetricFacts facts = metricFacts(*store.find("/runs/a"), &record);
        QCOMPARE(facts.anytime.size(), record.anytime.size());
        QCOMPARE(facts.r.size(), std::size_t{5});
        QCOMPARE(facts.r[4].size(), std::size_t{5});
        QCOMPARE(*facts.r[2][1], record.retention[4].accuracy);
        QCOMPARE(facts.tested, std::optional<std::int64_t>(500));
        QCOMPARE(facts.sessions, std::int64_t{5});
        QVERIFY(facts.over);
        const MetricFacts same = metricFacts(record);
        QCOMPARE(same.anytime, facts.anytime);
        QVERIFY(same.r == facts.r);
    }

    void restingOnTheAreaShowsItsFormulaWithTheRunsValues() {
        RunSet store;
        AccuracyPlot plot(&store);
        plot.resize(900, 500);
        plot.show();
        RunRecord record = testing::madeUpRecord("/runs/a", "batch");
        record.anytime = {{1000, 0, 0.5, 1, 2, 1}, {2000, 1, 0.6, 1, 4, 2}, {3000, 2, 0.7, 1, 6, 3}};
        show(store, record);
        plot.drawNow();
        rest(plot.chip(), {5, 5});
        MetricTip* card = cardOf(&plot);
        QVERIFY(card);
        QVERIFY2(card->text().contains("(50.0 + 60.0 + 70.0) / 3 = 60.0 %"), qPrintable(card->text()));
        QVERIFY(card->text().contains("paper, and published code and tables"));
        QVERIFY(plot.rect().contains(card->geometry()));
        QCOMPARE(card->accessibleDescription(), card->text());
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(plot.chip(), &leave);
        QVERIFY(!cardOf(&plot));
    }

    void whatHollowPointsAreIsToldAtTheirKey() {
        RunSet store;
        AccuracyPlot plot(&store);
        plot.resize(900, 500);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        RunRecord record = testing::madeUpRecord("/runs/a", "batch");
        record.early = {{64, 0, 0.75, 0.5, 3, 6}};
        show(store, record);
        plot.drawNow();
        QVERIFY(plot.decor().hollowKey().contains("early look"));
        const QRectF key = plot.decor().hollowKeyRect();
        QVERIFY(QRectF(plot.canvas()->rect()).contains(key) && key.width() > 50);
        rest(plot.canvas(), key.center().toPoint());
        QTRY_VERIFY2(QToolTip::text().contains("An early look tests a few images"), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void besideAShorterRunTheCardIsOfTheStretchThatBothHaveSeen() {
        RunSet store;
        AccuracyPlot plot(&store);
        plot.resize(900, 500);
        plot.show();
        RunRecord shorter = testing::madeUpRecord("/runs/b", "none");
        shorter.state = RecordedState::Stopped;
        shorter.retention.clear();
        shorter.anytime = {{1000, 0, 0.1, 1, 2, 1}, {2000, 1, 0.2, 1, 4, 2}};
        store.addRecord(shorter);
        store.setVisible("/runs/b", true);
        RunRecord record = testing::madeUpRecord("/runs/a", "batch");
        record.anytime = {{1000, 0, 0.5, 1, 2, 1}, {2000, 1, 0.6, 1, 4, 2}, {3000, 2, 0.7, 1, 6, 3}};
        show(store, record);
        plot.drawNow();
        QVERIFY2(plot.chip()->text().contains("55.0"), qPrintable(plot.chip()->text()));
        rest(plot.chip(), {5, 5});
        QVERIFY(cardOf(&plot));
        QVERIFY2(cardOf(&plot)->text().contains("(50.0 + 60.0) / 2 = 55.0 %"), qPrintable(cardOf(&plot)->text()));
        QVERIFY(cardOf(&plot)->text().contains("up to 2,000 images"));
    }

    void whereTheChipHasAMeanTheCardExplainsTheMean() {
        RunSet store;
        CurveCursor cursor;
        CurveOptions options;
        AccuracyPlot plot(&store);
        plot.share(&cursor, &options);
        plot.resize(900, 500);
        plot.show();
        const auto add = [&](const std::string& mask, std::int64_t seed, double accuracy) {
            RunRecord record = testing::madeUpRecord("/runs/" + mask + std::to_string(seed), mask, accuracy, seed);
            for (AnytimePoint& point : record.anytime) point.accuracy = accuracy;
            show(store, record);
        };
        for (const auto& [seed, accuracy] : {std::pair(1, 0.5), std::pair(2, 0.6)}) add("none", seed, accuracy);
        for (const auto& [seed, accuracy] : {std::pair(1, 0.7), std::pair(2, 0.9)}) add("batch", seed, accuracy);
        CurveOptions::Values values = options.values();
        values.band = CurveOptions::Band::Deviation;
        options.set(values);
        plot.drawNow();
        QVERIFY2(plot.chip()->text().contains("80.0 ± 14.1 N = 2"), qPrintable(plot.chip()->text()));
        rest(plot.chip(), {5, 5});
        QVERIFY(cardOf(&plot));
        const QString text = cardOf(&plot)->text();
        for (const char* words : {"(70.0 + 90.0) / 2 = 80.0 %", "seed 1: 70.0 %, seed 2: 90.0 %", "± 14.1, the sample",
                                  "Difference: 80.0 − 55.0 = +25.0 points", "Seed by seed: +20.0, +30.0; mean +25.0"})
            QVERIFY2(text.contains(words), qPrintable(text));
    }

    void theMeanInALineOfTheListHasItsCard() {
        QTemporaryDir folder;
        const OptionTable table(testCatalogue());
        for (const int seed : {1, 2}) testing::writeMadeUpRun(table, folder.path().toStdString(), "none", seed);
        RunLibrary library(&table, folder.path().toStdString());
        RunSet store;
        RunsPanel panel(&store, &library);
        panel.resize(1200, 500);
        panel.show();
        panel.model()->setGrouped(true);
        library.refresh();
        QTRY_COMPARE(panel.view()->model()->rowCount(), 1);
        panel.view()->setCurrentIndex(panel.view()->model()->index(0, RunTableModel::AreaUnderCurve));
        QTest::keyClick(panel.view(), Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(cardOf(&panel));
        const QString text = cardOf(&panel)->text();
        QVERIFY2(text.contains("(50.0 + 50.0) / 2 = 50.0 %") && text.contains("seed 2: 50.0 %"), qPrintable(text));
    }

    void theKeyboardShowsTheCardAndPutsItAway() {
        RunSet store;
        AccuracyPlot plot(&store);
        plot.resize(900, 500);
        plot.show();
        show(store, testing::madeUpRecord("/runs/a", "batch"));
        plot.drawNow();
        QVERIFY(plot.chip()->focusPolicy() & Qt::TabFocus);
        plot.chip()->setFocus();
        QTest::keyClick(plot.chip(), Qt::Key_Return);
        QVERIFY(cardOf(&plot));
        QTest::keyClick(plot.chip(), Qt::Key_Escape);
        QVERIFY(!cardOf(&plot));
        QTest::keyClick(plot.chip(), Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(cardOf(&plot));
        QTest::keyClick(plot.chip(), Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(!cardOf(&plot));
    }

    void aFiguresHeadingExplainsItsCurve() {
        RunSet store;
        RetentionPlot plot(&store);
        plot.resize(900, 500);
        plot.show();
        auto* title = plot.findChild<QLabel*>("panelTitle");
        rest(title, {3, 3});
        QVERIFY(cardOf(&plot));
        QVERIFY2(cardOf(&plot)->text().contains("No session has ended yet."), qPrintable(cardOf(&plot)->text()));
        RunRecord record = testing::madeUpRecord("/runs/a", "batch");
        show(store, record);
        plot.drawNow();
        QTest::keyClick(plot.canvas(), Qt::Key_F1, Qt::ShiftModifier);  // puts it away first
        QTest::keyClick(plot.canvas(), Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(cardOf(&plot));
        QVERIFY2(cardOf(&plot)->text().contains("R_5,1 = 50.0 %"), qPrintable(cardOf(&plot)->text()));
    }

    void theFactsSayWhichClassesCountForASession() {
        RunSet store;
        RunRecord record = testing::madeUpRecord("/runs/a", "batch", 0.5, 1, 1000);
        QVERIFY(!metricFacts(record).disjoint_only);
        record.experiment.evaluation.session_data = "disjoint";
        // Session 3 had none.
        std::erase_if(record.retention, [](const RetentionPoint& point) { return point.session == 2; });
        const MetricFacts facts = metricFacts(record);
        QVERIFY(facts.disjoint_only);
        MetricTip tip(nullptr);
        tip.setCard(metricCard("a_last", facts), "a");
        QVERIFY2(tip.text().contains("Over 4 of 5 sessions; session 3 brought no disjoint class to test."),
                 qPrintable(tip.text()));
    }

    void aNumberInTheListOfRunsHasItsCard() {
        QTemporaryDir folder;
        const OptionTable table(testCatalogue());
        testing::writeStoppedRun(table, folder.path().toStdString());
        RunLibrary library(&table, folder.path().toStdString());
        RunSet store;
        RunsPanel panel(&store, &library);
        panel.resize(1200, 500);
        panel.show();
        library.refresh();
        QTRY_COMPARE(panel.view()->model()->rowCount(), 1);
        const auto placeOf = [&](int column) {
            const QModelIndex index = panel.view()->model()->index(0, column);
            panel.view()->scrollTo(index);
            return panel.view()->visualRect(index).center();
        };
        rest(panel.view()->viewport(), placeOf(RunTableModel::LastForgetting));
        QVERIFY(cardOf(&panel));
        const QString text = cardOf(&panel)->text();
        QVERIFY2(text.contains("F_Last") && text.contains("after 2 of 5 sessions"), qPrintable(text));
        QVERIFY2(text.contains("((90.0 − 88.0) + (80.0 − 80.0)) / 2 = "), qPrintable(text));
        QVERIFY(text.contains("published code and tables"));
        // Elsewhere the table's own tooltip shows.
        rest(panel.view()->viewport(), placeOf(RunTableModel::Name));
        panel.view()->setCurrentIndex(panel.view()->model()->index(0, RunTableModel::LastAccuracy));
        QTest::keyClick(panel.view(), Qt::Key_Escape);
        QVERIFY(!cardOf(&panel));
        QTest::keyClick(panel.view(), Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(cardOf(&panel));
        QVERIFY(cardOf(&panel)->text().contains("A_Last"));
    }
};

PALIMPSEST_TEST(TestMetricHover)

}  // namespace tst_metric_hover

#include "tst_metric_hover.moc"
