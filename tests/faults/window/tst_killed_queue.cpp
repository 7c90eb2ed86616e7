// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/support/file_io.h"
#include "engine/support/random.h"
#include "engine/sweep/queue_file.h"
#include "tests/support/cli_program.h"
#include "tests/support/environment.h"
#include "tests/support/linear_head_text.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/state/run_queue.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using namespace palimpsest::test;
using palimpsest::testing::environmentOr;
using palimpsest::testing::ScriptedRun;

namespace tst_killed_queue {

namespace {

namespace fs = std::filesystem;

/// Set for the process that is killed: the folder of its runs.
constexpr const char* kRunsOfWindow = "PALIMPSEST_TEST_QUEUE_RUNS";
constexpr int kUpdates = 60;         // of each batch, so that there is something to kill
constexpr int kLatestKillMs = 2500;  // after the window was told to go on
constexpr std::size_t kAtOnce = 2;

/// The window of that process: tells its queue to go on, and closes when the queue has nothing left.
int goOnAndClose(const fs::path& runs) {
    const ScriptedRun script;
    MainWindow window(script.laboratory(), runs);
    window.show();
    RunQueue* queue = &window.state().queue;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &window, [&] {
        if (!queue->isOpen()) return;
        auto* go = window.findChild<QPushButton*>("queueGoOn");
        if (queue->asks() && go->isVisible()) go->click();
        if (queue->waiting() + queue->working() == 0) QApplication::quit();
    });
    look.start(20);
    return QApplication::exec();
}

/// Processes that this one began and that live.
std::vector<pid_t> childrenOf(qint64 parent) {
    std::vector<pid_t> children;
    for (const QString& name : QDir("/proc").entryList(QDir::Dirs)) {
        bool number = false;
        const int pid = name.toInt(&number);
        if (!number) continue;
        // "PID (NAME) STATE PARENT ...", where a name may hold anything.
        const QByteArray line = contentOf("/proc/" + name + "/stat");
        const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 1).simplified().split(' ');
        if (fields.value(1).toLongLong() == parent) children.push_back(pid);
    }
    return children;
}

QJsonObject jsonOf(const fs::path& file) {
    return QJsonDocument::fromJson(contentOf(QString::fromStdString(file.string()))).object();
}

/// Without what a clock or the memory has to say.
QJsonObject numbersOf(const fs::path& run) {
    QJsonObject numbers = jsonOf(run / "summary.json");
    for (const char* key : {"seconds", "images_per_second", "batch_seconds", "peak_memory_bytes"})
        numbers.remove(QLatin1String(key));
    return numbers;
}

}  // namespace

/// A queue whose window is killed (SIGKILL), in turn with all that works for it and alone, and which is begun again
/// until nothing is left. PALIMPSEST_KILLS is the number of kills, PALIMPSEST_QUEUED_RUNS that of the runs;
/// PALIMPSEST_KILL_SEED decides the moments.
class TestKilledQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasKilledEndsWithTheSameBits() {
        const int count = environmentOr("PALIMPSEST_QUEUED_RUNS", 4), kills = environmentOr("PALIMPSEST_KILLS", 2);
        const QTemporaryDir folder;
        const fs::path runs = fs::path(folder.path().toStdString()) / "runs", file = runs / kQueueFolder / "queue.json";
        QueueFile queue;
        queue.at_once = kAtOnce;
        const auto text = std::make_shared<const std::string>(linearHeadText(kUpdates));
        for (int seed = 1; seed <= count; ++seed) {
            QueueJob job;
            job.id = queue.next++;
            job.name = "Tiny";
            job.seed = seed;
            job.experiment = text;
            job.folder = runs / ("tiny-seed-" + std::to_string(seed));
            queue.jobs.push_back(job);
        }
        fs::create_directories(file.parent_path());
        replaceTextFile(file, formatQueue(queue));
        const auto stands = [&] { return parseQueue(readTextFile(file), "queue.json"); };
        const auto start = [&](QProcess& window) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(kRunsOfWindow, QString::fromStdString(runs.string()));
            window.setProcessEnvironment(environment);
            window.start(QCoreApplication::applicationFilePath(), {"tst_killed_queue"});
        };

        Random random(static_cast<std::uint64_t>(qEnvironmentVariableIntValue("PALIMPSEST_KILL_SEED")), 5);
        int done = 0, killed_runs = 0;
        for (; done < kills; ++done) {
            QProcess window;
            start(window);
            // Something is at work, or nothing is left to kill.
            QTRY_VERIFY2_WITH_TIMEOUT(!childrenOf(window.processId()).empty() || window.state() == QProcess::NotRunning,
                                      "It begins nothing.", kPatience);
            QTest::qWait(static_cast<int>(random.below(kLatestKillMs)));
            if (window.state() == QProcess::NotRunning) break;
            // It begins nothing more while its children are counted.
            kill(static_cast<pid_t>(window.processId()), SIGSTOP);
            const std::vector<pid_t> children = childrenOf(window.processId());
            window.kill();
            QVERIFY(window.waitForFinished(kPatience));
            if (done % 2 == 0) {
                for (const pid_t child : children) kill(child, SIGKILL);
                killed_runs += static_cast<int>(children.size());
            }
            // Whole at every moment.
            QCOMPARE(stands().jobs.size(), static_cast<std::size_t>(count));
        }
        // Held, since nobody but the window may have ended it: that would have to be told to go on, too.
        for (const QueueJob& job : stands().jobs) QVERIFY2(job.state != QueueState::Held, job.sentence.c_str());
        QProcess last;
        start(last);
        const Outcome outcome = outcomeOf(last, kPatience * (1 + count / 10));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        int resumed = 0;
        for (const QueueJob& job : stands().jobs) {
            QVERIFY2(job.state == QueueState::Finished, job.sentence.c_str());
            resumed += jsonOf(job.folder / "run.json").value("resumed").toArray().isEmpty() ? 0 : 1;
        }
        qInfo("%d runs, %d kills of the window, %d of runs, %d went on from a checkpoint", count, done, killed_runs,
              resumed);

        const QString plain = folder.filePath("plain.toml");
        write(plain, QByteArray::fromStdString(*text));
        for (const QueueJob& job : stands().jobs) {
            const QString seed = QString::number(job.seed), out = folder.filePath(seed);
            const Outcome run = call({"run", plain, "--set", "seed=" + seed, "--out", out});
            QVERIFY2(run.code == 0, run.err.constData());
            const fs::path whole = out.toStdString();
            int tables = 0;
            for (const QString& name : QDir(out).entryList({"*.csv"}, QDir::Files)) {
                // It says that another process went on with the run.
                if (name == "commands.csv") continue;
                QVERIFY2(contentOf(QString::fromStdString((job.folder / name.toStdString()).string())) ==
                             contentOf(out + '/' + name),
                         qPrintable(name + " of seed " + seed));
                ++tables;
            }
            QVERIFY(tables >= 4);
            QVERIFY(!numbersOf(whole).isEmpty());
            QCOMPARE(numbersOf(job.folder), numbersOf(whole));
            const QJsonObject found = jsonOf(job.folder / "run.json"), wanted = jsonOf(whole / "run.json");
            QVERIFY(!wanted.value("states").toArray().isEmpty());
            QCOMPARE(found.value("states"), wanted.value("states"));
            QCOMPARE(found.value("fingerprint"), wanted.value("fingerprint"));
        }
    }
};

PALIMPSEST_TEST_RUN(TestKilledQueue, QApplication application(argc, argv);
                    if (const QByteArray runs = qgetenv(kRunsOfWindow);
                        !runs.isEmpty()) return goOnAndClose(runs.toStdString()))

}  // namespace tst_killed_queue

#include "tst_killed_queue.moc"
