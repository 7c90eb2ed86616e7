// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <cstdint>
#include <filesystem>
#include <map>

#include "engine/record/copy_mark.h"
#include "engine/report/sweep_watch.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/sweep/slurm_cluster.h"
#include "tests/support/made_up_sweep.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;
using namespace palimpsest::testing;

namespace tst_sweep_watch {

namespace fs = std::filesystem;

class TestSweepWatch : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    struct Scene {
        QTemporaryDir dir;
        fs::path folder = fs::path(dir.path().toStdString()) / "sweep";
    };
    static QString words(const WatchedSweep& sweep, std::size_t run) {
        return QString::fromStdString(sweep.runs.at(run).words);
    }
    QString refusal(const fs::path& folder) const {
        try {
            SweepWatch(&table_, folder).look(10);
        } catch (const Error& error) {
            return QString::fromStdString(error.sentence());
        }
        return {};
    }

private Q_SLOTS:
    void aSweepThatHasNotBegunWaits() {
        Scene scene;
        makeSweepFolder(table_, scene.folder, "1-3");
        SweepWatch watch(&table_, scene.folder);
        const auto sweep = watch.look(100);
        QVERIFY(sweep && sweep->whole);
        QCOMPARE(sweep->runs.size(), std::size_t{6});
        QCOMPARE(sweep->lines.size(), std::size_t{2});
        QCOMPARE(words(*sweep, 0), QString("waiting"));
        QVERIFY(!sweep->left);
        QVERIFY2(!watch.look(100), "nothing has changed");
    }

    void itFollowsItsRuns() {
        Scene scene;
        const SweepPlan plan = makeSweepFolder(table_, scene.folder, "1-3");
        SweepWatch watch(&table_, scene.folder);
        watch.look(100);
        writeSweepRun(table_, plan.runs[0], scene.folder, {});
        auto sweep = watch.look(100);
        QVERIFY(sweep);
        QVERIFY2(words(*sweep, 0).startsWith("running on "), qPrintable(words(*sweep, 0)));
        QVERIFY2(words(*sweep, 0).contains("50 %"), qPrintable(words(*sweep, 0)));
        QCOMPARE(sweep->runs[0].curve.size(), std::size_t{6});
        QCOMPARE(sweep->look, std::int64_t{2});
        QVERIFY(sweep->same_rows);
        QCOMPARE(sweep->changed, std::vector<std::size_t>{0});
        QCOMPARE(sweep->counts.at(RecordedState::Running), 1);
        QCOMPARE(sweep->counts.at(RecordedState::None), 5);
        QCOMPARE(sweep->runs[1].state, RecordedState::None);
        // Each baseline's seed is twenty points below the other row's.
        fs::remove_all(scene.folder / "runs" / plan.runs[0].folder);
        for (const SweepRun& run : plan.runs)
            writeSweepRun(table_, run, scene.folder,
                          0.4 + 0.2 * static_cast<double>(run.line) + 0.01 * static_cast<double>(run.experiment.seed) +
                              0.001 * static_cast<double>(run.line * static_cast<std::size_t>(run.experiment.seed)));
        sweep = watch.look(100);
        QVERIFY(sweep);
        QCOMPARE(words(*sweep, 0), QString("finished"));
        const SweepCell& cell = sweep->table.lines.at(1).cells.at(0);
        QCOMPARE(cell.comparison.evidence.difference.count, std::int64_t{3});
        QVERIFY(cell.comparison.evidence.distinguishable());
        QVERIFY(cell.comparison.evidence.low() > 0.19 && cell.comparison.evidence.high() < 0.22);
    }

    void aLongSweepIsReadInParts() {
        Scene scene;
        const SweepPlan plan = makeSweepFolder(table_, scene.folder, "1-5");
        for (const SweepRun& run : plan.runs) writeSweepRun(table_, run, scene.folder, 0.5);
        SweepWatch watch(&table_, scene.folder);
        auto sweep = watch.look(4);
        QVERIFY(sweep && !sweep->whole);
        QCOMPARE(words(*sweep, 3), QString("finished"));
        QCOMPARE(words(*sweep, 4), QString("not read yet"));
        QVERIFY(sweep->table.lines.empty());
        watch.look(4);
        sweep = watch.look(4);
        QVERIFY(sweep && sweep->whole);
        QCOMPARE(words(*sweep, 9), QString("finished"));
        QCOMPARE(sweep->table.lines.at(0).runs, std::int64_t{5});
    }

    // Of a copy, the grid may come before the folders, which have the numbers that runs had before rows were added.
    void foldersThatComeLaterUnderOldNumbersAreFound() {
        Scene scene;
        const SweepPlan plan = makeSweepFolder(table_, scene.folder, "1-3");
        SweepWatch watch(&table_, scene.folder);
        auto sweep = watch.look(100);
        QVERIFY(sweep);
        QCOMPARE(sweep->counts.at(RecordedState::None), 6);
        for (const std::size_t place : {std::size_t{3}, std::size_t{5}}) {
            SweepRun old = plan.runs[place];
            QVERIFY(old.folder.starts_with("00"));
            old.folder.replace(0, 3, "0" + std::to_string(20 + place));
            writeSweepRun(table_, old, scene.folder, 0.5);
            sweep = watch.look(100);
            QVERIFY(sweep);
            QCOMPARE(words(*sweep, place), QString("finished"));
            QCOMPARE(sweep->runs[place].folder, old.folder);
        }
        QCOMPARE(sweep->counts.at(RecordedState::None), 4);
        QVERIFY2(!watch.look(100), "nothing has changed");
    }

    void aComplaintOfSlurmGoesWhenItAnswers() {
        Scene scene;
        makeSweepFolder(table_, scene.folder, "1-3");
        replaceTextFile(scene.folder / kCopyMark, "ssh://lab/~/sweeps/masks\n");
        SweepWatch watch(&table_, scene.folder);
        QVERIFY(watch.look(100)->note.empty());
        // More than what Slurm says can have.
        replaceTextFile(scene.folder / kSlurmNote, "");
        fs::resize_file(scene.folder / kSlurmNote, file_limit::kSettings + 1);
        const auto broken = watch.look(100);
        QVERIFY(broken && broken->note.find(kSlurmNote) != std::string::npos);
        QVERIFY2(!watch.look(100), "nothing has changed");
        replaceTextFile(scene.folder / kSlurmNote, "");
        const auto sound = watch.look(100);
        QVERIFY(sound && sound->note.empty());
    }

    // The Slurm of this machine knows nothing of them.
    void aCopyShowsWhatSlurmSaidWhereItComesFrom() {
        Scene scene;
        const SweepPlan plan = makeSweepFolder(table_, scene.folder, "1-2");
        replaceTextFile(scene.folder / kCopyMark, "ssh://lab/~/sweeps/masks\n");
        replaceTextFile(scene.folder / "sweep.sbatch", "#!/bin/sh\n");
        SweepWatch watch(&table_, scene.folder);
        auto sweep = watch.look(100);
        QCOMPARE(sweep->copied_from, std::string("ssh://lab/~/sweeps/masks"));
        QVERIFY(sweep->slurm);
        QCOMPARE(words(*sweep, 0), QString("waiting"));
        std::map<std::int64_t, SlurmTask> tasks;
        tasks[1] = {12, 1, "PENDING", "Priority"};
        tasks[2] = {12, 2, "CANCELLED"};
        replaceTextFile(scene.folder / kSlurmNote, formatListedTasks(tasks));
        sweep = watch.look(100);
        QVERIFY(sweep);
        QCOMPARE(words(*sweep, 0), QString("waiting: Priority"));
        QCOMPARE(words(*sweep, 1), QString("not begun; Slurm: cancelled"));
        tasks[1].state = "RUNNING";
        tasks[1].nodes = "node7";
        replaceTextFile(scene.folder / kSlurmNote, formatListedTasks(tasks));
        sweep = watch.look(100);
        QVERIFY(sweep);
        QCOMPARE(words(*sweep, 0), QString("running on node7"));
        QVERIFY(!watch.look(100));
    }

    void aCopyThatHasNotComeYetSaysSo() {
        Scene scene;
        fs::create_directories(scene.folder);
        replaceTextFile(scene.folder / kCopyMark, "ssh://lab/~/sweeps/masks\n");
        QVERIFY(refusal(scene.folder).contains("Nothing has come from ssh://lab/~/sweeps/masks yet"));
    }

    void aFailedRunSaysItsSentence() {
        Scene scene;
        const SweepPlan plan = makeSweepFolder(table_, scene.folder, "1");
        replaceTextFile(scene.folder / "runs" / (plan.runs[0].folder + ".log"),
                        "palimpsest-cli: The data are not there. Fetch them.\n");
        const auto sweep = SweepWatch(&table_, scene.folder).look(100);
        QCOMPARE(words(*sweep, 0), QString("failed: The data are not there. Fetch them."));
    }

    void aGridWhoseBaseIsElsewhereShowsWhatIsListed() {
        Scene scene;
        const SweepPlan plan = makeSweepFolder(table_, scene.folder, "1-2");
        std::vector<SweepResult> results;
        for (const SweepRun& run : plan.runs) {
            writeSweepRun(table_, run, scene.folder, 0.4 + 0.1 * static_cast<double>(run.line));
            results.push_back(readSweepRun(table_, run, scene.folder / "runs"));
        }
        const SweepTable made = tabulate(plan, results);
        replaceTextFile(scene.folder / "sweep.json",
                        sweepJson(plan, results, sweepDifferencesJson(made), sweepPublishedJson(made)));
        replaceTextFile(scene.folder / "sweep.toml", "base = \"gone.toml\"\nseeds = [1, 2]\n");
        const auto sweep = SweepWatch(&table_, scene.folder).look(100);
        QVERIFY(sweep->note.find("sweep.json") != std::string::npos);
        QCOMPARE(sweep->runs.size(), std::size_t{4});
        QCOMPARE(words(*sweep, 3), QString("finished"));
        QCOMPARE(sweep->table.lines.at(1).cells.at(0).comparison.evidence.difference.count, std::int64_t{2});
    }

    void anotherListOfAsManyRunsIsReadAnew() {
        Scene scene;
        fs::create_directories(scene.folder);
        replaceTextFile(scene.folder / "sweep.toml", "base = \"gone.toml\"\nseeds = [1, 2]\n");
        const auto list = [&](const char* rows, const char* row, const char* seed) {
            replaceTextFile(
                scene.folder / "sweep.json",
                std::string(R"({"rows": )") + rows + R"(, "runs": [{"row": ")" + row + R"(", "seed": )" + seed + "}]}");
        };
        list(R"(["a", "b", "c"])", "c", "1");
        SweepWatch watch(&table_, scene.folder);
        auto sweep = watch.look(10);
        QVERIFY(sweep && sweep->runs.at(0).line == 2);
        list(R"(["a"])", "a", "1");
        sweep = watch.look(10);
        QVERIFY(sweep && sweep->lines.size() == 1 && !sweep->same_rows);
        QCOMPARE(sweep->runs.at(0).line, std::size_t{0});
        list(R"(["a"])", "a", "12");
        sweep = watch.look(10);
        QVERIFY(sweep);
        QCOMPARE(sweep->runs.at(0).seed, std::int64_t{12});
    }

    void whatIsNoSweepIsSaid() {
        Scene scene;
        QVERIFY(refusal(scene.folder).contains("holds no sweep"));
        fs::create_directories(scene.folder);
        replaceTextFile(scene.folder / "sweep.toml", "seeds = [");
        QVERIFY(refusal(scene.folder).contains("sweep.toml"));
        replaceTextFile(scene.folder / "sweep.json", "{\"rows\": [1]");
        QVERIFY(refusal(scene.folder).contains("sweep.json"));
        replaceTextFile(scene.folder / "sweep.json",
                        R"({"rows": ["A"], "runs": [{"row": "A", "seed": 1, "folder": "runs/../../secret"}]})");
        const auto sweep = SweepWatch(&table_, scene.folder).look(10);
        QCOMPARE(sweep->runs.at(0).state, RecordedState::None);
    }
};

PALIMPSEST_APPLESS_TEST(TestSweepWatch)

}  // namespace tst_sweep_watch

#include "tst_sweep_watch.moc"
