// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <cmath>

#include "engine/network/attention_record.h"
#include "engine/record/checkpoints.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/train/attention.h"
#include "engine/train/attention_passes.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_experiment.h"

using namespace palimpsest;

namespace tst_attention {

namespace fs = std::filesystem;

namespace {

double sumOf(const BlockAttention& block) {
    double sum = block.own + block.prompts;
    for (const float share : block.patches) sum += static_cast<double>(share);
    return sum;
}

/// Five tokens of width 8, two heads, everything zero: every key gets the same score until a test says otherwise.
Vit emptyNetwork() {
    return Vit({8, 4, 3, 8, 2, 2, 2});
}

Tensor parameterOf(const Vit& vit, const std::string& name) {
    return named(vit.parameters(), name);
}

struct Quiet : RunObserver {
    RunEnded ended;
    void onEnded(const RunEnded& event) override { ended = event; }
};

}  // namespace

class TestAttention : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keysOfPromptsGetWhatIsComputedByHand() {
        Vit vit = emptyNetwork();
        // Queries of ones, keys of zeros: each own token has the score 0.
        parameterOf(vit, "blocks.0.attn.qkv.bias").narrow(0, 0, 8).fill_(1);
        Tensor extra = at::zeros({1, 1, 16});
        // In the first head q k / sqrt(4) = 4 (ln 3 / 2) / 2 = ln 3, in the second 0.
        extra.narrow(2, 0, 4).fill_(std::log(3.) / 2);
        AttentionRecord record;
        vit.block(0, at::zeros({1, 5, 8}), extra);
        QCOMPARE(record.passes().size(), std::size_t{1});
        const RecordedAttention& block = record.passes()[0][0];
        QCOMPARE(block.own, std::int64_t{5});
        const Tensor expected = at::full({1, 6}, (1. / 8 + 1. / 6) / 2);
        expected.select(1, 5).fill_((3. / 8 + 1. / 6) / 2);
        QVERIFY(largestDifference(block.shares, expected) < 1e-6);
    }

    void theClassTokenOfOneHeadAfterAnotherIsMeant() {
        const MethodSetup setup = smallSetup("linear-probe");
        const Vit& vit = *setup.vit;
        const Tensor images = noiseImages(2, 3);
        AttentionRecord record;
        vit.features(images);
        QCOMPARE(record.passes().size(), std::size_t{1});
        QCOMPARE(record.passes()[0].size(), std::size_t{5});
        const Tensor x = vit.embed(images);
        const Tensor normed = at::layer_norm(x, {32}, parameterOf(vit, "blocks.0.norm1.weight"),
                                             parameterOf(vit, "blocks.0.norm1.bias"), 1e-6);
        const Tensor qkv = at::linear(normed, parameterOf(vit, "blocks.0.attn.qkv.weight"),
                                      parameterOf(vit, "blocks.0.attn.qkv.bias"));
        Tensor mean = at::zeros({2, 17});
        for (std::int64_t head = 0; head < 2; ++head) {
            const Tensor q = qkv.select(1, 0).narrow(1, head * 16, 16).unsqueeze(1);  // [2, 1, 16]
            const Tensor k = qkv.narrow(2, 32 + head * 16, 16);                       // [2, 17, 16]
            mean += at::softmax(at::bmm(q, k.transpose(1, 2)).squeeze(1) / 4, -1) / 2;
        }
        QVERIFY(largestDifference(record.passes()[0][0].shares, mean) < 1e-6);
    }

    void recordingChangesNoAnswer_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("prompts");
        QTest::addColumn<int>("prompted");  // blocks
        QTest::newRow("dualprompt") << "dualprompt" << true << 5;
        QTest::newRow("l2p") << "l2p" << true << 5;
        QTest::newRow("mvp") << "mvp" << true << 5;
        QTest::newRow("coda-prompt") << "coda-prompt" << true << 5;
        QTest::newRow("linear-probe") << "linear-probe" << false << 0;
        QTest::newRow("finetune") << "finetune" << false << 0;
    }
    void recordingChangesNoAnswer() {
        QFETCH(QString, name);
        QFETCH(bool, prompts);
        QFETCH(int, prompted);
        for (const char* form : {"tuning", "prefix"}) {
            MethodSetup setup = smallSetup(name.toStdString());
            setup.method.of<PromptOptions>().form = form;
            const auto method = makeMethod(setup);
            const Tensor image = noiseImages(1, 7);
            const auto answer = [&] {
                NoGradGuard guard;
                const Tensor frozen = method->usesFrozenFeatures() ? method->frozenFeatures(image) : Tensor();
                method->beginEvaluation({});
                return method->logits(image, frozen).detach().clone();
            };
            const Tensor before = answer();
            Tensor recorded;
            {
                AttentionRecord record;
                recorded = answer();
            }
            QVERIFY(largestDifference(before, recorded) < 1e-4);
            ImageAttention attention;
            recordAttention(*method, image, attention);
            // Looked at or not, the ordinary path has the same bits.
            QVERIFY(answer().equal(before));
            QVERIFY(AttentionRecord::current() == nullptr);
            QCOMPARE(attention.hasPrompts(), prompts);
            QCOMPARE(attention.side, std::int64_t{4});
            QCOMPARE(attention.without.size(), std::size_t{5});
            QCOMPARE(attention.learned, name == "finetune");
            QCOMPARE(attention.answers_from_prompts, name == "l2p");
            QCOMPARE(!attention.chosen.empty(), method->poolSize() > 0);
            for (const BlockAttention& block : attention.without) {
                QCOMPARE(block.prompt_tokens, std::int64_t{0});
                QCOMPARE(block.prompts, 0.0);
            }
            int with = 0;
            for (const auto* blocks : {&attention.without, &attention.with})
                for (const BlockAttention& block : *blocks) {
                    QCOMPARE(block.patches.size(), std::size_t{16});
                    QVERIFY2(std::abs(sumOf(block) - 1) < 1e-5, qPrintable(QString::number(sumOf(block), 'g', 10)));
                    QCOMPARE(block.prompts > 0, block.prompt_tokens > 0);
                    if (block.prompt_tokens > 0) ++with;
                }
            QCOMPARE(with > 0, prompts);
            QVERIFY(with <= prompted);
            if (name == "l2p")
                for (const BlockAttention& block : attention.with) QCOMPARE(block.prompt_tokens, std::int64_t{4});
        }
    }

    void thePromptsStandBehindTheClassToken() {
        // With L2P's prompts among the tokens, the patches of the first block are those of the plain pass, less what
        // the prompts take of each alike.
        const auto method = makeMethod(smallSetup("l2p"));
        ImageAttention attention;
        recordAttention(*method, noiseImages(1, 8), attention);
        const BlockAttention &with = attention.with[0], &without = attention.without[0];
        for (std::size_t i = 0; i < 16; ++i)
            QVERIFY(std::abs(with.patches[i] / without.patches[i] - static_cast<float>(1 - with.prompts)) < 0.05F);
        QVERIFY(with.prompts > 0);
    }

    void theSentenceSaysWhatTheNumbersSay() {
        ImageAttention attention;
        attention.side = 2;
        attention.without = {{{0.1F, 0.6F, 0.1F, 0.1F}, 0.1, 0, 0}, {{0.1F, 0.1F, 0.1F, 0.5F}, 0.2, 0, 0}};
        QCOMPARE(QString::fromStdString(attentionSentence(attention)),
                 QString("The method of this run has no prompts, and its network never changes. In block 2, the last, "
                         "the strongest patch is in row 2, column 2, with 50.0 % of the class token's attention."));
        attention.with = {{{0.1F, 0.2F, 0.1F, 0.1F}, 0.1, 0.4, 3}, {{0.1F, 0.1F, 0.3F, 0.2F}, 0.2, 0.1, 3}};
        QCOMPARE(QString::fromStdString(attentionSentence(attention)),
                 QString("In block 1 the prompts take 40.0 % of the class token's attention, the largest share of all "
                         "blocks. Without them the strongest patch there is in row 1, column 2 (60.0 %); with them it "
                         "is the same one (20.0 %)."));
        QCOMPARE(attentionBlock(attention), std::size_t{0});
        QCOMPARE(QString::fromStdString(attentionSentence(attention, 1)),
                 QString("In block 2 the prompts take 10.0 % of the class token's attention; most, 40.0 %, in block 1. "
                         "Without them the strongest patch there is in row 2, column 2 (50.0 %); with them it is in "
                         "row 2, column 1 (30.0 %)."));
        attention.with[1].prompt_tokens = 0;
        QVERIFY(QString::fromStdString(attentionSentence(attention, 1))
                    .startsWith("In block 2 there are no prompts; where they take most of the class token's attention, "
                                "in block 1, it is 40.0 %. Without them"));
        QVERIFY(attentionSentence(attention, 2).empty());
    }

    void aRunIsLookedAtAtItsCheckpoints() {
        QTemporaryDir folder;
        const fs::path run = fs::path(folder.path().toStdString()) / "run";
        const OptionTable table(engineCatalogue());
        Experiment draft = table.defaults();
        draft.method.name = "dualprompt";
        Experiment experiment = testing::tinyExperiment(draft, table);
        experiment.backbone.weights = "random";
        experiment.precision = "float32";
        Quiet observer;
        RunControl control;
        runExperiment(1, experiment, FreshRun{{}, run}, control, observer);
        QVERIFY2(observer.ended.how == RunEnd::Finished, observer.ended.error.c_str());
        const std::vector<std::int64_t> kept = listCheckpoints(run);
        QVERIFY(kept.size() > 1);
        const std::string before = readTextFile(run / "run.json");

        const ImageAttention newest = imageAttention(table, run, 3, {});
        QCOMPARE(newest.samples_seen, kept.front());
        QVERIFY(newest.hasPrompts());
        QCOMPARE(newest.images, std::int64_t{20});
        QCOMPARE(std::ssize(newest.picture.rgb), 3 * std::int64_t{newest.picture.size} * newest.picture.size);
        const ImageAttention again = imageAttention(table, run, 3, kept.front() + 5);
        QCOMPARE(again.samples_seen, kept.front());
        QVERIFY(again.with[0].patches == newest.with[0].patches);
        const ImageAttention early = imageAttention(table, run, 3, kept.back());
        QCOMPARE(early.samples_seen, kept.back());
        // The frozen network stays, prompts learn.
        for (std::size_t i = 0; i < early.without.size(); ++i)
            QVERIFY(early.without[i].patches == newest.without[i].patches);
        QVERIFY(early.with.back().patches != newest.with.back().patches);
        QCOMPARE(readTextFile(run / "run.json"), before);

        QVERIFY_THROWS_EXCEPTION(Error, imageAttention(table, run, 20, {}));
        QVERIFY_THROWS_EXCEPTION(Error, imageAttention(table, run, -1, {}));
        QVERIFY_THROWS_EXCEPTION(Error, imageAttention(table, run, 0, -1));
        fs::remove_all(run / "checkpoints");
        try {
            imageAttention(table, run, 3, {});
            QFAIL("A run without checkpoints was looked at.");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("keeps no checkpoints") != std::string::npos, error.what());
        }
    }
};

PALIMPSEST_GUILESS_TEST(TestAttention)

}  // namespace tst_attention

#include "tst_attention.moc"
