// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/made_up_runs.h"
#include "ui/curve_store.h"
#include "ui/run_library.h"
#include "ui/run_table_model.h"
#include "ui/runs_panel.h"
#include "ui/theme.h"

using namespace palimpsest;
using namespace palimpsest::testing;

class TestRunsPanel : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    struct Desk {
        explicit Desk(const OptionTable* table) : library(table, folder.path().toStdString()), panel(&store, &library) {
            for (const auto& [mask, seed] : {std::pair("batch", 1), std::pair("none", 2), std::pair("seen", 3)})
                ids.push_back(
                    CurveStore::idOf(writeMadeUpRun(*table, folder.path().toStdString(), mask, seed).string(), 0));
            QSignalSpy scanned(&library, &RunLibrary::scanned);
            library.refresh();
            QVERIFY(scanned.wait());
            panel.resize(900, 200);
            panel.show();
            QVERIFY(QTest::qWaitForWindowExposed(&panel));
        }
        QModelIndex index(const QString& id, int column) const {
            const QAbstractItemModel* model = panel.view()->model();
            for (int row = 0; row < model->rowCount(); ++row)
                if (model->index(row, 0).data(RunTableModel::IdRole).toString() == id) return model->index(row, column);
            return {};
        }
        QPoint at(const QString& id, int column) const { return panel.view()->visualRect(index(id, column)).center(); }
        QTemporaryDir folder;
        QStringList ids;
        CurveStore store;
        RunLibrary library;
        RunsPanel panel;
    };

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void aClickOnTheMarkerShowsAndHidesTheRun() {
        Desk desk(&table_);
        QWidget* viewport = desk.panel.view()->viewport();
        QTest::mouseClick(viewport, Qt::LeftButton, {}, desk.at(desk.ids[0], RunTableModel::Shown));
        QVERIFY(desk.store.find(desk.ids[0]));
        QVERIFY(desk.store.find(desk.ids[0])->visible);
        QTest::mouseClick(viewport, Qt::LeftButton, {}, desk.at(desk.ids[0], RunTableModel::Shown));
        QVERIFY(!desk.store.find(desk.ids[0])->visible);
    }

    void aClickOnARowShowsTheRun() {
        Desk desk(&table_);
        for (const QString& id : {desk.ids[0], desk.ids[1]}) {
            QTest::mouseClick(desk.panel.view()->viewport(), Qt::LeftButton, {}, desk.at(id, RunTableModel::Name));
            QVERIFY(desk.store.primary());
            QCOMPARE(desk.store.primary()->id, id);
            QVERIFY(!desk.store.primary()->chosen);
        }
        QVERIFY(desk.store.find(desk.ids[0])->visible);
    }

    void doubleClickMakesTheRunPrimary() {
        Desk desk(&table_);
        for (const QString& id : {desk.ids[0], desk.ids[1]}) {
            // A double click begins with a click.
            QTest::mouseClick(desk.panel.view()->viewport(), Qt::LeftButton, {}, desk.at(id, RunTableModel::Name));
            QTest::mouseDClick(desk.panel.view()->viewport(), Qt::LeftButton, {}, desk.at(id, RunTableModel::Name));
            QVERIFY(desk.store.primary());
            QCOMPARE(desk.store.primary()->id, id);
            QVERIFY(desk.store.primary()->chosen);
        }
        QVERIFY(desk.store.find(desk.ids[0])->visible);
    }

    void theKeyboardDoesTheSame() {
        Desk desk(&table_);
        desk.panel.view()->setCurrentIndex(desk.index(desk.ids[2], RunTableModel::Name));
        QTest::keyClick(desk.panel.view(), Qt::Key_Return);
        QCOMPARE(desk.store.primary()->id, desk.ids[2]);
        QTest::keyClick(desk.panel.view(), Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(!desk.store.find(desk.ids[2])->visible);
    }

    void searchKeepsRowsWithAllWords_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("rows");
        QTest::newRow("nothing") << "" << 3;
        QTest::newRow("one word") << "batch" << 1;
        QTest::newRow("two columns") << "DUALPROMPT seen" << 1;
        QTest::newRow("all") << "fashion" << 3;
        QTest::newRow("none") << "fashion xyz" << 0;
    }
    void searchKeepsRowsWithAllWords() {
        QFETCH(QString, words);
        QFETCH(int, rows);
        Desk desk(&table_);
        desk.panel.search()->setText(words);
        QCOMPARE(desk.panel.view()->model()->rowCount(), rows);
    }

    void theMenuOffersTheRest() {
        Desk desk(&table_);
        desk.panel.view()->setCurrentIndex(desk.index(desk.ids[1], RunTableModel::Name));
        QSignalSpy open(&desk.panel, &RunsPanel::openRequested);
        Q_EMIT desk.panel.view()->customContextMenuRequested(desk.at(desk.ids[1], RunTableModel::Name));
        auto* menu = desk.panel.findChild<QMenu*>("runsMenu");
        QVERIFY(menu);
        QStringList words;
        for (QAction* action : menu->actions()) {
            words.push_back(action->text().section('\t', 0, 0));
            if (words.last() == "Open with its settings" || words.last() == "Copy command line") action->trigger();
        }
        QVERIFY(words.contains("Show in full colour"));
        QVERIFY(words.contains("Show in plots"));
        QVERIFY(words.contains("Open folder"));
        QCOMPARE(open.count(), 1);
        QCOMPARE(open[0][0].toString(), desk.ids[1]);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("palimpsest-cli run '%1/experiment.toml'").arg(desk.ids[1]));
        menu->close();
    }

    void aFolderThatCannotBeReadIsToldOnce() {
        QTemporaryDir folder;
        const auto run = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        QFile file(QString::fromStdString((run / "run.json").string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"started": "2026-03-01T10:00:00.125Z"})");
        file.close();
        CurveStore store;
        RunLibrary library(&table_, folder.path().toStdString());
        RunsPanel panel(&store, &library);
        QSignalSpy notes(&panel, &RunsPanel::noteRequested), scanned(&library, &RunLibrary::scanned);
        for (int scan = 1; scan <= 3; ++scan) {
            library.refresh();
            QTRY_COMPARE(scanned.count(), scan);
            QCOMPARE(scanned.last()[0].toStringList().size(), 1);
        }
        QCOMPARE(notes.count(), 1);
        QVERIFY(notes[0][0].toString().contains(QString::fromStdString(run.string())));
        QVERIFY(!notes[0][1].toString().isEmpty());
    }

    void namesWithQuotesSurviveTheShell() {
        QCOMPARE(RunsPanel::commandLine("/runs/it's"), QString("palimpsest-cli run '/runs/it'\\''s/experiment.toml'"));
    }

    void rowsAndColumnsGrowWithTheTextAndNamesKeepTheirRoom() {
        Desk desk(&table_);
        QTableView* view = desk.panel.view();
        const int row = view->rowHeight(0), seed = view->columnWidth(RunTableModel::Seed);
        applyTextSize(*qApp, TextSize::VeryLarge);
        QCOMPARE(view->rowHeight(0), qRound(row * 1.5));
        QCOMPARE(view->columnWidth(RunTableModel::Seed), qRound(seed * 1.5));
        QTRY_VERIFY(view->columnWidth(RunTableModel::Name) >= 90);
        applyTextSize(*qApp, TextSize::Normal);
        QCOMPARE(view->columnWidth(RunTableModel::Seed), seed);
        desk.panel.resize(1400, 200);
        QTRY_VERIFY(view->columnWidth(RunTableModel::Name) > 300);
    }

    void aVeryWideTableSpreadsItsColumnsInsteadOfTheNames() {
        Desk desk(&table_);
        QTableView* view = desk.panel.view();
        const auto whole = [&] {
            int width = 0;
            for (int column = 0; column < RunTableModel::kColumns; ++column) width += view->columnWidth(column);
            return width;
        };
        const int data = view->columnWidth(RunTableModel::Data);
        const int area = view->columnWidth(RunTableModel::AreaUnderCurve);
        desk.panel.resize(3600, 200);
        QTRY_COMPARE(whole(), view->viewport()->width());
        QVERIFY(view->columnWidth(RunTableModel::Name) <= 420);
        QCOMPARE(view->columnWidth(RunTableModel::Data), qRound(data * 1.6));
        QCOMPARE(view->columnWidth(RunTableModel::AreaUnderCurve), qRound(area * 1.6));
        desk.panel.resize(1000, 200);
        QTRY_COMPARE(whole(), view->viewport()->width());
        QCOMPARE(view->columnWidth(RunTableModel::Data), data);
        QCOMPARE(view->columnWidth(RunTableModel::AreaUnderCurve), area);
        QVERIFY(view->columnWidth(RunTableModel::Name) > 60);
    }

    void aColumnKeepsTheWidthAPersonGaveIt() {
        Desk desk(&table_);
        QTableView* view = desk.panel.view();
        desk.panel.resize(1100, 200);
        QTRY_VERIFY(view->columnWidth(RunTableModel::Name) > 100);
        const int names = view->columnWidth(RunTableModel::Name), data = view->columnWidth(RunTableModel::Data);
        view->setColumnWidth(RunTableModel::Data, data + 30);
        QCOMPARE(view->columnWidth(RunTableModel::Name), names - 30);
        desk.panel.resize(1150, 200);
        QTRY_COMPARE(view->columnWidth(RunTableModel::Name), names + 20);
        QCOMPARE(view->columnWidth(RunTableModel::Data), data + 30);
    }

    void withoutRunsThePanelInvites() {
        QTemporaryDir folder;
        CurveStore store;
        RunLibrary library(&table_, folder.path().toStdString());
        RunsPanel panel(&store, &library);
        panel.resize(700, 200);
        QVERIFY(panel.search()->isHidden());
        QCOMPARE(panel.view()->accessibleDescription(), QString("No runs yet"));
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        QCOMPARE(panel.view()->accessibleDescription(), QString("1 run"));
        QVERIFY(!panel.search()->isHidden());
    }
};

QTEST_MAIN(TestRunsPanel)
#include "tst_runs_panel.moc"
