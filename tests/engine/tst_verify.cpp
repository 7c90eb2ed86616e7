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

    void folderThatIsNotUnderstoodIsAnError() {
        QTemporaryDir folder;
        QVERIFY_EXCEPTION_THROWN(verified(folder.path().toStdString()), Error);
        QVERIFY_EXCEPTION_THROWN(verified("/no/such/folder"), Error);
    }
};

QTEST_APPLESS_MAIN(TestVerify)
#include "tst_verify.moc"
