// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QStringList>
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/record/run_folder.h"
#include "engine/remote/follow.h"
#include "engine/remote/remote_job.h"
#include "engine/remote/remote_sweep.h"
#include "engine/remote/slurm_news.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "engine/support/stop_scope.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/slurm_programs.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;
namespace fs = std::filesystem;
using std::chrono::seconds;

namespace tst_remote {

/// A machine that no run here is computed on.
constexpr const char* kOtherHost = "another-machine.invalid";

QString why(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return QString::fromStdString(error.sentence());
    }
    return "fine";
}

QByteArray contentOf(const fs::path& file) {
    QFile opened(QString::fromStdString(file.string()));
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

void put(const fs::path& file, const QByteArray& text, QIODevice::OpenMode mode = QIODevice::WriteOnly) {
    QFile opened(QString::fromStdString(file.string()));
    QVERIFY(opened.open(mode));
    opened.write(text);
}

/// Gives the run another state; of another machine, so that nobody here asks for its process.
void setState(const fs::path& run, const char* state) {
    Json document = parsedJson(readTextFile(run / "run.json"));
    document["state"] = state;
    document["host"] = kOtherHost;
    replaceTextFile(run / "run.json", document.dump(2));
}

/// A machine with a Slurm, as long as this lives, and with a program that plays palimpsest-cli there.
struct SlurmThere {
    SlurmThere(SshServer& there, const QByteArray& program) : server(there) {
        writeSlurmPrograms(folder.filePath("bin"));
        put(base / "worker", program);
        fs::permissions(base / "worker", fs::perms::owner_all);
        server.preferPrograms(folder.filePath("bin"));
    }
    ~SlurmThere() { server.allowAll(); }
    SlurmThere(const SlurmThere&) = delete;
    SlurmThere& operator=(const SlurmThere&) = delete;
    std::string worker() const { return (base / "worker").string(); }

    SshServer& server;
    QTemporaryDir folder;
    fs::path base = folder.path().toStdString();
};

class TestRemote : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};
    SshServer server_;
    QString missing_;  ///< why there is no server

    void use(const char* client) { qputenv("PALIMPSEST_SSH_CONFIG", server_.path(client).toLocal8Bit()); }
    static RemotePlace there(const fs::path& path) { return parseRemotePlace("ssh://lab" + path.string()); }

private Q_SLOTS:
    void initTestCase() { missing_ = server_.start(); }
    void init() {
        if (missing_.isEmpty()) use("client");
    }
    void cleanupTestCase() { qunsetenv("PALIMPSEST_SSH_CONFIG"); }

    void placesAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("again");
        QTest::addColumn<QString>("path");
        QTest::newRow("plain") << "ssh://node1/data/run"
                               << "ssh://node1/data/run"
                               << "/data/run";
        QTest::newRow("all") << "ssh://me@node1:2222/data//a/./run/"
                             << "ssh://me@node1:2222/data/a/run"
                             << "/data/a/run";
        QTest::newRow("home") << "ssh://node1/~/runs/one"
                              << "ssh://node1/~/runs/one"
                              << "runs/one";
        QTest::newRow("only a host") << "ssh://node1"
                                     << "ssh://node1/~"
                                     << "";
        QTest::newRow("address") << "ssh://[fe80::1%eth0]:22/x"
                                 << "ssh://[fe80::1%eth0]:22/x"
                                 << "/x";
        QTest::newRow("blanks and quotes") << "ssh://node1/a b'c"
                                           << "ssh://node1/a b'c"
                                           << "/a b'c";
    }
    void placesAreRead() {
        QFETCH(QString, text);
        QFETCH(QString, again);
        QFETCH(QString, path);
        const RemotePlace place = parseRemotePlace(text.toStdString());
        QCOMPARE(QString::fromStdString(place.text()), again);
        QCOMPARE(QString::fromStdString(place.path), path);
        if (!place.path.empty()) QVERIFY(parseRemotePlace(place.text()) == place);
    }

    // What would become an option of ssh, a word of a shell or another machine is no place.
    void whatCouldBecomeACommandIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"ssh://-oProxyCommand=touch x/run", "ssh://node1;id/run", "ssh://$(id)/run", "ssh://`id`/run",
              "ssh://me;id@node1/run", "ssh://-l@node1/run", "ssh://node1:22x/run", "ssh://node1:0/run",
              "ssh://node1:65536/run", "ssh://node 1/run", "ssh:///run", "ssh://", "node1:/run", "ssh://node1/a\nb",
              "ssh://[-oX=y]/run", "ssh://node1/\x1b[31m", "ssh://a@b@-c/run", "ssh://%h/run", "ssh://[::1/run"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatCouldBecomeACommandIsRefused() {
        QFETCH(QByteArray, text);
        QVERIFY(why([&] { parseRemotePlace(text.toStdString()); }).contains("names no folder on another machine"));
    }

    void aPathNeverBecomesAnOption() {
        QCOMPARE(parseRemotePlace("ssh://node1/~/-rf").word(), std::string("./-rf"));
        QCOMPARE(parseRemotePlace("ssh://node1").word(), std::string("."));
    }

    void theSmallFilesCome_data() {
        QTest::addColumn<bool>("rsync");
        QTest::newRow("by rsync") << true;
        QTest::newRow("by sftp") << false;
    }
    void theSmallFilesCome() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QFETCH(bool, rsync);
        if (rsync && QStandardPaths::findExecutable("rsync").isEmpty()) QSKIP("There is no rsync.");
        // A path of programs without rsync here.
        QTemporaryDir programs, folder;
        const QByteArray path = qgetenv("PATH");
        const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
        if (!rsync) {
            for (const char* program : {"ssh", "sftp"})
                QFile::link(QStandardPaths::findExecutable(program), programs.filePath(program));
            qputenv("PATH", programs.path().toLocal8Bit());
        }
        const fs::path base = folder.path().toStdString();
        fs::create_directory(base / "a run's place");
        const fs::path run = writeMadeUpRun(table_, base / "a run's place", "batch");
        fs::create_directories(run / "checkpoints");
        put(run / "checkpoints" / "00000100.safetensors", QByteArray(5000, 'x'));
        put(run / "library.json", "{}");
        put(run / ".hidden.json", "{}");
        RemoteCopy copy(there(run), base / "copy", false);
        QVERIFY(copy.look() == RemoteFolder::Run);
        QVERIFY(copy.way() == (rsync ? RemoteCopy::Way::Rsync : RemoteCopy::Way::Sftp));
        copy.claim();
        const CopiedFiles first = copy.bring();
        QVERIFY(first.files > 3);
        QVERIFY(first.bytes > 0);
        for (const fs::directory_entry& entry : fs::directory_iterator(run))
            if (entry.is_regular_file() && entry.path().extension() != ".part" &&
                entry.path().filename() != "library.json" && entry.path().filename() != ".hidden.json")
                QCOMPARE(contentOf(base / "copy" / entry.path().filename()), contentOf(entry.path()));
        QVERIFY(!fs::exists(base / "copy" / "checkpoints"));
        QVERIFY(!fs::exists(base / "copy" / "library.json"));
        QVERIFY(!fs::exists(base / "copy" / ".hidden.json"));
        QCOMPARE(readRun(table_, base / "copy").anytime.size(), readRun(table_, run).anytime.size());
        // Nothing has changed, so nothing comes.
        QCOMPARE(copy.bring().files, 0);
        put(run / "anytime.csv", "9999,4,0.5,1,10,9999\n", QIODevice::Append);
        QCOMPARE(copy.bring().files, 1);
        QCOMPARE(contentOf(base / "copy" / "anytime.csv"), contentOf(run / "anytime.csv"));
        RemoteCopy whole(there(run), base / "whole", true);
        QVERIFY(whole.look() == RemoteFolder::Run);
        whole.claim();
        whole.bring();
        QCOMPARE(contentOf(base / "whole" / "checkpoints" / "00000100.safetensors").size(), 5000);
    }

    // The connection breaks with it, and is not to blame.
    void aFullDiskHereIsNoBrokenConnection_data() {
        QTest::addColumn<bool>("rsync");
        QTest::newRow("rsync") << true;
        QTest::newRow("sftp") << false;
    }
    void aFullDiskHereIsNoBrokenConnection() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QFETCH(bool, rsync);
        if (rsync && QStandardPaths::findExecutable("rsync").isEmpty()) QSKIP("There is no rsync.");
        QTemporaryDir programs, folder;
        const QByteArray path = qgetenv("PATH");
        const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
        const fs::path base = folder.path().toStdString(), bin = programs.path().toStdString();
        fs::create_directory(base / "runs");
        const fs::path run = writeMadeUpRun(table_, base / "runs", "batch");
        RemoteCopy copy(there(base / "runs"), base / "copy", false);
        // Programs that write no file above 256 KB.
        for (const char* program : {"ssh", "sftp", "rsync"}) {
            if (!rsync && program == QByteArray("rsync")) continue;
            put(bin / program, "#!/bin/sh\ntrap '' 25\nulimit -f 512\nexec " +
                                   QStandardPaths::findExecutable(program).toLocal8Bit() + " \"$@\"\n");
            fs::permissions(bin / program, fs::perms::owner_all);
        }
        qputenv("PATH", programs.path().toLocal8Bit());
        QVERIFY(copy.look() == RemoteFolder::Runs);
        QVERIFY(copy.way() == (rsync ? RemoteCopy::Way::Rsync : RemoteCopy::Way::Sftp));
        copy.claim();
        copy.bring();
        const fs::path local = base / "copy" / run.filename();
        const QByteArray before = contentOf(local / "training.csv");
        QVERIFY(!before.isEmpty());
        put(run / "training.csv", QByteArray("1,2,0.123456789,0.5,0.01\n").repeated(100'000), QIODevice::Append);
        const QString said = why([&] { copy.bring(); });
        QVERIFY2(said.startsWith("The disk of this computer is full: " + folder.filePath("copy") + "."),
                 qPrintable(said));
        QCOMPARE(contentOf(local / "training.csv"), before);
        for (const fs::path& place : {base / "copy", local})
            for (const fs::directory_entry& entry : fs::directory_iterator(place))
                QVERIFY2(entry.path().filename() == kCopyMark || !entry.path().filename().string().starts_with('.'),
                         entry.path().c_str());
        qputenv("PATH", path);
        QVERIFY(copy.bring().files > 0);
        QCOMPARE(contentOf(local / "training.csv"), contentOf(run / "training.csv"));
    }

    void anAccountThatAllowsFilesAloneServes() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, base, "batch");
        server_.allowOnlySftp();
        const auto restored = qScopeGuard([&] { server_.allowAll(); });
        RemoteCopy copy(there(run), base / "copy", false);
        QVERIFY(copy.look() == RemoteFolder::Run);
        copy.claim();
        QVERIFY(copy.bring().files > 3);
        QCOMPARE(contentOf(base / "copy" / "run.json"), contentOf(run / "run.json"));
    }

    void aFolderOfSomethingElseIsLeftAlone() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, base, "batch");
        fs::create_directory(base / "mine");
        put(base / "mine" / "letter.txt", "mine");
        QVERIFY(why([&] { RemoteCopy(there(run), base / "mine", false).claim(); }).contains("is not empty"));
        RemoteCopy(there(run), base / "copy", false).claim();
        QCOMPARE(copiedFrom(base / "copy"), "ssh://lab" + run.string());
        QVERIFY(why([&] { RemoteCopy(there(base), base / "copy", false).claim(); }).contains("is a copy of"));
        RemoteCopy other(there(base / "mine"), base / "other", false);
        QVERIFY(other.look() == RemoteFolder::Other);
        RemoteCopy none(there(base / "nowhere"), base / "none", false);
        QVERIFY(none.look() == RemoteFolder::Missing);
    }

    // The server dies while a large table is on its way, and comes back.
    void aBrokenConnectionLosesNothing() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        if (QStandardPaths::findExecutable("rsync").isEmpty()) QSKIP("There is no rsync.");
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString(), local = base / "copy";
        const fs::path run = writeMadeUpRun(table_, base, "batch");
        setState(run, "running");
        RemoteCopy copy(there(run), local, false);
        std::atomic<int> rounds = 0, breaks = 0, returns = 0;
        std::atomic<bool> ended = false;
        FollowTeller teller;
        teller.copied = [&](const CopiedFiles&) { ++rounds; };
        teller.broken = [&](const Error&, seconds) { ++breaks; };
        teller.back = [&] { ++returns; };
        FollowPlan plan;
        plan.every = seconds(1);
        plan.longest = seconds(2);
        std::stop_source stop;
        std::thread thread([&] {
            const StopScope scope(stop.get_token());
            try {
                copy.look();
                copy.claim();
                follow(copy, plan, teller);
                ended = true;
            } catch (const std::exception&) {
                // ended stays false.
            }
        });
        const auto joined = qScopeGuard([&] {
            stop.request_stop();
            thread.join();
        });
        QTRY_VERIFY_WITH_TIMEOUT(rounds > 0, 120'000);
        const QByteArray row = "1,2,0.123456789,0.5,0.01\n", before = contentOf(local / "training.csv");
        put(run / "training.csv", row.repeated(2'000'000), QIODevice::Append);
        // On its way it has another name.
        const auto arriving = [&] {
            return !QDir(QString::fromStdString(local.string()))
                        .entryList({".*"}, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                        .isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(arriving() || rounds > 1, 120'000);
        server_.stop();
        QTRY_VERIFY_WITH_TIMEOUT(breaks > 0, 120'000);
        const QByteArray seen = contentOf(local / "training.csv");
        QVERIFY(seen == before || seen == contentOf(run / "training.csv"));
        put(run / "anytime.csv", "9999,4,0.5,1,10,9999\n", QIODevice::Append);
        setState(run, "finished");
        QVERIFY(!ended);
        QCOMPARE(server_.resume(), QString());
        QTRY_VERIFY_WITH_TIMEOUT(ended, 120'000);
        QCOMPARE(breaks.load(), 1);
        QCOMPARE(returns.load(), 1);
        for (const char* file : {"training.csv", "anytime.csv", "run.json"})
            QCOMPARE(contentOf(local / file), contentOf(run / file));
    }

    // Its own machine knows that the process has gone; the document says that it runs.
    void aRunWhoseProcessHasGoneIsNoted() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, base, "batch");
        Json document = parsedJson(readTextFile(run / "run.json"));
        document["state"] = "running";
        document["pid"] = 1;
        document["process"] = "another boot:1";
        replaceTextFile(run / "run.json", document.dump(2));
        RemoteCopy copy(there(run), base / "copy", false);
        copy.look();
        copy.claim();
        const fs::path job = run.string() + ".job";
        fs::create_directory(job);
        put(job / "log", "Run folder: x\npalimpsest-cli: Cannot write \033[31mrun.json.\n");
        FollowPlan plan;
        plan.every = seconds(1);
        FollowTeller teller;
        std::string last;
        teller.crashed = [&last](const fs::path&, const std::string& words) { last = words; };
        follow(copy, plan, teller);
        QCOMPARE(QString::fromStdString(last), QString("Cannot write ?[31mrun.json."));
        QVERIFY(readRunState(base / "copy") == RecordedState::Crashed);
        QCOMPARE(QString::fromStdString(readRun(table_, base / "copy").error),
                 "The last that its log says: " + QString::fromStdString(last));
    }

    // While the disk there is full, the documents of the run say nothing new, but its log does.
    void aPauseThereIsToldWithItsReason() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, base, "batch");
        setState(run, "running");
        RemoteCopy copy(there(run), base / "copy", false);
        copy.look();
        copy.claim();
        copy.bring();
        const auto said = [&copy] { return QString::fromStdString(remoteRunState(copy).why); };
        QCOMPARE(said(), QString());  // it was not started from here
        const RemoteJob job(there(run));
        job.prepare(true);
        job.start("/bin/sleep", {"1000"});
        const fs::path side = run.string() + ".job";
        const auto end = qScopeGuard([pid = contentOf(side / "pid").split(' ').first().toInt()] {
            if (pid > 1) kill(-pid, SIGKILL);
        });
        QVERIFY(job.facts().room > 0);
        put(side / "log", "Paused: Cannot wri", QIODevice::Append);  // the disk did not take the rest
        QCOMPARE(said(), QString());
        put(side / "log", "te \033[31mrun.json: No space left on device. It waits.\n", QIODevice::Append);
        FollowPlan plan;
        plan.every = seconds(1);
        FollowTeller teller;
        QStringList told;
        teller.paused = [&](const std::string& why) {
            told.append(QString::fromStdString(why));
            if (told.size() == 1) put(side / "log", "Goes on.\n", QIODevice::Append);
            if (told.size() == 2) setState(run, "finished");
        };
        follow(copy, plan, teller);
        QCOMPARE(told, (QStringList{"Paused on lab: Cannot write ?[31mrun.json: No space left on device. It waits.",
                                    QString()}));
    }

    // The log may not grow there either, and its process may end without a word.
    void aFullDiskThereIsSeenWithoutALog() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, base, "batch");
        setState(run, "running");
        RemoteCopy copy(there(run), base / "copy", false);
        copy.look();
        copy.claim();
        copy.bring();
        const RemoteJob job(there(run));
        job.prepare(true);
        job.start("/bin/sleep", {"1000"});
        const fs::path side = run.string() + ".job";
        const int pid = contentOf(side / "pid").split(' ').first().toInt();
        const auto end = qScopeGuard([this, pid] {
            if (pid > 1) kill(-pid, SIGKILL);
            server_.allowAll();
        });
        fs::create_directory(base / "bin");
        put(base / "bin" / "df", "#!/bin/sh\necho Filesystem ...\necho tmpfs 400 400 0 100% /x\n");
        fs::permissions(base / "bin" / "df", fs::perms::owner_all);
        server_.preferPrograms(QString::fromStdString((base / "bin").string()));
        QVERIFY(remoteRunState(copy).why.starts_with("The disk of lab is full"));
        server_.allowAll();
        QCOMPARE(remoteRunState(copy).why, std::string());
        put(side / "log", "palimpsest-cli: Cannot write run.json.\n", QIODevice::Append);
        QVERIFY(pid > 1);
        kill(-pid, SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(remoteRunState(copy).gone, 60'000);
        QCOMPARE(remoteRunState(copy).why, std::string("Cannot write run.json."));
        setState(base / "copy", "finished");
        QVERIFY(!remoteRunState(copy).gone);
    }

    // As after a restart, when the machine may be away.
    void aPatientFollowerWaitsForItsMachine() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, base, "batch");
        RemoteCopy copy(there(run), base / "copy", false);
        copy.look();
        copy.claim();
        server_.stop();
        FollowPlan plan;
        plan.every = seconds(1);
        QVERIFY(why([&] { follow(copy, plan, {}); }).contains("No connection to lab"));
        int breaks = 0, returns = 0;
        QString resumed = "not asked";
        FollowTeller teller;
        teller.broken = [&](const Error&, seconds) {
            ++breaks;
            resumed = server_.resume();
        };
        teller.back = [&] { ++returns; };
        plan.patient = true;
        follow(copy, plan, teller);
        QCOMPARE(resumed, QString());
        QCOMPARE(breaks, 1);
        QCOMPARE(returns, 1);
        QCOMPARE(contentOf(base / "copy" / "run.json"), contentOf(run / "run.json"));
    }

    void whatIsOverIsFollowedNoLonger() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, base, "batch");
        setState(run, "running");
        RemoteCopy copy(there(run), base / "copy", false);
        copy.look();
        copy.claim();
        FollowPlan plan;
        plan.over = [] { return true; };
        follow(copy, plan, {});
        QVERIFY(readRunState(base / "copy") == RecordedState::Running);
    }

    void oneAtATimeBringsIntoACopy() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        RemoteCopy copy(there(writeMadeUpRun(table_, base, "batch")), base / "copy", false);
        copy.look();
        copy.claim();
        // NFS locks only what is open for writing.
        fs::permissions(base / "copy" / kCopyMark, fs::perms::owner_read);
        if (geteuid() != 0) QVERIFY_EXCEPTION_THROWN(copy.bring(), Error);
        fs::permissions(base / "copy" / kCopyMark, fs::perms::owner_read | fs::perms::owner_write);
        const int other = openRegularFile(base / "copy" / kCopyMark, FilePlace::InFolder, O_RDONLY);
        const auto closed = qScopeGuard([&] { close(other); });
        QCOMPARE(flock(other, LOCK_EX), 0);
        std::stop_source stop;
        stop.request_stop();
        const StopScope scope(stop.get_token());
        QVERIFY_EXCEPTION_THROWN(copy.bring(), GivenUp);
        QVERIFY(!fs::exists(base / "copy" / "run.json"));
    }

    void followingCanBeGivenUp() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, base, "batch");
        setState(run, "running");
        std::stop_source stop;
        const StopScope scope(stop.get_token());
        RemoteCopy copy(there(run), base / "copy", false);
        copy.look();
        copy.claim();
        FollowTeller teller;
        teller.copied = [&](const CopiedFiles&) { stop.request_stop(); };
        QVERIFY_EXCEPTION_THROWN(follow(copy, {}, teller), GivenUp);
    }

    void whatIsWrongIsSaid() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        const auto asked = [&](const char* place) {
            return why([&] { RemoteShell(parseRemotePlace(place)).run("true"); });
        };
        QCOMPARE(asked("ssh://lab/x"), QString("fine"));
        // csh cannot read one within a word.
        const QString broken = why([&] { RemoteShell(parseRemotePlace("ssh://lab/x")).run("echo one\necho two"); });
        QVERIFY2(broken.contains("holds a line break"), qPrintable(broken));
        use("client_wrong_key");
        QVERIFY2(asked("ssh://lab/x").contains("lab takes none of your keys"), qPrintable(asked("ssh://lab/x")));
        use("client_unknown_host");
        QVERIFY2(asked("ssh://lab/x").contains("does not know the host key of lab"), qPrintable(asked("ssh://lab/x")));
        use("client_other_host");
        QVERIFY2(asked("ssh://lab/x").contains("another host key"), qPrintable(asked("ssh://lab/x")));
        use("client");
        const QByteArray refused = "ssh://lab:" + QByteArray::number(SshServer::freePort()) + "/x";
        QVERIFY2(asked(refused).contains("No connection to lab"), qPrintable(asked(refused)));
        QVERIFY2(asked("ssh://no-such-machine.invalid/x").contains("no machine called no-such-machine.invalid"),
                 qPrintable(asked("ssh://no-such-machine.invalid/x")));
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", "/nowhere");
        const QString said = asked("ssh://lab/x");
        qputenv("PATH", path);
        QVERIFY2(said.contains("has no program ssh"), qPrintable(said));
    }

    void aFullDiskThereIsSaidAndLeavesNoHalfFile() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        put(base / "large", QByteArray(1'000'000, 'x'));
        server_.stop();
        QCOMPARE(server_.resume(64 * 1024), QString());
        const QString said = why([&] { sendFile(RemoteShell(there(base)), base / "large", there(base / "arrived")); });
        server_.stop();
        QCOMPARE(server_.resume(), QString());
        QVERIFY2(said.contains("The disk of lab is full"), qPrintable(said));
        QVERIFY(!fs::exists(base / "arrived"));
        QVERIFY(!fs::exists(base / "arrived.part"));
        sendFile(RemoteShell(there(base)), base / "large", there(base / "arrived"));
        QCOMPARE(contentOf(base / "arrived"), contentOf(base / "large"));
    }

    void aTornFileNeverTakesItsPlace() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        put(base / "large", QByteArray(1'000'000, 'x'));
        put(base / "arrived", "older");
        server_.cutInput(500'000);
        const QString said = why([&] { sendFile(RemoteShell(there(base)), base / "large", there(base / "arrived")); });
        server_.allowAll();
        QVERIFY2(said.contains("only part of it came"), qPrintable(said));
        QCOMPARE(contentOf(base / "arrived"), QByteArray("older"));
        QVERIFY(!fs::exists(base / "arrived.part"));
        put(base / "empty", "");
        sendFile(RemoteShell(there(base)), base / "empty", there(base / "arrived"));
        QCOMPARE(contentOf(base / "arrived"), QByteArray());
    }

    void theProgramThereMustFit() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path program = fs::path(folder.path().toStdString()) / "palimpsest-cli";
        put(program, "#!/bin/sh\necho palimpsest-cli 1.2.3\n");
        fs::permissions(program, fs::perms::owner_all);
        const RemoteShell shell(there("/x"));
        std::vector<std::string> told;
        const VersionTeller tell = [&told](const std::string& sentence) { told.push_back(sentence); };
        QCOMPARE(findRemoteProgram(shell, program.string(), "1.2.3", tell), program.string());
        const auto asked = [&](const char* version) {
            return why([&] { findRemoteProgram(shell, program.string(), version, tell); });
        };
        QCOMPARE(asked("1.2.3"), QString("fine"));
        QVERIFY(told.empty());
        QCOMPARE(asked("1.2.10"), QString("fine"));
        QCOMPARE(told, std::vector<std::string>{"lab has Palimpsest 1.2.3, this computer 1.2.10: what it computes need "
                                                "not be the same bit for bit as here."});
        for (const char* other : {"1.3.0", "2.2.3", "1.2", "1.2.x", "11.2.3", ""})
            QVERIFY2(asked(other).contains("need not understand each other's files"), other);
        QVERIFY2(asked("1.3.0").contains("Install Palimpsest 1.3.x there"), qPrintable(asked("1.3.0")));
        QCOMPARE(told.size(), std::size_t{1});
        QVERIFY(why([&] { findRemoteProgram(shell, "/bin/true", "1.3.0", tell); }).contains("is no palimpsest-cli"));
        QVERIFY(why([&] { findRemoteProgram(shell, "/nowhere/x", "1.3.0", tell); }).contains("There is no program"));
    }

    void workGoesOnByItselfAndCanBeStopped() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        // Ends at a signal, with its own exit code.
        put(base / "worker",
            "#!/bin/sh\ntrap 'echo asked to end; exit 7' TERM\necho \"begins with $1\"\n"
            "while :; do sleep 0.1; done\n");
        fs::permissions(base / "worker", fs::perms::owner_all);
        const RemoteJob job(there(base / "the run"));
        QVERIFY(job.facts().state == RemoteJob::State::None);
        QVERIFY(!job.stop());
        job.prepare(false);
        job.start((base / "worker").string(), {"it's; a word"});
        QVERIFY(job.facts().state == RemoteJob::State::Running);
        QVERIFY(why([&] { job.prepare(true); }).contains("Work goes on"));
        QTRY_VERIFY_WITH_TIMEOUT(job.facts().log.find("begins with it's; a word") != std::string::npos, 60'000);
        QVERIFY(job.stop());
        QTRY_VERIFY_WITH_TIMEOUT(job.facts().state == RemoteJob::State::Ended, 60'000);
        QCOMPARE(job.facts().code, 7);
        QVERIFY(job.facts().log.find("asked to end") != std::string::npos);
        QVERIFY(why([&] { job.prepare(false); }).contains("already"));
        // Killed without a word.
        job.prepare(true);
        job.start("/bin/sleep", {"1000"});
        const QByteArray pid = contentOf(base / "the run.job" / "pid").split(' ').first();
        QVERIFY(pid.toInt() > 1);
        kill(-pid.toInt(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(job.facts().state == RemoteJob::State::Gone, 60'000);
    }

    // A name there is never a command, whatever the login shell makes of quotes and backslashes.
    void workRunsBehindEveryLoginShell_data() {
        QTest::addColumn<QString>("shell");
        for (const char* shell : {"sh", "bash", "zsh", "fish", "tcsh"}) QTest::newRow(shell) << shell;
    }
    void workRunsBehindEveryLoginShell() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QFETCH(QString, shell);
        const QString program = QStandardPaths::findExecutable(shell);
        if (program.isEmpty()) QSKIP("There is no such shell.");
        server_.loginShell(program);
        const auto restored = qScopeGuard([&] { server_.allowAll(); });
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        put(base / "sent", "whole");
        for (const char* name :
             {"o'neil runs", "x'; touch made; '", "a$(touch made)b", "\\'; touch made; \\'", "a\\\\b", "!! a!b '!$'"}) {
            const RemoteJob job(there(base / name));
            job.prepare(false);
            sendFile(job.shell(), base / "sent", job.side().below("sent"));
            QCOMPARE(contentOf(base / (std::string(name) + ".job") / "sent"), QByteArray("whole"));
            job.start("/bin/sh", {"-c", "printf '%s\\n' \"$0\"; pwd", name});
            QTRY_VERIFY_WITH_TIMEOUT(job.facts().state == RemoteJob::State::Ended, 60'000);
            QCOMPARE(job.facts().log, std::string(name) + "\n" + job.side().path + "\n");
            for (const fs::path& place :
                 {base, base / (std::string(name) + ".job"), fs::path(QDir::homePath().toStdString())})
                QVERIFY(!fs::exists(place / "made"));
        }
    }

    void ofTwoThatBeginAtOnceOneHasTheFolder() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        const QTemporaryDir folder;
        const RemoteJob job(there(fs::path(folder.path().toStdString()) / "runs" / "one"));
        job.prepare(false);
        QVERIFY(why([&] { job.prepare(false); }).contains("already"));
        job.prepare(true);
    }

    void aRunThatFailsAtOnceSaysWhy() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        put(base / "worker",
            "#!/bin/sh\ncat experiment.toml > got.toml\necho 'palimpsest-cli: No such data.' >&2; exit 2\n");
        fs::permissions(base / "worker", fs::perms::owner_all);
        const QString said = why([&] {
            startRemoteRun(table_, madeUpExperiment("batch"), there(base / "runs"), (base / "worker").string());
        });
        QVERIFY2(said.contains("has failed: No such data."), qPrintable(said));
        const QStringList jobs = QDir(folder.filePath("runs")).entryList({"batch-run-*.job"}, QDir::Dirs);
        QCOMPARE(jobs.size(), 1);
        QVERIFY(contentOf(base / "runs" / jobs.first().toStdString() / "got.toml").contains("batch"));
    }

    // What has begun is no failure, although nobody can ask for it at the moment.
    void aRunThatHasBegunIsTold() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        put(base / "worker", "#!/bin/sh\nkill -9 " + QByteArray::number(server_.pid()) + "\nsleep 2\n");
        fs::permissions(base / "worker", fs::perms::owner_all);
        RemotePlace place;
        const QString said = why([&] {
            place = startRemoteRun(table_, madeUpExperiment("batch"), there(base / "runs"), (base / "worker").string());
        });
        server_.stop();
        QCOMPARE(server_.resume(), QString());
        QCOMPARE(said, QString("fine"));
        QVERIFY(RemoteJob(place).facts().state != RemoteJob::State::None);
    }

    void aSubmissionWhoseConnectionBreaksIsKnown() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        const SlurmThere slurm(
            server_,
            "#!/bin/sh\nsbatch sweep.sbatch >/dev/null\necho '{\"event\": \"submitted\", \"job\": \"12\"}'\n"
            "kill -9 $PALIMPSEST_TEST_SESSION\nsleep 0.2\n");
        const fs::path& base = slurm.base;
        put(base / "grid.toml", "base = \"mine\"\n");
        const RemoteSweep sweep(there(base / "sweep"), slurm.worker());
        std::vector<std::string> jobs;
        QCOMPARE(why([&] { jobs = sweep.submit(base / "grid.toml", {}, "mine", {"-p x"}); }), QString("fine"));
        QCOMPARE(jobs, std::vector<std::string>{"12"});
        // A second call would queue a second array.
        const QString again = why([&] { sweep.submit(base / "grid.toml", {}, "mine", {"-p x"}); });
        QVERIFY2(again.contains("has jobs of this sweep already: 12"), qPrintable(again));
        QCOMPARE(contentOf(base / "bin" / "queue").count('\n'), 1);
        QCOMPARE(sweep.cancel(), std::vector<std::string>{"12"});
        QVERIFY(sweep.goesOn() == false);
    }

    void whatSlurmSaysIsNotedInTheCopyUntilItIsOver() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        const SlurmThere slurm(server_,
                               "#!/bin/sh\nif [ \"$1\" = --version ]; then echo palimpsest-cli 0; exit; fi\n"
                               "echo '{\"number\": 1, \"slurm\": {\"task\": \"12_1\", \"state\": \"PENDING\", "
                               "\"reason\": \"Priority\", \"nodes\": null, \"restarts\": 0}}'\n");
        const fs::path& base = slurm.base;
        fs::create_directories(base / "sweep.job");
        put(base / "sweep.job" / "jobs", "12\n");
        fs::create_directory(base / "sweep");
        put(base / "sweep" / "sweep.toml", "");
        put(base / "bin" / "queue", "12|1|PENDING|Priority||x\n");
        fs::create_directory(base / "copy");
        const RemoteCopy copy(there(base / "sweep"), base / "copy", false);
        SlurmNews news(copy, {slurm.worker(), "0", seconds(0)});
        QVERIFY(!news.over());
        QVERIFY2(!fs::exists(base / "copy" / kSlurmNote), "it is no sweep for Slurm");
        put(base / "copy" / "sweep.sbatch", "#!/bin/sh\n");
        QVERIFY(!news.over());
        QVERIFY(news.active());
        QCOMPARE(parseListedTasks(readTextFile(base / "copy" / kSlurmNote)).at(1).reason, std::string("Priority"));
        fs::remove(base / "bin" / "queue");
        QVERIFY(!news.over());
        QVERIFY(!news.active());
        QVERIFY(news.over());
    }

    void jobsBeforeARefusalAreNoted() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        const SlurmThere slurm(server_,
                               "#!/bin/sh\necho '{\"event\": \"submitted\", \"job\": \"12\", \"after\": \"11\"}'\n"
                               "echo 'palimpsest-cli: Slurm refuses the rest.' >&2\nexit 2\n");
        const fs::path& base = slurm.base;
        put(base / "grid.toml", "base = \"mine\"\n");
        const RemoteSweep sweep(there(base / "sweep"), slurm.worker());
        const QString said = why([&] { sweep.submit(base / "grid.toml", {}, "mine", {"-p x"}); });
        QVERIFY2(said.contains("lab says: Slurm refuses the rest."), qPrintable(said));
        QCOMPARE(contentOf(base / "sweep.job" / "jobs").simplified(), QByteArray("11 12"));
    }

    void aRefusedSubmissionLeavesNothing() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        const SlurmThere slurm(server_, "#!/bin/sh\necho 'palimpsest-cli: Slurm refuses it.' >&2\nexit 2\n");
        const fs::path& base = slurm.base;
        put(base / "grid.toml", "base = \"mine.toml\"\n");
        put(base / "mine.toml", "name = \"mine\"\n");
        const RemoteSweep sweep(there(base / "sweep"), slurm.worker());
        const auto submitted = [&] {
            return why([&] { sweep.submit(base / "grid.toml", {}, "mine.toml", {"-p x"}); });
        };
        QVERIFY2(submitted().contains("lab says: Slurm refuses it."), qPrintable(submitted()));
        QVERIFY(!fs::exists(base / "sweep.job"));
        // Of an earlier submission everything stays.
        fs::create_directory(base / "sweep.job");
        put(base / "sweep.job" / "mine.toml", "name = \"older\"\n");
        QVERIFY(submitted().contains("Slurm refuses it."));
        QVERIFY(fs::exists(base / "sweep.job" / "mine.toml"));
        QVERIFY(fs::exists(base / "sweep.job" / "grid.toml"));
    }

    void whatDoesNotFitThereLeavesNothing() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        const SlurmThere slurm(server_, "#!/bin/sh\nexit 0\n");
        const fs::path& base = slurm.base;
        put(base / "grid.toml", "base = \"mine\"\n");
        put(base / "large.toml", QByteArray(1'000'000, '#'));
        const RemoteSweep sweep(there(base / "sweep"), slurm.worker());
        Experiment streamed = madeUpExperiment("batch");
        streamed.stream.index_list = (base / "large.toml").string();
        server_.stop();
        QCOMPARE(server_.resume(64 * 1024), QString());
        const QString refused = why([&] { sweep.submit(base / "grid.toml", {}, "large.toml", {"-p x"}); });
        const QString run = why([&] { startRemoteRun(table_, streamed, there(base / "runs"), slurm.worker()); });
        server_.stop();
        QCOMPARE(server_.resume(), QString());
        QVERIFY2(refused.contains("The disk of lab is full"), qPrintable(refused));
        QVERIFY2(run.contains("The disk of lab is full"), qPrintable(run));
        QVERIFY(!fs::exists(base / "sweep.job"));
        QVERIFY(fs::is_directory(base / "runs") && fs::is_empty(base / "runs"));
    }

    void aListNeedsASweep() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        put(base / "worker", "#!/bin/sh\ncat \"$2\"\n");
        fs::permissions(base / "worker", fs::perms::owner_all);
        const RemoteSweep sweep(there(base / "sweep"), (base / "worker").string());
        const QString said = why([&] { sweep.list(false); });
        QVERIFY2(said.startsWith("There is no sweep in " + folder.filePath("sweep") + " on lab. --slurm"),
                 qPrintable(said));
        // One that was submitted on that machine has no folder beside it.
        fs::create_directory(base / "sweep");
        put(base / "sweep" / "sweep.toml", "a sweep");
        QCOMPARE(sweep.list(false), std::string("a sweep"));
    }

    void aSweepIsSubmittedOnlyWhereThereIsASlurm() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        put(base / "grid.toml", "base = \"mine.toml\"\n");
        put(base / "mine.toml", "name = \"mine\"\n");
        put(base / "worker",
            "#!/bin/sh\ncat grid.toml mine.toml > got\n"
            "echo '{\"event\": \"submitted\", \"job\": \"41\", \"after\": \"40\"}'\n");
        fs::permissions(base / "worker", fs::perms::owner_all);
        const RemoteSweep sweep(there(base / "sweep"), (base / "worker").string());
        QVERIFY(why([&] { sweep.cancel(); }).contains("No job was submitted"));
        QVERIFY(why([&] { sweep.submit(base / "grid.toml", {}, "../mine.toml", {"-p x"}); }).contains("lie beside it"));
        const bool slurm = RemoteShell(there("/")).run(std::string(kAsLogin) + "command -v sbatch").code == 0;
        std::vector<std::string> jobs;
        const QString said = why([&] { jobs = sweep.submit(base / "grid.toml", {}, "mine.toml", {"-p x"}); });
        if (!slurm) {
            QVERIFY2(said.contains("lab has no Slurm"), qPrintable(said));
            return;
        }
        QCOMPARE(said, QString("fine"));
        QCOMPARE(jobs, (std::vector<std::string>{"41", "40"}));
        QCOMPARE(contentOf(base / "sweep.job" / "got"), QByteArray("base = \"mine.toml\"\nname = \"mine\"\n"));
        QCOMPARE(contentOf(base / "sweep.job" / "jobs").simplified(), QByteArray("40 41"));
    }
};

PALIMPSEST_GUILESS_TEST(TestRemote)

}  // namespace tst_remote

#include "tst_remote.moc"
