// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/sweep_whole.h"

#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <optional>

#include "engine/config/experiment_file.h"
#include "engine/support/file_io.h"
#include "engine/sweep/sweep_plan.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_sweep_whole {

namespace fs = std::filesystem;

class TestSweepWhole : public QObject {
    Q_OBJECT
    const OptionTable table_{testCatalogue()};
    QTemporaryDir folder_;
    const fs::path sweep_ = folder_.path().toStdString();

private Q_SLOTS:
    // A copy of a sweep comes file by file, and its sweep may get more runs.
    void aSweepIsWholeOnceItHasWhatItPlans() {
        SweepWhole whole(table_, {"a_auc"}, sweep_);
        QVERIFY(!whole.planned() && !whole(100));
        replaceTextFile(sweep_ / "sweep.toml", "base = \"elsewhere.toml\"\nmetrics = [\"a_auc\"]\nseeds = [1, 2]\n");
        QVERIFY(!whole.planned() && !whole(100));
        replaceTextFile(sweep_ / kKeptBase, formatExperiment(table_, table_.defaults()));
        QCOMPARE(whole.planned(), std::optional<std::size_t>(2));
        QVERIFY(!whole(1) && whole(2));
        replaceTextFile(sweep_ / "sweep.toml", "base = \"elsewhere.toml\"\nmetrics = [\"a_auc\"]\nseeds = [1, 2, 3]\n");
        fs::last_write_time(sweep_ / "sweep.toml",
                            fs::last_write_time(sweep_ / "sweep.toml") + std::chrono::seconds(5));
        QVERIFY(!whole(2) && whole(3));
    }
};

PALIMPSEST_APPLESS_TEST(TestSweepWhole)

}  // namespace tst_sweep_whole

#include "tst_sweep_whole.moc"
