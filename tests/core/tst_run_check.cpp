// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_check.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/record/checkpoints.h"
#include "engine/record/copy_mark.h"
#include "engine/record/predictions.h"
#include "engine/record/resumable.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/text.h"
#include "tests/datasets/errors.h"
#include "tests/support/hostile_files.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;
using namespace palimpsest::testing;

namespace tst_run_check {

namespace fs = std::filesystem;

class TestRunCheck : public QObject {
    Q_OBJECT
    const OptionTable table_{testCatalogue()};
    QTemporaryDir folder_;
    int made_ = 0;

    /// A run that ended after 500 images, with checkpoints after 200 and 400 and an evaluation every 100.
    fs::path makeRun() {
        const fs::path run = folder_.filePath(QString("run-%1").arg(++made_)).toStdString();
        const auto writer = RunFolderWriter::createExact(table_, madeUpExperiment("batch"), run);
        RunStarted started = madeUpStart(1, run.string(), "batch");
        started.test_labels = std::make_shared<const std::vector<std::int32_t>>(20, 3);
        writer->onStarted(started);
        for (std::int64_t samples = 100; samples <= 500; samples += 100) {
            Evaluated event = madeUpEvaluation(1, samples, 0.5);
            event.predictions = std::make_shared<const std::vector<std::int32_t>>(20, samples / 100);
            event.top_classes = std::make_shared<const std::vector<TopClasses>>(20);
            writer->onEvaluated(event);
            UpdateDone update;
            update.samples_seen = samples;
            update.update = samples;
            update.loss = 1.5;
            writer->onUpdate(update);
            if (samples % 200 == 0) writeCheckpoint(*writer, samples);
        }
        writer->onEnded(madeUpEnd(1, RunEnd::Finished));
        return run;
    }

    static void writeCheckpoint(RunFolderWriter& writer, std::int64_t samples) {
        const fs::path tensors = checkpointTensors(writer.folder(), samples);
        fs::create_directories(tensors.parent_path());
        plantText(tensors, "weights after " + std::to_string(samples));
        CheckpointRecord record;
        record.samples_seen = samples;
        record.bytes = static_cast<std::int64_t>(fs::file_size(tensors));
        record.checksum = fileHash(tensors);
        record.mark = writer.mark();
        writeCheckpointRecord(writer.folder(), record);
    }

    /// Overwrites bytes with zeros, from `place` of the file on.
    static void zero(const fs::path& file, std::size_t place, std::size_t count) {
        std::string text = plantedText(file);
        for (std::size_t i = place; i < std::min(text.size(), place + count); ++i) text[i] = '\0';
        plantText(file, text);
    }

    static QString said(const RunCheck& check) {
        QString all;
        for (const std::string& sentence : check.damage) all += QString::fromStdString(sentence) + "\n";
        return all;
    }

    /// Every file of a folder and its content.
    static std::map<std::string, std::string> contentsOf(const fs::path& folder) {
        std::map<std::string, std::string> contents;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file())
                contents[entry.path().lexically_relative(folder).string()] = plantedText(entry.path());
        return contents;
    }

private Q_SLOTS:
    void aSoundRunIsSoundAndStaysAsItIs() {
        const fs::path run = makeRun();
        const auto before = contentsOf(run);
        const RunCheck check = checkRun(table_, run);
        QCOMPARE(said(check), QString());
        QCOMPARE(check.checkpoints, std::int64_t{2});
        QCOMPARE(check.newest_sound, std::optional<std::int64_t>(400));
        QVERIFY(contentsOf(run) == before);
        QVERIFY(inputErrorOf([&] { repairRun(check); }).contains("not damaged"));
        const auto hashes = plantedText(run / "predictions.csv");
        QCOMPARE(std::count(hashes.begin(), hashes.end(), '\n'),
                 std::ptrdiff_t{12});  // header, labels, five evaluations with two files each
    }

    void damageIsNamedAndARepairGoesBackToWhatIsSound_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("place");
        QTest::addColumn<QString>("damage");
        QTest::addColumn<int>("sound");
        QTest::newRow("the end of the past")
            << "anytime.csv" << 130 << "anytime.csv is damaged; up to the checkpoint at 200" << 200;
        QTest::newRow("the newest tensors")
            << "checkpoints/00000400.safetensors" << 3 << "00000400.safetensors is damaged" << 200;
        QTest::newRow("a prediction") << "predictions/00000300.npy" << 130 << "predictions/00000300.npy is damaged"
                                      << 200;
        QTest::newRow("most probable classes")
            << "predictions/top-00000300.npy" << 130 << "predictions/top-00000300.npy is damaged" << 200;
        QTest::newRow("a description") << "checkpoints/00000400.json" << 0 << "description of the checkpoint at 400"
                                       << 200;
        QTest::newRow("the summary") << "summary.json" << 0 << "summary.json cannot be read" << 400;
        QTest::newRow("the run") << "run.json" << 0 << "run.json cannot be read" << 400;
    }
    void damageIsNamedAndARepairGoesBackToWhatIsSound() {
        QFETCH(QString, file);
        QFETCH(int, place);
        QFETCH(QString, damage);
        QFETCH(int, sound);
        const fs::path run = makeRun();
        const std::string name = file.toStdString();
        const bool csv = name.ends_with(".csv");
        // Behind the first checkpoint's part, whatever the rows' length.
        const auto from = csv ? static_cast<std::size_t>(
                                    readCheckpointRecord(checkpointDescription(run, 200)).mark.lengths.at(name) + 2)
                              : static_cast<std::size_t>(place);
        zero(run / name, from, 3);
        const auto before = contentsOf(run);
        const RunCheck check = checkRun(table_, run);
        QVERIFY2(said(check).contains(damage), qPrintable(said(check)));
        QCOMPARE(check.newest_sound, std::optional<std::int64_t>(sound));
        QVERIFY(contentsOf(run) == before);

        const fs::path aside = repairRun(check);
        QCOMPARE(aside.parent_path(), run);
        // What was damaged is kept, byte for byte.
        QCOMPARE(plantedText(aside / name), before.at(name));
        const RunCheck after = checkRun(table_, run);
        QCOMPARE(said(after), QString());
        QCOMPARE(after.newest_sound, std::optional<std::int64_t>(sound));
        if (!check.measured_damaged) {
            // The tables need no repair when only a way to resume is lost.
            QVERIFY(readRunState(run) == RecordedState::Finished);
            QCOMPARE(plantedText(run / "anytime.csv"), before.at("anytime.csv"));
            return;
        }
        QVERIFY(readRunState(run) == RecordedState::Stopped);
        QVERIFY(!fs::exists(run / "summary.json"));
        const RunRecord record = readRun(table_, run);
        QCOMPARE(record.anytime.back().samples_seen, std::int64_t{sound});
        QCOMPARE(predictionMoments(run).back(), std::int64_t{sound});
        QCOMPARE(listCheckpoints(run).front(), std::int64_t{sound});
        resumableExperiment(table_, run);
    }

    void mostProbableClassesGoWithTheAnswersOfTheirMoment() {
        const fs::path run = makeRun();
        fs::remove(predictionsFile(run, 300));
        const RunCheck check = checkRun(table_, run);
        QVERIFY2(said(check).contains("predictions/00000300.npy is not there"), qPrintable(said(check)));
        QVERIFY(std::ranges::any_of(check.notes, [](const std::string& note) {
            return note.starts_with("predictions/top-00000300.npy lies there without the answers");
        }));
        const fs::path aside = repairRun(check);
        for (const std::int64_t moment : {300, 400, 500}) {
            QVERIFY(!fs::exists(topClassesFile(run, moment)));
            QVERIFY(fs::exists(topClassesFile(aside, moment)));
        }
        QVERIFY(fs::exists(topClassesFile(run, 200)));
        QCOMPARE(said(checkRun(table_, run)), QString());
    }

    void aRunThatIsResumedLeavesNoMostProbableClassesBehindItsCheckpoint() {
        const fs::path run = makeRun();
        fs::remove(predictionsFile(run, 500));
        RunFolderWriter::reopen(table_, run, readCheckpointRecord(checkpointDescription(run, 400)).mark);
        QVERIFY(fs::exists(topClassesFile(run, 400)));
        QVERIFY(!fs::exists(topClassesFile(run, 500)));
    }

    void aForkSaysWhichOfItsPastIsNotThere() {
        const fs::path run = makeRun();
        const FolderPosition mark = readCheckpointRecord(checkpointDescription(run, 400)).mark;
        const auto fork = [&](const QString& name) {
            return RunFolderWriter::branch(table_, madeUpExperiment("batch"), {}, folder_.filePath(name).toStdString(),
                                           run, 400, mark);
        };
        QVERIFY(fs::exists(topClassesFile(fork("whole")->folder(), 300)));
        fs::remove(topClassesFile(run, 500));  // behind the fork
        fork("still whole");
        fs::remove(topClassesFile(run, 300));
        const QString refusal = inputErrorOf([&] { fork("lacking"); });
        QVERIFY2(refusal.contains("top-00000300.npy is not there"), qPrintable(refusal));
        QVERIFY(!fs::exists(folder_.filePath("lacking").toStdString()));
    }

    void zeroedRowsArePassedOverWhenARunIsResumed() {
        const fs::path run = makeRun();
        const std::int64_t end = readCheckpointRecord(checkpointDescription(run, 400)).mark.lengths.at("anytime.csv");
        zero(run / "anytime.csv", static_cast<std::size_t>(end) - 3, 3);
        const SoundCheckpoint sound = newestSoundCheckpoint(run);
        QCOMPARE(sound.record.samples_seen, std::int64_t{200});
        QCOMPARE(sound.passed_over.size(), std::size_t{1});
        QCOMPARE(sound.passed_over[0],
                 std::string("The checkpoint at 400 samples is passed over: anytime.csv is damaged."));
        zero(run / "training.csv", 0, 5);
        const QString refusal = inputErrorOf([&] { newestSoundCheckpoint(run); });
        QVERIFY2(refusal.contains("training.csv is damaged") && refusal.contains("runs check"), qPrintable(refusal));
        const RunCheck check = checkRun(table_, run);
        QVERIFY(!check.newest_sound && !check.repairable());
        const auto before = contentsOf(run);
        QVERIFY(inputErrorOf([&] { repairRun(check); }).contains("no sound checkpoint"));
        QVERIFY(contentsOf(run) == before);
    }

    void aCopyWithoutCheckpointsSaysWhereTheyAre() {
        const fs::path run = makeRun();
        fs::remove_all(checkpointsFolder(run));
        QVERIFY(inputErrorOf([&] { newestSoundCheckpoint(run); }).contains("Start it anew."));
        QCOMPARE(checkpointsNear(run, 100), std::string("It has none at all."));
        std::ofstream(run / kCopyMark) << "ssh://node1/data/a run\n";
        const QString refusal = inputErrorOf([&] { newestSoundCheckpoint(run); });
        const QString way =
            QString::fromStdString("palimpsest-cli follow " + shellWord("ssh://node1/data/a run") + " --into " +
                                   shellWord(fs::weakly_canonical(run).string()) + " --with-checkpoints");
        QVERIFY2(refusal.contains(kNoCheckpoint) && refusal.contains(way) && !refusal.contains("anew") &&
                     refusal.contains("Bring checkpoints here"),
                 qPrintable(refusal));
        QVERIFY2(refusal.contains("if it kept any"), qPrintable(refusal));
        QVERIFY(QString::fromStdString(checkpointsNear(run, 100)).contains(way));
        // A run that learned in the copy has left none anywhere else.
        const fs::path file = run / "run.json";
        nlohmann::json json = nlohmann::json::parse(std::ifstream(file));
        json["computed_in"] = markComputedHere(run);
        std::ofstream(file) << json;
        QVERIFY(inputErrorOf([&] { newestSoundCheckpoint(run); }).contains("Start it anew."));
        QCOMPARE(checkpointsNear(run, 100), std::string("It has none at all."));
        // A copy of that one has.
        fs::remove(run / kComputedHere);
        QVERIFY(QString::fromStdString(checkpointsNear(run, 100)).contains(way));
    }

    void growingFilesAreHashedUpToEachCheckpointAtOnce() {
        const fs::path run = makeRun();
        std::vector<CheckpointRecord> records;
        for (const std::int64_t at : listCheckpoints(run))
            records.push_back(readCheckpointRecord(checkpointDescription(run, at)));
        const GrowingHashes hashes = growingHashes(run, records);
        for (const CheckpointRecord& record : records)
            for (const auto& [name, hash] : record.mark.hashes)
                QCOMPARE(hashes.at(name).at(record.mark.lengths.at(name)), hash);
        // Known ones are taken for what they are.
        GrowingHashes others = hashes;
        others["anytime.csv"].begin()->second = "another";
        QVERIFY(checkpointDamage(run, records.back(), hashes).empty());
        QCOMPARE(checkpointDamage(run, records.back(), others), std::string("anytime.csv is damaged"));
        fs::resize_file(run / "anytime.csv", 3);
        QVERIFY(growingHashes(run, records).at("anytime.csv").empty());
    }

    void damagedNotesAreSetAside() {
        const fs::path run = makeRun();
        plantText(run / "library.json", "{\"note\":");
        const RunCheck check = checkRun(table_, run);
        QVERIFY(check.notes_damaged && !check.measured_damaged);
        const fs::path aside = repairRun(check);
        QVERIFY(!fs::exists(run / "library.json"));
        QCOMPARE(plantedText(aside / "library.json"), std::string("{\"note\":"));
    }

    void aRunOfAnOlderVersionIsCheckedByItsLengths() {
        const fs::path run = makeRun();
        fs::remove(run / "predictions.csv");
        for (const std::int64_t at : listCheckpoints(run)) {
            const fs::path file = checkpointDescription(run, at);
            auto json = nlohmann::json::parse(plantedText(file));
            json.erase("hashes");
            json["lengths"].erase("predictions.csv");
            plantText(file, json.dump());
        }
        zero(run / "anytime.csv", 60, 3);
        const RunCheck check = checkRun(table_, run);
        QCOMPARE(said(check), QString());
        QVERIFY(std::any_of(check.notes.begin(), check.notes.end(),
                            [](const std::string& note) { return note.find("older version") != std::string::npos; }));
        QCOMPARE(newestSoundCheckpoint(run).record.samples_seen, std::int64_t{400});
        fs::resize_file(run / "anytime.csv", 60);
        QVERIFY(said(checkRun(table_, run)).contains("anytime.csv has lost its end"));
    }

    void linksInARunAreDamage() {
        const fs::path run = makeRun();
        const fs::path elsewhere = folder_.filePath("elsewhere.csv").toStdString();
        fs::rename(run / "classes.csv", elsewhere);
        const std::string content = plantedText(elsewhere);
        plantLink(run / "classes.csv", elsewhere);
        const RunCheck check = checkRun(table_, run);
        QVERIFY2(said(check).contains("classes.csv is no plain file"), qPrintable(said(check)));
        QVERIFY(!check.newest_sound);
        QCOMPARE(plantedText(elsewhere), content);
    }

    void whatIsNoRunIsNotChecked() {
        const auto refused = [&](const fs::path& folder) {
            try {
                checkRun(table_, folder);
            } catch (const Error& error) {
                return QString::fromStdString(error.what());
            }
            return QString();
        };
        const QString empty = folder_.filePath("empty"), missing = folder_.filePath("missing");
        fs::create_directories(empty.toStdString());
        QCOMPARE(refused(empty.toStdString()), empty + " is not a run folder: it holds no readable run.json.");
        QCOMPARE(refused(missing.toStdString()), "There is no folder " + missing + ".");
    }
};

PALIMPSEST_APPLESS_TEST(TestRunCheck)

}  // namespace tst_run_check

#include "tst_run_check.moc"
