// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "tests/support/watched_model.h"
#include "ui/plots/curve_table_model.h"
#include "ui/state/run_set.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_curve_table_model {

class TestCurveTableModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void newPointsBecomeNewRowsOfTheSameTable() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.1));
        CurveTableModel model(&store, CurveKind::Anytime);
        watch(model);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), inserted(&model, &QAbstractItemModel::rowsInserted);
        store.onEvaluated(madeUpEvaluation(1, 200, 0.2));
        store.onEvaluated(madeUpEvaluation(1, 300, 0.3));
        model.refresh();
        model.refresh();
        QCOMPARE(columnOf(model, 0), (QStringList{"100", "200", "300"}));
        QCOMPARE(columnOf(model, 1), (QStringList{"10.0 %", "20.0 %", "30.0 %"}));
        QCOMPARE(reset.count(), 0);
        QCOMPARE(inserted.count(), 1);
    }

    void placesBetweenTheRowsAreSortedIn() {
        RunSet store;
        store.addRecord(madeUpRecord("/runs/a", "none", 0.5, 1, 2000));
        store.setVisible("/runs/a", true);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        CurveTableModel model(&store, CurveKind::Anytime);
        watch(model);
        QCOMPARE(columnOf(model, 0), (QStringList{"2,000", "4,000", "6,000"}));
        store.onEvaluated(madeUpEvaluation(1, 1000, 0.1));
        store.onEvaluated(madeUpEvaluation(1, 2000, 0.2));
        store.onEvaluated(madeUpEvaluation(1, 5000, 0.5));
        model.refresh();
        QCOMPARE(columnOf(model, 0), (QStringList{"1,000", "2,000", "4,000", "5,000", "6,000"}));
        QCOMPARE(columnOf(model, 1), (QStringList{"10.0 %", "20.0 %", "", "50.0 %", ""}));
    }

    void pointsOutOfOrderOrTwiceKeepTheirPlace() {
        RunRecord record = madeUpRecord("/runs/a", "none");
        record.anytime = {{300, 0, 0.3, 1, 2, 1}, {100, 0, 0.1, 1, 2, 1}, {300, 0, 0.4, 1, 2, 1}};
        record.retention.clear();
        RunSet store;
        store.addRecord(record);
        store.setVisible("/runs/a", true);
        CurveTableModel model(&store, CurveKind::Anytime);
        watch(model);
        QCOMPARE(columnOf(model, 0), (QStringList{"100", "300"}));
        QCOMPARE(columnOf(model, 1), (QStringList{"10.0 %", "40.0 %"}));
    }

    void aRunReadAgainIsTakenAnew() {
        RunSet store;
        store.addRecord(madeUpRecord("/runs/a", "none"));
        store.setVisible("/runs/a", true);
        CurveTableModel model(&store, CurveKind::Anytime);
        watch(model);
        RunRecord shorter = madeUpRecord("/runs/a", "none");
        shorter.anytime.resize(3);
        shorter.retention.clear();
        store.addRecord(shorter);
        model.refresh();
        QCOMPARE(columnOf(model, 0), (QStringList{"100", "200", "300"}));
    }

    void endsOfSessionsHaveAColumnOfTheirOwn() {
        RunSet store;
        store.addRecord(madeUpRecord("/runs/a", "none", 0.5, 1, 2000));
        store.setVisible("/runs/a", true);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 1000, 0.1));
        CurveTableModel model(&store, CurveKind::Anytime);
        watch(model);
        QCOMPARE(model.columnCount(), 3);
        store.onEvaluated(madeUpEvaluation(1, 1200, 0.2, EvaluationKind::SessionEnd));
        model.refresh();
        QCOMPARE(model.columnCount(), 4);
        QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QString("End of session"));
        QCOMPARE(columnOf(model, 0), (QStringList{"1,000", "1,200", "2,000", "4,000", "6,000"}));
        QCOMPARE(columnOf(model, 1), (QStringList{"10.0 %", "", "", "", ""}));
        QCOMPARE(columnOf(model, 2), (QStringList{"", "20.0 %", "", "", ""}));
    }

    void aMeanThatIsDrawnHasAColumnAndItsBandAnother() {
        RunSet store;
        std::vector<RunRecord> records{madeUpRecord("/runs/a", "batch", 0.5, 1, 2000),
                                       madeUpRecord("/runs/b", "batch", 0.5, 2, 2000)};
        for (std::size_t i = 0; i < records.size(); ++i) {
            for (AnytimePoint& point : records[i].anytime) point.accuracy = i == 0 ? 0.4 : 0.6;
            records[i].retention.clear();
            store.addRecord(records[i]);
            store.setVisible(QString::fromStdString(records[i].folder.string()), true);
        }
        CurveTableModel model(&store, CurveKind::Anytime);
        watch(model);
        QCOMPARE(model.columnCount(), 3);
        CurveOptions options;
        CurveOptions::Values values;
        values.band = CurveOptions::Band::Deviation;
        options.set(values);
        model.applyOptions(options);
        model.refresh();
        const auto heading = [&](int which) { return model.headerData(which, Qt::Horizontal, Qt::DisplayRole); };
        QCOMPARE(model.columnCount(), 5);
        QCOMPARE(heading(1).toString(), QString("batch run, seed 1"));
        QCOMPARE(heading(2).toString(), QString("batch run, mean of N = 2"));
        QCOMPARE(heading(3).toString(), QString("batch run, ± standard deviation"));
        QCOMPARE(columnOf(model, 0), (QStringList{"2,000", "4,000", "6,000"}));
        QCOMPARE(columnOf(model, 2), (QStringList{"50.0 %", "50.0 %", "50.0 %"}));
        QCOMPARE(columnOf(model, 3), (QStringList{"14.1 %", "14.1 %", "14.1 %"}));
        values.band = CurveOptions::Band::Error;
        options.set(values);
        model.applyOptions(options);
        model.refresh();
        QCOMPARE(heading(3).toString(), QString("batch run, ± standard error of the mean"));
        QCOMPARE(columnOf(model, 3), (QStringList{"10.0 %", "10.0 %", "10.0 %"}));
    }

    void aMeanGrowsWithItsRuns() {
        RunSet store;
        RunRecord done = madeUpRecord("/runs/a", "batch", 0.5, 1, 2000), grows = done;
        grows.folder = "/runs/b";
        grows.experiment.seed = 2;
        done.state = grows.state = RecordedState::Running;
        done.retention.clear();
        grows.retention.clear();
        const RunRecord whole = grows;
        grows.anytime.resize(1);
        for (const RunRecord& record : {done, grows}) {
            store.addRecord(record);
            store.setVisible(QString::fromStdString(record.folder.string()), true);
        }
        CurveTableModel model(&store, CurveKind::Anytime);
        watch(model);
        CurveOptions options;
        CurveOptions::Values values;
        values.band = CurveOptions::Band::Deviation;
        options.set(values);
        model.applyOptions(options);
        model.refresh();
        QCOMPARE(columnOf(model, 3), (QStringList{"0.0 %", "", ""}));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        store.addRecord(whole);
        model.refresh();
        QCOMPARE(columnOf(model, 3), (QStringList{"0.0 %", "0.0 %", "0.0 %"}));
        QCOMPARE(reset.count(), 0);
    }

    void retentionHasAColumnASession() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        CurveTableModel model(&store, CurveKind::Retention);
        watch(model);
        QCOMPARE(model.columnCount(), int(kSessions) + 1);
        for (int session = 0; session < 3; ++session) {
            store.onSessionEnded(madeUpSessionEnd(1, session));
            model.refresh();
        }
        QCOMPARE(columnOf(model, 0), (QStringList{"1", "2", "3"}));
        QCOMPARE(columnOf(model, 1), (QStringList{"90.0 %", "88.0 %", "86.0 %"}));
        QCOMPARE(columnOf(model, 3), (QStringList{"", "", "70.0 %"}));
        QCOMPARE(columnOf(model, 4), (QStringList{"", "", ""}));
    }
};

PALIMPSEST_GUILESS_TEST(TestCurveTableModel)

}  // namespace tst_curve_table_model

#include "tst_curve_table_model.moc"
