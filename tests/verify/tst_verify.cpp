// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <cstring>
#include <fstream>
#include <map>

#include "engine/stream/stream_plan.h"
#include "engine/support/error.h"
#include "engine/verify/verify_golden.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_verify {

namespace {

const std::filesystem::path kGolden = std::filesystem::path(PALIMPSEST_TEST_DATA) / "golden";

std::map<std::string, VerifiedCase> verified(const std::filesystem::path& folder) {
    std::map<std::string, VerifiedCase> cases;
    verifyGolden(folder, [&](const VerifiedCase& entry) { cases[entry.name] = entry; });
    return cases;
}

/// Makes a copy with the named files only.
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

QByteArray contentOf(const std::filesystem::path& file) {
    QFile in(QString::fromStdString(file.string()));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

void write(const std::filesystem::path& file, const QByteArray& content) {
    QFile out(QString::fromStdString(file.string()));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(content);
}

/// Replaces a text in the header of a tensor file, wherever it occurs.
void rewordAll(const std::filesystem::path& file, const QByteArray& before, const QByteArray& after) {
    QByteArray content = contentOf(file);
    quint64 length = 0;
    std::memcpy(&length, content.constData(), sizeof length);
    QByteArray header = content.mid(sizeof length, static_cast<qsizetype>(length));
    QVERIFY(header.contains(before));
    header.replace(before, after);
    content.remove(0, static_cast<qsizetype>(sizeof length + length));
    length = static_cast<quint64>(header.size());
    write(file, QByteArray(reinterpret_cast<const char*>(&length), sizeof length) + header + content);
}

/// The same for a text that occurs once.
void reword(const std::filesystem::path& file, const QByteArray& before, const QByteArray& after) {
    const QByteArray content = contentOf(file);
    QCOMPARE(content.count(before), 1);
    rewordAll(file, before, after);
}

void writeRuns(const std::filesystem::path& folder, const QJsonArray& cases) {
    const QJsonObject file{{"format", "end-to-end-v1"}, {"cases", cases}};
    write(folder / "end_to_end.json", QJsonDocument(file).toJson());
}

QJsonObject goldenRun(const QString& name) {
    const QJsonObject file = QJsonDocument::fromJson(contentOf(kGolden / "end_to_end.json")).object();
    for (const QJsonValue& one : file["cases"].toArray())
        if (one.toObject()["case"].toString() == name) return one.toObject();
    return {};
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
        // 60 streams, 14 metrics, 16 memories, 18 passes, 54 trajectories, 14 whole runs.
        QVERIFY2(passed >= 176, qPrintable(QString::number(passed)));
        for (const auto& [name, entry] : cases)
            QVERIFY2(!name.starts_with("memory/") || entry.result == CaseResult::Ok, name.c_str());
        QVERIFY(cases.at("trajectories/misa_loadpt_mem_batch_it3").result == CaseResult::Ok);
        for (const char* name :
             {"parity/dualprompt_learnable", "trajectories/dualprompt_learnable_batch_it3",
              "trajectories/dualprompt_learnable_seen_it3", "parity/dualprompt_isa_eproj_gproj",
              "trajectories/isa_naive_proj_it3", "trajectories/isa_sam_proj_it3", "trajectories/isa_fam_proj_it3"})
            QVERIFY2(cases.at(name).result == CaseResult::Ok, name);
        QVERIFY(cases.at("end_to_end/dualprompt_session_T5_n50_m10_seed1").result == CaseResult::Ok);
        QVERIFY(cases.at("parity/mvp_siblurry_full").result == CaseResult::Ok);
        QVERIFY(cases.at("trajectories/mvp_siblurry_full_it3").result == CaseResult::Ok);
        QVERIFY(cases.at("end_to_end/l2p_T5_n50_m10_seed1").result == CaseResult::Ok);
    }

    /// Si-Blurry's cases omit how often each prompt was chosen before; without MISA's beside them it is unknown.
    void anMvpCaseWithoutItsCountsSaysSo() {
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        copyFiles(copy,
                  {"shared/backbone.safetensors", "shared/init_mvp.safetensors", "shared/init_mvp_siblurry.safetensors",
                   "parity/batch.safetensors", "parity/mvp_siblurry_full.safetensors"});
        const VerifiedCase alone = verified(copy).at("parity/mvp_siblurry_full");
        QVERIFY(alone.result == CaseResult::Fail);
        QVERIFY2(QString::fromStdString(alone.detail).contains("count_before"), alone.detail.c_str());
        copyFiles(copy, {"parity/mvp_misa_full.safetensors"});
        for (const auto& [name, entry] : verified(copy)) QVERIFY2(entry.result == CaseResult::Ok, entry.detail.c_str());
    }

    /// The result does not depend on the order in which the folder lists them.
    void countsThatDisagreeAreNobodys() {
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        copyFiles(copy, {"shared/backbone.safetensors", "shared/init_mvp.safetensors",
                         "shared/init_mvp_siblurry.safetensors", "parity/batch.safetensors",
                         "parity/mvp_siblurry_full.safetensors", "parity/mvp_misa_full.safetensors",
                         "parity/mvp_misa_mask.safetensors", "parity/mvp_misa_plain.safetensors"});
        QVERIFY(verified(copy).at("parity/mvp_siblurry_full").result == CaseResult::Ok);
        for (const char* other : {"mask", "plain"}) {
            const std::filesystem::path file = copy / ("parity/mvp_misa_" + std::string(other) + ".safetensors");
            rewordAll(file, "12, 5, 0", "12, 6, 0");
            const VerifiedCase entry = verified(copy).at("parity/mvp_siblurry_full");
            QVERIFY(entry.result == CaseResult::Fail);
            QVERIFY2(QString::fromStdString(entry.detail).contains("different"), entry.detail.c_str());
            rewordAll(file, "12, 6, 0", "12, 5, 0");
        }
    }

    void anMvpSwitchOrCountThatIsOtherwiseFails_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        const auto row = [](const char* title, const QString& name, const QString& before, const QString& after) {
            QTest::newRow(title) << name << before << after;
        };
        row("no mask", "parity/mvp_misa_mask", "--use_mask", "--no_mask");
        row("no contrastive keys", "parity/mvp_misa_contrastiv", "--use_contrastiv", "--no");
        row("no scaling", "parity/mvp_misa_afs", "--use_afs", "--no_afs");
        row("no reinforcement", "parity/mvp_misa_mcr", "--use_mcr", "--no_mcr");
        row("another margin", "parity/mvp_misa_afs", R"(\"margin\": 0.5)", R"(\"margin\": 0.7)");
        row("another exponent", "parity/mvp_misa_mcr", R"(\"gamma\": 2.0)", R"(\"gamma\": 1.0)");
        row("other counts", "parity/mvp_misa_contrastiv", "12, 5, 0", "12, 5, 50");
    }
    void anMvpSwitchOrCountThatIsOtherwiseFails() {
        QFETCH(QString, name);
        QFETCH(QString, before);
        QFETCH(QString, after);
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        const std::string file = name.toStdString() + ".safetensors";
        copyFiles(copy,
                  {"shared/backbone.safetensors", "shared/init_mvp.safetensors", "parity/batch.safetensors", file});
        QVERIFY(verified(copy).at(name.toStdString()).result == CaseResult::Ok);
        rewordAll(copy / file, before.toUtf8(), after.toUtf8());
        QVERIFY(verified(copy).at(name.toStdString()).result == CaseResult::Fail);
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

    void aTrajectorysOptimiserIsTheOneItDescribes_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("wrong");  // empty: everything agrees
        const QString adam = "Adam lr 5e-3", sgd = "SGD momentum 0.9 nesterov weight_decay 1e-4 lr 1e-2";
        const auto row = [](const char* title, const QString& name, const QString& before, const QString& after,
                            const QString& wrong) { QTest::newRow(title) << name << before << after << wrong; };
        const QString probe = "linearprobe_u1", tune = "finetune_sgd_u3";
        row("Adam in more words", probe, adam, "adam weight_decay 0, eps 1e-8, betas (0.9, 0.999), lr 0.005", "");
        row("other betas", probe, adam, adam + " betas (0.8,0.99)", "loss of update");
        row("other eps", probe, adam, adam + " eps 1e-1", "loss of update");
        row("other weight decay of Adam", probe, adam, adam + " wd 0.5", "loss of update");
        row("other rate", probe, adam, "Adam lr 4e-3", "loss of update");
        row("no rate", probe, adam, "Adam", "no learning rate");
        row("another optimiser", probe, adam, "RMSprop lr 5e-3", "RMSprop");
        row("an unknown setting", probe, adam, adam + " amsgrad", "amsgrad");
        row("SGD in another order", tune, sgd, "sgd lr 0.01 wd 0.0001 nesterov momentum .9", "");
        row("other momentum", tune, sgd, "SGD momentum 0.8 nesterov weight_decay 1e-4 lr 1e-2", "loss of update");
        row("no Nesterov", tune, sgd, "SGD momentum 0.9 weight_decay 1e-4 lr 1e-2", "loss of update");
        row("other weight decay of SGD", tune, sgd, "SGD momentum 0.9 nesterov weight_decay 0.5 lr 1e-2",
            "loss of update");
        row("a schedule", "dualprompt_batch_it1", "constant", "cosine", "cosine");
    }
    void aTrajectorysOptimiserIsTheOneItDescribes() {
        QFETCH(QString, name);
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, wrong);
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        const std::string file = "trajectories/" + name.toStdString() + ".safetensors";
        copyFiles(copy,
                  {"shared/backbone.safetensors", "shared/data.safetensors", "shared/init_dual.safetensors", file});
        reword(copy / file, before.toUtf8(), after.toUtf8());
        const VerifiedCase entry = verified(copy).at("trajectories/" + name.toStdString());
        QVERIFY2((entry.result == CaseResult::Ok) == wrong.isEmpty(), entry.detail.c_str());
        QVERIFY2(QString::fromStdString(entry.detail).contains(wrong), entry.detail.c_str());
    }

    void anAdaptationsStepIsTheOneItDescribes_data() {
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("wrong");  // empty: everything agrees
        QTest::newRow("as it is") << "fam (base Adam) lr 5e-3 rho 0.1"
                                  << "";
        QTest::newRow("in other words") << "fam (base Adam) lr 0.005 eps 1e-8 rho 1e-1"
                                        << "";
        QTest::newRow("another radius") << "fam (base Adam) lr 5e-3 rho 0.2"
                                        << "loss of update 1";
        QTest::newRow("SAM") << "sam (base Adam) lr 5e-3 rho 0.1"
                             << "loss of update 1";
        QTest::newRow("another rate") << "fam (base Adam) lr 4e-3 rho 0.1"
                                      << "of update 2";
        QTest::newRow("naive") << "Adam lr 5e-3"
                               << "of update 1";
        QTest::newRow("another base") << "fam (base SGD) lr 5e-3 rho 0.1"
                                      << "not understood";
        QTest::newRow("other betas") << "fam (base Adam) lr 5e-3 betas (0.8,0.9) rho 0.1"
                                     << "not understood";
        QTest::newRow("a radius that is no number") << "fam (base Adam) lr 5e-3 rho far"
                                                    << "not understood";
        QTest::newRow("an unknown one") << "gam (base Adam) lr 5e-3 rho 0.1"
                                        << "no optimiser";
    }
    void anAdaptationsStepIsTheOneItDescribes() {
        QFETCH(QString, after);
        QFETCH(QString, wrong);
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        const std::string file = "trajectories/isa_fam_proj_it3.safetensors";
        copyFiles(copy, {"shared/backbone.safetensors", "shared/data.safetensors", "shared/init_dual.safetensors",
                         "shared/init_proj.safetensors", file});
        reword(copy / file, "fam (base Adam) lr 5e-3 rho 0.1", after.toUtf8());
        const VerifiedCase entry = verified(copy).at("trajectories/isa_fam_proj_it3");
        QVERIFY2((entry.result == CaseResult::Ok) == wrong.isEmpty(), entry.detail.c_str());
        QVERIFY2(QString::fromStdString(entry.detail).contains(wrong), entry.detail.c_str());
    }

    void aRunsOptimiserIsTheOneItDescribes_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("wrong");
        QTest::newRow("as it is") << "Adam betas (0.9, 0.999) lr 0.005"
                                  << "";
        QTest::newRow("another one") << "SGD momentum 0.9"
                                     << "instead of";
        QTest::newRow("other betas") << "Adam betas (0.8,0.99)"
                                     << "instead of";
        QTest::newRow("two rates") << "Adam lr 1e-4"
                                   << "gives lr twice";
        QTest::newRow("an unknown one") << "Lion"
                                        << "Lion";
    }
    void aRunsOptimiserIsTheOneItDescribes() {
        QFETCH(QString, words);
        QFETCH(QString, wrong);
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        copyFiles(copy, {"shared/backbone.safetensors", "shared/data.safetensors", "shared/init_dual.safetensors"});
        const QString name = "dualprompt_session_T5_n50_m10_seed1";
        QJsonObject run = goldenRun(name);
        QVERIFY(run.contains("lr"));
        run["optimizer"] = words;
        writeRuns(copy, {run});
        const VerifiedCase entry = verified(copy).at("end_to_end/" + name.toStdString());
        QVERIFY2((entry.result == CaseResult::Ok) == wrong.isEmpty(), entry.detail.c_str());
        QVERIFY2(QString::fromStdString(entry.detail).contains(wrong), entry.detail.c_str());
    }

    /// The highest class is in the class list alone, and the crashed case has neither the list nor its rows.
    void whatACrashedRunLeavesUnsaidIsTakenFromItsFile() {
        constexpr std::size_t kRows = 96, kFirst = 8, kEnd = 40;
        QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString();
        copyFiles(copy, {"shared/data.safetensors"});
        QByteArray data = contentOf(copy / "shared/data.safetensors");
        std::vector<std::int64_t> labels(kRows);
        char* const stored = data.data() + data.size() - static_cast<qsizetype>(kRows * sizeof labels[0]);
        std::memcpy(labels.data(), stored, kRows * sizeof labels[0]);
        for (std::int64_t& label : labels) label = std::min<std::int64_t>(label, 8);
        std::memcpy(stored, labels.data(), kRows * sizeof labels[0]);
        write(copy / "shared/data.safetensors", data);

        const std::vector<std::int32_t> train(labels.begin() + kFirst, labels.begin() + kEnd);
        const auto startsEmpty = [&](std::int64_t classes, std::uint64_t seed) {
            StreamSettings settings;
            settings.classes = classes;
            settings.seed = seed;
            return planStream(train, settings).sessions.front().empty();
        };
        std::uint64_t seed = 1;
        while (seed < 1000 && (!startsEmpty(10, seed) || startsEmpty(9, seed))) ++seed;
        QVERIFY(seed < 1000);
        const QJsonObject crashed{{"case", "crashed"}, {"method", "dualprompt_batch"},   {"num_tasks", 5},   {"n", 50},
                                  {"m", 10},           {"seed", static_cast<int>(seed)}, {"result", "crash"}};
        const QJsonObject other{{"case", "other"},
                                {"method", "l2p"},
                                {"train_rows", QJsonArray{int(kFirst), int(kEnd)}},
                                {"disjoint_classes", QJsonArray{QJsonArray{9}, QJsonArray{1}}},
                                {"blurry_classes", QJsonArray{QJsonArray{0, 2, 3, 4}, QJsonArray{5, 6, 7, 8}}}};
        writeRuns(copy, {crashed, other});
        const VerifiedCase found = verified(copy).at("end_to_end/crashed");
        QVERIFY2(found.result == CaseResult::Ok, found.detail.c_str());

        writeRuns(copy, {crashed});
        const VerifiedCase alone = verified(copy).at("end_to_end/crashed");
        QVERIFY(alone.result == CaseResult::Fail);
        QVERIFY2(QString::fromStdString(alone.detail).contains("train_rows"), alone.detail.c_str());
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
        const QString todo = R"({"case": "other", "method": "unheard-of"})", memoryTodo = R"({"case": "unheard_of"})";
        const auto list = [](const char* format, const QString& cases) {
            return QString(R"({"format": "%1", "cases": [%2]})").arg(format, cases);
        };
        QTest::newRow("a run without settings")
            << "end_to_end.json" << list("end-to-end-v1", R"({"case": "bad", "method": "dualprompt_batch"}, )" + todo)
            << "end_to_end/bad"
            << "data.safetensors" << 2;
        QTest::newRow("a run without a name")
            << "end_to_end.json" << list("end-to-end-v1", "{}, " + todo) << "end_to_end/1"
            << "method" << 2;
        QTest::newRow("a memory without a size")
            << "memory_decisions.json" << list("memory-decisions-v1", R"({"case": "er_reservoir_0"}, )" + memoryTodo)
            << "memory/er_reservoir_0"
            << "memory_size" << 2;
        QTest::newRow("a draw that is out of range")
            << "memory_decisions.json"
            << list("memory-decisions-v1",
                    R"({"case": "er_reservoir_0", "memory_size": 1, "batches": [[[1], [2]], [[3]]],
                        "draws": [[], [["randint", 3, -5]]], "states": [{"indices": [2]}, {"indices": [2]}]}, )" +
                        memoryTodo)
            << "memory/er_reservoir_0"
            << "A draw of -5 is out of range." << 2;
        QTest::newRow("a file that is no JSON") << "streams.json"
                                                << "{"
                                                << "streams"
                                                << "is not valid JSON" << 1;
        QTest::newRow("a file without cases")
            << "memory_decisions.json" << list("memory-decisions-v1", "") << "memory_decisions"
            << "has no cases" << 1;
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

PALIMPSEST_APPLESS_TEST(TestVerify)

}  // namespace tst_verify

#include "tst_verify.moc"
