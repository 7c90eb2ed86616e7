// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QtTest>
#include <cmath>

#include "engine/report/averages.h"
#include "tests/support/figure_scene.h"
#include "tests/support/test_program.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/retention_plot.h"
#include "ui/plots/metric_chip.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_seed_bands {

namespace {

struct SeedScene : FigureScene {
    AccuracyPlot* accuracy = show(new AccuracyPlot(&store));
    RetentionPlot* retention = show(new RetentionPlot(&store));
};

}  // namespace

class TestSeedBands : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void smoothingIsDrawnOverTheLineAndNotInItsPlace() {
        SeedScene scene;
        scene.live();
        scene.accuracy->drawNow();
        const int before = scene.accuracy->canvas()->graphCount();
        scene.setSmoothing(5);
        scene.accuracy->drawNow();
        QCOMPARE(scene.accuracy->canvas()->graphCount(), before + 1);
        int lines = 0;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            lines += scene.accuracy->canvas()->graph(i)->dataCount() == 12;
        QCOMPARE(lines, 3);  // with chance
    }

    void theReferencesAreNamedBesideABand() {
        SeedScene scene;
        for (int seed = 1; seed <= 2; ++seed) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.5, seed, 500);
            for (AnytimePoint& point : record.anytime) point.reference = 0.4;
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        scene.store.select("/runs/1");
        scene.setBand(CurveOptions::Band::Deviation);
        const auto names = [&](int width) {
            scene.accuracy->resize(width, 260);
            QTest::qWait(1);
            scene.accuracy->drawNow();
            QStringList texts;
            for (const QString& text : scene.accuracy->decor().labelTexts()) texts.append(text);
            return texts;
        };
        QTRY_COMPARE(names(1400).size(), 3);
        QVERIFY2(names(1400)[1].startsWith("nearest class mean · 40"), qPrintable(names(1400).join('|')));
        QVERIFY2(names(1400)[2].startsWith("chance · "), qPrintable(names(1400).join('|')));
        // Where there is little room the known abbreviation stands in its place, and the tip says it whole.
        const QStringList few = names(420);
        QVERIFY2(few.contains("NCM · 40.0 %"), qPrintable(few.join('|')));
        QVERIFY(scene.accuracy->decor().hiddenNames().contains("nearest class mean · 40.0 %"));
    }

    void aNameThatIsCutKeepsItsNumbers() {
        SeedScene scene;
        for (int seed = 1; seed <= 2; ++seed) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.5, seed, 500);
            record.experiment.name = "A name that is far longer than any figure has room for at its right side";
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        scene.setBand(CurveOptions::Band::Deviation);
        const auto shown = [&](int width) {
            scene.accuracy->resize(width, 260);
            QTest::qWait(1);
            scene.accuracy->drawNow();
            return scene.accuracy->decor().labelTexts().empty() ? QString() : scene.accuracy->decor().labelTexts()[0];
        };
        QTRY_VERIFY(!shown(640).isEmpty());
        const QString text = shown(640);
        QVERIFY2(text.startsWith('A') && text.contains(QStringLiteral("…")), qPrintable(text));
        QVERIFY2(text.contains(", N = 2 · "), qPrintable(text));
        // What is left of a name without room for it is its number.
        QVERIFY2(shown(420).startsWith(QStringLiteral("A…")) || shown(420)[0].isDigit(), qPrintable(shown(420)));
        QVERIFY2(shown(420).contains("54.6 ± 0.0 %"), qPrintable(shown(420)));
    }

    void aSmoothedCurveHasOneNameWhereItsMeanEnds() {
        SeedScene scene;
        RunRecord record = madeUpRecord("/runs/a", "batch", 0.5, 1, 500);
        for (AnytimePoint& point : record.anytime) point.accuracy = point.samples_seen < kImages ? 0.8 : 0.1;
        scene.store.addRecord(record);
        scene.store.select("/runs/a");
        scene.setSmoothing(20);
        scene.accuracy->drawNow();
        const std::vector<QString> texts = scene.accuracy->decor().labelTexts();
        QCOMPARE(texts.size(), std::size_t(2));  // with chance
        QVERIFY2(texts[0].contains("10.0 %, mean "), qPrintable(texts[0]));
        const QCustomPlot* canvas = scene.accuracy->canvas();
        const double mean = texts[0].section("mean ", 1).section(' ', 0, 0).toDouble();
        QVERIFY(mean > 60);
        const double named = scene.accuracy->decor().labelRects()[0].center().y();
        QVERIFY(std::abs(named - canvas->yAxis->coordToPixel(mean)) <
                std::abs(named - canvas->yAxis->coordToPixel(10)));
    }

    void runsThatDifferInTheSeedShareABand() {
        SeedScene scene;
        for (std::int64_t seed = 1; seed <= 3; ++seed) {
            const std::string folder = "/runs/" + std::to_string(seed);
            scene.store.addRecord(madeUpRecord(folder, "batch", 0.4 + 0.05 * static_cast<double>(seed), seed));
            scene.store.setVisible(QString::fromStdString(folder), true);
        }
        scene.store.addRecord(madeUpRecord("/runs/other", "none", 0.3));
        scene.store.setVisible("/runs/other", true);
        scene.setBand(CurveOptions::Band::Deviation);
        scene.accuracy->drawNow();
        QCPGraph* filled = nullptr;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            if (scene.accuracy->canvas()->graph(i)->channelFillGraph()) filled = scene.accuracy->canvas()->graph(i);
        QVERIFY(filled);
        QCOMPARE(filled->dataCount(), 60);
        const double low = filled->channelFillGraph()->data()->at(0)->value, high = filled->data()->at(0)->value;
        const double mean = 100 * (0.5 + 0.05 * std::sin(100.0 / 300));
        QVERIFY(std::abs((low + high) / 2 - mean) < 1e-9);
        QVERIFY(std::abs((high - low) / 2 - 5) < 1e-9);
        // Its name says how many there are.
        moveOver(scene.accuracy->canvas(), {scene.accuracy->canvas()->xAxis->coordToPixel(3000), 60});
        QVERIFY(scene.accuracy->readout());
        bool named = false;
        for (const Readout::Row& row : scene.accuracy->readout()->rows) named = named || row.name.contains("N = 3");
        QVERIFY(named);
        // So does the chip, which speaks of the mean while that is drawn.
        const MetricChip* chip = scene.accuracy->chip();
        QVERIFY2(chip->text().contains("± 5.0 N = 3 vs none run"), qPrintable(chip->text()));
        scene.accuracy->setTableShown(true);
        const FigureTable& table = scene.accuracy->table();
        QCOMPARE(table.columnCount(), 8);
        QCOMPARE(table.headerData(3, Qt::Horizontal).toString(), QString("batch run, mean of N = 3"));
        scene.accuracy->setTableShown(false);
        scene.setBand(CurveOptions::Band::None);
        scene.accuracy->drawNow();
        QVERIFY2(!chip->text().contains("N = 3"), qPrintable(chip->text()));
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            QVERIFY(!scene.accuracy->canvas()->graph(i)->channelFillGraph());
    }

    void theSmoothedMeanOfSeedsIsAnOverlayThatSaysSo() {
        SeedScene scene;
        std::vector<RunRecord> records;
        for (int seed = 1; seed <= 3; ++seed) {
            records.push_back(madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.3 + 0.1 * seed, seed));
            for (std::size_t i = 0; i < records.back().anytime.size(); ++i)
                records.back().anytime[i].accuracy = double((i * 7 + std::size_t(seed) * 13) % 50) / 50;
            scene.store.addRecord(records.back());
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        scene.store.select("/runs/1");
        scene.setBand(CurveOptions::Band::Deviation);
        scene.setSmoothing(5);
        scene.accuracy->resize(1100, 300);
        QTest::qWait(1);
        scene.accuracy->drawNow();
        // The obvious way: smooth the plain mean point by point.
        std::vector<double> mean, smooth;
        for (std::size_t i = 0; i < records[0].anytime.size(); ++i) {
            double sum = 0;
            for (const RunRecord& record : records) sum += 100 * record.anytime[i].accuracy;
            mean.push_back(sum / 3);
            const double weight = std::max(2.0 / 6, 1.0 / double(i + 1));
            smooth.push_back(i == 0 ? mean[0] : smooth.back() + weight * (mean.back() - smooth.back()));
        }
        const auto drawn = [&](const std::vector<double>& values) {
            QCPGraph* found = nullptr;
            for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i) {
                QCPGraph* graph = scene.accuracy->canvas()->graph(i);
                bool same = graph->visible() && graph->dataCount() == int(values.size());
                for (int k = 0; same && k < graph->dataCount(); ++k)
                    same = std::abs(graph->data()->at(k)->value - values[std::size_t(k)]) < 1e-9;
                if (same) found = graph;
            }
            return found;
        };
        const QCPGraph *raw = drawn(mean), *over = drawn(smooth);
        QVERIFY(raw && over);
        QVERIFY(over->pen().widthF() > 2 && over->pen().widthF() > 1.5 * raw->pen().widthF());
        // No other line is as strong: the selected run is a seed like the others.
        int strong = 0;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i) {
            const QCPGraph* graph = scene.accuracy->canvas()->graph(i);
            strong += graph->visible() && graph->lineStyle() != QCPGraph::lsNone && graph->pen().style() != Qt::NoPen &&
                      graph->pen().widthF() >= over->pen().widthF();
        }
        QCOMPARE(strong, 1);
        const std::vector<QString> texts = scene.accuracy->decor().labelTexts();
        QCOMPARE(texts.size(), std::size_t(2));  // with chance
        QVERIFY2(texts[0].contains(" · mean ") && texts[0].contains(" ± "), qPrintable(texts[0]));
        QVERIFY2(texts[0].endsWith(QString("smoothed %1 %").arg(smooth.back(), 0, 'f', 1)), qPrintable(texts[0]));
        scene.setSmoothing(0);
        scene.accuracy->drawNow();
        QVERIFY(!drawn(smooth));
        QVERIFY(drawn(mean)->pen().widthF() > 2);
    }

    void theMeanOfSeedsIsThatOfReports() {
        SeedScene scene;
        std::vector<RunRecord> records;
        for (const auto& [folder, seed] :
             {std::pair("a", 1), std::pair("b", 2), std::pair("c", 3), std::pair("d", 1)}) {
            RunRecord record =
                madeUpRecord(std::string("/runs/") + folder, "batch", 0.3 + 0.05 * (folder[0] - 'a'), seed);
            record.started = std::string("2026-03-0") + static_cast<char>('1' + folder[0] - 'a') + "T10:00:00Z";
            // Batches end elsewhere in every stream.
            for (AnytimePoint& point : record.anytime) point.samples_seen -= 9 * seed;
            records.push_back(record);
        }
        RunRecord young = madeUpRecord("/runs/e", "batch", 0.9, 4);
        young.state = RecordedState::Running;
        young.anytime.resize(2);
        records.push_back(young);
        RunRecord changed = madeUpRecord("/runs/f", "batch", 0.1, 5);
        changed.changes = {{"mask.name", "none", 800}};
        for (const RunRecord& record : records) scene.store.addRecord(record);
        scene.store.addRecord(changed);
        for (const char* id : {"/runs/a", "/runs/b", "/runs/c", "/runs/d", "/runs/e", "/runs/f"})
            scene.store.setVisible(id, true);
        scene.store.select("/runs/b");
        scene.setBand(CurveOptions::Band::Deviation);
        scene.accuracy->drawNow();
        QCPGraph* high = nullptr;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            if (scene.accuracy->canvas()->graph(i)->channelFillGraph()) high = scene.accuracy->canvas()->graph(i);
        QVERIFY(high);
        const report::ReportedRuns set = report::groupRuns(scene.store.table(), records);
        QCOMPARE(set.groups.front().runs.size(), std::size_t{3});
        const std::vector<report::AveragePoint> points = report::averageAnytime(set.groups.front());
        QCOMPARE(std::size_t(high->dataCount()), points.size());
        const QCPGraph* low = high->channelFillGraph();
        for (int i = 0; i < high->dataCount(); ++i) {
            const report::AveragePoint& point = points[static_cast<std::size_t>(i)];
            const double top = high->data()->at(i)->value, bottom = low->data()->at(i)->value;
            QCOMPARE(high->data()->at(i)->key, point.samples_seen);
            QVERIFY(std::abs((top + bottom) / 2 - 100 * point.accuracy.mean) < 1e-9);
            QVERIFY(std::abs((top - bottom) / 2 - 100 * point.accuracy.deviation) < 1e-9);
        }
        // At the cursor stands the mean of the very values that stand there.
        moveOver(scene.accuracy->canvas(), {scene.accuracy->canvas()->xAxis->coordToPixel(3000), 60});
        QVERIFY(scene.accuracy->readout());
        double sum = 0, mean = 0;
        for (const QString id : {"/runs/b", "/runs/c", "/runs/d"})
            for (const Readout::Row& row : scene.accuracy->readout()->rows)
                if (row.name == scene.store.label(id)) sum += row.value.section(' ', 0, 0).toDouble();
        for (const Readout::Row& row : scene.accuracy->readout()->rows)
            if (row.name.contains("N = 3")) mean = row.value.section(' ', 0, 0).toDouble();
        QVERIFY2(std::abs(sum / 3 - mean) < 0.11, qPrintable(QString("%1 %2").arg(sum / 3).arg(mean)));
    }

    void theMeanOfRetentionIsThatOfReports() {
        SeedScene scene;
        std::vector<RunRecord> records;
        for (int seed = 1; seed <= 3; ++seed) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.5, seed);
            for (RetentionPoint& point : record.retention)
                point.accuracy = double((point.session * 17 + point.after_session * 5 + seed * seed * 11) % 89) / 100;
            // In one seed no class came for the first time in session 3.
            if (seed == 2)
                for (RetentionPoint& point : record.retention)
                    if (point.session == 2) point.samples = 0;
            records.push_back(record);
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        // One that goes on beside finished ones is no part of the mean.
        RunRecord young = madeUpRecord("/runs/young", "batch", 0.9, 9);
        young.state = RecordedState::Running;
        scene.store.addRecord(young);
        scene.store.setVisible("/runs/young", true);
        records.push_back(young);
        scene.store.select("/runs/2");
        scene.retention->drawNow();
        QCOMPARE(scene.retention->canvas()->graphCount(), 4 + 3);
        scene.setBand(CurveOptions::Band::Deviation);
        scene.retention->drawNow();

        const report::ReportedRuns set = report::groupRuns(scene.store.table(), records);
        QCOMPARE(set.groups.front().runs.size(), std::size_t{3});
        const std::vector<std::vector<Spread>> r = report::averageRetention(set.groups.front());
        const QCustomPlot* canvas = scene.retention->canvas();
        for (std::size_t session = 0; session < 5; ++session) {
            bool drawn = false;
            for (int i = 0; i < canvas->graphCount(); ++i) {
                const QCPGraph* graph = canvas->graph(i);
                bool same = graph->pen().style() != Qt::NoPen && graph->dataCount() == int(5 - session);
                for (int k = 0; same && k < graph->dataCount(); ++k)
                    same =
                        std::abs(graph->data()->at(k)->value - 100 * r[session + std::size_t(k)][session].mean) < 1e-9;
                drawn = drawn || same;
            }
            QVERIFY2(drawn, qPrintable(QString::number(session)));
        }
        // Session 1 has a band, the four others whiskers.
        const QCPGraph* high = nullptr;
        for (int i = 0; i < canvas->graphCount(); ++i)
            if (canvas->graph(i)->channelFillGraph()) high = canvas->graph(i);
        QVERIFY(high);
        for (int k = 0; k < 5; ++k) {
            const double top = high->data()->at(k)->value, low = high->channelFillGraph()->data()->at(k)->value;
            QVERIFY(std::abs((top - low) / 2 - 100 * r[std::size_t(k)][0].deviation) < 1e-9);
        }
        QCOMPARE(scene.retention->canvas()->findChildren<QCPErrorBars*>().size(), 4);
        // Session 1 alone of each run, thin; five means, and the edges of the band.
        QCOMPARE(canvas->graphCount(), 4 + 5 + 2);
        QVERIFY2(scene.retention->panel()->caption().endsWith("mean of 3 seeds (session 3: 2)"),
                 qPrintable(scene.retention->panel()->caption()));

        moveOver(scene.retention->canvas(), {canvas->xAxis->coordToPixel(4), 60});
        QVERIFY(scene.retention->readout());
        QStringList rows;
        for (const Readout::Row& row : scene.retention->readout()->rows) rows.append(row.name + ": " + row.value);
        const auto number = [](double fraction) { return QString::number(100 * fraction, 'f', 1); };
        for (const std::size_t session : {0, 2}) {
            const QString row = QString("session %1, mean of N = %2: %3 ± %4 %")
                                    .arg(session + 1)
                                    .arg(session == 2 ? 2 : 3)
                                    .arg(number(r[3][session].mean), number(r[3][session].deviation));
            QVERIFY2(rows.contains(row), qPrintable(row + " | " + rows.join(" | ")));
        }
        // The table has the same numbers.
        scene.retention->setTableShown(true);
        const FigureTable& table = scene.retention->table();
        QMap<QString, int> columns;
        for (int c = 0; c < table.columnCount(); ++c) columns[table.headerData(c, Qt::Horizontal).toString()] = c;
        QVERIFY2(columns.contains("Session 3, mean of N = 2"), qPrintable(columns.keys().join(" | ")));
        QCOMPARE(table.index(3, columns["Session 3, mean of N = 2"]).data().toString(), number(r[3][2].mean) + " %");
        QCOMPARE(table.index(3, columns["Session 3, ± standard deviation"]).data().toString(),
                 number(r[3][2].deviation) + " %");
        scene.setBand(CurveOptions::Band::Error);
        scene.retention->drawNow();
        int error = -1;
        for (int c = 0; c < table.columnCount(); ++c)
            if (table.headerData(c, Qt::Horizontal).toString() == "Session 1, ± standard error of the mean") error = c;
        QVERIFY(error >= 0);
        QCOMPARE(table.index(3, error).data().toString(), number(r[3][0].deviation / std::sqrt(3.0)) + " %");
        scene.retention->setTableShown(false);
        scene.setBand(CurveOptions::Band::None);
        scene.retention->drawNow();
        QCOMPARE(canvas->graphCount(), 4 + 3);
        QCOMPARE(scene.retention->canvas()->findChildren<QCPErrorBars*>().size(), 0);
    }

    void retentionOfSeedsThatReachElsewhereCountsThoseThatAreThere() {
        SeedScene scene;
        for (int seed = 1; seed <= 2; ++seed) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.5, seed);
            record.state = RecordedState::Stopped;
            for (RetentionPoint& point : record.retention) point.accuracy = 0.4 * seed;
            if (seed == 2) std::erase_if(record.retention, [](const RetentionPoint& p) { return p.after_session > 2; });
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        scene.store.select("/runs/1");
        scene.setBand(CurveOptions::Band::Deviation);
        scene.retention->drawNow();
        const auto rowAt = [&](double place) {
            moveOver(scene.retention->canvas(), {scene.retention->canvas()->xAxis->coordToPixel(place), 60});
            for (const Readout::Row& row : scene.retention->readout()->rows)
                if (row.name.startsWith("session 1, mean")) return row.name + ": " + row.value;
            return QString();
        };
        QCOMPARE(rowAt(3), QString("session 1, mean of N = 2: 60.0 ± 28.3 %"));
        // A single run has no deviation.
        QCOMPARE(rowAt(4), QString("session 1, mean of N = 1: 40.0 %"));
        scene.retention->setTableShown(true);
        scene.retention->drawNow();
        const FigureTable& table = scene.retention->table();
        int deviation = -1;
        for (int c = 0; c < table.columnCount(); ++c)
            if (table.headerData(c, Qt::Horizontal).toString() == "Session 1, ± standard deviation") deviation = c;
        QVERIFY(deviation >= 0);
        QCOMPARE(table.index(2, deviation).data().toString(), QString("28.3 %"));
        QCOMPARE(table.index(3, deviation).data().toString(), QString());
    }

    void aMeanInTheReadoutPartsNoRunFromItsChange() {
        SeedScene scene;
        for (int seed = 1; seed <= 2; ++seed) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.5, seed);
            record.changes = {{"training.learning_rate", "0.01", 500}};
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        scene.store.select("/runs/1");
        scene.setBand(CurveOptions::Band::Deviation);
        scene.accuracy->drawNow();
        QCustomPlot* canvas = scene.accuracy->canvas();
        moveOver(canvas, {canvas->xAxis->coordToPixel(1000), 60});
        QVERIFY(scene.accuracy->readout());
        QStringList rows;
        for (const Readout::Row& row : scene.accuracy->readout()->rows)
            if (row.name != "chance") rows.append(row.name);
        QCOMPARE(rows.size(), 5);
        QCOMPARE(rows[0], scene.store.label("/runs/1"));
        QVERIFY2(rows[1].contains("Learning rate"), qPrintable(rows[1]));
        QVERIFY2(rows[2].contains("mean of N = 2"), qPrintable(rows[2]));
        QCOMPARE(rows[3], scene.store.label("/runs/2"));
    }

    void alignedBySessionTheAxisCountsSessions() {
        SeedScene scene;
        scene.live();
        scene.setBySession(true);
        scene.accuracy->drawNow();
        QCOMPARE(scene.accuracy->canvas()->xAxis->range().upper, 5.0);
        QCPGraph* line = nullptr;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount() && !line; ++i)
            if (scene.accuracy->canvas()->graph(i)->dataCount() == 12) line = scene.accuracy->canvas()->graph(i);
        QVERIFY(line);
        QCOMPARE(line->data()->at(2)->key, 1.25);  // 1,500 images: a quarter of the second session
        moveOver(scene.accuracy->canvas(), {scene.accuracy->canvas()->xAxis->coordToPixel(1.25), 60});
        QVERIFY(scene.accuracy->readout()->heading.startsWith("1,500 images"));
        QCOMPARE(scene.cursor.moment(), CurveCursor::Moment(1500));
    }

    void alignedBySessionTheMeanIsTakenAtEqualPlacesOfEqualSessions() {
        SeedScene scene;
        const std::vector<std::vector<std::int64_t>> starts{{0, 1200, 2400, 3600, 4800}, {0, 2000, 3000, 4000, 5000}};
        for (std::size_t i = 0; i < starts.size(); ++i) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(i), "batch", 0.5, std::int64_t(i) + 1, 500);
            record.session_starts = starts[i];
            // A tenth in the first session, two in the second: whatever mixes sessions shows.
            for (AnytimePoint& point : record.anytime) {
                point.session =
                    std::lower_bound(starts[i].begin(), starts[i].end(), point.samples_seen) - starts[i].begin() - 1;
                point.accuracy = 0.1 * double(point.session + 1);
            }
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(i), true);
        }
        scene.store.select("/runs/0");
        scene.setBySession(true);
        scene.setBand(CurveOptions::Band::Deviation);
        scene.accuracy->drawNow();
        QCPGraph* high = nullptr;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            if (scene.accuracy->canvas()->graph(i)->channelFillGraph()) high = scene.accuracy->canvas()->graph(i);
        QVERIFY(high);
        QVERIFY(high->dataCount() > 10);
        for (const QCPGraphData& point : *high->data())
            QVERIFY2(std::abs(point.value - 10 * double(sessionOfPlace(point.key) + 1)) < 1e-9,
                     qPrintable(QString("%1 at %2").arg(point.value).arg(point.key)));
        // At the cursor, too: the second run was evaluated there after 3,500 images, the first after 3,000.
        moveOver(scene.accuracy->canvas(), {scene.accuracy->canvas()->xAxis->coordToPixel(2.5), 60});
        QVERIFY(scene.accuracy->readout());
        QStringList values;
        for (const Readout::Row& row : scene.accuracy->readout()->rows) values.append(row.value);
        QCOMPARE(values.filter("30.0").size(), 3);
        QCOMPARE(values.filter("30.0 ± 0.0 %").size(), 1);
    }
};

PALIMPSEST_TEST(TestSeedBands)

}  // namespace tst_seed_bands

#include "tst_seed_bands.moc"
