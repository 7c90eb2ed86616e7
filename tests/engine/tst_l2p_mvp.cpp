// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/method_options/prompt_options.h"
#include "engine/network/tensor_file.h"
#include "engine/support/error.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_l2p_mvp {

namespace {

using Rows = std::vector<std::vector<double>>;

Rows rowsOf(const Tensor& tensor) {
    const Tensor values = tensor.detach().to(at::kDouble).contiguous();
    Rows rows;
    for (std::int64_t i = 0; i < values.size(0); ++i) {
        const double* row = values.data_ptr<double>() + i * values.size(1);
        rows.emplace_back(row, row + values.size(1));
    }
    return rows;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}
double distance(const std::vector<double>& a, const std::vector<double>& b) {
    return 1 - dot(a, b) / (std::sqrt(dot(a, a)) * std::sqrt(dot(b, b)));
}

/// MVP's loss of one batch, term by term, image by image.
class SlowMvp {
public:
    SlowMvp(const MethodSetup& setup, const Method& method, const UpdateInput& input)
        : options_(setup.method.of<MvpOptions>()), prompts_(setup.method.of<PromptOptions>()) {
        const auto parameters = method.trainable();
        const Vit& vit = *setup.vit;
        NoGradGuard guard;
        Tensor x = vit.embed(input.images);
        for (std::int64_t i = 0; i + 1 < vit.shape().depth; ++i) x = vit.block(i, x);
        const Rows queries = rowsOf(x.select(1, 0));
        keys_ = rowsOf(named(parameters, "key"));
        const auto counts = rowsOf(named(method.keptTensors(), "count").unsqueeze(0)).front();
        for (std::size_t k = 0; k < keys_.size(); ++k) mass_.push_back(options_.contrastive ? counts[k] + 1 : 1);
        for (const auto& query : queries) {
            std::size_t best = 0;
            for (std::size_t k = 1; k < keys_.size(); ++k)
                if (distance(query, keys_[k]) * mass_[k] < distance(query, keys_[best]) * mass_[best]) best = k;
            chosen.push_back(static_cast<std::int64_t>(best));
            away_.push_back(distance(query, keys_[best]));
        }
        const std::int64_t g = prompts_.g_length, e = prompts_.e_length, count = input.images.size(0);
        const Tensor general = named(parameters, "g_prompts"), experts = named(parameters, "e_prompts");
        std::vector<Tensor> prompts;
        for (std::int64_t k = 0; k < 2; ++k) prompts.push_back(general.narrow(1, k * g, g).expand({count, -1, -1}));
        for (std::int64_t k = 0; k < 3; ++k)
            prompts.push_back(experts.index_select(0, at::tensor(chosen)).narrow(1, k * e, e));
        features_ = rowsOf(appendedFeature(vit, input.images, prompts));
        weight_ = rowsOf(named(parameters, "backbone.fc.weight"));
        bias_ = rowsOf(named(parameters, "backbone.fc.bias").unsqueeze(0)).front();
        hidden_ = rowsOf(input.mask.unsqueeze(0)).front();
        multiplied_ = input.form == MaskForm::Multiplicative;
        units_ = indexVector(input.units);
        const Rows mask = options_.mask ? rowsOf(named(parameters, "mask")) : Rows();
        for (const std::int64_t k : chosen) {
            factors_.emplace_back();
            for (std::size_t c = 0; c < bias_.size(); ++c)
                factors_.back().push_back(mask.empty() ? 1 : 2 / (1 + std::exp(-mask[static_cast<std::size_t>(k)][c])));
        }
    }

    double loss() const {
        const std::size_t count = features_.size();
        double mean = 0;
        std::vector<double> each;
        for (std::size_t i = 0; i < count; ++i) {
            const double divisor = options_.scaling ? distance(weight_[unit(i)], features_[i]) + options_.margin : 1;
            each.push_back(-std::log(shares(i, divisor)[unit(i)]));
            mean += each.back() / static_cast<double>(count);
        }
        if (options_.reinforcement == "none") return mean + keyLoss();
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double focus = std::pow(strangeness(i), options_.gamma);
            const double own = options_.reinforcement == "batch" ? mean : each[i];
            sum += ((1 - options_.alpha) * own + options_.alpha * focus * own) / static_cast<double>(count);
        }
        return sum + keyLoss();
    }

    std::vector<std::int64_t> chosen;

private:
    std::size_t unit(std::size_t i) const { return static_cast<std::size_t>(units_[i]); }

    std::vector<double> shares(std::size_t i, double divisor) const {
        std::vector<double> result;
        double sum = 0;
        for (std::size_t c = 0; c < bias_.size(); ++c) {
            const double logit = (dot(weight_[c], features_[i]) / divisor + bias_[c]) * factors_[i][c];
            result.push_back(multiplied_ && hidden_[c] < 0 ? 1 : std::exp(logit + hidden_[c]));
            sum += result.back();
        }
        for (double& value : result) value /= sum;
        return result;
    }

    /// Gradient of image j's loss in the head's row of class c.
    std::vector<double> gradient(std::size_t j, std::size_t c) const {
        const double slope = factors_[j][c] * (shares(j, 1)[c] - (unit(j) == c ? 1 : 0));
        std::vector<double> result;
        for (const double f : features_[j]) result.push_back(slope * f);
        return result;
    }
    double strangeness(std::size_t i) const {
        std::vector<double> batch(features_[i].size(), 0);
        for (std::size_t j = 0; j < features_.size(); ++j) {
            const auto one = gradient(j, unit(i));
            for (std::size_t d = 0; d < one.size(); ++d) batch[d] += one[d] / static_cast<double>(features_.size());
        }
        return distance(gradient(i, unit(i)), batch);
    }

    double keyLoss() const {
        const auto count = static_cast<double>(chosen.size());
        if (!options_.contrastive) {
            double sum = 0;
            for (const double d : away_) sum += d / count;
            return sum;
        }
        double apart = 0, near = 0;
        for (const std::int64_t i : chosen)
            for (const std::int64_t j : chosen)
                for (const auto& key : keys_)
                    apart += std::exp(distance(keys_[static_cast<std::size_t>(i)], key) /
                                      mass_[static_cast<std::size_t>(j)]) /
                             (count * count * static_cast<double>(keys_.size()));
        for (const std::int64_t i : chosen)
            for (const double d : away_) near += std::exp(d / mass_[static_cast<std::size_t>(i)]) / (count * count);
        return -std::log(apart / (apart + near) + 1e-6);
    }

    MvpOptions options_;
    PromptOptions prompts_;
    Rows keys_, features_, weight_, factors_;
    std::vector<double> mass_, away_, bias_, hidden_;
    std::vector<std::int64_t> units_;
    bool multiplied_ = false;
};

void writePrompts(const std::filesystem::path& file, const Tensor& general, const Tensor& experts) {
    writeSafetensors(file, {{"g_prompt.prompts", general}, {"e_prompt.prompts", experts}});
}

Tensor counted(at::IntArrayRef sizes) {
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) count *= size;
    return at::arange(0, count).to(at::kFloat).reshape(sizes);
}

}  // namespace

class TestL2pMvp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mvpsLossIsTheSumOfItsTerms_data() {
        QTest::addColumn<bool>("mask");
        QTest::addColumn<bool>("contrastive");
        QTest::addColumn<bool>("scaling");
        QTest::addColumn<QString>("reinforcement");
        for (const bool mask : {false, true})
            for (const bool contrastive : {false, true})
                for (const bool scaling : {false, true})
                    for (const char* reinforcement : {"none", "batch", "sample"})
                        QTest::addRow("%s%s%s%s", mask ? "mask " : "", contrastive ? "contrastive " : "",
                                      scaling ? "scaling " : "", reinforcement)
                            << mask << contrastive << scaling << QString(reinforcement);
    }
    void mvpsLossIsTheSumOfItsTerms() {
        QFETCH(bool, mask);
        QFETCH(bool, contrastive);
        QFETCH(bool, scaling);
        QFETCH(QString, reinforcement);
        MethodSetup setup = smallSetup("mvp");
        setup.method.of<MvpOptions>().mask = mask;
        setup.method.of<MvpOptions>().contrastive = contrastive;
        setup.method.of<MvpOptions>().scaling = scaling;
        setup.method.of<MvpOptions>().reinforcement = reinforcement.toStdString();
        setup.learning_rate = 0.05;  // so that a few steps make heads, masks and keys that differ
        const auto method = makeMethod(setup);
        for (std::uint64_t step = 0; step < 4; ++step) {
            const UpdateInput input = noiseBatch(7, step);
            const SlowMvp slow(setup, *method, input);
            const double expected = slow.loss();
            const UpdateResult result = method->update(input);
            QCOMPARE(result.selected, slow.chosen);
            QVERIFY2(std::abs(result.loss - expected) < 1e-4 * (1 + std::abs(expected)),
                     qPrintable(QString("%1 instead of %2").arg(result.loss).arg(expected)));
        }
    }

    /// Its gradient is the batch's, so the angle between them is only rounding, of either sign.
    void oneImageAloneGivesMvpALoss_data() {
        QTest::addColumn<QString>("reinforcement");
        for (const char* reinforcement : {"batch", "sample"}) QTest::newRow(reinforcement) << reinforcement;
    }
    void oneImageAloneGivesMvpALoss() {
        QFETCH(QString, reinforcement);
        MethodSetup setup = smallSetup("mvp");
        setup.method.of<MvpOptions>().reinforcement = reinforcement.toStdString();
        setup.method.of<MvpOptions>().gamma = 1.5;
        const auto method = makeMethod(setup);
        for (std::uint64_t seed = 0; seed < 60; ++seed)
            QVERIFY(std::isfinite(method->forward(noiseBatch(1, seed)).loss.item<double>()));
    }

    void mvpCountsInTrainingAlone() {
        const auto method = makeMethod(smallSetup("mvp"));
        const Tensor images = noiseImages(5, 1);
        method->logits(images, method->frozenFeatures(images));
        QCOMPARE(named(method->keptTensors(), "count").sum().item<double>(), 0.0);
        const UpdateResult result = method->update(noiseBatch(5, 1));
        for (std::int64_t k = 0; k < 3; ++k)
            QCOMPARE(named(method->keptTensors(), "count")[k].item<double>(),
                     static_cast<double>(std::count(result.selected.begin(), result.selected.end(), k)));
    }

    void aMaskHidesClassesFromMvpsLossAndNotOnlyFromItsAccuracy() {
        const auto method = makeMethod(smallSetup("mvp"));
        UpdateInput input = noiseBatch(6, 2);
        input.mask = seenMask(3, 4, at::kCPU);  // the units of the batch
        method->forward(input).loss.backward();
        const Tensor gradient = named(method->trainable(), "backbone.fc.weight").grad();
        QCOMPARE(gradient[3].abs().max().item<double>(), 0.0);
        QVERIFY(gradient[2].abs().max().item<double>() > 0);
    }

    void theMasksFormHoldsForAllOfMvpsLoss_data() {
        QTest::addColumn<QString>("reinforcement");
        for (const char* reinforcement : {"none", "batch", "sample"}) QTest::newRow(reinforcement) << reinforcement;
    }
    void theMasksFormHoldsForAllOfMvpsLoss() {
        QFETCH(QString, reinforcement);
        MethodSetup setup = smallSetup("mvp");
        setup.method.of<MvpOptions>().reinforcement = reinforcement.toStdString();
        const auto method = makeMethod(setup);
        UpdateInput input = noiseBatch(6, 2);
        input.mask = seenMask(3, 4, at::kCPU);
        const double additive = SlowMvp(setup, *method, input).loss();
        input.form = MaskForm::Multiplicative;
        const double expected = SlowMvp(setup, *method, input).loss();
        QVERIFY(std::abs(expected - additive) > 1e-2);
        QVERIFY(std::abs(method->forward(input).loss.item<double>() - expected) < 1e-4 * (1 + std::abs(expected)));
    }

    void l2pTakesTheNearestPromptsAndReadsTheMeanOfTheirOutputs() {
        MethodSetup setup = smallSetup("l2p");
        setup.method.of<PromptPoolOptions>().size = 4;
        setup.method.of<L2pOptions>().selected = 3;
        const auto method = makeMethod(setup);
        const UpdateInput input = noiseBatch(5, 3);
        const ForwardResult result = method->forward(input);
        const auto parameters = method->trainable();
        const Rows keys = rowsOf(named(parameters, "prompt.key")), queries = rowsOf(setup.vit->features(input.images));
        double pull = 0;
        for (std::size_t i = 0; i < queries.size(); ++i) {
            std::vector<std::int64_t> order(keys.size());
            std::iota(order.begin(), order.end(), 0);
            std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
                return distance(queries[i], keys[static_cast<std::size_t>(a)]) <
                       distance(queries[i], keys[static_cast<std::size_t>(b)]);
            });
            order.resize(3);
            QCOMPARE(indexVector(result.selected[static_cast<std::int64_t>(i)]), order);
            for (const std::int64_t k : order) pull += distance(queries[i], keys[static_cast<std::size_t>(k)]) / 15;

            const Tensor image = input.images.narrow(0, static_cast<std::int64_t>(i), 1);
            const Tensor own = setup.vit->embed(image);
            Tensor x = own.narrow(1, 0, 1);
            for (const std::int64_t k : order)
                x = at::cat({x, named(parameters, "prompt.prompts")[k].unsqueeze(0) + setup.vit->classPosition()}, 1);
            x = at::cat({x, own.narrow(1, 1, 16)}, 1);
            for (std::int64_t block = 0; block < 5; ++block) x = setup.vit->block(block, x);
            Tensor feature = at::zeros({1, 32});
            for (std::int64_t t = 1; t <= 6; ++t) feature = feature + setup.vit->finalNorm(x)[0][t] / 6;
            const Tensor logits =
                at::linear(feature, named(parameters, "backbone.fc.weight"), named(parameters, "backbone.fc.bias"));
            QVERIFY(largestDifference(logits[0], result.logits[static_cast<std::int64_t>(i)]) < 1e-5);
        }
        const double entropy = at::cross_entropy_loss(result.logits + input.mask, input.units).item<double>();
        QVERIFY(std::abs(result.loss.item<double>() - entropy - 0.5 * pull) < 1e-5);
    }

    void withoutItsKeyTermL2pLeavesKeysAlone() {
        MethodSetup setup = smallSetup("l2p");
        setup.method.of<L2pOptions>().key_weight = 0;
        const auto published = makeMethod(setup);
        setup.method.of<L2pOptions>().key_weight = 0.5;
        const auto corrected = makeMethod(setup);
        const Tensor before = named(published->trainable(), "prompt.key").clone();
        published->update(noiseBatch(6, 4));
        corrected->update(noiseBatch(6, 4));
        QVERIFY(before.equal(named(published->trainable(), "prompt.key")));
        QVERIFY(!before.equal(named(corrected->trainable(), "prompt.key")));
    }

    void l2pRefusesToTakeMorePromptsThanThereAre() {
        MethodSetup setup = smallSetup("l2p");
        setup.method.of<L2pOptions>().selected = 4;
        QVERIFY_EXCEPTION_THROWN(makeMethod(setup), Error);
    }

    void l2pSharesTheGeneralPromptOutAmongItsPool() {
        QTemporaryDir folder;
        const std::filesystem::path file = (folder.path() + "/prompts.safetensors").toStdString();
        MethodSetup setup = smallSetup("l2p");
        setup.method.of<PromptPoolOptions>().size = 4;
        setup.method.of<PromptOptions>().g_length = 3;
        writePrompts(file, counted({1, 6, 32}), counted({4, 6, 32}));
        setup.initial_session.prompts = file.string();
        const Tensor prompts = named(makeMethod(setup)->trainable(), "prompt.prompts");
        for (std::int64_t k = 0; k < 4; ++k)  // the first two get tokens 0 and 1, the last two tokens 3 and 4
            QVERIFY(prompts[k].equal(counted({6, 32}).narrow(0, k < 2 ? 0 : 3, 2)));
        setup.method.of<L2pOptions>().length = 4;
        QVERIFY_EXCEPTION_THROWN(makeMethod(setup), Error);
        setup.method.of<L2pOptions>().length = 3;  // as long as those of the file: nothing is dropped
        const Tensor whole = named(makeMethod(setup)->trainable(), "prompt.prompts");
        for (std::int64_t k = 0; k < 4; ++k) QVERIFY(whole[k].equal(counted({6, 32}).narrow(0, k < 2 ? 0 : 3, 3)));
        // Lengths that nobody gave are those of the file.
        setup.method.of<L2pOptions>().length = setup.method.of<PromptOptions>().g_length = 0;
        QVERIFY(named(makeMethod(setup)->trainable(), "prompt.prompts").equal(whole));
    }

    void mvpTakesBothInitialPromptsOrOneOfThem_data() {
        QTest::addColumn<QString>("loaded");
        for (const char* loaded : {"both", "general", "expert"}) QTest::newRow(loaded) << loaded;
    }
    void mvpTakesBothInitialPromptsOrOneOfThem() {
        QFETCH(QString, loaded);
        QTemporaryDir folder;
        const std::filesystem::path file = (folder.path() + "/prompts.safetensors").toStdString();
        writePrompts(file, counted({1, 4, 32}), counted({3, 6, 32}));
        MethodSetup setup = smallSetup("mvp");
        setup.initial_session.load = loaded.toStdString();
        setup.initial_session.prompts = file.string();
        const auto parameters = makeMethod(setup)->trainable();
        QCOMPARE(named(parameters, "g_prompts").equal(counted({1, 4, 32})), loaded != "expert");
        QCOMPARE(named(parameters, "e_prompts").equal(counted({3, 6, 32})), loaded != "general");
        QVERIFY(named(parameters, "key").abs().max().item<double>() < 10);  // keys are never copied
    }

    void trainableCountsOfThePapersAreReached() {
        // ViT-B/16, 200 classes: MVP 639,640; L2P 84,480 + 769 a class with MISA's length of 10, 100 classes: 161,380.
        const auto countOf = [](const MethodSetup& setup) {
            std::int64_t count = 0;
            const auto method = makeMethod(setup);
            for (const auto& entry : method->trainable()) count += entry.tensor.numel();
            return count;
        };
        MethodSetup setup = smallSetup("mvp", 200);
        setup.vit = std::make_shared<Vit>(VitShape{32, 16, 3, 768, 5, 12, 4});
        setup.method.of<PromptPoolOptions>().size = setup.method.of<PromptOptions>().g_length = 10;
        setup.method.of<PromptOptions>().e_length = 20;
        QCOMPARE(countOf(setup), std::int64_t{639'640});
        setup.method.name = "l2p";
        setup.classes = 100;
        setup.method.of<L2pOptions>().length = 10;
        setup.method.of<L2pOptions>().selected = 5;
        QCOMPARE(countOf(setup), std::int64_t{161'380});
    }
};

PALIMPSEST_APPLESS_TEST(TestL2pMvp)

}  // namespace tst_l2p_mvp

#include "tst_l2p_mvp.moc"
