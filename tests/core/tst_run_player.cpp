// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QScopeGuard>
#include <QTemporaryDir>
#include <atomic>
#include <fstream>
#include <optional>
#include <thread>

#include "engine/record/run_player.h"
#include "tests/support/edited_json.h"
#include "tests/support/file_content.h"
#include "tests/support/measured_run.h"
#include "tests/support/same_history.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_player {

namespace fs = std::filesystem;

namespace {

constexpr double kAtOnce = 1e9, kNever = 1e-9;  // speeds

/// Collects its events, as the window does.
class Recorder : public RunObserver {
public:
    void onStarted(const RunStarted& event) override {
        started = event;
        history.add(event);
    }
    void onState(const StateChanged& event) override {
        states.push_back(event.state);
        pauses += event.state == RunState::Paused ? 1 : 0;
        begun = begun || event.state == RunState::Running;
    }
    void onProgress(const Progress& event) override { progress.push_back(event); }
    void onUpdate(const UpdateDone& event) override {
        note(event.samples_seen);
        history.add(event);
        ++updates;
    }
    void onPlateau(const PlateauFound& event) override {
        note(event.samples_seen);
        plateaus.push_back(event);
    }
    void onChange(const ChangeMade& event) override {
        note(event.samples_seen);
        changes.push_back(event);
    }
    void onMemory(const MemoryHeld& event) override {
        note(event.samples_seen);
        history.add(event, 10);
    }
    void onEvaluated(const Evaluated& event) override {
        note(event.samples_seen);
        history.add(event);
        (event.kind == EvaluationKind::Anytime ? anytime : session_ends).push_back(event);
    }
    void onSessionEnded(const SessionEnded& event) override {
        note(event.samples_seen);
        for (const SessionAccuracy& entry : event.accuracies)
            retention.push_back({event.session, entry.session, entry.accuracy, entry.samples});
    }
    void onEnded(const RunEnded& event) override { ends.push_back(event); }

    std::optional<RunStarted> started;
    std::vector<RunState> states;
    std::vector<Progress> progress;
    std::vector<Evaluated> anytime, session_ends;
    std::vector<RetentionPoint> retention;
    std::vector<ChangeMade> changes;
    std::vector<PlateauFound> plateaus;
    std::vector<RunEnded> ends;
    RunHistory history;
    bool in_order = true;
    std::atomic<std::int64_t> seen = 0;
    std::atomic<int> updates = 0, pauses = 0;
    std::atomic<bool> begun = false;

private:
    void note(std::int64_t seen) {
        in_order = in_order && seen >= last_ && started && ends.empty();
        last_ = seen;
        this->seen = seen;
    }
    std::int64_t last_ = 0;
};

}  // namespace

class TestRunPlayer : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};
    QTemporaryDir folder_;

    fs::path parent() const { return folder_.path().toStdString(); }

    void play(const fs::path& folder, Recorder& recorder, double speed = kAtOnce) const {
        const std::atomic<double> pace = speed;
        RunControl control;
        playRun(table_, folder, 7, pace, control, recorder);
    }

    /// Writes a run whose process has died.
    fs::path writeCrashedRun() const {
        const fs::path folder = writeMadeUpRun(table_, parent(), "batch", 3, false);
        fs::remove(folder / "summary.json");
        editJson(folder / "run.json", {{"state", "running"}, {"process", "another one"}, {"ended", QJsonValue::Null}});
        return folder;
    }

    /// Writes a result of another program: points and nothing else.
    fs::path writeImportedRun() const {
        const fs::path folder = writeMadeUpRun(table_, parent(), "batch", 4);
        for (const char* file : {"training.csv", "classes.csv", "commands.csv"}) fs::remove(folder / file);
        editJson(folder / "run.json", {{"state", "imported"}});
        return folder;
    }

    fs::path writeRun(const QString& kind) const {
        if (kind == "stopped") return writeStoppedRun(table_, parent());
        if (kind == "crashed") return writeCrashedRun();
        if (kind == "imported") return writeImportedRun();
        return measureRun(parent(), true).folder;
    }

private Q_SLOTS:
    void everyPointIsToldAgainInItsOrder_data() {
        QTest::addColumn<QString>("state");
        for (const char* state : {"finished", "stopped", "crashed", "imported"}) QTest::newRow(state) << state;
    }
    void everyPointIsToldAgainInItsOrder() {
        QFETCH(QString, state);
        const fs::path folder = writeRun(state);
        const RunRecord record = readRun(table_, folder);
        QCOMPARE(QString(toText(record.state)), state);
        Recorder played;
        play(folder, played);

        QVERIFY(played.in_order);
        QVERIFY(played.started && played.started->replayed);
        QCOMPARE(played.started->folder, folder.string());
        QCOMPARE(played.started->class_names, record.class_names);
        QCOMPARE(played.started->replayed->session_starts, record.session_starts);
        QCOMPARE(played.anytime.size(), record.anytime.size());
        for (std::size_t i = 0; i < played.anytime.size(); ++i) {
            const Evaluated& event = played.anytime[i];
            const AnytimePoint& point = record.anytime[i];
            QCOMPARE(event.run, std::int64_t{7});
            QCOMPARE(event.samples_seen, point.samples_seen);
            QCOMPARE(event.session, point.session);
            QCOMPARE(event.accuracy, point.accuracy);
            QCOMPARE(event.loss, point.loss);
            QCOMPARE(event.updates, point.updates);
            if (state != "imported") QCOMPARE(std::ssize(event.classes), point.classes_seen);
        }
        QCOMPARE(played.retention.size(), record.retention.size());
        for (std::size_t i = 0; i < played.retention.size(); ++i) {
            QCOMPARE(played.retention[i].after_session, record.retention[i].after_session);
            QCOMPARE(played.retention[i].session, record.retention[i].session);
            QCOMPARE(played.retention[i].accuracy, record.retention[i].accuracy);
            QCOMPARE(played.retention[i].samples, record.retention[i].samples);
        }
        QCOMPARE(played.ends.size(), std::size_t{1});
        QCOMPARE(played.ends[0].how, RunEnd::Finished);
        QCOMPARE(played.ends[0].folder, folder.string());
        QCOMPARE(played.ends[0].summary.a_auc, record.summary.a_auc);
        QCOMPARE(played.states.front(), RunState::Preparing);
        QCOMPARE(played.progress.back().samples_seen, record.anytime.back().samples_seen);
    }

    void plateausAreToldAgain() {
        const MeasuredRun run = measureRun(parent(), true);
        Recorder none;
        play(run.folder, none);
        QVERIFY(none.plateaus.empty());
        std::ofstream(run.folder / "plateaus.csv")
            << "samples_seen,update,mean,variance\n64,6,1.5,0.25\n96,9,0.5,0.125\n";
        Recorder played;
        play(run.folder, played);
        QVERIFY(played.in_order);
        QCOMPARE(played.plateaus.size(), std::size_t{2});
        QCOMPARE(played.plateaus[0].run, std::int64_t{7});
        QCOMPARE(played.plateaus[0].samples_seen, std::int64_t{64});
        QCOMPARE(played.plateaus[1].update, std::int64_t{9});
        QCOMPARE(played.plateaus[1].mean, 0.5);
        QCOMPARE(played.plateaus[1].variance, 0.125);
    }

    void whatWasMeasuredBesidesIsToldAgain() {
        const MeasuredRun run = measureRun(parent(), true);
        Recorder played;
        play(run.folder, played);
        requireSame(played.history, readHistory(run.folder, 10));
        QCOMPARE(played.updates.load(), 60);
        QVERIFY(played.history.newest);
        QCOMPARE(*played.history.newest, *predictionsAt(kImages));
        QCOMPARE(played.session_ends.size(), std::size_t(kSessions));
        QCOMPARE(played.session_ends[0].samples_seen, kSessionImages);
        QCOMPARE(played.session_ends[0].accuracy, 0.9);
    }

    void changesOfOptionsAreToldAgain() {
        const fs::path folder = measureRun(parent(), true).folder;
        {
            std::ofstream commands(folder / "commands.csv", std::ios::app);
            commands << "1000,pause,\n1000,change,mask.name=seen\n";
        }
        const std::vector<LiveChange> recorded = recordedChanges(folder);
        QCOMPARE(recorded.size(), std::size_t{1});
        Recorder played;
        play(folder, played);
        QVERIFY(played.in_order);
        QCOMPARE(played.changes.size(), std::size_t{1});
        QCOMPARE(played.changes[0].samples_seen, std::int64_t{1000});
        QCOMPARE(played.changes[0].key, std::string("mask.name"));
        QCOMPARE(played.changes[0].value, std::string("seen"));
    }

    void nothingIsWritten() {
        const fs::path folder = measureRun(parent(), true).folder;
        const auto before = test::contentsBelow(folder);
        QVERIFY(before.size() > 8);
        Recorder played;
        play(folder, played);
        QVERIFY(test::contentsBelow(folder) == before);
    }

    void itTakesAsLongAsTheRunTookLessTheSpeed() {
        const fs::path folder = measureRun(parent(), true).folder;
        editJson(folder / "summary.json", {{"seconds", 30}});
        Recorder played;
        play(folder, played, 1e6);
        QVERIFY(!played.progress.empty());
        // The pace is 6,000 images in 30 s.
        for (const Progress& progress : played.progress)
            QCOMPARE(progress.seconds_left, static_cast<double>(kImages - progress.samples_seen) / (200 * 1e6));
    }

    void theSpeedMayChangeMeanwhile() {
        const fs::path folder = measureRun(parent(), true).folder;
        std::atomic<double> speed = kNever;
        RunControl control;
        Recorder played;
        std::jthread thread([&] { playRun(table_, folder, 1, speed, control, played); });
        const auto guard = qScopeGuard([&] { control.stop(); });
        QTRY_VERIFY(played.begun);
        QCOMPARE(played.updates.load(), 0);
        speed = kAtOnce;
        thread.join();
        QCOMPARE(played.updates.load(), 60);
        QCOMPARE(played.ends.at(0).how, RunEnd::Finished);
    }

    void theFirstImagesMayBeThereAtOnce() {
        const fs::path folder = measureRun(parent(), true).folder;
        const std::atomic<double> speed = kNever;
        RunControl control;
        Recorder played;
        std::jthread thread(
            [&] { playRuns(table_, folder, 1, {}, speed, control, played, kSessionImages + kSessionImages / 2); });
        const auto guard = qScopeGuard([&] { control.stop(); });
        QTRY_COMPARE(played.updates.load(), 18);
        QTest::qWait(60);
        QCOMPARE(played.updates.load(), 18);
        QVERIFY(played.seen <= kSessionImages + kSessionImages / 2);
        control.stop();
        thread.join();
        QVERIFY(played.in_order);
        QCOMPARE(played.session_ends.size(), std::size_t{1});
        QCOMPARE(played.ends.at(0).how, RunEnd::Stopped);
    }

    void pauseHoldsItStepPlaysOneBatchAndResumeGoesOn() {
        const fs::path folder = measureRun(parent(), true).folder;
        const std::atomic<double> speed = kAtOnce;
        RunControl control;
        Recorder played;
        control.pause();
        std::jthread thread([&] { playRun(table_, folder, 1, speed, control, played); });
        const auto guard = qScopeGuard([&] { control.stop(); });
        QTRY_COMPARE(played.pauses.load(), 1);
        QCOMPARE(played.updates.load(), 0);
        for (int steps = 1; steps <= 3; ++steps) {
            control.step();
            QTRY_COMPARE(played.pauses.load(), steps + 1);
            QCOMPARE(played.updates.load(), steps);
        }
        control.resume();
        thread.join();
        QCOMPARE(played.updates.load(), 60);
        QCOMPARE(played.ends.at(0).how, RunEnd::Finished);
    }

    void aStepDoesNotWaitForItsTime() {
        const fs::path folder = measureRun(parent(), true).folder;
        const std::atomic<double> speed = kNever;
        RunControl control;
        Recorder played;
        control.pause();
        std::jthread thread([&] { playRun(table_, folder, 1, speed, control, played); });
        const auto guard = qScopeGuard([&] { control.stop(); });
        QTRY_COMPARE(played.pauses.load(), 1);
        control.step();
        QTRY_COMPARE(played.updates.load(), 1);
    }

    void stopAndAbortEndItWithoutASummary_data() {
        QTest::addColumn<bool>("paused");
        QTest::addColumn<bool>("abort");
        QTest::newRow("playing") << false << false;
        QTest::newRow("paused") << true << false;
        QTest::newRow("aborted") << false << true;
    }
    void stopAndAbortEndItWithoutASummary() {
        QFETCH(bool, paused);
        QFETCH(bool, abort);
        const fs::path folder = writeStoppedRun(table_, parent());
        const std::atomic<double> speed = kNever;
        RunControl control;
        Recorder played;
        if (paused) control.pause();
        std::jthread thread([&] { playRun(table_, folder, 1, speed, control, played); });
        const auto guard = qScopeGuard([&] { control.stop(); });
        QTRY_VERIFY(paused ? played.pauses == 1 : played.begun.load());
        abort ? control.abort() : control.stop();
        thread.join();
        QCOMPARE(played.ends.size(), std::size_t{1});
        QCOMPARE(played.ends[0].how, RunEnd::Stopped);
        QCOMPARE(played.ends[0].folder, folder.string());
        QVERIFY(!played.ends[0].summary.a_auc);
        QVERIFY(played.anytime.empty());
    }

    void runsPlayInStepByImagesSeen() {
        const fs::path leader = writeStoppedRun(table_, parent()), longer = measureRun(parent(), true).folder;
        const std::atomic<double> speed = kNever;
        RunControl control;
        Recorder first, second;
        control.pause();
        std::jthread thread([&] { playRuns(table_, leader, 1, {{longer, -1, &second}}, speed, control, first); });
        const auto guard = qScopeGuard([&] { control.stop(); });
        QTRY_COMPARE(first.pauses.load(), 1);
        QVERIFY(first.started && second.started);
        QCOMPARE(second.started->run, std::int64_t{-1});
        // The longer run has a moment each 100 images; the leader each 500 and at the ends of sessions, up to 2,500.
        std::int64_t last = 0;
        for (std::int64_t images = 100; images < kImages; images += 100) {
            control.step();
            QTRY_COMPARE(first.pauses.load(), 1 + static_cast<int>(images / 100));
            QCOMPARE(second.seen.load(), images);
            if (images <= 2500 && (images % 500 == 0 || images % kSessionImages == 0)) last = images;
            QCOMPARE(first.seen.load(), last);
            QCOMPARE(first.progress.back().samples_seen, std::min<std::int64_t>(images, 2500));
            QVERIFY(first.ends.empty() && second.ends.empty());
        }
        control.step();
        thread.join();
        QVERIFY(first.in_order && second.in_order);
        QVERIFY(second.states.empty());
        QCOMPARE(second.updates.load(), 60);
        QCOMPARE(second.ends.size(), std::size_t{1});
        QCOMPARE(second.ends[0].how, RunEnd::Finished);
        QCOMPARE(second.ends[0].folder, longer.string());
        QCOMPARE(first.ends.size(), std::size_t{1});
        QCOMPARE(first.ends[0].run, std::int64_t{1});
        QCOMPARE(first.ends[0].folder, leader.string());
        QCOMPARE(first.ends[0].summary.a_auc, std::optional(0.5));
    }

    void whatCannotPlayBesideIsLeftOut() {
        const fs::path leader = measureRun(parent(), true).folder, other = writeStoppedRun(table_, parent());
        QTemporaryDir elsewhere;
        const std::atomic<double> speed = kAtOnce;
        RunControl control;
        Recorder first, none, second;
        playRuns(table_, leader, 1, {{elsewhere.path().toStdString(), -1, &none}, {other, -2, &second}}, speed, control,
                 first);
        QVERIFY(!none.started);
        QCOMPARE(none.ends.size(), std::size_t{1});
        QCOMPARE(none.ends[0].how, RunEnd::Failed);
        QCOMPARE(none.ends[0].run, std::int64_t{-1});
        QVERIFY(QString::fromStdString(none.ends[0].error).contains("is not a run folder"));
        for (const Recorder* played : {&first, &second}) {
            QCOMPARE(played->ends.size(), std::size_t{1});
            QCOMPARE(played->ends[0].how, RunEnd::Finished);
        }
        QCOMPARE(second.anytime.size(), std::size_t{5});
    }

    void withoutItsLeaderNothingPlays() {
        const fs::path other = writeStoppedRun(table_, parent());
        QTemporaryDir elsewhere;
        const std::atomic<double> speed = kAtOnce;
        RunControl control;
        Recorder first, second;
        playRuns(table_, elsewhere.path().toStdString(), 1, {{other, -1, &second}}, speed, control, first);
        QCOMPARE(first.ends.size(), std::size_t{1});
        QCOMPARE(first.ends[0].how, RunEnd::Failed);
        QVERIFY(!second.started);
        QCOMPARE(second.ends.size(), std::size_t{1});
        QCOMPARE(second.ends[0].how, RunEnd::Stopped);
        QVERIFY(second.ends[0].error.empty());
    }

    void whatCannotBePlayedIsOneClearFailure_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("no run") << "none"
                                << "is not a run folder";
        QTest::newRow("nothing there") << "missing"
                                       << "There is no folder ";
        QTest::newRow("still learning") << "running"
                                        << "is still going on";
        QTest::newRow("nothing measured") << "empty"
                                          << "recorded nothing";
    }
    void whatCannotBePlayedIsOneClearFailure() {
        QFETCH(QString, what);
        QFETCH(QString, words);
        QTemporaryDir elsewhere;
        fs::path folder = elsewhere.path().toStdString();
        if (what == "missing") folder /= "missing";
        std::unique_ptr<RunFolderWriter> writer;
        if (what == "running" || what == "empty") {
            writer = RunFolderWriter::create(table_, madeUpExperiment("batch"), folder);
            folder = writer->folder();
            writer->onStarted(madeUpStart(1, folder.string(), "batch"));
        }
        if (what == "empty") writer->onEnded(madeUpEnd(1, RunEnd::Stopped));
        Recorder played;
        play(folder, played);
        QVERIFY(!played.started);
        QCOMPARE(played.ends.size(), std::size_t{1});
        const RunEnded& end = played.ends[0];
        QCOMPARE(end.how, RunEnd::Failed);
        QCOMPARE(end.kind, ErrorKind::Input);
        QVERIFY2(QString::fromStdString(end.error).contains(words), end.error.c_str());
        QVERIFY(!end.hint.empty());
        QVERIFY(end.folder.empty());
    }
};

PALIMPSEST_GUILESS_TEST(TestRunPlayer)

}  // namespace tst_run_player

#include "tst_run_player.moc"
