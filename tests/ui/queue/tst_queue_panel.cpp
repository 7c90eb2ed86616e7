// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QDateTime>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <filesystem>
#include <memory>

#include "tests/support/queue_program.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/queue/add_to_queue.h"
#include "ui/queue/queue_model.h"
#include "ui/queue/queue_panel.h"
#include "ui/state/run_queue.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_queue_panel {

namespace {

namespace fs = std::filesystem;

struct Scene {
    Scene() : program(makeQueueProgram(dir.path())) {
        const fs::path runs = fs::path(dir.path().toStdString()) / "runs";
        queue = std::make_unique<RunQueue>(&table, RunQueue::Places{runs / kQueueFolder, runs, program.toStdString()});
        panel = std::make_unique<QueuePanel>(queue.get());
        panel->resize(360, 500);
        showActive(*panel);
    }
    /// Four seeds that wait.
    void fill() {
        queue->setPaused(true);
        queue->add(table.defaults(), {1, 2, 3, 4});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{4});
    }
    template <class Widget>
    Widget* part(const char* name) const {
        return panel->findChild<Widget*>(name);
    }
    QString status() const { return part<QLabel>("queueStatus")->text(); }
    QList<int> seeds() const {
        QList<int> seeds;
        for (const QueueJob& job : queue->jobs()) seeds.append(static_cast<int>(job.seed));
        return seeds;
    }
    void select(const QList<int>& rows) const {
        panel->list()->clearSelection();
        const QAbstractItemModel* model = panel->list()->model();
        for (const int row : rows)
            panel->list()->selectionModel()->select(model->index(row, 0),
                                                    QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }

    QTemporaryDir dir;
    OptionTable table{testCatalogue()};
    QString program;
    std::unique_ptr<RunQueue> queue;
    std::unique_ptr<QueuePanel> panel;
};

}  // namespace

class TestQueuePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void anEmptyQueueSaysHowToFillIt() {
        const Scene scene;
        QVERIFY(scene.part<QLabel>("queueEmpty")->isVisible());
        QVERIFY(!scene.panel->list()->isVisible());
        checkNamedAndLegible(*scene.panel);
    }

    void rowsAreDraggedToAnotherPlace() {
        Scene scene;
        scene.fill();
        QVERIFY(scene.panel->list()->isVisible());
        auto* model = static_cast<QueueModel*>(scene.panel->list()->model());
        const std::unique_ptr<QMimeData> dragged(model->mimeData({model->index(3, 0), model->index(3, 1)}));
        QVERIFY(!model->dropMimeData(dragged.get(), Qt::MoveAction, 1, 0, {}));
        QCOMPARE(scene.seeds(), (QList<int>{1, 4, 2, 3}));
        const std::unique_ptr<QMimeData> both(model->mimeData({model->index(0, 0), model->index(1, 0)}));
        model->dropMimeData(both.get(), Qt::MoveAction, -1, -1, {});
        QCOMPARE(scene.seeds(), (QList<int>{2, 3, 1, 4}));
        // Onto a row there is no place.
        model->dropMimeData(both.get(), Qt::MoveAction, -1, -1, model->index(0, 0));
        QCOMPARE(scene.seeds(), (QList<int>{2, 3, 1, 4}));
    }

    void aRowSaysForWhichLearnerItsRunWaits() {
        Scene scene;
        scene.queue->add(scene.table.defaults(), {1});
        QTRY_VERIFY(scene.queue->jobs().size() == 1 && scene.queue->jobs()[0].pid > 0);
        const fs::path folder = scene.queue->jobs()[0].folder;
        QTRY_VERIFY(fs::exists(folder / "run.json"));
        const QModelIndex state = scene.panel->list()->model()->index(0, QueueModel::kState);
        QVERIFY(state.data().toString().startsWith("running"));
        const auto write = [&](const QByteArray& more) {
            QFile file(QString::fromStdString((folder / "run.json").string()));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(R"({"state": "running", "host": "elsewhere")" + more + "}");
        };
        const QByteArray since = QDateTime::currentDateTimeUtc().addSecs(-1200).toString(Qt::ISODate).toUtf8();
        const auto wait = [&](const char* learner) {
            return QByteArray(R"(, "waits_for": {"learner": "NAME", "limit": 3600, "since": "SINCE"})")
                .replace("NAME", learner)
                .replace("SINCE", since);
        };
        write(wait("nearest mean"));
        QTRY_COMPARE(state.data().toString(), QString("silent for 20 min: nearest mean"));
        QVERIFY(state.data(Qt::ToolTipRole).toString().contains("silent for 20 min: nearest mean"));
        write({});
        QTRY_VERIFY(state.data().toString().startsWith("running"));
        write(wait("<b>mean</b>"));
        QTRY_COMPARE(state.data().toString(), QString("silent for 20 min: <b>mean</b>"));
        // A name is no HTML.
        QVERIFY2(state.data(Qt::ToolTipRole).toString().contains("&lt;b&gt;mean"),
                 qPrintable(state.data(Qt::ToolTipRole).toString()));
        scene.queue->hold({scene.queue->jobs()[0].id}, true);
        QVERIFY2(state.data().toString().startsWith("stopping, silent for 20 min"),
                 qPrintable(state.data().toString()));
    }

    void theNarrowestPanelShowsAllColumns() {
        Scene scene;
        scene.fill();
        QVERIFY2(scene.panel->minimumSizeHint().width() <= 264,
                 qPrintable(QString::number(scene.panel->minimumSizeHint().width())));
        scene.panel->resize(264, 500);
        const QTreeView* list = scene.panel->list();
        QTRY_VERIFY(list->header()->length() <= list->viewport()->width());
        // What does not fit is in the tip.
        const QModelIndex name = list->model()->index(0, QueueModel::kName);
        QVERIFY(name.data(Qt::ToolTipRole).toString().contains(name.data().toString()));
        checkNamedAndLegible(*scene.panel);
    }

    void seedsAreWholeAndStatesHaveTheRest() {
        Scene scene;
        scene.queue->setPaused(true);
        Experiment experiment = scene.table.defaults();
        experiment.name = "A long name of an experiment that has to give way";
        scene.queue->add(experiment, {1, 1234567});
        scene.queue->addSweep("/grids/masks.toml", "/sweeps/masks", "Masks");
        QTRY_COMPARE(scene.queue->jobs().size(), std::size_t{3});
        scene.panel->resize(264, 500);
        const QTreeView* list = scene.panel->list();
        QTRY_COMPARE(list->header()->length(), list->viewport()->width());
        const QAbstractItemView* cells = list;
        QVERIFY2(list->columnWidth(QueueModel::kSeed) >= cells->sizeHintForColumn(QueueModel::kSeed),
                 qPrintable(QString::number(list->columnWidth(QueueModel::kSeed))));
        // A short name leaves its room to the states.
        QFile fail(scene.dir.filePath("fail"));
        QVERIFY(fail.open(QIODevice::WriteOnly));
        QList<std::int64_t> all;
        for (const QueueJob& job : scene.queue->jobs()) all.append(job.id);
        scene.queue->takeBack(all);
        scene.queue->setPaused(false);
        experiment.name = "A";
        scene.queue->add(experiment, {1});
        QTRY_VERIFY(scene.queue->jobs().size() == 1 && scene.queue->jobs()[0].state == QueueState::Failed);
        scene.panel->resize(500, 500);
        QTRY_VERIFY(list->columnWidth(QueueModel::kState) > list->viewport()->width() / 2);
        QCOMPARE(list->header()->length(), list->viewport()->width());
        QCOMPARE(list->model()->index(0, QueueModel::kState).data().toString(), QString("failed"));
        QCOMPARE(scene.panel->findChild<QLabel*>("queueStatus")->text(), QString("1 failed"));
        // The sentence is in the tip, which names no folder that is not there.
        const QModelIndex state = list->model()->index(0, QueueModel::kState);
        const QString tip = state.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("The data are not there. Fetch them."), qPrintable(tip));
        const fs::path folder = scene.queue->jobs().front().folder;
        QVERIFY2(!tip.contains(QString::fromStdString(folder.string())), qPrintable(tip));
        // Nor is the disk asked for it, which may be one that does not answer.
        fs::create_directories(folder);
        QCOMPARE(state.data(Qt::ToolTipRole).toString(), tip);
    }

    void seedsOfTenDigitsAndHeadingsAreWhole() {
        Scene scene;
        scene.queue->setPaused(true);
        Experiment experiment = scene.table.defaults();
        experiment.name = "A long name of an experiment that has to give way";
        scene.queue->add(experiment, {1, 2147483647});
        QTRY_COMPARE(scene.queue->jobs().size(), std::size_t{2});
        scene.panel->resize(264, 500);
        const QTreeView* list = scene.panel->list();
        const QAbstractItemView* cells = list;
        QTRY_COMPARE(list->header()->length(), list->viewport()->width());
        QVERIFY2(list->columnWidth(QueueModel::kSeed) >= cells->sizeHintForColumn(QueueModel::kSeed),
                 qPrintable(QString::number(list->columnWidth(QueueModel::kSeed))));
        for (int column = 0; column < QueueModel::kColumns; ++column)
            QVERIFY2(list->columnWidth(column) >= list->header()->sectionSizeHint(column),
                     qPrintable(QString("%1: %2").arg(column).arg(list->columnWidth(column))));
    }

    void theTipNamesTheFolderOfWhatHasBegun() {
        Scene scene;
        scene.queue->add(scene.table.defaults(), {1, 2});
        QTRY_COMPARE(scene.queue->jobs().size(), std::size_t{2});
        const auto tip = [](const QueuePanel& panel, int row) {
            return panel.list()->model()->index(row, QueueModel::kName).data(Qt::ToolTipRole).toString();
        };
        const auto folder = [](const RunQueue& queue, std::size_t row) {
            return '\n' + QString::fromStdString(queue.jobs()[row].folder.string());
        };
        QTRY_VERIFY2(tip(*scene.panel, 0).endsWith(folder(*scene.queue, 0)), qPrintable(tip(*scene.panel, 0)));
        QVERIFY2(!tip(*scene.panel, 1).contains('\n'), qPrintable(tip(*scene.panel, 1)));
        // So does that of the next window.
        const RunQueue::Places places = scene.queue->places();
        scene.panel.reset();
        scene.queue.reset();
        RunQueue again(&scene.table, places);
        const QueuePanel panel(&again);
        again.recall();
        QTRY_COMPARE(again.jobs().size(), std::size_t{2});
        QTRY_VERIFY2(tip(panel, 0).endsWith(folder(again, 0)), qPrintable(tip(panel, 0)));
        QVERIFY2(!tip(panel, 1).contains('\n'), qPrintable(tip(panel, 1)));
    }

    void seedsOutOfSightAreWholeToo() {
        Scene scene;
        scene.queue->setPaused(true);
        std::vector<std::int64_t> many(60);
        for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i) + 1;
        many.back() = 12345678;
        scene.queue->add(scene.table.defaults(), many);
        QTRY_COMPARE(scene.queue->jobs().size(), std::size_t{60});
        const QTreeView* list = scene.panel->list();
        const QModelIndex last = list->model()->index(59, QueueModel::kSeed);
        list->viewport()->update();
        QTRY_VERIFY(list->viewport()->rect().contains(list->visualRect(list->model()->index(0, 0)).center()));
        QVERIFY(!list->viewport()->rect().contains(list->visualRect(last).center()));
        QVERIFY2(list->columnWidth(QueueModel::kSeed) >= list->sizeHintForIndex(last).width(),
                 qPrintable(QString::number(list->columnWidth(QueueModel::kSeed))));
    }

    void whatIsAddedIsSelectedAndInSight() {
        Scene scene;
        scene.queue->setPaused(true);
        std::vector<std::int64_t> many(60);
        for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i) + 1;
        scene.queue->add(scene.table.defaults(), many);
        QTRY_COMPARE(scene.queue->jobs().size(), std::size_t{60});
        const QTreeView* list = scene.panel->list();
        const auto inSight = [&](int row) {
            return list->viewport()->rect().contains(list->visualRect(list->model()->index(row, 0)).center());
        };
        QTRY_VERIFY(inSight(0) && !inSight(59));
        scene.panel->resize(360, 300);
        scene.queue->add(scene.table.defaults(), {101, 102});
        QTRY_COMPARE(scene.queue->jobs().size(), std::size_t{62});
        QTRY_VERIFY(inSight(60) && inSight(61));
        QCOMPARE(scene.panel->selected(), QList<std::int64_t>{scene.queue->jobs()[60].id});
        // Also where the list gets its size only after it was added.
        scene.panel->resize(360, 240);
        QTRY_VERIFY(inSight(60));
    }

    void theQuestionCountsWhatWaitedBefore() {
        Scene scene;
        scene.queue->add(scene.table.defaults(), {1, 2});
        QTRY_VERIFY(scene.queue->working() == 1);
        const RunQueue::Places places = scene.queue->places();
        scene.panel.reset();
        scene.queue.reset();
        RunQueue again(&scene.table, places);
        QueuePanel panel(&again);
        showActive(panel);
        again.recall();
        QTRY_VERIFY(again.asks());
        const auto* question = panel.findChild<QLabel*>("queueQuestion");
        QCOMPARE(again.asksAbout(), 2);
        QCOMPARE(question->text(), QString("The queue was left with 2 runs. Go on with them?"));
        again.add(scene.table.defaults(), {3});
        QTRY_COMPARE(again.jobs().size(), std::size_t{3});
        QCOMPARE(again.asksAbout(), 2);
        QVERIFY(again.asks());
        QCOMPARE(question->text(),
                 QString("The queue was left with 2 runs. Go on with them? One more waits for your answer, too."));
        // With what it is about, the question goes, and the new run begins.
        again.takeBack({again.jobs()[0].id, again.jobs()[1].id});
        QTRY_VERIFY(!again.asks());
        QTRY_VERIFY(again.jobs().back().seed == 3 && again.jobs().back().working());
    }

    void whatEndedIsClearedFromTheMenu() {
        Scene scene;
        auto* clear = scene.part<QAction>("queueClear");
        QVERIFY(!clear->isEnabled());
        QFile go(scene.dir.filePath("go"));
        QVERIFY(go.open(QIODevice::WriteOnly));
        scene.queue->add(scene.table.defaults(), {1});
        QTRY_VERIFY_WITH_TIMEOUT(clear->isEnabled(), 30'000);
        clear->trigger();
        QVERIFY(scene.queue->jobs().empty());
        QVERIFY(!clear->isEnabled());
    }

    void theKeyboardMovesAndTakesBack() {
        Scene scene;
        scene.fill();
        scene.panel->list()->setFocus();
        scene.select({2});
        scene.part<QAction>("queueUp")->trigger();
        QCOMPARE(scene.seeds(), (QList<int>{1, 3, 2, 4}));
        QCOMPARE(scene.panel->selected().size(), 1);
        scene.part<QAction>("queueDown")->trigger();
        scene.part<QAction>("queueDown")->trigger();
        QCOMPARE(scene.seeds(), (QList<int>{1, 2, 4, 3}));
        scene.part<QAction>("queueDown")->trigger();
        QCOMPARE(scene.seeds(), (QList<int>{1, 2, 4, 3}));
        QTest::keyClick(scene.panel->list(), Qt::Key_Delete);
        QCOMPARE(scene.seeds(), (QList<int>{1, 2, 4}));
    }

    void whatIsHeldIsReleased() {
        Scene scene;
        scene.fill();
        auto* hold = scene.part<QAction>("queueHold");
        scene.select({});
        QVERIFY(!hold->isEnabled());
        scene.select({0, 1});
        QCOMPARE(hold->text(), QString("&Hold"));
        hold->trigger();
        QCOMPARE(scene.queue->jobs()[1].state, QueueState::Held);
        QCOMPARE(hold->text(), QString("&Release"));
        hold->trigger();
        QCOMPARE(scene.queue->jobs()[1].state, QueueState::Waiting);
    }

    void theStatusSaysWhatWaits() {
        Scene scene;
        scene.fill();
        QVERIFY2(scene.status().startsWith("4 waiting · paused"), qPrintable(scene.status()));
        QVERIFY(scene.part<QToolButton>("queuePause")->isChecked());
        QCOMPARE(scene.part<QToolButton>("queuePause")->text(), QString("Go on"));
        QCOMPARE(scene.part<QToolButton>("queueMore")->popupMode(), QToolButton::InstantPopup);
        scene.part<QSpinBox>("queueAtOnce")->setValue(3);
        QCOMPARE(scene.queue->atOnce(), 3);
        QVERIFY(scene.part<QToolButton>("queuePause")->isEnabled());
        scene.part<QToolButton>("queuePause")->click();
        QVERIFY(!scene.queue->paused());
        QTRY_COMPARE(scene.queue->working(), 3);
        QTRY_VERIFY2(scene.status().startsWith("3 running · 1 waiting"), qPrintable(scene.status()));
    }

    void theStatusCountsWhatIsHeld() {
        Scene scene;
        scene.fill();
        scene.select({1, 2});
        scene.part<QAction>("queueHold")->trigger();
        QVERIFY2(scene.status().startsWith("2 waiting · 2 held · paused"), qPrintable(scene.status()));
        scene.queue->takeBack({scene.queue->jobs()[0].id, scene.queue->jobs()[3].id});
        QVERIFY2(scene.status().startsWith("2 held · paused"), qPrintable(scene.status()));
        QVERIFY(scene.part<QLabel>("queueStatus")->isVisible());
    }

    void aSweepOfUnknownLengthIsSaid() {
        Scene scene;
        scene.queue->setPaused(true);
        scene.queue->addSweep("/grids/masks.toml", "/sweeps/masks", "Masks");
        QTRY_COMPARE(scene.queue->jobs().size(), std::size_t{1});
        QVERIFY2(scene.status().endsWith("time left unknown"), qPrintable(scene.status()));
    }

    void theQueueOfAnotherWindowIsSaid() {
        Scene scene;
        scene.fill();
        RunQueue other(&scene.table, scene.queue->places());
        QueuePanel panel(&other);
        showActive(panel);
        QSignalSpy opened(&other, &RunQueue::opened);
        other.recall();
        QTRY_COMPARE(opened.count(), 1);
        const auto* said = panel.findChild<QLabel*>("queueEmpty");
        QVERIFY(said->isVisible());
        QVERIFY2(said->text().startsWith("The queue belongs to another window"), qPrintable(said->text()));
        QVERIFY(!panel.findChild<QToolButton*>("queuePause")->isEnabled());
        QVERIFY(!panel.findChild<QSpinBox*>("queueAtOnce")->isEnabled());
    }

    void theWholeErrorOfAListOfSeedsIsSeen() {
        const OptionTable table{testCatalogue()};
        AddToQueueDialog dialog(&table);
        dialog.ask(table.defaults());
        auto* note = dialog.findChild<QLabel*>("queueAddNote");
        dialog.findChild<QLineEdit*>("queueSeeds")->setText("1-100000");
        QVERIFY(note->text().size() > 40);
        QTRY_VERIFY2(note->height() >= note->heightForWidth(note->width()),
                     qPrintable(QString("%1 of %2").arg(note->height()).arg(note->heightForWidth(note->width()))));
    }

    void seedsAreAskedFor() {
        const OptionTable table{testCatalogue()};
        AddToQueueDialog dialog(&table);
        Experiment experiment = table.defaults();
        experiment.seed = 7;
        dialog.ask(experiment);
        auto* field = dialog.findChild<QLineEdit*>("queueSeeds");
        auto* add = dialog.findChild<QPushButton*>("queueAdd");
        QCOMPARE(field->text(), QString("7"));
        QSignalSpy chosen(&dialog, &AddToQueueDialog::chosen);
        field->setText("5-1");
        QVERIFY(!add->isEnabled());
        QVERIFY(dialog.findChild<QLabel*>("queueAddNote")->text().contains("end before they begin"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(chosen.count(), 0);
        field->setText("1-5");
        QVERIFY(dialog.findChild<QLabel*>("queueAddNote")->text().startsWith("5 runs"));
        add->click();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(1).value<std::vector<std::int64_t>>().size(), std::size_t{5});
        QVERIFY(!dialog.isVisible());
    }

    void eachExperimentIsAskedAboutAnew() {
        const OptionTable table{testCatalogue()};
        AddToQueueDialog dialog(&table);
        Experiment experiment = table.defaults();
        experiment.seed = 7;
        dialog.ask(experiment);
        auto* field = dialog.findChild<QLineEdit*>("queueSeeds");
        auto* add = dialog.findChild<QPushButton*>("queueAdd");
        field->setText("5-1");
        dialog.ask(experiment);
        QCOMPARE(field->text(), QString("5-1"));
        dialog.findChild<QPushButton*>("queueAddCancel")->click();
        experiment.seed = 3;
        dialog.ask(experiment);
        QCOMPARE(field->text(), QString("3"));
        QVERIFY(add->isEnabled());
        field->setText("1-5");
        add->click();
        dialog.ask(experiment);
        QCOMPARE(field->text(), QString("3"));
    }

    void dialogsAreNamedAndLegible_data() { addAppearances(); }
    void dialogsAreNamedAndLegible() {
        QFETCH(int, appearance);
        applyAppearance(*qApp, static_cast<Appearance>(appearance));
        const OptionTable table{testCatalogue()};
        AddToQueueDialog dialog(&table);
        dialog.ask(table.defaults());
        checkDialog(dialog, static_cast<Appearance>(appearance));
        applyAppearance(*qApp, Appearance::Dark);
    }
};

PALIMPSEST_TEST(TestQueuePanel)

}  // namespace tst_queue_panel

#include "tst_queue_panel.moc"
