// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/library/run_table.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/runs/run_table_model.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_lines {

class TestRunLines : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    static RunRow run(int number) {
        RunRow row;
        row.folder = "/runs/" + std::to_string(number);
        row.name = "run " + std::to_string(number % 1000);
        row.method = number % 2 ? "l2p" : "dualprompt";
        row.mask = "batch";
        row.seed = number % 5;
        row.family = "f" + std::to_string(number / 5);
        row.state = RecordedState::Finished;
        row.started = "2026-03-01T10:00:" + std::to_string(10'000 + number);
        row.a_auc = (number * 7919 % 10'007) / 10'007.0;
        return row;
    }
    static std::vector<RunRowPtr> runs(int count) {
        std::vector<RunRowPtr> rows;
        for (int i = 0; i < count; ++i) rows.push_back(std::make_shared<const RunRow>(run(i)));
        return rows;
    }
    static std::vector<int> order(const RunArrangement& made) {
        std::vector<int> places;
        for (const RunLine& line : made.lines) places.push_back(line.run);
        return places;
    }

private Q_SLOTS:
    void theNewestComesFirst() { QCOMPARE(order(arrangeRuns(runs(4), {})), (std::vector<int>{3, 2, 1, 0})); }

    void equalRunsKeepTheirOrder() {
        RunOrder by;
        by.column = RunColumn::Mask;
        QCOMPARE(order(arrangeRuns(runs(3), by)), (std::vector<int>{0, 1, 2}));
    }

    void numbersSortAsNumbersAndUnknownOnesLast() {
        std::vector<RunRowPtr> rows;
        for (const auto& area : {std::optional(0.095), std::optional(0.5), std::optional<double>()}) {
            RunRow row = run(static_cast<int>(rows.size()));
            row.a_auc = area;
            rows.push_back(std::make_shared<const RunRow>(row));
        }
        RunOrder by;
        by.column = RunColumn::AreaUnderCurve;
        QCOMPARE(order(arrangeRuns(rows, by)), (std::vector<int>{1, 0, 2}));
    }

    void headingsStandWhereTheirMeanDoes() {
        std::vector<RunRowPtr> rows;
        const double areas[] = {0.9, 0.1, 0.6, 0.6};
        for (int i = 0; i < 4; ++i) {
            RunRow row = run(i);
            row.family = i < 2 ? "spread" : "even";
            row.a_auc = areas[i];
            rows.push_back(std::make_shared<const RunRow>(row));
        }
        RunOrder by;
        by.grouped = true;
        by.column = RunColumn::AreaUnderCurve;
        by.open = {"family:spread"};
        const RunArrangement made = arrangeRuns(rows, by);
        QCOMPARE(made.lines.size(), std::size_t(4));
        QCOMPARE(made.lines[0].key, std::string_view("family:even"));
        QCOMPARE(made.lines[1].key, std::string_view("family:spread"));
        QCOMPARE(made.lines[2].run, 0);
        QCOMPARE(made.lines[3].run, 1);
        QCOMPARE(made.matching, 4);
    }

    void aFamilyOfOneNeedsNoHeading() {
        RunOrder by;
        by.grouped = true;
        by.query = RunQuery("seed:3");
        const RunArrangement made = arrangeRuns(runs(20), by);
        QCOMPARE(made.lines.size(), std::size_t(4));
        for (const RunLine& line : made.lines) QVERIFY(line.run >= 0);
    }

    /// Ten thousand runs, as an index hands them on: nothing is done for each of them in the window's thread but to be
    /// counted, and a search that changes the list sends a handful of signals, not one a row.
    void tenThousandRunsAreArrangedAwayFromTheWindow() {
        constexpr int kRuns = 10'000;
        QTemporaryDir folder;
        for (int i = 0; i < kRuns; ++i) {
            const QString path = folder.filePath(QString::number(i));
            QVERIFY(QDir().mkdir(path));
            QFile file(path + "/run.json");
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("{}");
        }
        {
            IndexedRunTable index(std::filesystem::path(folder.path().toStdString()) / ".library.sqlite");
            SqlTransaction whole(index.database());
            for (int i = 0; i < kRuns; ++i) {
                RunRow row = run(i);
                row.signature = runSignature(folder.filePath(QString::number(i)).toStdString());
                index.put(std::to_string(i), row);
            }
            whole.commit();
        }
        RunSet store;
        RunLibrary library(&table_, folder.path().toStdString());
        RunTableModel model(&store, &library);
        QSignalSpy scanned(&library, &RunLibrary::scanned), arranged(&model, &RunTableModel::arranged);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), inserted(&model, &QAbstractItemModel::rowsInserted),
            removed(&model, &QAbstractItemModel::rowsRemoved), changed(&model, &QAbstractItemModel::dataChanged);
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(scanned.count(), 1, 60'000);
        QCOMPARE(library.rows().size(), std::size_t(kRuns));
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), kRuns, 60'000);
        // All the rows were known: no run of theirs was read but those that are read whole, which these cannot be.
        QCOMPARE(scanned[0][0].toStringList().size(), qsizetype(RunLibrary::kWhole));

        for (QSignalSpy* spy : {&reset, &inserted, &removed, &changed, &arranged}) spy->clear();
        model.setQuery("method:l2p");
        QCOMPARE(model.rowCount(), kRuns);  // nothing happens on this thread
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), kRuns / 2, 60'000);
        QCOMPARE(reset.count(), 1);
        QCOMPARE(inserted.count() + removed.count() + changed.count(), 0);

        // Only the last text of a search being typed counts.
        arranged.clear();
        for (const char* text : {"r", "ru", "run", "run 7", "run 77"}) model.setQuery(text);
        QTRY_VERIFY_WITH_TIMEOUT(arranged.count() > 0 && model.matching() < kRuns / 2, 60'000);
        QCOMPARE(arranged.count(), 1);

        model.setQuery({});
        QTRY_COMPARE_WITH_TIMEOUT(model.matching(), kRuns, 60'000);
        model.setGrouped(true);
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), kRuns / 5, 60'000);
    }
};

PALIMPSEST_GUILESS_TEST(TestRunLines)

}  // namespace tst_run_lines

#include "tst_run_lines.moc"
