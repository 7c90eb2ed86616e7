// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <fcntl.h>
#include <unistd.h>
#include <QTemporaryDir>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "engine/support/child_process.h"
#include "engine/support/file_io.h"
#include "engine/support/process.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using std::chrono::milliseconds;

namespace tst_child_process {

namespace fs = std::filesystem;

namespace {

constexpr milliseconds kLong{60'000};

/// Words of a shell that does this.
ChildStart shell(const std::string& script) {
    return {.words = {"/bin/sh", "-c", script}};
}

/// What a script writes to its standard output.
std::string saidBy(ChildStart start, const fs::path& folder) {
    const ChildFile output(folder / "said", O_WRONLY | O_CREAT | O_TRUNC);
    start.output = output.number();
    ChildProcess child(start);
    if (child.problem() != 0 || !child.hasEnded(kLong)) qFatal("The shell does not end.");
    child.wait();
    return readTextFile(folder / "said");
}

/// An end is told once, so no macro may ask a second time.
bool endComes(pid_t pid, ChildLook& look) {
    return QTest::qWaitFor([&] { return (look = lookAtChild(pid)).end.has_value(); }, 60'000);
}

/// While it lives, this program ignores a signal.
class Ignored {
public:
    explicit Ignored(int number) : number_(number), before_(std::signal(number, SIG_IGN)) {}
    ~Ignored() { std::signal(number_, before_); }
    Ignored(const Ignored&) = delete;
    Ignored& operator=(const Ignored&) = delete;

private:
    const int number_;
    void (*const before_)(int);
};

}  // namespace

/// Programs that are started, with posix_spawn() and, where they have limits or end with a thread, with fork().
class TestChildProcess : public QObject {
    Q_OBJECT

    QTemporaryDir place_;
    fs::path folder_;

    void bothWays() const {
        QTest::addColumn<int>("end_signal");
        QTest::newRow("without limits") << 0;
        QTest::newRow("ends with its thread") << SIGKILL;
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(place_.isValid());
        folder_ = place_.path().toStdString();
    }

    void itsEndIsTold_data() { bothWays(); }
    void itsEndIsTold() {
        QFETCH(int, end_signal);
        ChildStart start = shell("exit 3");
        start.end_signal = end_signal;
        ChildProcess child(start);
        QCOMPARE(child.problem(), 0);
        const pid_t pid = child.pid();
        QVERIFY(pid > 0);
        QVERIFY(child.hasEnded(kLong));
        QVERIFY2(child.hasEnded(), "a look does not reap it");
        const ChildEnd end = child.wait();
        QCOMPARE(end.pid, pid);
        QCOMPARE(end.text(), std::string("exit code 3"));
        QCOMPARE(end.exitCode(), 3);
        QCOMPARE(child.pid(), 0);
        QVERIFY(!lookAtChild(pid).ours);

        start.words.back() = "kill -9 $$";
        ChildProcess killed(start);
        QVERIFY(killed.hasEnded(kLong));
        const ChildEnd by = killed.wait();
        QVERIFY(by.killed && by.text().starts_with("signal 9 ("));
        QCOMPARE(by.exitCode(), 128 + 9);
    }

    void whatCannotBeStartedSaysWhy_data() { bothWays(); }
    void whatCannotBeStartedSaysWhy() {
        QFETCH(int, end_signal);
        replaceTextFile(folder_ / "text", "no program\n");
        for (const auto& [word, reason] : {std::pair<std::string, int>{"/no/such/program", ENOENT},
                                           {(folder_ / "text").string(), EACCES},
                                           {folder_.string(), EACCES}}) {
            const ChildProcess child({.words = {word}, .end_signal = end_signal});
            QCOMPARE(child.problem(), reason);
            QCOMPARE(child.pid(), 0);
        }
        QCOMPARE(
            ChildProcess({.words = {"no-such-program-anywhere"}, .searched = true, .end_signal = end_signal}).problem(),
            ENOENT);
        ChildProcess found({.words = {"true"}, .searched = true, .end_signal = end_signal});
        QCOMPARE(found.problem(), 0);
        QVERIFY(found.hasEnded(kLong));
        QCOMPARE(found.wait().exitCode(), 0);
    }

    void itsFilesAndItsNameAreThoseThatItWasGiven_data() { bothWays(); }
    void itsFilesAndItsNameAreThoseThatItWasGiven() {
        QFETCH(int, end_signal);
        replaceTextFile(folder_ / "given", "some words");
        const ChildFile input(folder_ / "given", O_RDONLY);
        QCOMPARE(input.problem(), 0);
        // Its own number is closed in the new program.
        ChildStart start =
            shell("cat; test -e /proc/self/fd/" + std::to_string(input.number()) + " || printf ' %s' $0");
        start.words.push_back("name");
        start.input = input.number();
        start.end_signal = end_signal;
        QCOMPARE(saidBy(start, folder_), std::string("some words name"));
        start = {.words = {"other", "-c", "printf '%s' $0"}, .program = "/bin/sh", .end_signal = end_signal};
        QCOMPARE(saidBy(start, folder_), std::string("other"));
    }

    void aFileIsNeverAStandardOneAndFollowsNoLinkWhereNoneIsWanted() {
        const int kept = dup(STDIN_FILENO);
        close(STDIN_FILENO);
        const ChildFile file("/dev/null", O_RDONLY);
        dup2(kept, STDIN_FILENO);
        close(kept);
        QVERIFY(file.number() > STDERR_FILENO);
        QVERIFY((fcntl(file.number(), F_GETFD) & FD_CLOEXEC) != 0);
        QCOMPARE(ChildFile(folder_ / "none" / "log", O_WRONLY | O_CREAT).problem(), ENOENT);
        fs::create_symlink("given", folder_ / "link");
        QCOMPARE(ChildFile(folder_ / "link", O_RDONLY | O_NOFOLLOW).problem(), ELOOP);
    }

    void theGroupEndsWithIt_data() { bothWays(); }
    void theGroupEndsWithIt() {
        QFETCH(int, end_signal);
        long grandchild = 0;
        std::string identity;
        {
            const ChildFile output(folder_ / "said", O_WRONLY | O_CREAT | O_TRUNC);
            ChildStart start = shell("sleep 1000 & echo $! ; wait");
            start.output = output.number();
            start.end_signal = end_signal;
            const ChildProcess child(start);
            QCOMPARE(child.problem(), 0);
            QCOMPARE(getpgid(child.pid()), child.pid());
            QTRY_VERIFY_WITH_TIMEOUT(readTextFile(folder_ / "said").ends_with('\n'), 60'000);
            QVERIFY(!child.hasEnded());
            grandchild = std::stol(readTextFile(folder_ / "said"));
            identity = processIdentity(grandchild);
            QVERIFY(!identity.empty());
        }
        QTRY_VERIFY_WITH_TIMEOUT(!processAlive(grandchild, identity), 60'000);
        ChildStart start = shell("exec sleep 1000");
        start.end_signal = end_signal;
        start.own_group = false;
        const ChildProcess child(start);
        QCOMPARE(getpgid(child.pid()), getpgrp());
    }

    void whatWasReleasedLivesOnAndItsEndIsToldOnce() {
        pid_t pid = 0;
        {
            ChildProcess child(shell("exec sleep 1000"));
            pid = child.release();
            QCOMPARE(child.pid(), 0);
            QVERIFY(child.hasEnded());
        }
        ChildLook look = lookAtChild(pid);
        QVERIFY(look.ours && !look.end);
        ::kill(pid, SIGTERM);
        QVERIFY(endComes(pid, look));
        QCOMPARE(look.end->exitCode(), 128 + SIGTERM);
        QVERIFY(!lookAtChild(pid).ours);
        QVERIFY(!lookAtChild(0).ours && !lookAtChild(-1).ours);
        pid = ChildProcess(shell("exit 0")).release();
        waitForChild(pid);
        waitForChild(pid);
        QVERIFY(!lookAtChild(pid).ours);
    }

    void signalsAreTheUsualOnesWhereTheyAreAskedFor_data() { bothWays(); }
    void signalsAreTheUsualOnesWhereTheyAreAskedFor() {
        QFETCH(int, end_signal);
        const Ignored ignored(SIGPIPE);
        for (const bool usual : {true, false}) {
            ChildStart start = shell("kill -PIPE $$; exit 0");
            start.end_signal = end_signal;
            if (usual) start.usual_signals = {SIGPIPE};
            ChildProcess child(start);
            QVERIFY(child.hasEnded(kLong));
            QCOMPARE(child.wait().exitCode(), usual ? 128 + SIGPIPE : 0);
        }
    }

    void noSignalIsBlocked_data() { bothWays(); }
    void noSignalIsBlocked() {
        QFETCH(int, end_signal);
        sigset_t blocked, before;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &blocked, &before);
        ChildStart start = shell("kill -TERM $$; exit 0");
        start.end_signal = end_signal;
        ChildProcess child(start);
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        QVERIFY(child.hasEnded(kLong));
        QCOMPARE(child.wait().exitCode(), 128 + SIGTERM);
    }

    void itsMemoryIsBounded() {
        ChildStart start = shell("ulimit -d");
        start.memory = std::int64_t{512} << 20U;
        QCOMPARE(saidBy(start, folder_), std::string("524288\n"));
    }

    void itEndsWithTheThreadThatStartedIt() {
        pid_t pid = 0;
        std::thread([&pid] {
            ChildStart start = shell("exec sleep 1000");
            start.end_signal = SIGKILL;
            pid = ChildProcess(start).release();
        }).join();
        QVERIFY(pid > 0);
        ChildLook look;
        QVERIFY(endComes(pid, look));
        QCOMPARE(look.end->exitCode(), 128 + SIGKILL);
    }
};

PALIMPSEST_APPLESS_TEST(TestChildProcess)

}  // namespace tst_child_process

#include "tst_child_process.moc"
