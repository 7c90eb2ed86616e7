// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>
#include <limits>

#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "tests/support/watched_model.h"
#include "ui/figures/heat_plot.h"
#include "ui/figures/loss_plot.h"
#include "ui/figures/matrix_view.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_set.h"
#include "ui/widgets/panel.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_figure_tables {

namespace {

/// A heat map of numbers that the test chooses.
class ChosenHeat : public HeatPlot {
public:
    ChosenHeat(RunSet* store, HistoryStore* histories)
        : HeatPlot(store, histories, {"chosen", "Chosen", {}, {}},
                   {[](double value) { return QString::number(100 * value); }, 100, {}}, nullptr) {}
    HeatContent chosen;

protected:
    void fill(HeatContent& content, const ShownRun&, const RunHistory&) override { content = chosen; }
    QString reason(const ShownRun&, const RunHistory*) const override { return "Nothing was chosen."; }
};

class ChosenMatrix : public MatrixView {
public:
    ChosenMatrix() : MatrixView({"chosen", "Chosen", {}, {}, {}}, nullptr) {}
    void choose(const MatrixContent& content) { present(content, "Nothing was chosen."); }

protected:
    void bringUp() override {}
};

QAbstractItemModel& tableIn(const Panel& panel) {
    return *panel.findChild<QTableView*>()->model();
}

}  // namespace

class TestFigureTables : public QObject {
    Q_OBJECT
private:
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    /// Runs whose news makes their histories.
    struct Scene {
        Scene() { histories.listenTo(&bridge); }
        void start(std::int64_t run) {
            const RunStarted event = madeUpStart(run, "/runs/" + std::to_string(run), "batch", run);
            store.onStarted(event);
            Q_EMIT bridge.started(event);
            store.onEvaluated(madeUpEvaluation(run, 100, 0.5));
        }
        void learn(std::int64_t run, std::int64_t update, double loss) {
            Q_EMIT bridge.updatesDone({UpdateDone{run, 10 * update, update, loss, 0.5, 0.005}});
        }
        RunSet store;
        RunBridge bridge;
        HistoryStore histories{&store};
    };

private Q_SLOTS:
    void momentsOfAHeatMapAreAppended() {
        Scene scene;
        scene.start(1);
        ChosenHeat plot(&scene.store, &scene.histories);
        QAbstractItemModel& table = tableIn(*plot.panel());
        watch(table);
        plot.setTableShown(true);
        plot.chosen = {{"Trouser", "Coat"}, {100}, {{0.25f, 0.5f}}};
        plot.drawNow();
        QCOMPARE(table.columnCount(), 3);
        QCOMPARE(columnOf(table, 2), QStringList{"50"});
        QSignalSpy reset(&table, &QAbstractItemModel::modelReset), inserted(&table, &QAbstractItemModel::rowsInserted);
        plot.chosen = {{"Trouser", "Coat"}, {100, 200, 300}, {{0.25f, 0.5f}, {0.75f}, {}}};
        Q_EMIT scene.histories.changed("/runs/1");
        plot.drawNow();
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(reset.count(), 0);
        QCOMPARE(columnOf(table, 0), (QStringList{"100", "200", "300"}));
        QCOMPARE(columnOf(table, 1), (QStringList{"25", "75", ""}));
        QCOMPARE(columnOf(table, 2), (QStringList{"50", "", ""}));
        // Another map altogether.
        plot.chosen = {{"Bag"}, {50}, {{1.0f}}};
        Q_EMIT scene.histories.changed("/runs/1");
        plot.drawNow();
        QCOMPARE(reset.count(), 1);
        QCOMPARE(columnOf(table, 1), QStringList{"100"});
        QCOMPARE(table.headerData(1, Qt::Horizontal).toString(), QString("Bag"));
    }

    void aMatrixOfTheSameShapeChangesItsNumbersAlone() {
        ChosenMatrix view;
        QAbstractItemModel& table = tableIn(*view.panel());
        watch(table);
        MatrixContent content{"after session", "session", {"1", "2"}, {"1", "2"}, {0.9, kNone, 0.8, 0.7}, {}};
        QSignalSpy reset(&table, &QAbstractItemModel::modelReset), changed(&table, &QAbstractItemModel::dataChanged);
        view.choose(content);
        QCOMPARE(reset.count(), 1);
        QCOMPARE(columnOf(table, 0), (QStringList{"1", "2"}));
        QCOMPARE(columnOf(table, 2), (QStringList{"", "70.0 %"}));
        content.shares[1] = 0.5;
        view.choose(content);
        QCOMPARE(reset.count(), 1);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(columnOf(table, 2), (QStringList{"50.0 %", "70.0 %"}));
        view.choose({});
        QCOMPARE(reset.count(), 2);
        QCOMPARE(table.rowCount(), 0);
        QCOMPARE(table.columnCount(), 0);
    }

    void updatesOfALossAreAppended() {
        Scene scene;
        scene.start(1);
        scene.store.select("/runs/1");
        LossTable table(&scene.store, &scene.histories);
        watch(table);
        scene.learn(1, 1, 2.5);
        table.refresh();
        QSignalSpy reset(&table, &QAbstractItemModel::modelReset), inserted(&table, &QAbstractItemModel::rowsInserted);
        scene.learn(1, 2, 2.25);
        scene.learn(1, 3, 2.0);
        table.refresh();
        QCOMPARE(reset.count(), 0);
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(columnOf(table, 0), (QStringList{"10", "20", "30"}));
        QCOMPARE(columnOf(table, 1), (QStringList{"1", "2", "3"}));
        QVERIFY(columnOf(table, 2)[1].startsWith("2.25"));
    }

    void aMeanOverSeedsHasColumnsAndGrowsWithTheSlowest() {
        Scene scene;
        for (const std::int64_t run : {1, 2}) scene.start(run);
        for (const char* run : {"/runs/1", "/runs/2"}) scene.store.setVisible(run, true);
        scene.store.select("/runs/1");
        LossTable table(&scene.store, &scene.histories);
        watch(table);
        for (const std::int64_t update : {1, 2}) scene.learn(1, update, 2);
        scene.learn(2, 1, 1);
        table.refresh();
        QCOMPARE(table.columnCount(), 3);
        CurveOptions options;
        CurveOptions::Values values;
        values.band = CurveOptions::Band::Deviation;
        options.set(values);
        table.applyOptions(options);
        table.refresh();
        QCOMPARE(table.columnCount(), 5);
        QVERIFY(columnOf(table, 3)[0].startsWith("1.5"));
        QCOMPARE(columnOf(table, 3)[1], QString());
        QSignalSpy changed(&table, &QAbstractItemModel::dataChanged);
        scene.learn(2, 2, 1);
        table.refresh();
        QCOMPARE(changed.count(), 1);
        QVERIFY(columnOf(table, 3)[1].startsWith("1.5"));
        scene.store.select("/runs/2");
        table.refresh();
        QVERIFY(columnOf(table, 2)[0].startsWith("1"));
    }
};

PALIMPSEST_TEST(TestFigureTables)

}  // namespace tst_figure_tables

#include "tst_figure_tables.moc"
