// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <fstream>
#include <map>

#include "engine/api.h"
#include "engine/support/error.h"

using namespace palimpsest;

namespace {

const std::filesystem::path kGolden = std::filesystem::path(PALIMPSEST_TEST_DATA) / "golden";

std::map<std::string, VerifiedCase> verified(const std::filesystem::path& folder) {
    std::map<std::string, VerifiedCase> cases;
    verifyGolden(folder, [&](const VerifiedCase& entry) { cases[entry.name] = entry; });
    return cases;
}

/// A copy with the named files only.
void copyFiles(const std::filesystem::path& to, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        std::filesystem::create_directories((to / name).parent_path());
        std::filesystem::copy_file(kGolden / name, to / name);
    }
}

/// Flips a byte near the end of a file, inside its last tensor.
void damage(const std::filesystem::path& file, std::streamoff fromEnd) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(-fromEnd, std::ios::end);
    const int byte = stream.get();
    stream.seekp(-fromEnd, std::ios::end);
    stream.put(static_cast<char>(byte ^ 0x40));
}

}  // namespace

class TestVerify : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyGoldenNumberIsMet() {
        const auto cases = verified(kGolden);
        int passed = 0;
        for (const auto& [name, entry] : cases) {
            QVERIFY2(entry.result != CaseResult::Fail, qPrintable(QString::fromStdString(name + ": " + entry.detail)));
            passed += entry.result == CaseResult::Ok;
        }
        // 60 streams, 14 metrics, 2 reservoirs, 5 passes, 18 trajectories, 10 whole runs.
        QVERIFY2(passed >= 109, qPrintable(QString::number(passed)));
        QVERIFY(cases.at("trajectories/misa_loadpt_mem_batch_it3").result == CaseResult::Ok);
        QVERIFY(cases.at("end_to_end/dualprompt_session_T5_n50_m10_seed1").result == CaseResult::Ok);
        QVERIFY(cases.at("end_to_end/l2p_T5_n50_m10_seed1").result == CaseResult::Todo);
    }

    void damagedNumberFails() {
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        copyFiles(copy, {"shared/backbone.safetensors", "shared/data.safetensors", "parity/batch.safetensors",
                         "parity/linear_probe.safetensors", "trajectories/linearprobe_u1.safetensors"});
        QCOMPARE(verified(copy).size(), std::size_t{2});
        damage(copy / "parity/linear_probe.safetensors", 1);
        damage(copy / "trajectories/linearprobe_u1.safetensors", 1);
        for (const auto& [name, entry] : verified(copy))
            QVERIFY2(entry.result == CaseResult::Fail, qPrintable(QString::fromStdString(name)));
    }

    void unreadableCaseFailsAndTheOthersGoOn() {
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        copyFiles(copy, {"shared/backbone.safetensors", "shared/data.safetensors",
                         "trajectories/linearprobe_u1.safetensors"});
        std::ofstream(copy / "trajectories/linearprobe_broken.safetensors") << "not a tensor file";
        const auto cases = verified(copy);
        QVERIFY(cases.at("trajectories/linearprobe_broken").result == CaseResult::Fail);
        QVERIFY(cases.at("trajectories/linearprobe_u1").result == CaseResult::Ok);
    }

    void everyBadCaseAndFileFailsAloneWithItsReason_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("failed");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<int>("cases");
        const QString todo = R"({"case": "l2p", "method": "l2p"})", memoryTodo = R"({"case": "rm_update"})";
        const auto list = [](const char* format, const QString& cases) {
            return QString(R"({"format": "%1", "cases": [%2]})").arg(format, cases);
        };
        QTest::newRow("a run without settings")
            << "end_to_end.json"
            << list("end-to-end-v1", R"({"case": "bad", "method": "dualprompt_batch"}, )" + todo) << "end_to_end/bad"
            << "data.safetensors" << 2;
        QTest::newRow("a run without a name")
            << "end_to_end.json" << list("end-to-end-v1", "{}, " + todo) << "end_to_end/1" << "method" << 2;
        QTest::newRow("a memory without a size")
            << "memory_decisions.json" << list("memory-decisions-v1", R"({"case": "er_reservoir_0"}, )" + memoryTodo)
            << "memory/er_reservoir_0" << "memory_size" << 2;
        QTest::newRow("a draw that is out of range")
            << "memory_decisions.json"
            << list("memory-decisions-v1",
                    R"({"case": "er_reservoir_0", "memory_size": 1, "batches": [[[1], [2]], [[3]]],
                        "draws": [[], [["randint", 3, -5]]], "states": [{"indices": [2]}, {"indices": [2]}]}, )" +
                        memoryTodo)
            << "memory/er_reservoir_0" << "A draw of -5 is out of range." << 2;
        QTest::newRow("a file that is no JSON")
            << "streams.json" << "{" << "streams" << "is not valid JSON" << 1;
        QTest::newRow("a file without cases")
            << "memory_decisions.json" << list("memory-decisions-v1", "") << "memory_decisions" << "has no cases" << 1;
    }
    void everyBadCaseAndFileFailsAloneWithItsReason() {
        QFETCH(QString, file);
        QFETCH(QString, text);
        QFETCH(QString, failed);
        QFETCH(QString, reason);
        QFETCH(int, cases);
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        copyFiles(copy, {"metrics.json"});
        std::ofstream(copy / file.toStdString()) << text.toStdString();
        const auto all = verified(copy);
        QCOMPARE(all.size(), static_cast<std::size_t>(14 + cases));
        for (const auto& [name, entry] : all) {
            const bool bad = name == failed.toStdString();
            QVERIFY2((entry.result == CaseResult::Fail) == bad, qPrintable(QString::fromStdString(name)));
            if (!bad) continue;
            const QString detail = QString::fromStdString(entry.detail);
            QVERIFY2(detail.contains(reason) && !detail.contains('\n'), qPrintable(detail));
        }
    }

    void folderThatIsNotUnderstoodIsAnError() {
        QTemporaryDir folder;
        QVERIFY_EXCEPTION_THROWN(verified(folder.path().toStdString()), Error);
        QVERIFY_EXCEPTION_THROWN(verified("/no/such/folder"), Error);
    }
};

QTEST_APPLESS_MAIN(TestVerify)
#include "tst_verify.moc"
