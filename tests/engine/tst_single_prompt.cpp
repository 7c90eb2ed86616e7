// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/method_options/block_prompt_options.h"
#include "engine/support/error.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_single_prompt {

namespace {

Tensor weightOf(const Vit& vit, const std::string& name) {
    return named(vit.parameters(), name);
}

/// Attention over one image's tokens [M, D] with rows of keys and of values prepended, query by query, head by head.
Tensor slowAttention(const Vit& vit, std::int64_t block, const Tensor& tokens, const Tensor& keyRows,
                     const Tensor& valueRows) {
    const std::string name = "blocks." + std::to_string(block) + ".attn.";
    const std::int64_t d = vit.shape().width, size = d / vit.shape().heads;
    const Tensor qkv = at::linear(tokens, weightOf(vit, name + "qkv.weight"), weightOf(vit, name + "qkv.bias"));
    const Tensor keys = at::cat({keyRows, qkv.narrow(1, d, d)}), values = at::cat({valueRows, qkv.narrow(1, 2 * d, d)});
    Tensor result = at::zeros({tokens.size(0), d});
    for (std::int64_t t = 0; t < tokens.size(0); ++t)
        for (std::int64_t h = 0; h < vit.shape().heads; ++h) {
            const Tensor query = qkv[t].narrow(0, h * size, size);
            Tensor sum = at::zeros({size});
            double total = 0;
            for (std::int64_t k = 0; k < keys.size(0); ++k) {
                const double score = (query * keys[k].narrow(0, h * size, size)).sum().item<double>();
                const double share = std::exp(score / std::sqrt(static_cast<double>(size)));
                sum = sum + share * values[k].narrow(0, h * size, size);
                total += share;
            }
            result[t].narrow(0, h * size, size).copy_(sum / total);
        }
    return at::linear(result, weightOf(vit, name + "proj.weight"), weightOf(vit, name + "proj.bias"));
}

Tensor norm(const Vit& vit, const std::string& name, const Tensor& x) {
    return at::layer_norm(x, {vit.shape().width}, weightOf(vit, name + ".weight"), weightOf(vit, name + ".bias"), 1e-6);
}

/// The feature of one image with prefixes in the first blocks.
Tensor slowFeature(const Vit& vit, const Tensor& image, const Tensor& prompt, std::int64_t blocks,
                   std::int64_t length) {
    Tensor x = vit.embed(image)[0];
    const Tensor position = vit.classPosition()[0];
    for (std::int64_t i = 0; i < vit.shape().depth; ++i) {
        const std::string name = "blocks." + std::to_string(i) + ".";
        const std::int64_t first = 2 * i * length, rows = i < blocks ? length : 0;
        const auto part = [&](std::int64_t from) {
            return rows == 0 ? at::zeros({0, x.size(1)}) : prompt.narrow(0, from, rows) + position;
        };
        x = x + slowAttention(vit, i, norm(vit, name + "norm1", x), part(first), part(first + length));
        const Tensor inner = at::linear(norm(vit, name + "norm2", x), weightOf(vit, name + "mlp.fc1.weight"),
                                        weightOf(vit, name + "mlp.fc1.bias"));
        x = x +
            at::linear(at::gelu(inner), weightOf(vit, name + "mlp.fc2.weight"), weightOf(vit, name + "mlp.fc2.bias"));
    }
    return norm(vit, "norm", x)[0];
}

}  // namespace

class TestSinglePrompt : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void promptRowsStandBesideKeysAndValuesThemselves_data() {
        QTest::addColumn<QString>("head");
        QTest::newRow("cosine head") << "cosine";
        QTest::newRow("linear head") << "linear";
    }
    void promptRowsStandBesideKeysAndValuesThemselves() {
        QFETCH(QString, head);
        MethodSetup setup = smallSetup("single-prompt");
        setup.method.of<SinglePromptOptions>().head = head.toStdString();
        setup.method.of<BlockPromptOptions>().blocks = 3;
        const auto method = makeMethod(setup);
        for (std::uint64_t step = 0; step < 3; ++step) method->update(noiseBatch(6, step));
        NoGradGuard guard;
        const Tensor images = noiseImages(3, 9), logits = method->logits(images, {});
        const auto parameters = method->trainable();
        const Tensor weight = named(parameters, "fc.weight");
        for (std::int64_t i = 0; i < 3; ++i) {
            const Tensor feature = slowFeature(*setup.vit, images.narrow(0, i, 1), named(parameters, "prompt"), 3,
                                               setup.method.of<BlockPromptOptions>().length);
            for (std::int64_t c = 0; c < 4; ++c) {
                const double product = (feature * weight[c]).sum().item<double>();
                const double expected =
                    head == "cosine" ? product / (feature.norm().item<double>() * weight[c].norm().item<double>()) / 0.1
                                     : product + named(parameters, "fc.bias")[c].item<double>();
                QVERIFY(std::abs(logits[i][c].item<double>() - expected) < 1e-4);
            }
        }
    }

    void cosineLogitsNeverPassOneOverTheTemperature() {
        MethodSetup setup = smallSetup("single-prompt");
        setup.method.of<SinglePromptOptions>().temperature = 0.25;
        const auto method = makeMethod(setup);
        NoGradGuard guard;
        const Tensor images = noiseImages(16, 2);
        const Tensor first = method->logits(images, {});
        QVERIFY(first.abs().max().item<double>() <= 4.0001);
        named(method->trainable(), "fc.weight").mul_(1000);  // the length does not matter
        QVERIFY(largestDifference(first, method->logits(images, {})) < 1e-4);
    }

    void onlyThePromptAndTheHeadLearn() {
        const MethodSetup setup = smallSetup("single-prompt");
        const auto method = makeMethod(setup);
        const Tensor before = named(method->trainable(), "prompt").clone();
        method->update(noiseBatch(6, 1));
        for (const auto& entry : setup.vit->parameters()) QVERIFY(!entry.tensor.grad().defined());
        QVERIFY(!before.equal(named(method->trainable(), "prompt")));
        QVERIFY(!method->usesFrozenFeatures());
    }

    /// The published code has one state for the whole head, so that momentum continues to move a class that is absent.
    void theHeadsMomentumOutlivesAClassOfTheBatch() {
        const auto method = makeMethod(smallSetup("single-prompt"));
        UpdateInput input = noiseBatch(6, 1);
        input.mask = seenMask(3, 4, at::kCPU);
        method->update(input);
        const Tensor row = named(method->trainable(), "fc.weight")[2].clone();
        UpdateInput without = noiseBatch(6, 2);
        without.units = at::arange(0, 6) % 2;
        without.mask = seenMask(2, 4, at::kCPU);
        method->update(without);
        QVERIFY(!row.equal(named(method->trainable(), "fc.weight")[2]));
    }

    void trainableCountsOfThePaperAreReached_data() {
        QTest::addColumn<qint64>("classes");
        QTest::addColumn<qint64>("parameters");
        QTest::newRow("CIFAR-100") << qint64{100} << qint64{230'400};
        QTest::newRow("Tiny-ImageNet") << qint64{200} << qint64{307'200};
    }
    void trainableCountsOfThePaperAreReached() {
        QFETCH(qint64, classes);
        QFETCH(qint64, parameters);
        MethodSetup setup = smallSetup("single-prompt", classes);
        setup.vit = std::make_shared<Vit>(VitShape{32, 16, 3, 768, 5, 12, 4});
        setup.method.of<BlockPromptOptions>().blocks = 5;
        setup.method.of<BlockPromptOptions>().length = 20;
        std::int64_t count = 0;
        const auto method = makeMethod(setup);
        for (const auto& entry : method->trainable()) count += entry.tensor.numel();
        QCOMPARE(qint64{count}, parameters);
    }

    void aBackboneWithTooFewBlocksIsRefused() {
        MethodSetup setup = smallSetup("single-prompt");
        setup.method.of<BlockPromptOptions>().blocks = 6;
        QVERIFY_EXCEPTION_THROWN(makeMethod(setup), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestSinglePrompt)

}  // namespace tst_single_prompt

#include "tst_single_prompt.moc"
