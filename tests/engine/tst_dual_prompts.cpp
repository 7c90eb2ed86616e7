// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <map>

#include "engine/method/dual_prompts.h"
#include "engine/method/prompt_files.h"
#include "engine/method/prompts.h"
#include "engine/method_options/prompt_options.h"
#include "engine/network/compute.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_dual_prompts {

namespace {

constexpr VitShape kShape{16, 4, 3, 32, 5, 2, 2};
constexpr std::int64_t kGeneralLength = 2, kExpertLength = 3, kPool = 4;

MethodOptions options(const QString& general = "0,1", const QString& expert = "2,3,4", const QString& form = "tuning") {
    MethodOptions given;
    given.name = "dualprompt";
    given.of<PromptPoolOptions>().size = kPool;
    PromptOptions& prompts = given.of<PromptOptions>();
    prompts.g_length = kGeneralLength;
    prompts.e_length = kExpertLength;
    prompts.g_blocks = general.toStdString();
    prompts.e_blocks = expert.toStdString();
    prompts.form = form.toStdString();
    return given;
}

/// A network without special values in biases and norms.
std::unique_ptr<Vit> network() {
    prepareCompute("cpu", "float32", 1);
    auto vit = std::make_unique<Vit>(kShape);
    Random random(3);
    for (const auto& [name, tensor] : vit->parameters()) {
        Tensor live = tensor;
        const bool factor = name.find("norm") != std::string::npos && name.ends_with("weight");
        fillUniform(live, random, factor ? 0.5 : -0.2, factor ? 1.5 : 0.2);
    }
    vit->setTrainable(false);
    return vit;
}

Tensor someImages(std::int64_t count) {
    Tensor images = at::zeros({count, 3, 16, 16});
    Random random(4);
    fillUniform(images, random, -1, 1);
    return images;
}

/// The published computation in double, block by block and sample by sample: prompt tokens run through the whole block
/// and are then cut off; prefix rows are prepended to the normalised tokens, for the key and for the value matrix.
class Slow {
public:
    Slow(const Vit& vit, const DualPrompts& prompts) : vit_(vit), prompts_(prompts) {
        for (const auto& [name, tensor] : vit.parameters()) weights_[name] = tensor.detach().to(at::kDouble);
    }

    Tensor features(const Tensor& images, const std::vector<std::int64_t>& index) const {
        NoGradGuard guard;
        std::vector<Tensor> all;
        for (std::int64_t b = 0; b < images.size(0); ++b) {
            Tensor x = vit_.embed(images.narrow(0, b, 1)).to(at::kDouble)[0];
            const std::int64_t chosen = index.empty() ? 0 : index[static_cast<std::size_t>(b)];
            for (std::int64_t i = 0; i < kShape.depth; ++i) x = block(i, x, chosen);
            all.push_back(norm(x, "norm")[0]);
        }
        return at::stack(all);
    }

private:
    Tensor weight(const std::string& name) const { return weights_.at(name); }
    Tensor linear(const Tensor& x, const std::string& name) const {
        return x.matmul(weight(name + ".weight").t()) + weight(name + ".bias");
    }
    Tensor norm(const Tensor& x, const std::string& name) const {
        Tensor result = x.clone();
        for (std::int64_t n = 0; n < x.size(0); ++n) {
            const double mean = x[n].mean().item<double>();
            const double variance = (x[n] - mean).square().mean().item<double>();
            result[n] = (x[n] - mean) / std::sqrt(variance + 1e-6) * weight(name + ".weight") + weight(name + ".bias");
        }
        return result;
    }

    /// Rows of all prompts of block i, concatenated; rows of keys and of values for a prefix.
    std::pair<Tensor, Tensor> rows(std::int64_t i, std::int64_t chosen) const {
        const PromptLayout& layout = prompts_.layout();
        Tensor first = at::zeros({0, kShape.width}, at::kDouble), second = first;
        const auto add = [&](const std::vector<std::int64_t>& blocks, const Tensor& prompt, std::int64_t length) {
            const std::int64_t each = layout.form == PromptLayout::Form::Prefix ? 2 * length : length;
            for (std::size_t place = 0; place < blocks.size(); ++place) {
                if (blocks[place] != i) continue;
                const auto begin = static_cast<std::int64_t>(place) * each;
                first = at::cat({first, prompt.slice(0, begin, begin + length)});
                second = at::cat({second, prompt.slice(0, begin + each - length, begin + each)});
            }
        };
        if (prompts_.hasGeneral())
            add(layout.general_blocks, prompts_.actingGeneral().to(at::kDouble)[0], layout.general_length);
        if (prompts_.hasPool())
            add(layout.expert_blocks, prompts_.actingExperts().to(at::kDouble)[chosen], layout.expert_length);
        return {first, second};
    }

    Tensor block(std::int64_t i, const Tensor& tokens, std::int64_t chosen) const {
        const std::string name = "blocks." + std::to_string(i) + ".";
        const auto [first, second] = rows(i, chosen);
        const bool prefix = prompts_.layout().form == PromptLayout::Form::Prefix;
        Tensor x = tokens;
        if (!prefix) x = at::cat({x, first + weight("pos_embed")[0][0]});
        const Tensor normed = norm(x, name + "norm1");
        const Tensor keys = prefix ? at::cat({first, normed}) : normed;
        const Tensor values = prefix ? at::cat({second, normed}) : normed;
        x = x + linear(attention(name + "attn.qkv", normed, keys, values), name + "attn.proj");
        const Tensor hidden = linear(norm(x, name + "norm2"), name + "mlp.fc1");
        x = x + linear(0.5 * hidden * (1 + at::erf(hidden / std::sqrt(2.0))), name + "mlp.fc2");
        return x.slice(0, 0, tokens.size(0));
    }

    Tensor attention(const std::string& name, const Tensor& queries, const Tensor& keys, const Tensor& values) const {
        const std::int64_t d = kShape.width, each = d / kShape.heads;
        const auto part = [&](const Tensor& x, std::int64_t which) {
            return x.matmul(weight(name + ".weight").slice(0, which * d, (which + 1) * d).t()) +
                   weight(name + ".bias").slice(0, which * d, (which + 1) * d);
        };
        const Tensor q = part(queries, 0), k = part(keys, 1), v = part(values, 2);
        std::vector<Tensor> heads;
        for (std::int64_t h = 0; h < kShape.heads; ++h) {
            const auto of = [&](const Tensor& x) { return x.slice(1, h * each, (h + 1) * each); };
            const Tensor scores = at::exp(of(q).matmul(of(k).t()) / std::sqrt(static_cast<double>(each)));
            heads.push_back((scores / scores.sum(1).unsqueeze(1)).matmul(of(v)));
        }
        return at::cat(heads, 1);
    }

    const Vit& vit_;
    const DualPrompts& prompts_;
    std::map<std::string, Tensor> weights_;
};

double distance(const Tensor& a, const Tensor& b) {
    return (a.detach().to(at::kDouble) - b.detach().to(at::kDouble)).abs().max().item<double>();
}

Tensor parameter(const DualPrompts& prompts, const std::string& name) {
    for (const auto& entry : prompts.parameters())
        if (entry.name == name) return entry.tensor;
    return {};
}

std::vector<std::string> names(const DualPrompts& prompts) {
    std::vector<std::string> all;
    for (const auto& entry : prompts.parameters()) all.push_back(entry.name);
    return all;
}

QString refusal(const MethodOptions& given, std::int64_t depth) {
    try {
        VitShape shape = kShape;
        shape.depth = depth;
        promptLayout(given, shape);
    } catch (const Error& error) {
        return error.kind() == ErrorKind::Input ? QString::fromStdString(error.sentence()) : "wrong kind of error";
    }
    return {};
}

}  // namespace

class TestDualPrompts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void featuresAreThoseOfThePublishedComputation_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("general");
        QTest::addColumn<QString>("expert");
        for (const char* form : {"tuning", "prefix"}) {
            QTest::addRow("%s, as published", form) << form << "0,1"
                                                    << "2,3,4";
            QTest::addRow("%s, general alone", form) << form << "0,3"
                                                     << "none";
            QTest::addRow("%s, expert alone", form) << form << "none"
                                                    << "1,2";
            QTest::addRow("%s, both in the same blocks", form) << form << "1,4"
                                                               << "1,4";
            QTest::addRow("%s, the last block first", form) << form << "4"
                                                            << "0";
        }
    }
    void featuresAreThoseOfThePublishedComputation() {
        QFETCH(QString, form);
        QFETCH(QString, general);
        QFETCH(QString, expert);
        const auto vit = network();
        const DualPrompts prompts(*vit, promptLayout(options(general, expert, form), kShape), 5);
        const std::vector<std::int64_t> chosen =
            prompts.hasPool() ? std::vector<std::int64_t>{2, 0, 2} : std::vector<std::int64_t>{};
        const Tensor index = prompts.hasPool() ? at::tensor(chosen, at::kLong) : Tensor();
        const Tensor images = someImages(3);
        const Tensor features = prompts.features(images, index);
        QVERIFY(distance(features, vit->features(images)) > 1e-2);  // the prompts have an effect
        const double error = distance(features, Slow(*vit, prompts).features(images, chosen));
        QVERIFY2(error < 2e-4, qPrintable(QString::number(error)));
    }

    void aPrefixHasRowsForKeysAndForValues() {
        const auto vit = network();
        const DualPrompts tuning(*vit, promptLayout(options(), kShape), 5);
        const DualPrompts prefix(*vit, promptLayout(options("0,1", "2,3,4", "prefix"), kShape), 5);
        QCOMPARE(tuning.general().size(1), 2 * kGeneralLength);
        QCOMPARE(prefix.general().size(1), 2 * 2 * kGeneralLength);
        QCOMPARE(tuning.pool().prompts().size(1), 3 * kExpertLength);
        QCOMPARE(prefix.pool().prompts().size(1), 3 * 2 * kExpertLength);
    }

    void onlyWhatIsThereLearns() {
        const auto vit = network();
        const DualPrompts general(*vit, promptLayout(options("0,1", "none"), kShape), 5);
        const DualPrompts expert(*vit, promptLayout(options("none", "2"), kShape), 5);
        QCOMPARE(names(general), (std::vector<std::string>{"g_prompt.prompts"}));
        QCOMPARE(names(expert), (std::vector<std::string>{"e_prompt.key", "e_prompt.prompts"}));
        QVERIFY(!general.hasPool() && !expert.hasGeneral());
        QVERIFY(!general.actingExperts().defined() && !expert.actingGeneral().defined());
    }

    void lengthsThatNobodyGaveFitTheNetwork_data() {
        QTest::addColumn<int>("asked");
        QTest::addColumn<int>("published");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("length");
        QTest::newRow("ViT-B/16, general") << 0 << 10 << 197 << 10;
        QTest::newRow("ViT-B/16, expert") << 0 << 20 << 197 << 20;
        QTest::newRow("ViT-B/16, L2P") << 0 << 5 << 197 << 5;
        QTest::newRow("more tokens than ViT-B/16 has") << 0 << 20 << 577 << 20;
        QTest::newRow("a third of the tokens") << 0 << 20 << 65 << 7;
        QTest::newRow("a twelfth, general") << 0 << 10 << 17 << 1;
        QTest::newRow("a twelfth, expert") << 0 << 20 << 17 << 2;
        QTest::newRow("never none") << 0 << 5 << 2 << 1;
        QTest::newRow("given") << 7 << 20 << 17 << 7;
    }
    void lengthsThatNobodyGaveFitTheNetwork() {
        QFETCH(int, asked);
        QFETCH(int, published);
        QFETCH(int, tokens);
        QFETCH(int, length);
        QCOMPARE(fittedLength(asked, published, tokens), std::int64_t{length});
    }

    void initialPromptsDecideLengthsThatNobodyGave() {
        const auto vit = network();
        QTemporaryDir folder;
        const std::string file = (folder.path() + "/prompts.safetensors").toStdString();
        writeSafetensors(file,
                         {{kGeneralPrompts, at::ones({1, 2 * 4, 32})}, {kExpertPrompts, at::ones({kPool, 3 * 6, 32})}});
        MethodOptions fitted = options();
        fitted.of<PromptOptions>().g_length = fitted.of<PromptOptions>().e_length = 0;
        const PromptLayout alone = promptLayout(fitted, kShape);
        QCOMPARE(alone.general_length, std::int64_t{1});
        QCOMPARE(alone.expert_length, std::int64_t{2});
        const PromptLayout given = promptLayout(fitted, kShape, file);
        QCOMPARE(given.general_length, std::int64_t{4});
        QCOMPARE(given.expert_length, std::int64_t{6});
        QCOMPARE(promptLengths(given), (PromptLengths{{"method.g_length", 4}, {"method.e_length", 6}}));
        DualPrompts prompts(*vit, given, 5);
        prompts.load(file);
        QVERIFY(prompts.general().equal(at::ones({1, 8, 32})));

        // A prefix has two rows for each token; what was asked for stays; a shape that fits no length is not followed.
        fitted.of<PromptOptions>().form = "prefix";
        QCOMPARE(promptLayout(fitted, kShape, file).expert_length, std::int64_t{3});
        fitted.of<PromptOptions>().form = "tuning";
        fitted.of<PromptOptions>().g_length = 2;
        QCOMPARE(promptLayout(fitted, kShape, file).general_length, std::int64_t{2});
        fitted.of<PromptOptions>().e_blocks = "1,2,3,4";
        QCOMPARE(promptLayout(fitted, kShape, file).expert_length, std::int64_t{2});
    }

    void onlyTheChosenExpertsGetAGradient() {
        const auto vit = network();
        const DualPrompts prompts(*vit, promptLayout(options(), kShape), 5);
        prompts.features(someImages(2), at::tensor(std::vector<std::int64_t>{1, 3}, at::kLong))
            .square()
            .sum()
            .backward();
        const Tensor moved = prompts.pool().prompts().grad().abs().sum(at::IntArrayRef{1, 2});
        QVERIFY(moved[1].item<float>() > 0 && moved[3].item<float>() > 0);
        QCOMPARE(moved[0].item<float>() + moved[2].item<float>(), 0.0f);
        QVERIFY(prompts.general().grad().abs().sum().item<float>() > 0);
    }

    void aPoolLargerThanTheBatchLearnsAsAWholeOne() {
        const auto vit = network();
        const Tensor images = someImages(2);
        // The same two images twice: as many as there are prompts, so that all get keys and values.
        std::vector<Tensor> gradients;
        for (const bool twice : {false, true}) {
            const DualPrompts prompts(*vit, promptLayout(options(), kShape), 5);
            const Tensor index = at::tensor(std::vector<std::int64_t>{3, 1}, at::kLong);
            const Tensor features =
                prompts.features(twice ? at::cat({images, images}) : images, twice ? at::cat({index, index}) : index);
            features.square().sum().backward();
            gradients.push_back(prompts.pool().prompts().grad() / (twice ? 2 : 1));
        }
        QVERIFY(gradients[1].abs().max().item<float>() > 0);
        QVERIFY(distance(gradients[0], gradients[1]) < 1e-5);
    }

    void augmentedPromptsActAsTheirAugmentation() {
        const auto vit = network();
        const PromptLayout layout = promptLayout(options(), kShape);
        DualPrompts augmented(*vit, layout, 5), plain(*vit, layout, 6);
        const PromptAugmenter general(kShape.width, Random(7), at::kCPU), expert(kShape.width, Random(8), at::kCPU);
        augmented.augment(&general, &expert);
        QVERIFY(distance(augmented.actingGeneral(), augmented.general()) > 1e-3);
        QVERIFY(distance(augmented.actingGeneral(), general(augmented.general())) < 1e-6);
        QVERIFY(distance(augmented.actingExperts(), expert(augmented.pool().prompts())) < 1e-6);
        {
            NoGradGuard guard;
            plain.general().copy_(augmented.actingGeneral());
            plain.pool().prompts().copy_(augmented.actingExperts());
        }
        const Tensor index = at::tensor(std::vector<std::int64_t>{3, 1}, at::kLong);
        QVERIFY(distance(augmented.features(someImages(2), index), plain.features(someImages(2), index)) < 1e-5);
        augmented.augment(nullptr, nullptr);
        QVERIFY(augmented.actingGeneral().equal(augmented.general()));
    }

    void shiftAndScaleFitsTheGeneralPromptBlockByBlock_data() {
        QTest::addColumn<QString>("form");
        QTest::newRow("tuning") << "tuning";
        QTest::newRow("prefix") << "prefix";
    }
    void shiftAndScaleFitsTheGeneralPromptBlockByBlock() {
        QFETCH(QString, form);
        const auto vit = network();
        const PromptLayout layout = promptLayout(options("0,1", "2,3,4", form), kShape);
        DualPrompts fitted(*vit, layout, 5), plain(*vit, layout, 5);
        const Tensor images = someImages(2), index = at::tensor(std::vector<std::int64_t>{0, 2}, at::kLong);
        const Tensor before = fitted.features(images, index);
        fitted.shiftAndScale();
        QCOMPARE(names(fitted), (std::vector<std::string>{"g_prompt.prompts", "e_prompt.key", "e_prompt.prompts",
                                                          "scale", "translation"}));
        QVERIFY(distance(fitted.features(images, index), before) < 1e-5);  // 1 and 0 change nothing

        Tensor scale = parameter(fitted, "scale"), translation = parameter(fitted, "translation");
        const std::int64_t rows = fitted.general().size(1);
        QCOMPARE(scale.sizes().vec(), (std::vector<std::int64_t>{2}));
        QCOMPARE(translation.sizes().vec(), (std::vector<std::int64_t>{rows, kShape.width}));
        {
            NoGradGuard guard;
            scale[0] = 0.5;
            scale[1] = -2.0;
            Random random(9);
            fillUniform(translation, random, -1, 1);
            for (std::int64_t row = 0; row < rows; ++row)
                plain.general()[0][row] = fitted.general()[0][row] * (row < rows / 2 ? 0.5 : -2.0) + translation[row];
        }
        const Tensor features = fitted.features(images, index);
        QVERIFY(distance(features, before) > 1e-3);
        QVERIFY(distance(features, plain.features(images, index)) < 1e-5);
        features.square().sum().backward();
        QVERIFY(scale.grad().abs().min().item<float>() > 0 && translation.grad().abs().sum().item<float>() > 0);
        // The prompts learn together with them.
        QVERIFY(fitted.general().grad().abs().sum().item<float>() > 0);
        QVERIFY(fitted.pool().prompts().grad().abs().sum().item<float>() > 0);
    }

    void shiftAndScaleNeedsAGeneralPrompt() {
        const auto vit = network();
        DualPrompts expert(*vit, promptLayout(options("none", "2"), kShape), 5);
        QVERIFY_EXCEPTION_THROWN(expert.shiftAndScale(), Error);
    }

    void layoutsThatCannotBeAreRefused_data() {
        QTest::addColumn<QString>("general");
        QTest::addColumn<QString>("expert");
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("depth");
        QTest::addColumn<QString>("part");
        QTest::newRow("falling") << "1,0"
                                 << "2"
                                 << "tuning" << 5 << "method.g_blocks is \"1,0\"";
        QTest::newRow("twice") << "0"
                               << "2,2"
                               << "tuning" << 5 << "method.e_blocks is \"2,2\"";
        QTest::newRow("too shallow") << "0,1"
                                     << "2,3,4"
                                     << "tuning" << 4
                                     << "method.e_blocks names block 4, but the backbone has only the blocks 0 to 3.";
        QTest::newRow("one block") << "0,1"
                                   << "none"
                                   << "prefix" << 1
                                   << "method.g_blocks names block 1, but the backbone has only block 0.";
        QTest::newRow("nothing left") << "none"
                                      << "none"
                                      << "tuning" << 5 << "no prompt is left";
        QTest::newRow("another form") << "0"
                                      << "1"
                                      << "prefixed" << 5 << "\"prefixed\"";
    }
    void layoutsThatCannotBeAreRefused() {
        QFETCH(QString, general);
        QFETCH(QString, expert);
        QFETCH(QString, form);
        QFETCH(int, depth);
        QFETCH(QString, part);
        const QString message = refusal(options(general, expert, form), depth);
        QVERIFY2(message.contains(part), qPrintable(message));
    }
};

PALIMPSEST_APPLESS_TEST(TestDualPrompts)

}  // namespace tst_dual_prompts

#include "tst_dual_prompts.moc"
