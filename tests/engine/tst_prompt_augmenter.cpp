// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <map>

#include "engine/method/prompts.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_prompt_augmenter {

namespace {

constexpr std::int64_t kWidth = 32, kHidden = 4;

Tensor drawn(at::IntArrayRef sizes, std::uint64_t seed) {
    Tensor tensor = at::zeros(sizes);
    Random random(seed);
    fillUniform(tensor, random, -1, 1);
    return tensor;
}

std::map<std::string, Tensor> named(const PromptAugmenter& augmenter) {
    std::map<std::string, Tensor> tensors;
    for (const auto& [name, tensor] : augmenter.parameters("")) tensors[name] = tensor;
    return tensors;
}

/// An augmenter with all parameters changed, so that leaving one out shows.
PromptAugmenter moved() {
    PromptAugmenter augmenter(kWidth, Random(1), at::kCPU);
    NoGradGuard guard;
    std::uint64_t seed = 10;
    for (const auto& [name, tensor] : augmenter.parameters("")) tensor.add_(drawn(tensor.sizes(), seed++), 0.5);
    return augmenter;
}

/// p + MLP(p) of one token, number by number.
std::vector<double> direct(const PromptAugmenter& augmenter, const Tensor& token) {
    const auto tensors = named(augmenter);
    const auto at = [&](const char* name, std::int64_t i) { return tensors.at(name)[i].item<double>(); };
    std::vector<double> hidden;
    for (std::int64_t h = 0; h < kHidden; ++h) {
        double sum = at("fc1.bias", h);
        for (std::int64_t d = 0; d < kWidth; ++d)
            sum += tensors.at("fc1.weight")[h][d].item<double>() * token[d].item<double>();
        hidden.push_back(sum);
    }
    double mean = 0, variance = 0;
    for (const double value : hidden) mean += value / kHidden;
    for (const double value : hidden) variance += (value - mean) * (value - mean) / kHidden;
    for (std::int64_t h = 0; h < kHidden; ++h) {
        double& value = hidden[static_cast<std::size_t>(h)];
        value = std::max(0.0, (value - mean) / std::sqrt(variance + 1e-5) * at("ln1.weight", h) + at("ln1.bias", h));
    }
    std::vector<double> out;
    for (std::int64_t d = 0; d < kWidth; ++d) {
        double sum = token[d].item<double>() + at("fc2.bias", d);
        for (std::int64_t h = 0; h < kHidden; ++h)
            sum += tensors.at("fc2.weight")[d][h].item<double>() * hidden[static_cast<std::size_t>(h)];
        out.push_back(sum);
    }
    return out;
}

}  // namespace

class TestPromptAugmenter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyTokenBecomesItselfPlusItsMlp() {
        const PromptAugmenter augmenter = moved();
        const Tensor tokens = drawn({2, 3, kWidth}, 2);
        const Tensor result = augmenter(tokens);
        QVERIFY(result.sizes() == tokens.sizes());
        for (std::int64_t p = 0; p < 2; ++p)
            for (std::int64_t t = 0; t < 3; ++t) {
                const std::vector<double> expected = direct(augmenter, tokens[p][t]);
                for (std::int64_t d = 0; d < kWidth; ++d)
                    QVERIFY(std::abs(result[p][t][d].item<double>() - expected[static_cast<std::size_t>(d)]) < 1e-5);
            }
    }

    void namesAndShapesAreTheOfficialOnes() {
        const PromptAugmenter augmenter(768, Random(1), at::kCPU);
        const std::vector<std::pair<std::string, std::vector<std::int64_t>>> expected = {
            {"proj_e_pt.fc1.weight", {96, 768}}, {"proj_e_pt.fc1.bias", {96}},        {"proj_e_pt.ln1.weight", {96}},
            {"proj_e_pt.ln1.bias", {96}},        {"proj_e_pt.fc2.weight", {768, 96}}, {"proj_e_pt.fc2.bias", {768}}};
        const auto parameters = augmenter.parameters("proj_e_pt.");
        QCOMPARE(parameters.size(), expected.size());
        std::int64_t count = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(parameters[i].name, expected[i].first);
            QVERIFY(parameters[i].tensor.sizes().vec() == expected[i].second);
            QVERIFY(parameters[i].tensor.requires_grad());
            count += parameters[i].tensor.numel();
        }
        QCOMPARE(count, std::int64_t{148'512});
    }

    void initialValuesAreThoseOfPyTorchsLayers() {
        const auto tensors = named(PromptAugmenter(256, Random(1), at::kCPU));
        const std::pair<const char*, double> layers[] = {{"fc1", 256}, {"fc2", 32}};
        for (const auto& [layer, inputs] : layers)
            for (const char* part : {".weight", ".bias"}) {
                const double largest = tensors.at(std::string(layer) + part).abs().max().item<double>();
                QVERIFY(largest <= 1 / std::sqrt(inputs));
                QVERIFY(largest > 0.8 / std::sqrt(inputs));
            }
        QVERIFY(tensors.at("ln1.weight").equal(at::ones({32})));
        QVERIFY(tensors.at("ln1.bias").equal(at::zeros({32})));
        const auto again = named(PromptAugmenter(256, Random(1), at::kCPU));
        const auto other = named(PromptAugmenter(256, Random(2), at::kCPU));
        QVERIFY(again.at("fc2.weight").equal(tensors.at("fc2.weight")));
        QVERIFY(!other.at("fc2.weight").equal(tensors.at("fc2.weight")));
    }

    void thePoolMayBeAugmentedBeforePromptsAreChosen() {
        const PromptAugmenter augmenter = moved();
        const Tensor pool = drawn({3, 2, kWidth}, 3).requires_grad_(true);
        const Tensor index = at::tensor({2, 0, 2, 2}, at::kLong);
        const Tensor weights = drawn({4, 2, kWidth}, 4);
        std::vector<NamedTensor> leaves = augmenter.parameters("");
        leaves.push_back({"pool", pool});
        const auto gradients = [&](const Tensor& chosen) {
            (chosen * weights).sum().backward();
            std::vector<Tensor> all;
            for (auto& [name, tensor] : leaves) {
                all.push_back(tensor.grad().clone());
                tensor.mutable_grad().reset();
            }
            return all;
        };
        const Tensor before = augmenter(pool).index_select(0, index), after = augmenter(pool.index_select(0, index));
        QVERIFY(before.allclose(after, 1e-6, 1e-6));
        const auto first = gradients(before), second = gradients(after);
        for (std::size_t i = 0; i < first.size(); ++i) {
            QVERIFY2(first[i].allclose(second[i], 1e-4, 1e-5), leaves[i].name.c_str());
            QVERIFY2(first[i].abs().max().item<double>() > 1e-3, leaves[i].name.c_str());
        }
        QVERIFY(first.back()[1].equal(at::zeros({2, kWidth})));
    }

    void tooNarrowANetworkIsRefused() {
        try {
            PromptAugmenter(7, Random(1), at::kCPU);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            QVERIFY(QString(error.what()).contains("width 7"));
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestPromptAugmenter)

}  // namespace tst_prompt_augmenter

#include "tst_prompt_augmenter.moc"
