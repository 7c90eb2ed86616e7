// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <fstream>
#include <map>

#include "engine/config/experiment_differences.h"
#include "engine/config/experiment_file.h"
#include "engine/record/example_runs.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "tests/support/file_content.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_example_runs {

namespace fs = std::filesystem;

class TestExampleRuns : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    /// By path within the folder.
    static std::map<std::string, std::string> filesOf(const fs::path& folder) {
        std::map<std::string, std::string> files;
        for (const auto& [path, content] : test::contentsBelow(folder))
            files[fs::relative(path, folder).string()] = content;
        return files;
    }

    RunRecord recorded(const char* name) const { return readRun(table_, recordedRunsFolder() / name); }

private Q_SLOTS:
    void theyAreTheDemoAndDifferInOneThing() {
        Experiment demo = loadExperiment(table_, "demo");
        demo.precision = "float32";
        demo.threads = 1;
        demo.evaluation.checkpoints = 0;
        const RunRecord first = recorded(kDemoRuns[0]);
        QVERIFY(experimentDifferences(table_, demo, first.experiment).empty());
        const std::array<std::string, 2> keys{"mask.name", "initial_session.prompts"};
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const RunRecord other = recorded(kDemoRuns[i + 1]);
            const auto differences = experimentDifferences(table_, first.experiment, other.experiment);
            QCOMPARE(differences.size(), std::size_t{1});
            QCOMPARE(differences[0].option->key, keys[i]);
            QCOMPARE(other.fingerprint, first.fingerprint);
            QCOMPARE(other.class_names, first.class_names);
        }
    }

    void theyAreWholeAndSayNothingOfTheMachine() {
        for (const char* name : kDemoRuns) {
            const RunRecord run = recorded(name);
            QCOMPARE(run.state, RecordedState::Finished);
            QVERIFY(run.warnings.empty());
            QCOMPARE(run.total_samples, std::int64_t{3200});
            QCOMPARE(run.anytime.size(), std::size_t{16});
            QCOMPARE(run.early.size(), std::size_t{1});
            QVERIFY(run.anytime.front().reference);
            QVERIFY(run.summary.a_auc && run.summary.a_last_overall);
            const std::string text = test::contentOf(run.folder / "run.json");
            for (const char* word : {"\"host\"", "\"pid\"", "\"process\"", "/home/", "/tmp/"})
                QVERIFY2(text.find(word) == std::string::npos, word);
        }
    }

    void theMaskIsWhatTheyShow() {
        const RunRecord with = recorded(kDemoRuns[0]), without = recorded(kDemoRuns[1]);
        QVERIFY(*with.summary.a_auc - *without.summary.a_auc > 0.03);
        QVERIFY(*with.summary.a_last_overall - *without.summary.a_last_overall > 0.05);
    }

    void theyAreCopiedOnce() {
        QTemporaryDir folder;
        const fs::path runs = fs::path(folder.path().toStdString()) / "runs";
        const std::vector<fs::path> places = bringDemoRuns(runs);
        QCOMPARE(places.size(), kDemoRuns.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            QCOMPARE(places[i], runs / kDemoRuns[i]);
            QVERIFY(filesOf(places[i]) == filesOf(recordedRunsFolder() / kDemoRuns[i]));
            QCOMPARE(readRun(table_, places[i]).state, RecordedState::Finished);
        }
        QCOMPARE(std::distance(fs::directory_iterator(runs), {}), std::ptrdiff_t{3});
        // One that the user deleted comes back, and the others stay as they are.
        fs::remove_all(places[1]);
        std::ofstream(places[0] / "own.txt") << "mine";
        QVERIFY(bringDemoRuns(runs) == places);
        QVERIFY(fs::exists(places[0] / "own.txt"));
        QVERIFY(fs::exists(places[1] / "run.json"));
    }

    void aPlaceThatHoldsNoFoldersIsOneSentence() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "file";
        std::ofstream(file) << "no folder";
        try {
            bringDemoRuns(file);
            QFAIL("there is no error");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            const QString text = error.what();
            QVERIFY2(text.contains("cannot be copied to") && text.contains(QString::fromStdString(file.string())),
                     error.what());
            QVERIFY(!error.hint().empty());
        }
    }
};

PALIMPSEST_GUILESS_TEST(TestExampleRuns)

}  // namespace tst_example_runs

#include "tst_example_runs.moc"
