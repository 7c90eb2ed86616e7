// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_bytes.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/record/copy_mark.h"
#include "engine/support/file_io.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_bytes {

namespace fs = std::filesystem;

class TestRunBytes : public QObject {
    Q_OBJECT
    const OptionTable table_{testCatalogue()};
    QTemporaryDir home_;
    std::vector<std::shared_ptr<const RunRecord>> runs_;

    std::shared_ptr<RunRecord> add(const std::string& name, const std::string& mask = "batch") {
        auto record = std::make_shared<RunRecord>(madeUpRecord(folder(name).string(), mask));
        fs::create_directories(record->folder);
        runs_.push_back(record);
        return record;
    }
    fs::path folder(const std::string& name) const { return fs::path(home_.path().toStdString()) / name; }
    std::vector<fs::path> alike(const std::set<std::string>& varied = {}) const {
        return runsThatKeepAlike(table_, runs_, madeUpExperiment("batch", 7), varied);
    }

private Q_SLOTS:
    void init() { runs_.clear(); }

    void runsOfOtherLengthsAreNotAlike() {
        add("longer")->experiment.stream.train_limit = 6400;
        QVERIFY(alike().empty());
        add("same", "none");
        QCOMPARE(alike(), std::vector{folder("same")});
        QCOMPARE(alike({"mask.name", "training.learning_rate", "seed"}), std::vector{folder("same")});
        // Neither 200 images nor 400 are what that run had.
        QVERIFY(alike({"mask.name", "stream.train_limit"}).empty());
    }

    void copiesAreLeftOut() {
        add("copy");
        replaceTextFile(folder("copy") / kCopyMark, "ssh://lab/runs/copy\n");
        add("sweep/runs/first");
        replaceTextFile(folder("sweep") / kCopyMark, "ssh://lab/sweep\n");
        QVERIFY(alike().empty());
        add("own");
        QCOMPARE(alike(), std::vector{folder("own")});
    }

    void onlyAFewFinishedRunsAreLookedAt() {
        add("stopped")->state = RecordedState::Stopped;
        QVERIFY(alike().empty());
        for (int i = 0; i < 9; ++i) add("run-" + std::to_string(i));
        QCOMPARE(alike().size(), std::size_t{5});
        QCOMPARE(alike().front(), folder("run-0"));
    }
};

PALIMPSEST_APPLESS_TEST(TestRunBytes)

}  // namespace tst_run_bytes

#include "tst_run_bytes.moc"
