// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/run/engine_facts.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_engine_facts {

class TestEngineFacts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsNameWhatIsKnown() {
        EngineFacts facts;
        QVERIFY(engineRows(facts).empty());
        facts.libtorch = "1.13.0";
        facts.threads = 2;
        const auto rows = engineRows(facts);
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0], (std::pair<std::string, std::string>("LibTorch", "1.13.0")));
        QCOMPARE(rows[1].second, std::string("2"));
        // Nothing is said twice, and each value begins as a sentence does.
        facts.device = "CPU, 2 threads";
        facts.gpu = "this LibTorch has no CUDA";
        const auto all = engineRows(facts);
        QCOMPARE(all.size(), std::size_t{3});
        QCOMPARE(all[1].second, facts.device);
        QCOMPARE(all[2].second, std::string("This LibTorch has no CUDA"));
    }

    void adviceIsForWhatIsMissing() {
        EngineFacts facts;
        QCOMPARE(engineAdvice(facts), std::string());
        facts.gpu_state = GpuState::NoCuda;
        QVERIFY(engineAdvice(facts).find("`app/run --gpu`") != std::string::npos);
        QVERIFY(engineAdvice(facts).find("`app/run --torch DIR`") != std::string::npos);
        facts.gpu_state = GpuState::NoDevice;
        QVERIFY(engineAdvice(facts).find("`nvidia-smi`") != std::string::npos);
        facts.gpu_state = GpuState::Ready;
        QCOMPARE(engineAdvice(facts), std::string());
        facts.problem = "The learning engine is missing.";
        facts.hint = "Install the program again.";
        QCOMPARE(engineAdvice(facts), facts.hint);
    }
};

PALIMPSEST_APPLESS_TEST(TestEngineFacts)

}  // namespace tst_engine_facts

#include "tst_engine_facts.moc"
