// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <functional>

#include "tests/support/environment.h"
#include "tests/support/footprint.h"
#include "tests/support/many_runs.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_long_library {

namespace {

constexpr int kPatienceMs = 240'000;
/// Most that the list may keep of a third of its rounds: far less than a copy of its rows.
constexpr qint64 kMostKeptKb = 8 * 1024;

}  // namespace

/// A long list is used in all its ways, again and again, and must not grow. PALIMPSEST_LIBRARY_RUNS is the number of
/// its runs, PALIMPSEST_LIBRARY_ROUNDS that of the rounds; PALIMPSEST_LIBRARY_TABLE is a file for what was held.
class TestLongLibrary : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

private Q_SLOTS:
    void aLongListThatIsUsedDoesNotGrow() {
        const int runs = environmentOr("PALIMPSEST_LIBRARY_RUNS", 300);
        const int rounds = std::max(3, environmentOr("PALIMPSEST_LIBRARY_ROUNDS", 12));
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        writeManyRuns(table_, path, runs);
        RunSet store;
        RunLibrary library(&table_, path);
        RunsPanel panel(&store, &library);
        panel.resize(1200, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        RunTableModel& model = *panel.model();
        QTableView& view = *panel.view();
        auto* search = panel.findChild<QLineEdit*>("runsSearch");
        auto* grouped = panel.findChild<QToolButton*>("runsGrouping");
        QVERIFY(search && grouped);
        QSignalSpy arranged(&model, &RunTableModel::arranged);
        // Does something after which the list is arranged anew.
        const auto arrange = [&](const std::function<void()>& action) {
            arranged.clear();
            action();
            return QTest::qWaitFor([&] { return !arranged.isEmpty() && !library.scanning(); }, kPatienceMs);
        };
        library.refresh();
        QVERIFY(QTest::qWaitFor([&] { return static_cast<int>(library.rows().size()) == runs; }, kPatienceMs));
        FootprintLog held;
        for (int round = 0; round < rounds; ++round) {
            for (const char* words : {"batch", "tag:seventh seed:1..3", "a_auc:>10", "experiment 1", ""})
                QVERIFY2(arrange([&] { search->setText(words); }), words);
            const auto order = round % 2 ? Qt::AscendingOrder : Qt::DescendingOrder;
            for (const int column :
                 {RunTableModel::Name, RunTableModel::AreaUnderCurve, RunTableModel::Seed, RunTableModel::When})
                QVERIFY(arrange([&] { view.sortByColumn(column, order); }));
            for (int click = 0; click < 2; ++click) QVERIFY(arrange([&] { grouped->click(); }));
            for (const int place : {view.verticalScrollBar()->maximum(), 0}) {
                view.verticalScrollBar()->setValue(place);
                QCoreApplication::processEvents();
            }
            // One run changes on the disk.
            const std::string changed = "run-" + std::to_string(round % runs);
            QVERIFY(arrange([&] {
                writeNotes(path / changed, {{"round " + std::to_string(round)}, {}, {}, false});
                library.touch(QString::fromStdString((path / changed).string()));
            }));
            // Another one is looked at.
            const QModelIndex looked_at = model.index(round % model.rowCount(), RunTableModel::Name);
            view.scrollTo(looked_at);
            QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(looked_at).center());
            QTRY_VERIFY(store.selected());
            store.remove(store.selected()->id);
            QCOMPARE(static_cast<int>(library.rows().size()), runs);
            held.add();
        }
        held.write("PALIMPSEST_LIBRARY_TABLE");
        const qint64 heap_kb = held.grown(&Footprint::heap_kb), handles = held.grown(&Footprint::handles);
        qInfo("%d runs, %d rounds: %lld KB and %lld handles more stayed", runs, rounds, static_cast<long long>(heap_kb),
              static_cast<long long>(handles));
#ifndef PALIMPSEST_SANITIZED
        QVERIFY(heap_kb < kMostKeptKb);
#endif
        QVERIFY(handles <= 1);
    }
};

PALIMPSEST_TEST(TestLongLibrary)

}  // namespace tst_long_library

#include "tst_long_library.moc"
