// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/state/run_label.h"
#include "ui/state/run_set.h"
#include "ui/style/curve_style.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_set {

/// Runs that differ in more than the seed.
RunStarted startApart(int number) {
    RunStarted started = madeUpStart(100 + number, "/runs/" + std::to_string(number), "batch", number);
    started.experiment.memory.size = 100 + number;
    return started;
}

RunRecord recordApart(int number) {
    RunRecord record = madeUpRecord("/runs/" + std::to_string(number), "none", 0.5, number);
    record.experiment.memory.size = 100 + number;
    return record;
}

class TestRunSet : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStartedRunIsVisibleAndSelected() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        QVERIFY(store.selected());
        QCOMPARE(store.selected()->id, QString("/runs/a"));
        QVERIFY(store.selected()->display.visible);
        QVERIFY(store.selected()->live);
        QCOMPARE(store.selected()->facts->session_starts, (std::vector<std::int64_t>{0, 1200, 2400, 3600, 4800}));
    }

    void aRunWithoutAFolderIsNamedByItsNumber() {
        RunSet store;
        store.onStarted(madeUpStart(3, "", "batch"));
        QVERIFY(store.find("run-3"));
    }

    void endOfSessionEvaluationsAreNotPartOfTheArea() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        store.onEvaluated(madeUpEvaluation(1, 200, 0.6));
        store.onEvaluated(madeUpEvaluation(1, 1200, 0.9, EvaluationKind::SessionEnd));
        QCOMPARE(store.selected()->points.anytime().size(), std::size_t(2));
        QCOMPARE(store.selected()->points.sessionEnds().size(), std::size_t(1));
        QCOMPARE(*store.selected()->points.areaUpTo(10000), 0.5);
    }

    void theAreaUpToAPlaceLeavesLaterPointsOut() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.2));
        store.onEvaluated(madeUpEvaluation(1, 200, 0.4));
        store.onEvaluated(madeUpEvaluation(1, 300, 0.9));
        QCOMPARE(*store.selected()->points.areaUpTo(200), 0.3);
        QVERIFY(!store.selected()->points.areaUpTo(50));
    }

    void newsOfAnUnknownRunIsIgnored() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        QSignalSpy changed(&store, &RunSet::changed);
        store.onEvaluated(madeUpEvaluation(2, 100, 0.4));
        store.onSessionEnded(madeUpSessionEnd(2, 0));
        QCOMPARE(changed.count(), 0);
        QVERIFY(store.selected()->points.anytime().empty());
    }

    void everyPointIsAnnounced() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        QSignalSpy changed(&store, &RunSet::changed);
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        store.onSessionEnded(madeUpSessionEnd(1, 0));
        QCOMPARE(changed.count(), 2);
        QCOMPARE(changed[0][0].toString(), QString("/runs/a"));
        QCOMPARE(changed[0][1].value<CurveKind>(), CurveKind::Anytime);
        QCOMPARE(changed[1][1].value<CurveKind>(), CurveKind::Retention);
    }

    void changesOnTheWayAreKept() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        QSignalSpy changed(&store, &RunSet::runsChanged);
        store.onChange({1, 640, "mask.name", "seen"});
        store.onChange({2, 700, "mask.name", "none"});
        QCOMPARE(changed.count(), 1);
        QVERIFY(store.selected()->changes == (std::vector<LiveChange>{{"mask.name", "seen", 640}}));
        // A run that another program writes gets its new points added.
        RunRecord record = madeUpRecord("/runs/b", "batch");
        record.state = RecordedState::Running;
        record.changes = {{"mask.name", "seen", 100}};
        store.addRecord(record);
        record.changes.push_back({"mask.name", "none", 200});
        store.addRecord(record);
        QCOMPARE(store.find("/runs/b")->changes.size(), std::size_t(2));
        QCOMPARE(store.find("/runs/b")->generation, 0);
    }

    void plateausOfTheLossAreKept() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        QSignalSpy changed(&store, &RunSet::changed);
        store.onPlateau({1, 640, 60, 1.5, 0.01});
        store.onPlateau({2, 700, 66, 1.5, 0.01});
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toString(), QString("/runs/a"));
        QCOMPARE(store.selected()->plateaus.size(), std::size_t(1));
        QCOMPARE(store.selected()->plateaus[0].update, std::int64_t(60));
        // Of a run that another program writes, too.
        RunRecord record = madeUpRecord("/runs/b", "batch");
        record.state = RecordedState::Running;
        record.plateaus = {{100, 9, 1, 0.01}};
        store.addRecord(record);
        QCOMPARE(store.find("/runs/b")->plateaus.size(), std::size_t(1));
        changed.clear();
        record.plateaus.push_back({300, 27, 1, 0.01});
        store.addRecord(record);
        QCOMPARE(store.find("/runs/b")->plateaus.size(), std::size_t(2));
        QCOMPARE(store.find("/runs/b")->generation, 0);
        QCOMPARE(changed.count(), 1);
        // With fewer it has begun anew.
        record.plateaus.clear();
        store.addRecord(record);
        QVERIFY(store.find("/runs/b")->plateaus.empty());
        QCOMPARE(store.find("/runs/b")->generation, 1);
    }

    void whatWasChangedOnTheWayTellsRunsOfOneNameApart() {
        RunSet store;
        store.setCatalogue(testCatalogue());
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onChange({1, 640, "mask.name", "none"});
        store.onChange({1, 700, "training.learning_rate", "1e-3"});
        QCOMPARE(store.label("/runs/a"), QString("batch run"));
        // Beside another run, where they differ.
        RunRecord record = madeUpRecord("/runs/b", "batch");
        record.changes = {{"training.learning_rate", "0.001", 700}};
        store.addRecord(record);
        store.setVisible("/runs/b", true);
        QCOMPARE(store.label("/runs/a"), QString("batch run, batch → none mask"));
        QCOMPARE(store.label("/runs/b"), QString("batch run, batch mask"));
        store.setVisible("/runs/b", false);
        QCOMPARE(store.label("/runs/a"), QString("batch run"));
        // A fork has what was changed before it.
        record = madeUpRecord("/runs/c", "none");
        record.experiment.name = "batch run";
        record.parent = "/runs/a";
        record.forked_at = 1000;
        record.changes = {{"mask.name", "seen", 640}, {"mask.name", "batch", 1000}};
        store.addRecord(record);
        store.setVisible("/runs/c", true);
        QCOMPARE(store.label("/runs/c"), QString("batch run, none → batch mask, learning rate 0.005"));
        QCOMPARE(store.label("/runs/a"), QString("batch run, batch → none mask, learning rate 0.005 → 0.001"));
    }

    void aChangedRunThatIsGoneOnWithKeepsTheNameOfItsBeginning() {
        RunSet store;
        store.setCatalogue(testCatalogue());
        RunRecord record = madeUpRecord("/runs/a", "batch");
        record.state = RecordedState::Stopped;
        record.changes = {{"mask.name", "none", 640}};
        RunStarted started = madeUpStart(1, "/runs/a", "none");
        started.past = std::make_shared<const RunRecord>(record);
        store.onStarted(started);
        QCOMPARE(store.label("/runs/a"), QString("batch run"));
        store.addRecord(madeUpRecord("/runs/b", "batch"));
        store.setVisible("/runs/b", true);
        QCOMPARE(store.label("/runs/a"), QString("batch run, batch → none mask"));
    }

    void aForkKnowsItsParent() {
        RunSet store;
        RunRecord record = madeUpRecord("/runs/b", "none");
        record.parent = "/runs/a";
        record.forked_at = 2500;
        store.addRecord(record);
        QCOMPARE(store.find("/runs/b")->facts->parent, QString("/runs/a"));
        QCOMPARE(store.find("/runs/b")->facts->forked_at, std::int64_t(2500));
        store.addRecord(madeUpRecord("/runs/c", "none"));
        QVERIFY(store.find("/runs/c")->facts->parent.isEmpty());
        // The past of a fork that begins here says so.
        RunStarted started = madeUpStart(1, "/runs/d", "none");
        record.folder = "/runs/d";
        record.anytime.resize(25);
        started.past = std::make_shared<const RunRecord>(record);
        store.onStarted(started);
        QCOMPARE(store.selected()->facts->parent, QString("/runs/a"));
    }

    void theFormerRunStaysAsTheComparedOne() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "none"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        store.onEnded(madeUpEnd(1, RunEnd::Finished));
        store.onStarted(madeUpStart(2, "/runs/b", "batch"));
        QCOMPARE(store.selected()->id, QString("/runs/b"));
        QVERIFY(store.compared());
        QCOMPARE(store.compared()->id, QString("/runs/a"));
        store.select("/runs/a");
        QCOMPARE(store.compared()->id, QString("/runs/b"));
        QCOMPARE(store.visibleRuns().front()->id, QString("/runs/a"));
    }

    void hidingTheSelectedRunSelectsAnother() {
        RunSet store;
        store.addRecord(madeUpRecord("/runs/a", "none"));
        store.addRecord(madeUpRecord("/runs/b", "batch"));
        QVERIFY(!store.selected());
        store.setVisible("/runs/a", true);
        QCOMPARE(store.selected()->id, QString("/runs/a"));
        store.setVisible("/runs/b", true);
        QCOMPARE(store.selected()->id, QString("/runs/a"));
        store.setVisible("/runs/a", false);
        QCOMPARE(store.selected()->id, QString("/runs/b"));
        store.remove("/runs/b");
        QVERIFY(!store.selected());
    }

    void anAbortedRunDisappears_data() {
        QTest::addColumn<RunEnd>("how");
        QTest::addColumn<int>("points");
        QTest::addColumn<bool>("stays");
        QTest::newRow("aborted") << RunEnd::Aborted << 3 << false;
        QTest::newRow("failed before the first point") << RunEnd::Failed << 0 << false;
        QTest::newRow("failed later") << RunEnd::Failed << 2 << true;
        QTest::newRow("stopped") << RunEnd::Stopped << 1 << true;
    }
    void anAbortedRunDisappears() {
        QFETCH(RunEnd, how);
        QFETCH(int, points);
        QFETCH(bool, stays);
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        for (int i = 1; i <= points; ++i) store.onEvaluated(madeUpEvaluation(1, 100 * i, 0.4));
        store.onEnded(madeUpEnd(1, how));
        QCOMPARE(store.find("/runs/a") != nullptr, stays);
        if (stays) QVERIFY(!store.find("/runs/a")->live);
    }

    void aRecordNeverReplacesTheNewsOfALiveRun() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        store.addRecord(madeUpRecord("/runs/a", "batch"));
        QCOMPARE(store.find("/runs/a")->points.anytime().size(), std::size_t(1));
    }

    void aRecordReadAgainBeginsANewGeneration() {
        RunSet store;
        store.addRecord(madeUpRecord("/runs/a", "batch"));
        const int generation = store.find("/runs/a")->generation;
        store.setVisible("/runs/a", true);
        store.addRecord(madeUpRecord("/runs/a", "batch"));
        QVERIFY(store.find("/runs/a")->generation > generation);
        QVERIFY(store.find("/runs/a")->display.selected);
    }

    void theAreaIsWholeOnceNoEvaluationIsDue() {
        std::vector<AnytimePoint> points;
        QVERIFY(!areaIsWhole(points, 100, 1000));
        points.emplace_back().samples_seen = 992;
        QVERIFY(!areaIsWhole(points, 2000, 1000));
        points.emplace_back().samples_seen = 1984;
        QVERIFY(areaIsWhole(points, 2000, 1000));
    }

    void aSessionThatEndsLateDoesNotMakeAnAreaWhole() {
        RunSet store;
        RunRecord record = madeUpRecord("/runs/a", "batch");
        record.state = RecordedState::Stopped;
        record.experiment.evaluation.every_samples = 2000;
        std::erase_if(record.anytime, [](const AnytimePoint& point) { return point.samples_seen > 3900; });
        store.addRecord(record);
        const ShownRun* run = store.find("/runs/a");
        QVERIFY(run->points.samplesSeen() > 4000);
        QVERIFY(!run->areaIsFinal());
    }

    void toARunThatAnotherProgramWritesOnlyTheNewIsAppended() {
        RunSet store;
        const RunRecord whole = madeUpRecord("/runs/a", "batch");
        RunRecord part = whole;
        part.state = RecordedState::Running;
        part.anytime.resize(30);
        part.retention.resize(3);  // of the first two sessions
        store.addRecord(part);
        store.setVisible("/runs/a", true);
        const ShownRun* run = store.find("/runs/a");
        QVERIFY(run->inProgress());
        QVERIFY(!run->areaIsFinal());
        const int generation = run->generation;

        QSignalSpy changed(&store, &RunSet::changed), runs(&store, &RunSet::runsChanged);
        store.addRecord(part);
        QCOMPARE(changed.count(), 0);
        part.anytime = whole.anytime;
        store.addRecord(part);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][1].value<CurveKind>(), CurveKind::Anytime);
        part.retention = whole.retention;
        store.addRecord(part);
        QCOMPARE(changed.count(), 3);
        QCOMPARE(run->points.anytime().size(), whole.anytime.size());
        QCOMPARE(run->points.sessionEnds().size(), std::size_t(kSessions));
        QCOMPARE(run->points.retentionOf(0).size(), std::size_t(kSessions));
        QCOMPARE(runs.count(), 0);
        part.state = RecordedState::Crashed;
        store.addRecord(part);
        QCOMPARE(runs.count(), 1);
        QVERIFY(!run->inProgress());
        QCOMPARE(run->generation, generation);
    }

    void aRunWrittenAnewBeginsAnew() {
        RunSet store;
        RunRecord record = madeUpRecord("/runs/a", "batch");
        record.state = RecordedState::Running;
        store.addRecord(record);
        const int generation = store.find("/runs/a")->generation;
        record.anytime.resize(2);
        store.addRecord(record);
        QCOMPARE(store.find("/runs/a")->points.anytime().size(), std::size_t(2));
        QVERIFY(store.find("/runs/a")->generation > generation);
    }

    void aSessionWhoseRowsAreNotAllWrittenHasNotEndedYet() {
        RunSet store;
        RunRecord record = madeUpRecord("/runs/a", "batch");
        record.state = RecordedState::Running;
        record.retention.resize(2);  // all of session 1, half of session 2
        store.addRecord(record);
        QCOMPARE(store.find("/runs/a")->points.sessionEnds().size(), std::size_t(1));
    }

    void endsOfSessionsAreAddedUpFromARecord() {
        RunSet store;
        store.addRecord(madeUpRecord("/runs/a", "batch"));
        const auto& ends = store.find("/runs/a")->points.sessionEnds();
        QCOMPARE(ends.size(), std::size_t(kSessions));
        QCOMPARE(ends[0].samples_seen, std::int64_t(1200));
        QCOMPARE(ends[0].accuracy, 0.9);
        QCOMPARE(ends[1].accuracy, (0.8 + 0.8) / 2);
        QCOMPARE(ends[4].samples_seen, kImages);

        RunRecord disjoint = madeUpRecord("/runs/b", "batch");
        disjoint.experiment.evaluation.session_data = "disjoint";
        store.addRecord(disjoint);
        QVERIFY(store.find("/runs/b")->points.sessionEnds().empty());
    }

    void sessionsWithoutTestDataLeaveNoRetention() {
        RunSet store;
        RunRecord record = madeUpRecord("/runs/a", "batch");
        for (RetentionPoint& point : record.retention)
            if (point.session == 1) point.samples = 0;
        store.addRecord(record);
        QCOMPARE(store.find("/runs/a")->points.retentionOf(0).size(), std::size_t(5));
        QVERIFY(store.find("/runs/a")->points.retentionOf(1).empty());
    }

    void startedRunsGiveWayWhenTheyAreMany() {
        RunSet store;
        for (int i = 0; i < 9; ++i) store.onStarted(startApart(i));
        QCOMPARE(store.visibleRuns().size(), std::size_t(6));
        QVERIFY(!store.find("/runs/0")->display.visible);
        QVERIFY(store.find("/runs/8")->display.selected);
    }

    void runsOfOtherStreamsLeaveForANewOneUnlessTheyAreTicked() {
        RunSet store;
        RunRecord longer = madeUpRecord("/runs/longer", "none"), other = madeUpRecord("/runs/other", "none");
        longer.total_samples = 2 * kImages;
        other.experiment.stream.dataset = "cifar-100";
        RunRecord ticked = other;
        ticked.folder = "/runs/ticked";
        ticked.experiment.memory.size = 5;
        for (const RunRecord& record : {longer, other, ticked, madeUpRecord("/runs/same", "seen")})
            store.addRecord(record);
        store.showAgain("/runs/longer");
        store.setVisible("/runs/ticked", true);
        store.showForNow("/runs/same");
        store.select("/runs/other");
        QSignalSpy left(&store, &RunSet::streamLeft);
        store.onStarted(madeUpStart(1, "/runs/new", "batch"));
        QCOMPARE(left.count(), 1);
        QCOMPARE(left.at(0).at(0).toStringList(), (QStringList{"/runs/longer", "/runs/other"}));
        QVERIFY(!store.find("/runs/longer")->display.visible && !store.find("/runs/other")->display.visible);
        QVERIFY(store.find("/runs/ticked")->display.visible && store.find("/runs/same")->display.visible);
        QCOMPARE(store.selected()->id, QString("/runs/new"));
        // Brought back, they are ticked, and a replay sends nobody away.
        store.setVisible("/runs/longer", true);
        store.onEnded(madeUpEnd(1, RunEnd::Finished));
        store.onStarted(madeUpStart(2, "/runs/next", "batch", 2));
        QCOMPARE(left.count(), 1);
        QVERIFY(store.find("/runs/longer")->display.visible);
        store.showForNow("/runs/other");
        RunStarted replay = madeUpStart(3, "/runs/same", "seen");
        replay.replayed = std::make_shared<const RunRecord>(madeUpRecord("/runs/same", "seen"));
        store.onStarted(replay);
        QCOMPARE(left.count(), 1);
    }

    void importedResultsLeaveForAStreamOfAnotherLength() {
        RunSet store;
        const auto add = [&](const char* folder, std::int64_t images) {
            RunRecord record = madeUpRecord(folder, "none");
            record.state = RecordedState::Imported;
            record.total_samples = images;
            store.addRecord(record);
            store.showAgain(folder);
        };
        add("/runs/longer", 5 * kImages);
        add("/runs/nearly", kImages - kImages / 20);
        add("/runs/unknown", 0);
        add("/runs/ticked", 5 * kImages);
        store.setVisible("/runs/ticked", true);
        QSignalSpy left(&store, &RunSet::streamLeft);
        store.onStarted(madeUpStart(1, "/runs/new", "batch"));
        QCOMPARE(left.count(), 1);
        QCOMPARE(left.at(0).at(0).toStringList(), QStringList{"/runs/longer"});
        for (const char* id : {"/runs/nearly", "/runs/unknown", "/runs/ticked"})
            QVERIFY2(store.find(id)->display.visible, id);
    }

    void aFreshBeginningLeavesTheFiguresToWhatIsTicked() {
        RunSet store;
        for (const char* name : {"ticked", "kept", "gone"})
            store.addRecord(madeUpRecord(std::string("/runs/") + name, "none"));
        store.setVisible("/runs/ticked", true);
        store.showForNow("/runs/kept");
        store.showForNow("/runs/gone");
        QCOMPARE(store.leaveFigures({"/runs/kept"}), QStringList{"/runs/gone"});
        QCOMPARE(store.visibleRuns().size(), std::size_t{2});
        QVERIFY2(store.selected(), "one of those that stay is selected");
        QVERIFY(store.leaveFigures({"/runs/kept"}).isEmpty());
    }

    void aRunAPersonChoseStaysHoweverManyAreStarted_data() {
        QTest::addColumn<bool>("selected");
        QTest::newRow("ticked") << false;
        QTest::newRow("in full colour") << true;
    }
    void aRunAPersonChoseStaysHoweverManyAreStarted() {
        QFETCH(bool, selected);
        RunSet store;
        store.addRecord(madeUpRecord("/runs/reference", "none"));
        selected ? store.select("/runs/reference") : store.setVisible("/runs/reference", true);
        for (int i = 0; i < 9; ++i) store.onStarted(startApart(i));
        QVERIFY(store.find("/runs/reference")->display.visible);
        QCOMPARE(store.visibleRuns().size(), std::size_t(6));
        QVERIFY(!store.find("/runs/3")->display.visible);
        QVERIFY(store.find("/runs/4")->display.visible);

        store.addRecord(madeUpRecord("/runs/reference", "none"));
        store.onStarted(startApart(9));
        QVERIFY(store.find("/runs/reference")->display.visible);
    }

    void runsAPersonChoseMayBeMoreThanStartedOnes() {
        RunSet store;
        for (int i = 0; i < 8; ++i) {
            const std::string folder = "/runs/" + std::to_string(i);
            store.addRecord(recordApart(i));
            store.setVisible(QString::fromStdString(folder), true);
        }
        store.onStarted(madeUpStart(1, "/runs/x", "batch"));
        store.onStarted(madeUpStart(2, "/runs/y", "seen"));
        QCOMPARE(store.visibleRuns().size(), std::size_t(9));
        QVERIFY(!store.find("/runs/x")->display.visible);
        QVERIFY(store.find("/runs/y")->display.selected);
    }

    void runsLookedAtGiveWayWhenTheyAreManyButNotTheOneThatGoesOn() {
        RunSet store;
        store.onStarted(madeUpStart(1, "/runs/live", "batch"));
        for (int i = 0; i < 9; ++i) {
            const std::string folder = "/runs/" + std::to_string(i);
            store.addRecord(recordApart(i));
            if (i == 1) store.setVisible("/runs/1", true);
            store.showForNow(QString::fromStdString(folder));
        }
        QCOMPARE(store.visibleRuns().size(), std::size_t(6));
        QCOMPARE(store.selected()->id, QString("/runs/8"));
        QVERIFY(store.find("/runs/live")->display.visible);
        QVERIFY(store.find("/runs/1")->display.visible);
        QVERIFY(!store.find("/runs/0")->display.visible);
    }

    void seedsOfOneGroupStayTogether() {
        RunSet store;
        for (int seed = 1; seed <= 9; ++seed)
            store.onStarted(madeUpStart(seed, "/runs/a" + std::to_string(seed), "none", seed));
        QCOMPARE(store.visibleRuns().size(), std::size_t{9});
        // Five more groups leave them, a sixth one takes their place at once.
        for (int i = 0; i < 5; ++i) store.onStarted(startApart(i));
        QCOMPARE(store.visibleRuns().size(), std::size_t{14});
        store.onStarted(startApart(5));
        QCOMPARE(store.visibleRuns().size(), std::size_t{6});
        QVERIFY(!store.find("/runs/a9")->display.visible);
        // The newest of very many seeds stay.
        RunSet many;
        for (int seed = 1; seed <= 25; ++seed)
            many.onStarted(madeUpStart(seed, "/runs/b" + std::to_string(seed), "none", seed));
        QCOMPARE(many.visibleRuns().size(), std::size_t{20});
        QVERIFY(!many.find("/runs/b5")->display.visible && many.find("/runs/b6")->display.visible);
    }

    void seedsShareAHueAndGroupsHaveTheirOwn() {
        RunSet store;
        const auto hue = [&](const QString& id) { return store.find(id)->display.hue; };
        const auto show = [&](const RunRecord& record) {
            store.addRecord(record);
            store.setVisible(RunSet::idOf(record.folder.string(), 0), true);
        };
        for (int seed = 1; seed <= 3; ++seed) {
            show(madeUpRecord("/runs/none" + std::to_string(seed), "none", 0.5, seed));
            show(madeUpRecord("/runs/seen" + std::to_string(seed), "seen", 0.5, seed));
        }
        for (int seed = 2; seed <= 3; ++seed) {
            QCOMPARE(hue(QString("/runs/none%1").arg(seed)), hue("/runs/none1"));
            QCOMPARE(hue(QString("/runs/seen%1").arg(seed)), hue("/runs/seen1"));
        }
        // As many groups as there are hues have different ones, and none changes when others come and go.
        for (int i = 0; i < kRunHues - 2; ++i) show(recordApart(i));
        QSet<int> hues{hue("/runs/none1"), hue("/runs/seen1")};
        for (int i = 0; i < kRunHues - 2; ++i) hues.insert(hue(QString("/runs/%1").arg(i)));
        QCOMPARE(hues.size(), qsizetype{kRunHues});
        const int none = hue("/runs/none1"), last = hue("/runs/0");
        store.setVisible("/runs/1", false);
        store.setVisible("/runs/none1", false);
        show(recordApart(9));
        QCOMPARE(hue("/runs/none2"), none);
        QCOMPARE(hue("/runs/0"), last);
        store.setVisible("/runs/none1", true);
        QCOMPARE(hue("/runs/none1"), none);
    }

    void seedsThatAreDrawnOneByOneHaveAHueEach() {
        RunSet store;
        QSet<int> hues;
        for (int seed = 1; seed <= 3; ++seed) {
            const RunRecord record = madeUpRecord("/runs/none" + std::to_string(seed), "none", 0.5, seed);
            store.addRecord(record);
            store.setVisible(RunSet::idOf(record.folder.string(), 0), true);
        }
        const auto count = [&] {
            hues.clear();
            for (const ShownRun* run : store.visibleRuns()) hues.insert(run->display.hue);
            return hues.size();
        };
        QCOMPARE(count(), qsizetype{1});
        QSignalSpy changed(&store, &RunSet::runsChanged);
        store.setSeedsAlike(false);
        QCOMPARE(count(), qsizetype{3});
        QCOMPARE(changed.size(), 1);
        store.setSeedsAlike(true);
        QCOMPARE(count(), qsizetype{1});
    }

    void aRunKeepsItsHueWhenItIsChangedOnItsWay() {
        RunSet store;
        store.addRecord(madeUpRecord("/runs/a", "none"));
        store.setVisible("/runs/a", true);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        store.select("/runs/a");
        const int hue = store.find("/runs/b")->display.hue;
        store.onChange({1, 640, "mask.name", "session"});
        QCOMPARE(store.find("/runs/b")->display.hue, hue);
    }

    void aKeptHueIsTakenWhateverTheOthersHave() {
        RunSet store;
        const auto hue = [&](const QString& id) { return store.find(id)->display.hue; };
        // Those that come first would have taken it, and two may share one.
        store.keepHues({{"/runs/0", 1}, {"/runs/1", 1}, {"/runs/2", 4}, {"/runs/3", kRunHues}});
        for (int i = 0; i < 4; ++i) {
            store.addRecord(recordApart(i));
            store.setVisible(QString("/runs/%1").arg(i), true);
        }
        QCOMPARE(hue("/runs/0"), 1);
        QCOMPARE(hue("/runs/1"), 1);
        QCOMPARE(hue("/runs/2"), 4);
        QVERIFY(hue("/runs/3") >= 0 && hue("/runs/3") < kRunHues);
        QVERIFY(hue("/runs/3") != 1 && hue("/runs/3") != 4);
        // Later it is a wish like any other.
        store.setVisible("/runs/1", false);
        store.setVisible("/runs/1", true);
        QVERIFY(hue("/runs/1") != 1);
    }

    void aNewRunLeavesTheHuesOfThoseThatAreStillToComeBack() {
        QHash<QString, int> hues;
        for (int i = 0; i < kRunHues - 1; ++i) hues.insert(QString("/runs/%1").arg(i), i);
        RunSet store;
        store.keepHues(hues);
        store.addRecord(recordApart(kRunHues));
        const QString fresh = QString("/runs/%1").arg(kRunHues);
        store.setVisible(fresh, true);
        QCOMPARE(store.find(fresh)->display.hue, kRunHues - 1);
    }

    void onlyTheRunThatGoesOnCanBePaused() {
        RunSet store;
        store.addRecord(madeUpRecord("/runs/a", "none"));
        store.setPaused(true);
        QVERIFY(!store.find("/runs/a")->paused);
        store.onStarted(madeUpStart(1, "/runs/b", "batch"));
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        QSignalSpy runs(&store, &RunSet::runsChanged);
        store.setPaused(true);
        store.setPaused(true);
        QCOMPARE(runs.count(), 1);
        QVERIFY(store.find("/runs/b")->paused);
        store.onEnded(madeUpEnd(1, RunEnd::Stopped));
        QVERIFY(!store.find("/runs/b")->paused);
    }

    void aRunReachesTheWholeStreamOnceNothingMoreIsDue() {
        RunSet store;
        RunStarted start = madeUpStart(1, "/runs/a", "batch");
        start.total_samples = 250;
        store.onStarted(start);
        store.onEvaluated(madeUpEvaluation(1, 100, 0.4));
        QCOMPARE(store.selected()->reach(), std::int64_t(100));
        store.onEvaluated(madeUpEvaluation(1, 200, 0.4));
        QCOMPARE(store.selected()->reach(), std::int64_t(200));
        store.onEnded(madeUpEnd(1, RunEnd::Finished));
        QCOMPARE(store.selected()->reach(), std::int64_t(250));
    }

    void whatIsPlayedBackGrowsAnewAndEndsAsItWasRecorded_data() {
        QTest::addColumn<RunEnd>("how");
        QTest::newRow("to its end") << RunEnd::Finished;
        QTest::newRow("ended early") << RunEnd::Stopped;
        QTest::newRow("a failure") << RunEnd::Failed;
    }
    void whatIsPlayedBackGrowsAnewAndEndsAsItWasRecorded() {
        QFETCH(RunEnd, how);
        RunSet store;
        const auto record = std::make_shared<const RunRecord>(madeUpRecord("/runs/a", "batch"));
        store.addRecord(*record);
        store.setColour("/runs/a", Qt::red);
        const int generation = store.find("/runs/a")->generation;
        RunStarted started = madeUpStart(7, "/runs/a", "batch");
        started.plan = nullptr;
        started.replayed = record;
        store.onStarted(started);
        const ShownRun* run = store.find("/runs/a");
        QVERIFY(run->live && !run->learns() && run->display.selected);
        QVERIFY(run->points.anytime().empty());
        QVERIFY(run->generation > generation);
        QCOMPARE(run->facts->session_starts, record->session_starts);
        store.onEvaluated(madeUpEvaluation(7, 100, 0.5));
        store.onSessionEnded(madeUpSessionEnd(7, 0));
        // A look at the folder meanwhile changes nothing.
        store.addRecord(*record);
        QCOMPARE(store.find("/runs/a")->points.anytime().size(), std::size_t{1});

        store.onEnded(madeUpEnd(7, how));
        run = store.find("/runs/a");
        QVERIFY(run && !run->live && !run->replayed && run->finished);
        QCOMPARE(run->points.anytime().size(), record->anytime.size());
        QCOMPARE(run->points.sessionEnds().size(), std::size_t(kSessions));
        QCOMPARE(run->points.retentionOf(0).size(), std::size_t(kSessions));
        QCOMPARE(run->display.colour, QColor(Qt::red));
        QVERIFY(run->display.selected);
    }

    void aRunThatIsDeletedWhileItIsPlayedBackStaysAway() {
        RunSet store;
        RunStarted started = madeUpStart(7, "/runs/a", "batch");
        started.plan = nullptr;
        started.replayed = std::make_shared<const RunRecord>(madeUpRecord("/runs/a", "batch"));
        store.onStarted(started);
        store.remove("/runs/a");
        store.onEnded(madeUpEnd(7, RunEnd::Stopped));
        QVERIFY(!store.find("/runs/a"));
    }

    void labelsOfOneNameSayWhatDiffers_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QStringList>("labels");
        QTest::newRow("mask") << "mask.name"
                              << "none" << QStringList{"batch run, batch mask", "batch run, no mask"};
        QTest::newRow("method") << "method.name"
                                << "fine-tuning" << QStringList{"batch run, DualPrompt", "batch run, Fine-tuning"};
        QTest::newRow("data") << "stream.dataset"
                              << "shapes" << QStringList{"batch run, Fashion-MNIST", "batch run, Shapes"};
        QTest::newRow("disjoint") << "stream.disjoint_percent"
                                  << "0" << QStringList{"batch run, 50 % disjoint", "batch run, 0 % disjoint"};
        QTest::newRow("sessions") << "stream.sessions"
                                  << "1" << QStringList{"batch run, 5 sessions", "batch run, 1 session"};
        QTest::newRow("images") << "stream.train_limit"
                                << "6000" << QStringList{"batch run, all images", "batch run, 6,000 images"};
        QTest::newRow("updates") << "training.updates_per_batch"
                                 << "1"
                                 << QStringList{"batch run, 3 updates per batch", "batch run, 1 update per batch"};
        QTest::newRow("batch") << "training.batch_size"
                               << "16" << QStringList{"batch run, batches of 32", "batch run, batches of 16"};
        QTest::newRow("seed") << "seed"
                              << "7" << QStringList{"batch run, seed 1", "batch run, seed 7"};
        QTest::newRow("nothing") << "seed"
                                 << "1" << QStringList{"batch run (1)", "batch run (2)"};
    }
    void labelsOfOneNameSayWhatDiffers() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QStringList, labels);
        const OptionTable table(testCatalogue());
        Experiment first = madeUpExperiment("batch"), second = first;
        table.setText(first, "stream.disjoint_percent", "50");
        table.setText(second, "stream.disjoint_percent", "50");
        table.setText(second, key.toStdString(), value.toStdString());
        QCOMPARE(runLabels(table, {&first, &second}), labels);
    }

    void theOlderOfTwoThatDifferInNothingIsTheFirst() {
        RunSet store;
        store.setCatalogue(testCatalogue());
        for (const char* folder : {"/runs/batch-1-20261129-033502", "/runs/batch-1-20261129-033330"}) {
            store.addRecord(madeUpRecord(folder, "batch"));
            store.setVisible(folder, true);
        }
        QCOMPARE(store.label("/runs/batch-1-20261129-033330"), QString("batch run (1)"));
        QCOMPARE(store.label("/runs/batch-1-20261129-033502"), QString("batch run (2)"));
    }

    void aRunGoesByItsName() {
        RunSet store;
        store.setCatalogue(testCatalogue());
        store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        RunRecord record = madeUpRecord("/runs/b", "none");
        record.experiment.name = "memory 40";
        store.addRecord(record);
        QCOMPARE(store.label("/runs/b"), QString("memory 40"));
        store.setVisible("/runs/b", true);
        QCOMPARE(store.label("/runs/a"), QString("batch run"));
        QCOMPARE(store.label("/runs/b"), QString("memory 40"));
        // A name that several runs bear is followed by their differences.
        record.folder = "/runs/c";
        record.experiment.mask.name = "batch";
        store.addRecord(record);
        store.setVisible("/runs/c", true);
        QCOMPARE(store.label("/runs/b"), QString("memory 40, no mask"));
        QCOMPARE(store.label("/runs/c"), QString("memory 40, batch mask"));
        record.folder = "/runs/d";
        store.addRecord(record);
        store.setVisible("/runs/b", false);
        store.setVisible("/runs/d", true);
        QCOMPARE(store.label("/runs/c"), QString("memory 40 (1)"));
        QCOMPARE(store.label("/runs/d"), QString("memory 40 (2)"));
    }

    void whatANameSaysAlreadyIsNotSaidAgain() {
        const OptionTable table(testCatalogue());
        Experiment a = madeUpExperiment("batch"), b = madeUpExperiment("none");
        a.name = b.name = "DualPrompt, batch mask";
        QCOMPARE(runLabels(table, {&a, &b}),
                 (QStringList{"DualPrompt, batch mask", "DualPrompt, batch mask, no mask"}));
    }

    void withoutANameARunGoesByItsMethod() {
        const OptionTable table(testCatalogue());
        Experiment nameless = madeUpExperiment("batch"), other = madeUpExperiment("none");
        nameless.name.clear();
        other.name.clear();
        QCOMPARE(nameText(testCatalogue(), nameless), QString("DualPrompt"));
        QCOMPARE(runLabels(table, {&nameless}), QStringList{"DualPrompt"});
        QCOMPARE(runLabels(table, {&nameless, &other}), (QStringList{"DualPrompt, batch mask", "DualPrompt, no mask"}));
    }

    void importedRunsOfOneNameAreNumbered() {
        const OptionTable table(testCatalogue());
        Experiment a = madeUpExperiment("batch"), b = madeUpExperiment("none");
        a.name = b.name = "paper";
        std::vector<LabelledRun> runs{&a, &b};
        for (LabelledRun& run : runs) run.known = false;
        QCOMPARE(runLabels(table, runs), (QStringList{"paper (1)", "paper (2)"}));
    }

    void theBaselineIsToldOnce() {
        RunSet store;
        QSignalSpy changed(&store, &RunSet::runsChanged);
        store.setBaseline({"/runs/a"});
        store.setBaseline({"/runs/a"});
        QCOMPARE(changed.count(), 1);
        QCOMPARE(store.baseline(), QStringList{"/runs/a"});
    }

    void anotherSeedIsNamedOnlyWhereNothingElseDiffers() {
        const OptionTable table(testCatalogue());
        Experiment a = madeUpExperiment("batch", 1), b = madeUpExperiment("none", 2), c = madeUpExperiment("none", 3);
        a.name = b.name = c.name = "own";
        QCOMPARE(runLabels(table, {&a, &b}), (QStringList{"own, batch mask", "own, no mask"}));
        QCOMPARE(runLabels(table, {&a, &b, &c}),
                 (QStringList{"own, batch mask, seed 1", "own, no mask, seed 2", "own, no mask, seed 3"}));
    }

    void whatChangesNothingInARunIsNotToldOfIt() {
        const OptionTable table(testCatalogue());
        Experiment er = madeUpExperiment("seen");
        er.method.name = "er";
        er.initial_session.prompts = "fam";
        Experiment ace = madeUpExperiment("none");
        ace.method.name = "er-ace";
        er.name = ace.name = "own";
        QCOMPARE(runLabels(table, {&er, &ace}), (QStringList{"own, ER", "own, ER-ACE"}));
        Experiment other = ace;
        other.mask.name = "seen";
        QCOMPARE(runLabels(table, {&ace, &other}), (QStringList{"own (1)", "own (2)"}));
    }
};

PALIMPSEST_GUILESS_TEST(TestRunSet)

}  // namespace tst_run_set

#include "tst_run_set.moc"
