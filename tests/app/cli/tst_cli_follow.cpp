// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

#include "engine/record/run_folder.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "tests/faults/faulty_run.h"
#include "tests/support/cli_program.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/made_up_sweep.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;
using namespace palimpsest::testing;

namespace tst_cli_follow {

class TestCliFollow : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};
    SshServer server_;
    QString missing_;

    QProcessEnvironment withServer() const {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PALIMPSEST_SSH_CONFIG", server_.path("client"));
        return environment;
    }

private Q_SLOTS:
    void initTestCase() { missing_ = server_.start(); }

    void aFolderOfThisMachineIsFollowed() {
        QTemporaryDir folder;
        writeMadeUpRun(table_, folder.path().toStdString(), "batch", 4);
        const auto failed = writeMadeUpRun(table_, folder.path().toStdString(), "none");
        const Outcome fine = call({"follow", folder.path()});
        QCOMPARE(fine.code, 0);
        QVERIFY2(fine.out.contains("batch run, seed 4, finished"), fine.out);
        QCOMPARE(fine.out.count('\n'), 2);
        Json document = parsedJson(readTextFile(failed / "run.json"));
        document["state"] = "failed";
        document["error"] = "Out of luck.";
        replaceTextFile(failed / "run.json", document.dump());
        const Outcome one = call({"follow", folder.path(), "--json"});
        QCOMPARE(one.code, 1);
        const QList<QJsonObject> lines = jsonLines(one.out);
        QCOMPARE(lines.size(), 2);
        for (const QJsonObject& line : lines) QCOMPARE(line["event"].toString(), QString("run"));
        QVERIFY(one.out.contains("Out of luck."));
    }

    void aRunThatGrowsIsFollowedToItsEnd() {
        QTemporaryDir folder;
        const auto run = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        Json document = parsedJson(readTextFile(run / "run.json"));
        const Json ended = document;
        document["state"] = "running";
        document["host"] = "another-machine.invalid";
        replaceTextFile(run / "run.json", document.dump());
        QProcess process;
        process.start(program(), {"follow", QString::fromStdString(run.string()), "--every", "1"});
        QByteArray out;
        while (!out.contains("batch run") && process.waitForReadyRead(kPatience))
            out += process.readAllStandardOutput();
        QVERIFY(!out.contains("finished"));
        replaceTextFile(run / "run.json", ended.dump());
        const Outcome end = outcomeOf(process);
        QCOMPARE(end.code, 0);
        QVERIFY2(end.out.contains("finished"), end.out);
    }

    // Nobody works in it: the rows that have not begun are waited for, and said to be.
    void aSweepInWhichNobodyWorksSaysWhatItWaitsFor() {
        QTemporaryDir folder;
        const std::filesystem::path sweep = folder.path().toStdString();
        const SweepPlan plan = makeSweepFolder(table_, sweep, "1-3");
        for (std::size_t i = 0; i < 3; ++i) writeSweepRun(table_, plan.runs[i], sweep, 0.5);
        const QStringList arguments{"follow", folder.path(), "--every", "1"};
        QProcess process, json;
        process.start(program(), arguments);
        json.start(program(), arguments + QStringList{"--json"});
        QByteArray said, objects;
        process.setReadChannel(QProcess::StandardError);
        while (!said.contains("the following).\n") && process.waitForReadyRead(kPatience))
            said += process.readAllStandardError();
        while (!(objects.contains("\"waiting\"") && objects.endsWith('\n')) && json.waitForReadyRead(kPatience))
            objects += json.readAllStandardOutput();
        QVERIFY2(said.contains("3 of 6 runs have not begun; waiting for them (Ctrl-C ends the following).\n"), said);
        const QJsonObject event = jsonLines(objects).last();
        QCOMPARE(event["event"].toString(), QString("waiting"));
        QCOMPARE(event["not_begun"].toInt(), 3);
        QCOMPARE(event["runs"].toInt(), 6);
        for (std::size_t i = 3; i < 6; ++i) writeSweepRun(table_, plan.runs[i], sweep, 0.5);
        const Outcome end = outcomeOf(process);
        QCOMPARE(end.code, 0);
        QVERIFY2(!end.err.contains("have not begun"), end.err);
        QCOMPARE(outcomeOf(json).code, 0);
    }

    void wrongInputIsRefused_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("nothing there") << QStringList{"follow", "/no/such/folder"} << QByteArray("There is no folder");
        QTest::newRow("no run") << QStringList{"follow", "/dev"} << QByteArray("neither a run nor a sweep");
        QTest::newRow("an option as a machine")
            << QStringList{"follow", "ssh://-oProxyCommand=id/x"} << QByteArray("names no folder on another machine");
        QTest::newRow("no name") << QStringList{"follow", "ssh://lab/"} << QByteArray("--into");
        QTest::newRow("stop here") << QStringList{"follow", "/dev", "--stop"} << QByteArray("another machine");
        QTest::newRow("run") << QStringList{"run", "default", "--on", "lab:/x"}
                             << QByteArray("names no folder on another machine");
        QTest::newRow("run, both") << QStringList{"run", "default", "--on", "ssh://lab/x", "--out", "y"}
                                   << QByteArray("--out");
        QTest::newRow("run, a program") << QStringList{"run", "default", "--on", "ssh://me@lab:2222/x",
                                                       "--allow-learner"}
                                        << QByteArray("ssh -p 2222 me@lab 'palimpsest-cli learner allow \"COMMAND\"'");
        QTest::newRow("sweep, a program")
            << QStringList{"sweep", "masks", "--on", "ssh://lab/x", "--slurm", "", "--allow-learner"}
            << QByteArray("ssh lab 'palimpsest-cli learner allow \"COMMAND\"'");
        QTest::newRow("tasks, a program")
            << QStringList{"sweep", "masks", "--out", "/no/such/folder", "--slurm", "", "--allow-learner"}
            << QByteArray("tasks of Slurm are calls of their own");
        QTest::newRow("sweep") << QStringList{"sweep", "masks", "--on", "ssh://lab/x"}
                               << QByteArray("one of --slurm, --list and --cancel");
    }
    void wrongInputIsRefused() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, sentence);
        const Outcome refused = call(arguments);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains(sentence), refused.err);
    }

    void aRunOfAnotherMachineComes() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const auto run = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        const QString place = "ssh://lab" + QString::fromStdString(run.string());
        const Outcome end = call({"follow", place, "--into", folder.filePath("copy"), "--every", "1"}, withServer());
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(end.out.contains("finished") && end.out.contains("over the line"), end.out);
        QCOMPARE(readRun(table_, folder.filePath("copy").toStdString()).anytime.size(),
                 readRun(table_, run).anytime.size());
        const Outcome again =
            call({"follow", place, "--into", folder.filePath("copy"), "--once", "--json"}, withServer());
        QCOMPARE(again.code, 0);
        QCOMPARE(jsonLines(again.out)[0]["files"].toInt(-1), 0);
        const Outcome other = call({"follow", place, "--into", folder.path()}, withServer());
        QCOMPARE(other.code, 2);
        QVERIFY2(other.err.contains("is not empty"), other.err);
    }

    void aPauseThereIsSaid() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const auto run = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        Json document = parsedJson(readTextFile(run / "run.json"));
        document["state"] = "running";
        document["host"] = "another-machine.invalid";
        replaceTextFile(run / "run.json", document.dump());
        // As `run --on` leaves it there; the process is this one.
        const std::filesystem::path job = run.string() + ".job";
        std::filesystem::create_directory(job);
        QProcess shell;
        shell.start("sh", {"-c",
                           "echo $PPID $(cut -d' ' -f22 /proc/$PPID/stat) "
                           "$(cat /proc/sys/kernel/random/boot_id) $(uname -n)"});
        QVERIFY(shell.waitForFinished(kPatience));
        const QByteArray process = shell.readAllStandardOutput();
        replaceTextFile(job / "pid", process.toStdString());
        replaceTextFile(job / "log", "Paused: Cannot write run.json: No space left on device. It waits.\n");
        const QStringList once{"follow", "ssh://lab" + QString::fromStdString(run.string()), "--into",
                               folder.filePath("copy"), "--once"};
        const Outcome paused = call(once, withServer());
        QCOMPARE(paused.code, 0);
        QVERIFY2(paused.out.contains("Paused on lab: Cannot write run.json: No space left on device. It waits."),
                 paused.out);
        const Outcome json = call(once + QStringList{"--json"}, withServer());
        const QList<QJsonObject> lines = jsonLines(json.out);
        QVERIFY2(!lines.isEmpty(), json.err);
        QCOMPARE(lines.last()["event"].toString(), QString("paused"));
        QVERIFY(lines.last()["reason"].toString().contains("No space left on device"));
        // Its process has gone, and left no word of its end.
        replaceTextFile(job / "pid", "1 never " + process.split(' ').mid(2).join(' ').toStdString());
        const Outcome gone = call(once, withServer());
        QCOMPARE(gone.code, 1);
        QVERIFY2(gone.out.contains("has gone without ending it. The last that its log says: Paused: Cannot write"),
                 gone.out);
    }

    // From the experiment to the numbers: it learns there, and the copy here is the run.
    void anExperimentRunsOnAnotherMachine() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        QStringList arguments = tinyRun(folder.filePath("unused"));
        const qsizetype out = arguments.indexOf("--out");
        QVERIFY(out > 0);
        arguments.remove(out, 2);
        QProcessEnvironment environment = withServer();
        environment.insert("PALIMPSEST_RUNS", folder.filePath("here"));
        const Outcome end =
            call(arguments + QStringList{"--on", "ssh://lab" + folder.filePath("there"), "--program", program()},
                 environment);
        QVERIFY2(end.code == 0, end.out + end.err);
        const QStringList there = QDir(folder.filePath("there")).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
                          here = QDir(folder.filePath("here")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(here.size(), 1);
        QCOMPARE(there, (QStringList{here.first(), here.first() + ".job"}));
        for (const char* file : {"anytime.csv", "training.csv", "run.json", "summary.json"})
            QCOMPARE(contentOf(folder.filePath("here/" + here.first() + "/" + file)),
                     contentOf(folder.filePath("there/" + here.first() + "/" + file)));
        const Outcome stopped =
            call({"follow", "ssh://lab" + folder.filePath("there/" + here.first()), "--stop"}, environment);
        QCOMPARE(stopped.code, 0);
        QVERIFY(stopped.out.contains("Nothing that was started"));
    }
};

PALIMPSEST_GUILESS_TEST(TestCliFollow)

}  // namespace tst_cli_follow

#include "tst_cli_follow.moc"
