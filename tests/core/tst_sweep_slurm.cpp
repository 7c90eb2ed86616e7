// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/support/error.h"
#include "engine/sweep/sweep_results.h"
#include "engine/sweep/sweep_slurm.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_sweep_slurm {

using Words = std::vector<std::string>;

class TestSweepSlurm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsArePartedAsAShellWould() {
        QCOMPARE(shellWords("  --a=1\t-p 'two words'  x\\ y \"q\\\"\" '' a'b'c "),
                 (Words{"--a=1", "-p", "two words", "x y", "q\"", "", "abc"}));
        QCOMPARE(shellWords(""), Words{});
        QVERIFY_EXCEPTION_THROWN(shellWords("--a 'open"), Error);
        QVERIFY_EXCEPTION_THROWN(shellWords("--a\n--b"), Error);
    }

    void numbersInARowBecomeARange() {
        QCOMPARE(numberRanges({1, 2, 3, 7, 9, 10}), std::string("1-3,7,9-10"));
        QCOMPARE(numberRanges({5}), std::string("5"));
    }

    void theScriptHasATaskARunAndTheOptionsOfThePersonLast() {
        const SlurmJob job{"sweep-mine", {2, 3},      "--time=1:00 -p long --comment 'a \"b\"'",
                           "/bin/it's",  "/g/x.toml", "/out 100%/d"};
        QCOMPARE(QString::fromStdString(slurmScript(job)),
                 QString("#!/bin/sh\n"
                         "#SBATCH --job-name=sweep-mine\n"
                         "#SBATCH --array=2-3\n"
                         "#SBATCH --output=\"/out 100%%/d/slurm-%A_%a.out\"\n"
                         "#SBATCH --time=1:00\n"
                         "#SBATCH -p long\n"
                         "#SBATCH --comment \"a \\\"b\\\"\"\n"
                         "exec '/bin/it'\\''s' sweep '/g/x.toml' --out '/out 100%/d' --only "
                         "\"$SLURM_ARRAY_TASK_ID\"\n"));
        SlurmJob odd = job;
        odd.options = "long";
        QVERIFY_EXCEPTION_THROWN(slurmScript(odd), Error);
    }

    void theSweepsOwnArrayIsNotReplaced_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<bool>("refused");
        for (const char* options : {"--array=1-2", "--time=1:00 --array 1-2", "--ar=1", "-a 1-2", "-a1-2"})
            QTest::newRow(options) << QString(options) << true;
        for (const char* options : {"--account=me", "-A array", "--acctg-freq=30"})
            QTest::newRow(options) << QString(options) << false;
    }
    void theSweepsOwnArrayIsNotReplaced() {
        QFETCH(QString, options);
        QFETCH(bool, refused);
        QString message;
        try {
            slurmScript({"sweep-mine", {2, 3}, options.toStdString(), "/bin/it", "/g/x.toml", "/out"});
        } catch (const Error& error) {
            message = error.what();
        }
        QVERIFY2(message.contains("numbers the tasks of the array") == refused, qPrintable(message));
    }

    void timeLeftIsUnknownUntilARunHasFinished() {
        const SweepPace pace;
        QVERIFY(!pace.left({0}, {}, 1).has_value());
    }

    void eachRowCountsForItselfAndAnUnknownOneLikeTheOthers() {
        SweepPace pace;
        pace.finished(0, 10);
        pace.finished(0, 20);
        pace.finished(1, 90);
        const auto known = pace.left({0, 1, 1}, {}, 1);
        QCOMPARE(known->seconds, 15.0 + 90 + 90);
        QVERIFY(!known->rough);
        const auto rough = pace.left({0, 2}, {}, 1);
        QCOMPARE(rough->seconds, 15.0 + 40);
        QVERIFY(rough->rough);
    }

    void whatRunsAtOnceSharesTheTimeButNoRunIsShorterThanItself() {
        SweepPace pace;
        pace.finished(0, 10);
        pace.finished(1, 100);
        QCOMPARE(pace.left({0, 0, 0, 0}, {}, 2)->seconds, 20.0);
        QCOMPARE(pace.left({0, 1}, {}, 2)->seconds, 100.0);
        QCOMPARE(pace.left({}, {{1, 30}, {0, 50}}, 2)->seconds, 70.0);
    }
};

PALIMPSEST_APPLESS_TEST(TestSweepSlurm)

}  // namespace tst_sweep_slurm

#include "tst_sweep_slurm.moc"
