// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "engine/record/run_folder.h"
#include "engine/record/run_folder_writer.h"
#include "engine/support/file_io.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_memory_balance {

namespace fs = std::filesystem;

namespace {

using Counts = std::vector<std::optional<std::int64_t>>;

MemoryHeld held(std::int64_t samplesSeen, std::vector<std::int32_t> labels, std::vector<std::int32_t> seen) {
    MemoryHeld event;
    event.samples_seen = samplesSeen;
    event.capacity = 10;
    std::vector<KeptSample> kept;
    for (const std::int32_t label : labels) kept.push_back({static_cast<std::int64_t>(kept.size()), label});
    event.kept = std::move(kept);
    event.seen_classes = std::move(seen);
    return event;
}

RunStarted started(const Experiment& experiment) {
    auto plan = std::make_shared<StreamPlan>();
    plan->sessions = {{0, 1}, {2, 3}};
    plan->disjoint_classes = {{2}, {}};
    plan->blurry_classes = {{}, {0}};
    RunStarted event;
    event.experiment = experiment;
    event.plan = plan;
    event.class_names = {"cat", "dog", "owl"};
    return event;
}

}  // namespace

class TestMemoryBalance : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        parent_ = std::make_unique<QTemporaryDir>();
        experiment_ = table_.defaults();
        experiment_.memory.size = 10;
    }

    void everyClassThatHasComeIsCounted() {
        const MemoryBalance balance = balanceOf(held(64, {2, 0, 2}, {2, 3, 0}), 6);
        QCOMPARE(balance.samples_seen, std::int64_t{64});
        QVERIFY((balance.kept == Counts{1, std::nullopt, 2, 0, std::nullopt, std::nullopt}));
        QCOMPARE(balance.total(), std::int64_t{3});
        QVERIFY((balanceOf(held(0, {3}, {3}), 0).kept == Counts{std::nullopt, std::nullopt, std::nullopt, 1}));
    }

    void aRowReadsBackAsItWasWritten() {
        const MemoryBalance balance = balanceOf(held(64, {2, 0, 2}, {2, 3, 0}), 5);
        QVERIFY((memoryRow(balance) == std::vector<std::string>{"64", "1", "", "2", "0", ""}));
        QVERIFY((memoryColumns(2) == std::vector<std::string>{"samples_seen", "class_0", "class_1"}));
        std::string header;
        for (const std::string& column : memoryColumns(5)) header += (header.empty() ? "" : ",") + column;
        const fs::path file = written(header + "\n64,1,,2,0,\n");
        QVERIFY(readLastBalance(file, 5).balance == balance);
        QVERIFY(readLastBalance(file, kMostClasses).balance == balance);
    }

    void copiesOfTheNewsShareWhatIsKept() {
        const MemoryHeld event = held(64, {2, 0, 2}, {2, 0}), copy = event;
        QVERIFY(copy.kept.shares(event.kept));
        QCOMPARE(copy.kept.begin(), event.kept.begin());
        QVERIFY(!held(64, {2, 0, 2}, {2, 0}).kept.shares(event.kept));
        const KeptSamples none;
        QVERIFY(none.empty() && none.begin() == none.end());
    }

    void onlyTheEndOfALongFileIsRead() {
        std::string text = "samples_seen,class_0,class_1\n";
        for (int row = 0; row < 10'000; ++row) text += "no row at all\n";
        const LastBalance last = readLastBalance(written(text + "64,1,2\n96,2,2\n"), 2);
        QVERIFY(last.balance);
        QCOMPARE(last.balance->samples_seen, std::int64_t{96});
        QVERIFY(last.warnings.empty());
        // Rows before the last ones are not searched either.
        QVERIFY(!readLastBalance(written(text), 2).balance);
    }

    void noMoreColumnsAreReadThanThereAreClasses() {
        const fs::path file = written("samples_seen,class_0,class_1,class_2\n64,1,2,many\n");
        QVERIFY(!readLastBalance(file, 3).balance);
        QVERIFY((readLastBalance(file, 2).balance->kept == Counts{1, 2}));
        std::string header = "samples_seen", row = "64";
        for (std::size_t label = 0; label < kMostClasses + 10; ++label) {
            header += ",class_" + std::to_string(label);
            row += ",1000000000000";
        }
        const LastBalance last = readLastBalance(written(header + "\n" + row + "\n"), kMostClasses);
        QVERIFY(last.balance);
        QCOMPARE(last.balance->kept.size(), kMostClasses);
        QCOMPARE(last.balance->total(), std::int64_t(kMostClasses) * 1'000'000'000'000);
    }

    void aFolderWithoutNamesOfClassesStillHasItsBalance() {
        const auto writer = makeWriter();
        writer->onStarted(started(experiment_));
        writer->onMemory(held(64, {2, 2, 0}, {2, 0}));
        writer->onEnded({});
        QFile file(QString::fromStdString((writer->folder() / "run.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject run = QJsonDocument::fromJson(file.readAll()).object();
        file.close();
        run.remove("class_names");
        run.remove("class_kinds");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(run).toJson());
        file.close();
        const RunRecord record = readRun(table_, writer->folder());
        QVERIFY(record.class_names.empty() && record.class_kinds.empty() && record.warnings.empty());
        QVERIFY(record.memory);
        QVERIFY((record.memory->kept == Counts{1, std::nullopt, 2}));
    }

    void aRunWithAMemoryRecordsItsBalance() {
        const auto writer = makeWriter();
        writer->onStarted(started(experiment_));
        QVERIFY(!fs::exists(writer->folder() / "memory.csv"));
        writer->onMemory(held(32, {2, 2}, {2}));
        writer->onMemory(held(64, {2, 2, 0}, {2, 0}));
        // The same moment occurs again, with another image of the same class.
        MemoryHeld again = held(64, {2, 2, 0}, {2, 0});
        again.kept = std::vector<KeptSample>{{77, 2}, {1, 2}, {2, 0}};
        writer->onMemory(again);
        writer->onMemory(held(96, {2, 0, 0}, {2, 0}));
        QCOMPARE(readTextFile(writer->folder() / "memory.csv"),
                 std::string("samples_seen,class_0,class_1,class_2\n32,,,2\n64,1,,2\n96,2,,1\n"));
        const RunRecord record = readRun(table_, writer->folder());
        QVERIFY(record.warnings.empty());
        QVERIFY(record.memory);
        QCOMPARE(record.memory->samples_seen, std::int64_t{96});
        QVERIFY((record.memory->kept == Counts{2, std::nullopt, 1}));
        QVERIFY((record.class_names == std::vector<std::string>{"cat", "dog", "owl"}));
        QVERIFY((record.class_kinds == std::vector<std::string>{"blurry", "", "disjoint"}));
    }

    void aRunWithoutAMemoryHasNoSuchFile() {
        const auto writer = makeWriter();
        writer->onStarted(started(experiment_));
        writer->onEnded({});
        QVERIFY(!fs::exists(writer->folder() / "memory.csv"));
        const RunRecord record = readRun(table_, writer->folder());
        QVERIFY(!record.memory);
        QVERIFY(record.warnings.empty());
    }

    void whatIsCutOrWrongIsSkipped_data() {
        QTest::addColumn<QString>("added");
        QTest::addColumn<qint64>("last");
        QTest::addColumn<QString>("warning");
        const QString no_count = "memory.csv: a row that counts no images was skipped.";
        QTest::newRow("sound") << "96,3,,1\n" << qint64(96) << "";
        QTest::newRow("torn") << "96,3" << qint64(64) << "memory.csv: the last line is torn and was skipped.";
        QTest::newRow("letters") << "96,x,,1\n" << qint64(64) << no_count;
        QTest::newRow("too short") << "96,3\n" << qint64(64) << no_count;
        QTest::newRow("too long") << "96,3,,1,1\n" << qint64(64) << no_count;
        QTest::newRow("less than none") << "96,-3,,1\n" << qint64(64) << no_count;
        QTest::newRow("half an image") << "96,0.5,,1\n" << qint64(64) << no_count;
        QTest::newRow("more than can be counted") << "96,1e300,,1\n" << qint64(64) << no_count;
        QTest::newRow("more than any memory holds") << "96,1000000000001,,1\n" << qint64(64) << no_count;
        QTest::newRow("an empty line") << "\n" << qint64(64) << no_count;
        QTest::newRow("without a moment") << ",3,,1\n" << qint64(64) << no_count;
    }
    void whatIsCutOrWrongIsSkipped() {
        QFETCH(QString, added);
        QFETCH(qint64, last);
        QFETCH(QString, warning);
        const auto writer = makeWriter();
        writer->onStarted(started(experiment_));
        writer->onMemory(held(64, {2, 2, 0}, {2, 0}));
        writer->onEnded({});
        std::ofstream(writer->folder() / "memory.csv", std::ios::app) << added.toStdString();
        const RunRecord record = readRun(table_, writer->folder());
        QVERIFY(record.memory);
        QCOMPARE(qint64(record.memory->samples_seen), last);
        QStringList warnings;
        for (const std::string& text : record.warnings) warnings.append(QString::fromStdString(text));
        QCOMPARE(warnings, warning.isEmpty() ? QStringList() : QStringList{warning});
    }

    void aFileThatIsSomethingElseDoesNoHarm_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("warning");
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("a header alone") << "samples_seen,class_0\n"
                                        << "";
        QTest::newRow("another table") << "a,b\n1,2\n"
                                       << "memory.csv line 1: there is no column samples_seen.";
        QTest::newRow("no classes") << "samples_seen\n64\n"
                                    << "memory.csv line 1: there is no column class_0.";
    }
    void aFileThatIsSomethingElseDoesNoHarm() {
        QFETCH(QString, text);
        QFETCH(QString, warning);
        const auto writer = makeWriter();
        writer->onEnded({});
        std::ofstream(writer->folder() / "memory.csv") << text.toStdString();
        const RunRecord record = readRun(table_, writer->folder());
        QVERIFY(!record.memory);
        QCOMPARE(record.warnings.size(), std::size_t(warning.isEmpty() ? 0 : 1));
        if (!warning.isEmpty()) QCOMPARE(QString::fromStdString(record.warnings[0]), warning);
    }

    void aMemoryFileThatCannotBeWrittenIsToldAtTheNextBorder() {
        const auto writer = makeWriter();
        writer->onStarted(started(experiment_));
        // A folder blocks the name of the file.
        fs::create_directory(writer->folder() / "memory.csv");
        writer->onMemory(held(64, {2}, {2}));
        QString sentence;
        try {
            writer->throwIfFailed();
        } catch (const Error& error) {
            sentence = QString::fromStdString(error.sentence());
        }
        QVERIFY2(sentence.contains("memory.csv"), qPrintable(sentence));
    }

private:
    std::unique_ptr<RunFolderWriter> makeWriter() {
        return RunFolderWriter::create(table_, experiment_, parent_->path().toStdString());
    }

    fs::path written(const std::string& text) const {
        const fs::path file = fs::path(parent_->path().toStdString()) / "memory.csv";
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }

    const OptionTable table_{testCatalogue()};
    Experiment experiment_;
    std::unique_ptr<QTemporaryDir> parent_;
};

PALIMPSEST_APPLESS_TEST(TestMemoryBalance)

}  // namespace tst_memory_balance

#include "tst_memory_balance.moc"
