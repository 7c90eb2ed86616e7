// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QtTest>

#include <QAbstractButton>
#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <cmath>

#include "tests/support/test_program.h"
#include "ui/plots/curve_graph.h"
#include "ui/pretrained/adaptation_log.h"
#include "ui/pretrained/adaptation_plot.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"

using namespace palimpsest;

namespace tst_adaptation_plot {

namespace {

AdaptationProgress at(std::int64_t step, double loss, double other = 0) {
    AdaptationProgress report;
    report.step = step;
    report.epoch = 1 + step / 100;
    report.samples_seen = 32 * step;
    report.loss = loss;
    report.other_loss = other;
    report.accuracy = 0.25;
    return report;
}

struct Scene {
    explicit Scene(bool other = false) : plot(&log) {
        plot.resize(640, 360);
        plot.show();
        log.restart(other);
    }
    QCPGraph* graph(int index) const { return plot.canvas()->graph(index); }

    AdaptationLog log;
    AdaptationPlot plot;
};

constexpr int kRaw = 0, kOther = 1, kMean = 2;  // graphs, in the order they are drawn

}  // namespace

class TestAdaptationPlot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCurveThatBeginsLaterSaysSo() {
        Scene scene;
        auto* panel = scene.plot.findChild<Panel*>();
        scene.plot.setSteps(36, 100);
        QVERIFY2(panel->caption().contains("from step 37 on"), qPrintable(panel->caption()));
        scene.plot.setSteps(0, 100);
        QVERIFY2(!panel->caption().contains("step"), qPrintable(panel->caption()));
        QVERIFY(scene.plot.canvas()->toolTip().contains("rises while new classes are met"));
    }

    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void eachReportIsAPointAndTheMeanFollowsThem() {
        Scene scene(true);
        scene.plot.setSteps(0, 40);
        scene.log.append({at(1, 2, 3), at(2, 1, 3), at(4, 1, 2)});
        scene.plot.drawNow();
        QCOMPARE(scene.graph(kRaw)->dataCount(), 3);
        QCOMPARE(scene.graph(kRaw)->dataMainKey(2), 4.0);
        QCOMPARE(scene.graph(kRaw)->dataMainValue(2), 1.0);
        // Six per cent of each new value.
        QCOMPARE(scene.graph(kMean)->dataMainValue(0), 2.0);
        QCOMPARE(scene.graph(kMean)->dataMainValue(1), 1.94);
        QCOMPARE(scene.graph(kMean)->dataMainValue(2), 1.94 - 0.06 * 0.94);
        QCOMPARE(scene.graph(kOther)->dataMainValue(2), 2.94);
    }

    void theAxesReachFromTheFirstStepToTheLast() {
        Scene scene;
        scene.plot.setSteps(100, 500);
        scene.log.append({at(101, 2.5), at(102, 2.5)});
        scene.plot.drawNow();
        QCOMPARE(scene.plot.canvas()->xAxis->range().lower, 100.0);
        QCOMPARE(scene.plot.canvas()->xAxis->range().upper, 500.0);
        QCOMPARE(scene.plot.canvas()->yAxis->range().lower, 0.0);
        QCOMPARE(scene.plot.canvas()->yAxis->range().upper, 3.0);
        // A lone spike does not press the curve flat.
        scene.log.append({at(103, 40)});
        scene.plot.drawNow();
        QVERIFY(scene.plot.canvas()->yAxis->range().upper < 10);
    }

    void aHundredThousandReportsAreDrawn() {
        Scene scene;
        scene.plot.setSteps(0, 100'000);
        QVector<AdaptationProgress> reports;
        for (std::int64_t step = 1; step <= 100'000; ++step)
            reports.append(at(step, 1 + std::exp(-static_cast<double>(step) / 2e4)));
        scene.log.append(reports);
        scene.plot.drawNow();
        QCOMPARE(scene.plot.points(), 100'000);
        QCOMPARE(scene.log.rowCount(), 100'000);
        QCOMPARE(scene.log.nearest(70'000.4), qsizetype(69'999));
        const QPointF at(scene.plot.canvas()->xAxis->coordToPixel(50'000), scene.plot.canvas()->height() / 2.0);
        QMouseEvent move(QEvent::MouseMove, at, scene.plot.canvas()->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(scene.plot.canvas(), &move);
        QVERIFY(scene.plot.readout());
        QVERIFY(std::abs(scene.plot.readout()->x - at.x()) <= 1);
    }

    void whatIsLearnedAgainIsTakenOutOfTheCurve() {
        Scene scene;
        scene.log.append({at(1, 2), at(5, 2), at(9, 2)});
        scene.plot.drawNow();
        scene.log.keepUpTo(5);
        scene.log.append({at(6, 1)});
        scene.plot.drawNow();
        QCOMPARE(scene.graph(kRaw)->dataCount(), 3);
        QCOMPARE(scene.graph(kRaw)->dataMainKey(2), 6.0);
    }

    void whatIsLearnedAgainIsDrawnAnew() {
        Scene scene;
        const auto learn = [&](std::int64_t from, double loss) {
            QVector<AdaptationProgress> reports;
            for (std::int64_t step = from; step <= 4000; ++step) reports.append(at(step, loss));
            scene.log.append(reports);
            scene.plot.drawNow();
        };
        const auto* raw = dynamic_cast<const CurveGraph*>(scene.graph(kRaw));
        QVERIFY(raw);
        learn(1, 5);
        QCOMPARE(raw->extremes(1001, 4000).high, 5.0);
        // As many come again before the next frame as were taken away.
        scene.log.keepUpTo(1000);
        learn(1001, 2);
        QCOMPARE(raw->extremes(1001, 4000).high, 2.0);
    }

    void theNearestReportIsFound_data() {
        QTest::addColumn<double>("step");
        QTest::addColumn<int>("row");
        QTest::newRow("before the first") << -3.0 << 0;
        QTest::newRow("nearer to the lower") << 14.0 << 0;
        QTest::newRow("nearer to the upper") << 16.0 << 1;
        QTest::newRow("on one") << 20.0 << 1;
        QTest::newRow("after the last") << 99.0 << 2;
    }
    void theNearestReportIsFound() {
        QFETCH(double, step);
        QFETCH(int, row);
        AdaptationLog log;
        QCOMPARE(log.nearest(step), qsizetype(-1));
        log.append({at(10, 1), at(20, 1), at(40, 1)});
        QCOMPARE(log.nearest(step), qsizetype(row));
    }

    void theKeyboardReadsTheCurve() {
        Scene scene(true);
        scene.plot.setSteps(0, 40);
        scene.log.append({at(10, 2, 3), at(20, std::nan(""), 2.5), at(30, 1, 2)});
        scene.plot.drawNow();
        QCustomPlot* canvas = scene.plot.canvas();
        QCOMPARE(canvas->focusPolicy(), Qt::StrongFocus);
        QTest::keyClick(canvas, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(scene.plot.readout());
        QCOMPARE(scene.plot.readout()->heading, QString("Step 30 · epoch 1 · 960 images"));
        QCOMPARE(scene.plot.readout()->rows.size(), 2);
        QCOMPARE(scene.plot.readout()->rows[0].value, QString("1.000"));
        QVERIFY(canvas->accessibleDescription().contains("Step 30"));
        QTest::keyClick(canvas, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(scene.plot.readout()->rows[0].value, QString("not a number"));
        QCOMPARE(scene.plot.readout()->rows[1].value, QString("2.500"));
        QVERIFY(std::isfinite(scene.plot.readout()->rows[0].at.y()));
        for (int i = 0; i < 3; ++i) QTest::keyClick(canvas, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(scene.plot.readout()->heading.startsWith("Step 10 "));
        QTest::keyClick(canvas, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(scene.plot.readout()->heading.startsWith("Step 20 "));
        QTest::keyClick(canvas, Qt::Key_Escape);
        QVERIFY(!scene.plot.readout());
    }

    void theFigureForPapersHoldsTheSameCurves() {
        Scene scene(true);
        scene.log.append({at(1, 2, 3), at(2, std::nan(""), 2.5), at(3, 1, 2)});
        const report::Publication all = adaptationPublication(scene.log.reports(), true);
        QCOMPARE(all.pieces.size(), std::size_t{1});
        const report::Piece& piece = all.pieces.front();
        const auto& curves = std::get<report::CurveFigure>(piece.figure->content);
        QCOMPARE(curves.series.size(), std::size_t{2});
        QCOMPARE(curves.series[0].points.size(), std::size_t{2});
        QCOMPARE(curves.series[0].points[1].y, nextMean(2, 1));
        QCOMPARE(curves.series[0].members.front().size(), std::size_t{2});
        QCOMPARE(curves.series[1].points.size(), std::size_t{3});
        QVERIFY(curves.y.high >= 3);
        QCOMPARE(curves.x.high, 3.0);
        QCOMPARE(piece.csv, std::string("step,epoch,images,loss,perturbing_loss,batch_accuracy\n"
                                        "1,1,32,2,3,0.25\n2,1,64,,2.5,0.25\n3,1,96,1,2,0.25\n"));
    }

    void theButtonAsksToExport() {
        Scene scene;
        QSignalSpy asked(&scene.plot, &AdaptationPlot::exportAsked);
        scene.plot.findChild<QAbstractButton*>("adaptationExport")->click();
        QCOMPARE(asked.count(), 1);
    }
};

PALIMPSEST_TEST(TestAdaptationPlot)

}  // namespace tst_adaptation_plot

#include "tst_adaptation_plot.moc"
