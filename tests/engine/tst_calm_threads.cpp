// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <dlfcn.h>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>

#include "engine/network/compute.h"
#include "engine/support/calm_threads.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_calm_threads {

namespace {

constexpr const char* kOther = "The environment says how OpenMP's threads wait, or LibTorch has another than GCC's.";

/// Threads of this process, by the names that the system gives them.
std::set<std::string> threads() {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
        all.insert(entry.path().filename().string());
    return all;
}

double seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void work(double duration) {
    const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + duration;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
}

/// Two OpenMP threads of which one works and the other waits, several times over.
struct Waiting {
    int (*number)() = nullptr;
    double done = 0;  ///< processor time of the waiting thread, s
    // Read by the first thread at the end, which a sanitizer does not see to be after libgomp's barrier.
    std::atomic<double> spent{0};     ///< on waiting, s
    std::atomic<bool> waited{false};  ///< there was a second thread

    static void pass(void* data) {
        Waiting& it = *static_cast<Waiting*>(data);
        if (it.number() == 0) return work(0.02);
        const double now = seconds(CLOCK_THREAD_CPUTIME_ID);
        if (it.waited) it.spent = it.spent + now - it.done;
        it.waited = true;
        it.done = seconds(CLOCK_THREAD_CPUTIME_ID);
    }
};

}  // namespace

class TestCalmThreads : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cublasGetsAFixedWorkspace() {
        qunsetenv("CUBLAS_WORKSPACE_CONFIG");
        fixCublasWorkspace();
        QCOMPARE(qgetenv("CUBLAS_WORKSPACE_CONFIG"), QByteArray(":4096:8"));
    }

    void aWorkspaceOfTheUserStays() {
        qputenv("CUBLAS_WORKSPACE_CONFIG", ":16:8");
        fixCublasWorkspace();
        QCOMPARE(qgetenv("CUBLAS_WORKSPACE_CONFIG"), QByteArray(":16:8"));
    }

    void aWishOfTheUserStays() {
        for (const char* const name : {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}) {
            const bool given = qEnvironmentVariableIsSet(name);
            if (!given) qputenv(name, "7");
            QVERIFY(!calmThreads());
            if (!given) qunsetenv(name);
        }
    }

    void whatKeepsThemCalmIsIdle() {
        const std::set<std::string> before = threads();
        if (!calmThreads()) QSKIP(kOther);
        std::set<std::string> kept;
        std::ranges::set_difference(threads(), before, std::inserter(kept, kept.end()));
        QVERIFY(kept.size() > std::thread::hardware_concurrency());
        work(0.05);
        for (const std::string& thread : kept) {
            std::ifstream in("/proc/self/task/" + thread + "/schedstat");
            std::uint64_t nanoseconds = 0;
            in >> nanoseconds;
            QVERIFY2(nanoseconds < 3'000'000, qPrintable(QString("%1 ns").arg(nanoseconds)));
        }
    }

    void aThreadOfARunSleepsWhenItWaits() {
        void* const parallel = dlsym(RTLD_DEFAULT, "GOMP_parallel");
        void* const number = dlsym(RTLD_DEFAULT, "omp_get_thread_num");
        if (!parallel || !number) QSKIP(kOther);
        prepareCompute("cpu", "float32", 2);
        if (!calmThreads()) QSKIP(kOther);
        Waiting waiting;
        waiting.number = reinterpret_cast<int (*)()>(number);
        for (int i = 0; i < 11; ++i)
            reinterpret_cast<void (*)(void (*)(void*), void*, unsigned, unsigned)>(parallel)(Waiting::pass, &waiting, 2,
                                                                                             0);
        QVERIFY(waiting.waited);
        // Ten waits of 20 ms; a thread that spins takes 15 ms or more for all of them.
        QVERIFY2(waiting.spent < 0.005, qPrintable(QString("%1 s").arg(waiting.spent.load())));
    }
};

PALIMPSEST_APPLESS_TEST(TestCalmThreads)

}  // namespace tst_calm_threads

#include "tst_calm_threads.moc"
