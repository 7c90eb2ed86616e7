// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/method_options/block_prompt_options.h"
#include "engine/method_options/head_method_options.h"
#include "engine/support/error.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_fly_prompt {

namespace {

constexpr std::int64_t kExperts = 3;

MethodSetup flySetup(const std::string& ensemble = "max") {
    MethodSetup setup = smallSetup("fly-prompt");
    setup.method.of<FlyPromptOptions>().experts = kExperts;
    setup.method.of<FlyPromptOptions>().ensemble = ensemble;
    setup.stream_samples = 30;  // ten samples an expert
    return setup;
}

/// One complete batch, as in the loop.
UpdateResult learn(Method& method, std::int64_t count, std::uint64_t seed, int updates = 1) {
    const UpdateInput input = noiseBatch(count, seed);
    const std::vector<std::int64_t> units = indexVector(input.units);
    method.beginBatch({units, units, [&](const auto& samples) { return ShownImages{input.images, samples}; }});
    UpdateResult last;
    for (int u = 0; u < updates; ++u) last = method.update(input);
    method.endBatch();
    return last;
}

/// The feature of one image under expert e.
Tensor featureOf(const Vit& vit, const Method& method, const Tensor& image, std::int64_t expert) {
    const Tensor prompts = named(method.trainable(), "prompts");
    std::vector<Tensor> there;
    for (std::int64_t i = 0; i < prompts.size(0); ++i)
        there.push_back((prompts[i][expert] + vit.classPosition()[0]).unsqueeze(0));
    return appendedFeature(vit, image, there)[0];
}

std::vector<double> softmax(const Tensor& logits) {
    std::vector<double> values;
    double sum = 0;
    for (std::int64_t c = 0; c < logits.size(0); ++c) {
        values.push_back(std::exp(logits[c].item<double>()));
        sum += values.back();
    }
    for (double& value : values) value /= sum;
    return values;
}

double entropy(const std::vector<double>& shares) {
    double sum = 0;
    for (const double p : shares) sum -= p > 0 ? p * std::log(p) : 0;
    return sum;
}

}  // namespace

class TestFlyPrompt : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void expertsTakeTurnsAfterTheSameNumberOfSamples() {
        const auto method = makeMethod(flySetup());
        const std::vector<std::int64_t> batches{4, 4, 4, 4, 4, 4, 4, 4}, expected{0, 0, 0, 1, 1, 2, 2, 2};
        for (std::size_t i = 0; i < batches.size(); ++i) {
            const UpdateResult result = learn(*method, batches[i], i);
            for (const std::int64_t expert : result.selected) QCOMPARE(expert, expected[i]);
        }
    }

    void aNewExpertStartsFromTheMeanOfTheEarlierOnes() {
        const auto method = makeMethod(flySetup());
        learn(*method, 10, 1);
        learn(*method, 10, 2);
        const Tensor prompts = named(method->trainable(), "prompts");
        QVERIFY(largestDifference(prompts.select(1, 2), (prompts.select(1, 0) + prompts.select(1, 1)) / 2) < 1e-6);
        for (const char* slow : {"slow0.", "slow1."}) {
            QVERIFY(named(method->keptTensors(), std::string(slow) + "weight")[2].equal(
                named(method->trainable(), "fc.weight")));
            QVERIFY(named(method->keptTensors(), std::string(slow) + "bias")[2].equal(
                named(method->trainable(), "fc.bias")));
        }
    }

    void everyExpertLearnsInItsTurn() {
        const auto method = makeMethod(flySetup());
        for (std::int64_t expert = 0; expert < kExperts; ++expert) {
            const Tensor before = named(method->trainable(), "prompts").detach().clone();
            learn(*method, 5, static_cast<std::uint64_t>(expert));  // half of its samples
            const Tensor after = named(method->trainable(), "prompts");
            QVERIFY(after.is_leaf() && after.requires_grad());
            QVERIFY(!after.select(1, expert).equal(before.select(1, expert)));
            for (std::int64_t later = expert + 1; later < kExperts; ++later)
                QVERIFY(after.select(1, later).equal(before.select(1, later)));
            for (const auto& [name, tensor] : method->keptTensors()) QVERIFY2(!tensor.requires_grad(), name.c_str());
            learn(*method, 5, 10);
        }
    }

    void aStreamOfOneImageAnExpertStillChangesThem() {
        MethodSetup setup = flySetup();
        setup.stream_samples = kExperts;
        const auto method = makeMethod(setup);
        QCOMPARE(learn(*method, 1, 1).selected, (std::vector<std::int64_t>{0}));
        QCOMPARE(learn(*method, 1, 2).selected, (std::vector<std::int64_t>{1}));
    }

    void moreExpertsThanImagesAreRefused() {
        MethodSetup setup = flySetup();
        setup.stream_samples = kExperts - 1;
        try {
            makeMethod(setup);
            QFAIL("It was taken.");
        } catch (const Error& error) {
            QVERIFY(error.kind() == ErrorKind::Input);
            QCOMPARE(error.sentence(), "method.fly_experts is " + std::to_string(kExperts) +
                                           ", but the stream has only " + std::to_string(kExperts - 1) +
                                           " images, so some experts would learn from none. Set method.fly_experts "
                                           "to at most " +
                                           std::to_string(kExperts - 1) + ".");
        }
    }

    void slowHeadsAreMovingAveragesOfTheHead() {
        const auto method = makeMethod(flySetup());
        Tensor fast = named(method->trainable(), "fc.weight").detach().clone(), slow = fast.clone();
        for (std::uint64_t step = 0; step < 4; ++step) {
            method->update(noiseBatch(4, step));
            const Tensor now = named(method->trainable(), "fc.weight").detach();
            fast = 0.9 * fast + 0.1 * now;
            slow = 0.99 * slow + 0.01 * now;
        }
        QVERIFY(largestDifference(fast, named(method->keptTensors(), "slow0.weight")[0]) < 1e-6);
        QVERIFY(largestDifference(slow, named(method->keptTensors(), "slow1.weight")[0]) < 1e-6);
        QVERIFY(largestDifference(fast, slow) > 1e-4);
    }

    void theRouterIsToldTheExpertOfTheDayOnceABatch() {
        const auto method = makeMethod(flySetup());
        learn(*method, 6, 1, 3);
        learn(*method, 6, 2, 3);
        learn(*method, 6, 3, 3);
        const Tensor counts = named(method->keptTensors(), "router.n");
        QCOMPARE(counts[0].item<double>(), 12.0);
        QCOMPARE(counts[1].item<double>(), 6.0);
        const Tensor g = named(method->keptTensors(), "router.G");
        QVERIFY(largestDifference(g, g.t()) < 1e-9);
    }

    /// There are more features than images and hardly any regularisation: the regression recognises every image.
    void imagesGoToTheExpertWhoLearnedThem() {
        MethodSetup setup = flySetup();
        setup.method.of<RandomFeatureOptions>().count = 200;
        setup.method.of<FlyPromptOptions>().ridge = 1e-6;
        const auto method = makeMethod(setup);
        learn(*method, 10, 1);
        learn(*method, 10, 2);
        learn(*method, 10, 3);
        method->beginEvaluation({});
        for (std::int64_t expert = 0; expert < kExperts; ++expert) {
            const Tensor images = noiseImages(10, static_cast<std::uint64_t>(expert + 1));
            method->logits(images, method->frozenFeatures(images));
            const auto routes = method->lastSelection();
            const auto right = std::count(routes.begin(), routes.end(), expert);
            QVERIFY2(right >= 8, qPrintable(QString("%1 of 10 for expert %2").arg(right).arg(expert)));
        }
    }

    void theHeadsDecideTogether_data() {
        QTest::addColumn<QString>("ensemble");
        for (const char* ensemble : {"max", "mean", "entropy", "online"}) QTest::newRow(ensemble) << ensemble;
    }
    void theHeadsDecideTogether() {
        QFETCH(QString, ensemble);
        MethodSetup setup = flySetup(ensemble.toStdString());
        setup.learning_rate = 0.05;
        const auto method = makeMethod(setup);
        for (std::uint64_t step = 0; step < 5; ++step) learn(*method, 6, step);
        NoGradGuard guard;
        const Tensor mask = seenMask(3, 4, at::kCPU), images = noiseImages(4, 7);
        method->beginEvaluation(mask);
        const Tensor logits = method->logits(images, method->frozenFeatures(images)) + mask;
        const auto routes = method->lastSelection();
        QCOMPARE(method->lastAgreement().defined(), ensemble != "online");
        for (std::int64_t i = 0; i < 4; ++i) {
            const std::int64_t e = routes[static_cast<std::size_t>(i)];
            const Tensor feature = featureOf(*setup.vit, *method, images.narrow(0, i, 1), e);
            std::vector<std::vector<double>> heads;
            heads.push_back(softmax(
                at::linear(feature, named(method->trainable(), "fc.weight"), named(method->trainable(), "fc.bias")) +
                mask));
            for (const std::string slow : {"slow0.", "slow1."})
                heads.push_back(softmax(at::linear(feature, named(method->keptTensors(), slow + "weight")[e],
                                                   named(method->keptTensors(), slow + "bias")[e]) +
                                        mask));
            std::set<std::ptrdiff_t> guesses;
            for (const auto& head : heads) guesses.insert(std::ranges::max_element(head) - head.begin());
            if (ensemble != "online") QCOMPARE(method->lastAgreement()[i].item<bool>(), guesses.size() == 1);
            std::vector<double> expected = heads[0];
            for (const auto& head : heads)
                if (ensemble == "entropy" && entropy(head) < entropy(expected)) expected = head;
            for (std::size_t c = 0; c < 3; ++c) {
                if (ensemble == "max") expected[c] = std::max({heads[0][c], heads[1][c], heads[2][c]});
                if (ensemble == "mean") expected[c] = (heads[0][c] + heads[1][c] + heads[2][c]) / 3;
            }
            const auto got = softmax(logits[i]);  // of logarithms: the values, made to add up to 1
            const double sum = expected[0] + expected[1] + expected[2];
            for (std::size_t c = 0; c < 3; ++c) QVERIFY(std::abs(got[c] - expected[c] / sum) < 1e-4);
            QCOMPARE(got[3], 0.0);
        }
    }

    void withoutTheStreamsLengthOneExpertLearns() {
        MethodSetup setup = flySetup();
        setup.stream_samples = 0;
        const auto method = makeMethod(setup);
        UpdateResult result;
        for (std::uint64_t step = 0; step < 4; ++step) result = learn(*method, 10, step);
        QCOMPARE(result.selected.front(), std::int64_t{0});
    }

    void trainableCountOfThePaperIsReached() {
        MethodSetup setup = flySetup();
        setup.vit = std::make_shared<Vit>(VitShape{32, 16, 3, 768, 5, 12, 4});
        setup.classes = 100;
        setup.method.of<FlyPromptOptions>().experts = 5;
        setup.method.of<BlockPromptOptions>().length = 20;
        std::int64_t count = 0;
        const auto method = makeMethod(setup);
        for (const auto& entry : method->trainable()) count += entry.tensor.numel();
        QCOMPARE(count, std::int64_t{384'000 + 76'900});
    }

    void anUnknownEnsembleIsRefused() { QVERIFY_EXCEPTION_THROWN(makeMethod(flySetup("loudest")), Error); }
};

PALIMPSEST_APPLESS_TEST(TestFlyPrompt)

}  // namespace tst_fly_prompt

#include "tst_fly_prompt.moc"
