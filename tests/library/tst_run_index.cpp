// SPDX-License-Identifier: GPL-3.0-or-later
#include <sqlite3.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "engine/library/run_family.h"
#include "engine/library/run_index.h"
#include "engine/library/run_query.h"
#include "engine/library/run_trash.h"
#include "engine/record/predictions.h"
#include "engine/record/run_history.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "tests/datasets/errors.h"
#include "tests/support/forkable_run.h"
#include "tests/support/hostile_files.h"
#include "tests/support/no_more_files.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_index {

namespace fs = std::filesystem;

class TestRunIndex : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    struct RunsFolder {
        fs::path runs() const { return folder.path().toStdString(); }
        QTemporaryDir folder;
    };
    static RunRowPtr rowOf(const RunIndex::Scan& scan, const fs::path& run) {
        const auto found =
            std::find_if(scan.rows.begin(), scan.rows.end(), [&](const RunRowPtr& row) { return row->folder == run; });
        return found == scan.rows.end() ? nullptr : *found;
    }
    static void write(const fs::path& file, const QByteArray& text, QIODevice::OpenMode mode = QIODevice::Truncate) {
        QFile out(QString::fromStdString(file.string()));
        QVERIFY(out.open(QIODevice::WriteOnly | mode));
        out.write(text);
    }

private Q_SLOTS:
    void runsOfAFolderThatCannotBeReadAreKnownAsBefore() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen", 7);
        const fs::path deleted = moveToTrash(folder.runs(), writeMadeUpRun(table_, folder.runs(), "batch"));
        RunIndex index(&table_, folder.runs(), RunIndex::Keep::Memory);
        const RunIndex::Scan before = index.reconcile();
        QVERIFY(before.unlisted.empty() && before.rows.size() == 2);
        {
            const NoMoreFiles none;
            const RunIndex::Scan scan = index.reconcile();
            QCOMPARE(scan.unlisted.size(), std::size_t{2});
            QVERIFY2(scan.unlisted[0].starts_with("Cannot read the folder " + folder.runs().string()),
                     scan.unlisted[0].c_str());
            QCOMPARE(rowOf(scan, run), rowOf(before, run));
            QCOMPARE(rowOf(scan, deleted), rowOf(before, deleted));
        }
        QCOMPARE(rowOf(index.reconcile(), run), rowOf(before, run));
        {
            const NoMoreFiles none;
            QVERIFY(test::inputErrorOf([&] { index.clear(); }).startsWith("Cannot read the folder "));
        }
        fs::remove_all(run);
        QVERIFY(!rowOf(index.reconcile(), run));
    }

    void aFolderThatCannotBeReadIsNotEmpty() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen", 7);
        moveToTrash(folder.runs(), writeMadeUpRun(table_, folder.runs(), "batch"));
        const auto complaint = [](const auto& work) {
            const NoMoreFiles none;
            return test::inputErrorOf(work);
        };
        QVERIFY(complaint([&] { findRuns(folder.runs()); }).startsWith("Cannot read the folder "));
        QVERIFY(complaint([&] { trashedRuns(folder.runs()); }).startsWith("Cannot read the folder "));
        fs::create_directory(run / "predictions");
        QVERIFY(complaint([&] { predictionMoments(run); }).startsWith("Cannot read the folder "));
        {
            // One that is shown is not lost with them.
            const NoMoreFiles none;
            const RunHistory history = readHistory(run, 10);
            QVERIFY(std::ranges::any_of(history.warnings, [](const std::string& warning) {
                return warning.starts_with("Cannot read the folder ");
            }));
        }
        QVERIFY(complaint([&] { plainFoldersIn(folder.runs()); }).startsWith("Cannot read the folder "));
        QVERIFY(plainFoldersIn(folder.runs() / "nowhere").empty());
    }

    void aRowHoldsWhatTheFolderSays() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen", 7);
        RunIndex index(&table_, folder.runs());
        const RunIndex::Scan scan = index.reconcile();
        QCOMPARE(scan.rows.size(), std::size_t(1));
        const RunRow& row = *scan.rows[0];
        QCOMPARE(row.folder.string(), run.string());
        QCOMPARE(row.name, std::string("seen run"));
        QCOMPARE(row.mask, std::string("seen"));
        QCOMPARE(row.method, std::string("dualprompt"));
        QCOMPARE(row.dataset, std::string("fashion-mnist"));
        QCOMPARE(row.seed, 7);
        QCOMPARE(row.state, RecordedState::Finished);
        QCOMPARE(row.total_samples, kImages);
        QCOMPARE(row.samples_seen, kImages);
        QCOMPARE(row.sessions, kSessions);
        QCOMPARE(row.a_auc.value(), 0.5);
        QCOMPARE(row.a_last_overall.value(), 0.45);
        QCOMPARE(row.f_last_classwise.value(), 0.35);
        QCOMPARE(row.f_last.value(), 0.3);
        QCOMPARE(row.fingerprint, std::string("0123456789abcdef"));
        QVERIFY(row.modified > 0);
    }

    void aProgramThatLearnedIsCalledByItsOwnName() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen", 7);
        Json document = parsedJson(readTextFile(run / "run.json", FilePlace::InFolder, file_limit::kDocument));
        document["learner"] = {{"name", "nearest\nmean"}, {"version", "2"}, {"sha256", "abc"}};
        replaceTextFile(run / "run.json", document.dump());
        // Read anew, and from the index.
        for (int i = 0; i < 2; ++i) {
            const RunIndex::Scan scan = RunIndex(&table_, folder.runs()).reconcile();
            QCOMPARE(scan.rows.size(), std::size_t(1));
            QCOMPARE(scan.rows[0]->program, std::string("nearest mean"));
        }
        Experiment experiment = readRun(table_, run).experiment;
        QCOMPARE(methodTitle(table_.catalogue(), experiment), std::string("nearest mean"));
        table_.setText(experiment, "method.external_command", "another");
        QVERIFY(methodTitle(table_.catalogue(), experiment) != "nearest mean");
    }

    void aRunThatIsNamedAfterAPresetSaysWhatDiffers() {
        RunsFolder folder;
        QTemporaryDir resources;
        QVERIFY(QDir(resources.path()).mkpath("presets"));
        const fs::path presets = fs::path(resources.path().toStdString()) / "presets";
        const QByteArray rest = "[evaluation]\nevery_samples = 100\nsession_data = \"first-exposed\"\n";
        write(presets / "default.toml", "name = \"none run\"\nseed = 1\n" + rest);
        write(presets / "far.toml", "name = \"none run\"\nseed = 1\n[memory]\nsize = 9\n" + rest);
        write(presets / "seen.toml", "name = \"seen run\"\n[mask]\nname = \"seen\"\n" + rest);
        const QByteArray before = qgetenv("PALIMPSEST_RESOURCES");
        qputenv("PALIMPSEST_RESOURCES", resources.path().toLocal8Bit());
        const fs::path other = writeMadeUpRun(table_, folder.runs(), "none", 7);
        const fs::path same = writeMadeUpRun(table_, folder.runs(), "seen", 7);
        const fs::path own = writeMadeUpRun(table_, folder.runs(), "batch", 7);
        RunIndex(&table_, folder.runs()).reconcile();
        qputenv("PALIMPSEST_RESOURCES", before);
        // What the first index found stands in its file.
        RunIndex index(&table_, folder.runs());
        const RunIndex::Scan scan = index.reconcile();
        QVERIFY(scan.read.empty());
        QCOMPARE(rowOf(scan, other)->preset.preset, std::string("default"));
        QCOMPARE(rowOf(scan, other)->preset.settings, std::vector<std::string>{"mask.name=none"});
        QCOMPARE(differencesText(rowOf(scan, other)->preset), std::string("default: mask.name=none"));
        QCOMPARE(differencesText(rowOf(scan, same)->preset), std::string());
        QCOMPARE(differencesText(rowOf(scan, own)->preset), std::string());
    }

    void longListsOfDifferencesAreCutShort() {
        QCOMPARE(differencesText({"default", {"a=1", "b=2", "c=3", "d=4", "e=5", "f=6"}}),
                 std::string("default: a=1, b=2, c=3, d=4 and 2 more"));
    }

    void lengthsOfPromptsStandInTheFile() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen");
        QFile file(QString::fromStdString((run / "run.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        write(run / "run.json",
              file.readAll().replace("\"prompt_lengths\": {}", "\"prompt_lengths\": {\"method.prompt_length\": 5}"));
        RunIndex(&table_, folder.runs()).reconcile();
        RunIndex index(&table_, folder.runs());
        const RunIndex::Scan scan = index.reconcile();
        QVERIFY(scan.read.empty());
        QCOMPARE(rowOf(scan, run)->prompt_lengths, (PromptLengths{{"method.prompt_length", 5}}));
    }

    void oneHostileFolderKeepsNoOtherFromTheList_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("listed");
        for (const char* kind : {"deep", "pipe", "zero"})
            for (const char* file : {"run.json", "summary.json", "experiment.toml", "anytime.csv", "sessions.csv",
                                     "commands.csv", "training.csv", "memory.csv", "library.json"})
                QTest::addRow("%s as %s", kind, file) << file << kind << (std::string(file) != "run.json");
    }
    void oneHostileFolderKeepsNoOtherFromTheList() {
        QFETCH(QString, file);
        QFETCH(QString, kind);
        QFETCH(bool, listed);
        RunsFolder folder;
        const fs::path good = writeMadeUpRun(table_, folder.runs(), "seen", 7);
        const fs::path evil = writeMadeUpRun(table_, folder.runs(), "batch", 8);
        const fs::path planted = evil / file.toStdString();
        if (kind == "deep") test::plantText(planted, file.endsWith("toml") ? test::deepToml() : test::deepJson());
        if (kind == "pipe") test::plantPipe(planted);
        if (kind == "zero") test::plantLink(planted, "/dev/zero");
        RunIndex index(&table_, folder.runs());
        const RunIndex::Scan scan = index.reconcile();
        QVERIFY(rowOf(scan, good));
        QCOMPARE(rowOf(scan, evil) != nullptr, listed);
        QCOMPARE(scan.unreadable.size(), listed ? std::size_t{0} : std::size_t{1});
        QVERIFY(findRuns(folder.runs()).size() >= 1);
    }

    void aLinkToARunIsNamedAndNotFollowed() {
        RunsFolder folder, elsewhere;
        const fs::path run = writeMadeUpRun(table_, elsewhere.runs(), "seen");
        fs::create_directory_symlink(run, folder.runs() / "linked");
        RunIndex index(&table_, folder.runs());
        const RunIndex::Scan scan = index.reconcile();
        QVERIFY(scan.rows.empty());
        QCOMPARE(scan.unreadable.size(), std::size_t{1});
        QVERIFY2(scan.unreadable[0].find("linked is a link") != std::string::npos, scan.unreadable[0].c_str());
        QVERIFY(findRuns(folder.runs()).empty());
    }

    void anIndexThatIsALinkIsLeftAlone() {
        RunsFolder folder, elsewhere;
        writeMadeUpRun(table_, folder.runs(), "seen");
        // Another program's database, which our version of the table would replace.
        const fs::path theirs = elsewhere.runs() / "theirs.sqlite";
        {
            sqlite3* database = nullptr;
            QCOMPARE(sqlite3_open(theirs.c_str(), &database), SQLITE_OK);
            QCOMPARE(sqlite3_exec(database, "CREATE TABLE runs (mine TEXT); INSERT INTO runs VALUES ('kept')", nullptr,
                                  nullptr, nullptr),
                     SQLITE_OK);
            sqlite3_close(database);
        }
        const std::string before = test::plantedText(theirs);
        for (const char* ending : {"", "-wal", "-journal"}) {
            const fs::path index = RunIndex::fileOf(folder.runs()).string() + ending;
            test::plantLink(index, theirs);
            {
                RunIndex listed(&table_, folder.runs());
                QCOMPARE(listed.reconcile().rows.size(), std::size_t{1});
                QVERIFY(QString::fromStdString(listed.takeNotice()).contains("no plain file"));
            }
            QVERIFY(test::plantedText(theirs) == before);
            fs::remove(index);
        }
    }

    void foreignWordsAreMadePlain() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen");
        write(run / "library.json", "{\"note\": \"\\u001b]52;c;x\\u0007 and \\u202e back\\nsecond\"}");
        RunIndex index(&table_, folder.runs());
        const RunIndex::Scan scan = index.reconcile();
        QCOMPARE(scan.rows[0]->notes.note, std::string("?]52;c;x? and ??? back\nsecond"));
    }

    void anotherProgramFindsTheSameRowsWithoutReadingARun() {
        RunsFolder folder;
        const fs::path a = writeMadeUpRun(table_, folder.runs(), "seen", 7);
        const fs::path b = writeStoppedRun(table_, folder.runs());
        RunIndex::Scan first;
        {
            RunIndex index(&table_, folder.runs());
            index.reconcile();
            RunNotes notes{{"x", "y"}, "a note", "#112233", true};
            index.setNotes(a, notes);
            first = index.reconcile();
        }
        RunIndex again(&table_, folder.runs());
        const RunIndex::Scan scan = again.reconcile();
        QVERIFY(scan.read.empty());
        for (const fs::path& run : {a, b}) {
            const RunRow &was = *rowOf(first, run), &is = *rowOf(scan, run);
            QCOMPARE(is.signature, was.signature);
            QCOMPARE(is.name, was.name);
            QCOMPARE(is.state, was.state);
            QCOMPARE(is.family, was.family);
            for (const ListedMetric& metric : kListedMetrics) QCOMPARE(is.*metric.value, was.*metric.value);
            QCOMPARE(is.sessions_ended, was.sessions_ended);
            QCOMPARE(is.area_whole, was.area_whole);
            QCOMPARE(is.modified, was.modified);
            QVERIFY(is.notes == was.notes);
        }
        QCOMPARE(rowOf(scan, a)->notes.colour, std::string("#112233"));
    }

    void whereARunWasForkedIsKept() {
        RunsFolder folder;
        const fs::path parent = writeForkableRun(table_, folder.runs(), "batch", {});
        const fs::path fork = writeForkableRun(table_, folder.runs(), "none", {});
        nameParent(fork, parent, 1250);
        RunIndex(&table_, folder.runs()).reconcile();
        RunIndex again(&table_, folder.runs());
        const RunIndex::Scan scan = again.reconcile();
        QVERIFY(scan.read.empty());
        QCOMPARE(rowOf(scan, fork)->parent.string(), parent.string());
        QCOMPARE(rowOf(scan, fork)->forked_at, std::int64_t{1250});
        QVERIFY(rowOf(scan, parent)->parent.empty());
        QCOMPARE(rowOf(scan, parent)->forked_at, std::int64_t{-1});
    }

    void whatWasChangedOnTheWayIsKeptAndFound() {
        RunsFolder folder;
        const fs::path changed = writeForkableRun(table_, folder.runs(), "batch", {}, "seen");
        const fs::path plain = writeForkableRun(table_, folder.runs(), "batch", {});
        RunIndex(&table_, folder.runs()).reconcile();
        RunIndex again(&table_, folder.runs());
        const RunIndex::Scan scan = again.reconcile();
        QVERIFY(scan.read.empty());
        QCOMPARE(rowOf(scan, changed)->mask, std::string("batch"));
        QVERIFY(rowOf(scan, changed)->changes == (std::vector<LiveChange>{{"mask.name", "seen", 800}}));
        QVERIFY(rowOf(scan, plain)->changes.empty());
        for (const char* words : {"mask:seen", "seen"}) {
            QVERIFY(RunQuery(words).matches(*rowOf(scan, changed)));
            QVERIFY(!RunQuery(words).matches(*rowOf(scan, plain)));
        }
    }

    void onlyWhatWasWrittenIsReadAgain() {
        RunsFolder folder;
        const fs::path still = writeMadeUpRun(table_, folder.runs(), "seen");
        const fs::path grown = writeMadeUpRun(table_, folder.runs(), "none");
        RunIndex index(&table_, folder.runs());
        const RunIndex::Scan before = index.reconcile();
        QCOMPARE(before.read.size(), std::size_t(2));
        write(grown / "anytime.csv", "6500,4,0.5,1,10,600\n", QIODevice::Append);
        const RunIndex::Scan after = index.reconcile();
        QCOMPARE(after.read.size(), std::size_t(1));
        QCOMPARE(after.read[0]->folder, grown);
        QCOMPARE(rowOf(after, grown)->samples_seen, 6500);
        QCOMPARE(rowOf(after, still), rowOf(before, still));
    }

    void runsThatAreGoneLeaveTheIndex() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen");
        {
            RunIndex index(&table_, folder.runs());
            index.reconcile();
        }
        fs::remove_all(run);
        RunIndex index(&table_, folder.runs());
        QVERIFY(index.reconcile().rows.empty());
        RunIndex again(&table_, folder.runs());
        QVERIFY(again.scan({run}).rows.empty());
    }

    void deletedRunsAreMarked() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen");
        const fs::path trashed = moveToTrash(folder.runs(), run);
        RunIndex index(&table_, folder.runs());
        const RunIndex::Scan scan = index.reconcile();
        QVERIFY(!rowOf(scan, run));
        QVERIFY(rowOf(scan, trashed)->trashed);
        restoreFromTrash(folder.runs(), trashed);
        QVERIFY(!rowOf(index.reconcile(), run)->trashed);
    }

    void anIndexThatIsLostLosesNothing() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen");
        {
            RunIndex index(&table_, folder.runs());
            index.reconcile();
            index.setNotes(run, {{"keep"}, "words", "#0072b2", false});
        }
        QVERIFY(fs::remove(RunIndex::fileOf(folder.runs())));
        RunIndex index(&table_, folder.runs());
        const RunRowPtr row = rowOf(index.reconcile(), run);
        QCOMPARE(row->notes.note, std::string("words"));
        QCOMPARE(tagsText(row->notes.tags), std::string("keep"));
        index.clear();
        QCOMPARE(rowOf(index.reconcile(), run)->notes.note, std::string("words"));
    }

    void aDamagedIndexIsSetAsideAndMadeAnew_data() {
        QTest::addColumn<bool>("whole");
        QTest::newRow("no database at all") << true;
        QTest::newRow("a broken page") << false;
    }
    void aDamagedIndexIsSetAsideAndMadeAnew() {
        QFETCH(bool, whole);
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen");
        {
            RunIndex index(&table_, folder.runs());
            index.reconcile();
        }
        const fs::path file = RunIndex::fileOf(folder.runs());
        if (whole) {
            write(file, QByteArray(5000, 'x'));
        } else {
            QFile out(QString::fromStdString(file.string()));
            QVERIFY(out.open(QIODevice::ReadWrite));
            QVERIFY(out.size() > 4096);
            out.seek(4096);
            out.write(QByteArray(int(out.size()) - 4096, 'x'));
        }
        RunIndex index(&table_, folder.runs());
        const std::string notice = index.takeNotice();
        QVERIFY2(QString::fromStdString(notice).contains("damaged"), notice.c_str());
        QVERIFY(index.takeNotice().empty());
        QVERIFY(fs::exists(file.string() + ".damaged"));
        QVERIFY(rowOf(index.reconcile(), run));
    }

    void aNewerIndexIsRefusedAndLeftAlone() {
        RunsFolder folder;
        writeMadeUpRun(table_, folder.runs(), "seen");
        { RunIndex index(&table_, folder.runs()); }
        const std::string file = RunIndex::fileOf(folder.runs()).string();
        sqlite3* database = nullptr;
        QCOMPARE(sqlite3_open(file.c_str(), &database), SQLITE_OK);
        QCOMPARE(sqlite3_exec(database, "PRAGMA user_version=99", nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
        const QString refusal = test::inputErrorOf([&] { RunIndex index(&table_, folder.runs()); });
        QVERIFY2(refusal.contains("newer version"), qPrintable(refusal));
        QVERIFY(fs::exists(file));
        QVERIFY(!fs::exists(file + ".damaged"));
        RunIndex other(&table_, folder.runs(), RunIndex::Keep::Memory);
        QCOMPARE(other.reconcile().rows.size(), std::size_t(1));
    }

    void whereNothingCanBeWrittenTheIndexLivesInMemory() {
        RunIndex index(&table_, "/no/such/folder");
        QVERIFY(!index.kept());
        QVERIFY(index.reconcile().rows.empty());
    }

    void aFolderThatIsNoRunIsNamedAndTheOthersAreListed() {
        RunsFolder folder;
        const fs::path run = writeMadeUpRun(table_, folder.runs(), "seen");
        fs::create_directory(folder.runs() / "odd");
        write(folder.runs() / "odd" / "run.json", "[]");
        fs::create_directory(folder.runs() / "plain");
        RunIndex index(&table_, folder.runs());
        const RunIndex::Scan scan = index.reconcile();
        QCOMPARE(scan.rows.size(), std::size_t(1));
        QCOMPARE(scan.unreadable.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(scan.unreadable[0]).contains("odd"));
        QVERIFY(rowOf(scan, run));
    }

    void runsFromElsewhereAreListedButNotKept() {
        RunsFolder folder, elsewhere;
        const fs::path run = writeMadeUpRun(table_, elsewhere.runs(), "seen");
        {
            RunIndex index(&table_, folder.runs());
            QVERIFY(rowOf(index.reconcile({run}), run));
            QVERIFY(rowOf(index.scan({run}), run));
        }
        RunIndex again(&table_, folder.runs());
        QVERIFY(!rowOf(again.reconcile(), run));
    }

    void twoIndexesOfOneFolderGetAlong() {
        RunsFolder folder;
        RunIndex one(&table_, folder.runs()), other(&table_, folder.runs());
        const fs::path a = writeMadeUpRun(table_, folder.runs(), "seen");
        one.reconcile();
        other.reconcile();
        const fs::path b = writeMadeUpRun(table_, folder.runs(), "none");
        QVERIFY(rowOf(other.reconcile(), b));
        one.setNotes(a, {{}, "from one", {}, false});
        QCOMPARE(rowOf(other.reconcile(), a)->notes.note, std::string("from one"));
    }

    void seedsOfOneExperimentAreAFamily() {
        RunsFolder folder;
        for (const int seed : {1, 2, 3}) writeMadeUpRun(table_, folder.runs(), "seen", seed);
        writeMadeUpRun(table_, folder.runs(), "none", 1);
        RunIndex index(&table_, folder.runs());
        const std::vector<RunRowPtr> rows = index.reconcile().rows;
        const std::vector<RunFamily> families = familiesOf(rows, {0, 1, 2, 3});
        QCOMPARE(families.size(), std::size_t(2));
        std::vector<std::size_t> sizes{families[0].members.size(), families[1].members.size()};
        std::sort(sizes.begin(), sizes.end());
        QCOMPARE(sizes, (std::vector<std::size_t>{1, 3}));
        QCOMPARE(families[0].spreads[0].mean, 0.5);
        QCOMPARE(families[0].spreads[0].count + families[1].spreads[0].count, 4);
    }

    void aRepeatedSeedCountsOnceInItsFamily() {
        const auto row = [](std::int64_t seed, double area, const std::string& started, const std::string& state) {
            RunRow made;
            made.family = "one";
            made.seed = seed;
            made.a_auc = area;
            made.started = started;
            made.state = recordedState(state);
            return std::make_shared<const RunRow>(made);
        };
        const std::vector<RunRowPtr> rows{
            row(1, 0.9, "2026-03-01T10:00:00Z", "finished"), row(2, 0.4, "2026-03-01T11:00:00Z", "finished"),
            row(1, 0.6, "2026-03-01T12:00:00Z", "finished"), row(3, 0.1, "2026-03-01T13:00:00Z", "running")};
        const std::vector<RunFamily> families = familiesOf(rows, {0, 1, 2, 3});
        QCOMPARE(families.size(), std::size_t{1});
        QCOMPARE(families[0].members.size(), std::size_t{4});
        QCOMPARE(families[0].spreads[0].count, 2);
        QCOMPARE(families[0].spreads[0].mean, 0.5);
    }

    void aRunChangedOnItsWayIsNoneOfTheFamily() {
        const RunRecord plain = madeUpRecord("/runs/a", "batch", 0.5, 1);
        RunRecord changed = madeUpRecord("/runs/b", "batch", 0.5, 2);
        QCOMPARE(palimpsest::rowOf(table_, plain).family, palimpsest::rowOf(table_, changed).family);
        changed.changes = {{"mask.name", "none", 800}};
        QVERIFY(palimpsest::rowOf(table_, plain).family != palimpsest::rowOf(table_, changed).family);
    }
};

PALIMPSEST_GUILESS_TEST(TestRunIndex)

}  // namespace tst_run_index

#include "tst_run_index.moc"
