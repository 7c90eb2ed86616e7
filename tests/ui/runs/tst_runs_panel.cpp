// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QClipboard>
#include <QDropEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "tests/support/made_up_runs.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_runs_panel {

class TestRunsPanel : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    struct Scene {
        explicit Scene(const OptionTable* table)
            : library(table, folder.path().toStdString()), panel(&store, &library) {
            for (const auto& [mask, seed] : {std::pair("batch", 1), std::pair("none", 2), std::pair("seen", 3)})
                ids.push_back(
                    RunSet::idOf(writeMadeUpRun(*table, folder.path().toStdString(), mask, seed).string(), 0));
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
        RunSet store;
        RunLibrary library;
        RunsPanel panel;
    };

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void aClickOnTheMarkerShowsAndHidesTheRun() {
        Scene scene(&table_);
        QWidget* viewport = scene.panel.view()->viewport();
        QTest::mouseClick(viewport, Qt::LeftButton, {}, scene.at(scene.ids[0], RunTableModel::Shown));
        QVERIFY(scene.store.find(scene.ids[0]));
        QVERIFY(scene.store.find(scene.ids[0])->display.visible);
        QTest::mouseClick(viewport, Qt::LeftButton, {}, scene.at(scene.ids[0], RunTableModel::Shown));
        QVERIFY(!scene.store.find(scene.ids[0])->display.visible);
    }

    void aClickOnARowShowsTheRun() {
        Scene scene(&table_);
        for (const QString& id : {scene.ids[0], scene.ids[1]}) {
            QTest::mouseClick(scene.panel.view()->viewport(), Qt::LeftButton, {}, scene.at(id, RunTableModel::Name));
            QVERIFY(scene.store.selected());
            QCOMPARE(scene.store.selected()->id, id);
            QVERIFY(!scene.store.selected()->display.chosen);
        }
        QVERIFY(scene.store.find(scene.ids[0])->display.visible);
    }

    void doubleClickMakesTheRunSelected() {
        Scene scene(&table_);
        for (const QString& id : {scene.ids[0], scene.ids[1]}) {
            // A double click begins with a click.
            QTest::mouseClick(scene.panel.view()->viewport(), Qt::LeftButton, {}, scene.at(id, RunTableModel::Name));
            QTest::mouseDClick(scene.panel.view()->viewport(), Qt::LeftButton, {}, scene.at(id, RunTableModel::Name));
            QVERIFY(scene.store.selected());
            QCOMPARE(scene.store.selected()->id, id);
            QVERIFY(scene.store.selected()->display.chosen);
        }
        QVERIFY(scene.store.find(scene.ids[0])->display.visible);
    }

    void theKeyboardDoesTheSame() {
        Scene scene(&table_);
        scene.panel.view()->setCurrentIndex(scene.index(scene.ids[2], RunTableModel::Name));
        QTest::keyClick(scene.panel.view(), Qt::Key_Return);
        QCOMPARE(scene.store.selected()->id, scene.ids[2]);
        QTest::keyClick(scene.panel.view(), Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(!scene.store.find(scene.ids[2])->display.visible);
    }

    void searchKeepsRowsWithAllWords_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("rows");
        QTest::newRow("nothing") << "" << 3;
        QTest::newRow("one word") << "batch" << 1;
        QTest::newRow("two columns") << "DUALPROMPT seen" << 1;
        QTest::newRow("all") << "fashion" << 3;
        QTest::newRow("none") << "fashion xyz" << 0;
        QTest::newRow("one column") << "mask:seen" << 1;
        QTest::newRow("opposite") << "-mask:seen" << 2;
    }
    void searchKeepsRowsWithAllWords() {
        QFETCH(QString, words);
        QFETCH(int, rows);
        Scene scene(&table_);
        scene.panel.search()->setText(words);
        QCOMPARE(scene.panel.view()->model()->rowCount(), rows);
    }

    void theMenuOffersTheRest() {
        Scene scene(&table_);
        scene.panel.view()->setCurrentIndex(scene.index(scene.ids[1], RunTableModel::Name));
        QSignalSpy open(scene.panel.actions(), &RunActions::openRequested);
        Q_EMIT scene.panel.view()->customContextMenuRequested(scene.at(scene.ids[1], RunTableModel::Name));
        auto* menu = scene.panel.findChild<QMenu*>("runsMenu");
        QVERIFY(menu);
        QStringList words;
        for (QAction* action : menu->actions()) {
            words.push_back(action->text().section('\t', 0, 0));
            if (words.last() == "Open with its settings" || words.last() == "Copy command line") action->trigger();
        }
        QVERIFY(words.contains("Select this run"));
        QVERIFY(words.contains("Show in plots"));
        QVERIFY(words.contains("Open folder"));
        QCOMPARE(open.count(), 1);
        QCOMPARE(open[0][0].toString(), scene.ids[1]);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("palimpsest-cli run '%1/experiment.toml'").arg(scene.ids[1]));
        menu->close();
    }

    void tagsAndNotesAreWrittenInPlaceAndFound() {
        Scene scene(&table_);
        QTableView* view = scene.panel.view();
        const auto type = [&](int column, const char* words) {
            view->setCurrentIndex(scene.index(scene.ids[1], RunTableModel::Name));
            scene.panel.actions()->edit(column);
            auto* editor = view->viewport()->findChild<QLineEdit*>();
            QVERIFY(editor);
            QVERIFY(!view->isColumnHidden(column));
            editor->setText(words);
            QTest::keyClick(editor, Qt::Key_Return);
        };
        type(RunTableModel::Tags, "paper good");
        QTRY_COMPARE(scene.index(scene.ids[1], RunTableModel::Tags).data().toString(), QString("paper good"));
        type(RunTableModel::Note, "the slow one");
        QTRY_COMPARE(scene.index(scene.ids[1], RunTableModel::Note).data().toString(), QString("the slow one"));
        QCOMPARE(readNotes(scene.ids[1].toStdString()).note, std::string("the slow one"));
        // Return was the editor's: it showed no run.
        QVERIFY(!scene.store.selected());
        scene.panel.search()->setText("tag:paper slow");
        QCOMPARE(view->model()->rowCount(), 1);
        QVERIFY(scene.index(scene.ids[1], 0).isValid());
    }

    void editingTwiceKeepsWhatWasTyped() {
        Scene scene(&table_);
        // Away from the keyboard an editor does not close by itself.
        QWidget other;
        showActive(other);
        QTableView* view = scene.panel.view();
        view->setCurrentIndex(scene.index(scene.ids[1], RunTableModel::Note));
        QStringList warnings;
        static QStringList* heard = nullptr;
        heard = &warnings;
        const QtMessageHandler usual =
            qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& text) {
                if (type == QtWarningMsg && !text.startsWith("This plugin")) heard->append(text);
            });
        QTest::keyClick(view, Qt::Key_F2);
        auto* editor = view->viewport()->findChild<QLineEdit*>();
        if (editor) editor->setText("half a thought");
        QTest::keyClick(view, Qt::Key_F2);
        qInstallMessageHandler(usual);
        QVERIFY(editor);
        QCOMPARE(warnings, QStringList());
        QCOMPARE(view->viewport()->findChild<QLineEdit*>(), editor);
        QCOMPARE(editor->text(), QString("half a thought"));
    }

    void deleteMovesToTheTrashAndUndoBringsBack() {
        Scene scene(&table_);
        std::function<void()> undo;
        QString deletion;
        connect(scene.panel.actions(), &RunActions::doneRequested, &scene.panel,
                [&](const QString&, const QString&, const std::function<void()>& back, const QString& topic) {
                    undo = back;
                    deletion = topic;
                });
        QSignalSpy outdated(scene.panel.actions(), &RunActions::outdated);
        scene.panel.model()->selectRun(scene.ids[0]);
        scene.panel.model()->setBaseline(scene.ids[0]);
        QTableView* view = scene.panel.view();
        view->selectRow(scene.index(scene.ids[0], 0).row());
        view->selectionModel()->select(scene.index(scene.ids[2], 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QTest::keyClick(view, Qt::Key_Delete);
        QTRY_COMPARE(view->model()->rowCount(), 1);
        QVERIFY(scene.index(scene.ids[1], 0).isValid());
        QVERIFY(!scene.store.find(scene.ids[0]));
        QTRY_VERIFY(scene.panel.model()->baseline().isEmpty());
        QCOMPARE(scene.library.trashed(), qsizetype(2));
        QVERIFY(undo);
        QVERIFY(!deletion.isEmpty() && outdated.isEmpty());
        undo();
        QTRY_COMPARE(view->model()->rowCount(), 3);
        QCOMPARE(outdated.count(), 1);
        QCOMPARE(outdated[0][0].toString(), deletion);
        QVERIFY(scene.library.find(scene.ids[0]));
        QCOMPARE(scene.library.trashed(), qsizetype(0));
        // As it was, in the plots and as the baseline.
        QVERIFY(scene.store.find(scene.ids[0]) && scene.store.find(scene.ids[0])->display.visible);
        QCOMPARE(scene.store.selected()->id, scene.ids[0]);
        QCOMPARE(scene.panel.model()->baseline(), scene.ids[0]);
        QVERIFY(!scene.store.find(scene.ids[2]));
    }

    void aMenuButtonIsCalmOnceItsMenuHasClosed() {
        Scene scene(&table_);
        auto* more = scene.panel.findChild<QToolButton*>("runsMore");
        // The mouse opened the menu, and left the button without a word.
        more->setAttribute(Qt::WA_UnderMouse, true);
        QCursor::setPos(scene.panel.mapToGlobal(QPoint(2, scene.panel.height() - 2)));
        more->menu()->popup(more->mapToGlobal(QPoint(0, more->height())));
        QVERIFY(more->menu()->isVisible());
        more->menu()->close();
        QTRY_VERIFY(!more->underMouse());
    }

    void theTrashIsEmptiedOnlyAfterAQuestion() {
        Scene scene(&table_);
        scene.library.remove({scene.ids[0]});
        QTRY_COMPARE(scene.library.trashed(), qsizetype(1));
        const auto answer = [&](const char* which) {
            scene.panel.actions()->askToEmptyTrash();
            auto* question = scene.panel.findChild<QMessageBox*>("emptyTrashQuestion");
            QVERIFY(question);
            for (QAbstractButton* button : question->buttons())
                if (button->text().remove('&') == QLatin1String(which)) button->click();
            QTRY_VERIFY(!scene.panel.findChild<QMessageBox*>("emptyTrashQuestion"));
        };
        answer("Keep them");
        QCOMPARE(scene.library.trashed(), qsizetype(1));
        answer("Delete for good");
        QTRY_COMPARE(scene.library.trashed(), qsizetype(0));
        QVERIFY(QDir(scene.folder.filePath(".trash")).isEmpty());
    }

    void aBaselineShowsSignedDifferences() {
        Scene scene(&table_);
        QTableView* view = scene.panel.view();
        QVERIFY(view->isColumnHidden(RunTableModel::DeltaArea));
        scene.store.onStarted(madeUpStart(1, "/runs/live", "batch"));
        scene.store.onEvaluated(madeUpEvaluation(1, 100, 0.523));
        scene.panel.model()->setBaseline(scene.ids[0]);
        QVERIFY(!view->isColumnHidden(RunTableModel::DeltaArea));
        QCOMPARE(scene.index(scene.ids[0], RunTableModel::DeltaArea).data().toString(), QString("baseline"));
        // Half a stream is not compared with a whole one.
        QCOMPARE(scene.index("/runs/live", RunTableModel::DeltaArea).data().toString(), QString("–"));
        scene.store.onEvaluated(madeUpEvaluation(1, kImages, 0.523));
        scene.store.onEnded(madeUpEnd(1, RunEnd::Finished));
        const QModelIndex cell = scene.index("/runs/live", RunTableModel::DeltaArea);
        QCOMPARE(cell.data().toString(), QString("+2.3"));
        // One run each.
        QCOMPARE(cell.data(RunTableModel::BetterRole).toInt(), 0);
        // Its sessions were not measured.
        QCOMPARE(scene.index("/runs/live", RunTableModel::DeltaLast).data().toString(), QString("–"));
        scene.panel.model()->setBaseline({});
        QVERIFY(view->isColumnHidden(RunTableModel::DeltaArea));
    }

    void runsAreDraggedOntoAPlot() {
        Scene scene(&table_);
        QWidget plot;
        scene.panel.acceptRunsOn(&plot);
        const std::unique_ptr<QMimeData> data(scene.panel.model()->mimeData(
            {scene.index(scene.ids[0], 0), scene.index(scene.ids[0], 1), scene.index(scene.ids[2], 0)}));
        QCOMPARE(RunTableModel::idsIn(*data), QStringList({scene.ids[0], scene.ids[2]}));
        QVERIFY(scene.panel.view()->dragEnabled());
        QDragEnterEvent over(QPoint(1, 1), Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&plot, &over);
        QVERIFY(over.isAccepted());
        QDropEvent drop(QPointF(1, 1), Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&plot, &drop);
        QVERIFY(drop.isAccepted());
        QVERIFY(scene.store.find(scene.ids[0])->display.visible);
        QVERIFY(scene.store.find(scene.ids[2])->display.visible);
        QVERIFY(!scene.store.find(scene.ids[1]));
        QMimeData files;
        files.setUrls({QUrl::fromLocalFile("/a.csv")});
        QDragEnterEvent enter(QPoint(1, 1), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&plot, &enter);
        QVERIFY(!enter.isAccepted());
    }

    void importedResultsAreShownInThePlots() {
        Scene scene(&table_);
        QFile file(scene.folder.filePath("paper.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("samples_seen,accuracy\n500,61.5\n1000,70.5\n");
        file.close();
        scene.panel.actions()->importFiles({file.fileName()});
        QTRY_COMPARE(scene.panel.view()->model()->rowCount(), 4);
        QVERIFY(scene.store.selected());
        const ShownRun& run = *scene.store.selected();
        QVERIFY(run.facts->imported && run.finished);
        QVERIFY2(!run.display.ticked, "it leaves for a run on another stream");
        QCOMPARE(run.points.anytime().size(), std::size_t(2));
        QCOMPARE(scene.store.label(run.id), QString("paper"));
        QCOMPARE(scene.index(run.id, RunTableModel::Method).data().toString(), QString("–"));
        QCOMPARE(scene.index(run.id, RunTableModel::AreaUnderCurve).data().toString(), QString("66.0"));
    }

    void aLogComesWithSessionsAndASentence() {
        Scene scene(&table_);
        QSignalSpy done(scene.panel.actions(), &RunActions::doneRequested);
        scene.panel.actions()->importFiles({QStringLiteral(PALIMPSEST_TEST_DATA) + "/logs/pilot_simplecil.log"});
        QTRY_COMPARE(done.count(), 1);
        QCOMPARE(done[0][0].toString(), QString("Imported simplecil on cifar224, 20 of 100 classes"));
        QVERIFY2(done[0][1].toString().contains("20 of the 100 classes"), qPrintable(done[0][1].toString()));
        QTRY_VERIFY(scene.store.selected());
        const ShownRun& run = *scene.store.selected();
        QCOMPARE(run.points.retention().size(), std::size_t(5));
        QCOMPARE(scene.index(run.id, RunTableModel::Method).data().toString(), QString("simplecil"));
        QCOMPARE(scene.index(run.id, RunTableModel::Data).data().toString(), QString("cifar224"));
        QCOMPARE(scene.index(run.id, RunTableModel::AreaUnderCurve).data().toString(), QString("–"));
        const QString tip = scene.index(run.id, RunTableModel::Name).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("Imported from LAMDA-PILOT, pilot_simplecil.log"), qPrintable(tip));
    }

    void aLogOfSeveralSeedsIsOneMessage() {
        Scene scene(&table_);
        QSignalSpy done(scene.panel.actions(), &RunActions::doneRequested);
        scene.panel.actions()->importFiles({QStringLiteral(PALIMPSEST_TEST_DATA) + "/logs/misa.log"});
        QTRY_COMPARE(done.count(), 1);
        QCOMPARE(done[0][0].toString(), QString("Imported 5 runs"));
        QTRY_COMPARE(scene.store.visibleRuns().size(), std::size_t(5));
    }

    void aFileThatIsNoResultIsToldAndNothingComes() {
        Scene scene(&table_);
        QFile file(scene.folder.filePath("notes.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("a,b\n1,2\n");
        file.close();
        QSignalSpy told(scene.panel.actions(), &RunActions::messageRequested);
        scene.panel.actions()->importFiles({file.fileName()});
        QTRY_COMPARE(told.count(), 1);
        QVERIFY(told[0][0].toString().contains("notes.csv line 1"));
        QCOMPARE(scene.panel.view()->model()->rowCount(), 3);
    }

    void aColourOfOnesOwnReachesThePlots() {
        Scene scene(&table_);
        scene.panel.model()->setShown(scene.ids[0], true);
        scene.library.editNotes({scene.ids[0]}, [](RunNotes& notes) { notes.colour = "#0072b2"; });
        QTRY_COMPARE(scene.store.find(scene.ids[0])->display.colour, QColor("#0072b2"));
        QCOMPARE(scene.index(scene.ids[0], 0).data(RunTableModel::ColourRole).value<QColor>(), QColor("#0072b2"));
    }

    void columnsCanBeChosen() {
        Scene scene(&table_);
        QMenu menu;
        scene.panel.actions()->fillListMenu(&menu);
        auto* memory = menu.findChild<QAction*>(QStringLiteral("runsColumn%1").arg(int(RunTableModel::Memory)));
        QVERIFY(memory && !memory->isChecked());
        memory->trigger();
        QVERIFY(!scene.panel.view()->isColumnHidden(RunTableModel::Memory));
    }

    void aFilterIsWrittenIntoTheSearch() {
        Scene scene(&table_);
        auto* button = scene.panel.findChild<QToolButton*>("runsFilter");
        const auto trigger = [&] {
            Q_EMIT button->menu()->aboutToShow();
            auto* action = button->menu()->findChild<QAction*>("mask:seen");
            QVERIFY(action);
            action->trigger();
        };
        trigger();
        QCOMPARE(scene.panel.search()->text(), QString("mask:seen"));
        QCOMPARE(scene.panel.view()->model()->rowCount(), 1);
        trigger();
        QCOMPARE(scene.panel.search()->text(), QString());
    }

    void theFilterOffersSeedsAndDays() {
        Scene scene(&table_);
        auto* button = scene.panel.findChild<QToolButton*>("runsFilter");
        Q_EMIT button->menu()->aboutToShow();
        for (const char* term : {"seed:1", "seed:2", "seed:3"})
            QVERIFY2(button->menu()->findChild<QAction*>(term), term);
        button->menu()->findChild<QAction*>("seed:2")->trigger();
        QCOMPARE(scene.panel.search()->text(), QString("seed:2"));
        QCOMPARE(scene.panel.view()->model()->rowCount(), 1);
        Q_EMIT button->menu()->aboutToShow();
        QVERIFY(button->menu()->findChild<QAction*>("seed:2")->isChecked());
        // Another seed takes the place of the first.
        button->menu()->findChild<QAction*>("seed:3")->trigger();
        QCOMPARE(scene.panel.search()->text(), QString("seed:3"));
        Q_EMIT button->menu()->aboutToShow();
        const QString earlier = QString("date:<%1").arg(QDate::currentDate().year());
        button->menu()->findChild<QAction*>(earlier)->trigger();
        QCOMPARE(scene.panel.search()->text(), "seed:3 " + earlier);
    }

    void whatASearchAsksForStandsAboveTheList() {
        Scene scene(&table_);
        const auto* chips = scene.panel.findChild<QWidget*>("searchChips");
        const auto texts = [&] {
            QStringList all;
            for (const auto* chip : chips->findChildren<QToolButton*>()) all.append(chip->text());
            return all;
        };
        QVERIFY(chips->isHidden());
        scene.panel.search()->setText("fashion");
        QVERIFY(chips->isHidden());
        scene.panel.search()->setText("seed:1..2 fashion -mask:seen date:>=2026-11 f_last:<40");
        QVERIFY(chips->isVisible());
        QCOMPARE(texts(), QStringList({"Seed 1 to 2", "not Mask seen", "Date ≥ 2026-11", "F_Last by session < 40"}));
        // A click takes one out, and leaves the rest as it is.
        chips->findChild<QToolButton*>("searchChip1")->click();
        QCOMPARE(scene.panel.search()->text(), QString("seed:1..2 fashion date:>=2026-11 f_last:<40"));
        QCOMPARE(texts(), QStringList({"Seed 1 to 2", "Date ≥ 2026-11", "F_Last by session < 40"}));
        scene.panel.search()->setText("seed:1");
        QCOMPARE(scene.panel.view()->model()->rowCount(), 1);
        chips->findChild<QToolButton*>("searchChip0")->click();
        QVERIFY(chips->isHidden());
        QCOMPARE(scene.panel.view()->model()->rowCount(), 3);
    }

    void aChipLeavesTheKeyboardToTheSearch() {
        Scene scene(&table_);
        scene.panel.search()->setText("seed:1");
        scene.panel.activateWindow();
        auto* chip = scene.panel.findChild<QToolButton*>("searchChip0");
        chip->setFocus();
        QTRY_VERIFY(chip->hasFocus());
        QTest::keyClick(chip, Qt::Key_Space);
        QCOMPARE(scene.panel.search()->text(), QString());
        QVERIFY(scene.panel.search()->hasFocus());
    }

    void manyChipsDoNotWidenTheList() {
        Scene scene(&table_);
        const int before = scene.panel.minimumSizeHint().width();
        scene.panel.search()->setText(QString("-mask:a_long_word_that_no_run_has ").repeated(30));
        QVERIFY(scene.panel.findChild<QToolButton*>("searchChip29"));
        QCOMPARE(scene.panel.minimumSizeHint().width(), before);
    }

    void aChipOfAFormerSearchDoesNothing() {
        Scene scene(&table_);
        scene.panel.search()->setText("fashion seed:1");
        auto* chip = scene.panel.findChild<QToolButton*>("searchChip0");
        for (const char* text : {"x", "fashion"}) {
            scene.panel.search()->setText(text);
            chip->click();
            QCOMPARE(scene.panel.search()->text(), QString(text));
        }
    }

    void aChipThatTakesItselfOutLeavesItsLikesAlone() {
        Scene scene(&table_);
        scene.panel.search()->setText("seed:12 seed:1");
        scene.panel.findChild<QToolButton*>("searchChip1")->click();
        QCOMPARE(scene.panel.search()->text(), QString("seed:12"));
        scene.panel.search()->setText("-seed:1 seed:1");
        scene.panel.findChild<QToolButton*>("searchChip1")->click();
        QCOMPARE(scene.panel.search()->text(), QString("-seed:1"));
    }

    void aSearchThatCannotBeUnderstoodIsMarked() {
        Scene scene(&table_);
        scene.panel.search()->setText("seed:many");
        const auto* chip = scene.panel.findChild<QToolButton*>("searchChip0");
        QVERIFY(chip && chip->property("wrong").toBool());
        QVERIFY2(chip->toolTip().contains("seed:3"), qPrintable(chip->toolTip()));
        QCOMPARE(scene.panel.view()->model()->rowCount(), 0);
    }

    void seedsAreGroupedAndOpened() {
        Scene scene(&table_);
        writeMadeUpRun(table_, scene.folder.path().toStdString(), "batch", 8);
        scene.library.refresh();
        QTRY_COMPARE(scene.panel.view()->model()->rowCount(), 4);
        auto* grouping = scene.panel.findChild<QToolButton*>("runsGrouping");
        QVERIFY(grouping);
        grouping->click();
        QCOMPARE(scene.panel.view()->model()->rowCount(), 3);
        QVERIFY(!scene.index(scene.ids[0], 0).isValid());
        int row = 0;
        while (scene.panel.model()->index(row, 0).data(RunTableModel::FamilyRole).toInt() == 0) ++row;
        scene.panel.view()->setCurrentIndex(scene.panel.model()->index(row, RunTableModel::Name));
        QTest::keyClick(scene.panel.view(), Qt::Key_Return);
        QCOMPARE(scene.panel.view()->model()->rowCount(), 5);
        QVERIFY(scene.index(scene.ids[0], 0).data(RunTableModel::BelowRole).toBool());
    }

    void theButtonShowsAndSaysThatSeedsAreGrouped() {
        Scene scene(&table_);
        auto* grouping = scene.panel.findChild<QToolButton*>("runsGrouping");
        const QAccessibleInterface* told = QAccessible::queryAccessibleInterface(grouping);
        QVERIFY(told && told->state().checkable);
        for (const Appearance appearance : {Appearance::Dark, Appearance::Light, Appearance::Projector}) {
            applyAppearance(*qApp, appearance);
            QVERIFY(!told->state().checked);
            const QString tip = grouping->toolTip();
            const QImage loose = grouping->grab().toImage();
            grouping->click();
            QVERIFY(told->state().checked);
            QVERIFY2(grouping->toolTip().startsWith("Seeds are grouped"), qPrintable(grouping->toolTip()));
            // Its ground is another one, between the edge and the words.
            const QImage pressed = grouping->grab().toImage();
            QCOMPARE(pressed.size(), loose.size());
            const QPoint ground(pressed.width() / 2, 2);
            QVERIFY(pressed.pixelColor(ground) != loose.pixelColor(ground));
            grouping->click();
            QCOMPARE(grouping->toolTip(), tip);
        }
    }

    void theMenuOfTheListGroupsSeedsToo() {
        Scene scene(&table_);
        auto* menu = scene.panel.findChild<QMenu*>("runsMoreMenu");
        QVERIFY(menu);
        const auto trigger = [&] {
            Q_EMIT menu->aboutToShow();
            auto* action = menu->findChild<QAction*>("runsGroupSeeds");
            if (action) action->trigger();
            return action && action->isChecked();
        };
        const auto* button = scene.panel.findChild<QToolButton*>("runsGrouping");
        QVERIFY(trigger());
        QVERIFY(scene.panel.model()->grouped() && button->isChecked());
        QVERIFY(!trigger());
        QVERIFY(!scene.panel.model()->grouped() && !button->isChecked());
    }

    void aFolderThatCannotBeReadIsToldOnce() {
        QTemporaryDir folder;
        const auto run = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        QFile file(QString::fromStdString((run / "run.json").string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"started": "2026-03-01T10:00:00.125Z"})");
        file.close();
        RunSet store;
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
        QCOMPARE(RunActions::commandLine("/runs/it's"), QString("palimpsest-cli run '/runs/it'\\''s/experiment.toml'"));
    }

    void rowsAndColumnsGrowWithTheTextAndNamesKeepTheirRoom() {
        Scene scene(&table_);
        QTableView* view = scene.panel.view();
        const int row = view->rowHeight(0), seed = view->columnWidth(RunTableModel::Seed);
        applyTextSize(*qApp, TextSize::VeryLarge);
        QCOMPARE(view->rowHeight(0), qRound(row * 1.5));
        QCOMPARE(view->columnWidth(RunTableModel::Seed), qRound(seed * 1.5));
        QTRY_VERIFY(view->columnWidth(RunTableModel::Name) >= 90);
        applyTextSize(*qApp, TextSize::Normal);
        QCOMPARE(view->columnWidth(RunTableModel::Seed), seed);
        scene.panel.resize(1400, 200);
        QTRY_VERIFY(view->columnWidth(RunTableModel::Name) > 300);
    }

    void aVeryWideTableSpreadsItsColumnsInsteadOfTheNames() {
        Scene scene(&table_);
        QTableView* view = scene.panel.view();
        const auto whole = [&] {
            int width = 0;
            for (int column = 0; column < RunTableModel::kColumns; ++column) width += view->columnWidth(column);
            return width;
        };
        const int data = view->columnWidth(RunTableModel::Data);
        const int area = view->columnWidth(RunTableModel::AreaUnderCurve);
        scene.panel.resize(3600, 200);
        QTRY_COMPARE(whole(), view->viewport()->width());
        QVERIFY(view->columnWidth(RunTableModel::Name) <= 420);
        QCOMPARE(view->columnWidth(RunTableModel::Data), qRound(data * 1.6));
        QCOMPARE(view->columnWidth(RunTableModel::AreaUnderCurve), qRound(area * 1.6));
        scene.panel.resize(1000, 200);
        QTRY_COMPARE(whole(), view->viewport()->width());
        QCOMPARE(view->columnWidth(RunTableModel::Data), data);
        QCOMPARE(view->columnWidth(RunTableModel::AreaUnderCurve), area);
        QVERIFY(view->columnWidth(RunTableModel::Name) > 60);
    }

    void usualNamesHaveTheirRoomInANarrowTable() {
        Scene scene(&table_);
        QTableView* view = scene.panel.view();
        const int usual = scaled(142);  // of the last column
        scene.panel.resize(1400, 200);
        QTRY_VERIFY(view->columnWidth(RunTableModel::Name) > 300);
        // The last column gives way before anything scrolls.
        scene.panel.resize(990, 200);
        QTRY_COMPARE(view->columnWidth(RunTableModel::Name), 150);
        QVERIFY(view->columnWidth(RunTableModel::When) < usual);
        QVERIFY(view->columnWidth(RunTableModel::When) >= 126);
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
        // As wide as in a window of 1280 pixels.
        scene.panel.resize(956, 200);
        QTRY_COMPARE(view->columnWidth(RunTableModel::When), 126);
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
        // With more rows than fit, their scroll bar takes as much again: rather the last column is elided than that a
        // second one takes a row.
        scene.panel.resize(948, 200);
        QTRY_COMPARE(view->columnWidth(RunTableModel::Name), 120);
        QVERIFY(view->columnWidth(RunTableModel::When) < 126);
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
        const QModelIndex when = scene.index(scene.ids[0], RunTableModel::When);
        QVERIFY(when.data(Qt::ToolTipRole).toString().startsWith(when.data().toString()));
        scene.panel.resize(600, 200);
        QTRY_COMPARE(view->columnWidth(RunTableModel::Name), 120);
        QVERIFY(view->horizontalScrollBar()->maximum() > 0);
        scene.panel.resize(1100, 200);
        QTRY_COMPARE(view->columnWidth(RunTableModel::When), usual);
    }

    void scrolledSidewaysEachNumberHasItsName() {
        Scene scene(&table_);
        QTableView* view = scene.panel.view();
        scene.panel.resize(600, 260);
        QTRY_VERIFY(view->horizontalScrollBar()->maximum() > 200);
        const QPoint dot = scene.at(scene.ids[1], RunTableModel::Shown),
                     name = scene.at(scene.ids[1], RunTableModel::Name);
        view->horizontalScrollBar()->setValue(view->horizontalScrollBar()->maximum());
        QCOMPARE(scene.at(scene.ids[1], RunTableModel::Shown), dot);
        QCOMPARE(scene.at(scene.ids[1], RunTableModel::Name), name);
        QVERIFY(view->viewport()->rect().contains(scene.at(scene.ids[1], RunTableModel::When)));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, dot);
        QVERIFY(scene.store.find(scene.ids[1]) && scene.store.find(scene.ids[1])->display.visible);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, scene.at(scene.ids[2], RunTableModel::Name));
        QCOMPARE(scene.panel.currentRun(), scene.ids[2]);
        QCOMPARE(view->horizontalScrollBar()->value(), view->horizontalScrollBar()->maximum());
        // The menu is of the run below the mouse.
        Q_EMIT view->customContextMenuRequested(name);
        auto* menu = scene.panel.findChild<QMenu*>("runsMenu");
        QVERIFY(menu);
        menu->close();
        QCOMPARE(scene.panel.actions()->selected(), QStringList{scene.ids[1]});
        QCOMPARE(view->horizontalScrollBar()->value(), view->horizontalScrollBar()->maximum());
    }

    void aColumnKeepsTheWidthAPersonGaveIt() {
        Scene scene(&table_);
        QTableView* view = scene.panel.view();
        scene.panel.resize(1100, 200);
        QTRY_VERIFY(view->columnWidth(RunTableModel::Name) > 100);
        const int names = view->columnWidth(RunTableModel::Name), data = view->columnWidth(RunTableModel::Data);
        view->setColumnWidth(RunTableModel::Data, data + 30);
        QCOMPARE(view->columnWidth(RunTableModel::Name), names - 30);
        scene.panel.resize(1150, 200);
        QTRY_COMPARE(view->columnWidth(RunTableModel::Name), names + 20);
        QCOMPARE(view->columnWidth(RunTableModel::Data), data + 30);
    }

    void withoutRunsThePanelInvites() {
        QTemporaryDir folder;
        RunSet store;
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

PALIMPSEST_TEST(TestRunsPanel)

}  // namespace tst_runs_panel

#include "tst_runs_panel.moc"
