// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QtTest>
#include <algorithm>

#include "tests/support/made_up_runs.h"
#include "tests/support/plot_scene.h"
#include "tests/support/test_program.h"
#include "ui/figures/retention_plot.h"
#include "ui/state/run_set.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_retention_plot {

class TestRetentionPlot : public QObject {
    Q_OBJECT
private:
    static QCPGraph* solidLine(const RetentionPlot& plot, double firstKey) {
        for (int i = 0; i < plot.canvas()->graphCount(); ++i) {
            QCPGraph* graph = plot.canvas()->graph(i);
            if (graph->pen().style() == Qt::SolidLine && graph->data()->at(0)->key == firstKey) return graph;
        }
        return nullptr;
    }
    /// `accuracy`: of a session's data, after a session.
    static RunRecord manySessions(std::int64_t count, double (*accuracy)(std::int64_t after, std::int64_t session)) {
        RunRecord record = madeUpRecord("/runs/a", "none");
        record.session_starts.clear();
        record.retention.clear();
        for (std::int64_t after = 0; after < count; ++after) {
            record.session_starts.push_back(after * 30);
            for (std::int64_t session = 0; session <= after; ++session)
                record.retention.push_back({after, session, accuracy(after, session), 10});
        }
        return record;
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void everySessionOfTheSelectedRunHasALineThatGrows() {
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onSessionEnded(madeUpSessionEnd(1, 0));
        plot.drawNow();
        QCOMPARE(plot.canvas()->graphCount(), 1);
        QCPGraph* first = plot.canvas()->graph(0);
        first->data()->begin()->value = 12.5;
        store.onSessionEnded(madeUpSessionEnd(1, 1));
        plot.drawNow();
        QCOMPARE(plot.canvas()->graphCount(), 2);
        QCOMPARE(first->dataCount(), 2);
        QCOMPARE(first->data()->at(0)->value, 12.5);
        QCOMPARE(first->data()->at(1)->key, 2.0);
        QCOMPARE(first->data()->at(1)->value, 88.0);
    }

    void theAxisReachesAsFarAsItsLines() {
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        RunRecord low = madeUpRecord("/runs/low", "none");
        for (RetentionPoint& point : low.retention) point.accuracy /= 3;
        store.addRecord(low);
        store.setVisible("/runs/low", true);
        plot.drawNow();
        QCOMPARE(plot.canvas()->yAxis->range().upper, 40.0);
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onSessionEnded(madeUpSessionEnd(1, 0));
        plot.drawNow();
        QCOMPARE(plot.canvas()->yAxis->range().upper, 100.0);
    }

    void sessionOneIsTheThickestLine() {
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        for (int session = 0; session < 5; ++session) store.onSessionEnded(madeUpSessionEnd(1, session));
        plot.drawNow();
        const QCPGraph* first = solidLine(plot, 1);
        QVERIFY(first);
        for (int session = 1; session < 5; ++session) {
            const QCPGraph* later = solidLine(plot, session + 1);
            QVERIFY(later);
            QVERIFY(first->pen().widthF() > 1.5 * later->pen().widthF());
            QVERIFY(first->pen().color() != later->pen().color());
        }
    }

    void ofAComparedRunOnlySessionOneIsDrawn() {
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        store.addRecord(madeUpRecord("/runs/a", "none"));
        store.setVisible("/runs/a", true);
        plot.drawNow();
        QCOMPARE(plot.canvas()->graphCount(), 5);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        store.onSessionEnded(madeUpSessionEnd(1, 0));
        plot.drawNow();
        QCOMPARE(plot.canvas()->graphCount(), 2);
        int dashed = 0;
        for (int i = 0; i < 2; ++i)
            if (plot.canvas()->graph(i)->pen().style() != Qt::SolidLine) {
                ++dashed;
                QCOMPARE(plot.canvas()->graph(i)->pen().color(),
                         runColour(Theme::darkTheme(), store.find("/runs/a")->display.hue));
                QCOMPARE(plot.canvas()->graph(i)->dataCount(), 5);
            }
        QCOMPARE(dashed, 1);
        QVERIFY2(plot.accessibleDescription().contains("session 1, none run 50.0 %"),
                 qPrintable(plot.accessibleDescription()));
        QVERIFY(plot.accessibleDescription().contains("session 1 90.0 %"));
    }

    void sessionsWithoutTestDataHaveNoLine() {
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        SessionEnded end = madeUpSessionEnd(1, 1);
        end.accuracies[0].samples = 0;
        store.onSessionEnded(end);
        plot.drawNow();
        QCOMPARE(plot.canvas()->graphCount(), 1);
        QCOMPARE(plot.canvas()->graph(0)->data()->at(0)->value, 80.0);
    }

    void labelsDoNotOverlap_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("lost");
        QTest::newRow("wide") << 700 << 0.02;
        QTest::newRow("narrow") << 420 << 0.02;
        QTest::newRow("ends close together") << 700 << 0.1;
    }
    void labelsDoNotOverlap() {
        QFETCH(int, width);
        QFETCH(double, lost);
        PlotScene<RetentionPlot> scene(width);
        auto& [store, plot] = scene;
        store.addRecord(madeUpRecord("/runs/a", "none"));
        store.setVisible("/runs/a", true);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        for (int session = 0; session < 5; ++session) store.onSessionEnded(madeUpSessionEnd(1, session, lost));
        plot.drawNow();
        plot.drawNow();
        const std::vector<QRectF> rects = plot.decor().labelRects();
        QCOMPARE(rects.size(), std::size_t(6));
        for (std::size_t i = 0; i < rects.size(); ++i) {
            QVERIFY(!rects[i].isEmpty());
            for (std::size_t k = 0; k < i; ++k) QVERIFY(!rects[i].intersects(rects[k]));
        }
    }

    void namesStandClearOfTheMarkers_data() {
        QTest::addColumn<Appearance>("appearance");
        QTest::newRow("on a screen") << Appearance::Light;
        QTest::newRow("on a wall") << Appearance::Projector;
    }
    void namesStandClearOfTheMarkers() {
        QFETCH(Appearance, appearance);
        applyAppearance(*qApp, appearance);
        PlotScene<RetentionPlot> scene(900);
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        for (int session = 0; session < 5; ++session) store.onSessionEnded(madeUpSessionEnd(1, session, 0.05));
        plot.drawNow();
        // The thickest marker: radius and half its rim.
        const double marker = (5 + 2.5 / 2) * Theme::of(&plot).weight;
        for (const QRectF& rect : plot.decor().labelRects()) {
            QVERIFY(!rect.isEmpty());
            QVERIFY2(rect.left() >= plot.canvas()->xAxis->coordToPixel(5) + marker + 2,
                     qPrintable(QString::number(rect.left())));
        }
    }

    void aComparedRunGoesByItsName() {
        PlotScene<RetentionPlot> scene(1200);
        auto& [store, plot] = scene;
        RunRecord other = madeUpRecord("/runs/b", "none");
        other.experiment.name = "My mask 40";
        store.addRecord(other);
        store.setVisible("/runs/b", true);
        store.addRecord(madeUpRecord("/runs/a", "batch"));
        store.select("/runs/a");
        plot.drawNow();
        // The strong line's name is the first, and names keep their capitals.
        QVERIFY2(plot.decor().labelTexts().at(0).startsWith("session 1 · "),
                 qPrintable(plot.decor().labelTexts().at(0)));
        const auto named = [](const QString& text) { return text.startsWith("session 1, My mask 40 · "); };
        QCOMPARE(std::count_if(plot.decor().labelTexts().begin(), plot.decor().labelTexts().end(), named), 1);
    }

    void aCrowdHasOneNameForAllButTheSelectedRun() {
        PlotScene<RetentionPlot> scene(1200);
        auto& [store, plot] = scene;
        for (int other = 0; other < 14; ++other) {
            const std::string folder = "/runs/" + std::to_string(other);
            store.addRecord(madeUpRecord(folder, "none"));
            store.setVisible(QString::fromStdString(folder), true);
        }
        store.select("/runs/0");
        plot.drawNow();
        const auto& texts = plot.decor().labelTexts();
        QVERIFY(
            std::any_of(texts.begin(), texts.end(), [](const QString& text) { return text.contains("13 others"); }));
        QVERIFY(
            std::none_of(texts.begin(), texts.end(), [](const QString& text) { return text.contains("none run"); }));
        // A few have their names again.
        for (int other = 3; other < 14; ++other) store.setVisible(QString("/runs/%1").arg(other), false);
        plot.drawNow();
        const auto& named = plot.decor().labelTexts();
        QVERIFY(std::none_of(named.begin(), named.end(), [](const QString& text) { return text.contains("others"); }));
    }

    void aRunWithoutSessionsSaysSo() {
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        RunRecord record = madeUpRecord("/runs/a", "batch");
        record.retention.clear();
        store.addRecord(record);
        store.select("/runs/a");
        plot.drawNow();
        QCOMPARE(plot.invitation(), QString("This run has no accuracy by session"));
    }

    void whileARunGoesOnTheEmptyPlotSaysWhenItsFirstPointComes() {
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        QCOMPARE(plot.invitation(), QString("Press |F5| to start"));
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        plot.drawNow();
        QCOMPARE(plot.invitation(), QString("First point when session 1 has ended"));
        store.setPaused(true);
        plot.drawNow();
        QCOMPARE(plot.invitation(), QString("First point when session 1 has ended"));
        store.onEnded(madeUpEnd(1, RunEnd::Stopped));
        plot.drawNow();
        QCOMPARE(plot.invitation(), QString("Press |F5| to start"));
    }

    void aRunOfAnotherProgramGoesOnToo() {
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        RunRecord record = madeUpRecord("/runs/a", "batch");
        record.state = RecordedState::Running;
        record.retention.clear();
        store.addRecord(record);
        store.setVisible("/runs/a", true);
        plot.drawNow();
        QCOMPARE(plot.invitation(), QString("First point when session 1 has ended"));
    }

    void ticksGiveWayWhenThePlotIsNarrow() {
        PlotScene<RetentionPlot> scene(800);
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        plot.drawNow();
        plot.drawNow();
        const auto words = [&] { return plot.canvas()->xAxis->tickVectorLabels(); };
        QCOMPARE(words().first(), QString("after session 1"));
        plot.resize(380, 300);
        plot.drawNow();
        plot.drawNow();
        QCOMPARE(words().first(), QString("1"));
    }

    void ofVeryManySessionsSomeHaveALineAndTheTableHasAll() {
        constexpr std::int64_t kMany = 200;
        const RunRecord record = manySessions(
            kMany, [](std::int64_t after, std::int64_t session) { return 0.9 - 0.001 * double(after - session); });
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        store.addRecord(record);
        store.setVisible("/runs/a", true);
        plot.drawNow();
        QCOMPARE(plot.canvas()->graphCount(), 40);
        QCOMPARE(plot.panel()->caption(), QString("%, what is left of sessions 1, 6, 11 …"));
        QVERIFY(solidLine(plot, 1));
        QCOMPARE(solidLine(plot, 1)->dataCount(), int(kMany));
        for (int i = 0; i < plot.canvas()->graphCount(); ++i)
            QCOMPARE(std::lround(plot.canvas()->graph(i)->data()->at(0)->key - 1) % 5, 0L);
        plot.setTableShown(true);
        QCOMPARE(plot.table().columnCount(), int(kMany) + 1);
        QCOMPARE(plot.table().index(int(kMany) - 1, int(kMany)).data().toString(), QString("90.0 %"));
    }

    void ofManySessionsNamesAndTicksHaveTheirRoom_data() {
        QTest::addColumn<int>("width");
        QTest::newRow("usual") << 640;
        QTest::newRow("narrow") << 400;
    }
    void ofManySessionsNamesAndTicksHaveTheirRoom() {
        QFETCH(int, width);
        constexpr std::int64_t kMany = 99;
        const RunRecord record =
            manySessions(kMany, [](std::int64_t, std::int64_t session) { return 0.9 - 0.008 * double(session); });
        PlotScene<RetentionPlot> scene(width);
        auto& [store, plot] = scene;
        store.addRecord(record);
        store.setVisible("/runs/a", true);
        plot.drawNow();
        plot.drawNow();
        const QCPAxis* axis = plot.canvas()->xAxis;
        int names = 0;
        for (const QRectF& rect : plot.decor().labelRects()) {
            if (rect.isEmpty()) continue;
            ++names;
            QVERIFY2(rect.left() > axis->coordToPixel(kMany), "a name stands over its lines");
        }
        QVERIFY(names > 1);
        const QFontMetrics metrics(axis->tickLabelFont());
        const QVector<double> ticks = axis->tickVector();
        const QVector<QString> words = axis->tickVectorLabels();
        QVERIFY(ticks.size() > 3);
        for (int i = 1; i < ticks.size(); ++i) {
            const double apart = axis->coordToPixel(ticks[i]) - axis->coordToPixel(ticks[i - 1]);
            const double both = (metrics.horizontalAdvance(words[i]) + metrics.horizontalAdvance(words[i - 1])) / 2.0;
            QVERIFY2(apart > both + 4, qPrintable(QString("%1 and %2 touch").arg(words[i - 1], words[i])));
        }
    }

    void theReadoutNamesEverySession() {
        PlotScene<RetentionPlot> scene;
        auto& [store, plot] = scene;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        for (int session = 0; session < 2; ++session) store.onSessionEnded(madeUpSessionEnd(1, session));
        plot.drawNow();
        QTest::keyClick(plot.canvas(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(plot.readout());
        QCOMPARE(plot.readout()->heading, QString("after session 2 · 2,400 images"));
        QCOMPARE(plot.readout()->rows.size(), 2);
        QTest::keyClick(plot.canvas(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(plot.readout()->rows.size(), 1);
    }
};

PALIMPSEST_TEST(TestRetentionPlot)

}  // namespace tst_retention_plot

#include "tst_retention_plot.moc"
