// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/sweep/number_ranges.h"
#include "engine/sweep/slurm_cluster.h"
#include "engine/sweep/slurm_queue.h"
#include "engine/sweep/sweep_results.h"
#include "engine/sweep/sweep_slurm.h"
#include "tests/support/slurm_programs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

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
        const std::vector<std::string> scripts = slurmScripts(job);
        QCOMPARE(scripts.size(), std::size_t{1});
        const QString script = QString::fromStdString(scripts.front());
        QVERIFY2(script.startsWith("#!/bin/sh\n"
                                   "#SBATCH --job-name=sweep-mine\n"
                                   "#SBATCH --array=2-3\n"
                                   "#SBATCH --output=\"/out 100%%/d/slurm-%A_%a.out\"\n"
                                   "#SBATCH --open-mode=append\n"
                                   "#SBATCH --requeue\n"
                                   "#SBATCH --signal=B:USR1@120\n"
                                   "#SBATCH --time=1:00\n"
                                   "#SBATCH -p long\n"
                                   "#SBATCH --comment \"a \\\"b\\\"\"\n"),
                 qPrintable(script));
        QVERIFY2(script.contains("\n'/bin/it'\\''s' sweep '/g/x.toml' --out '/out 100%/d' --only "
                                 "\"$SLURM_ARRAY_TASK_ID\" &\n"),
                 qPrintable(script));
        SlurmJob odd = job;
        odd.options = "long";
        QVERIFY_EXCEPTION_THROWN(slurmScripts(odd), Error);
        SlurmJob prompts = job;
        prompts.runs.clear();
        QCOMPARE(QString::fromStdString(slurmScriptName(prompts, 0)), QString("prompts.sbatch"));
        const QString only = QString::fromStdString(slurmScripts(prompts).front());
        QVERIFY(!only.contains("--array") && only.contains(" --only-prompts &\n"));
        QVERIFY(only.contains("scontrol requeue \"$SLURM_JOB_ID\""));
    }

    void aTaskHasSeveralRunsAndAnArrayNoMoreTasksThanTheClusterTakes() {
        SlurmJob job{"sweep-mine", {1, 2, 3, 5, 8}, "", "/bin/it", "/g/x.toml", "/out"};
        job.throttle = 4;
        job.runs_per_task = 2;
        const std::vector<std::string> one = slurmScripts(job);
        QCOMPARE(one.size(), std::size_t{1});
        QVERIFY(one.front().find("#SBATCH --array=1-3%4\n") != std::string::npos);
        QVERIFY(one.front().find("\nset -- 1-2 3,5 8\nshift $((SLURM_ARRAY_TASK_ID - 1))\n") != std::string::npos);
        QVERIFY(one.front().find(" --only \"$1\" --jobs 2 &\n") != std::string::npos);
        QCOMPARE(runsOfTask(one.front(), 2), (std::vector<std::int64_t>{3, 5}));
        QCOMPARE(runsOfTask(one.front(), 4), std::vector<std::int64_t>{});

        job.runs_per_task = 1;
        QCOMPARE(slurmScripts(job, 9).size(), std::size_t{1});  // indices are smaller than the array's size
        const std::vector<std::string> parts = slurmScripts(job, 4);
        QCOMPARE(parts.size(), std::size_t{2});
        QVERIFY(parts[0].find("#SBATCH --array=1-3%4\n") != std::string::npos);
        QVERIFY(parts[1].find("#SBATCH --array=1-2%4\n") != std::string::npos);
        QCOMPARE(runsOfTask(parts[1], 2), (std::vector<std::int64_t>{8}));
        QCOMPARE(QString::fromStdString(slurmScriptName(job, 1)), QString("sweep-2.sbatch"));
        QVERIFY(parts[1].find("sbatch --array=$SLURM_ARRAY_TASK_ID '/out/sweep-2.sbatch'") != std::string::npos);
    }

    void numbersOfRunsAreReadAsTheyAreWritten() {
        QCOMPARE(parsedRanges("1-3,7,9-10", 10, "--only"), (std::vector<std::int64_t>{1, 2, 3, 7, 9, 10}));
        QCOMPARE(parsedRanges("3,1-3", 10, "--only"), (std::vector<std::int64_t>{1, 2, 3}));
        for (const char* wrong : {"", "0", "11", "2-1", "1,", "-3", "1-", "a", "1 2", "99999999999999999999"})
            QVERIFY_EXCEPTION_THROWN(parsedRanges(wrong, 10, "--only"), Error);
    }

    // Both shapes of squeue's JSON: plain numbers and words up to 22.05, sets and lists since 23.02.
    void bothVersionsOfSqueueTellTheSame() {
        const std::string old =
            R"({"meta": {}, "jobs": [
                {"array_job_id": 12, "array_task_id": 3, "array_task_string": "", "job_id": 15, "job_state": "RUNNING",
                 "state_reason": "None", "nodes": "node1", "command": "/out/sweep.sbatch", "restart_cnt": 2},
                {"array_job_id": 12, "array_task_id": null, "array_task_string": "4-5,7%2", "job_id": 12,
                 "job_state": "PENDING", "state_reason": "Priority", "nodes": "", "command": "/out/sweep.sbatch",
                 "restart_cnt": 0},
                {"array_job_id": 0, "array_task_id": null, "job_id": 20, "job_state": "COMPLETING",
                 "command": "/bin/other"}]})";
        const std::string recent =
            R"({"jobs": [
                {"array_job_id": {"set": true, "infinite": false, "number": 12},
                 "array_task_id": {"set": true, "infinite": false, "number": 3}, "array_task_string": "", "job_id": 15,
                 "job_state": ["RUNNING"], "state_reason": "None", "nodes": "node1", "command": "/out/sweep.sbatch",
                 "restart_cnt": 2},
                {"array_job_id": {"set": true, "infinite": false, "number": 12},
                 "array_task_id": {"set": false, "infinite": false, "number": 0}, "array_task_string": "4-5,7%2",
                 "job_id": 12, "job_state": ["PENDING"], "state_reason": "Priority", "nodes": "",
                 "command": "/out/sweep.sbatch", "restart_cnt": 0},
                {"array_job_id": {"set": true, "infinite": false, "number": 0},
                 "array_task_id": {"set": false, "infinite": false, "number": 0}, "job_id": 20,
                 "job_state": ["COMPLETING"], "command": "/bin/other"}]})";
        const auto told = [](const std::vector<SlurmTask>& tasks) {
            QStringList lines;
            for (const SlurmTask& task : tasks)
                lines << QString::fromStdString(task.name() + " " + task.words() + " " + task.script);
            return lines;
        };
        const QStringList expected = {"12_3 running on node1, begun again 2 times /out/sweep.sbatch",
                                      "12_4 waiting: Priority /out/sweep.sbatch",
                                      "12_5 waiting: Priority /out/sweep.sbatch",
                                      "12_7 waiting: Priority /out/sweep.sbatch", "20 ending /bin/other"};
        QCOMPARE(told(parseSqueueJson(old)), expected);
        QCOMPARE(told(parseSqueueJson(recent)), expected);
        QVERIFY_EXCEPTION_THROWN(parseSqueueJson("<html>"), Error);
        QVERIFY_EXCEPTION_THROWN(parseSqueueJson("[]"), Error);

        const QStringList lines = told(parseSqueueLines(
            "12|3|RUNNING|None|node1|/out/sweep.sbatch\n12|4|PENDING|Priority||/out|odd/sweep.sbatch\nrubbish\n"));
        QCOMPARE(lines, QStringList({"12_3 running on node1 /out/sweep.sbatch",
                                     "12_4 waiting: Priority /out|odd/sweep.sbatch"}));
        QCOMPARE(parseSacct("12_[1-3:9223372036854775807]|PENDING|\n").size(), std::size_t{1});
        const QStringList past =
            told(parseSacct("12_1|COMPLETED|node1\n12_2|CANCELLED by 1000|None assigned\n12_[5-6%2]|PENDING|\n13|x\n"));
        QCOMPARE(past, QStringList({"12_1 ended ", "12_2 cancelled ", "12_5 waiting ", "12_6 waiting "}));
    }

    void aHostileAnswerGivesAtMostSoManyTasks() {
        std::string jobs;
        for (int i = 0; i < 10; ++i)
            jobs += std::string(i > 0 ? "," : "") +
                    R"({"array_job_id": 1, "job_id": 1, "job_state": "PENDING", "array_task_string": "0-4000000"})";
        QVERIFY(parseSqueueJson("{\"jobs\": [" + jobs + "]}").size() <= 100'000);
        const std::vector<SlurmTask> odd =
            parseSqueueJson("{\"jobs\": [{\"job_id\": 1, \"job_state\": \"\\u001b[31mRED\", \"state_reason\": 3}]}");
        QVERIFY(odd.front().words().find('\x1b') == std::string::npos);
    }

    void whatAnotherMachineListsIsRead() {
        const std::string listed =
            R"({"number":1,"row":"a","seed":1,"state":"waiting","slurm":{"task":"12_1","state":"PENDING",)"
            R"("reason":"Priority","nodes":null,"restarts":0}})"
            "\n"
            R"({"number":2,"row":"a","seed":2,"state":"running","slurm":{"task":"12_2","state":"RUNNING",)"
            R"("reason":null,"nodes":"node1","restarts":2}})"
            "\n{\"number\":3,\"state\":\"waiting\"}\n\"slurm\"\n"
            R"({"number":0,"slurm":{"task":"12_1","state":"PENDING"}})"
            "\n"
            R"({"number":4,"slurm":{"task":"x_1","state":"PENDING"}})"
            "\n"
            R"({"number":5,"slurm":{"task":"12_5","state":7}})";
        const std::map<std::int64_t, SlurmTask> tasks = parseListedTasks(listed);
        QCOMPARE(tasks.size(), std::size_t{2});
        QCOMPARE(tasks.at(1).words(), std::string("waiting: Priority"));
        QCOMPARE(tasks.at(2).words(), std::string("running on node1, begun again 2 times"));
        const std::string text = formatListedTasks(tasks);
        QCOMPARE(formatListedTasks(parseListedTasks(text)), text);
        QCOMPARE(parseListedTasks(text).at(2).name(), std::string("12_2"));
    }

    void jobsThatWereSubmittedAreRead() {
        QCOMPARE(submittedJobs("{\"event\":\"submitted\",\"job\":\"41\",\"after\":\"40\"}\n"
                               "{\"event\":\"submitted\",\"job\":\"42\",\"after\":\"40\"}\n"
                               "{\"job\":\"$(id)\"}\nAll runs have finished.\n"),
                 (std::vector<std::string>{"41", "40", "42"}));
        const std::vector<std::string> words = submitWords("./g.toml", "../out", {"-p gpu", 3, 2});
        QCOMPARE(words.front(), std::string("sweep"));
        QVERIFY(std::ranges::find(words, "--slurm=-p gpu") != words.end());
        QCOMPARE(words.back(), std::string("3"));
        // No options: a word of its own, since the command line would take "--submit" for the value of "--slurm=".
        const std::vector<std::string> plain = submitWords("./g.toml", "../out", {"", 0, 1});
        const auto slurm = std::ranges::find(plain, "--slurm");
        QVERIFY(slurm != plain.end() && std::next(slurm)->empty());
    }

    void theJobsOfAFolderAreCancelledAndNoOthers() {
        const QTemporaryDir dir;
        writeSlurmPrograms(dir.filePath("bin"));
        const QByteArray path = qgetenv("PATH");
        const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
        qputenv("PATH", "/nowhere");
        const std::filesystem::path home = dir.path().toStdString(), folder = home / "masks";
        QVERIFY_EXCEPTION_THROWN(cancelInSlurm(folder), Error);
        qputenv("PATH", dir.filePath("bin").toLocal8Bit() + ":" + path);
        std::filesystem::create_directories(folder);
        QVERIFY(!hasSlurmScripts(folder));
        replaceTextFile(folder / "sweep.sbatch", "#!/bin/sh\n#SBATCH --array=1-2\n");
        QVERIFY(hasSlurmScripts(folder));
        replaceTextFile(std::filesystem::path(dir.filePath("bin/refuse").toStdString()),
                        "sbatch: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host\n");
        try {
            submitToSlurm(folder / "sweep.sbatch");
            QFAIL("no Slurm answered");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).starts_with("No Slurm answers this machine"), error.what());
        }
        QVERIFY(QFile::remove(dir.filePath("bin/refuse")));
        QCOMPARE(submitToSlurm(folder / "sweep.sbatch"), std::string("12"));
        QCOMPARE(slurmTasks(folder).at(2).words(), std::string("waiting: Priority"));
        QVERIFY(cancelInSlurm(home / "others").empty());
        QCOMPARE(cancelInSlurm(folder), Words{"12"});
        QVERIFY(slurmTasks(folder).empty());
        QVERIFY(cancelInSlurm(folder).empty());
    }

    void theClustersArraySizeIsRead() {
        QCOMPARE(arraySizeIn("Foo = 1\nMaxArraySize            = 5001\nMaxJobCount = 3\n"), std::int64_t{5001});
        QCOMPARE(arraySizeIn("MaxArraySize = 0\n"), kUsualArraySize);
        QCOMPARE(arraySizeIn(""), kUsualArraySize);
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
            slurmScripts({"sweep-mine", {2, 3}, options.toStdString(), "/bin/it", "/g/x.toml", "/out"});
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
        QCOMPARE(*pace.left({0, 1, 1}, {}, 1), 15.0 + 90 + 90);
        QCOMPARE(*pace.left({0, 2}, {}, 1), 15.0 + 40);
    }

    void whatRunsAtOnceSharesTheTimeButNoRunIsShorterThanItself() {
        SweepPace pace;
        pace.finished(0, 10);
        pace.finished(1, 100);
        QCOMPARE(*pace.left({0, 0, 0, 0}, {}, 2), 20.0);
        QCOMPARE(*pace.left({0, 1}, {}, 2), 100.0);
        QCOMPARE(*pace.left({}, {{1, 30}, {0, 50}}, 2), 70.0);
    }
};

PALIMPSEST_APPLESS_TEST(TestSweepSlurm)

}  // namespace tst_sweep_slurm

#include "tst_sweep_slurm.moc"
