// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <memory>

#include "engine/library/run_notes.h"
#include "engine/record/checkpoints.h"
#include "engine/record/run_history.h"
#include "engine/support/file_io.h"
#include "engine/sweep/queue_file.h"
#include "tests/support/foreign_run.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/runs/interrupted_runs.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_queue.h"
#include "ui/state/run_set.h"
#include "ui/widgets/message_bar.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_interrupted_runs {

namespace fs = std::filesystem;

class TestInterruptedRuns : public QObject {
    Q_OBJECT
    const OptionTable table_{testCatalogue()};

    static void leaveCheckpoint(const fs::path& run) {
        fs::create_directories(checkpointsFolder(run));
        std::ofstream(checkpointDescription(run, 1200)) << "{}";
    }

    /// A queue of one job, for this run; returns its folder.
    static fs::path writeQueue(const QTemporaryDir& folder, const fs::path& run, QueueState state) {
        const fs::path place = fs::path(folder.path().toStdString()) / kQueueFolder;
        QueueFile file;
        QueueJob job;
        job.id = 1;
        job.name = "Mine";
        job.experiment = std::make_shared<const std::string>("");
        job.folder = run;
        job.state = state;
        file.jobs = {job};
        file.next = 2;
        fs::create_directories(place);
        replaceTextFile(place / "queue.json", formatQueue(file));
        return place;
    }

    static void scan(RunLibrary& library) {
        QSignalSpy scanned(&library, &RunLibrary::scanned);
        library.refresh();
        QVERIFY(scanned.wait());
    }

private Q_SLOTS:
    void theNewestInterruptedRunIsOfferedOnce() {
        QTemporaryDir folder;
        ForeignRun foreign(table_, folder.path());
        foreign.kill();
        const fs::path run = foreign.folder();
        leaveCheckpoint(run);
        RunLibrary library(&table_, folder.path().toStdString());
        ScriptedRun scripted;
        MessageBar messages;
        fs::path asked;
        const auto resume = [&](std::int64_t number, const fs::path& place, RunControl&, RunObserver& observer) {
            asked = place;
            RunStarted started = madeUpStart(number, place.string(), "batch");
            started.resumed_at = 1200;
            started.past = std::make_shared<const RunRecord>(madeUpRecord(place.string(), "batch"));
            observer.onStarted(started);
            RunEnded ended;
            ended.run = number;
            ended.folder = place.string();
            observer.onEnded(ended);
        };
        RunController controller(&table_, scripted.function(), resume);
        RunSet store;
        store.setCatalogue(testCatalogue());
        connect(controller.bridge(), &RunBridge::started, &store, &RunSet::onStarted);
        const InterruptedRuns interrupted(&library, &controller, &messages);
        scan(library);
        QTRY_COMPARE(messages.count(), 1);
        QVERIFY2(messages.text().contains("was interrupted after"), qPrintable(messages.text()));
        QSignalSpy ended(controller.bridge(), &RunBridge::ended);
        messages.findChild<QPushButton*>("messageAction")->click();
        QVERIFY(ended.count() > 0 || ended.wait());
        QCOMPARE(QString::fromStdString(asked.string()), RunSet::idOf(run.string(), 0));
        // Its past is in the plots.
        const ShownRun* curves = store.find(RunSet::idOf(run.string(), 0));
        QVERIFY(curves);
        QCOMPARE(curves->points.anytime().size(), madeUpRecord(run.string(), "batch").anytime.size());
        scan(library);
        QCOMPARE(messages.count(), 0);
    }

    void whatWasDeclinedIsNotOfferedAgainAndStaysInTheList() {
        QTemporaryDir folder;
        ForeignRun foreign(table_, folder.path());
        foreign.kill();
        leaveCheckpoint(foreign.folder());
        ScriptedRun scripted;
        RunController controller(&table_, scripted.function());
        RunLibrary library(&table_, folder.path().toStdString());
        MessageBar messages;
        const InterruptedRuns interrupted(&library, &controller, &messages);
        scan(library);
        QTRY_COMPARE(messages.count(), 1);
        auto* decline = messages.findChild<QPushButton*>("messageOther");
        QCOMPARE(decline->text(), QString("Do not ask again"));
        decline->click();
        QCOMPARE(messages.count(), 0);
        QTRY_VERIFY(readNotes(foreign.folder()).left_alone);
        // The next start.
        const InterruptedRuns next(&library, &controller, &messages);
        QSignalSpy looked(&next, &InterruptedRuns::found);
        scan(library);
        QTRY_COMPARE(looked.count(), 1);
        QCOMPARE(looked[0][0].toInt(), 0);
        QCOMPARE(messages.count(), 0);
        QCOMPARE(library.rows().size(), std::size_t{1});
        QVERIFY(!library.rows().front()->notes.hidden);
    }

    void anOfferGoesWithItsRun() {
        QTemporaryDir folder;
        ForeignRun foreign(table_, folder.path());
        foreign.kill();
        leaveCheckpoint(foreign.folder());
        ScriptedRun scripted;
        RunController controller(&table_, scripted.function());
        RunLibrary library(&table_, folder.path().toStdString());
        MessageBar messages;
        const InterruptedRuns interrupted(&library, &controller, &messages);
        scan(library);
        QTRY_COMPARE(messages.count(), 1);
        library.remove({RunSet::idOf(fs::path(foreign.folder()).string(), 0)});
        QTRY_COMPARE(messages.count(), 0);
    }

    void aRunWithoutACheckpointIsNotOffered_data() {
        QTest::addColumn<bool>("kept");
        QTest::newRow("with a checkpoint") << true;
        QTest::newRow("without") << false;
    }
    void aRunWithoutACheckpointIsNotOffered() {
        QFETCH(bool, kept);
        QTemporaryDir folder;
        ForeignRun foreign(table_, folder.path());
        foreign.kill();
        if (kept) leaveCheckpoint(foreign.folder());
        RunLibrary library(&table_, folder.path().toStdString());
        ScriptedRun scripted;
        RunController controller(&table_, scripted.function());
        MessageBar messages;
        const InterruptedRuns interrupted(&library, &controller, &messages);
        QSignalSpy looked(&interrupted, &InterruptedRuns::found);
        scan(library);
        QTRY_COMPARE(looked.count(), 1);
        QCOMPARE(looked[0][0].toInt(), kept ? 1 : 0);
        QCOMPARE(messages.count(), kept ? 1 : 0);
    }

    void whatStandsInTheQueueIsNotOffered() {
        QTemporaryDir folder;
        ForeignRun foreign(table_, folder.path());
        foreign.kill();
        leaveCheckpoint(foreign.folder());
        const fs::path place = writeQueue(folder, foreign.folder(), QueueState::Waiting);
        RunLibrary library(&table_, folder.path().toStdString());
        ScriptedRun scripted;
        RunController controller(&table_, scripted.function());
        MessageBar messages;
        RunQueue queue(&table_, {place, folder.path().toStdString(), "/nowhere/palimpsest-cli"});
        InterruptedRuns interrupted(&library, &controller, &messages);
        interrupted.setQueue(&queue);
        scan(library);
        QTRY_COMPARE(messages.count(), 1);
        // The queue is read after the runs were.
        QSignalSpy looked(&interrupted, &InterruptedRuns::found);
        queue.recall();
        QTRY_COMPARE(looked.count(), 1);
        QCOMPARE(looked[0][0].toInt(), 0);
        QCOMPARE(messages.count(), 0);
    }

    void whatStandsInTheQueueOfAnotherWindowIsNotOffered() {
        QTemporaryDir folder;
        ForeignRun foreign(table_, folder.path());
        foreign.kill();
        leaveCheckpoint(foreign.folder());
        const fs::path place = writeQueue(folder, foreign.folder(), QueueState::Held);
        const RunQueue::Places places{place, folder.path().toStdString(), "/nowhere/palimpsest-cli"};
        auto first = std::make_unique<RunQueue>(&table_, places);
        RunQueue second(&table_, places);
        QSignalSpy opened(first.get(), &RunQueue::opened);
        first->recall();
        QTRY_COMPARE(opened.count(), 1);
        RunLibrary library(&table_, folder.path().toStdString());
        ScriptedRun scripted;
        RunController controller(&table_, scripted.function());
        MessageBar messages;
        InterruptedRuns interrupted(&library, &controller, &messages);
        interrupted.setQueue(&second);
        scan(library);
        QTRY_COMPARE(messages.count(), 1);
        QSignalSpy looked(&interrupted, &InterruptedRuns::found);
        second.recall();
        QTRY_COMPARE(looked.count(), 1);
        QVERIFY(second.elsewhere());
        QCOMPARE(looked[0][0].toInt(), 0);
        QCOMPARE(messages.count(), 0);
        // That window takes it back, and is closed.
        first->takeBack({1});
        first.reset();
        second.recall();
        QTRY_COMPARE(looked.count(), 2);
        QVERIFY(!second.elsewhere());
        QCOMPARE(looked[1][0].toInt(), 1);
        QCOMPARE(messages.count(), 1);
    }

    void runsThatEndedAsTheyShouldAreNotOffered() {
        QTemporaryDir folder;
        writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        RunLibrary library(&table_, folder.path().toStdString());
        ScriptedRun scripted;
        RunController controller(&table_, scripted.function());
        MessageBar messages;
        const InterruptedRuns interrupted(&library, &controller, &messages);
        scan(library);
        QCOMPARE(messages.count(), 0);
    }

    void whileAnotherRunGoesOnItIsSaid() {
        ScriptedRun scripted;
        bool asked = false;
        RunController controller(&table_, scripted.function(),
                                 [&](std::int64_t, const fs::path&, RunControl&, RunObserver&) { asked = true; });
        QSignalSpy noted(&controller, &RunController::noted);
        controller.primary();
        QVERIFY(controller.busy());
        controller.start(ResumeLaunch{"/some/run"});
        QCOMPARE(noted.count(), 1);
        QVERIFY(!asked);
        scripted.allowAll();
        QTRY_VERIFY(!controller.busy());
    }
};

PALIMPSEST_TEST(TestInterruptedRuns)

}  // namespace tst_interrupted_runs

#include "tst_interrupted_runs.moc"
