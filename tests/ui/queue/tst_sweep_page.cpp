// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <unistd.h>
#include <QtTest>

#include <QComboBox>
#include <QDeadlineTimer>
#include <QDir>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <csignal>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/metrics/metric_catalogue.h"
#include "engine/record/copy_mark.h"
#include "engine/report/grid_file.h"
#include "engine/support/file_io.h"
#include "engine/support/file_lock.h"
#include "engine/support/json.h"
#include "tests/support/made_up_sweep.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/queue/more_seeds.h"
#include "ui/queue/submit_dialog.h"
#include "ui/queue/sweep_editor.h"
#include "ui/queue/sweep_page.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_sweep_page {

namespace {

namespace fs = std::filesystem;

struct Scene {
    fs::path home() const { return dir.path().toStdString(); }
    QTemporaryDir dir;
    OptionTable table{testCatalogue()};
};

QString cell(const QTreeView* view, int row, int column) {
    return view->model()->index(row, column).data().toString();
}

/// Says an estimate in place of palimpsest-cli, or complains.
fs::path writeEstimator(const Scene& scene, const char* text, int code) {
    const QString path = scene.dir.filePath("estimator");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(QByteArray("#!/bin/sh\ncat <<'X'\n") + text + "\nX\nexit " + QByteArray::number(code) + "\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path.toStdString();
}

struct EditorScene : Scene {
    explicit EditorScene(const char* text = "", int code = 0)
        : editor(&table, {writeEstimator(*this, text, code), home() / "papers", home() / "sweeps"}) {
        editor.ask(base());
        field("sweepValues1")->setText("none, batch");
        field("sweepValues2")->setText("0.001, 0.01, 0.1");
    }
    Experiment base() const {
        Experiment experiment = table.defaults();
        experiment.name = "Mine";
        return experiment;
    }
    QLineEdit* field(const char* name) const { return editor.findChild<QLineEdit*>(name); }
    QPushButton* button(const char* name) const { return editor.findChild<QPushButton*>(name); }
    QString text(const char* name) const { return editor.findChild<QLabel*>(name)->text(); }
    SweepEditor editor;
};

}  // namespace

class TestSweepPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void aFolderIsATableThatFollowsItsRuns() {
        Scene scene;
        const fs::path folder = scene.home() / "masks";
        const SweepPlan plan = makeSweepFolder(scene.table, folder, "1-3");
        SweepPage page(&scene.table);
        QSignalSpy refreshed(&page, &SweepPage::refreshed);
        page.open(folder);
        page.show();
        QTRY_VERIFY(page.sweep() && page.sweep()->whole);
        const auto* lines = page.findChild<QTreeView*>("sweepLines");
        auto* runs = page.findChild<QTreeView*>("sweepRuns");
        QCOMPARE(page.findChild<QLabel*>("sweepTitle")->text(), QString("Masks"));
        QCOMPARE(lines->model()->rowCount(), 2);
        QCOMPARE(runs->model()->rowCount(), 6);
        QCOMPARE(cell(runs, 0, SweepRunsModel::kState), QString("waiting"));
        const auto* rest = page.findChild<QPushButton*>("sweepRest");
        QVERIFY(rest->isEnabled());
        page.setQueued(true);
        QVERIFY(!rest->isEnabled() && rest->toolTip() == "The queue has this sweep already");
        page.setQueued(false);
        QVERIFY(rest->isEnabled());
        for (const SweepRun& run : plan.runs)
            if (run.experiment.seed < 3)
                writeSweepRun(
                    scene.table, run, folder,
                    0.4 + 0.2 * static_cast<double>(run.line) + 0.01 * static_cast<double>(run.experiment.seed));
        writeSweepRun(scene.table, plan.runs.back(), folder, {});
        QTRY_VERIFY_WITH_TIMEOUT(cell(runs, 5, SweepRunsModel::kState).startsWith("running on"), 30'000);
        QTRY_COMPARE(page.findChild<QLabel*>("sweepStatus")->text().left(20), QString("4 of 6 runs finished"));
        QCOMPARE(cell(lines, 1, SweepLinesModel::kDifference), QString("+20.0"));
        QVERIFY(cell(lines, 1, SweepLinesModel::kFinding).contains("two seeds are too few"));
        QVERIFY(!page.findChild<QPushButton*>("sweepRest")->isEnabled());
        // A row of the upper table shows its runs alone.
        const_cast<QTreeView*>(lines)->setCurrentIndex(lines->model()->index(1, 0));
        QCOMPARE(runs->model()->rowCount(), 3);
        page.findChild<QPushButton*>("sweepAllRows")->click();
        QCOMPARE(runs->model()->rowCount(), 6);
        QSignalSpy asked(&page, &SweepPage::runAsked);
        runs->setCurrentIndex(runs->model()->index(0, 0));
        page.findChild<QPushButton*>("sweepOpenRun")->click();
        QCOMPARE(asked.count(), 1);
        QVERIFY(asked.at(0).at(0).toString().endsWith(QString::fromStdString(plan.runs[0].folder)));
    }

    void onlyRowsThatChangedAreDrawnAnew() {
        auto first = std::make_shared<report::WatchedSweep>();
        first->lines = {"None"};
        for (int i = 0; i < 6; ++i) {
            report::WatchedRun run;
            run.number = i + 1;
            run.seed = i;
            run.words = "waiting";
            first->runs.push_back(run);
        }
        SweepRunsModel model;
        model.setSweep(first);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), reset(&model, &QAbstractItemModel::modelReset);
        auto second = std::make_shared<report::WatchedSweep>(*first);
        model.setSweep(second);
        QCOMPARE(changed.count(), 0);
        auto third = std::make_shared<report::WatchedSweep>(*second);
        third->runs[1].words = "running";
        third->runs[2].curve = {0.5F};
        third->runs[5].a_auc = 0.5;
        model.setSweep(third);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(changed[0][0].toModelIndex().row(), 1);
        QCOMPARE(changed[0][1].toModelIndex().row(), 2);
        QCOMPARE(changed[1][0].toModelIndex().row(), 5);
        QCOMPARE(model.index(1, SweepRunsModel::kState).data().toString(), QString("running"));
        QCOMPARE(reset.count(), 0);
        auto fourth = std::make_shared<report::WatchedSweep>(*third);
        fourth->lines = {"Batch"};
        model.setSweep(fourth);
        QCOMPARE(reset.count(), 1);
    }

    // Of streams that end before they are evaluated on the way.
    void aFinishedSweepBeginsWithANumberThatItHas() {
        Scene scene;
        const fs::path folder = scene.home() / "short";
        const SweepPlan plan = makeSweepFolder(scene.table, folder, "1-2");
        const auto finish = [&](std::size_t place, double last) {
            const fs::path run = folder / "runs" / plan.runs[place].folder;
            if (!fs::exists(run)) writeSweepRun(scene.table, plan.runs[place], folder, 0.5);
            Json summary = parsedJson(readTextFile(run / "summary.json"));
            summary["a_auc"] = nullptr;
            summary["a_last_overall"] = last;
            replaceTextFile(run / "summary.json", summary.dump());
            // It was too short for an evaluation on the way.
            const std::string points = readTextFile(run / "anytime.csv");
            replaceTextFile(run / "anytime.csv", points.substr(0, points.find('\n') + 1));
            // A run is read again when its document is written.
            replaceTextFile(run / "run.json", readTextFile(run / "run.json"));
        };
        for (std::size_t place = 0; place < 3; ++place) finish(place, 0.4);
        SweepPage page(&scene.table);
        page.open(folder);
        page.show();
        const auto* lines = page.findChild<QTreeView*>("sweepLines");
        auto* metric = page.findChild<QComboBox*>("sweepMetric");
        const QString missing = "not measured in these runs";
        QTRY_COMPARE(cell(lines, 1, SweepLinesModel::kFinding), missing);
        QCOMPARE(metric->currentIndex(), 0);
        finish(3, 0.6);
        QTRY_COMPARE_WITH_TIMEOUT(metric->currentIndex(), 1, 30'000);
        QCOMPARE(metric->currentText().section(',', 0, 0), QString("A_Last overall"));
        QTRY_COMPARE_WITH_TIMEOUT(cell(lines, 1, SweepLinesModel::kDifference), QString("+10.0"), 30'000);
        // What the user chooses stays.
        metric->setCurrentIndex(0);
        Q_EMIT metric->activated(0);
        QCOMPARE(cell(lines, 1, SweepLinesModel::kFinding), missing);
        QSignalSpy refreshed(&page, &SweepPage::refreshed);
        finish(3, 0.625);
        QTRY_VERIFY_WITH_TIMEOUT(!refreshed.isEmpty(), 30'000);
        QCOMPARE(metric->currentIndex(), 0);
    }

    void aRowSaysWhatItIsNotComparedIn() {
        auto sweep = std::make_shared<report::WatchedSweep>();
        sweep->lines = {"None", "Batch"};
        sweep->table.metrics = {findMetric("a_auc")};
        sweep->table.lines.resize(2);
        for (report::SweepTableLine& line : sweep->table.lines) line.cells.resize(1);
        SweepLinesModel model;
        const auto finding = [&] { return model.index(1, SweepLinesModel::kFinding).data().toString(); };
        model.setSweep(sweep);
        QCOMPARE(finding(), QString("no seed that both have yet"));
        sweep->table.lines[0].runs = 1;
        QCOMPARE(finding(), QString("not measured in the runs it is compared with"));
        QVERIFY(!sweep->table.isMeasured(0));
        sweep->table.lines[0].cells[0].value.count = 1;
        QCOMPARE(finding(), QString("no seed that both have yet"));
        QVERIFY(sweep->table.isMeasured(0) && !sweep->table.isMeasured(1));
        sweep->table.lines[1].runs = 1;
        QCOMPARE(finding(), QString("not measured in these runs"));
    }

    void aWatchSaysWhichRowsChanged() {
        auto first = std::make_shared<report::WatchedSweep>();
        first->look = 1;
        first->lines = {"None", "Batch"};
        for (std::size_t i = 0; i < 8; ++i) {
            report::WatchedRun run;
            run.line = i % 2;
            first->runs.push_back(run);
        }
        SweepRunsModel model;
        model.setSweep(first);
        model.setLine(1);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), reset(&model, &QAbstractItemModel::modelReset);
        auto second = std::make_shared<report::WatchedSweep>(*first);
        second->look = 2;
        second->same_rows = true;
        // Not looked for again on the window's thread; the runs of the other row are not shown.
        second->changed = {0, 1, 2, 3, 7};
        model.setSweep(second);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(changed[0][0].toModelIndex().row(), 0);
        QCOMPARE(changed[0][1].toModelIndex().row(), 1);
        QCOMPARE(changed[1][0].toModelIndex().row(), 3);
        QCOMPARE(changed[1][1].toModelIndex().row(), 3);
        QCOMPARE(reset.count(), 0);
        auto third = std::make_shared<report::WatchedSweep>(*second);
        third->look = 3;
        third->same_rows = false;
        model.setSweep(third);
        QCOMPARE(reset.count(), 1);
    }

    void aRunOfARowThatIsNotThereHasNoName() {
        auto sweep = std::make_shared<report::WatchedSweep>();
        sweep->lines = {"None"};
        sweep->runs.resize(1);
        sweep->runs[0].line = 2;
        SweepRunsModel model;
        model.setSweep(sweep);
        QCOMPARE(model.index(0, SweepRunsModel::kRow).data().toString(), QString());
    }

    void longSeedsAreSeenWhole() {
        Scene scene;
        const fs::path folder = scene.home() / "masks";
        makeSweepFolder(scene.table, folder, "1, 1234567890");
        SweepPage page(&scene.table);
        page.open(folder);
        page.show();
        QTRY_VERIFY(page.sweep() && page.sweep()->whole);
        const auto* runs = page.findChild<QTreeView*>("sweepRuns");
        const QAbstractItemView* cells = runs;
        QVERIFY(runs->columnWidth(SweepRunsModel::kSeed) >= cells->sizeHintForColumn(SweepRunsModel::kSeed));
    }

    void whatIsNoSweepIsSaidOnThePage() {
        Scene scene;
        SweepPage page(&scene.table);
        page.open(scene.home());
        auto* note = page.findChild<QLabel*>("sweepNote");
        QTRY_VERIFY(note->text().contains("holds no sweep"));
        QVERIFY(!page.findChild<QPushButton*>("sweepRest")->isEnabled());
    }

    void aPageIsNamedAndLegible_data() { addAppearances(); }
    void aPageIsNamedAndLegible() {
        QFETCH(int, appearance);
        applyAppearance(*qApp, static_cast<Appearance>(appearance));
        Scene scene;
        SweepPage page(&scene.table);
        page.show();
        checkDialog(page, static_cast<Appearance>(appearance));
        page.setStanding(RemoteRuns::Standing{"ssh://lab/~/sweeps/masks", {}, false});
        checkDialog(page, static_cast<Appearance>(appearance));
        EditorScene edited;
        checkDialog(edited.editor, static_cast<Appearance>(appearance));
        SubmitDialog* submission = edited.editor.submitDialog();
        submission->setFields({"there", "ssh://lab/~/sweeps"});
        submission->ask(30, "mine");
        checkDialog(*submission, static_cast<Appearance>(appearance));
        applyAppearance(*qApp, Appearance::Dark);
    }

    void theEditorCountsAndWritesAnOrdinaryGrid() {
        EditorScene scene;
        QCOMPARE(scene.text("sweepCount"), QString("2 × 3 combinations × 5 seeds = 30 runs"));
        // An empty field says what the option can take, and what it has now.
        QVERIFY(scene.field("sweepValues1")->placeholderText().contains("none, "));
        QVERIFY(scene.field("sweepValues2")->placeholderText().contains("now 0.005"));
        scene.field("sweepKey2")->setText("nothing");
        QVERIFY(!scene.field("sweepValues2")->placeholderText().contains("now"));
        scene.field("sweepKey2")->setText("training.learning_rate");
        scene.field("sweepValues2")->setText("fast");
        QVERIFY2(scene.text("sweepCount").contains("learning_rate"), qPrintable(scene.text("sweepCount")));
        QVERIFY(!scene.button("sweepQueue")->isEnabled());
        scene.editor.findChild<QToolButton*>("sweepRemove2")->click();
        QCOMPARE(scene.text("sweepCount"), QString("2 combinations × 5 seeds = 10 runs"));
        scene.field("sweepSeeds")->setText("1-2");
        QSignalSpy chosen(&scene.editor, &SweepEditor::chosen);
        scene.button("sweepQueue")->click();
        QTRY_COMPARE(chosen.count(), 1);
        const auto grid = chosen.at(0).at(0).value<fs::path>();
        QCOMPARE(grid, scene.home() / "sweeps" / "mine.toml");
        QCOMPARE(chosen.at(0).at(1).value<fs::path>(), scene.home() / "sweeps" / "mine");
        const SweepGrid read = parseSweepGrid(scene.table, readTextFile(grid), grid.string(), report::sweepMetrics());
        QCOMPARE(planSweep(scene.table, read, grid).runs.size(), std::size_t{4});
    }

    void anEditorWithoutValuesComplainsOfNothing() {
        EditorScene scene;
        for (const char* values : {"sweepValues1", "sweepValues2"}) scene.field(values)->clear();
        QVERIFY(scene.editor.findChild<QLabel*>("sweepCount")->isHidden());
        QVERIFY(scene.text("sweepEstimateText").contains("How many runs"));
        QVERIFY(!scene.button("sweepQueue")->isEnabled());
        scene.field("sweepValues1")->setText("none, batch");
        QVERIFY2(scene.text("sweepCount").contains("has no values"), qPrintable(scene.text("sweepCount")));
        QVERIFY(!scene.editor.findChild<QLabel*>("sweepCount")->isHidden());
        QVERIFY(!scene.text("sweepEstimateText").contains("How many runs"));
    }

    void theKeyboardGoesFromTopToBottom() {
        EditorScene scene;
        scene.button("sweepAddOption")->click();
        QStringList passed;
        const QWidget* from = scene.field("sweepName");
        for (const QWidget* each = from->nextInFocusChain(); each != from; each = each->nextInFocusChain())
            if ((each->focusPolicy() & Qt::TabFocus) && each->window() == &scene.editor && !each->focusProxy() &&
                each->objectName().startsWith("sweep"))
                passed.append(each->objectName());
        QCOMPARE(passed,
                 QStringList({"sweepKey1", "sweepValues1", "sweepRemove1", "sweepKey2", "sweepValues2", "sweepRemove2",
                              "sweepKey3", "sweepValues3", "sweepRemove3", "sweepAddOption", "sweepSeeds",
                              "sweepFolder", "sweepEstimate", "sweepCancel", "sweepSubmit", "sweepQueue"}));
    }

    void anotherGridOfThatNameIsNotReplaced() {
        EditorScene scene;
        fs::create_directories(scene.home() / "sweeps");
        replaceTextFile(scene.home() / "sweeps" / "mine.toml", "seeds = [1]\n");
        QSignalSpy chosen(&scene.editor, &SweepEditor::chosen);
        scene.button("sweepQueue")->click();
        QTRY_VERIFY(scene.text("sweepCount").contains("There is another sweep"));
        QCOMPARE(chosen.count(), 0);
        QCOMPARE(readTextFile(scene.home() / "sweeps" / "mine.toml"), std::string("seeds = [1]\n"));
    }

    void anEntryIsAnOptionOfTheCommandLine() {
        SubmitDialog dialog;
        dialog.setFields({"there", "ssh://me@lab:2222/~/sweeps", "/opt/palimpsest-cli", "gpu", "2:00:00", "4G",
                          "epyc&fast", "--gres=gpu:1 --account=mine", "20", "4"});
        dialog.ask(30, "mine");
        const ClusterRequest request = dialog.request();
        QCOMPARE(request.place, std::string("ssh://me@lab:2222/~/sweeps/mine"));
        QCOMPARE(request.program, std::string("/opt/palimpsest-cli"));
        QCOMPARE(request.slurm.options,
                 std::string("--partition=gpu --time=2:00:00 --mem=4G --constraint='epyc&fast' --gres=gpu:1 "
                             "--account=mine"));
        QCOMPARE(request.slurm.throttle, std::int64_t{20});
        QCOMPARE(request.slurm.runs_per_task, std::int64_t{4});
        QCOMPARE(dialog.findChild<QLabel*>("submitCount")->text(),
                 QString("30 runs, as 8 tasks of an array job, in ssh://me@lab:2222/~/sweeps/mine"));
        // What is remembered comes back.
        SubmitDialog other;
        other.setFields(dialog.fields());
        QCOMPARE(other.fields(), dialog.fields());
        other.setFields({});
        QCOMPARE(other.request().place, std::string());
        QCOMPARE(other.request().slurm.options, std::string());
        QCOMPARE(other.request().slurm.runs_per_task, std::int64_t{1});
    }

    void whatIsNoPlaceOrNoOptionIsSaidBeforeAnythingIsAsked_data() {
        QTest::addColumn<QStringList>("fields");
        QTest::addColumn<QString>("fault");
        QTest::newRow("here") << QStringList{"here"} << QString();
        QTest::newRow("a machine alone") << QStringList{"there", "me@lab"} << QString();
        QTest::newRow("an option of ssh") << QStringList{"there", "ssh://-oProxyCommand=x/y"} << "names no folder";
        QTest::newRow("no option") << QStringList{"here", "", "", "", "", "", "", "long"} << "no option of sbatch";
        QTest::newRow("an array") << QStringList{"here", "", "", "", "", "", "", "--array=1-2"} << "numbers the tasks";
        QTest::newRow("a quote") << QStringList{"here", "", "", "", "", "", "", "--comment='x"} << "never closes";
    }
    void whatIsNoPlaceOrNoOptionIsSaidBeforeAnythingIsAsked() {
        QFETCH(QStringList, fields);
        QFETCH(QString, fault);
        SubmitDialog dialog;
        dialog.setFields(fields);
        dialog.ask(4, "mine");
        QCOMPARE(dialog.findChild<QPushButton*>("submitStart")->isEnabled(), fault.isEmpty());
        const QString said = dialog.findChild<QLabel*>("submitFault")->text();
        QVERIFY2(fault.isEmpty() ? said.isEmpty() : said.contains(fault), qPrintable(said));
    }

    void aGridIsSubmittedAndARefusalStaysInItsDialog() {
        EditorScene scene;
        QSignalSpy asked(&scene.editor, &SweepEditor::submitChosen);
        scene.button("sweepSubmit")->click();
        SubmitDialog* dialog = scene.editor.submitDialog();
        QVERIFY(dialog->isVisible());
        QCOMPARE(scene.text("submitCount"), QString("30 runs, as 30 tasks of an array job"));
        scene.field("submitPartition")->setText("nowhere");
        scene.button("submitStart")->click();
        QVERIFY(!scene.button("submitStart")->isEnabled());
        QTRY_COMPARE(asked.count(), 1);
        const auto request = asked.at(0).at(0).value<ClusterRequest>();
        QCOMPARE(request.folder, scene.home() / "sweeps" / "mine");
        QCOMPARE(request.grid, scene.home() / "sweeps" / "mine.toml");
        QVERIFY(fs::exists(request.grid));
        QCOMPARE(request.slurm.options, std::string("--partition=nowhere"));
        dialog->fail({"Slurm refuses it: invalid partition specified: nowhere.", "`sinfo` lists partitions."});
        QVERIFY(dialog->isVisible() && scene.editor.isVisible());
        QVERIFY(scene.button("submitStart")->isEnabled());
        QCOMPARE(dialog->focusWidget()->objectName(), QString("submitPartition"));
        QCOMPARE(scene.text("submitFault"),
                 QString("Slurm refuses it: invalid partition specified: nowhere. “sinfo” lists partitions."));
        // Another entry, another try, of the same grid.
        scene.field("submitPartition")->setText("gpu");
        QVERIFY(scene.text("submitFault").isEmpty());
        scene.button("submitStart")->click();
        QTRY_COMPARE(asked.count(), 2);
        scene.editor.submitted();
        QVERIFY(!dialog->isVisible() && !scene.editor.isVisible());
    }

    void fieldsOfTheSubmissionBeginAtOnePlaceAndItsButtonsStay() {
        SubmitDialog dialog;
        dialog.ask(4, "masks");
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const auto* partition = dialog.findChild<QLineEdit*>("submitPartition");
        for (const char* name : {"submitThrottle", "submitRunsPerTask"}) {
            const auto* box = dialog.findChild<QSpinBox*>(name);
            QCOMPARE(box->x(), partition->x());
            const auto* words = box->findChild<QLineEdit*>();
            const int wide = QFontMetrics(words->font()).horizontalAdvance(words->text());
            QVERIFY2(words->width() >= wide + 5, qPrintable(words->text()));  // else its beginning is scrolled away
        }
        const auto* submit = dialog.findChild<QPushButton*>("submitStart");
        const QPoint place = submit->mapTo(&dialog, QPoint());
        dialog.findChild<QLineEdit*>("submitMore")->setText("long");
        QVERIFY(!dialog.findChild<QLabel*>("submitFault")->text().isEmpty());
        dialog.layout()->activate();
        QCOMPARE(submit->mapTo(&dialog, QPoint()), place);
    }

    void aMachineAndItsFolderAreFieldsOfTheirOwn() {
        SubmitDialog dialog;
        dialog.setFields({"there", "ssh://lab/~/sweeps", "", "gpu"});
        const auto field = [&](const char* name) { return dialog.findChild<QLineEdit*>(name); };
        const auto text = [&](const char* name) { return dialog.findChild<QLabel*>(name)->text(); };
        dialog.ask(4, "masks");
        QCOMPARE(field("submitMachine")->text(), QString("lab"));
        QCOMPARE(field("submitFolder")->text(), QString("~/sweeps"));
        QCOMPARE(dialog.request().place, std::string("ssh://lab/~/sweeps/masks"));
        SubmitDialog next;
        next.setFields(dialog.fields());
        QCOMPARE(next.fields(), dialog.fields());
        // An address with its folder, and nothing else.
        field("submitFolder")->clear();
        field("submitMachine")->setText("ssh://me@lab:2222/data");
        QCOMPARE(dialog.request().place, std::string("ssh://me@lab:2222/data/masks"));
        field("submitFolder")->setText("mine");
        QVERIFY(text("submitFault").contains("named twice"));
        QVERIFY(!dialog.findChild<QPushButton*>("submitStart")->isEnabled());
        field("submitMachine")->clear();
        QVERIFY(text("submitFault").isEmpty());
        QVERIFY(text("submitCount").endsWith("Name the machine to submit them."));
        QVERIFY(!dialog.findChild<QPushButton*>("submitStart")->isEnabled());
    }

    void aGridThatCannotBeWrittenIsSaidInTheDialog() {
        EditorScene scene;
        fs::create_directories(scene.home() / "sweeps");
        replaceTextFile(scene.home() / "sweeps" / "mine.toml", "seeds = [1]\n");
        QSignalSpy asked(&scene.editor, &SweepEditor::submitChosen);
        scene.button("sweepSubmit")->click();
        scene.button("submitStart")->click();
        QTRY_VERIFY(scene.text("submitFault").contains("There is another sweep"));
        QVERIFY(scene.text("submitFault").contains("such as mine-2,"));
        QVERIFY(scene.editor.findChild<QLabel*>("submitFault")->property("wrong").toBool());
        auto* count = scene.editor.findChild<QLabel*>("sweepCount");
        QVERIFY(!count->property("wrong").toBool());
        scene.field("sweepSeeds")->setText("1-");
        QVERIFY(count->property("wrong").toBool());
        QVERIFY(scene.button("submitStart")->isEnabled());
        QCOMPARE(asked.count(), 0);
    }

    void aCopySaysWhereItComesFromAndAsksBeforeItCancels() {
        Scene scene;
        const fs::path folder = scene.home() / "masks";
        makeSweepFolder(scene.table, folder, "1-2");
        SweepPage page(&scene.table);
        page.show();
        const auto* where = page.findChild<QLabel*>("sweepCluster");
        auto* cancel = page.findChild<QPushButton*>("sweepCancelJobs");
        auto* bring = page.findChild<QPushButton*>("sweepBring");
        page.open(folder);
        QTRY_VERIFY(page.sweep() && page.sweep()->whole);
        QVERIFY(!where->isVisible() && !cancel->isVisible() && !bring->isVisible());
        // A Slurm of this machine.
        replaceTextFile(folder / "sweep.sbatch", "#!/bin/sh\n");
        page.open(folder);
        QTRY_VERIFY(cancel->isVisible());
        QVERIFY(where->text().contains("Slurm") && !bring->isVisible());
        // One of another machine.
        replaceTextFile(folder / "copy-of.txt", "ssh://lab/~/sweeps/masks\n");
        page.open(folder);
        QTRY_VERIFY(bring->isVisible());
        QVERIFY(where->text().contains("not followed now"));
        QSignalSpy followed(&page, &SweepPage::followAsked);
        page.findChild<QPushButton*>("sweepFollow")->click();
        QCOMPARE(followed.count(), 1);
        QVERIFY(!page.findChild<QPushButton*>("sweepRest")->isEnabled());
        page.setStanding(RemoteRuns::Standing{"ssh://lab/~/sweeps/masks", {}, false});
        QVERIFY(where->text().contains("A copy of ssh://lab/~/sweeps/masks, which grows"));
        QVERIFY(!page.findChild<QPushButton*>("sweepFollow")->isVisible());
        page.setStanding(RemoteRuns::Standing{"ssh://lab/~/sweeps/masks", "No connection to lab: gone.", true});
        QVERIFY(where->text().contains("No connection to lab") && where->text().contains("copying is tried again"));
        QCOMPARE(page.findChild<QTreeView*>("sweepRuns")->model()->rowCount(), 4);
        page.setStanding(RemoteRuns::Standing{"ssh://lab/~/sweeps/masks", {}, false});
        QVERIFY(!where->text().contains("No connection"));
        QSignalSpy cancelled(&page, &SweepPage::cancelAsked), checkpoints(&page, &SweepPage::checkpointsAsked);
        bring->click();
        QCOMPARE(checkpoints.count(), 1);
        QCOMPARE(checkpoints.at(0).at(0).toString(), QString::fromStdString(folder.string()));
        cancel->click();
        auto* question = page.findChild<QMessageBox*>("sweepCancelQuestion");
        QVERIFY(question && question->isVisible());
        QCOMPARE(cancelled.count(), 0);
        question->reject();
        QCOMPARE(cancelled.count(), 0);
        QTRY_VERIFY(!page.findChild<QMessageBox*>("sweepCancelQuestion"));
        cancel->click();
        page.findChild<QPushButton*>("sweepCancelYes")->click();
        QCOMPARE(cancelled.count(), 1);
        page.setBusy(true);
        QVERIFY(!cancel->isEnabled() && !bring->isEnabled());
    }

    void seedsAreAddedBehindThoseThatThereAre() {
        QTemporaryDir dir;
        const OptionTable table{testCatalogue()};
        const fs::path folder = fs::path(dir.path().toStdString()) / "masks";
        const SweepPlan before = makeSweepFolder(table, folder, "1-2");
        writeSweepRuns(table, before, folder);
        fs::path beside = folder;
        beside += ".toml";
        replaceTextFile(beside, readTextFile(folder / "sweep.toml"));
        SweepPage page(&table);
        page.open(folder);
        page.show();
        auto* add = page.findChild<QPushButton*>("sweepMoreSeeds");
        QTRY_VERIFY(add->isEnabled());
        page.setQueued(true);
        QVERIFY(!add->isEnabled());
        page.setQueued(false);
        QSignalSpy queued(&page, &SweepPage::restAsked);
        add->click();
        auto* dialog = page.findChild<MoreSeedsDialog*>();
        auto* field = dialog->findChild<QLineEdit*>("moreSeeds");
        auto* choose = dialog->findChild<QPushButton*>("sweepSeedsAdd");
        QVERIFY(!choose->isEnabled());
        field->setText("2-3");
        QVERIFY(!choose->isEnabled());
        QVERIFY(dialog->findChild<QLabel*>("moreSeedsNote")->text().contains("has the seed 2 already"));
        field->setText("3, 5");
        QCOMPARE(dialog->findChild<QLabel*>("moreSeedsNote")->text(), QString("2 rows × 2 seeds = 4 runs more"));
        choose->click();
        QTRY_COMPARE(queued.count(), 1);
        QVERIFY(!dialog->isVisible());
        QCOMPARE(queued.at(0).at(0).value<fs::path>(), folder / "sweep.toml");
        QTRY_COMPARE(page.sweep()->runs.size(), std::size_t{8});
        QTRY_VERIFY(page.sweep()->whole);
        QCOMPARE(page.sweep()->counts.at(RecordedState::Finished), 4);
        // The grid beside it is the same still, which the queue may have been given.
        QCOMPARE(readTextFile(beside), readTextFile(folder / "sweep.toml"));
    }

    void seedsAreNotAddedWhereThatIsNotSafe() {
        QTemporaryDir dir;
        const OptionTable table{testCatalogue()};
        const fs::path folder = fs::path(dir.path().toStdString()) / "masks";
        makeSweepFolder(table, folder, "1-2");
        const std::string grid = readTextFile(folder / "sweep.toml");
        const auto complaint = [&](const char* seeds) -> QString {
            const auto failure = failureOf([&] { addSeeds(table, folder, seeds); });
            return failure ? failure->message : QString();
        };
        QVERIFY(complaint("2").contains("already"));
        QVERIFY(!complaint("5-3").isEmpty());
        {
            const int lock = openRegularFile(folder / ".sweep.lock", FilePlace::InFolder, O_RDWR | O_CREAT);
            QVERIFY(tryLock(lock));
            QVERIFY(complaint("3").contains("works on the sweep"));
            close(lock);
        }
        {
            const int lock = openRegularFile(folder / kScriptsLock, FilePlace::InFolder, O_RDWR | O_CREAT);
            QVERIFY(tryLock(lock));
            QVERIFY(complaint("3").contains("works on the sweep"));
            close(lock);
        }
        // Tasks that wait know the smaller grid alone.
        replaceTextFile(folder / "sweep.sbatch", "#!/bin/sh\n");
        QVERIFY(complaint("3").contains("was given to Slurm"));
        fs::remove(folder / "sweep.sbatch");
        QVERIFY(complaint("3-60000").contains("seeds"));
        QCOMPARE(readTextFile(folder / "sweep.toml"), grid);
        std::string many = "1";
        for (int seed = 2; seed <= 4900; ++seed) many += ", " + std::to_string(seed);
        std::string wide = grid;
        wide.replace(wide.find("[1, 2]"), 6, "[" + many + "]");
        replaceTextFile(folder / "sweep.toml", wide);
        QVERIFY(complaint("9001-9200").contains("runs"));
        QCOMPARE(readTextFile(folder / "sweep.toml"), wide);
        // What was written by hand stays.
        replaceTextFile(folder / "sweep.toml", "# Mine.\n" + grid);
        QCOMPARE(complaint("3"), QString());
        QVERIFY(readTextFile(folder / "sweep.toml").starts_with("# Mine.\n"));
        QCOMPARE(report::readGridFile(table, folder / "sweep.toml", FilePlace::InFolder).seeds,
                 (std::vector<std::int64_t>{1, 2, 3}));
        replaceTextFile(folder / "sweep.toml", grid);
        replaceTextFile(folder / kCopyMark, "ssh://lab/~/sweeps/masks\n");
        QVERIFY(complaint("3").contains("is a copy"));
        QCOMPARE(readTextFile(folder / "sweep.toml"), grid);
    }

    void theEstimateStaysAsLongAsItsGridDoes() {
        EditorScene scene(
            R"({"event": "estimate", "missing": 0, "runs": 30, "seconds": 7200, "memory_bytes": 700000000,)"
            R"( "disk_bytes": 90000000, "disk_parts": {"checkpoints": 80000000, "tables": 10000000}})");
        QSignalSpy chosen(&scene.editor, &SweepEditor::chosen);
        const int before = scene.editor.height();
        scene.button("sweepEstimate")->click();
        QTRY_VERIFY_WITH_TIMEOUT(scene.text("sweepEstimateText").startsWith("About 2 h"), 30'000);
        const QString text = scene.text("sweepEstimateText");
        QVERIFY2(
            text.contains("3.00 MB a run, mostly checkpoints") || text.contains("3.0 MB a run, mostly checkpoints"),
            qPrintable(text));
        // All of it is seen.
        const auto* label = scene.editor.findChild<QLabel*>("sweepEstimateText");
        QVERIFY(scene.editor.height() >= before);
        QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
        scene.button("sweepSubmit")->click();
        scene.editor.submitDialog()->reject();
        scene.field("sweepName")->setText("Another title");
        scene.editor.ask(scene.base());
        QCOMPARE(scene.text("sweepEstimateText"), text);
        scene.button("sweepQueue")->click();
        QTRY_COMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(3).toDouble(), 7200.0);
        scene.field("sweepSeeds")->setText("1-2");
        QVERIFY(scene.text("sweepEstimateText") != text);
    }

    void titleAndFolderFollowTheExperiment() {
        EditorScene scene("{}");
        Experiment other = scene.base();
        other.name = "Another one";
        scene.editor.reject();
        scene.editor.ask(other);
        QCOMPARE(scene.field("sweepName")->text(), QString("Another one"));
        QVERIFY2(scene.field("sweepFolder")->text().endsWith("/another-one"),
                 qPrintable(scene.field("sweepFolder")->text()));
        // What was typed stays with its experiment.
        scene.field("sweepName")->selectAll();
        QTest::keyClicks(scene.field("sweepName"), "Mine");
        scene.editor.reject();
        scene.editor.ask(other);
        QCOMPARE(scene.field("sweepName")->text(), QString("Mine"));
        scene.editor.reject();
        scene.editor.ask(scene.base());
        QCOMPARE(scene.field("sweepName")->text(), QString::fromStdString(scene.base().name));
    }

    void aFolderWithoutAPlaceLiesAmongTheSweeps() {
        EditorScene scene;
        const QString sweeps = QString::fromStdString((scene.home() / "sweeps").string());
        QLineEdit* folder = scene.field("sweepFolder");
        const auto typed = [&](const QString& text) {
            folder->setText(text);
            Q_EMIT folder->editingFinished();
            return folder->text();
        };
        QCOMPARE(typed(" mine/../first/ "), sweeps + "/first");
        QCOMPARE(typed("~/sweeps"), QDir::home().filePath("sweeps"));
        QCOMPARE(typed("~"), QDir::homePath());
        QCOMPARE(typed("/data/third"), QString("/data/third"));
        QCOMPARE(typed(" "), QString(" "));
        // Also where it still has the focus.
        folder->setText("second");
        QSignalSpy chosen(&scene.editor, &SweepEditor::chosen);
        scene.button("sweepQueue")->click();
        QTRY_COMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(1).value<fs::path>(), scene.home() / "sweeps" / "second");
        QVERIFY(fs::exists(scene.home() / "sweeps" / "second.toml"));
    }

    void earlierRunsSayWhatRunsKeep() {
        EditorScene scene(
            R"({"event": "estimate", "missing": 0, "runs": 30, "seconds": 7200, "memory_bytes": 700000000,)"
            R"( "disk_bytes": 2150000000})");
        const fs::path run = scene.home() / "run";
        fs::create_directories(run / "checkpoints");
        replaceTextFile(run / "checkpoints" / "1.safetensors", std::string(2'000'000, 'x'));
        replaceTextFile(run / "training.csv", std::string(1'000'000, 'x'));
        std::set<std::string> varied;
        scene.editor.setEarlier([&](const Experiment&, const std::set<std::string>& but) {
            varied = but;
            return [run] { return std::vector<fs::path>{run, run}; };
        });
        scene.button("sweepEstimate")->click();
        QTRY_VERIFY_WITH_TIMEOUT(scene.text("sweepEstimateText").contains("as 2 earlier runs"), 30'000);
        QCOMPARE(varied, (std::set<std::string>{"mask.name", "training.learning_rate"}));
        QVERIFY(scene.text("sweepEstimateText").contains("mostly checkpoints"));
        QVERIFY(!scene.text("sweepEstimateText").contains("2.15 GB"));
    }

    void theEstimateIsThatOfTheCommandLine() {
        EditorScene scene(R"({"event": "missing", "problem": "There is no data set.", "remedy": "Fetch it."}
{"event": "estimate", "missing": 1, "runs": 30, "seconds": 7200, "memory_bytes": 700000000,)"
                          R"( "disk_bytes": 4000000000000000, "shared_load": 2.75})");
        scene.button("sweepEstimate")->click();
        QTRY_VERIFY_WITH_TIMEOUT(scene.text("sweepEstimateText").startsWith("About 2 h"), 30'000);
        QVERIFY(scene.text("sweepEstimateText").contains("Others used the processor meanwhile (load 2.8)"));
        QVERIFY(scene.text("sweepEstimateText").contains("The disk has only"));
        QVERIFY(scene.text("sweepEstimateText").contains("There is no data set. Fetch it."));
    }

    void aMeasurementEndsWithTheEditorWheneverThatIs() {
        for (const bool begun : {false, true}) {
            QTemporaryDir dir;
            const QString path = dir.filePath("estimator"), told = dir.filePath("told");
            {
                QFile file(path);
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write("#!/bin/sh\necho $$ > '" + told.toUtf8() + "'\nexec sleep 600\n");
                file.close();
                file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            }
            const fs::path home = dir.path().toStdString();
            const OptionTable table{testCatalogue()};
            auto editor = std::make_unique<SweepEditor>(
                &table, SweepEditor::Places{path.toStdString(), home / "papers", home / "sweeps"});
            editor->ask(table.defaults());
            editor->findChild<QLineEdit*>("sweepValues1")->setText("none, batch");
            editor->findChild<QToolButton*>("sweepRemove2")->click();
            auto* measure = editor->findChild<QPushButton*>("sweepEstimate");
            measure->click();
            QCOMPARE(measure->text(), QString("Stop"));
            // The window hears nothing of the start.
            QDeadlineTimer patience(30'000);
            while (begun && QFile(told).size() < 2 && !patience.hasExpired()) QTest::qSleep(10);
            editor.reset();
            QFile file(told);
            const int pid = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
            QVERIFY(pid > 0 || !begun);
            QVERIFY(pid == 0 || kill(pid, 0) != 0);
        }
    }

    void aComplaintIsShownInPlaceOfTheEstimate() {
        EditorScene scene("palimpsest-cli: The weights are damaged. Fetch them.", 2);
        scene.button("sweepEstimate")->click();
        QTRY_COMPARE_WITH_TIMEOUT(scene.text("sweepEstimateText"), QString("The weights are damaged. Fetch them."),
                                  30'000);
    }
};

PALIMPSEST_TEST(TestSweepPage)

}  // namespace tst_sweep_page

#include "tst_sweep_page.moc"
