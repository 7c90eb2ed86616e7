// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/method/dual_prompts.h"
#include "engine/method/initial_prompts.h"
#include "engine/method/prompt_files.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_prompt_files {

namespace fs = std::filesystem;

namespace {

constexpr VitShape kShape{16, 4, 3, 32, 5, 2, 2};
constexpr std::int64_t kWidth = 32;

Tensor numbers(at::IntArrayRef sizes, std::uint64_t seed) {
    Tensor tensor = at::zeros(sizes);
    Random random(seed);
    fillUniform(tensor, random, -3, 3);
    return tensor;
}
Tensor general() {
    return numbers({1, 4, kWidth}, 1);
}  // 2 blocks of 2 tokens
Tensor experts() {
    return numbers({3, 9, kWidth}, 2);
}  // 3 blocks of 3 tokens

PromptLayout layout() {
    PromptLayout layout;
    layout.general_length = 2;
    layout.expert_length = 3;
    layout.pool_size = 3;
    return layout;
}

const Tensor& publishedTensor(const std::vector<NamedTensor>& all, const std::string& name) {
    for (const NamedTensor& entry : all)
        if (entry.name == name) return entry.tensor;
    throw std::runtime_error("no " + name);
}

template <class Work>
QString refusal(Work work) {
    try {
        work();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::Input ? QString::fromStdString(error.sentence()) : "wrong kind of error";
    }
    return {};
}

}  // namespace

class TestPromptFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        vit_ = std::make_unique<Vit>(kShape);
    }

    void everyFormOfPromptsIsLoaded_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QString>("given");
        QTest::newRow("one file") << QStringList{"both.safetensors"} << "both.safetensors";
        QTest::newRow("a folder") << QStringList{"g_prompt.pt", "e_prompt.pt"} << "";
        QTest::newRow("general, expert beside it") << QStringList{"g_prompt.pt", "e_prompt.pt"} << "g_prompt.pt";
        QTest::newRow("expert, general beside it") << QStringList{"g_prompt.pt", "e_prompt.pt"} << "e_prompt.pt";
    }
    void everyFormOfPromptsIsLoaded() {
        QFETCH(QStringList, files);
        QFETCH(QString, given);
        for (const QString& file : files) writePrompts(file);
        DualPrompts prompts(*vit_, layout(), 1);
        const Tensor keys = prompts.pool().keys().detach().clone();
        prompts.load(given.isEmpty() ? folder_->path().toStdString() : path(given).string());
        QVERIFY(publishedTensor(prompts.parameters(), "g_prompt.prompts").equal(general()));
        QVERIFY(publishedTensor(prompts.parameters(), "e_prompt.prompts").equal(experts()));
        QVERIFY(prompts.pool().keys().equal(keys));
        QVERIFY(prompts.general().requires_grad());
    }

    void onlyWhatTheLayoutHasIsAskedFor() {
        writeSafetensors(path("general.safetensors"), {{kGeneralPrompts, general()}});
        PromptLayout alone = layout();
        alone.expert_blocks.clear();
        DualPrompts prompts(*vit_, alone, 1);
        prompts.load(path("general.safetensors").string());
        QVERIFY(prompts.general().equal(general()));
        DualPrompts both(*vit_, layout(), 1);
        const QString message = refusal([&] { both.load(path("general.safetensors").string()); });
        QVERIFY2(message.contains("e_prompt.prompts") && message.contains("general.safetensors"), qPrintable(message));
    }

    void anotherShapeIsToldWithBoth() {
        writeSafetensors(path("wide.safetensors"),
                         {{kGeneralPrompts, general()}, {kExpertPrompts, numbers({10, 60, 768}, 3)}});
        DualPrompts prompts(*vit_, layout(), 1);
        const QString message = refusal([&] { prompts.load(path("wide.safetensors").string()); });
        for (const char* part : {"e_prompt.prompts", "[10, 60, 768]", "[3, 9, 32]"})
            QVERIFY2(message.contains(part), qPrintable(message));
    }

    void oneOfTheTwoPromptsCanBeLoadedAlone_data() {
        QTest::addColumn<QString>("which");
        QTest::addColumn<bool>("loadsGeneral");
        QTest::addColumn<bool>("loadsExperts");
        QTest::newRow("both") << "both" << true << true;
        QTest::newRow("general") << "general" << true << false;
        QTest::newRow("expert") << "expert" << false << true;
    }
    void oneOfTheTwoPromptsCanBeLoadedAlone() {
        QFETCH(QString, which);
        QFETCH(bool, loadsGeneral);
        QFETCH(bool, loadsExperts);
        writePrompts("both.safetensors");
        DualPrompts prompts(*vit_, layout(), 1);
        const DualPrompts random(*vit_, layout(), 1);
        prompts.load(path("both.safetensors").string(), which.toStdString());
        QVERIFY(prompts.general().equal(loadsGeneral ? general() : random.general()));
        QVERIFY(prompts.pool().prompts().equal(loadsExperts ? experts() : random.pool().prompts()));
        QVERIFY(!refusal([&] { prompts.load(path("both.safetensors").string(), "neither"); }).isEmpty());
    }

    void promptsThatWereMadeForAnotherLayoutAreRefused_data() {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("which");
        QTest::addColumn<bool>("accepted");
        const QString general = "2 general tokens in blocks 0 1; ",
                      expert = "3 prompts of 3 expert tokens in blocks 2 3 4; ", form = "prompt tuning";
        QTest::newRow("the same") << general + expert + form << "both" << true;
        QTest::newRow("other general blocks") << "2 general tokens in blocks 0 3; " + expert + form << "both" << false;
        QTest::newRow("other general blocks, which are not loaded")
            << "2 general tokens in blocks 0 3; " + expert + form << "expert" << true;
        QTest::newRow("a general block that begins alike")
            << "2 general tokens in blocks 0 12; " + expert + form << "both" << false;
        QTest::newRow("other expert blocks")
            << general + "3 prompts of 3 expert tokens in blocks 1 3 4; " + form << "both" << false;
        QTest::newRow("another form") << general + expert + "prefix tuning"
                                      << "both" << false;
    }
    void promptsThatWereMadeForAnotherLayoutAreRefused() {
        QFETCH(QString, made);
        QFETCH(QString, which);
        QFETCH(bool, accepted);
        writeSafetensors(path("made.safetensors"), {{kGeneralPrompts, general()}, {kExpertPrompts, experts()}},
                         {{kPromptLayoutKey, made.toStdString()}});
        DualPrompts prompts(*vit_, layout(), 1);
        const Tensor before = prompts.general().detach().clone();
        const QString message = refusal([&] { prompts.load(path("made.safetensors").string(), which.toStdString()); });
        QCOMPARE(message.isEmpty(), accepted);
        if (accepted) return;
        const QString present = QString::fromStdString(layoutText(layout()));
        QVERIFY2(message.contains("made.safetensors"), qPrintable(message));
        // Only the first difference is named, on both sides.
        const QStringList had = made.split("; "), has = present.split("; ");
        const auto first = std::ranges::find_if(has, [&](const QString& part) { return !had.contains(part); });
        QVERIFY(first != has.end());
        QVERIFY2(message.contains("but the experiment has " + *first + "."), qPrintable(message));
        for (const QString& part : has) QCOMPARE(message.contains(part), part == *first);
        QVERIFY(prompts.general().equal(before));
    }

    void promptsThatWereMadeForOtherWeightsAreNoted_data() {
        QTest::addColumn<QString>("made");
        QTest::addColumn<bool>("noted");
        QTest::newRow("it does not say") << "" << false;
        QTest::newRow("the same weights") << "random, seed 4" << false;
        QTest::newRow("other weights") << "random, seed 5" << true;
    }
    void promptsThatWereMadeForOtherWeightsAreNoted() {
        QFETCH(QString, made);
        QFETCH(bool, noted);
        std::map<std::string, std::string> metadata;
        if (!made.isEmpty()) metadata[kPromptBackboneKey] = made.toStdString();
        writeSafetensors(path("made.safetensors"), {{kGeneralPrompts, general()}}, metadata);
        BackboneOptions backbone;
        backbone.weights = "random";
        const QString note = QString::fromStdString(otherBackboneNote(path("made.safetensors").string(), backbone, 4));
        QCOMPARE(!note.isEmpty(), noted);
        QVERIFY2(!noted || (note.contains("made.safetensors") && note.contains(made)), qPrintable(note));
        QVERIFY(otherBackboneNote("none", backbone, 4).empty());
    }

    void numbersThatAreNotFiniteAreRefused() {
        Tensor broken = general();
        broken[0][1][2] = std::numeric_limits<float>::quiet_NaN();
        writeSafetensors(path("nan.safetensors"), {{kGeneralPrompts, broken}, {kExpertPrompts, experts()}});
        DualPrompts prompts(*vit_, layout(), 1);
        QVERIFY(refusal([&] { prompts.load(path("nan.safetensors").string()); }).contains("not finite"));
    }

    void pathsWithoutPromptsAreRefused() {
        QVERIFY(refusal([&] { readPrompts(path("nothing")); }).startsWith("There are no prompts "));
        QVERIFY(refusal([&] { readPrompts(folder_->path().toStdString()); }).contains("neither g_prompt.pt nor"));
        writeSafetensors(path("other.safetensors"), {{"fc.weight", general()}});
        QVERIFY(refusal([&] { readPrompts(path("other.safetensors")); }).contains("holds neither g_prompt.prompts"));
        writeSafetensors(path("unnamed.pt"), {{"tensor", general()}});
        QVERIFY(refusal([&] { readPrompts(path("unnamed.pt")); }).contains("published name"));
        writeSafetensors(path("flat.safetensors"), {{kGeneralPrompts, general().reshape({4, kWidth})}});
        QVERIFY(refusal([&] { readPrompts(path("flat.safetensors")); }).contains("three extents"));
    }

    void factsAreThoseOfTheNumbers() {
        Tensor few = at::zeros({1, 2, 2});
        few[0][0][0] = 1.0;
        few[0][0][1] = -3.0;
        few[0][1][0] = 2.0;
        few[0][1][1] = 4.0;
        writeSafetensors(path("few.safetensors"), {{"e_prompt.key", at::zeros({3, 4})}, {kGeneralPrompts, few}});
        const auto all = promptFacts(path("few.safetensors"));
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all[0].name, std::string(kGeneralPrompts));
        QCOMPARE(all[0].shape, (std::vector<std::int64_t>{1, 2, 2}));
        QCOMPARE(all[0].mean, 1.0);
        QCOMPARE(all[0].deviation, std::sqrt((0.0 + 16 + 1 + 9) / 3));
        QCOMPARE(all[0].minimum, -3.0);
        QCOMPARE(all[0].maximum, 4.0);
        // Result of sha256sum for the little-endian bytes of 1, -3, 2 and 4.
        QCOMPARE(all[0].sha256, std::string("a0a5a9a4705cec1cfd36c6fd6f9c0bbed4a688bcf2a1bab9836738b26b1e7684"));
    }

    void writtenPromptsAreTheSame() {
        writePrompts("g_prompt.pt");
        writePrompts("e_prompt.pt");
        const auto read = promptFacts(folder_->path().toStdString(), path("written.safetensors"));
        const auto again = promptFacts(path("written.safetensors"));
        QCOMPARE(again.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(again[i].name, read[i].name);
            QCOMPARE(again[i].shape, read[i].shape);
            QCOMPARE(again[i].sha256, read[i].sha256);
        }
        QVERIFY(!refusal([&] { promptFacts(path("written.safetensors"), "/nowhere/x.safetensors"); }).isEmpty());
    }

    void theAuthorsOwnPromptsAreReadWhereTheyAre() {
        const fs::path golden = fs::path(qEnvironmentVariable("PALIMPSEST_GOLDEN").toStdString()) / "official_prompts";
        if (!fs::exists(golden)) QSKIP("PALIMPSEST_GOLDEN names no folder with official_prompts");
        const auto all = promptFacts(golden);
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].shape, (std::vector<std::int64_t>{1, 20, 768}));
        QCOMPARE(all[0].sha256, std::string("9943c03e38f64b6c322e12ba3ea0083200d526aa98608b1ec470e1904f226088"));
        QCOMPARE(all[1].shape, (std::vector<std::int64_t>{10, 60, 768}));
        QCOMPARE(all[1].sha256, std::string("84a981bbac5abe03aad396d12a14b4d36fe7a409037ced6faf57ee70a193ab4d"));
        QVERIFY(std::abs(all[0].mean - 0.023576803) < 1e-8 && std::abs(all[0].deviation - 1.350989358) < 1e-8);
        QVERIFY(std::abs(all[1].mean - 0.018144038) < 1e-8 && std::abs(all[1].deviation - 1.383739077) < 1e-8);
        QVERIFY(std::abs(all[1].minimum + 6.714923) < 1e-5 && std::abs(all[1].maximum - 10.301569) < 1e-5);
    }

private:
    fs::path path(const QString& name) const { return folder_->filePath(name).toStdString(); }
    /// Writes the pair of published files, which hold one unnamed tensor each; their content identifies them.
    void writePrompts(const QString& name) const {
        if (name == "both.safetensors")
            writeSafetensors(
                path(name),
                {{"e_prompt.key", at::zeros({3, kWidth})}, {kExpertPrompts, experts()}, {kGeneralPrompts, general()}});
        else
            writeSafetensors(path(name), {{"tensor", name.startsWith('g') ? general() : experts()}});
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Vit> vit_;
};

PALIMPSEST_APPLESS_TEST(TestPromptFiles)

}  // namespace tst_prompt_files

#include "tst_prompt_files.moc"
