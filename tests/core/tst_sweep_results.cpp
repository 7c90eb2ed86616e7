// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/config/experiment_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"
#include "engine/sweep/sweep_results.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_sweep_results {

namespace fs = std::filesystem;

class TestSweepResults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        runs_ = folder_->path().toStdString();
        run_ = {1, 0, "001-batch-seed-1", madeUpExperiment("batch")};
    }

    void aRunWithoutAnythingWaits() {
        QCOMPARE(read().state, RecordedState::None);
        QCOMPARE(beginAttempt(table_, run_, runs_), run_.folder);
        QCOMPARE(read().state, RecordedState::None);
        QCOMPARE(readExperiment(table_, runs_ / (run_.folder + ".toml"), FilePlace::InSubfolder).name,
                 run_.experiment.name);
    }

    // Of two programs that begin attempts at one moment, none writes the file of the other.
    void anAttemptNeverTakesTheNameOfAnother() {
        QCOMPARE(beginAttempt(table_, run_, runs_), run_.folder);
        QCOMPARE(beginAttempt(table_, run_, runs_), run_.folder + "-2");
        std::ofstream(runs_ / "taken.toml") << "seed = 3\n";
        QVERIFY(!makeFile(runs_ / "taken.toml", FilePlace::InSubfolder));
        QCOMPARE(readTextFile(runs_ / "taken.toml"), std::string("seed = 3\n"));
        QVERIFY(makeFile(runs_ / "free.toml", FilePlace::InSubfolder));
        fs::create_symlink(runs_ / "nowhere", runs_ / "link.toml");
        QVERIFY_THROWS_EXCEPTION(Error, makeFile(runs_ / "link.toml", FilePlace::InSubfolder));
        QVERIFY(!fs::exists(runs_ / "nowhere"));
    }

    void aFinishedRunOfTheSameSettingsCounts() {
        write(run_.folder, run_.experiment, RunEnd::Finished);
        const SweepResult result = read();
        QCOMPARE(result.state, RecordedState::Finished);
        QCOMPARE(result.folder, run_.folder);
        QCOMPARE(*result.summary.a_auc, 0.5);
        QCOMPARE(result.parameters, std::int64_t{1234});
        QCOMPARE(beginAttempt(table_, run_, runs_), run_.folder + "-2");
    }

    void aSummaryWithoutItsNumberIsNoFinishedRun_data() {
        QTest::addColumn<QString>("summary");
        QTest::newRow("no number") << "{\"a_auc\": \"much\", \"seconds\": 1}";
        QTest::newRow("missing") << "{}";
        QTest::newRow("no JSON") << "{\"a_auc\": 0.";
    }
    void aSummaryWithoutItsNumberIsNoFinishedRun() {
        QFETCH(QString, summary);
        write(run_.folder, run_.experiment, RunEnd::Finished, 500);
        QCOMPARE(read().state, RecordedState::Finished);
        std::ofstream(runs_ / run_.folder / "summary.json", std::ios::binary) << summary.toStdString();
        const SweepResult result = read();
        QCOMPARE(result.state, RecordedState::Failed);
        QVERIFY2(result.error.find("summary.json") != std::string::npos, result.error.c_str());
    }

    void aRunThatWasNeverEvaluatedHasNoNumberToMiss() {
        write(run_.folder, run_.experiment, RunEnd::Finished);
        std::ofstream(runs_ / run_.folder / "summary.json", std::ios::binary) << "{\"a_auc\": null}";
        QCOMPARE(read().state, RecordedState::Finished);
    }

    void aRunOfOtherSettingsDoesNotCount() {
        Experiment other = run_.experiment;
        other.training.learning_rate = 0.25;
        write(run_.folder, other, RunEnd::Finished);
        QCOMPARE(read().state, RecordedState::None);
    }

    void theReplayedImagesMayBeSpelledOut_data() {
        QTest::addColumn<int>("places");
        QTest::addColumn<int>("more");
        QTest::addColumn<QString>("state");
        QTest::newRow("as many as arrive") << 100 << 0 << "finished";
        QTest::newRow("fewer") << 100 << -1 << "waiting";
        QTest::newRow("nothing is kept") << 0 << -1 << "finished";
    }
    void theReplayedImagesMayBeSpelledOut() {
        QFETCH(int, places);
        QFETCH(int, more);
        QFETCH(QString, state);
        run_.experiment.memory.size = places;
        QCOMPARE(run_.experiment.memory.batch_size, std::int64_t{0});
        Experiment spelled = run_.experiment;
        spelled.memory.batch_size = spelled.training.batch_size + more;
        write(run_.folder, spelled, RunEnd::Finished);
        QCOMPARE(QString(sweepStateText(read().state)), state);
        std::swap(run_.experiment, spelled);
        write(run_.folder + "-2", spelled, RunEnd::Finished);
        QCOMPARE(read().state, RecordedState::Finished);
    }

    void threadsThatARunWasGivenDoNotMakeItAnother() {
        Experiment given = run_.experiment;
        given.threads = 3;
        write(run_.folder, given, RunEnd::Finished);
        QCOMPARE(read().state, RecordedState::Finished);
        QCOMPARE(read().threads, std::int64_t{3});
        run_.experiment.threads = 2;
        QCOMPARE(read().state, RecordedState::None);
    }

    void theFinishedAttemptCountsWhereverItStands() {
        write(run_.folder, run_.experiment, RunEnd::Stopped);
        QCOMPARE(read().state, RecordedState::Stopped);
        write(run_.folder + "-2", run_.experiment, RunEnd::Finished);
        write(run_.folder + "-3", run_.experiment, RunEnd::Stopped);
        QCOMPARE(read().state, RecordedState::Finished);
        QCOMPARE(read().folder, run_.folder + "-2");
        QCOMPARE(beginAttempt(table_, run_, runs_), run_.folder + "-4");
    }

    void aRunThatCouldNotBeginSaysWhyInItsLog() {
        log("Some line\npalimpsest-cli: There are no weights. Name some.\n");
        QCOMPARE(read().state, RecordedState::Failed);
        QCOMPARE(read().error, std::string("There are no weights. Name some."));
        QVERIFY(read().folder.empty());
    }

    void theLastComplaintOfALogIsTheOneThatCounts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("complaint");
        QTest::newRow("none") << "all is well\n"
                              << "";
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("first line") << "palimpsest-cli: A.\n"
                                    << "A.";
        QTest::newRow("no line end") << "x\npalimpsest-cli: A."
                                     << "A.";
        QTest::newRow("two") << "palimpsest-cli: A.\npalimpsest-cli: B.\n"
                             << "B.";
        QTest::newRow("in a line") << "call palimpsest-cli: now\n"
                                   << "";
    }
    void theLastComplaintOfALogIsTheOneThatCounts() {
        QFETCH(QString, text);
        QFETCH(QString, complaint);
        log(text.toStdString());
        QCOMPARE(QString::fromStdString(complaintIn(runs_ / (run_.folder + ".log"))), complaint);
    }

    void theListOfRunsIsJson() {
        SweepPlan plan{"Title", {"a_auc"}, {{"Batch", 0}}, {1, 2}, {run_, run_}};
        plan.runs[1].number = 2;
        plan.runs[1].experiment.seed = 2;
        SweepResult done{RecordedState::Finished, "001-x", "", {}, 2};
        done.summary.a_auc = 0.25;
        done.precision = "float32";
        SweepResult failed;
        failed.state = RecordedState::Failed;
        failed.error = "Why.";
        const auto json = nlohmann::json::parse(sweepJson(plan, {done, failed}, R"([{"row": "Batch"}])", "[]"));
        QCOMPARE(json["rows"].dump(), std::string("[\"Batch\"]"));
        QCOMPARE(json["seeds"].dump(), std::string("[1,2]"));
        QCOMPARE(json["runs"][0]["a_auc"].get<double>(), 0.25);
        QCOMPARE(json["runs"][0]["folder"].get<std::string>(), std::string("runs/001-x"));
        QCOMPARE(json["runs"][1]["state"].get<std::string>(), std::string("failed"));
        QCOMPARE(json["runs"][1]["error"].get<std::string>(), std::string("Why."));
        QCOMPARE(json["runs"][0]["precision"].get<std::string>(), std::string("float32"));
        QVERIFY(json["runs"][0]["device"].is_null());
        QCOMPARE(json["differences"][0]["row"].get<std::string>(), std::string("Batch"));
        QVERIFY(json["runs"][1]["a_auc"].is_null() && json["runs"][1]["folder"].is_null());
    }

    // A run that was planned with another number keeps its folder; a row of nearly the same name is not taken for it.
    void runsKeepTheirFoldersWhenNumbersChange() {
        SweepPlan plan;
        for (const char* name : {"New", "A b", "A-b"}) {
            SweepRun run{std::ssize(plan.runs) + 1, plan.lines.size(), "", madeUpExperiment("batch")};
            run.folder = "00" + std::to_string(run.number) + (run.number == 1 ? "-new" : "-a-b") + "-seed-1";
            run.experiment.name = name;
            plan.lines.push_back({name, 0, {}});
            plan.runs.push_back(run);
        }
        // Before the first row was added, the others had one less.
        write("001-a-b-seed-1", plan.runs[1].experiment, RunEnd::Finished);
        write("002-a-b-seed-1", plan.runs[2].experiment, RunEnd::Stopped);
        write("002-a-b-seed-1-2", plan.runs[2].experiment, RunEnd::Finished);
        keepRunFolders(table_, plan, runs_);
        QCOMPARE(plan.runs[0].folder, std::string("001-new-seed-1"));
        QCOMPARE(plan.runs[1].folder, std::string("001-a-b-seed-1"));
        QCOMPARE(plan.runs[2].folder, std::string("002-a-b-seed-1"));
        QCOMPARE(readSweepRun(table_, plan.runs[2], runs_).folder, std::string("002-a-b-seed-1-2"));
        QCOMPARE(readSweepRun(table_, plan.runs[0], runs_).state, RecordedState::None);
    }

    // Rows whose names differ in signs alone: a new one must not begin in the folder of another.
    void aNewRunGetsAFolderThatNoOtherHas() {
        const auto planned = [&] { return planOf({"A-b", "A b", "A_b", "A.b"}); };
        SweepPlan plan = planned();
        // Before the first row was added, the others had one less.
        write("001-a-b-seed-1", plan.runs[1].experiment, RunEnd::Finished);
        write("002-a-b-seed-1", plan.runs[2].experiment, RunEnd::Finished);
        QVERIFY(keepRunFolders(table_, plan, runs_));
        QCOMPARE(foldersOf(plan),
                 (std::vector<std::string>{"005-a-b-seed-1", "001-a-b-seed-1", "002-a-b-seed-1", "004-a-b-seed-1"}));
        QCOMPARE(readSweepRun(table_, plan.runs[0], runs_).state, RecordedState::None);
        // It is found there, also when it has failed before it began.
        QCOMPARE(beginAttempt(table_, plan.runs[0], runs_), std::string("005-a-b-seed-1"));
        std::ofstream(runs_ / "005-a-b-seed-1.log") << "palimpsest-cli: No room. Make some.\n";
        SweepPlan again = planned();
        keepRunFolders(table_, again, runs_);
        QCOMPARE(foldersOf(again), foldersOf(plan));
        QCOMPARE(readSweepRun(table_, again.runs[0], runs_).state, RecordedState::Failed);
        QCOMPARE(readSweepRun(table_, again.runs[3], runs_).state, RecordedState::None);
    }

    void theComplaintOfAnotherRunIsNotTaken() {
        QCOMPARE(beginAttempt(table_, run_, runs_), run_.folder);
        log("palimpsest-cli: There are no weights. Name some.\n");
        QCOMPARE(read().state, RecordedState::Failed);
        run_.experiment.name = "Another";
        QCOMPARE(read().state, RecordedState::None);
    }

    // Names that agree but for the number are many where rows have no Latin letters, or very long names.
    void eachFolderIsReadOnceAtMost_data() {
        QTest::addColumn<bool>("alike");
        QTest::newRow("names alike") << true;
        QTest::newRow("names of their own") << false;
    }
    void eachFolderIsReadOnceAtMost() {
        QFETCH(bool, alike);
        if (readCalls() < 0) QSKIP("This system does not count what a program reads.");
        const auto callsFor = [&](int rows) {
            std::vector<std::string> names;
            for (int row = 0; row < rows; ++row)
                names.push_back(alike ? "Row" + std::string(static_cast<std::size_t>(row) + 1, '-')
                                      : "Row " + std::to_string(row));
            const fs::path runs = runs_ / std::to_string(rows);
            fs::create_directories(runs);
            SweepPlan plan = planOf(names);
            // Half of them have begun.
            for (int row = 0; row < rows; row += 2)
                beginAttempt(table_, plan.runs[static_cast<std::size_t>(row)], runs);
            const std::vector<std::string> folders = foldersOf(plan);
            const std::int64_t before = readCalls();
            keepRunFolders(table_, plan, runs);
            const std::int64_t calls = readCalls() - before;
            if (foldersOf(plan) != folders) return std::int64_t{-1};
            return calls;
        };
        const std::int64_t few = callsFor(12), many = callsFor(48);
        QVERIFY(few >= 0 && many >= 0);
        // A reading of a file is a few calls; readCalls() itself takes some.
        QVERIFY2(many <= (alike ? 24 * 4 + 8 : 8), qPrintable(QString("%1, %2").arg(few).arg(many)));
    }

    // The name of a base without one was another in earlier versions, and is among the settings of its runs.
    void aSweepOfABaseAloneKeepsTheNameThatItsRunsBeganWith() {
        SweepPlan before = planOf({"Untitled experiment"});
        write(before.runs[0].folder, before.runs[0].experiment, RunEnd::Finished);
        SweepPlan plan = planOf({"mine"});
        SweepRun second = plan.runs[0];
        second.number = 2;
        second.experiment.seed = 2;
        second.folder = "002-mine-seed-2";
        plan.runs.push_back(second);
        keepRunFolders(table_, plan, runs_);
        QCOMPARE(plan.lines[0].name, std::string("Untitled experiment"));
        QCOMPARE(foldersOf(plan), (std::vector<std::string>{before.runs[0].folder, "002-untitled-experiment-seed-2"}));
        QCOMPARE(readSweepRun(table_, plan.runs[0], runs_).state, RecordedState::Finished);
        QCOMPARE(plan.runs[1].experiment.name, std::string("Untitled experiment"));
        // Other settings are another sweep.
        SweepPlan other = planOf({"mine"});
        other.runs[0].experiment.training.learning_rate = 0.25;
        keepRunFolders(table_, other, runs_);
        QCOMPARE(foldersOf(other), std::vector<std::string>{"001-mine-seed-1"});
    }

    void settingsThatWereChangedSinceAreNamed() {
        SweepPlan plan;
        plan.lines.push_back({run_.experiment.name, 0, {}});
        plan.runs.push_back(run_);
        QCOMPARE(settingsChangedSince(table_, plan, runs_), std::string());
        Experiment before = run_.experiment;
        before.stream.sessions += 1;
        write(run_.folder, before, RunEnd::Finished);
        QCOMPARE(settingsChangedSince(table_, plan, runs_),
                 "001-batch-seed-1, stream.sessions: " + std::to_string(before.stream.sessions) + " there, " +
                     std::to_string(run_.experiment.stream.sessions) + " here");
        // Begun anew with the present ones, as earlier versions did.
        write(run_.folder + "-2", run_.experiment, RunEnd::Stopped);
        QCOMPARE(settingsChangedSince(table_, plan, runs_), std::string());
    }

private:
    /// A run of each row, with one seed.
    static SweepPlan planOf(const std::vector<std::string>& names) {
        SweepPlan plan;
        for (const std::string& name : names) {
            SweepRun run{std::ssize(plan.runs) + 1, plan.lines.size(), "", madeUpExperiment("batch")};
            const std::string digits = std::to_string(run.number);
            run.folder = std::string(3 - digits.size(), '0') + digits + "-" + slug(name, 60) + "-seed-1";
            run.experiment.name = name;
            run.experiment.seed = 1;
            plan.lines.push_back({name, 0, {}});
            plan.runs.push_back(run);
        }
        return plan;
    }

    static std::vector<std::string> foldersOf(const SweepPlan& plan) {
        std::vector<std::string> folders;
        for (const SweepRun& run : plan.runs) folders.push_back(run.folder);
        return folders;
    }

    /// How often this program has called read(2); -1 where the system does not say.
    static std::int64_t readCalls() {
        std::ifstream file("/proc/self/io");
        std::string word;
        for (std::int64_t count = 0; file >> word >> count;)
            if (word == "syscr:") return count;
        return -1;
    }

    SweepResult read() const { return readSweepRun(table_, run_, runs_); }

    /// Writes a run. `evaluated`: number of images before its evaluation; 0: never.
    void write(const std::string& name, const Experiment& experiment, RunEnd how, std::int64_t evaluated = 0) const {
        const auto writer = RunFolderWriter::createExact(table_, experiment, runs_ / name);
        RunStarted started = madeUpStart(1, writer->folder().string(), "batch");
        started.trainable_parameters = 1234;
        writer->onStarted(started);
        if (evaluated > 0) writer->onEvaluated(madeUpEvaluation(1, evaluated, 0.5));
        RunEnded end = madeUpEnd(1, how);
        end.summary.a_auc = 0.5;
        writer->onEnded(end);
    }

    void log(const std::string& text) const { std::ofstream(runs_ / (run_.folder + ".log"), std::ios::binary) << text; }

    const OptionTable table_{testCatalogue()};
    std::unique_ptr<QTemporaryDir> folder_;
    fs::path runs_;
    SweepRun run_;
};

PALIMPSEST_APPLESS_TEST(TestSweepResults)

}  // namespace tst_sweep_results

#include "tst_sweep_results.moc"
