// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ATen/Parallel.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "engine/network/dense_layers.h"
#include "engine/network/vit.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_dense_layers {

namespace {

Tensor normal(at::IntArrayRef sizes, std::uint64_t seed) {
    Tensor tensor = at::zeros(sizes, at::kFloat);
    Random random(seed);
    fillNormal(tensor, random);
    return tensor;
}

Tensor leaf(at::IntArrayRef sizes, std::uint64_t seed) {
    return normal(sizes, seed).requires_grad_(true);
}

double difference(const Tensor& a, const Tensor& b) {
    return (a - b).abs().max().item<double>() / std::max(1e-6, b.abs().max().item<double>());
}

/// The formula: softmax(q k^T / sqrt(head)) v, head by head.
Tensor attentionByFormula(const Tensor& q, const Tensor& kv, const Tensor& extra, std::int64_t heads) {
    const Tensor all = extra.defined() ? at::cat({kv, extra.expand({kv.size(0), -1, -1})}, 1) : kv;
    const std::int64_t width = q.size(2), head = width / heads;
    std::vector<Tensor> parts;
    for (std::int64_t h = 0; h < heads; ++h) {
        const Tensor k = all.narrow(2, h * head, head), v = all.narrow(2, width + h * head, head);
        const Tensor scores =
            at::matmul(q.narrow(2, h * head, head), k.transpose(1, 2)) / std::sqrt(static_cast<double>(head));
        parts.push_back(at::matmul(at::softmax(scores, -1), v));
    }
    return at::cat(parts, 2);
}

}  // namespace

class TestDenseLayers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::set_num_threads(2); }

    void aLinearLayerEqualsLibTorchs_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("inputs");
        QTest::addColumn<int>("outputs");
        QTest::newRow("one row") << 1 << 16 << 16;
        QTest::newRow("no whole panel") << 7 << 48 << 80;
        QTest::newRow("more than a block of a product") << 700 << 272 << 144;
        QTest::newRow("many outputs") << 130 << 32 << 1808;
    }
    void aLinearLayerEqualsLibTorchs() {
        QFETCH(const int, rows);
        QFETCH(const int, inputs);
        QFETCH(const int, outputs);
        const Tensor seen = normal({1, rows, outputs}, 9);
        std::vector<Tensor> results[2];
        for (const bool own : {false, true}) {
            const Tensor x = leaf({1, rows, inputs}, 1), weight = leaf({outputs, inputs}, 2), bias = leaf({outputs}, 3);
            QVERIFY(suitsDenseLinear(x, weight));
            const Tensor y = own ? denseLinear(x, weight, bias) : at::linear(x, weight, bias);
            (y * seen).sum().backward();
            results[own] = {y.detach(), x.grad(), weight.grad(), bias.grad()};
        }
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY2(difference(results[1][i], results[0][i]) < 2e-5, qPrintable(QString::number(i)));
    }

    void onlyGradientsThatAreWantedAreComputed() {
        const Tensor x = leaf({5, 32}, 1), weight = normal({16, 32}, 2), bias = normal({16}, 3);
        const Tensor y = denseLinear(x, weight, bias);
        y.sum().backward();
        QVERIFY(difference(x.grad(), weight.sum(0).expand({5, 32})) < 1e-5);
        QVERIFY(!weight.grad().defined());
        QVERIFY(!denseLinear(normal({5, 32}, 1), weight, bias).requires_grad());
    }

    void othersSizesAndTypesAreLeftToLibTorch() {
        QVERIFY(!suitsDenseLinear(normal({5, 30}, 1), normal({16, 30}, 2)));
        QVERIFY(!suitsDenseLinear(normal({5, 32}, 1), normal({10, 32}, 2)));
        QVERIFY(!suitsDenseLinear(normal({5, 32}, 1).to(at::kBFloat16), normal({16, 32}, 2).to(at::kBFloat16)));
        QVERIFY(!suitsDenseLinear(normal({0, 32}, 1), normal({16, 32}, 2)));
        QVERIFY(!suitsDenseLinear(normal({5, 32}, 1), normal({32, 16}, 2).t()));
    }

    void anAttentionEqualsItsFormula_data() {
        QTest::addColumn<bool>("together");
        QTest::addColumn<int>("others");
        QTest::addColumn<bool>("shared");
        QTest::newRow("tokens over themselves") << true << 0 << false;
        QTest::newRow("and prompts") << true << 5 << false;
        QTest::newRow("and prompts that all images share") << true << 12 << true;
        QTest::newRow("the class token alone") << false << 0 << false;
        QTest::newRow("the class token alone, and prompts") << false << 3 << true;
    }
    void anAttentionEqualsItsFormula() {
        QFETCH(const bool, together);
        QFETCH(const int, others);
        QFETCH(const bool, shared);
        // A head of 12 fills no vector.
        constexpr std::int64_t kImages = 5, kTokens = 17, kHeads = 3, kWidth = 36;
        const Tensor seen = normal({kImages, together ? kTokens : 1, kWidth}, 9);
        std::vector<Tensor> results[2];
        for (const bool own : {false, true}) {
            const Tensor qkv = leaf({kImages, kTokens, 3 * kWidth}, 1);
            const Tensor extra = others > 0 ? leaf({shared ? 1 : kImages, others, 2 * kWidth}, 2) : Tensor();
            const Tensor q = qkv.narrow(2, 0, kWidth).narrow(1, 0, together ? kTokens : 1),
                         kv = qkv.narrow(2, kWidth, 2 * kWidth);
            const Tensor expanded = others > 0 ? extra.expand({kImages, -1, -1}) : Tensor();
            const Tensor y = !own       ? attentionByFormula(q, kv, expanded, kHeads)
                             : together ? denseAttention({}, qkv, expanded, kHeads)
                                        : denseAttention(q, kv, expanded, kHeads);
            (y * seen).sum().backward();
            results[own] = {y.detach(), qkv.grad()};
            if (others > 0) results[own].push_back(extra.grad());
        }
        for (std::size_t i = 0; i < results[0].size(); ++i)
            QVERIFY2(difference(results[1][i], results[0][i]) < 2e-5, qPrintable(QString::number(i)));
    }

    void queriesLearnBesideKeysThatDoNot() {
        const Tensor kv = normal({2, 9, 64}, 1), q = leaf({2, 3, 32}, 2), again = leaf({2, 3, 32}, 2);
        denseAttention(q, kv, {}, 2).square().sum().backward();
        attentionByFormula(again, kv, {}, 2).square().sum().backward();
        QVERIFY(difference(q.grad(), again.grad()) < 2e-5);
    }

    void noImageGivesNoRow() {
        QCOMPARE(denseAttention({}, normal({0, 5, 96}, 1), {}, 2).sizes(), at::IntArrayRef({0, 5, 32}));
        QCOMPARE(denseAttention(normal({0, 1, 32}, 1), normal({0, 5, 64}, 2), {}, 2).sizes(),
                 at::IntArrayRef({0, 1, 32}));
        const Tensor none = leaf({0, 1, 32}, 1);
        denseAttention(none, normal({0, 5, 64}, 2), {}, 2).sum().backward();
        QCOMPARE(none.grad().sizes(), none.sizes());
    }

    void operandsThatDoNotFitAreRefused() {
        const Tensor qkv = normal({3, 5, 96}, 1), q = normal({3, 1, 32}, 2), kv = normal({3, 5, 64}, 3);
        QVERIFY_EXCEPTION_THROWN(denseAttention({}, qkv, normal({1, 4, 64}, 4), 2), c10::Error);
        QVERIFY_EXCEPTION_THROWN(denseAttention({}, qkv, normal({3, 4, 63}, 4), 2), c10::Error);
        QVERIFY_EXCEPTION_THROWN(denseAttention({}, qkv, {}, 3), c10::Error);
        QVERIFY_EXCEPTION_THROWN(denseAttention(q.narrow(0, 0, 2), kv, {}, 2), c10::Error);
        QVERIFY_EXCEPTION_THROWN(denseAttention(q, qkv, {}, 2), c10::Error);
        QVERIFY_EXCEPTION_THROWN(denseAttention(q.to(at::kDouble), kv, {}, 2), c10::Error);
    }

    void promptsLearnBesideTokensThatDoNot() {
        const Tensor qkv = normal({2, 9, 96}, 1), extra = leaf({2, 4, 64}, 2), again = leaf({2, 4, 64}, 2);
        denseAttention({}, qkv, extra, 2).square().sum().backward();
        attentionByFormula(qkv.narrow(2, 0, 32), qkv.narrow(2, 32, 64), again, 2).square().sum().backward();
        QVERIFY(difference(extra.grad(), again.grad()) < 2e-5);
    }

    void neitherTheBatchNorTheThreadsChangeABit() {
        const Tensor x = normal({61, 64}, 1), seen = normal({61, 96}, 4), qkv = normal({7, 13, 96}, 5);
        std::vector<std::vector<Tensor>> results;
        for (const int threads : {1, 3}) {
            at::set_num_threads(threads);
            const Tensor input = x.clone().requires_grad_(true), weight = leaf({96, 64}, 2);
            const Tensor tokens = qkv.clone().requires_grad_(true);
            const Tensor y = denseLinear(input, weight, normal({96}, 3)), mixed = denseAttention({}, tokens, {}, 2);
            ((y * seen).sum() + mixed.square().sum()).backward();
            results.push_back({y.detach(), input.grad(), weight.grad(), mixed.detach(), tokens.grad()});
        }
        for (std::size_t i = 0; i < results[0].size(); ++i) QVERIFY(results[0][i].equal(results[1][i]));
        QVERIFY(
            denseLinear(x.narrow(0, 7, 1), leaf({96, 64}, 2), normal({96}, 3)).equal(results[0][0].narrow(0, 7, 1)));
        QVERIFY(denseAttention({}, qkv.narrow(0, 2, 1), {}, 2).equal(results[0][3].narrow(0, 2, 1)));
    }

    void aNumberThatIsNotFiniteStaysInItsImage() {
        const Tensor sound = normal({3, 9, 96}, 1);
        Tensor broken = sound.clone();
        broken[1].fill_(std::numeric_limits<float>::quiet_NaN());
        const Tensor expected = denseAttention({}, sound, {}, 2), mixed = denseAttention({}, broken, {}, 2);
        QVERIFY(!at::isfinite(mixed[1]).any().item<bool>());
        for (const int image : {0, 2}) QVERIFY(mixed[image].equal(expected[image]));
    }

    void aWholeNetworkLearnsAsWithLibTorchsOperators() {
        const auto learn = [](bool plain, bool clip) {
            VitShape shape{24, 4, 3, 64, 4, 4, 4};
            shape.quick_gelu = clip;
            Vit vit(shape);
            vit.initialise(Random(1));
            Random random(1, 7);
            for (const auto& [name, tensor] : vit.parameters()) {
                Tensor noise = at::zeros_like(tensor);
                fillNormal(noise, random);
                tensor.add_(noise, 0.05);
            }
            vit.setTrainable(true);
            vit.setPlain(plain);
            (vit.features(normal({6, 3, 24, 24}, 3)) * normal({6, 64}, 4)).sum().backward();
            std::vector<NamedTensor> gradients;
            for (const auto& [name, tensor] : vit.parameters()) gradients.push_back({name, tensor.grad()});
            return gradients;
        };
        for (const bool clip : {false, true}) {
            const auto own = learn(false, clip), plain = learn(true, clip);
            for (std::size_t i = 0; i < own.size(); ++i)
                QVERIFY2(difference(own[i].tensor, plain[i].tensor) < 1e-4, own[i].name.c_str());
        }
    }

    void everySetOfInstructionsGivesTheSameButForRounding() {
        const Tensor x = normal({45, 80}, 1), seen = normal({45, 112}, 4), qkv = normal({3, 21, 120}, 5);
        std::vector<Tensor> first;
        const auto supported = hwy::SupportedTargets() & HWY_TARGETS;
        for (auto left = supported; left != 0; left &= left - 1) {
            hwy::SetSupportedTargetsForTest(left & -left);
            hwy::GetChosenTarget().DeInit();
            const Tensor input = x.clone().requires_grad_(true), weight = leaf({112, 80}, 2);
            const Tensor tokens = qkv.clone().requires_grad_(true);
            const Tensor y = denseLinear(input, weight, normal({112}, 3)), mixed = denseAttention({}, tokens, {}, 2);
            ((y * seen).sum() + mixed.square().sum()).backward();
            const std::vector<Tensor> all{y.detach(), input.grad(), weight.grad(), mixed.detach(), tokens.grad()};
            if (first.empty()) first = all;
            for (std::size_t i = 0; i < all.size(); ++i)
                QVERIFY2(difference(all[i], first[i]) < 2e-5, hwy::TargetName(left & -left));
        }
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().DeInit();
    }
};

PALIMPSEST_APPLESS_TEST(TestDenseLayers)

}  // namespace tst_dense_layers

#include "tst_dense_layers.moc"
