// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QtTest>
#include <array>
#include <numeric>

#include "engine/support/error.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/plot_scene.h"
#include "tests/support/test_program.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/plots/curve_graph.h"
#include "ui/plots/metric_chip.h"
#include "ui/plots/metric_hover.h"
#include "ui/plots/plot_style.h"
#include "ui/state/run_set.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_accuracy_plot {

class TestAccuracyPlot : public QObject {
    Q_OBJECT
private:
    /// The line that carries most points: evaluations, not ends of sessions.
    static QCPGraph* lineOf(const AccuracyPlot& plot, int which = 0) {
        int found = 0;
        for (int i = 0; i < plot.canvas()->graphCount(); ++i)
            if (QCPGraph* graph = plot.canvas()->graph(i);
                // Dotted is what would be without learning.
                graph->lineStyle() != QCPGraph::lsNone && graph->pen().style() != Qt::DotLine && found++ == which)
                return graph;
        return nullptr;
    }

    static QCPGraph* shadedLine(const AccuracyPlot& plot) {
        QCPGraph* shaded = nullptr;
        for (int i = 0; i < plot.canvas()->graphCount(); ++i)
            if (plot.canvas()->graph(i)->brush().style() != Qt::NoBrush) {
                if (shaded) return nullptr;
                shaded = plot.canvas()->graph(i);
            }
        return shaded;
    }

    /// Rests the mouse over a place of the axis.
    static void readAt(const AccuracyPlot& plot, double images) {
        const QPointF place(plot.canvas()->xAxis->coordToPixel(images), 60);
        QMouseEvent move(QEvent::MouseMove, place, plot.canvas()->mapToGlobal(place), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(plot.canvas(), &move);
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void ticksNamesAndChipFollowTheTextSize() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        plot.drawNow();
        const int tick = plot.canvas()->xAxis->tickLabelFont().pixelSize();
        const double name = plot.decor().labelRects().at(0).height();
        const int chip = plot.findChild<MetricChip*>("areaChip")->sizeHint().height();
        applyTextSize(*qApp, TextSize::VeryLarge);
        plot.drawNow();
        QCOMPARE(plot.canvas()->xAxis->tickLabelFont().pixelSize(), qRound(tick * 1.5));
        QVERIFY(plot.decor().labelRects().at(0).height() > 1.3 * name);
        QCOMPARE(plot.findChild<MetricChip*>("areaChip")->sizeHint().height(), qRound(chip * 1.5));
    }

    void pointsAreAppendedWithoutTouchingOldOnes() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        plot.drawNow();
        QCPGraph* line = lineOf(plot);
        QVERIFY(line);
        QCOMPARE(line->dataCount(), 1);
        // A mark that would vanish if old points were written again.
        line->data()->begin()->value = 12.5;
        store.onEvaluated(madeUpEvaluation(1, 200, 0.5));
        plot.drawNow();
        QCOMPARE(lineOf(plot), line);
        QCOMPARE(line->dataCount(), 2);
        QCOMPARE(line->data()->at(0)->value, 12.5);
        QCOMPARE(line->data()->at(1)->value, 50.0);
    }

    void manyPointsAreDrawnInOneFrame() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        const auto* timer = plot.findChild<QTimer*>("frameTimer");
        QVERIFY(timer);
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        plot.drawNow();
        QVERIFY2(!timer->isActive(), "drawing asks for another drawing");
        QSignalSpy drawn(plot.canvas(), &QCustomPlot::afterReplot);
        for (int i = 1; i <= 60; ++i) store.onEvaluated(madeUpEvaluation(1, 100 * i, 0.4));
        QCOMPARE(drawn.count(), 0);
        QCOMPARE(lineOf(plot)->dataCount(), 0);
        QVERIFY(timer->isActive());
        QTRY_COMPARE(drawn.count(), 1);
        QCOMPARE(lineOf(plot)->dataCount(), 60);
        QVERIFY(!timer->isActive());
    }

    void onlyItsOwnPointsDrawTheFigureAgain() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        plot.drawNow();
        const auto* timer = plot.findChild<QTimer*>("frameTimer");
        store.onSessionEnded(madeUpSessionEnd(1, 0));
        QVERIFY(!timer->isActive());
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        QVERIFY(timer->isActive());
    }

    void markersOnTheBorderAreDrawnWhole_data() {
        QTest::addColumn<double>("accuracy");
        QTest::newRow("nothing right") << 0.0;
        QTest::newRow("all right") << 1.0;
    }
    void markersOnTheBorderAreDrawnWhole() {
        QFETCH(double, accuracy);
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, kImages, accuracy, EvaluationKind::SessionEnd));
        plot.drawNow();
        const QPointF centre(plot.canvas()->xAxis->coordToPixel(kImages),
                             plot.canvas()->yAxis->coordToPixel(accuracy * 100));
        const QImage image = plot.canvas()->grab().toImage();
        const auto strength = [&](QPointF away) {
            const QColor colour = image.pixelColor((centre + away).toPoint());
            const Theme& theme = Theme::darkTheme();
            return std::abs(colour.blue() - theme.panel.blue()) + std::abs(colour.green() - theme.panel.green());
        };
        // The hollow marker's outline shows on all four sides.
        for (const QPointF& away : {QPointF(-3.5, 0), QPointF(3.5, 0), QPointF(0, -3.5), QPointF(0, 3.5)})
            QVERIFY2(strength(away) > 60, qPrintable(QString("%1 %2").arg(away.x()).arg(away.y())));
    }

    void theEndOfTheLastSessionIsSeenBesideTheEndOfTheCurve_data() {
        QTest::addColumn<Appearance>("appearance");
        QTest::addColumn<int>("newest");  // evaluation before it
        for (const auto& [name, appearance] :
             {std::pair("on a screen", Appearance::Dark), std::pair("on a wall", Appearance::Projector)})
            for (const int newest : {5960, 5900}) QTest::addRow("%s, %d", name, newest) << appearance << newest;
    }
    void theEndOfTheLastSessionIsSeenBesideTheEndOfTheCurve() {
        QFETCH(Appearance, appearance);
        QFETCH(int, newest);
        applyAppearance(*qApp, appearance);
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        for (const int samples : {1000, newest}) store.onEvaluated(madeUpEvaluation(1, samples, 0.5));
        store.onEvaluated(madeUpEvaluation(1, kImages, 0.5, EvaluationKind::SessionEnd));
        plot.drawNow();
        const Theme& theme = Theme::of(&plot);
        const QPointF centre(plot.canvas()->xAxis->coordToPixel(kImages), plot.canvas()->yAxis->coordToPixel(50));
        const QImage image = plot.canvas()->grab().toImage();
        // Hollow, with its rim all around it, and nothing written over it.
        QCOMPARE(image.pixelColor(centre.toPoint()).name(), theme.panel.name());
        const double rim = 3.5 * theme.weight;
        for (const QPointF& away : {QPointF(-rim, 0), QPointF(rim, 0), QPointF(0, -rim), QPointF(0, rim)}) {
            const QColor colour = image.pixelColor((centre + away).toPoint());
            const int strength =
                std::abs(colour.blue() - theme.panel.blue()) + std::abs(colour.green() - theme.panel.green());
            QVERIFY2(strength > 60, qPrintable(QString("%1 %2").arg(away.x()).arg(away.y())));
        }
        QVERIFY(plot.decor().labelRects().at(0).left() > centre.x() + rim);
    }

    void theKeyboardsFigureIsFramed() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        plot.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&plot));
        const QPoint edge(plot.canvas()->width() / 2, 0);
        plot.canvas()->setFocus(Qt::MouseFocusReason);
        const QColor plain = plot.canvas()->grab().toImage().pixelColor(edge);
        plot.canvas()->clearFocus();
        plot.canvas()->setFocus(Qt::TabFocusReason);
        QVERIFY(plot.canvas()->grab().toImage().pixelColor(edge) != plain);
    }

    void theAxisIsAsLongAsTheStreamFromTheStart() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        plot.drawNow();
        QCOMPARE(plot.canvas()->xAxis->range().lower, 0.0);
        QCOMPARE(plot.canvas()->xAxis->range().upper, double(kImages));
        store.onEvaluated(madeUpEvaluation(1, kImages, 0.4));
        plot.drawNow();
        QCOMPARE(plot.canvas()->xAxis->range().upper, double(kImages));
    }

    void namesHaveRoomOnceThereIsSomethingToName() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        const auto width = [&, &plot = plot] {
            plot.drawNow();
            return plot.canvas()->axisRect()->width();
        };
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        const int whole = width();
        QVERIFY2(whole > plot.canvas()->width() * 5 / 6, qPrintable(QString::number(whole)));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.05));
        const int named = width();
        QVERIFY(named < whole);
        // From then on the axes keep their width.
        store.onEvaluated(madeUpEvaluation(1, kImages, 1));
        QCOMPARE(width(), named);
    }

    void linesOfManySessionsInFewPixelsAreThinnedOut() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord many = madeUpRecord("/runs/a", "none");
        many.session_starts.clear();
        for (std::int64_t session = 0; session < 99; ++session) many.session_starts.push_back(session * kImages / 99);
        store.addRecord(many);
        store.setVisible("/runs/a", true);
        RunRecord lengthy = madeUpRecord("/runs/b", "batch");
        lengthy.total_samples = 20 * kImages;
        lengthy.anytime.back().samples_seen = 20 * kImages;
        store.addRecord(lengthy);
        store.setVisible("/runs/b", true);
        store.select("/runs/a");
        plot.drawNow();
        plot.drawNow();
        const std::vector<double>& lines = plot.decor().borderLines();
        QVERIFY(!lines.empty() && lines.size() < 20);
        for (std::size_t i = 1; i < lines.size(); ++i) QVERIFY(lines[i] - lines[i - 1] >= 6);
        // Few sessions keep all of theirs.
        store.setVisible("/runs/b", false);
        store.addRecord(madeUpRecord("/runs/c", "none"));
        store.setVisible("/runs/c", true);
        store.select("/runs/c");
        plot.drawNow();
        plot.drawNow();
        QCOMPARE(lines.size(), std::size_t(kSessions - 1));
    }

    void theAxisOfAccuraciesGrowsAsFarAsItsCurvesNeed() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        const auto upper = [&, &plot = plot] {
            plot.drawNow();
            return plot.canvas()->yAxis->range().upper;
        };
        QCOMPARE(upper(), 100.0);
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.1));
        // The guess of one of two classes is drawn, too.
        QCOMPARE(upper(), 60.0);
        store.onEvaluated(madeUpEvaluation(1, 200, 0.7));
        QCOMPARE(upper(), 80.0);
        store.onEvaluated(madeUpEvaluation(1, 300, 0.2));
        QCOMPARE(upper(), 80.0);
        store.addRecord(madeUpRecord("/runs/b", "none", 0.3));
        store.select("/runs/b");
        store.setVisible("/runs/b", true);
        QCOMPARE(upper(), 80.0);
        // Without the run that was higher it fits anew.
        store.setVisible("/runs/a", false);
        QCOMPARE(upper(), 40.0);
        CurveCursor cursor;
        CurveOptions options;
        plot.share(&cursor, &options);
        CurveOptions::Values values;
        values.whole_percent = true;
        options.set(values);
        QCOMPARE(upper(), 100.0);
        options.set({});
        QCOMPARE(upper(), 40.0);
    }

    void theAreaBelongsToTheSelectedRun() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.addRecord(madeUpRecord("/runs/a", "none", 0.4));
        store.addRecord(madeUpRecord("/runs/b", "batch", 0.7));
        store.setVisible("/runs/a", true);
        store.setVisible("/runs/b", true);
        plot.drawNow();
        QVERIFY(shadedLine(plot));
        QVERIFY(shadedLine(plot)->data()->at(0)->value < 60);
        QCOMPARE(shadedLine(plot)->pen().style(), Qt::SolidLine);
        store.select("/runs/b");
        plot.drawNow();
        QVERIFY(shadedLine(plot));
        QVERIFY(shadedLine(plot)->data()->at(0)->value > 60);
        for (int i = 0; i < 2; ++i)
            if (lineOf(plot, i) != shadedLine(plot)) {
                QCOMPARE(lineOf(plot, i)->pen().color(),
                         runColour(Theme::darkTheme(), store.find("/runs/a")->display.hue));
                QVERIFY(!lineOf(plot, i)->pen().dashPattern().isEmpty());
                QVERIFY(!lineOf(plot, i)->scatterStyle().isNone());
            }
    }

    void aRunKeepsItsColourWhicheverIsSelected() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        for (const auto& [folder, mask] : {std::pair("/runs/a", "none"), std::pair("/runs/b", "batch")}) {
            store.addRecord(madeUpRecord(folder, mask, 0.4));
            store.setVisible(folder, true);
        }
        const auto colours = [&plot] {
            plot.drawNow();
            return std::array{lineOf(plot, 0)->pen().color().name(), lineOf(plot, 1)->pen().color().name()};
        };
        const auto before = colours();
        QVERIFY(before[0] != before[1]);
        store.select("/runs/b");
        QCOMPARE(colours(), before);
        store.select("/runs/a");
        QCOMPARE(colours(), before);
    }

    void labelsDoNotOverlap_data() {
        QTest::addColumn<int>("runs");
        QTest::addColumn<double>("apart");
        QTest::newRow("two at the same height") << 2 << 0.0;
        QTest::newRow("five close together") << 5 << 0.01;
        QTest::newRow("eight") << 8 << 0.05;
    }
    void labelsDoNotOverlap() {
        QFETCH(int, runs);
        QFETCH(double, apart);
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        for (int i = 0; i < runs; ++i) {
            const std::string folder = "/runs/" + std::to_string(i);
            store.addRecord(madeUpRecord(folder, i % 2 ? "batch" : "none", 0.4 + apart * i, i));
            store.setVisible(QString::fromStdString(folder), true);
        }
        plot.drawNow();
        const std::vector<QRectF> rects = plot.decor().labelRects();
        QCOMPARE(rects.size(), std::size_t(runs) + 1);  // and chance
        for (std::size_t i = 0; i < rects.size(); ++i) {
            QVERIFY2(!rects[i].isEmpty(), "a label gave way although there is room");
            QVERIFY(QRectF(plot.canvas()->rect()).contains(rects[i]));
            QVERIFY2(rects[i].left() > plot.canvas()->axisRect()->right(), "a name stands on the curves");
            for (std::size_t k = 0; k < i; ++k) QVERIFY(!rects[i].intersects(rects[k]));
        }
    }

    void aChangeOfThemeRestylesTheFigure() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        store.onEvaluated(madeUpEvaluation(1, 4000, 0.5));
        plot.drawNow();
        const auto hue = static_cast<std::size_t>(store.selected()->display.hue);
        QCOMPARE(lineOf(plot)->pen().color(), Theme::darkTheme().runs.at(hue));
        const QColor corner = plot.canvas()->grab().toImage().pixelColor(1, 1);
        QCOMPARE(corner.name(), Theme::darkTheme().panel.name());
        applyAppearance(*qApp, Appearance::Light);
        QTRY_COMPARE(lineOf(plot)->pen().color(), Theme::lightTheme().runs.at(hue));
        QCOMPARE(plot.canvas()->xAxis->tickLabelColor(), Theme::lightTheme().quiet);
        QTRY_COMPARE(plot.canvas()->grab().toImage().pixelColor(1, 1).name(), Theme::lightTheme().panel.name());
    }

    void theChipComparesARunningRunOverTheSameStretch() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord other = madeUpRecord("/runs/a", "none");
        for (AnytimePoint& point : other.anytime) point.accuracy = point.samples_seen <= 200 ? 0.3 : 0.9;
        store.addRecord(other);
        store.setVisible("/runs/a", true);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        plot.drawNow();
        QVERIFY(plot.chip()->isHidden());
        store.onEvaluated(madeUpEvaluation(1, 100, 0.5));
        store.onEvaluated(madeUpEvaluation(1, 200, 0.6));
        plot.drawNow();
        QCOMPARE(plot.chip()->text(), QString("A_AUC 55.0 vs none run 30.0 so far +25.0"));
        store.onEvaluated(madeUpEvaluation(1, kImages, 0.55));
        store.onEnded(madeUpEnd(1, RunEnd::Finished));
        plot.drawNow();
        QCOMPARE(plot.chip()->text(), QString("A_AUC 55.0 vs none run 88.0 ") + QChar(0x2212) + "33.0");
    }

    void runsOfDifferentLengthsAreComparedOverTheSameStretch_data() {
        QTest::addColumn<bool>("stoppedIsPrimary");
        QTest::addColumn<QString>("text");
        QTest::newRow("the stopped run in full colour") << true << "A_AUC 50.0 vs none run 30.0 up to 200 +20.0";
        QTest::newRow("the whole run in full colour")
            << false << QString("A_AUC 30.0 vs batch run 50.0 up to 200 ") + QChar(0x2212) + "20.0";
    }
    void runsOfDifferentLengthsAreComparedOverTheSameStretch() {
        QFETCH(bool, stoppedIsPrimary);
        QFETCH(QString, text);
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord whole = madeUpRecord("/runs/a", "none");
        for (AnytimePoint& point : whole.anytime) point.accuracy = point.samples_seen <= 200 ? 0.3 : 0.9;
        store.addRecord(whole);
        store.setVisible("/runs/a", true);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        store.onEvaluated(madeUpEvaluation(1, 200, 0.6));
        store.onEnded(madeUpEnd(1, RunEnd::Stopped));
        if (!stoppedIsPrimary) store.select("/runs/a");
        plot.drawNow();
        QCOMPARE(plot.chip()->text(), text);
        QVERIFY2(plot.chip()->toolTip().contains("200 images"), qPrintable(plot.chip()->toolTip()));
    }

    void runsOfOtherStreamsHaveNoDifference() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord other = madeUpRecord("/runs/a", "none");
        for (AnytimePoint& point : other.anytime) point.accuracy = 0.3;
        other.fingerprint = "another";
        store.addRecord(other);
        store.setVisible("/runs/a", true);
        RunRecord run = madeUpRecord("/runs/b", "batch");
        for (AnytimePoint& point : run.anytime) point.accuracy = 0.5;
        run.fingerprint = "one";
        store.addRecord(run);
        store.select("/runs/b");
        plot.drawNow();
        QCOMPARE(plot.chip()->text(), QString("A_AUC 50.0 vs none run 30.0 other stream"));
        QVERIFY2(plot.chip()->toolTip().contains("another stream"), qPrintable(plot.chip()->toolTip()));
        run.fingerprint = "another";
        store.addRecord(run);
        plot.drawNow();
        QCOMPARE(plot.chip()->text(), QString("A_AUC 50.0 vs none run 30.0 +20.0"));
    }

    void theDifferenceIsThatOfTheNumbersShown_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("compared");
        QTest::addColumn<QString>("text");
        // 70.14 - 68.36 is 1.78.
        QTest::newRow("apart") << 0.7014 << 0.6836 << "A 70.1 vs 68.4 +1.7";
        QTest::newRow("as good as equal") << 0.70051 << 0.70149 << QString("A 70.1 vs 70.1 ") + QChar(0x00B1) + "0.0";
        QTest::newRow("worse") << 0.6836 << 0.7014 << QString("A 68.4 vs 70.1 ") + QChar(0x2212) + "1.7";
    }
    void theDifferenceIsThatOfTheNumbersShown() {
        QFETCH(double, value);
        QFETCH(double, compared);
        QFETCH(QString, text);
        MetricChip chip("A");
        chip.setContent({MetricChip::Number{value}, MetricChip::Number{compared}, {}, {}});
        QCOMPARE(chip.text(), text);
    }

    void aLongNameIsShortenedInTheChipAndWholeForTheEar() {
        const QString name = "a name of a run that is far too long for a chip, batches of 32, seed 4";
        MetricChip chip("A_AUC");
        chip.setContent({MetricChip::Number{0.5, 0.012, 3}, MetricChip::Number{0.4}, name, {}});
        chip.resize(chip.sizeHint());
        // Beside a mean a single run says that it is one.
        QCOMPARE(chip.text(), "A_AUC 50.0 ± 1.2 N = 3 vs " + name + " 40.0 N = 1 +10.0");
        QCOMPARE(chip.accessibleDescription(), chip.text());
        QVERIFY2(chip.shownText().startsWith("A_AUC 50.0 ± 1.2 N = 3 vs a name"), qPrintable(chip.shownText()));
        // Shortened in the middle: runs are often told apart at the end.
        QVERIFY2(chip.shownText().endsWith("seed 4 40.0 N = 1 +10.0"), qPrintable(chip.shownText()));
        QVERIFY(!chip.shownText().contains(name));
        // The difference stays when there is no room for more.
        chip.resize(chip.minimumSizeHint());
        QCOMPARE(chip.shownText(), QString("50.0 +10.0"));
        chip.setContent({MetricChip::Number{0.5}, MetricChip::Number{0.4}, "short", {}});
        chip.resize(chip.sizeHint());
        QCOMPARE(chip.shownText(), QString("A_AUC 50.0 vs short 40.0 +10.0"));
    }

    void aNarrowChipKeepsDifferenceAndWarning_data() {
        QTest::addColumn<TextSize>("size");
        QTest::addColumn<bool>("comparable");
        for (const bool comparable : {true, false}) {
            const char* what = comparable ? "difference" : "other stream";
            QTest::addRow("normal, %s", what) << TextSize::Normal << comparable;
            QTest::addRow("very large, %s", what) << TextSize::VeryLarge << comparable;
        }
    }
    void aNarrowChipKeepsDifferenceAndWarning() {
        QFETCH(TextSize, size);
        QFETCH(bool, comparable);
        applyTextSize(*qApp, size);
        MetricChip chip("A_AUC");
        const QString warning = comparable ? "other seeds" : "other stream";
        chip.setContent({MetricChip::Number{0.5, 0.012, 3}, MetricChip::Number{0.4, 0.034, 2},
                         "a run of a long name, seed 4", "up to 200", warning, comparable});
        // Parts that give way at a width stay away at any smaller one, in this order.
        const QStringList order{"±", "N = ", "seed 4", "up to 200", " vs ", "A_AUC"};
        qsizetype gone = 0;
        for (int width = chip.sizeHint().width(); width >= chip.minimumSizeHint().width(); --width) {
            chip.resize(width, chip.height());
            const QString text = chip.shownText();
            QVERIFY2(!text.endsWith("vs"), qPrintable(text));
            QVERIFY2(text.contains("50.0") && text.contains(warning), qPrintable(text));
            QCOMPARE(text.endsWith(" +10.0"), comparable);
            QCOMPARE(text.contains(" vs "), text.contains("40.0"));
            while (gone < order.size() && !text.contains(order[gone])) ++gone;
            for (qsizetype i = gone; i < order.size(); ++i)
                if (i != 2) QVERIFY2(text.contains(order[i]), qPrintable(text));
        }
        QCOMPARE(gone, order.size());
    }

    void theCardOfTheChipSaysWithWhatItIsCompared() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        const QString name = "a name of a run that is far too long for a chip";
        RunRecord other = madeUpRecord("/runs/a", "none");
        other.experiment.name = name.toStdString();
        store.addRecord(other);
        store.addRecord(madeUpRecord("/runs/b", "batch"));
        store.setBaseline({"/runs/a"});
        store.select("/runs/b");
        plot.drawNow();
        QVERIFY2(plot.chip()->toolTip().contains(name), qPrintable(plot.chip()->toolTip()));
        QTest::keyClick(plot.chip(), Qt::Key_Return);
        const auto* card = plot.findChild<MetricTip*>();
        QVERIFY(card);
        QVERIFY2(card->text().contains("vs " + name), qPrintable(card->text()));
    }

    void namesOfBackgroundRunsStandBesideTheirEnds() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        for (int i = 0; i < 4; ++i) {
            const std::string folder = "/runs/" + std::to_string(i);
            RunRecord record = madeUpRecord(folder, "none", 0.4 + 0.01 * i);
            record.experiment.name = "a name that is far too long for the figure, number " + std::to_string(i);
            // They end together, but not at the same image.
            record.anytime.resize(record.anytime.size() - static_cast<std::size_t>(i % 2));
            store.addRecord(record);
            store.setVisible(QString::fromStdString(folder), true);
        }
        store.select("/runs/2");
        plot.drawNow();
        const std::vector<QRectF> rects = plot.decor().labelRects();
        QCOMPARE(rects.size(), std::size_t(4) + 1);  // and chance
        for (const QRectF& rect : rects) {
            QVERIFY2(!rect.isEmpty(), "a name gave way");
            QVERIFY2(rect.left() > plot.canvas()->axisRect()->right() - 20, "a name stands on the curves");
        }
        for (const QString& text : plot.decor().labelTexts())
            QVERIFY2(text.startsWith("a name") || text.startsWith("chance"), qPrintable(text));
        plot.drawNow();
        QTest::keyClick(plot.canvas(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(plot.readout());
        QCOMPARE(plot.readout()->rows.at(0).name, store.label("/runs/2"));
    }

    void aRunWithoutAnyPointIsNotCompared() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord whole = madeUpRecord("/runs/a", "none");
        for (AnytimePoint& point : whole.anytime) point.accuracy = 0.3;
        store.addRecord(whole);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        store.select("/runs/a");
        plot.drawNow();
        QCOMPARE(plot.chip()->text(), QString("A_AUC 30.0"));
    }

    void wholeRunsAreComparedWholeHoweverOftenTheyWereEvaluated() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        for (const auto& [folder, every] : {std::pair("/runs/a", 100), std::pair("/runs/b", 1000)}) {
            RunRecord record = madeUpRecord(folder, "none", 0.5, 1, every);
            record.total_samples = kImages + 50;
            record.experiment.evaluation.every_samples = every;
            record.experiment.evaluation.session_data = "disjoint";
            std::erase_if(record.anytime, [&](const AnytimePoint& p) { return every > 100 && p.samples_seen > 5000; });
            for (AnytimePoint& point : record.anytime) point.accuracy = every > 100 ? 0.25 : 0.75;
            if (every > 100) record.anytime.push_back({kImages - 400, 4, 0.25, 1, 10, 100});
            store.addRecord(record);
            store.setVisible(folder, true);
        }
        store.select("/runs/a");
        plot.drawNow();
        QCOMPARE(plot.chip()->text(), QString("A_AUC 75.0 vs none run (2) 25.0 +50.0"));
    }

    void theAreaOfAnUnfinishedRunIsMarked_data() {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("text");
        QTest::newRow("running") << "running"
                                 << "A_AUC 30.0 so far";
        QTest::newRow("crashed") << "crashed"
                                 << "A_AUC 30.0 so far";
        QTest::newRow("stopped") << "stopped"
                                 << "A_AUC 30.0 so far";
        QTest::newRow("finished") << "finished"
                                  << "A_AUC 30.0";
    }
    void theAreaOfAnUnfinishedRunIsMarked() {
        QFETCH(QString, state);
        QFETCH(QString, text);
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord record = madeUpRecord("/runs/a", "none");
        for (AnytimePoint& point : record.anytime) point.accuracy = 0.3;
        if (state != "finished") record.anytime.resize(20);
        record.retention.clear();
        record.state = recordedState(state.toStdString());
        store.addRecord(record);
        store.setVisible("/runs/a", true);
        plot.drawNow();
        QCOMPARE(plot.chip()->text(), text);
        QCOMPARE(plot.chip()->toolTip().contains("2,000 of 6,000 images"), state != "finished");
    }

    void aKeySaysWhatHollowPointsAre() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 1000, 0.4));
        plot.drawNow();
        plot.canvas()->clearFocus();  // its frame
        QVERIFY(plot.decor().hollowKey().isEmpty());
        const auto ink = [&] {
            const QImage image = plot.canvas()->grab().toImage();
            const QRect area = plot.canvas()->axisRect()->rect();
            const int row = axisRowHeight(plot.canvas()->xAxis->tickLabelFont());
            int count = 0;
            for (int y = area.bottom() + kAxisGap + row; y < image.height(); ++y)
                for (int x = area.left(); x < area.center().x(); ++x)
                    count += image.pixelColor(x, y).name() != Theme::darkTheme().panel.name();
            return count;
        };
        QCOMPARE(ink(), 0);
        store.onEvaluated(madeUpEvaluation(1, 1200, 0.5, EvaluationKind::SessionEnd));
        plot.drawNow();
        QVERIFY2(plot.decor().hollowKey().contains("end of a session"), qPrintable(plot.decor().hollowKey()));
        QVERIFY(ink() > 50);
    }

    void anEarlyLookIsAHollowPointThatCountsNowhere() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEarlyLook({1, 64, 0, 6, 0.75, 0.5, 3, 256});
        plot.drawNow();
        QVERIFY2(plot.decor().hollowKey().contains("early look"), qPrintable(plot.decor().hollowKey()));
        QVERIFY2(plot.accessibleDescription().contains("75.0 % after 64 images"),
                 qPrintable(plot.accessibleDescription()));
        int points = 0;
        for (int i = 0; i < plot.canvas()->graphCount(); ++i) {
            const QCPGraph* graph = plot.canvas()->graph(i);
            if (graph->dataCount() == 0) continue;
            QCOMPARE(graph->lineStyle(), QCPGraph::lsNone);
            QVERIFY(graph->realVisibility());
            QCOMPARE(graph->data()->constBegin()->key, 64.0);
            QCOMPARE(graph->data()->constBegin()->value, 75.0);
            ++points;
        }
        QCOMPARE(points, 1);
        store.onEvaluated(madeUpEvaluation(1, 1000, 0.4));
        plot.drawNow();
        QCOMPARE(lineOf(plot)->dataCount(), 1);
        QVERIFY2(plot.chip()->text().contains("40.0"), qPrintable(plot.chip()->text()));
        QVERIFY(!plot.accessibleDescription().contains("early look"));
    }

    void anEarlyLookIsReadFromTheFolder() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord record = madeUpRecord("/runs/a", "batch");
        record.early = {{64, 0, 0.75, 0.5, 3, 6}};
        store.addRecord(record);
        store.setVisible("/runs/a", true);
        plot.drawNow();
        QCOMPARE(store.find("/runs/a")->points.early().size(), std::size_t{1});
        QVERIFY2(plot.decor().hollowKey().contains("early look"), qPrintable(plot.decor().hollowKey()));
    }

    void theUnitOfTheAxisIsDrawnWhole() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        plot.canvas()->clearFocus();  // its frame
        const QFont font = plot.canvas()->xAxis->tickLabelFont();
        const QColor ground = Theme::darkTheme().panel;
        const auto inkRows = [&](const QImage& image, const QRect& part) {
            int rows = 0;
            for (int y = part.top(); y <= part.bottom(); ++y) {
                bool any = false;
                for (int x = part.left(); x <= part.right(); ++x)
                    any = any || std::abs(image.pixelColor(x, y).red() - ground.red()) > 20;
                rows += any;
            }
            return rows;
        };
        QImage free(200, 60, QImage::Format_ARGB32_Premultiplied);
        free.fill(ground);
        QPainter painter(&free);
        painter.setFont(font);
        painter.setPen(Theme::darkTheme().quiet);
        // At the same fraction of a pixel as in the figure, where it ends 14 pixels beyond the axis.
        const QRect area = plot.canvas()->axisRect()->rect();
        const double begin = area.right() + 15 - QFontMetricsF(font).horizontalAdvance("images seen");
        painter.drawText(QPointF(10 + begin - std::floor(begin), 30), "images seen");
        painter.end();
        const QImage image = plot.canvas()->grab().toImage();
        const int top = area.bottom() + kAxisGap + axisRowHeight(font);
        const QRect row(QPoint(area.center().x(), top), QPoint(image.width() - 1, image.height() - 1));
        // The faintest row of a letter's edge may be lost; the row below all letters is clear.
        QVERIFY(inkRows(image, row) >= inkRows(free, free.rect()) - 1);
        QCOMPARE(inkRows(image, QRect(row.bottomLeft(), row.bottomRight())), 0);
    }

    void aRunStartedAgainBeginsAnEmptyCurve() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        plot.drawNow();
        store.onEnded(madeUpEnd(1, RunEnd::Stopped));
        store.onStarted(madeUpStart(1, "", "batch"));
        plot.drawNow();
        QCOMPARE(lineOf(plot)->dataCount(), 0);
    }

    void wheelAndDragStayInsideTheStream() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 3000, 0.4));
        plot.drawNow();
        QCPAxis* axis = plot.canvas()->xAxis;
        axis->scaleRange(0.25, 3000);
        QCOMPARE(axis->range().size(), kImages / 4.0);
        axis->moveRange(1e6);
        QCOMPARE(axis->range().upper, double(kImages));
        store.onEvaluated(madeUpEvaluation(1, 3100, 0.4));
        plot.drawNow();
        QCOMPARE(axis->range().size(), kImages / 4.0);
        axis->scaleRange(100);
        QCOMPARE(axis->range().lower, 0.0);
        QCOMPARE(axis->range().upper, double(kImages));
        axis->scaleRange(0.5, 0);
        QTest::mouseDClick(plot.canvas(), Qt::LeftButton, {}, QPoint(200, 100));
        QCOMPARE(axis->range().upper, double(kImages));
    }

    void theReadoutFollowsMouseAndKeyboardWithoutDrawingTheCurvesAgain() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 1000, 0.4));
        store.onEvaluated(madeUpEvaluation(1, 2000, 0.5));
        plot.drawNow();
        QSignalSpy drawn(plot.canvas(), &QCustomPlot::afterReplot);
        const int x = static_cast<int>(plot.canvas()->xAxis->coordToPixel(1900));
        const QPointF place(x, 100);
        QMouseEvent move(QEvent::MouseMove, place, plot.canvas()->mapToGlobal(place), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(plot.canvas(), &move);
        QVERIFY(plot.readout());
        QCOMPARE(plot.readout()->heading, QString("2,000 images · session 2 · 4 classes"));
        QCOMPARE(plot.readout()->rows.size(), 2);
        QCOMPARE(plot.readout()->rows[0].value, QString("50.0 %"));
        QCOMPARE(plot.readout()->rows[1].name, QString("chance"));
        QCOMPARE(plot.readout()->rows[1].value, QString("25.0 %"));
        QTest::keyClick(plot.canvas(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(plot.readout()->rows[0].value, QString("40.0 %"));
        QVERIFY(plot.canvas()->accessibleDescription().contains("40.0 %"));
        QCOMPARE(drawn.count(), 0);
        QTest::keyClick(plot.canvas(), Qt::Key_Escape);
        QVERIFY(!plot.readout());
    }

    void onlyWhatHasALineHasAMarkInTheReadout() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord record = madeUpRecord("/runs/a", "batch");
        for (AnytimePoint& point : record.anytime) {
            point.reference = 0.3;
            point.router = 0.2;
            point.agreement = 0.9;
        }
        store.addRecord(record);
        store.select("/runs/a");
        plot.drawNow();
        readAt(plot, 2000);
        QVERIFY(plot.readout());
        QStringList marked;
        int unmarked = 0;
        for (const Readout::Row& row : plot.readout()->rows) {
            if (row.marked)
                marked.append(row.name);
            else
                ++unmarked;
        }
        QCOMPARE(marked, (QStringList{store.label("/runs/a"), "nearest class mean", "chance"}));
        QCOMPARE(unmarked, 2);
    }

    void theReadoutAtTheEndSaysWhatALastIs() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 3000, 0.5));
        store.onEvaluated(madeUpEvaluation(1, kImages - 16, 0.4));
        for (std::int64_t session = 1; session <= kSessions; ++session)
            store.onEvaluated(madeUpEvaluation(1, session * kSessionImages, 0.3, EvaluationKind::SessionEnd));
        const auto lastRow = [&, &plot = plot](double images) {
            plot.drawNow();
            readAt(plot, images);
            const auto readout = plot.readout();
            if (!readout) return QString("nothing is read");
            for (const Readout::Row& row : readout->rows)
                if (row.name.startsWith("A_Last")) return row.name + ": " + row.value;
            return QString();
        };
        QCOMPARE(lastRow(kImages - 16), QString());  // the run goes on
        store.onEnded(madeUpEnd(1, RunEnd::Finished));
        QCOMPARE(lastRow(kImages - 16), QString("A_Last, at the end (6,000 images): 30.0 %"));
        QCOMPARE(lastRow(3000), QString());
    }

    void theComparedRunIsInTheReadoutOfManyRuns() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        for (int i = 0; i < 20; ++i) {
            const QString id = QString("/runs/%1").arg(i);
            RunRecord record = madeUpRecord(id.toStdString(), i % 2 ? "batch" : "none", 0.5, 1);
            record.experiment.training.learning_rate = 0.001 * (i + 1);
            store.addRecord(record);
            store.setVisible(id, true);
        }
        store.select("/runs/3");
        store.setVisible("/runs/19", false);
        store.setVisible("/runs/19", true);
        QCOMPARE(store.compared()->id, QString("/runs/19"));
        plot.drawNow();
        readAt(plot, 2000);
        const auto readout = plot.readout();
        QVERIFY(readout);
        QStringList kept;
        for (const Readout::Row& row : readout->rows)
            if (row.kept) kept.append(row.name);
        QCOMPARE(kept, (QStringList{store.label("/runs/3"), store.label("/runs/19")}));
    }

    void aLongCurveIsDrawnFromFewPoints_data() {
        QTest::addColumn<bool>("solid");
        QTest::newRow("solid: extremes stay") << true;
        QTest::newRow("dashed: means") << false;
    }
    void aLongCurveIsDrawnFromFewPoints() {
        QFETCH(bool, solid);
        struct Probe : CurveGraph {
            using CurveGraph::CurveGraph;
            using CurveGraph::getOptimizedLineData;
        };
        QCustomPlot plot;
        plot.resize(600, 300);
        plot.replot();
        auto* graph = new Probe(plot.xAxis, plot.yAxis);
        graph->setPen(QPen(Qt::black, 1, solid ? Qt::SolidLine : Qt::DashLine));
        QVector<double> keys, values;
        for (int i = 0; i < 100000; ++i) {
            keys.push_back(i);
            values.push_back(i == 43210 ? 99 : 50 + i % 2);
        }
        graph->setData(keys, values, true);
        plot.xAxis->setRange(0, 100000);
        QVector<QCPGraphData> drawn;
        graph->getOptimizedLineData(&drawn, graph->data()->constBegin(), graph->data()->constEnd());
        QVERIFY(drawn.size() > 100);
        QVERIFY(drawn.size() < 1200);
        QVERIFY(std::is_sorted(drawn.begin(), drawn.end(), qcpLessThanSortKey<QCPGraphData>));
        const auto highest = std::max_element(drawn.begin(), drawn.end(),
                                              [](const auto& a, const auto& b) { return a.value < b.value; });
        QCOMPARE(highest->value == 99, solid);
        // Zoomed in, every point is there.
        drawn.clear();
        plot.xAxis->setRange(43200, 43300);
        graph->getOptimizedLineData(&drawn, graph->data()->findBegin(43200), graph->data()->findEnd(43300));
        QVERIFY(drawn.size() >= 100);
        QVERIFY(std::any_of(drawn.begin(), drawn.end(), [](const auto& point) { return point.value == 99; }));
    }

    void aCrowdOfCurvesIsDrawnWholeAndFollowsWhatComes() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        constexpr int kRuns = 15, kPoints = 3000, kGrowing = 5;
        RunRecord grown;
        for (int i = 0; i < kRuns; ++i) {
            const std::string folder = "/runs/" + std::to_string(i);
            RunRecord record = madeUpRecord(folder, "none", 0.5, i);
            record.total_samples = kPoints * 10;
            record.anytime.clear();
            // The lowest is the last one's.
            for (int k = 1; k <= kPoints; ++k) record.anytime.push_back({k * 10, 0, 0.95 - 0.06 * i, 1, 10, k});
            if (i == kGrowing) {
                grown = record;
                record.state = RecordedState::Running;
                record.anytime.resize(kPoints / 3);
            }
            store.addRecord(record);
            store.setVisible(QString::fromStdString(folder), true);
        }
        store.select("/runs/0");
        plot.drawNow();
        QCustomPlot* canvas = plot.canvas();
        const auto inkAt = [&](double samples, double percent) {
            const QImage image = canvas->toPixmap(canvas->width(), canvas->height()).toImage();
            const QPoint place(static_cast<int>(canvas->xAxis->coordToPixel(samples)),
                               static_cast<int>(canvas->yAxis->coordToPixel(percent)));
            const QColor ground = image.pixelColor(place + QPoint(0, 6));
            int most = 0;
            for (int y = -1; y <= 1; ++y) {
                const QColor here = image.pixelColor(place + QPoint(0, y));
                most = std::max(most, std::abs(here.red() - ground.red()) + std::abs(here.green() - ground.green()) +
                                          std::abs(here.blue() - ground.blue()));
            }
            return most;
        };
        // Why they have neither colours nor names is said.
        const QStringList names(plot.decor().labelTexts().begin(), plot.decor().labelTexts().end());
        QVERIFY2(std::ranges::any_of(names, [](const QString& name) { return name.contains("14 other"); }),
                 qPrintable(names.join('|')));
        // One still learns.
        QVERIFY(inkAt(9000, 95 - 6 * kGrowing) > 40);
        QVERIFY(inkAt(15000, 95 - 6 * kGrowing) < 20);
        store.addRecord(grown);
        plot.drawNow();
        for (int i = 1; i < kRuns; ++i)
            for (const double part : {0.1, 0.55, 0.93})
                QVERIFY2(inkAt(part * kPoints * 10, 95 - 6 * i) > 40,
                         qPrintable(QString("run %1 at %2").arg(i).arg(part)));
        // One that is hidden goes, the others stay.
        store.setVisible("/runs/14", false);
        plot.drawNow();
        QVERIFY(inkAt(15000, 95 - 6 * 14) < 20);
        QVERIFY(inkAt(15000, 95 - 6 * 13) > 40);
        // The same curves at another place once the figure was moved.
        canvas->xAxis->setRange(0, kPoints * 5);
        plot.drawNow();
        QVERIFY(inkAt(1000, 95 - 6 * 13) > 40);
        // As vectors it has lines.
        QTemporaryDir folder;
        const QString file = folder.filePath("figure.pdf");
        QVERIFY(canvas->savePdf(file));
        QVERIFY(QFileInfo(file).size() > 10'000);
    }

    void withoutWidthACurveIsStillDrawnInTheEnd() {
        struct Probe : CurveGraph {
            using CurveGraph::CurveGraph;
            using CurveGraph::getOptimizedLineData;
            using CurveGraph::getOptimizedScatterData;
        };
        QCustomPlot plot;
        plot.axisRect()->setAutoMargins(QCP::msNone);
        plot.axisRect()->setMargins({50, 0, 50, 0});
        plot.axisRect()->setMinimumSize(0, 0);
        plot.setViewport({0, 0, 60, 60});
        plot.xAxis->setRange(0, 1000);
        plot.replot();
        QVERIFY2(plot.xAxis->axisRect()->width() <= 0, qPrintable(QString::number(plot.axisRect()->width())));
        auto* graph = new Probe(plot.xAxis, plot.yAxis);
        QVector<double> keys(1000), values(1000, 0.5);
        std::iota(keys.begin(), keys.end(), 0);
        graph->setData(keys, values, true);
        QVector<QCPGraphData> marks, line;
        graph->getOptimizedScatterData(&marks, graph->data()->constBegin(), graph->data()->constEnd());
        QVERIFY(marks.size() <= 2);
        graph->getOptimizedLineData(&line, graph->data()->constBegin(), graph->data()->constEnd());
        QVERIFY(line.size() <= 8);
    }

    void theTableShowsTheNumbersOfTheFigure() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.addRecord(madeUpRecord("/runs/a", "none"));
        store.setVisible("/runs/a", true);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4567));
        auto* button = plot.findChild<QToolButton*>("anytimeTableButton");
        QVERIFY(button);
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        auto* view = plot.findChild<QTableView*>("anytimeTable");
        QVERIFY(view->isVisible());
        QCOMPARE(view->model()->columnCount(), 3);
        QCOMPARE(view->model()->rowCount(), int(kImages / 100));
        QCOMPARE(view->model()->headerData(1, Qt::Horizontal).toString(), QString("batch run"));
        QCOMPARE(view->model()->index(0, 1).data().toString(), QString("45.7 %"));
        QSignalSpy reset(view->model(), &QAbstractItemModel::modelReset);
        store.onEvaluated(madeUpEvaluation(1, 200, 0.5));
        QTRY_COMPARE(view->model()->index(1, 1).data().toString(), QString("50.0 %"));
        QCOMPARE(reset.count(), 0);
    }

    void aForkIsDrawnFromItsBranchingPointOn() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord fork = madeUpRecord("/runs/fork", "none", 0.4);
        fork.parent = "/runs/parent";
        fork.forked_at = 2500;
        store.addRecord(madeUpRecord("/runs/parent", "batch"));
        store.addRecord(fork);
        store.setVisible("/runs/fork", true);
        plot.drawNow();
        QCPGraph *line = nullptr, *past = nullptr, *ring = nullptr;
        for (int i = 0; i < plot.canvas()->graphCount(); ++i) {
            QCPGraph* graph = plot.canvas()->graph(i);
            if (graph->dataCount() == 25) past = graph;
            if (graph->dataCount() == 36) line = graph;
            if (graph->dataCount() == 1) ring = graph;
        }
        QVERIFY(line && past && ring);
        QCOMPARE(line->data()->at(0)->key, 2500.0);
        QCOMPARE(line->data()->at(0)->value, past->data()->at(24)->value);
        QCOMPARE(ring->data()->at(0)->key, 2500.0);
        QVERIFY(past->pen().style() != Qt::NoPen);
        QVERIFY(past->pen().widthF() < line->pen().widthF());
        // The parent draws the shared past while it is shown.
        store.setVisible("/runs/parent", true);
        plot.drawNow();
        QCOMPARE(past->pen().style(), Qt::NoPen);
        QVERIFY(plot.accessibleDescription().contains("branched off after 2,500 images"));
    }

    void aReplayedForkBranchesOffWhenItGetsThere() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord fork = madeUpRecord("/runs/fork", "none");
        fork.parent = "/runs/parent";
        fork.forked_at = 2500;
        RunStarted started = madeUpStart(1, "/runs/fork", "none");
        started.replayed = std::make_shared<const RunRecord>(fork);
        store.onStarted(started);
        store.onEvaluated(madeUpEvaluation(1, 1000, 0.4));
        plot.drawNow();
        QCOMPARE(lineOf(plot)->dataCount(), 0);
        store.onEvaluated(madeUpEvaluation(1, 2000, 0.6));
        store.onEvaluated(madeUpEvaluation(1, 3000, 0.5));
        plot.drawNow();
        QCOMPARE(lineOf(plot)->dataCount(), 2);
        QCOMPARE(lineOf(plot)->data()->at(0)->key, 2500.0);
        QCOMPARE(lineOf(plot)->data()->at(0)->value, 60.0);
    }

    void changesOnTheWayAreMarkedAndTheirNamesGiveWay() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 3000, 0.4));
        store.onChange({1, 1500, "mask.name", "seen"});
        store.onChange({1, 1510, "mask.name", "none"});
        store.onChange({1, 1520, "mask.name", "batch"});
        plot.drawNow();
        QCOMPARE(plot.decor().changes().size(), std::size_t(3));
        QCOMPARE(plot.decor().changes().front().text, QString("Logit mask: seen"));
        QCOMPARE(plot.decor().changes().front().x, 1500.0);
        const std::vector<QRectF>& names = plot.decor().changeRects();
        QCOMPARE(names.size(), std::size_t(3));
        QVERIFY(!names[0].isEmpty());
        QVERIFY(!names[0].intersects(names[1]));
        QVERIFY(names[2].isEmpty());
        // The readout says which one holds.
        QCustomPlot* canvas = plot.canvas();
        const QPointF point(canvas->xAxis->coordToPixel(3000), 60);
        QMouseEvent move(QEvent::MouseMove, point, canvas->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(canvas, &move);
        QVERIFY(plot.readout());
        const auto change = std::ranges::find(plot.readout()->rows, QString("Logit mask: batch"), &Readout::Row::name);
        QVERIFY(change != plot.readout()->rows.end());
        QCOMPARE(change->value, QString("from 1,520 images"));
    }

    void changesOfSeveralRunsSayWhoseTheyAre() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        RunRecord other = madeUpRecord("/runs/b", "none");
        other.changes = {{"mask.name", "seen", 2500}};
        store.addRecord(other);
        store.setVisible("/runs/b", true);
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 4000, 0.4));
        store.onChange({1, 1500, "mask.name", "seen"});
        plot.drawNow();
        const Theme& theme = Theme::of(&plot);
        const ShownRun* compared = store.find("/runs/b");
        QCOMPARE(plot.decor().changes().size(), std::size_t(2));
        const ChangeMark &first = plot.decor().changes()[0], &second = plot.decor().changes()[1];
        QCOMPARE(first.caption(), store.label("/runs/a") + " · Logit mask: seen");
        QCOMPARE(second.caption(), store.label("/runs/b") + " · Logit mask: seen");
        QCOMPARE(first.colour, runColour(theme, store.selected()->display.hue));
        QCOMPARE(second.colour, runColour(theme, compared->display.hue));
        QCOMPARE(first.shape, MarkerShape::Circle);
        QCOMPARE(second.shape, markerOf(compared->display.style));
        QCOMPARE(second.dash, runPen(theme, false, compared->display.style, second.colour).dashPattern());
        for (const QRectF& rect : plot.decor().changeRects()) QVERIFY(!rect.isEmpty());

        const QPointF point(plot.canvas()->xAxis->coordToPixel(4000), 60);
        QMouseEvent move(QEvent::MouseMove, point, plot.canvas()->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(plot.canvas(), &move);
        QVERIFY(plot.readout());
        QCOMPARE(plot.readout()->rows.last().name, second.caption());
        QCOMPARE(plot.readout()->rows.last().shape, second.shape);
        // A run alone needs no name.
        store.setVisible("/runs/b", false);
        plot.drawNow();
        QCOMPARE(plot.decor().changes().size(), std::size_t(1));
        QCOMPARE(plot.decor().changes()[0].caption(), QString("Logit mask: seen"));
    }

    void namesOfManyForksKeepApartAndWhatDoesNotFitIsTold() {
        PlotScene<AccuracyPlot> scene(620);
        auto& [store, plot] = scene;
        plot.resize(620, 190);
        const std::array<const char*, 4> masks{"batch", "none", "seen", "session"};
        store.addRecord(madeUpRecord("/runs/parent", "batch"));
        QStringList ids{"/runs/parent"};
        for (int i = 0; i < 10; ++i) {
            const std::string folder = "/runs/fork-" + std::to_string(i);
            RunRecord fork = madeUpRecord(folder, masks[static_cast<std::size_t>(i) % 4], 0.42 + 0.01 * i);
            fork.parent = "/runs/parent";
            fork.forked_at = 3000;
            fork.experiment.training.learning_rate = 0.001 * (i + 1);
            fork.experiment.training.updates_per_batch = i + 1;
            fork.changes = {{"mask.name", "seen", 3000 + 200 * i}};
            store.addRecord(fork);
            ids.append(QString::fromStdString(folder));
        }
        for (const QString& id : std::as_const(ids)) store.setVisible(id, true);
        QCoreApplication::processEvents();
        plot.drawNow();
        plot.drawNow();
        const std::vector<QRectF> rects = plot.decor().labelRects();
        QCOMPARE(rects.size(), static_cast<std::size_t>(ids.size()) + 1);  // and chance
        for (std::size_t i = 0; i < rects.size(); ++i) {
            if (rects[i].isEmpty()) continue;
            QVERIFY(QRectF(plot.canvas()->rect()).contains(rects[i]));
            QVERIFY2(rects[i].left() > plot.canvas()->axisRect()->right(), "a name stands on the curves");
            for (std::size_t k = 0; k < i; ++k) QVERIFY(!rects[i].intersects(rects[k]));
            for (const QRectF& change : plot.decor().changeRects()) QVERIFY(!rects[i].intersects(change));
        }
        const QPoint beside(plot.canvas()->axisRect()->right() + 20, 60);
        QHelpEvent help(QEvent::ToolTip, beside, plot.canvas()->mapToGlobal(beside));
        QCoreApplication::sendEvent(plot.canvas(), &help);
        const std::vector<QString>& texts = plot.decor().labelTexts();
        int told = 0;
        for (const QString& id : std::as_const(ids)) {
            const QString name = store.label(id) + " · ";
            if (std::any_of(texts.begin(), texts.end(), [&](const QString& text) { return text.startsWith(name); }))
                continue;
            QTRY_VERIFY2(QToolTip::text().contains(name), qPrintable(name));
            ++told;
        }
        QVERIFY(told > 0);
        QToolTip::hideText();
    }

    void theWindowCanBeHeard() {
        PlotScene<AccuracyPlot> scene;
        auto& [store, plot] = scene;
        QVERIFY(plot.accessibleDescription().contains("F5"));
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        plot.drawNow();
        QCOMPARE(plot.accessibleDescription(), QString("No point yet. The first comes after 100 images."));
        store.onEvaluated(madeUpEvaluation(1, 1000, 0.4));
        plot.drawNow();
        QVERIFY2(plot.accessibleDescription().startsWith("batch run: 40.0 % after 1,000 images"),
                 qPrintable(plot.accessibleDescription()));
    }
};

PALIMPSEST_TEST(TestAccuracyPlot)

}  // namespace tst_accuracy_plot

#include "tst_accuracy_plot.moc"
