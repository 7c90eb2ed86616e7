// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <array>

#include "tests/support/foreign_run.h"
#include "tests/support/forkable_run.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/runs/run_cell.h"
#include "ui/runs/run_table_model.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_table_model {

class TestRunTableModel : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    struct Scene {
        explicit Scene(const OptionTable* table)
            : library(table, folder.path().toStdString()),
              model(&store, &library),
              tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest) {
            store.setCatalogue(testCatalogue());
        }
        void scan() {
            QSignalSpy scanned(&library, &RunLibrary::scanned);
            library.refresh();
            QVERIFY(scanned.wait());
        }
        QString text(const QString& id, int column) const {
            return model.index(model.rowOf(id), column).data().toString();
        }
        QTemporaryDir folder;
        RunSet store;
        RunLibrary library;
        RunTableModel model;
        QAbstractItemModelTester tester;
    };

private Q_SLOTS:
    void theTipSaysHowLongPromptsAre() {
        Scene scene(&table_);
        RunStarted started = madeUpStart(1, "/runs/live", "batch");
        started.prompt_lengths = {{"method.g_length", 3}, {"method.e_length", 7}};
        scene.store.onStarted(started);
        const QModelIndex cell = scene.model.index(scene.model.rowOf("/runs/live"), RunTableModel::Method);
        const QString tip = cell.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(", prompts of 3 general and 7 expert tokens\n"), qPrintable(tip));
    }

    void aMaskThatWasChangedOnTheWayIsSaid() {
        Scene scene(&table_);
        const auto folder = writeForkableRun(table_, scene.folder.path().toStdString(), "batch", {}, "seen");
        scene.scan();
        const QString id = RunSet::idOf(folder.string(), 0);
        QCOMPARE(scene.text(id, RunTableModel::Mask), QString("batch → seen"));
        const QModelIndex cell = scene.model.index(scene.model.rowOf(id), RunTableModel::Mask);
        const QString tip = cell.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("Changed after 800 images: Logit mask: seen"), qPrintable(tip));
        // At once in a run of this program, which has no folder yet.
        scene.store.onStarted(madeUpStart(2, "", "batch"));
        scene.store.onChange({2, 640, "mask.name", "none"});
        QCOMPARE(scene.text("run-2", RunTableModel::Mask), QString("batch → none"));
    }

    void aFinishedRunShowsItsChoicesAndNumbers() {
        Scene scene(&table_);
        const auto folder = writeMadeUpRun(table_, scene.folder.path().toStdString(), "none", 7);
        scene.scan();
        const QString id = RunSet::idOf(folder.string(), 0);
        QCOMPARE(scene.model.rowCount(), 1);
        QCOMPARE(scene.text(id, RunTableModel::Name), QString("none run"));
        QCOMPARE(scene.text(id, RunTableModel::Data), QString("Fashion-MNIST"));
        QCOMPARE(scene.text(id, RunTableModel::Method), QString("DualPrompt"));
        QCOMPARE(scene.text(id, RunTableModel::Mask), QString("none"));
        QCOMPARE(scene.text(id, RunTableModel::Images), QString("6,000"));
        QCOMPARE(scene.text(id, RunTableModel::Seed), QString("7"));
        QCOMPARE(scene.text(id, RunTableModel::AreaUnderCurve), QString("50.0"));
        QCOMPARE(scene.text(id, RunTableModel::LastAccuracy), QString("45.0"));
        QCOMPARE(scene.text(id, RunTableModel::LastForgetting), QString("35.0"));
        QCOMPARE(scene.text(id, RunTableModel::SessionAccuracy), QString("40.0"));
        QCOMPARE(scene.text(id, RunTableModel::SessionForgetting), QString("30.0"));
        QCOMPARE(scene.text(id, RunTableModel::When), QString("just now"));
    }

    void aLiveRunShowsItsAreaSoFar() {
        Scene scene(&table_);
        scene.store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        scene.store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        QCOMPARE(scene.text("/runs/a", RunTableModel::AreaUnderCurve), QString("so far 40.0"));
        QCOMPARE(scene.text("/runs/a", RunTableModel::LastAccuracy), QString("…"));
        QCOMPARE(scene.text("/runs/a", RunTableModel::When), QString("running"));
        QSignalSpy changed(&scene.model, &QAbstractItemModel::dataChanged);
        scene.store.onEvaluated(madeUpEvaluation(1, 200, 0.6));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(scene.text("/runs/a", RunTableModel::AreaUnderCurve), QString("so far 50.0"));
    }

    void aPausedRunIsListedAsPaused() {
        Scene scene(&table_);
        scene.store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        scene.store.setPaused(true);
        QCOMPARE(scene.text("/runs/a", RunTableModel::When), QString("paused"));
        scene.store.setPaused(false);
        QCOMPARE(scene.text("/runs/a", RunTableModel::When), QString("running"));
    }

    void numbersOfAStoppedRunDoNotLookFinal() {
        Scene scene(&table_);
        const auto folder = writeStoppedRun(table_, scene.folder.path().toStdString());
        scene.scan();
        const QString id = RunSet::idOf(folder.string(), 0);
        const auto cell = [&](int column) { return scene.model.index(scene.model.rowOf(id), column); };
        QCOMPARE(scene.text(id, RunTableModel::AreaUnderCurve), QString("so far 50.0"));
        QVERIFY(cell(RunTableModel::AreaUnderCurve).data(RunTableModel::SoFarRole).toBool());
        QVERIFY(cell(RunTableModel::AreaUnderCurve).data(Qt::ToolTipRole).toString().contains("2,500 of 6,000 images"));
        for (const auto& [column, number] : {std::pair<int, const char*>(RunTableModel::LastAccuracy, "65.0"),
                                             std::pair<int, const char*>(RunTableModel::LastForgetting, "15.0"),
                                             std::pair<int, const char*>(RunTableModel::SessionAccuracy, "60.0"),
                                             std::pair<int, const char*>(RunTableModel::SessionForgetting, "10.0")}) {
            QCOMPARE(scene.text(id, column), QString("–"));
            const QString tip = cell(column).data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains(QString("After 2 of 5 sessions: ") + number), qPrintable(tip));
        }
        QVERIFY(scene.text(id, RunTableModel::When).startsWith("stopped"));
    }

    void aRunOfAnotherProgramRunsUntilThatIsGone() {
        Scene scene(&table_);
        ForeignRun run(table_, scene.folder.path());
        scene.scan();
        QCOMPARE(scene.text(run.id(), RunTableModel::When), QString("running"));
        QCOMPARE(scene.text(run.id(), RunTableModel::AreaUnderCurve), QString("so far 50.0"));
        QCOMPARE(scene.text(run.id(), RunTableModel::LastAccuracy), QString("…"));
        run.kill();
        scene.scan();
        QVERIFY(scene.text(run.id(), RunTableModel::When).startsWith("crashed"));
        QCOMPARE(scene.text(run.id(), RunTableModel::AreaUnderCurve), QString("so far 50.0"));
        QCOMPARE(scene.text(run.id(), RunTableModel::LastAccuracy), QString("–"));
    }

    void aRunWhoseMachineIsNotReachedSaysSince() {
        Scene scene(&table_);
        ForeignRun run(table_, scene.folder.path());
        scene.scan();
        const QDateTime seen(QDate::currentDate(), QTime(14, 2));
        QSignalSpy changed(&scene.model, &QAbstractItemModel::dataChanged);
        scene.model.setLost(run.id(), seen);
        QVERIFY(!changed.isEmpty());
        QCOMPARE(scene.text(run.id(), RunTableModel::When), QString("connection lost, last seen 14:02"));
        const QModelIndex cell = scene.model.index(scene.model.rowOf(run.id()), RunTableModel::When);
        QVERIFY(cell.data(Qt::ToolTipRole).toString().contains("It may go on there"));
        // Not reached since this program began: then as old as what was measured last.
        scene.model.setLost(run.id(), QDateTime());
        QVERIFY(scene.text(run.id(), RunTableModel::When).startsWith("connection lost, last seen "));
        scene.model.setLost(run.id(), std::nullopt);
        QCOMPARE(scene.text(run.id(), RunTableModel::When), QString("running"));
    }

    void aRunThatWaitsOnItsMachineSaysWhy() {
        Scene scene(&table_);
        ForeignRun run(table_, scene.folder.path());
        scene.scan();
        QSignalSpy changed(&scene.model, &QAbstractItemModel::dataChanged);
        scene.model.setPaused(run.id(), "Paused on lab: no room.");
        QVERIFY(!changed.isEmpty());
        QCOMPARE(scene.text(run.id(), RunTableModel::When), QString("paused there"));
        const QModelIndex cell = scene.model.index(scene.model.rowOf(run.id()), RunTableModel::When);
        QVERIFY(cell.data(Qt::ToolTipRole).toString().contains("Paused on lab: no room."));
        scene.model.setPaused(run.id(), {});
        QCOMPARE(scene.text(run.id(), RunTableModel::When), QString("running"));
    }

    void theDotSaysWhatItMeans() {
        Scene scene(&table_);
        const auto folder = writeMadeUpRun(table_, scene.folder.path().toStdString(), "none");
        scene.scan();
        const QString id = RunSet::idOf(folder.string(), 0);
        const auto tip = [&] {
            return scene.model.index(scene.model.rowOf(id), RunTableModel::Shown).data(Qt::ToolTipRole).toString();
        };
        QVERIFY(tip().startsWith("Hollow dot"));
        scene.model.showForNow(id);
        QVERIFY(tip().startsWith("Full dot"));
        QVERIFY(scene.store.find(id)->display.selected);
    }

    void aLiveRunAndItsFolderAreOneRow() {
        Scene scene(&table_);
        const auto folder = writeMadeUpRun(table_, scene.folder.path().toStdString(), "batch", 1, false);
        scene.store.onStarted(madeUpStart(1, folder.string(), "batch"));
        QCOMPARE(scene.model.rowCount(), 1);
        scene.scan();
        QCOMPARE(scene.model.rowCount(), 1);
        QCOMPARE(scene.text(RunSet::idOf(folder.string(), 0), RunTableModel::When), QString("running"));
    }

    void tickingARunShowsItInThePlots() {
        Scene scene(&table_);
        const auto folder = writeMadeUpRun(table_, scene.folder.path().toStdString(), "none");
        scene.scan();
        const QString id = RunSet::idOf(folder.string(), 0);
        QVERIFY(!scene.store.find(id));
        const auto tick = [&] { return scene.model.index(scene.model.rowOf(id), RunTableModel::Shown); };
        QVERIFY(scene.model.flags(tick()) & Qt::ItemIsUserCheckable);
        QVERIFY(scene.model.setData(tick(), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(scene.store.find(id));
        QVERIFY(scene.store.find(id)->display.visible);
        QCOMPARE(tick().data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QVERIFY(tick().data(RunTableModel::SelectedRole).toBool());
        QVERIFY(scene.model.setData(tick(), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(!scene.store.find(id)->display.visible);
        QVERIFY(!scene.model.setData(tick().siblingAtColumn(RunTableModel::Name), Qt::Checked, Qt::CheckStateRole));
    }

    void rowsComeAndGoOneByOne() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        const auto a = writeMadeUpRun(table_, parent, "none");
        scene.scan();
        QSignalSpy inserted(&scene.model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&scene.model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy reset(&scene.model, &QAbstractItemModel::modelReset);
        scene.store.onStarted(madeUpStart(1, "/elsewhere/b", "batch"));
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(scene.model.rowOf("/elsewhere/b"), 0);
        std::filesystem::remove_all(a);
        scene.scan();
        QCOMPARE(removed.count(), 1);
        QCOMPARE(reset.count(), 0);
        QCOMPARE(scene.model.rowCount(), 1);
    }

    void columnsSortAsNumbersAndTimes() {
        Scene scene(&table_);
        scene.store.onStarted(madeUpStart(1, "/runs/a", "batch", 10));
        scene.store.onStarted(madeUpStart(2, "/runs/b", "batch", 9));
        const auto leads = [&](int column) {
            scene.model.sort(column, Qt::AscendingOrder);
            return scene.model.rowOf("/runs/a") < scene.model.rowOf("/runs/b");
        };
        QVERIFY(!leads(RunTableModel::Seed));
        scene.store.onEvaluated(madeUpEvaluation(1, 100, 0.095));
        scene.store.onEvaluated(madeUpEvaluation(2, 100, 0.5));
        QVERIFY(leads(RunTableModel::AreaUnderCurve));
    }

    void seedsOfOneExperimentAreOneLineWithMeanAndDeviation() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        QStringList ids;
        for (const int seed : {1, 2}) ids << RunSet::idOf(writeMadeUpRun(table_, parent, "none", seed).string(), 0);
        writeMadeUpRun(table_, parent, "batch", 1);
        for (const auto& [id, area] : {std::pair(ids[0], "0.40"), std::pair(ids[1], "0.60")}) {
            QFile file(id + "/summary.json");
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray("{\"a_auc\": ") + area + ", \"a_last_overall\": 0.5, \"sessions_ended\": 5}");
        }
        scene.scan();
        QCOMPARE(scene.model.rowCount(), 3);
        scene.model.setGrouped(true);
        QCOMPARE(scene.model.rowCount(), 2);
        int heading = 0;
        if (scene.model.index(0, 0).data(RunTableModel::FamilyRole).toInt() == 0) heading = 1;
        const auto cell = [&](int column) { return scene.model.index(heading, column); };
        QCOMPARE(cell(0).data(RunTableModel::FamilyRole).toInt(), 2);
        QCOMPARE(cell(RunTableModel::AreaUnderCurve).data().toString(), QString("50.0 ± 14.1"));
        QCOMPARE(cell(RunTableModel::LastAccuracy).data().toString(), QString("50.0 ± 0.0"));
        QCOMPARE(cell(RunTableModel::LastForgetting).data().toString(), QString("–"));
        QCOMPARE(cell(RunTableModel::Seed).data().toString(), QString("2 runs"));
        QCOMPARE(QSet<QString>(ids.begin(), ids.end()), [&] {
            const QStringList at = scene.model.runsAt(cell(0));
            return QSet<QString>(at.begin(), at.end());
        }());
        scene.model.toggle(cell(0).data(RunTableModel::IdRole).toString());
        QCOMPARE(scene.model.rowCount(), 4);
        QVERIFY(scene.model.rowOf(ids[0]) > heading);
        scene.model.setGrouped(false);
        QCOMPARE(scene.model.rowCount(), 3);
    }

    void theLineOfAGroupSaysHowManyRunsItsMeanHas() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        for (const int seed : {1, 2}) writeMadeUpRun(table_, parent, "none", seed);
        writeMadeUpRun(table_, parent, "none", 3, false);
        scene.scan();
        scene.model.setGrouped(true);
        QCOMPARE(scene.model.rowCount(), 1);
        QCOMPARE(scene.model.index(0, RunTableModel::Seed).data().toString(), QString("N = 2 of 3"));
        QCOMPARE(scene.model.index(0, RunTableModel::AreaUnderCurve).data().toString(), QString("50.0 ± 0.0"));
    }

    void aShownGroupTakesInItsLaterSeeds() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        const auto write = [&](std::int64_t seed) {
            return RunSet::idOf(writeMadeUpRun(table_, parent, "none", seed).string(), 0);
        };
        QStringList ids{write(1), write(2)};
        scene.scan();
        scene.model.setGrouped(true);
        const auto dot = [&] { return scene.model.index(0, RunTableModel::Shown); };
        const auto shown = [&](const QString& id) {
            const ShownRun* run = scene.store.find(id);
            return run && run->display.visible;
        };
        QCOMPARE(dot().data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        scene.model.setShown(ids[0], true);
        QTRY_VERIFY(shown(ids[0]));
        QCOMPARE(dot().data(Qt::CheckStateRole).toInt(), int(Qt::PartiallyChecked));
        QVERIFY(dot().data(RunTableModel::PartlyRole).toBool());
        QVERIFY(dot().data(Qt::ToolTipRole).toString().contains("Half a dot: only some are."));
        QVERIFY(dot().data(Qt::AccessibleTextRole).toString().endsWith("partly shown"));
        // Some are shown without the heading being asked for: the others stay away.
        ids.append(write(3));
        scene.scan();
        QCoreApplication::processEvents();
        QVERIFY(!shown(ids[2]));

        QVERIFY(scene.model.setData(dot(), Qt::Checked, Qt::CheckStateRole));
        for (const QString& id : ids) QTRY_VERIFY(shown(id));
        QCOMPARE(dot().data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QVERIFY(!dot().data(RunTableModel::PartlyRole).toBool());
        ids.append(write(4));
        scene.scan();
        QTRY_VERIFY(shown(ids[3]));

        // The user takes one away: from now on nothing joins.
        scene.model.toggle(dot().data(RunTableModel::IdRole).toString());
        scene.model.setShownAt(scene.model.index(scene.model.rowOf(ids[0]), RunTableModel::Shown), false);
        QVERIFY(!shown(ids[0]));
        ids.append(write(5));
        scene.scan();
        QCoreApplication::processEvents();
        QVERIFY(!shown(ids[4]) && !shown(ids[0]));
    }

    void whatWasThereWhenAGroupWasShownDoesNotJoinIt() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        QStringList ids;
        for (const int seed : {1, 2, 3}) ids << RunSet::idOf(writeMadeUpRun(table_, parent, "none", seed).string(), 0);
        scene.scan();
        scene.model.setGrouped(true);
        const auto shown = [&](const QString& id) {
            const ShownRun* run = scene.store.find(id);
            return run && run->display.visible;
        };
        const auto settle = [&] {
            for (int turn = 0; turn < 5; ++turn) QCoreApplication::processEvents();
        };
        scene.model.setShownAt(scene.model.index(0, RunTableModel::Shown), true);
        for (const QString& id : ids) QTRY_VERIFY(shown(id));
        // Taken out of the figures by something else than the list.
        scene.store.setVisible(ids[0], false);
        settle();
        QVERIFY(!shown(ids[0]));
        ids << RunSet::idOf(writeMadeUpRun(table_, parent, "none", 4).string(), 0);
        scene.scan();
        settle();
        QVERIFY(!shown(ids[3]));

        // A heading of which a search shows a part.
        for (const QString& id : ids) scene.store.setVisible(id, false);
        scene.model.setQuery("-seed:1");
        scene.model.setShownAt(scene.model.index(0, RunTableModel::Shown), true);
        for (const QString& id : ids.mid(1)) QTRY_VERIFY(shown(id));
        scene.model.setQuery({});
        settle();
        QVERIFY(!shown(ids[0]));
    }

    void eachNumberOfAGroupIsOfTheRunsThatHaveIt() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        const std::array<const char*, 3> summaries{
            R"({"a_auc": 0.4, "a_last_overall": 0.5, "f_last_classwise": 0.1, "sessions_ended": 5})",
            R"({"a_auc": 0.5, "a_last_overall": 0.7, "f_last_classwise": 0.3, "sessions_ended": 5})",
            R"({"a_auc": 0.6, "a_last_overall": 0.6, "f_last_classwise": null, "sessions_ended": 5})"};
        for (std::size_t i = 0; i < summaries.size(); ++i) {
            const auto run = writeMadeUpRun(table_, parent, "none", static_cast<std::int64_t>(i + 1));
            QFile file(QString::fromStdString((run / "summary.json").string()));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(summaries[i]);
        }
        scene.scan();
        scene.model.setGrouped(true);
        QCOMPARE(scene.model.rowCount(), 1);
        const auto cell = [&](int column) { return scene.model.index(0, column); };
        const auto tip = [&](int column) { return cell(column).data(Qt::ToolTipRole).toString(); };
        QCOMPARE(cell(RunTableModel::LastAccuracy).data().toString(), QString("60.0 ± 10.0"));
        QCOMPARE(cell(RunTableModel::LastForgetting).data().toString(), QString("20.0 ± 14.1"));
        QCOMPARE(cell(RunTableModel::Seed).data().toString(), QString("N = 2–3 of 3"));
        QVERIFY2(tip(RunTableModel::LastAccuracy).contains("A_Last: N = 3 of 3"),
                 qPrintable(tip(RunTableModel::LastAccuracy)));
        for (const int column : {RunTableModel::LastForgetting, RunTableModel::DeltaForgetting, RunTableModel::Seed})
            QVERIFY2(tip(column).contains("F_Last: N = 2 of 3"), qPrintable(tip(column)));
        QVERIFY(!tip(RunTableModel::LastForgetting).contains("A_Last"));
    }

    void aRunThatIsChangedOnItsWayLeavesItsGroup() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        const auto alike = [&](std::int64_t seed, const std::string& changed) {
            const auto writer = RunFolderWriter::create(table_, madeUpExperiment("none", seed), parent);
            writer->onStarted(madeUpStart(seed, writer->folder().string(), "none", seed));
            if (!changed.empty()) writer->recordCommand(640, "change", "mask.name=" + changed);
            return writer->folder().string();
        };
        alike(1, "");
        const std::string other = alike(2, "seen"), own = alike(3, "");
        scene.scan();
        scene.store.onStarted(madeUpStart(3, own, "none", 3));
        scene.model.setGrouped(true);
        const auto sizes = [&] {
            QList<int> found;
            for (int row = 0; row < scene.model.rowCount(); ++row)
                found.append(scene.model.index(row, 0).data(RunTableModel::FamilyRole).toInt());
            std::sort(found.begin(), found.end());
            return found;
        };
        QCOMPARE(sizes(), QList<int>({0, 2}));
        QVERIFY(scene.model.rowOf(RunSet::idOf(other, 0)) >= 0);
        // At once, before anything was read again: beside the one with the same change.
        scene.store.onChange({3, 640, "mask.name", "seen"});
        QCOMPARE(sizes(), QList<int>({0, 2}));
        QCOMPARE(scene.model.rowOf(RunSet::idOf(other, 0)), -1);
    }

    void theMeanOfSeedsCanBeTheBaseline() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        for (const int seed : {1, 2}) writeMadeUpRun(table_, parent, "none", seed);
        scene.scan();
        scene.model.setGrouped(true);
        const QString family = scene.model.index(0, 0).data(RunTableModel::IdRole).toString();
        scene.model.setBaseline(family);
        QCOMPARE(scene.model.index(0, RunTableModel::DeltaArea).data().toString(), QString("baseline"));
        scene.model.setGrouped(false);
        QCOMPARE(scene.model.index(0, RunTableModel::DeltaArea).data().toString(), QString("±0.0"));
        QCOMPARE(scene.model.index(0, RunTableModel::DeltaArea).data(RunTableModel::BetterRole).toInt(), 0);
    }

    void aRunIsCalledAsInThePlots() {
        Scene scene(&table_);
        QStringList ids;
        for (const int seed : {1, 2})
            ids << RunSet::idOf(writeMadeUpRun(table_, scene.folder.path().toStdString(), "none", seed).string(), 0);
        scene.scan();
        QCOMPARE(scene.text(ids[0], RunTableModel::Name), QString("none run"));
        for (const QString& id : std::as_const(ids)) scene.model.setShown(id, true);
        for (const QString& id : std::as_const(ids)) {
            QCOMPARE(scene.text(id, RunTableModel::Name), scene.store.label(id));
            const QModelIndex cell = scene.model.index(scene.model.rowOf(id), RunTableModel::Name);
            QVERIFY(cell.data(Qt::ToolTipRole).toString().startsWith(scene.store.label(id) + ". "));
        }
        QCOMPARE(scene.text(ids[0], RunTableModel::Name), QString("none run, seed 1"));
        scene.model.setShown(ids[1], false);
        QCOMPARE(scene.text(ids[0], RunTableModel::Name), QString("none run"));
    }

    void aRunThatDidNotEndHasNoDifference() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        const QString base = RunSet::idOf(writeMadeUpRun(table_, parent, "none").string(), 0);
        const QString stopped = RunSet::idOf(writeStoppedRun(table_, parent).string(), 0);
        scene.scan();
        scene.store.onStarted(madeUpStart(1, "/runs/live", "batch"));
        scene.store.onEvaluated(madeUpEvaluation(1, 100, 0.6));
        scene.model.setBaseline(base);
        const auto cell = [&](const QString& id) {
            return scene.model.index(scene.model.rowOf(id), RunTableModel::DeltaArea);
        };
        for (const QString& id : {stopped, QString("/runs/live")}) {
            QCOMPARE(cell(id).data().toString(), QString("–"));
            QCOMPARE(cell(id).data(RunTableModel::BetterRole).toInt(), 0);
        }
        const auto tip = [&](const QString& id) { return cell(id).data(Qt::ToolTipRole).toString(); };
        QVERIFY2(tip("/runs/live").startsWith("The difference comes when the run has finished"),
                 qPrintable(tip("/runs/live")));
        QVERIFY2(tip(stopped).startsWith("No difference: the run did not learn"), qPrintable(tip(stopped)));
        scene.store.onEvaluated(madeUpEvaluation(1, kImages, 0.6));
        scene.store.onEnded(madeUpEnd(1, RunEnd::Finished));
        QCOMPARE(cell("/runs/live").data().toString(), QString("+10.0"));
        QVERIFY(!tip("/runs/live").contains("difference"));
        // Nor is half a stream what others are compared with.
        scene.model.setBaseline(stopped);
        QCOMPARE(cell(base).data().toString(), QString("–"));
        QVERIFY2(tip(base).startsWith("No difference: the baseline"), qPrintable(tip(base)));
    }

    void theFiguresLearnOfTheBaseline() {
        Scene scene(&table_);
        const QString id = RunSet::idOf(writeMadeUpRun(table_, scene.folder.path().toStdString(), "none").string(), 0);
        scene.scan();
        scene.model.setBaseline(id);
        QCOMPARE(scene.store.baseline(), QStringList{id});
        QTRY_VERIFY(scene.store.find(id));
        QVERIFY(!scene.store.find(id)->display.visible);
        scene.model.setBaseline({});
        QVERIFY(scene.store.baseline().isEmpty());
    }

    void aRestoredBaselineIsTakenUpOnceItsRunIsListed() {
        Scene scene(&table_);
        const QString id = RunSet::idOf(writeMadeUpRun(table_, scene.folder.path().toStdString(), "none").string(), 0);
        QSignalSpy changed(&scene.model, &RunTableModel::baselineChanged);
        scene.model.restoreBaseline(id);
        QVERIFY(scene.model.baseline().isEmpty());
        QCOMPARE(scene.model.keptBaseline(), id);
        scene.scan();
        QCOMPARE(scene.model.baseline(), id);
        QVERIFY(changed.count() > 0);
        QCOMPARE(scene.text(id, RunTableModel::DeltaArea), QString("baseline"));
        QCOMPARE(scene.store.baseline(), QStringList{id});
    }

    void aRestoredBaselineThatIsGoneIsGivenUpAfterALookAtAllFolders() {
        Scene scene(&table_);
        const QString id = RunSet::idOf(writeMadeUpRun(table_, scene.folder.path().toStdString(), "none").string(), 0);
        scene.model.restoreBaseline(scene.folder.path() + "/gone");
        QSignalSpy looked(&scene.library, &RunLibrary::scanned);
        scene.library.touch(id);
        QVERIFY(looked.wait());
        QCOMPARE(scene.model.keptBaseline(), scene.folder.path() + "/gone");
        scene.scan();
        QVERIFY(scene.model.keptBaseline().isEmpty());
        QVERIFY(scene.model.baseline().isEmpty());
    }

    void aMeanIsRestoredWhetherRunsAreGroupedOrNot() {
        Scene scene(&table_);
        for (const int seed : {1, 2}) writeMadeUpRun(table_, scene.folder.path().toStdString(), "none", seed);
        scene.scan();
        scene.model.setGrouped(true);
        const QString family = scene.model.index(0, 0).data(RunTableModel::IdRole).toString();
        RunTableModel again(&scene.store, &scene.library);
        again.restoreBaseline(family);
        QCOMPARE(again.baseline(), family);
        QCOMPARE(again.rowCount(), 2);
        QCOMPARE(again.index(0, RunTableModel::DeltaArea).data().toString(), QString("±0.0"));
        QCOMPARE(scene.store.baseline().size(), qsizetype(2));
    }

    void theMeanThatIsTheBaselineAndItsRunsBearAMark() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        for (const int seed : {1, 2}) writeMadeUpRun(table_, parent, "none", seed);
        const QString other = RunSet::idOf(writeMadeUpRun(table_, parent, "batch", 1).string(), 0);
        scene.scan();
        scene.model.setGrouped(true);
        int heading = 0;
        while (scene.model.index(heading, 0).data(RunTableModel::FamilyRole).toInt() == 0) ++heading;
        const QString family = scene.model.index(heading, 0).data(RunTableModel::IdRole).toString();
        const auto mark = [&](int row) { return scene.model.index(row, 0).data(RunTableModel::BaselineRole).toInt(); };
        QCOMPARE(mark(heading), 0);
        scene.model.setBaseline(family);
        QCOMPARE(mark(heading), 1);
        const QModelIndex name = scene.model.index(heading, RunTableModel::Name);
        QVERIFY(name.data(Qt::AccessibleTextRole).toString().endsWith(", baseline"));
        QCOMPARE(mark(scene.model.rowOf(other)), 0);
        scene.model.toggle(family);
        for (const int row : {heading + 1, heading + 2}) {
            QCOMPARE(mark(row), 2);
            const QModelIndex below = scene.model.index(row, RunTableModel::Name);
            QVERIFY2(below.data(Qt::ToolTipRole).toString().contains("whose mean is the baseline"),
                     qPrintable(below.data(Qt::ToolTipRole).toString()));
        }
        // In a list without headings they alone can say so.
        scene.model.setGrouped(false);
        int marked = 0;
        for (int row = 0; row < scene.model.rowCount(); ++row) marked += mark(row) == 2;
        QCOMPARE(marked, 2);
    }

    void aDifferenceThatIsNotTheMethodsAloneSaysWhy() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        const auto write = [&](const char* mask, int seed) {
            const auto run = writeMadeUpRun(table_, parent, mask, seed);
            QFile file(QString::fromStdString((run / "run.json").string()));
            if (!file.open(QIODevice::ReadOnly)) return QString();
            const QByteArray text = file.readAll();
            file.close();
            if (!file.open(QIODevice::WriteOnly)) return QString();
            file.write(QByteArray(text).replace("0123456789abcdef", "0123456789abcd0" + QByteArray::number(seed)));
            return RunSet::idOf(run.string(), 0);
        };
        const QStringList base{write("none", 1), write("none", 2)};
        const QStringList own{write("batch", 1), write("batch", 3)};
        scene.scan();
        const auto cell = [&](const QString& id) {
            return scene.model.index(scene.model.rowOf(id), RunTableModel::DeltaArea);
        };
        const auto why = [&](const QString& id) { return cell(id).data(RunTableModel::DoubtRole).toString(); };
        const auto tip = [&](const QString& id) { return cell(id).data(Qt::ToolTipRole).toString(); };
        // Run beside run: the same stream, or none to compare with.
        scene.model.setBaseline(base[0]);
        QCOMPARE(why(own[0]), QString());
        QCOMPARE(cell(own[0]).data().toString(), QString("±0.0"));
        QCOMPARE(cell(own[1]).data().toString(), QString("–"));
        QCOMPARE(why(own[1]), QString("other stream"));
        QVERIFY2(tip(own[1]).startsWith("The baseline learned another stream"), qPrintable(tip(own[1])));
        // Mean beside mean, and a run beside a mean.
        scene.model.setGrouped(true);
        QStringList families;
        for (int row = 0; row < scene.model.rowCount(); ++row)
            families << scene.model.index(row, 0).data(RunTableModel::IdRole).toString();
        QCOMPARE(families.size(), qsizetype(2));
        scene.model.toggle(families[0]);
        const bool first = scene.model.rowOf(base[0]) >= 0;
        scene.model.toggle(families[0]);
        const QString none = families[first ? 0 : 1], batch = families[first ? 1 : 0];
        scene.model.setBaseline(none);
        QCOMPARE(why(batch), QString("other seeds"));
        QVERIFY(cell(batch).data().toString() != "–");
        QVERIFY2(tip(batch).startsWith("The baseline has other seeds"), qPrintable(tip(batch)));
        scene.model.toggle(batch);
        QCOMPARE(why(own[0]), QString("one seed"));
        QCOMPARE(cell(own[0]).data(Qt::AccessibleTextRole).toString(), QString("±0.0, one seed"));
        scene.model.setBaseline({});
        QCOMPARE(why(own[0]), QString());
    }

    void aDifferenceIsBetterOnlyWhereTheSeedsTellSo() {
        Scene scene(&table_);
        const auto write = [&](const char* mask, std::int64_t seed, double area, double forgetting) {
            const auto folder = writeMadeUpRun(table_, scene.folder.path().toStdString(), mask, seed);
            QFile file(QString::fromStdString((folder / "summary.json").string()));
            if (!file.open(QIODevice::WriteOnly)) return QString();
            file.write(QStringLiteral(R"({"a_auc": %1, "a_last": 0.4, "f_last_classwise": %2, "sessions_ended": 5})")
                           .arg(area)
                           .arg(forgetting)
                           .toUtf8());
            return RunSet::idOf(folder.string(), 0);
        };
        // Forgetting rises with each seed, by about as much; A_AUC rises and falls.
        QString base, other;
        const double areas[] = {0.1, -0.08, 0.05}, forgotten[] = {0.14, 0.15, 0.16};
        for (const int i : {0, 1, 2}) {
            base = write("none", i + 1, 0.5, 0.3);
            other = write("seen", i + 1, 0.5 + areas[i], 0.3 + forgotten[i]);
        }
        scene.scan();
        const auto cell = [&](const QString& id, int column) {
            return scene.model.index(scene.model.rowOf(id), column);
        };
        const auto tip = [&](const QString& id, int column) {
            return cell(id, column).data(Qt::ToolTipRole).toString();
        };
        // Run beside run: whatever the difference.
        scene.model.setBaseline(base);
        QCOMPARE(cell(other, RunTableModel::DeltaForgetting).data().toString(), QString("+16.0"));
        QCOMPARE(cell(other, RunTableModel::DeltaForgetting).data(RunTableModel::BetterRole).toInt(), 0);
        QVERIFY2(tip(other, RunTableModel::DeltaForgetting).startsWith("One run each: no evidence"),
                 qPrintable(tip(other, RunTableModel::DeltaForgetting)));
        // Mean beside mean.
        scene.model.setGrouped(true);
        QStringList families;
        for (int row = 0; row < scene.model.rowCount(); ++row)
            families << scene.model.index(row, 0).data(RunTableModel::IdRole).toString();
        QCOMPARE(families.size(), qsizetype(2));
        const bool first = scene.model.index(0, RunTableModel::Name).data().toString().startsWith("none");
        const QString none = families[first ? 0 : 1], seen = families[first ? 1 : 0];
        scene.model.setBaseline(none);
        // Less forgetting is better, more is worse.
        QCOMPARE(cell(seen, RunTableModel::DeltaForgetting).data().toString(), QString("+15.0"));
        QCOMPARE(cell(seen, RunTableModel::DeltaForgetting).data(RunTableModel::BetterRole).toInt(), -1);
        QVERIFY2(tip(seen, RunTableModel::DeltaForgetting).startsWith("The 95 % interval excludes 0 with 3 seeds"),
                 qPrintable(tip(seen, RunTableModel::DeltaForgetting)));
        QCOMPARE(cell(seen, RunTableModel::DeltaArea).data(RunTableModel::BetterRole).toInt(), 0);
        QVERIFY2(tip(seen, RunTableModel::DeltaArea).startsWith("Not distinguishable with 3 seeds; about "),
                 qPrintable(tip(seen, RunTableModel::DeltaArea)));
        scene.model.setBaseline(seen);
        QCOMPARE(cell(none, RunTableModel::DeltaForgetting).data(RunTableModel::BetterRole).toInt(), 1);
    }

    void hiddenRunsAreLeftOutUntilAskedFor() {
        Scene scene(&table_);
        const auto folder = writeMadeUpRun(table_, scene.folder.path().toStdString(), "none");
        writeMadeUpRun(table_, scene.folder.path().toStdString(), "batch");
        writeNotes(folder, {{}, {}, {}, true});
        scene.scan();
        QCOMPARE(scene.model.rowCount(), 1);
        scene.model.setHiddenShown(true);
        QCOMPARE(scene.model.rowCount(), 2);
    }

    void aRunKnownInBriefIsReadWholeWhenItIsShown() {
        Scene scene(&table_);
        const std::string parent = scene.folder.path().toStdString();
        QString oldest;
        for (std::size_t i = 0; i <= RunLibrary::kWhole; ++i) {
            const auto folder = writeMadeUpRun(table_, parent, "none", static_cast<std::int64_t>(i));
            if (oldest.isEmpty()) oldest = RunSet::idOf(folder.string(), 0);
        }
        scene.scan();
        QCOMPARE(scene.library.rows().size(), RunLibrary::kWhole + 1);
        QCOMPARE(scene.library.records().size(), RunLibrary::kWhole);
        QVERIFY(scene.library.row(oldest));
        QVERIFY(!scene.library.find(oldest));
        scene.model.selectRun(oldest);
        QVERIFY(!scene.store.find(oldest));
        QTRY_VERIFY(scene.store.find(oldest));
        QVERIFY(scene.store.find(oldest)->display.selected);
        QCOMPARE(scene.store.find(oldest)->points.anytime().size(), std::size_t(kImages / 500));
    }

    void theWordsForAdaptedPromptsAreExplained() {
        const Scene scene(&table_);
        const QString head = scene.model.headerData(RunTableModel::Prompts, Qt::Horizontal, Qt::ToolTipRole).toString();
        QVERIFY2(head.contains("forgetting-aware minimisation"), qPrintable(head));
        RunRow row;
        const Catalogue catalogue = testCatalogue();
        const auto tip = [&](const char* prompts) {
            row.prompts = prompts;
            return RunCell{row, nullptr, catalogue}.tip(RunTableModel::Prompts, {});
        };
        QVERIFY2(tip("fam").startsWith("fam: forgetting-aware minimisation (FAM)"), qPrintable(tip("fam")));
        QVERIFY(tip("sam").startsWith("sam: ") && tip("naive").startsWith("naive: "));
        QVERIFY(!tip("none").contains("none: ") && !tip("/prompts/mine.safetensors").contains("mine: "));
    }

    void aRunThatEndedIsAsOldAsItsEnd() {
        const auto ago = [](int minutes) {
            return QDateTime::currentDateTimeUtc().addSecs(-60 * minutes).toString(Qt::ISODate).toStdString();
        };
        RunRow row;
        row.state = RecordedState::Stopped;
        row.started = ago(30);
        row.ended = ago(0);
        const Catalogue catalogue = testCatalogue();
        const auto when = [&] { return RunCell{row, nullptr, catalogue}.text(RunTableModel::When); };
        const auto behind = [](const char* state, const std::string& moment) {
            return QString("%1 %2").arg(state,
                                        shortMomentText(QString::fromStdString(moment), QDateTime::currentDateTime()));
        };
        QCOMPARE(when(), behind("stopped", row.ended));
        row.state = RecordedState::Crashed;
        row.ended.clear();
        QCOMPARE(when(), behind("crashed", row.started));
    }

    void momentsReadAsPeopleSayThem_data() {
        QTest::addColumn<QString>("then");
        QTest::addColumn<QString>("text");
        QTest::newRow("now") << "2026-03-05T11:59:40Z"
                             << "just now";
        QTest::newRow("minutes") << "2026-03-05T11:48:00Z"
                                 << "12 min ago";
        QTest::newRow("yesterday") << "2026-03-04T12:00:00Z"
                                   << "yesterday";
        QTest::newRow("this year") << "2026-01-20T12:00:00Z"
                                   << "20 Jan";
        QTest::newRow("another year") << "2024-01-20T12:00:00Z"
                                      << "20 Jan 2024";
        QTest::newRow("garbage") << "soon"
                                 << "";
    }
    void momentsReadAsPeopleSayThem() {
        QFETCH(QString, then);
        QFETCH(QString, text);
        const QDateTime now = QDateTime::fromString("2026-03-05T12:00:00Z", Qt::ISODate).toLocalTime();
        QCOMPARE(momentText(then, now), text);
    }

    void behindAnotherWordAMomentIsShort() {
        const QDateTime now = QDateTime::fromString("2026-03-05T12:00:00", Qt::ISODate);
        const auto text = [&](const char* then) {
            const QDateTime local = QDateTime::fromString(then, Qt::ISODate);
            return shortMomentText(local.toUTC().toString(Qt::ISODate), now);
        };
        QCOMPARE(text("2026-03-05T11:59:40"), QString("11:59"));
        QCOMPARE(text("2026-03-04T12:00:00"), QString("4 Mar"));
        QCOMPARE(text("2025-11-04T12:00:00"), QString("Nov 2025"));
        QVERIFY(shortMomentText("soon", now).isEmpty());
    }
};

PALIMPSEST_GUILESS_TEST(TestRunTableModel)

}  // namespace tst_run_table_model

#include "tst_run_table_model.moc"
