// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of a queue, done by the program itself.
#include <unistd.h>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <thread>

#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/process.h"
#include "engine/sweep/queue_work.h"
#include "tests/support/cli_program.h"
#include "tests/support/linear_head_text.h"
#include "tests/support/made_up_sweep.h"
#include "tests/support/no_more_files.h"
#include "tests/support/open_files.h"
#include "tests/support/queue_program.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;
using namespace palimpsest::testing;

namespace tst_queue_work {

namespace {

namespace fs = std::filesystem;

struct Scene {
    fs::path at(const char* name) const { return fs::path(dir.path().toStdString()) / name; }
    QueueWorkplace place() const { return {program().toStdString(), at("jobs"), 0}; }
    QueueJob job(std::int64_t seed, int updates) const {
        QueueJob job;
        job.id = seed;
        job.name = "Tiny";
        job.seed = seed;
        job.experiment = std::make_shared<const std::string>(linearHeadText(updates));
        job.folder = at("runs") / ("tiny-seed-" + std::to_string(seed));
        return job;
    }
    void begin(QueueJob& job) const {
        ++job.starts;
        const QueueBegun begun = beginJob(table, job, place());
        QVERIFY(!begun.ended && begun.pid > 0);
        job.pid = begun.pid;
        job.process = begun.process;
        job.state = QueueState::Running;
    }
    QueueLook end(const QueueJob& job) const {
        QueueLook look;
        look.working = true;
        if (!QTest::qWaitFor([&] { return !(look = lookAtJob(table, job, place())).working; }, kPatience))
            look.sentence = "It does not end.";
        return look;
    }

    QTemporaryDir dir;
    OptionTable table{testCatalogue()};
};

QByteArray fileIn(const fs::path& folder, const char* name) {
    return contentOf(QString::fromStdString((folder / name).string()));
}

}  // namespace

class TestQueueWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY2(QFile::exists(program()), "PALIMPSEST_CLI names no program"); }

    void twoRunsAreStoppedKilledAndGoOnToTheSameBits() {
        const Scene scene;
        QueueJob stopped = scene.job(1, 300), killed = scene.job(2, 300);
        for (QueueJob* job : {&stopped, &killed}) scene.begin(*job);
        for (const QueueJob* job : {&stopped, &killed})
            QTRY_VERIFY_WITH_TIMEOUT(fs::exists(job->folder / "checkpoints" / "00000000.json"), kPatience);
        askToStop(stopped);
        kill(static_cast<pid_t>(killed.pid), SIGKILL);
        QueueLook look = scene.end(stopped);
        QCOMPARE(look.outcome, QueueState::Waiting);
        QVERIFY(!look.killed);
        look = scene.end(killed);
        QCOMPARE(look.outcome, QueueState::Waiting);
        QVERIFY(look.killed && !look.sentence.empty());
        for (QueueJob* job : {&stopped, &killed}) {
            scene.begin(*job);
            look = scene.end(*job);
            QVERIFY2(look.outcome == QueueState::Finished, look.sentence.c_str());
            QCOMPARE(look.share, 1.0);
            // The same as without a queue and without a break.
            const QString file = scene.dir.filePath("plain.toml"), out = scene.dir.filePath(QString::number(job->seed));
            write(file, QByteArray::fromStdString(*job->experiment));
            QCOMPARE(call({"run", file, "--set", "seed=" + QString::number(job->seed), "--out", out}).code, 0);
            for (const char* table : {"anytime.csv", "sessions.csv", "classes.csv"}) {
                QVERIFY(!fileIn(job->folder, table).isEmpty());
                QCOMPARE(fileIn(job->folder, table), fileIn(out.toStdString(), table));
            }
        }
        const QueueBegun again = beginJob(scene.table, stopped, scene.place());
        QCOMPARE(again.ended.value_or(QueueState::Waiting), QueueState::Finished);
    }

    void aMissingDataSetIsItsSentence() {
        const Scene scene;
        QueueJob job = scene.job(1, 1);
        std::string text = *job.experiment;
        text.replace(text.find("\"shapes\""), 8, "\"folder\"\nroot = \"/nowhere\"");
        job.experiment = std::make_shared<const std::string>(text);
        scene.begin(job);
        const QueueLook look = scene.end(job);
        QCOMPARE(look.outcome, QueueState::Failed);
        QVERIFY2(look.sentence.find("/nowhere") != std::string::npos, look.sentence.c_str());
    }

    void aSweepWhoseGridWasChangedSaysSo() {
        const Scene scene;
        write(scene.dir.filePath("base.toml"), QByteArray::fromStdString(linearHeadText(1)));
        write(scene.dir.filePath("grid.toml"),
              "base = \"base.toml\"\nseeds = [1]\n[vary]\n\"training.batch_size\" = [16, 32]\n");
        QueueJob job;
        job.id = 1;
        job.grid = scene.at("grid.toml");
        job.folder = scene.at("sweep");
        scene.begin(job);
        QueueLook look = scene.end(job);
        QVERIFY2(look.outcome == QueueState::Finished, look.sentence.c_str());
        QCOMPARE(look.share, 1.0);
        write(scene.dir.filePath("grid.toml"),
              "base = \"base.toml\"\nseeds = [2]\n[vary]\n\"training.batch_size\" = [16, 32]\n");
        scene.begin(job);
        look = scene.end(job);
        QCOMPARE(look.outcome, QueueState::Failed);
        QVERIFY2(look.sentence.find("another grid (seeds") != std::string::npos, look.sentence.c_str());
    }

    void whatUnfinishedRunsLearnedCounts() {
        const Scene scene;
        QueueJob job;
        job.id = 1;
        job.grid = scene.at("grid.toml");
        job.folder = scene.at("sweep");
        job.pid = getpid();
        job.process = processIdentity(getpid());
        job.state = QueueState::Running;
        const SweepPlan plan = testing::makeSweepFolder(scene.table, job.folder, "1-2");
        QCOMPARE(plan.runs.size(), std::size_t{4});
        const auto shareWith = [&](const char* first) {
            write(QString::fromStdString((job.folder / "sweep.json").string()),
                  QByteArray("{\"runs\": [{\"number\": 1, \"state\": \"") + first +
                      "\"}, {\"number\": 2, \"state\": \"waiting\"}, {\"number\": 3, \"state\": \"waiting\"}, "
                      "{\"number\": 4, \"state\": \"waiting\"}]}");
            const QueueLook look = lookAtJob(scene.table, job, scene.place());
            return look.working ? look.share : -1;
        };
        QCOMPARE(shareWith("waiting"), 0.0);
        testing::writeSweepRun(scene.table, plan.runs[0], job.folder, 0.5);
        // Its end is known before the list says it, and counts once.
        QCOMPARE(shareWith("waiting"), 0.25);
        QCOMPARE(shareWith("finished"), 0.25);
        testing::writeSweepRun(scene.table, plan.runs[1], job.folder, {});
        QCOMPARE(shareWith("finished"), 0.375);
        // An attempt that got less far, or that cannot be read, takes nothing away.
        fs::create_directories(job.folder / "runs" / (plan.runs[1].folder + "-2"));
        write(QString::fromStdString((job.folder / "runs" / (plan.runs[1].folder + "-2") / "run.json").string()),
              "{\"state\": \"stopped\"}");
        QCOMPARE(shareWith("finished"), 0.375);
    }

    void aSweepThatWasInterruptedGoesOnAlthoughARunFailed() {
        const Scene scene;
        QueueJob job;
        job.id = 1;
        job.grid = scene.at("grid.toml");
        job.folder = scene.at("sweep");
        job.state = QueueState::Running;
        job.process = "an earlier one";
        fs::create_directories(job.folder);
        const auto endWith = [&](const char* third, const char* fourth) {
            write(QString::fromStdString((job.folder / "sweep.json").string()),
                  QByteArray("{\"runs\": [{\"number\": 1, \"state\": \"finished\"}, {\"number\": 2, \"state\": "
                             "\"failed\", \"error\": \"No.\"}, {\"number\": 3, \"state\": \"") +
                      third + "\"}, {\"number\": 4, \"state\": \"" + fourth + "\"}]}");
            return scene.end(job);
        };
        // The machine went down: its program is no child of this one.
        job.pid = getpid();
        QueueLook look = endWith("running", "waiting");
        QCOMPARE(look.outcome, QueueState::Waiting);
        QVERIFY(look.killed);
        QCOMPARE(endWith("failed", "finished").outcome, QueueState::Failed);
        // A stop: 1 tells of the run that failed.
        const auto program = [&] { job.pid = beginJob(scene.table, job, {"/bin/false", scene.at("jobs"), 0}).pid; };
        program();
        look = endWith("stopped", "waiting");
        QCOMPARE(look.outcome, QueueState::Waiting);
        QVERIFY(!look.killed);
        program();
        QCOMPARE(endWith("finished", "finished").outcome, QueueState::Failed);
        // Somebody else computes what is running; this program had nothing more to do.
        program();
        look = endWith("running", "finished");
        QCOMPARE(look.outcome, QueueState::Failed);
        QVERIFY2(look.sentence.starts_with("1 of 4 runs failed."), look.sentence.c_str());
    }

    void anEstimateIsRead() {
        const Scene scene;
        const fs::path grid = scene.at("grid.toml"), output = scene.at("estimate.txt");
        write(scene.dir.filePath("base.toml"), QByteArray::fromStdString(linearHeadText(1)));
        write(scene.dir.filePath("grid.toml"),
              "base = \"base.toml\"\nseeds = [1, 2]\n[vary]\n\"training.batch_size\" = [16, 32]\n");
        const auto code =
            runQueueProgram(program().toStdString(), {"sweep", grid.string(), "--estimate", "--json"}, output, {});
        QCOMPARE(code.value_or(-1), 0);
        const auto estimate = parseEstimate(readTextFile(output));
        QVERIFY(estimate && estimate->runs == 4 && estimate->seconds > 0 && estimate->disk > 0 &&
                estimate->missing == 0);
        QVERIFY(!parseEstimate("palimpsest-cli: No.\n"));
    }

    void aSweepIsBegunOnceAlthoughItsWindowForgotIt() {
        const Scene scene;
        const QueueWorkplace place{testing::makeQueueProgram(scene.dir.path()).toStdString(), scene.at("jobs"), 0};
        QueueJob job;
        job.id = 1;
        job.starts = 1;
        job.grid = scene.at("grid.toml");
        job.folder = scene.at("sweep");
        const QueueBegun first = beginJob(scene.table, job, place);
        QVERIFY(first.pid > 0);
        const QueueBegun second = beginJob(scene.table, job, place);
        QCOMPARE(second.pid, first.pid);
        QCOMPARE(second.process, first.process);
        // The same number in a queue that began anew is another job.
        QueueJob other = job;
        other.folder = scene.at("other");
        QCOMPARE(programAtWork(other, place).pid, std::int64_t{0});
        job.pid = first.pid;
        job.process = first.process;
        job.state = QueueState::Running;
        write(scene.dir.filePath("go"), {});
        QVERIFY(QTest::qWaitFor([&] { return !lookAtJob(scene.table, job, place).working; }, kPatience));
        QCOMPARE(programAtWork(job, place).pid, std::int64_t{0});
        QCOMPARE(contentOf(scene.dir.filePath("calls")).count('\n'), 1);
    }

    void aProgramThatIsAskedToStopHasEnded() {
        const Scene scene;
        const QString script = scene.dir.filePath("slow");
        write(script, "#!/bin/sh\ntrap 'echo put away; exit 0' TERM\necho $$\nwhile :; do sleep 0.02; done\n");
        QFile::setPermissions(script, QFile::ReadOwner | QFile::ExeOwner);
        const fs::path output = scene.at("output.txt");
        std::stop_source source;
        std::optional<int> code = 0;
        std::jthread work([&] { code = runQueueProgram(script.toStdString(), {}, output, source.get_token()); });
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(scene.dir.filePath("output.txt")).endsWith('\n'), kPatience);
        source.request_stop();
        work.join();
        QVERIFY(!code);
        const QByteArray said = contentOf(scene.dir.filePath("output.txt"));
        QVERIFY2(said.endsWith("put away\n"), said.constData());
        QCOMPARE(kill(said.left(said.indexOf('\n')).toInt(), 0), -1);
        // One that was given up before it began does not begin.
        fs::remove(output);
        QVERIFY(!runQueueProgram(script.toStdString(), {}, output, source.get_token()));
        QVERIFY(!fs::exists(output));
    }

    void aFolderIsHeldByOneProgram() {
        const Scene scene;
        std::unique_ptr<QueueLock> lock = QueueLock::take(scene.at("queue"));
        QVERIFY(lock);
        QVERIFY(!QueueLock::take(scene.at("queue")));
        // NFS locks files that are open for writing, for all machines; folders it locks for one.
        QVERIFY(openForWriting(scene.at("queue") / ".queue.lock"));
        lock.reset();
        {
            const NoMoreFiles none;
            QVERIFY_THROWS_EXCEPTION(Error, QueueLock::take(scene.at("queue")));
        }
        QVERIFY(QueueLock::take(scene.at("queue")));
    }
};

PALIMPSEST_GUILESS_TEST(TestQueueWork)

}  // namespace tst_queue_work

#include "tst_queue_work.moc"
