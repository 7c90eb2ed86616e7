// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>
#include <cmath>

#include "tests/support/figure_scene.h"
#include "tests/support/test_program.h"
#include "ui/figures/loss_plot.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_loss_plot {

namespace {

struct LossScene : FigureScene {
    LossPlot* loss = show(new LossPlot(&store, &histories));
};

}  // namespace

class TestLossPlot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void aSmoothedLossHasOneNameWhichSaysSo() {
        LossScene scene;
        scene.record();
        auto* loss = scene.loss;
        QTRY_COMPARE((loss->drawNow(), loss->decor().labelTexts().size()), std::size_t(1));
        QVERIFY(!loss->decor().labelTexts()[0].contains("mean"));
        scene.setSmoothing(5);
        loss->drawNow();
        QCOMPARE(loss->decor().labelTexts().size(), std::size_t(1));
        QVERIFY2(loss->decor().labelTexts()[0].contains(" · mean 0."), qPrintable(loss->decor().labelTexts()[0]));
    }

    void comparedLossesDifferInHueAndDash() {
        LossScene scene;
        const std::vector<QString> ids{scene.record(), scene.record(), scene.record()};
        // Seeds of one group would share a hue.
        for (std::size_t i = 1; i < ids.size(); ++i) {
            RunRecord record = readRun(OptionTable(testCatalogue()), ids[i].toStdString());
            record.experiment.mask.name = i == 1 ? "none" : "seen";
            scene.store.addRecord(record);
        }
        for (const QString& id : ids) scene.store.setVisible(id, true);
        scene.store.select(ids[0]);
        auto* loss = scene.loss;
        for (const Appearance appearance : {Appearance::Light, Appearance::Dark, Appearance::Projector}) {
            applyAppearance(*qApp, appearance);
            QTRY_COMPARE((loss->drawNow(), loss->canvas()->graphCount()), 3);
            std::vector<QPen> pens;
            for (int i = 0; i < 3; ++i) pens.push_back(loss->canvas()->graph(i)->pen());
            for (std::size_t i = 0; i < pens.size(); ++i)
                for (std::size_t k = 0; k < i; ++k) {
                    const int hues = std::abs(pens[i].color().hsvHue() - pens[k].color().hsvHue());
                    QVERIFY2(std::min(hues, 360 - hues) > 15,
                             qPrintable(pens[i].color().name() + pens[k].color().name()));
                    QVERIFY(pens[i].style() != pens[k].style() || pens[i].dashPattern() != pens[k].dashPattern());
                }
        }
        // The user's choice stays.
        scene.store.setColour(ids[1], QColor("#123456"));
        loss->drawNow();
        bool chosen = false;
        for (int i = 0; i < 3; ++i)
            chosen = chosen || loss->canvas()->graph(i)->pen().color().rgb() == qRgb(0x12, 0x34, 0x56);
        QVERIFY(chosen);
    }

    void theLossOfSeedsIsAveragedUpdateByUpdate() {
        LossScene scene;
        // Live runs: their news makes their histories.
        const std::vector<std::size_t> updates{40, 30, 35};
        const auto lossOf = [](std::size_t run, std::size_t update) {
            return 1 + double((update * 7 + run * run * 13) % 31) / 10;
        };
        for (std::size_t i = 0; i < updates.size(); ++i) {
            const std::int64_t run = std::int64_t(i) + 1;
            scene.bridge.setCurrentRun(run);
            Q_EMIT scene.bridge.started(madeUpStart(run, "/runs/" + std::to_string(i), "batch", run));
            Q_EMIT scene.bridge.evaluated(madeUpEvaluation(run, 100, 0.5));
            for (std::size_t k = 0; k < updates[i]; ++k) {
                UpdateDone done;
                done.run = run;
                done.samples_seen = std::int64_t(10 * (k + 1) + i);
                done.update = std::int64_t(k) + 1;
                done.loss = lossOf(i, k);
                Q_EMIT scene.bridge.updatesDone({done});
            }
            Q_EMIT scene.bridge.ended(madeUpEnd(run, RunEnd::Stopped));
        }
        for (int i = 0; i < 3; ++i) scene.store.setVisible(QString("/runs/%1").arg(i), true);
        scene.store.select("/runs/0");
        for (int i = 0; i < 3; ++i) QVERIFY(scene.histories.find(QString("/runs/%1").arg(i)));
        auto* loss = scene.loss;
        scene.setBand(CurveOptions::Band::Error);
        loss->drawNow();
        const QCPGraph *mean = nullptr, *high = nullptr;
        for (int i = 0; i < loss->canvas()->graphCount(); ++i) {
            const QCPGraph* graph = loss->canvas()->graph(i);
            if (graph->channelFillGraph()) high = graph;
            if (graph->pen().style() != Qt::NoPen && graph->pen().widthF() > 2) mean = graph;
        }
        QVERIFY(mean && high);
        QCOMPARE(mean->dataCount(), 30);  // as far as the shortest
        for (int k = 0; k < 30; ++k) {
            double sum = 0, squares = 0;
            for (std::size_t i = 0; i < 3; ++i) sum += lossOf(i, std::size_t(k));
            for (std::size_t i = 0; i < 3; ++i) squares += std::pow(lossOf(i, std::size_t(k)) - sum / 3, 2);
            const double error = std::sqrt(squares / 2) / std::sqrt(3.0);
            QCOMPARE(mean->data()->at(k)->key, 10.0 * (k + 1) + 1);
            QVERIFY(std::abs(mean->data()->at(k)->value - sum / 3) < 1e-9);
            QVERIFY(std::abs(high->data()->at(k)->value - sum / 3 - error) < 1e-9);
        }
        QCOMPARE(loss->decor().labelTexts().size(), std::size_t(1));
        QVERIFY2(loss->decor().labelTexts()[0].contains(" ± "), qPrintable(loss->decor().labelTexts()[0]));
        loss->setTableShown(true);
        const FigureTable& table = loss->table();
        QCOMPARE(table.columnCount(), 5);
        QCOMPARE(table.headerData(3, Qt::Horizontal).toString(), QString("Mean of N = 3"));
        QCOMPARE(table.headerData(4, Qt::Horizontal).toString(), QString("± standard error of the mean"));
        QVERIFY(!table.index(29, 3).data().toString().isEmpty());
        QVERIFY(table.index(30, 3).data().toString().isEmpty());
        loss->setTableShown(false);
        // Smoothing is drawn over the mean alone.
        const int before = loss->canvas()->graphCount();
        scene.setSmoothing(5);
        loss->drawNow();
        QCOMPARE(loss->canvas()->graphCount(), before + 1);
        QVERIFY2(loss->decor().labelTexts()[0].contains("smoothed"), qPrintable(loss->decor().labelTexts()[0]));
    }

    void theMeanOfLossesIsListedAndSeenAsFarAsItGoes() {
        LossScene scene;
        const auto learn = [&](std::int64_t run, std::int64_t from, std::int64_t to) {
            for (std::int64_t update = from; update <= to; ++update) {
                UpdateDone done;
                done.run = run;
                done.samples_seen = 10 * update;
                done.update = update;
                done.loss = run == 1 ? 1 : 3;
                Q_EMIT scene.bridge.updatesDone({done});
            }
        };
        for (const std::int64_t run : {1, 2}) {
            scene.bridge.setCurrentRun(run);
            Q_EMIT scene.bridge.started(madeUpStart(run, "/runs/" + std::to_string(run), "batch", run));
            Q_EMIT scene.bridge.evaluated(madeUpEvaluation(run, 100, 0.5));
        }
        learn(1, 1, 20);
        learn(2, 1, 10);
        for (const char* run : {"/runs/2", "/runs/1"}) scene.store.setVisible(run, true);
        scene.store.select("/runs/1");
        auto* loss = scene.loss;
        scene.setBand(CurveOptions::Band::Deviation);
        loss->setTableShown(true);
        loss->drawNow();
        // The band is higher than any loss.
        QVERIFY(loss->canvas()->yAxis->range().upper > 2 + std::sqrt(2.0));
        const FigureTable& table = loss->table();
        QCOMPARE(table.rowCount(), 20);
        QVERIFY(!table.index(9, 3).data().toString().isEmpty());
        QVERIFY(table.index(10, 3).data().toString().isEmpty());
        // The other seed comes after; no row is added.
        QSignalSpy changed(&table, &FigureTable::dataChanged);
        learn(2, 11, 13);
        loss->drawNow();
        QCOMPARE(table.rowCount(), 20);
        QVERIFY(!table.index(12, 3).data().toString().isEmpty());
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toModelIndex(), table.index(10, 3));
        QCOMPARE(changed[0][1].toModelIndex(), table.index(12, 4));
    }

    void aLossThatIsListedIsTheLossThatIsDrawn() {
        LossScene scene;
        scene.live();
        scene.loss->drawNow();
        QCOMPARE(scene.loss->canvas()->graphCount(), 1);
        const QCPGraph* line = scene.loss->canvas()->graph(0);
        QCOMPARE(line->dataCount(), 60);
        scene.loss->setTableShown(true);
        scene.loss->drawNow();
        const FigureTable& table = scene.loss->table();
        QAbstractItemModelTester tester(&const_cast<FigureTable&>(table),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table.rowCount(), 60);
        for (int row = 0; row < 60; ++row) {
            QCOMPARE(line->data()->at(row)->key, 100.0 * (row + 1));
            QCOMPARE(line->data()->at(row)->value, 2 / (1 + 0.1 * (row + 1)));
            QCOMPARE(table.index(row, 2).data().toString(), QString::number(line->data()->at(row)->value, 'f', 3));
        }
    }

    void aFileOfLossesHoldsEachInFullPrecision() {
        LossScene scene;
        scene.live();
        scene.loss->drawNow();
        const auto source = scene.loss->source();
        QVERIFY(source);
        const QStringList lines = QString::fromStdString(source().pieces.front().csv).split('\n');
        QCOMPARE(lines.size(), 62);
        QCOMPARE(lines[0], QString("run,samples_seen,update,loss"));
        QCOMPARE(lines[1], QString("batch run,100,1,1.818181818"));
    }
};

PALIMPSEST_TEST(TestLossPlot)

}  // namespace tst_loss_plot

#include "tst_loss_plot.moc"
