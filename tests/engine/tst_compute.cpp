// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/csrc/api/include/torch/version.h>

#include <atomic>
#include <fstream>
#include <opencv2/core/utility.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "engine/network/compute.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_compute {

namespace {

/// True if the operating system lists the flag for the first processor; it omits features that it does not support.
bool systemNames(const std::string& flag) {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("flags", 0) != 0) continue;
        std::istringstream words(line);
        for (std::string word; words >> word;)
            if (word == flag) return true;
        return false;
    }
    return false;
}

}  // namespace

class TestCompute : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bfloat16IsUsedWhereTheProcessorHasTilesForIt() {
        // A system may still refuse what it lists.
        if (processorHasBfloat16Tiles())
            for (const char* flag : {"amx_tile", "amx_bf16", "avx512_bf16"}) QVERIFY2(systemNames(flag), flag);
        else if (systemNames("amx_tile") && systemNames("amx_bf16") && systemNames("avx512_bf16"))
            QWARN("The system lists tiles for bfloat16, but does not let them be used.");
        const bool expected = processorHasBfloat16Tiles() && at::hasMKLDNN();
        QCOMPARE(prepareCompute("cpu", "auto", 1).precisionName(), std::string(expected ? "bfloat16" : "float32"));
    }

    void aPrecisionThatIsAskedForIsUsed() {
        QCOMPARE(prepareCompute("cpu", "float32", 1).precisionName(), std::string("float32"));
        QCOMPARE(prepareCompute("cpu", "bfloat16", 1).precisionName(), std::string("bfloat16"));
    }

    void whoAsksForASlowPrecisionIsTold() {
        QCOMPARE(precisionNote(prepareCompute("cpu", "bfloat16", 1)).empty(), processorHasBfloat16Tiles());
        QVERIFY(precisionNote(prepareCompute("cpu", "float32", 1)).empty());
        QVERIFY(precisionNote(prepareCompute("cpu", "auto", 1)).empty());
    }

    void tf32IsAGpusAlone() {
        try {
            prepareCompute("cpu", "tf32", 1);
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("cpu has no TF32"), error.what());
        }
    }

    void runsThatDisagreeAboutTf32AreNotUnderWayTogether() {
        auto first = claimTf32(true);
        QVERIFY(at::globalContext().allowTF32CuBLAS());
        auto second = claimTf32(true);
        QVERIFY_EXCEPTION_THROWN(claimTf32(false), Error);
        first.reset();
        QVERIFY_EXCEPTION_THROWN(claimTf32(false), Error);  // the second one still computes
        QVERIFY(at::globalContext().allowTF32CuBLAS());
        second.reset();
        const auto third = claimTf32(false);
        QVERIFY(!at::globalContext().allowTF32CuBLAS() && !at::globalContext().allowTF32CuDNN());
        // A run on the processor leaves the switch alone.
        prepareCompute("cpu", "float32", 1);
        QVERIFY_EXCEPTION_THROWN(claimTf32(true), Error);
    }

    void theThreadsAreLibTorchsAlone() {
        QCOMPARE(prepareCompute("cpu", "float32", 2).threads, 2);
        QCOMPARE(at::get_num_threads(), 2);
        QCOMPARE(cv::getNumThreads(), 1);
    }

    void runsMayBeginAtTheSameMoment() {
        std::atomic<int> prepared{0};
        {
            std::vector<std::jthread> runs;
            for (int run = 0; run < 8; ++run)
                runs.emplace_back([&] {
                    for (int i = 0; i < 500; ++i) prepared += prepareCompute("cpu", "float32", 1).threads;
                });
        }
        QCOMPARE(prepared.load(), 8 * 500);
    }

    void kernelsAreDeterministic() {
        prepareCompute("cpu", "float32", 1);
        QVERIFY(at::globalContext().deterministicAlgorithms());
        QVERIFY(!at::globalContext().benchmarkCuDNN());
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
        QVERIFY(!at::globalContext().deterministicFillUninitializedMemory());
#endif
    }
};

PALIMPSEST_APPLESS_TEST(TestCompute)

}  // namespace tst_compute

#include "tst_compute.moc"
