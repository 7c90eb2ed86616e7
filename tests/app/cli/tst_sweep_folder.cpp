// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <memory>
#include <set>

#include "app/cli/sweep_folder.h"
#include "engine/report/sweep_table.h"
#include "engine/support/error.h"
#include "tests/support/file_content.h"
#include "tests/support/no_more_files.h"
#include "tests/support/open_files.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_sweep_folder {

namespace fs = std::filesystem;

/// Two sweeps that begin on one folder at the same time.
class TestSweepFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void ofTwoGridsTheFirstThatIsMadeKeepsTheFolder() {
        const FoundGrid mine = grid("seeds = [1]\n"), theirs = grid("seeds = [1, 2]\n");
        SweepFolder first(table_, out(), mine), second(table_, out(), theirs);
        QVERIFY2(!fs::exists(out()), "looking makes nothing");
        first.make(mine);
        const QString refused = complaint([&] { second.make(theirs); });
        QVERIFY2(refused.contains("holds a sweep of another grid (seeds: 1 there, 1, 2 here)"), qPrintable(refused));
        QCOMPARE(test::contentOf(out() / "sweep.toml"), mine.text);
        QCOMPARE(entries(), (std::set<std::string>{"runs", "sweep-base.toml", "sweep.toml"}));
        first.claim(false);
    }

    // A grid with more seeds takes the place of the smaller one, but only alone and only where that is asked for.
    void moreSeedsAreAddedByASweepThatHasTheFolder() {
        const FoundGrid mine = grid("seeds = [1]\n"), more = grid("seeds = [1, 2]\n"), less = grid("seeds = [2]\n");
        auto first = std::make_unique<SweepFolder>(table_, out(), mine);
        first->make(mine);
        first->claim(true);
        QVERIFY(complaint([&] { SweepFolder(table_, out(), more); }).contains("another grid (seeds: 1 there, 1, 2 "));
        QVERIFY(complaint([&] { SweepFolder(table_, out(), less, MoreRuns::Welcome); }).contains("another grid"));
        SweepFolder second(table_, out(), more, MoreRuns::Welcome);
        QVERIFY(second.smaller().has_value());
        QCOMPARE(second.smaller()->grid.seeds, std::vector<std::int64_t>{1});
        QVERIFY(complaint([&] { second.make(more); }).contains("Another sweep is at work"));
        QCOMPARE(test::contentOf(out() / "sweep.toml"), mine.text);
        first.reset();
        second.make(more);
        QCOMPARE(test::contentOf(out() / "sweep.toml"), more.text);
        QVERIFY(!SweepFolder(table_, out(), more).smaller());
    }

    // Seeds that the window added stand in the folder alone.
    void aGridThatWasNotGivenTheAddedSeedsSaysWhatToDo() {
        const FoundGrid mine = grid("seeds = [1]\n"), more = grid("seeds = [1, 4]\n");
        SweepFolder(table_, out(), more).make(more);
        for (const MoreRuns runs : {MoreRuns::Refused, MoreRuns::Welcome}) {
            QString hint;
            try {
                SweepFolder(table_, out(), mine, runs);
            } catch (const Error& error) {
                hint = QString::fromStdString(error.hint());
            }
            QVERIFY2(hint.startsWith("It was given seed 4 since: add the same to grid.toml, or call palimpsest-cli "),
                     qPrintable(hint));
            QVERIFY2(hint.contains(QString::fromStdString((out() / "sweep.toml").string())), qPrintable(hint));
        }
        QVERIFY(complaint([&] { SweepFolder(table_, out(), grid("seeds = [2]\n")); }).contains("another grid"));
    }

    // Tasks begin while the next script is still being submitted; another program that submits has to wait.
    void runsBeginWhileScriptsAreSubmitted() {
        const FoundGrid mine = grid("seeds = [1]\n"), more = grid("seeds = [1, 2]\n");
        SweepFolder(table_, out(), mine).make(mine);
        SweepFolder submitting(table_, out(), more, MoreRuns::Welcome), other(table_, out(), more, MoreRuns::Welcome);
        submitting.claimScripts();
        submitting.make(more);
        SweepFolder task(table_, out(), more);
        QVERIFY(complaint([&] { task.claim(true); }).contains("Another sweep is at work"));
        submitting.release();
        QVERIFY(complaint([&] { task.claim(true); }).isEmpty());
        QVERIFY(complaint([&] { other.claimScripts(); }).contains("is giving the sweep in "));
    }

    // The base can move with its list, also to another machine.
    void aListBesideTheKeptBaseIsNamedFromThere() {
        FoundGrid mine = grid("seeds = [1]\n");
        mine.base.stream.index_list = (out() / "order.txt").string();
        SweepFolder(table_, out(), mine).make(mine);
        QVERIFY(test::contentOf(out() / "sweep-base.toml").find("index_list = \"order.txt\"") != std::string::npos);
        QVERIFY(complaint([&] { SweepFolder(table_, out(), mine); }).isEmpty());
        const fs::path moved = out().parent_path() / "moved";
        fs::rename(out(), moved);
        QCOMPARE(sweepBase(table_, mine.grid, moved / "sweep.toml").stream.index_list, (moved / "order.txt").string());
    }

    // What a grid begins with is kept beside it, and counts as the grid itself does.
    void anotherBaseIsAnotherSweep() {
        const FoundGrid mine = grid("seeds = [1]\n[set]\n\"mask.name\" = \"none\"\n");
        FoundGrid other = mine;
        SweepFolder(table_, out(), mine).make(mine);
        other.base.mask.name = "seen";
        QVERIFY2(complaint([&] { SweepFolder(table_, out(), other); }).isEmpty(), "the grid sets it");
        other.base.stream.sessions += 1;
        const QString refused = complaint([&] { SweepFolder(table_, out(), other); });
        QVERIFY2(refused.contains("with another base (stream.sessions: "), qPrintable(refused));
        QCOMPARE(keptBaseOf(out() / "sweep.toml"), out() / "sweep-base.toml");
        QVERIFY(keptBaseOf(out() / "grid.toml").empty());
        const SweepPlan again = planSweep(table_, mine.grid, out() / "sweep.toml");
        QCOMPARE(again.runs.at(0).experiment.stream.sessions, mine.base.stream.sessions);
    }

    void ofTwoSweepsOfOneGridOneWorksAlone() {
        const FoundGrid same = grid("seeds = [1]\n");
        auto first = std::make_unique<SweepFolder>(table_, out(), same);
        SweepFolder second(table_, out(), same);
        for (SweepFolder* folder : {first.get(), &second}) folder->make(same);
        QVERIFY(second.holdsSweep());
        first->claim(false);
        first->claim(false);
        for (const bool shared : {false, true}) {
            const QString refused = complaint([&] { second.claim(shared); });
            QVERIFY2(refused.contains("Another sweep is at work"), qPrintable(refused));
        }
        first.reset();
        second.claim(false);
    }

    // NFS locks files that are open for writing, for all machines; folders it locks for one.
    void theLockIsOneThatSeveralMachinesSee() {
        const FoundGrid same = grid("seeds = [1]\n");
        SweepFolder folder(table_, out(), same);
        folder.make(same);
        {
            const NoMoreFiles none;
            QVERIFY(!complaint([&] { folder.claim(false); }).isEmpty());
        }
        folder.claim(false);
        QVERIFY(openForWriting(out() / ".sweep.lock"));
    }

    void runsOfOneGridBeginTogether() {
        const FoundGrid same = grid("seeds = [1, 2]\n");
        SweepFolder first(table_, out(), same), second(table_, out(), same);
        for (SweepFolder* folder : {&first, &second}) {
            folder->make(same);
            folder->claim(true);
        }
        QCOMPARE(entries(), (std::set<std::string>{".sweep.lock", "runs", "sweep-base.toml", "sweep.toml"}));
    }

    void aGridThatIsBeingWrittenIsNothingForeign() {
        fs::create_directories(out());
        std::ofstream(out() / "sweep.toml.4711") << "seeds";
        const FoundGrid mine = grid("seeds = [1]\n");
        SweepFolder folder(table_, out(), mine);
        QVERIFY(!folder.holdsSweep());
        folder.make(mine);
        QCOMPARE(test::contentOf(out() / "sweep.toml"), mine.text);
    }

    void aFolderOfSomethingElseIsRefused() {
        fs::create_directories(out());
        std::ofstream(out() / "letter.txt") << "Dear";
        const QString refused = complaint([&] { SweepFolder(table_, out(), grid("seeds = [1]\n")); });
        QVERIFY2(refused.contains("is not empty, and it holds no sweep"), qPrintable(refused));
        QCOMPARE(entries(), (std::set<std::string>{"letter.txt"}));
    }

    void aFileIsNoFolder() {
        std::ofstream(out()) << "seeds = [1]";
        const QString refused = complaint([&] { SweepFolder(table_, out(), grid("seeds = [1]\n")); });
        QVERIFY2(refused.contains("out is a file, and a sweep needs a folder"), qPrintable(refused));
        QCOMPARE(test::contentOf(out()), std::string("seeds = [1]"));
    }

private:
    fs::path out() const { return fs::path(folder_->path().toStdString()) / "out"; }

    FoundGrid grid(const std::string& text) const {
        return {"grid.toml", text, parseSweepGrid(table_, text, "grid.toml", report::sweepMetrics()),
                table_.defaults()};
    }

    std::set<std::string> entries() const {
        std::set<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(out()))
            names.insert(entry.path().filename().string());
        return names;
    }

    /// The error of `work`; empty if there is none.
    template <class Work>
    static QString complaint(const Work& work) {
        try {
            work();
        } catch (const Error& error) {
            return QString::fromUtf8(error.what());
        }
        return {};
    }

    const OptionTable table_{testCatalogue()};
    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestSweepFolder)

}  // namespace tst_sweep_folder

#include "tst_sweep_folder.moc"
