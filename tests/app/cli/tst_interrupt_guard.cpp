// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <csignal>
#include <semaphore>
#include <vector>

#include "app/cli/interrupt_guard.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_interrupt_guard {

namespace {

/// How a process ends whose guard ends right after `before`: the status of waitpid().
template <class Before>
int endOfGuarded(Before before) {
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        signal(SIGUSR1, SIG_DFL);
        {
            const InterruptGuard guard([](Interrupt) {});
            before();
        }
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

}  // namespace

class TestInterruptGuard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSignalInTheLastMomentDoesNotEndTheProgram_data() {
        QTest::addColumn<bool>("pipe");
        QTest::newRow("the reader of the output goes away") << true;
        QTest::newRow("a job queue warns") << false;
    }
    void aSignalInTheLastMomentDoesNotEndTheProgram() {
        QFETCH(bool, pipe);
        // Which thread is first, differs from time to time.
        for (int i = 0; i < 100; ++i) {
            const int status = endOfGuarded([pipe] {
                if (!pipe) {
                    kill(getpid(), SIGUSR1);
                    return;
                }
                int ends[2];
                if (::pipe(ends) != 0) _exit(3);
                close(ends[0]);
                if (write(ends[1], "x", 1) == 1 || !outputWasClosed()) _exit(4);
            });
            QVERIFY2(WIFEXITED(status), qPrintable(QString("signal %1 in try %2").arg(WTERMSIG(status)).arg(i)));
            QCOMPARE(WEXITSTATUS(status), 0);
        }
    }

    /// `timeout` sends each signal twice.
    void signalsOfAnotherProgramWithinASecondAreOneRequest() {
        const pid_t child = fork();
        if (child == 0) {
            alarm(120);
            std::atomic<int> milliseconds = 0;
            std::counting_semaphore<> acted{0};
            std::vector<Interrupt> asked;
            const InterruptGuard guard(
                [&](Interrupt interrupt) {
                    asked.push_back(interrupt);
                    acted.release();
                },
                [&] { return InterruptGuard::Clock::time_point(std::chrono::milliseconds(milliseconds)); });
            for (const int now : {0, 999, 1998, 2998}) {
                milliseconds = now;
                kill(getpid(), SIGINT);
                acted.acquire();
            }
            const std::vector<Interrupt> right{Interrupt::Stop, Interrupt::Stop, Interrupt::Stop, Interrupt::StopAgain};
            _exit(asked == right ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void aSecondRequestEndsALearner() {
        for (const Interrupt again : {Interrupt::StopAgain, Interrupt::CtrlCAgain}) {
            RunControl control;
            const auto handle = stopThenEndLearner(control);
            handle(Interrupt::Stop);
            handle(Interrupt::Stop);
            QVERIFY(control.verdict() == RunControl::Verdict::Stop && !control.nowToken().stop_requested());
            handle(again);
            QVERIFY(control.verdict() == RunControl::Verdict::Stop && control.nowToken().stop_requested());
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestInterruptGuard)

}  // namespace tst_interrupt_guard

#include "tst_interrupt_guard.moc"
