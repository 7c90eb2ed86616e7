// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <clocale>
#include <cmath>
#include <csignal>
#include <fstream>
#include <latch>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "engine/config/experiment_file.h"
#include "engine/record/copy_mark.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_folder_writer.h"
#include "engine/run/live_change.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/process.h"
#include "engine/support/text.h"
#include "tests/support/forkable_run.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_run_folder {

namespace fs = std::filesystem;

namespace {

std::string sentenceOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.sentence();
    }
    return "nothing was thrown";
}

/// Disk space, in bytes, of this process's unlinked files in a folder.
std::int64_t namelessBytesIn(const fs::path& folder) {
    std::int64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        const std::string target = fs::read_symlink(entry.path(), gone).string();
        struct stat status {};
        if (!gone && target.starts_with(folder.string() + "/") && target.ends_with(" (deleted)") &&
            stat(entry.path().c_str(), &status) == 0)
            bytes += status.st_blocks * 512;
    }
    return bytes;
}

RunStarted started(const Experiment& experiment) {
    auto plan = std::make_shared<StreamPlan>();
    plan->sessions = {{0, 1, 2}, {}, {3, 4}};
    RunStarted event;
    event.run = 1;
    event.experiment = experiment;
    event.plan = plan;
    event.class_names = {"cat", "dog"};
    event.fingerprint = "0123456789abcdef";
    event.device = "cpu";
    event.precision = "float32";
    event.threads = 2;
    event.total_samples = 5;
    event.trainable_parameters = 1000;
    event.prompt_lengths = {{"method.g_length", 3}, {"method.e_length", 7}};
    event.warnings = {"Session 2 is empty."};
    return event;
}

Evaluated evaluated(EvaluationKind kind, std::int64_t samples, double accuracy) {
    Evaluated event;
    event.kind = kind;
    event.samples_seen = samples;
    event.session = 0;
    event.updates = 3 * samples;
    event.accuracy = accuracy;
    event.loss = 0.5;
    event.classes = {{1, 3, 4}, {0, 0, 0}};
    return event;
}

UpdateDone update(std::int64_t number) {
    UpdateDone event;
    event.samples_seen = 32 * number;
    event.update = number;
    event.loss = 1.5;
    event.batch_accuracy = 0.25;
    event.learning_rate = 0.005;
    return event;
}

nlohmann::json jsonIn(const fs::path& file) {
    return nlohmann::json::parse(readTextFile(file));
}

}  // namespace

class TestRunFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
        parent_ = folder_->path().toStdString();
        experiment_ = table_.defaults();
        experiment_.name = "DualPrompt, Batch Mask!";
        experiment_.seed = 3;
    }

    void everyFileHasItsHeaderFromTheFirstMoment_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("header");
        QTest::newRow("anytime") << "anytime.csv"
                                 << "samples_seen,session,accuracy,loss,classes_seen,updates\n";
        QTest::newRow("sessions") << "sessions.csv"
                                  << "after_session,session,accuracy,samples\n";
        QTest::newRow("classes") << "classes.csv"
                                 << "samples_seen,class,accuracy,samples\n";
        QTest::newRow("training") << "training.csv"
                                  << "samples_seen,update,loss,batch_accuracy,learning_rate\n";
        QTest::newRow("commands") << "commands.csv"
                                  << "samples_seen,command,argument\n";
    }
    void everyFileHasItsHeaderFromTheFirstMoment() {
        QFETCH(QString, file);
        QFETCH(QString, header);
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        QCOMPARE(QString::fromStdString(readTextFile(writer->folder() / file.toStdString())), header);
    }

    void theExperimentIsWrittenWithEveryDefault() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        QCOMPARE(readTextFile(writer->folder() / "experiment.toml"), formatExperiment(table_, experiment_));
    }

    void theFirstImagesLeftOutAreNamedAndAllAreCounted_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("warnings");
        QTest::addColumn<QString>("last");
        QTest::newRow("none") << 0 << 1 << "Session 2 is empty.";
        QTest::newRow("one") << 1 << 2 << "1.png is left out.";
        QTest::newRow("all named") << 20 << 21 << "20.png is left out.";
        QTest::newRow("one more") << 21 << 22 << "1 more image could not be read and is left out.";
        QTest::newRow("many more") << 250 << 22 << "230 more images could not be read and are left out.";
    }
    void theFirstImagesLeftOutAreNamedAndAllAreCounted() {
        QFETCH(int, count);
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        for (int i = 1; i <= count; ++i) writer->onImageLeftOut({1, std::to_string(i) + ".png is left out.", true, i});
        writer->onEnded({});
        const auto run = nlohmann::json::parse(readTextFile(writer->folder() / "run.json"));
        QCOMPARE(run["unreadable_images"].get<int>(), count);
        QTEST(static_cast<int>(run["warnings"].size()), "warnings");
        QTEST(QString::fromStdString(run["warnings"].back().get<std::string>()), "last");
        QCOMPARE(readRun(table_, writer->folder()).unreadable_images, std::int64_t{count});
    }

    void aWarningDuringTheRunIsKeptOnceAndBeforeImagesLeftOut() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        writer->onImageLeftOut({1, "1.png is left out.", true, 1});
        for (int i = 0; i < 2; ++i) writer->onWarned({1, 32, "The memory was short."});
        writer->onImageLeftOut({1, "2.png is left out.", true, 2});
        writer->onEnded({});
        const auto run = nlohmann::json::parse(readTextFile(writer->folder() / "run.json"));
        const auto all = run["warnings"].get<std::vector<std::string>>();
        QVERIFY(all.size() >= 3);
        QCOMPARE(std::vector<std::string>(all.end() - 3, all.end()),
                 (std::vector<std::string>{"The memory was short.", "1.png is left out.", "2.png is left out."}));
    }

    void sessionsBeginWhereTheyReallyDoOnceImagesAreLeftOut_data() {
        QTest::addColumn<bool>("leftOut");
        QTest::addColumn<QList<int>>("starts");
        QTest::newRow("none left out: the plan holds") << false << QList<int>{0, 3, 3};
        QTest::newRow("one left out") << true << QList<int>{0, 2, 2};
    }
    void sessionsBeginWhereTheyReallyDoOnceImagesAreLeftOut() {
        QFETCH(bool, leftOut);
        QFETCH(QList<int>, starts);
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        if (leftOut) writer->onImageLeftOut({1, "1.png is left out.", true, 1});
        writer->onSessionEnded({1, 0, leftOut ? 2 : 3, {}});
        writer->onSessionEnded({1, 1, leftOut ? 2 : 3, {}});
        writer->onEnded({});
        const RunRecord record = readRun(table_, writer->folder());
        QCOMPARE(QList<int>(record.session_starts.begin(), record.session_starts.end()), starts);
    }

    void howFarARunLearnedStandsInItsLastWholeRow() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        const fs::path training = writer->folder() / "training.csv";
        const auto learned = [&] { return readRun(table_, writer->folder()).samples_learned; };
        writer->onStarted(started(experiment_));
        QCOMPARE(learned(), std::int64_t{0});
        writer->onUpdate(update(1));
        writer->onEvaluated(evaluated(EvaluationKind::Anytime, 32, 0.5));
        QCOMPARE(learned(), std::int64_t{32});
        // The rows are more than are read in one piece.
        for (int number = 2; number <= 500; ++number) writer->onUpdate(update(number));
        writer->onEnded({});
        QCOMPARE(learned(), std::int64_t{16000});
        std::ofstream(training, std::ios::app) << "16032,501,1.";
        QCOMPARE(learned(), std::int64_t{16000});
        fs::remove(training);
        QCOMPARE(learned(), std::int64_t{32});
    }

    void aLongWaitForALearnerStandsInTheFolderWhileItLasts() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        const fs::path folder = writer->folder();
        const auto tell = [&](const std::optional<LearnerWait>& wait) {
            writer->onState({.run = 1, .state = RunState::Running, .wait = wait});
        };
        writer->onStarted(started(experiment_));
        const std::string before = readTextFile(folder / "run.json");
        // A learner that is slow at every batch is not written about.
        tell(LearnerWait{"nearest mean", 3, 600});
        QCOMPARE(readTextFile(folder / "run.json"), before);
        tell(LearnerWait{"nearest mean", 120, 600});
        const std::optional<LearnerWait> wait = readLearnerWait(folder);
        QVERIFY(wait && wait->learner == "nearest mean" && wait->limit == 600);
        QVERIFY2(wait->seconds >= 120 && wait->seconds < 180, std::to_string(wait->seconds).c_str());
        // Nor is the same wait written about again.
        const std::string waits = readTextFile(folder / "run.json");
        tell(LearnerWait{"nearest mean", 121, 600});
        QCOMPARE(readTextFile(folder / "run.json"), waits);
        tell(std::nullopt);
        QVERIFY(!readLearnerWait(folder));
        QCOMPARE(readTextFile(folder / "run.json"), before);
        // What ended or was killed waits for nothing.
        tell(LearnerWait{"nearest mean", 10, 600});
        QVERIFY(readLearnerWait(folder));
        writer->onEnded({});
        QVERIFY(!readLearnerWait(folder) && !jsonIn(folder / "run.json").contains("waits_for"));
        nlohmann::json killed = nlohmann::json::parse(waits);
        killed["process"] = "an earlier one";
        std::ofstream(folder / "run.json") << killed.dump();
        QCOMPARE(readRunState(folder), RecordedState::Crashed);
        QVERIFY(!readLearnerWait(folder));
    }

    void aWaitThatNoRunWroteIsNone_data() {
        QTest::addColumn<QString>("wait");
        QTest::addColumn<bool>("told");
        QTest::newRow("sound") << R"({"learner": "mine", "since": "2026-03-01T10:00:00.125Z", "limit": 60})" << true;
        QTest::newRow("to come") << R"({"learner": "mine", "since": "9999-03-01T10:00:00.125Z"})" << true;
        QTest::newRow("lines in the name") << R"({"learner": "my\nown", "since": "2026-03-01T10:00:00.125Z"})" << true;
        QTest::newRow("no moment") << R"({"learner": "mine", "since": "yesterday", "limit": 60})" << false;
        QTest::newRow("no name") << R"({"learner": 5, "since": "2026-03-01T10:00:00.125Z"})" << false;
        QTest::newRow("a list") << R"(["mine"])" << false;
        QTest::newRow("null") << "null" << false;
    }
    void aWaitThatNoRunWroteIsNone() {
        QFETCH(QString, wait);
        QFETCH(bool, told);
        const fs::path folder = fs::path(parent_) / "run";
        fs::create_directories(folder);
        std::ofstream(folder / "run.json")
            << R"({"state": "running", "host": "elsewhere", "waits_for": )" << wait.toStdString() << "}";
        const std::optional<LearnerWait> found = readLearnerWait(folder);
        QCOMPARE(found.has_value(), told);
        QVERIFY(!found || (found->seconds >= 0 && isPlainLine(found->learner)));
    }

    void rowsCanBeReadWhileTheRunGoesOn() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        writer->onUpdate(update(1));
        writer->onUpdate(update(2));
        writer->onEvaluated(evaluated(EvaluationKind::Anytime, 992, 1.0 / 3.0));
        writer->onSessionEnded({1, 1, 1000, {{0, 0.5, 20}, {1, 0.0, 0}}});
        writer->recordCommand(992, "mask.name", "seen, \"batch\"");

        const fs::path folder = writer->folder();
        QCOMPARE(lines(folder / "anytime.csv").at(1), QString("992,0,0.3333333333333333,0.5,2,2976"));
        QCOMPARE(lines(folder / "sessions.csv").mid(1), (QStringList{"1,0,0.5,20", "1,1,,0"}));
        QCOMPARE(lines(folder / "classes.csv").mid(1), (QStringList{"992,1,0.75,4", "992,0,,0"}));
        QCOMPARE(lines(folder / "training.csv").mid(1), (QStringList{"32,1,1.5,0.25,0.005", "64,2,1.5,0.25,0.005"}));
        QCOMPARE(lines(folder / "commands.csv").mid(1), QStringList{"992,mask.name,\"seen, \"\"batch\"\"\""});

        const RunRecord record = readRun(table_, folder);
        QCOMPARE(record.state, RecordedState::Running);
        QCOMPARE(record.anytime.size(), std::size_t{1});
        QCOMPARE(record.anytime[0].accuracy, 1.0 / 3.0);
        QCOMPARE(record.anytime[0].classes_seen, std::int64_t{2});
        QCOMPARE(record.anytime[0].updates, std::int64_t{2976});
        QCOMPARE(record.retention.size(), std::size_t{2});
        QCOMPARE(record.retention[0].accuracy, 0.5);
        QCOMPARE(record.retention[1].samples, std::int64_t{0});
        QCOMPARE(record.session_starts, (std::vector<std::int64_t>{0, 3, 3}));
        QCOMPARE(record.total_samples, std::int64_t{5});
        QCOMPARE(record.trainable_parameters, std::int64_t{1000});
        QCOMPARE(record.prompt_lengths, (PromptLengths{{"method.g_length", 3}, {"method.e_length", 7}}));
        QCOMPARE(record.fingerprint, std::string("0123456789abcdef"));
        QCOMPARE(record.device, std::string("cpu"));
        QCOMPARE(record.experiment.name, experiment_.name);
        QVERIFY(record.warnings.empty());
    }

    void lengthsOfPromptsThatAreUnknownOrNoneAreLeftOut_data() {
        QTest::addColumn<QByteArray>("lengths");
        QTest::newRow("none") << QByteArray("null");
        QTest::newRow("no object") << QByteArray("[3]");
        QTest::newRow("no numbers") << QByteArray(R"({"method.g_length": "3", "method.e_length": -1, "odd": 4})");
    }
    void lengthsOfPromptsThatAreUnknownOrNoneAreLeftOut() {
        QFETCH(QByteArray, lengths);
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        nlohmann::json run = jsonIn(writer->folder() / "run.json");
        run["prompt_lengths"] = nlohmann::json::parse(lengths.toStdString());
        std::ofstream(writer->folder() / "run.json") << run;
        QVERIFY(readRun(table_, writer->folder()).prompt_lengths.empty());
        // Folders of older versions.
        run.erase("prompt_lengths");
        std::ofstream(writer->folder() / "run.json") << run;
        const RunRecord older = readRun(table_, writer->folder());
        QVERIFY(older.prompt_lengths.empty() && older.warnings.empty());
    }

    void changesOnItsWayAreReadBack() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        writer->recordCommand(32, "pause", "");
        writer->recordCommand(64, "change", "mask.name=seen");
        writer->recordCommand(96, "change", "training.learning_rate=0.001");
        const RunRecord record = readRun(table_, writer->folder());
        QVERIFY(record.changes ==
                (std::vector<LiveChange>{{"mask.name", "seen", 64}, {"training.learning_rate", "0.001", 96}}));
        QVERIFY(record.parent.empty());
        fs::remove(writer->folder() / "commands.csv");
        const RunRecord older = readRun(table_, writer->folder());
        QVERIFY(older.changes.empty());
        QVERIFY(older.warnings.empty());
    }

    void onlyAnytimeEvaluationsMakeTheCurve() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onEvaluated(evaluated(EvaluationKind::Anytime, 992, 0.25));
        writer->onEvaluated(evaluated(EvaluationKind::SessionEnd, 992, 0.25));
        writer->onEvaluated(evaluated(EvaluationKind::SessionEnd, 1500, 0.5));
        QCOMPARE(lines(writer->folder() / "anytime.csv").size(), 2);
        // Two evaluations of the same weights are written once.
        QCOMPARE(lines(writer->folder() / "classes.csv").size(), 1 + 2 + 2);
    }

    void anEarlyLookHasARowOfItsOwn() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        const fs::path folder = writer->folder();
        writer->onStarted(started(experiment_));
        QVERIFY(!fs::exists(folder / "early.csv"));
        writer->onEarlyLook({1, 64, 0, 6, 0.75, 0.5, 3, 256});
        QCOMPARE(
            lines(folder / "early.csv"),
            (QStringList{"samples_seen,session,accuracy,loss,classes_seen,updates,samples", "64,0,0.75,0.5,3,6,256"}));
        for (const char* file : {"anytime.csv", "classes.csv", "sessions.csv"})
            QCOMPARE(lines(folder / file).size(), 1);
        writer->onEvaluated(evaluated(EvaluationKind::Anytime, 992, 0.25));
        const RunRecord record = readRun(table_, folder);
        QCOMPARE(record.early.size(), std::size_t{1});
        QCOMPARE(record.early[0].accuracy, 0.75);
        QCOMPARE(record.early[0].classes_seen, std::int64_t{3});
        QCOMPARE(*record.summary.a_auc, 0.25);
        QVERIFY(record.warnings.empty());
    }

    void sharesOfRightPromptsHaveRowsOfTheirOwn() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        const fs::path folder = writer->folder();
        writer->onStarted(started(experiment_));
        Evaluated first = evaluated(EvaluationKind::Anytime, 992, 0.25), second = first, end = first;
        writer->onEvaluated(first);
        QVERIFY2(!fs::exists(folder / "routing.csv"), "nothing is chosen");
        second.samples_seen = 1984;
        second.router = 0.5;
        end.kind = EvaluationKind::SessionEnd;
        end.samples_seen = 2000;
        end.router = 0.75;
        end.agreement = 0.875;
        writer->onEvaluated(second);
        writer->onEvaluated(end);
        QCOMPARE(lines(folder / "routing.csv"), (QStringList{"samples_seen,session,router_accuracy,head_agreement",
                                                             "1984,0,0.5,", "2000,0,0.75,0.875"}));
        RunEnded ended;
        ended.summary.router_accuracy = 0.75;
        ended.summary.head_agreement = 0.875;
        writer->onEnded(ended);
        const RunRecord record = readRun(table_, folder);
        QVERIFY(record.warnings.empty());
        QVERIFY(!record.anytime[0].router);
        QCOMPARE(*record.anytime[1].router, 0.5);
        QVERIFY(!record.anytime[1].agreement);
        QCOMPARE(*record.summary.router_accuracy, 0.75);
        QCOMPARE(*record.summary.head_agreement, 0.875);
    }

    void plateausOfTheLossHaveRowsOfTheirOwn() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        const fs::path folder = writer->folder();
        writer->onStarted(started(experiment_));
        QVERIFY(!fs::exists(folder / "plateaus.csv"));
        QVERIFY(readRun(table_, folder).plateaus.empty());
        writer->onPlateau({1, 160, 13, 1.25, 0.5});
        writer->onPlateau({1, 320, 28, 0.75, 0.25});
        QCOMPARE(lines(folder / "plateaus.csv"),
                 (QStringList{"samples_seen,update,mean,variance", "160,13,1.25,0.5", "320,28,0.75,0.25"}));
        // A row that goes back, and one that is torn, are none.
        std::ofstream(folder / "plateaus.csv", std::ios::app) << "200,30,1,1\n400,3";
        const RunRecord record = readRun(table_, folder);
        QCOMPARE(record.plateaus.size(), std::size_t{2});
        QCOMPARE(record.plateaus[0].samples_seen, std::int64_t{160});
        QCOMPARE(record.plateaus[0].update, std::int64_t{13});
        QCOMPARE(record.plateaus[1].mean, 0.75);
        QCOMPARE(record.plateaus[1].variance, 0.25);
    }

    void anEndedRunIsSummarised_data() {
        QTest::addColumn<int>("how");
        QTest::addColumn<QString>("state");
        QTest::newRow("finished") << int(RunEnd::Finished) << "finished";
        QTest::newRow("stopped") << int(RunEnd::Stopped) << "stopped";
        QTest::newRow("failed") << int(RunEnd::Failed) << "failed";
    }
    void anEndedRunIsSummarised() {
        QFETCH(int, how);
        QFETCH(QString, state);
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->addVersion("palimpsest", "1.2.3");
        writer->onStarted(started(experiment_));
        writer->onUpdate(update(1));
        RunEnded end;
        end.how = static_cast<RunEnd>(how);
        end.summary.a_auc = 0.5;
        end.summary.a_last = std::numeric_limits<double>::quiet_NaN();
        end.summary.seconds = 12.5;
        end.summary.batch_seconds = 0.125;
        end.summary.sessions_ended = 2;
        if (end.how == RunEnd::Failed) end.error = "Out of memory.";
        writer->onEnded(end);

        const auto summary = jsonIn(writer->folder() / "summary.json");
        QCOMPARE(summary["a_auc"].get<double>(), 0.5);
        QVERIFY(summary["a_last"].is_null());
        QVERIFY(summary["f_last"].is_null());
        QCOMPARE(summary["sessions_ended"].get<int>(), 2);
        QCOMPARE(summary["updates"].get<int>(), 1);
        const auto run = jsonIn(writer->folder() / "run.json");
        QCOMPARE(QString::fromStdString(run["state"]), state);
        QCOMPARE(run["versions"]["palimpsest"].get<std::string>(), std::string("1.2.3"));
        QCOMPARE(run["threads"].get<int>(), 2);
        QVERIFY(run["parent"].is_null());

        const RunRecord record = readRun(table_, writer->folder());
        QCOMPARE(QString(toText(record.state)), state);
        QCOMPARE(record.error, end.error);
        QCOMPARE(record.summary.a_auc, std::optional(0.5));
        QVERIFY(!record.summary.a_last);
        QCOMPARE(record.summary.sessions_ended, std::int64_t{2});
        QCOMPARE(record.summary.seconds, 12.5);
        QCOMPARE(record.summary.batch_seconds, 0.125);
        const QRegularExpression iso(R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$)");
        QVERIFY(iso.match(QString::fromStdString(record.started)).hasMatch());
        QVERIFY(iso.match(QString::fromStdString(record.ended)).hasMatch());
    }

    void aForkNamesItsParentAndKnowsWhatWasChangedSince() {
        const std::filesystem::path parent = testing::writeForkableRun(table_, parent_, "batch", {1000}, "seen");
        const CheckpointRecord checkpoint = readCheckpointRecord(checkpointDescription(parent, 1000));
        QVERIFY(readRun(table_, parent).parent.empty());
        QCOMPARE(readRun(table_, parent).forked_at, std::int64_t{-1});
        const auto writer = RunFolderWriter::branch(table_, testing::madeUpExperiment("seen"), parent_, {}, parent,
                                                    1000, checkpoint.mark);
        writer->recordCommand(1000, "fork", parent.string());
        writer->recordCommand(1200, "change", "mask.name=none");
        const RunRecord fork = readRun(table_, writer->folder());
        QCOMPARE(fork.parent.string(), parent.string());
        QCOMPARE(fork.forked_at, std::int64_t{1000});
        const std::vector<LiveChange> all = recordedChanges(writer->folder());
        const std::vector<LiveChange> since = changesSinceBegin(writer->folder());
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(since.size(), std::size_t{1});
        QVERIFY(since[0] == (LiveChange{"mask.name", "none", 1200}));
        QVERIFY(changesSinceBegin(parent) == recordedChanges(parent));
    }

    void theTimeOfABatchInAnOlderFolderFollowsFromItsSpeed_data() {
        QTest::addColumn<int>("how");
        QTest::addColumn<int>("left_out");
        QTest::addColumn<double>("seconds");
        // Five images in sessions of 3, 0 and 2 and batches of 2: three batches, in half a second.
        QTest::newRow("finished") << int(RunEnd::Finished) << 0 << 0.5 / 3;
        QTest::newRow("stopped: nobody knows how many batches") << int(RunEnd::Stopped) << 0 << 0.0;
        QTest::newRow("images left out: nobody knows of which batch") << int(RunEnd::Finished) << 1 << 0.0;
    }
    void theTimeOfABatchInAnOlderFolderFollowsFromItsSpeed() {
        QFETCH(int, how);
        QFETCH(int, left_out);
        QFETCH(double, seconds);
        experiment_.training.batch_size = 2;
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        for (int i = 1; i <= left_out; ++i) writer->onImageLeftOut({1, "One.", true, i});
        RunEnded end;
        end.how = static_cast<RunEnd>(how);
        end.summary.images_per_second = 10;
        end.summary.batch_seconds = 99;
        writer->onEnded(end);
        auto summary = jsonIn(writer->folder() / "summary.json");
        QCOMPARE(summary["batch_seconds"].get<double>(), 99.0);
        summary.erase("batch_seconds");
        std::ofstream(writer->folder() / "summary.json") << summary.dump();
        QCOMPARE(readRun(table_, writer->folder()).summary.batch_seconds, seconds);
    }

    void aBatchOfAFolderWhoseBordersAreDamagedHasNoTime() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        RunEnded end;
        end.summary.images_per_second = 10;
        writer->onEnded(end);
        for (const char* starts : {"[]", "[1, 3]", "[0, 4, 3]", "[0, 6]", "[0, -9223372036854775808]", "7"}) {
            auto run = jsonIn(writer->folder() / "run.json");
            run["session_starts"] = nlohmann::json::parse(starts);
            std::ofstream(writer->folder() / "run.json") << run.dump();
            QCOMPARE(readRun(table_, writer->folder()).summary.batch_seconds, 0.0);
        }
    }

    void aRunWithoutASummaryKnowsItsAreaSoFar() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        QVERIFY(!readRun(table_, writer->folder()).summary.a_auc);
        for (const double accuracy : {0.25, 0.5, 0.75})
            writer->onEvaluated(evaluated(EvaluationKind::Anytime, 992, accuracy));
        writer->onSessionEnded({1, 0, 1000, {{0, 0.5, 20}}});
        const Summary summary = readRun(table_, writer->folder()).summary;
        QCOMPARE(summary.a_auc, std::optional(0.5));
        QCOMPARE(summary.sessions_ended, std::int64_t{1});
        QVERIFY2(!summary.a_last && !summary.f_last, "only the end of a run can say what is left");
    }

    void anImportedStreamIsKeptWithItsRun() {
        experiment_.stream.partition = "imported";
        experiment_.stream.index_list = "/somewhere/else/plan.json";
        experiment_.stream.sessions = 9;
        experiment_.stream.edits = "class 0 to session 2";
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        RunStarted event = started(experiment_);
        auto plan = std::make_shared<StreamPlan>(*event.plan);
        plan->settings.classes = 2;
        plan->settings.partition = Partition::Imported;
        plan->disjoint_classes = {{}, {}, {}};
        plan->blurry_classes = {{0, 1}, {}, {}};
        event.plan = plan;
        writer->onStarted(event);
        writer->throwIfFailed();
        const fs::path moved = parent_ / "moved";
        fs::rename(writer->folder(), moved);
        const Experiment again = readExperiment(table_, moved / "experiment.toml");
        QCOMPARE(again.stream.index_list, (moved / "stream.json").string());
        QCOMPARE(again.stream.sessions, 3);
        QVERIFY2(again.stream.edits.empty(), "the list that is kept has them already");
        const StreamPlan read = planExperimentStream(again, std::vector<std::int32_t>{0, 0, 1, 1, 0}, 2);
        QCOMPARE(read.sessions, plan->sessions);
        QCOMPARE(read.fingerprint(), plan->fingerprint());
    }

    void aPlannedStreamNeedsNoFileOfItsOwn() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        QVERIFY(!fs::exists(writer->folder() / "stream.json"));
    }

    void aSecondRunOfTheSameNameGetsItsOwnFolder() {
        std::set<fs::path> folders;
        for (int i = 0; i < 5; ++i) {
            const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
            QVERIFY(folders.insert(writer->folder()).second);
            QVERIFY(writer->folder().filename().string().starts_with("dualprompt-batch-mask-3-"));
        }
    }

    void namesBecomeFolderNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("start");
        QTest::newRow("path") << "../../etc/passwd"
                              << "etc-passwd-3-";
        QTest::newRow("not Latin") << QString::fromUtf8("実験") << "run-3-";
        QTest::newRow("long") << QString(300, 'x') << QString(40, 'x') + "-3-";
    }
    void namesBecomeFolderNames() {
        QFETCH(QString, name);
        QFETCH(QString, start);
        experiment_.name = name.toStdString();
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        QCOMPARE(writer->folder().parent_path(), parent_);
        QVERIFY(QString::fromStdString(writer->folder().filename()).startsWith(start));
    }

    void anExactFolderMustBeAbsentOrEmpty() {
        const fs::path exact = parent_ / "a" / "b";
        { const auto writer = RunFolderWriter::createExact(table_, experiment_, exact); }
        const std::string sentence = sentenceOf([&] { RunFolderWriter::createExact(table_, experiment_, exact); });
        QVERIFY2(sentence.find("is not empty, and a run is never overwritten.") != std::string::npos, sentence.c_str());
        fs::create_directory(parent_ / "empty");
        const auto writer = RunFolderWriter::createExact(table_, experiment_, parent_ / "empty");
        QCOMPARE(writer->folder(), parent_ / "empty");
    }

    void anUnwritablePlaceIsRefusedBeforeAnyTraining_data() {
        QTest::addColumn<QString>("below");
        QTest::newRow("below a file") << "plain/runs";
        QTest::newRow("a file itself") << "plain";
    }
    void anUnwritablePlaceIsRefusedBeforeAnyTraining() {
        QFETCH(QString, below);
        std::ofstream(parent_ / "plain") << "text";
        const fs::path place = parent_ / below.toStdString();
        for (const bool exact : {false, true}) {
            const std::string sentence = sentenceOf([&] {
                exact ? RunFolderWriter::createExact(table_, experiment_, place)
                      : RunFolderWriter::create(table_, experiment_, place);
            });
            QVERIFY2(sentence.find("Cannot make the run folder " + place.string() + ": Not a directory.") == 0,
                     sentence.c_str());
        }
    }

    void aDiscardedRunLeavesNothing_data() {
        QTest::addColumn<bool>("byEvent");
        QTest::newRow("discard") << false;
        QTest::newRow("aborted") << true;
    }
    void aDiscardedRunLeavesNothing() {
        QFETCH(bool, byEvent);
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        fs::create_directory(writer->folder() / "checkpoints");
        std::ofstream(writer->folder() / "checkpoints" / "00000001.safetensors") << "weights";
        RunEnded end;
        end.how = RunEnd::Aborted;
        if (!byEvent) writer->discard();
        writer->onEnded(end);
        QVERIFY(fs::is_empty(parent_));
    }

    void discardingKeepsAFolderThatWasThereBefore() {
        fs::create_directory(parent_ / "mine");
        const auto writer = RunFolderWriter::createExact(table_, experiment_, parent_ / "mine");
        writer->discard();
        QVERIFY(fs::is_empty(parent_ / "mine"));
    }

    void aKilledRunReadsAsCrashedWithAllItsRows() {
        const fs::path exact = parent_ / "killed";
        const pid_t child = fork();
        if (child == 0) {
            const auto writer = RunFolderWriter::createExact(table_, experiment_, exact);
            writer->onStarted(started(experiment_));
            writer->onEvaluated(evaluated(EvaluationKind::Anytime, 992, 0.5));
            writer->onUpdate(update(32));
            raise(SIGKILL);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status));
        const RunRecord record = readRun(table_, exact);
        QCOMPARE(record.state, RecordedState::Crashed);
        QCOMPARE(record.anytime.size(), std::size_t{1});
        QCOMPARE(lines(exact / "training.csv").mid(1), QStringList{"1024,32,1.5,0.25,0.005"});
    }

    void aRunWhoseNumbersCouldNotBeWrittenHasFailed() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onStarted(started(experiment_));
        fs::create_directories(writer->folder() / "summary.json" / "in the way");
        writer->onEnded({});
        const std::string sentence = sentenceOf([&] { writer->throwIfFailed(); });
        QVERIFY2(sentence.find("summary.json: Is a directory. Make room on the disk") != std::string::npos,
                 sentence.c_str());
        const RunRecord record = readRun(table_, writer->folder());
        QCOMPARE(record.state, RecordedState::Failed);
        QVERIFY2(record.error.find("summary.json: Is a directory.") != std::string::npos, record.error.c_str());
        QCOMPARE(record.warnings.size(), std::size_t{1});
    }

    void oneOfManyWhoStartAtOnceGetsTheFolder() {
        for (int round = 0; round < 20; ++round) {
            const fs::path exact = parent_ / ("race-" + std::to_string(round));
            std::vector<std::unique_ptr<RunFolderWriter>> writers(4);
            std::latch ready(4);
            {
                std::vector<std::jthread> people;
                for (auto& writer : writers) {
                    people.emplace_back([&] {
                        ready.arrive_and_wait();
                        try {
                            writer = RunFolderWriter::createExact(table_, experiment_, exact);
                        } catch (const Error&) {
                            // Another process was faster.
                        }
                    });
                }
            }
            QCOMPARE(std::count(writers.begin(), writers.end(), nullptr), 3);
            QCOMPARE(readRun(table_, exact).state, RecordedState::Running);
        }
    }

    void runsOfTheSameMomentGetFoldersOfTheirOwn() {
        std::vector<std::unique_ptr<RunFolderWriter>> writers(8);
        {
            std::vector<std::jthread> people;
            for (auto& writer : writers) {
                people.emplace_back([&] { writer = RunFolderWriter::create(table_, experiment_, parent_); });
            }
        }
        std::set<fs::path> folders;
        for (const auto& writer : writers) folders.insert(writer->folder());
        QCOMPARE(folders.size(), writers.size());
    }

    void anyFolderNameWillDo_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("spaces") << "my runs, second try";
        QTest::newRow("not Latin") << QString::fromUtf8("Läufe/実験 1");
        QTest::newRow("quotes") << "the \"good\" one";
        QTest::newRow("a slash at the end") << "runs/";
    }
    void anyFolderNameWillDo() {
        QFETCH(QString, name);
        const fs::path exact = parent_ / name.toStdString();
        {
            const auto writer = RunFolderWriter::createExact(table_, experiment_, exact);
            writer->onStarted(started(experiment_));
            writer->onEvaluated(evaluated(EvaluationKind::Anytime, 992, 0.5));
            writer->onEnded({});
        }
        const RunRecord record = readRun(table_, exact);
        QCOMPARE(record.state, RecordedState::Finished);
        QCOMPARE(record.anytime.size(), std::size_t{1});
        fs::remove_all(exact);
        RunFolderWriter::createExact(table_, experiment_, exact)->discard();
        QVERIFY(!fs::exists(exact));
    }

    void numbersKeepTheirPointInEveryLocale() {
        const char* found = nullptr;
        for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pt_BR.UTF-8"}) {
            if (!found) found = std::setlocale(LC_ALL, name);
        }
        const auto back = qScopeGuard([] { std::setlocale(LC_ALL, "C"); });
        if (!found) QSKIP("No locale with decimal commas is installed.");
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onUpdate(update(1));
        RunEnded end;
        end.summary.a_auc = 0.625;
        writer->onEnded(end);
        QCOMPARE(lines(writer->folder() / "training.csv").at(1), QString("32,1,1.5,0.25,0.005"));
        QCOMPARE(readRun(table_, writer->folder()).summary.a_auc, std::optional(0.625));
        QCOMPARE(readRun(table_, writer->folder()).experiment.training.learning_rate, 0.005);
    }

    void aReusedProcessNumberDoesNotHideACrash() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        auto run = jsonIn(writer->folder() / "run.json");
        run["process"] = "another-boot:1";
        std::ofstream(writer->folder() / "run.json") << run;
        QCOMPARE(readRun(table_, writer->folder()).state, RecordedState::Crashed);
        run["host"] = "another-machine";
        std::ofstream(writer->folder() / "run.json") << run;
        QCOMPARE(readRun(table_, writer->folder()).state, RecordedState::Running);
    }

    // Its process is that machine's, which may have this one's name, as where it is reached by a tunnel.
    void aCopyIsNotJudgedByAProcessOfThisMachine_data() {
        QTest::addColumn<QString>("copied");
        QTest::newRow("the run") << ".";
        QTest::newRow("a folder of runs") << "..";
        QTest::newRow("a sweep") << "../..";
    }
    void aCopyIsNotJudgedByAProcessOfThisMachine() {
        QFETCH(QString, copied);
        const fs::path folder = parent_ / "copy" / "runs" / "one";
        fs::create_directories(folder.parent_path());
        {
            const auto writer = RunFolderWriter::createExact(table_, experiment_, folder);
            auto run = jsonIn(folder / "run.json");
            run["process"] = "another-boot:1";
            std::ofstream(folder / "run.json") << run;
            QCOMPARE(readRunState(folder), RecordedState::Crashed);
            std::ofstream((folder / copied.toStdString()).lexically_normal() / kCopyMark) << "ssh://lab/~/runs\n";
            QCOMPARE(readRunState(folder), RecordedState::Running);
            QCOMPARE(readRun(table_, folder).state, RecordedState::Running);
            writer->discard();
        }
        // One that goes on in the copy, on this machine, is.
        if (copied == ".") return;
        const fs::path own = folder.parent_path() / "own", renamed = folder.parent_path() / "renamed";
        nlohmann::json run;
        {
            const auto writer = RunFolderWriter::createExact(table_, experiment_, own);
            run = jsonIn(own / "run.json");
            run["process"] = "another-boot:1";
            std::ofstream(own / "run.json") << run;
            QCOMPARE(readRunState(own), RecordedState::Crashed);
        }
        std::ofstream(own / "run.json") << run;
        fs::rename(own, renamed);
        QCOMPARE(readRunState(renamed), RecordedState::Crashed);
        const fs::path link = parent_ / ("link" + std::to_string(copied.size()));
        fs::create_directory_symlink(folder.parent_path(), link);
        QCOMPARE(readRunState(link / "renamed"), RecordedState::Crashed);
        // A copy of it is not: it was copied without what is hidden.
        const fs::path bare = folder.parent_path() / "bare";
        fs::create_directory(bare);
        fs::copy_file(renamed / "run.json", bare / "run.json");
        QCOMPARE(readRunState(bare), RecordedState::Running);
        QCOMPARE(readRunState(link / "bare"), RecordedState::Running);
    }

    void theStateAloneIsTheSameAsThatOfTheWholeRun() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        QCOMPARE(readRunState(writer->folder()), RecordedState::Running);
        auto run = jsonIn(writer->folder() / "run.json");
        run["process"] = "another-boot:1";
        std::ofstream(writer->folder() / "run.json") << run;
        QCOMPARE(readRunState(writer->folder()), RecordedState::Crashed);
        QCOMPARE(readRunState(parent_ / "no such run"), RecordedState::None);
    }

    void anAbandonedRunReadsAsFailed() {
        fs::path folder;
        {
            const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
            folder = writer->folder();
        }
        QCOMPARE(readRun(table_, folder).state, RecordedState::Failed);
    }

    void tornAndForeignLinesAreSkipped() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onEvaluated(evaluated(EvaluationKind::Anytime, 992, 0.5));
        writer->onEnded({});
        std::ofstream(writer->folder() / "anytime.csv", std::ios::app)
            << "1,2,x,4,5,6\n1984,0,0.75,0.5,2,59\n2976,0,0.";
        const RunRecord record = readRun(table_, writer->folder());
        QCOMPARE(record.anytime.size(), std::size_t{2});
        QCOMPARE(record.anytime[1].accuracy, 0.75);
        QCOMPARE(record.warnings, (std::vector<std::string>{"anytime.csv line 3: not the numbers of the header.",
                                                            "anytime.csv: the last line is torn and was skipped."}));
    }

    void absurdNumbersDoNoHarm() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        std::ofstream(writer->folder() / "anytime.csv", std::ios::app)
            << "1e300,-inf,0.5,,2,3\n992,0,nan,0.5,2,3\n992,0,,0.5,2,3\n";
        const RunRecord record = readRun(table_, writer->folder());
        QCOMPARE(record.anytime.size(), std::size_t{1});
        QCOMPARE(record.anytime[0].samples_seen, std::int64_t{0});
        QCOMPARE(record.anytime[0].session, std::int64_t{0});
        QVERIFY(std::isnan(record.anytime[0].loss));
        QCOMPARE(record.warnings,
                 std::vector<std::string>{"anytime.csv: 2 evaluations without an accuracy were skipped."});
    }

    void aFileThatIsMissingIsAWarning() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        writer->onEnded({});
        fs::remove(writer->folder() / "sessions.csv");
        fs::remove(writer->folder() / "experiment.toml");
        const RunRecord record = readRun(table_, writer->folder());
        QCOMPARE(record.warnings.size(), std::size_t{2});
        QCOMPARE(record.experiment.name, writer->folder().filename().string());
    }

    void whatIsNoRunIsRefused_data() {
        QTest::addColumn<QString>("json");
        QTest::newRow("empty") << "";
        QTest::newRow("torn") << "{\"state\": \"run";
        QTest::newRow("a list") << "[1, 2]";
        QTest::newRow("without a state") << "{}";
        QTest::newRow("state is a number") << "{\"state\": 5}";
    }
    void whatIsNoRunIsRefused() {
        QFETCH(QString, json);
        QVERIFY_EXCEPTION_THROWN(readRun(table_, parent_), Error);
        std::ofstream(parent_ / "run.json") << json.toStdString();
        QVERIFY_EXCEPTION_THROWN(readRun(table_, parent_), Error);
    }

    void strangeValuesInRunJsonDoNoHarm() {
        std::ofstream(parent_ / "run.json")
            << R"({"state": "running", "pid": "x", "session_starts": 7, "total_samples": "many", "error": 5})";
        const RunRecord record = readRun(table_, parent_);
        QVERIFY(record.session_starts.empty());
        QCOMPARE(record.total_samples, std::int64_t{0});
    }

    void runsAreFoundNewestFirst() {
        std::vector<fs::path> made;
        for (const char* moment :
             {"2024-05-01T00:00:00.000Z", "2025-05-01T00:00:00.000Z", "2023-05-01T00:00:00.000Z"}) {
            const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
            writer->onEnded({});
            auto run = jsonIn(writer->folder() / "run.json");
            run["started"] = moment;
            std::ofstream(writer->folder() / "run.json") << run;
            made.push_back(writer->folder());
        }
        fs::create_directory(parent_ / "other");
        QCOMPARE(findRuns(parent_), (std::vector<fs::path>{made[1], made[0], made[2]}));
        QVERIFY(findRuns(parent_ / "nowhere").empty());
    }

    void aFullDiskIsReportedAtTheNextBatchBorder() {
        // A file size limit simulates the full disk: it fails the same system call. It is set in a child, as a limit
        // cannot be raised again everywhere.
        const pid_t child = fork();
        if (child == 0) {
            signal(SIGXFSZ, SIG_IGN);
            const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
            const rlimit limit{4096, 4096};
            setrlimit(RLIMIT_FSIZE, &limit);
            bool quietBefore = true;
            try {
                writer->throwIfFailed();
            } catch (const Error&) {
                quietBefore = false;
            }
            for (int i = 1; i < 500; ++i) writer->onUpdate(update(i));
            writer->onEvaluated(evaluated(EvaluationKind::Anytime, 992, 0.5));
            const std::string sentence = sentenceOf([&] { writer->throwIfFailed(); });
            const bool named = sentence.find("training.csv: File too large. Make room") != std::string::npos;
            _exit(quietBefore && named ? 0 : 1);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void roomForTheLastWordsIsKeptUntilTheEnd() {
        const auto writer = RunFolderWriter::create(table_, experiment_, parent_);
        QVERIFY2(namelessBytesIn(writer->folder()) >= DiskReserve::kSize, "a sparse file would keep no room");
        QVERIFY(!fs::exists(writer->folder() / ".reserve"));
        writer->onEnded({});
        QCOMPARE(namelessBytesIn(writer->folder()), std::int64_t{0});
    }

    void theRunsFolderFollowsTheEnvironment() {
        const QByteArray before = qgetenv("PALIMPSEST_RUNS");
        qputenv("PALIMPSEST_RUNS", "/somewhere/runs");
        QCOMPARE(defaultRunsFolder(), fs::path("/somewhere/runs"));
        qunsetenv("PALIMPSEST_RUNS");
        qputenv("XDG_DATA_HOME", "/data");
        QCOMPARE(defaultRunsFolder(), fs::path("/data/palimpsest/runs"));
        qunsetenv("XDG_DATA_HOME");
        qputenv("HOME", "/home/someone");
        QCOMPARE(defaultRunsFolder(), fs::path("/home/someone/.local/share/palimpsest/runs"));
        qputenv("PALIMPSEST_RUNS", before);
    }

    void aProcessIsKnownByMoreThanItsNumber() {
        const std::string self = processIdentity(getpid());
        QVERIFY(!self.empty());
        QCOMPARE(processIdentity(getpid()), self);
        QVERIFY(processAlive(getpid(), self));
        QVERIFY(!processAlive(getpid(), self + "0"));
        QVERIFY(!processAlive(0, ""));
    }

private:
    static QStringList lines(const fs::path& file) {
        return QString::fromStdString(readTextFile(file)).split('\n', Qt::SkipEmptyParts);
    }

    const OptionTable table_{testCatalogue()};
    std::unique_ptr<QTemporaryDir> folder_;
    fs::path parent_;
    Experiment experiment_;
};

PALIMPSEST_APPLESS_TEST(TestRunFolder)

}  // namespace tst_run_folder

#include "tst_run_folder.moc"
