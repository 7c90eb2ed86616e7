// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/data/cutmix.h"
#include "engine/method/linear_head.h"
#include "engine/method_options/prompt_options.h"
#include "engine/network/compute.h"
#include "engine/optim/output_units.h"
#include "engine/train/online_loop.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_cutmix {

namespace {

/// Images of which image i has the value i everywhere.
Tensor numberedImages(std::int64_t count, std::int64_t height, std::int64_t width) {
    return at::arange(0, count, at::kFloat).reshape({count, 1, 1, 1}).expand({count, 3, height, width}).contiguous();
}

MethodSetup setupOf(const std::string& name) {
    prepareCompute("cpu", "float32", 1);
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(VitShape{16, 4, 3, 32, 5, 2, 2});
    setup.vit->initialise(Random(1));
    setup.classes = 4;
    setup.method.name = name;
    setup.method.of<DualPromptOptions>().selection = "full-pool";
    setup.method.of<PromptPoolOptions>().size = 3;
    setup.method.of<PromptOptions>().g_length = 2;
    setup.method.of<PromptOptions>().e_length = 2;
    setup.initial_session.prompts = "none";
    setup.optimizer = "adam";
    setup.learning_rate = 5e-3;
    return setup;
}

/// A method that records its input.
class Listening : public Method {
public:
    std::vector<UpdateInput> given;
    ForwardResult forward(const UpdateInput&) override { return {}; }
    UpdateResult update(const UpdateInput& input) override {
        given.push_back(input);
        return {};
    }
    bool takesMixedImages() const override { return true; }
    Tensor logits(const Tensor&, const Tensor&) override { return {}; }
    bool usesFrozenFeatures() const override { return false; }
    bool needsImages() const override { return true; }
    Tensor frozenFeatures(const Tensor&) override { return {}; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return {}; }
};

}  // namespace

class TestCutMix : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theBoxHasTheShareThatIsNotLambda_data() {
        QTest::addColumn<double>("lambda");
        QTest::addColumn<int>("side");  // of the box, if no edge clips it
        QTest::newRow("all") << 0.0 << 32;
        QTest::newRow("a quarter") << 0.75 << 16;
        QTest::newRow("cut to whole pixels") << 0.5 << 22;           // 32 / sqrt(2) = 22.6
        QTest::newRow("the same half to either side") << 0.9 << 10;  // 32 * sqrt(0.1) = 10.1
        QTest::newRow("next to nothing") << 0.9999 << 0;
    }
    void theBoxHasTheShareThatIsNotLambda() {
        QFETCH(double, lambda);
        QFETCH(int, side);
        std::int64_t largest = 0;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            Random random(seed), centre(seed);
            const CutBox box = cutBox(32, 32, lambda, random);
            const auto x = static_cast<std::int64_t>(centre.below(32)), y = static_cast<std::int64_t>(centre.below(32));
            QCOMPARE(box.left, std::max<std::int64_t>(0, x - side / 2));
            QCOMPARE(box.right, std::min<std::int64_t>(32, x + side / 2));
            QCOMPARE(box.top, std::max<std::int64_t>(0, y - side / 2));
            QCOMPARE(box.bottom, std::min<std::int64_t>(32, y + side / 2));
            largest = std::max(largest, box.area());
        }
        QVERIFY(largest <= side * side);
        QVERIFY(side > 16 || largest == side * side);
    }

    void sidesFollowTheImage() {
        Random random(2);
        const CutBox box = cutBox(100, 20, 0.0, random);
        QVERIFY(box.bottom - box.top <= 100 && box.bottom - box.top >= 50);
        QVERIFY(box.right - box.left <= 20 && box.right - box.left >= 10);
    }

    void lambdaIsTheShareThatIsStillTheImagesOwn() {
        const Tensor images = numberedImages(5, 16, 24);
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            Random random(seed);
            const CutMix mix = cutMixed(images, random);
            for (std::int64_t i = 0; i < 5; ++i) {
                const auto other = mix.permutation[i].item<std::int64_t>();
                if (other == i) {
                    QVERIFY(mix.images[i].equal(images[i]));
                    continue;
                }
                const auto own = (mix.images[i][0] == i).sum().item<std::int64_t>();
                const auto others = (mix.images[i][0] == other).sum().item<std::int64_t>();
                QCOMPARE(own + others, std::int64_t{16 * 24});
                QCOMPARE(mix.lambda, static_cast<double>(own) / (16 * 24));
                QVERIFY(mix.images[i][1].equal(mix.images[i][0]) && mix.images[i][2].equal(mix.images[i][0]));
            }
        }
    }

    void theBoxComesFromTheImagesAsTheyWere() {
        // If boxes were copied in place, a later image would show a box of an already mixed one.
        const Tensor images = numberedImages(4, 8, 8), copy = images.clone();
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            Random random(seed);
            const CutMix mix = cutMixed(images, random);
            QVERIFY(images.equal(copy));
            QVERIFY(
                at::where(mix.images == images, mix.images, images.index_select(0, mix.permutation)).equal(mix.images));
        }
    }

    void eachImageMayHaveABoxOfItsOwn() {
        const Tensor images = numberedImages(5, 16, 24), copy = images.clone();
        int unlike = 0;
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            Random random(seed), draws(seed);
            const CutMix mix = cutMixedEach(images, random);
            std::vector<std::int64_t> order = {0, 1, 2, 3, 4};
            draws.shuffle(order);
            QCOMPARE(indexVector(mix.permutation), order);
            for (std::int64_t i = 0; i < 5; ++i) {
                const double lambda = draws.uniform();
                const CutBox box = cutBox(16, 24, lambda, draws);
                Tensor expected = images[i].clone();
                expected.slice(1, box.top, box.bottom)
                    .slice(2, box.left, box.right)
                    .fill_(static_cast<double>(order[static_cast<std::size_t>(i)]));
                QVERIFY(mix.images[i].equal(expected));
                const double share = 1 - static_cast<double>(box.area()) / (16 * 24);
                QVERIFY(std::abs(mix.shares[i].item<double>() - share) < 1e-6);
            }
            QCOMPARE(random.state(), draws.state());
            unlike += (mix.shares != mix.shares[0]).any().item<bool>();
        }
        QVERIFY(unlike > 40);
        QVERIFY(images.equal(copy));
    }

    void lambdaIsSpreadOverAllShares() {
        const Tensor images = numberedImages(2, 32, 32);
        double sum = 0, least = 1, most = 0;
        for (std::uint64_t seed = 0; seed < 4000; ++seed) {
            Random random(seed);
            const double lambda = cutMixed(images, random).lambda;
            sum += lambda;
            least = std::min(least, lambda);
            most = std::max(most, lambda);
        }
        QVERIFY(least >= 0 && least < 0.2);
        QVERIFY(most <= 1 && most > 0.99);
        // The box covers half the area on average, minus the parts clipped at edges: its mean is E[(s (1 - s / 4))^2] =
        // 1/2 - 1/5 + 1/48.
        QVERIFY2(std::abs(sum / 4000 - (1 - 0.3208)) < 0.03, qPrintable(QString::number(sum / 4000)));
    }

    void theSameDrawsMakeTheSameMix() {
        const Tensor images = at::arange(0, 4 * 3 * 64, at::kFloat).reshape({4, 3, 8, 8});
        Random a(5), b(5);
        const CutMix first = cutMixed(images, a), second = cutMixed(images, b);
        QVERIFY(first.images.equal(second.images) && first.permutation.equal(second.permutation));
        QCOMPARE(first.lambda, second.lambda);
        QCOMPARE(a.state(), b.state());
    }

    void bothUnitsCountInTheLoss() {
        const Tensor logits = at::tensor(std::vector<float>{2, 0, 1, 0, 3, 1}).reshape({2, 3});
        UpdateInput input;
        input.units = at::tensor(std::vector<std::int64_t>{0, 1});
        input.mask = seenMask(3, 3, at::kCPU);
        const double own = plainForward(logits, input).loss.item<double>();
        UpdateInput other = input;
        other.units = input.units.flip({0});
        const double others = plainForward(logits, other).loss.item<double>();
        input.mix = {other.units, 0.25};
        const ForwardResult mixed = plainForward(logits, input);
        QVERIFY(std::abs(mixed.loss.item<double>() - (0.25 * own + 0.75 * others)) < 1e-6);
        QCOMPARE(mixed.accuracy.item<double>(), 1.0);
    }

    void eachImageCountsByItsOwnShare() {
        const Tensor logits = at::tensor(std::vector<float>{2, 0, 1, 0, 3, 1}).reshape({2, 3});
        const auto lossOf = [&](std::int64_t row, std::int64_t unit) {
            return -at::log_softmax(logits[row], 0)[unit].item<double>();
        };
        UpdateInput input;
        input.units = at::tensor(std::vector<std::int64_t>{0, 1});
        input.mask = seenMask(3, 3, at::kCPU);
        input.mix = {input.units.flip({0}), 1, at::tensor(std::vector<float>{0.25F, 0.75F})};
        const double expected =
            (0.25 * lossOf(0, 0) + 0.75 * lossOf(0, 1) + 0.75 * lossOf(1, 1) + 0.25 * lossOf(1, 0)) / 2;
        QVERIFY(std::abs(plainForward(logits, input).loss.item<double>() - expected) < 1e-6);
        // Equal shares are the same as one lambda.
        input.mix->shares = at::full({2}, 0.25);
        const double each = plainForward(logits, input).loss.item<double>();
        input.mix = {input.mix->units, 0.25};
        QVERIFY(std::abs(plainForward(logits, input).loss.item<double>() - each) < 1e-6);
    }

    void halfOfTheUpdatesAreMixed() {
        Listening method;
        MaskPolicy policy(MaskKind::Seen, 4);
        const StepUnits units{{0, 1, 2}, {3}};
        const Tensor images = numberedImages(4, 8, 8);
        constexpr int kUpdates = 400;
        for (std::uint64_t update = 0; update < kUpdates; ++update)
            learnUpdate(method, policy, 4, units, images, Random(1, 9, 1, update));
        int mixed = 0;
        for (const UpdateInput& input : method.given) {
            QCOMPARE(indexVector(input.units), (std::vector<std::int64_t>{0, 1, 2, 3}));
            if (!input.mix) {
                QVERIFY(input.images.equal(images));
                continue;
            }
            ++mixed;
            QVERIFY(!input.mix->shares.defined());
            // Unit i belongs to image i, so the other unit identifies the image that the box comes from.
            const Tensor others = images.index_select(0, input.mix->units);
            const Tensor share = (input.images == images).to(at::kDouble).mean({1, 2, 3});
            QVERIFY(at::where(input.images == images, images, others).equal(input.images));
            for (std::int64_t i = 0; i < 4; ++i)
                if (input.mix->units[i].item<std::int64_t>() != i) QCOMPARE(share[i].item<double>(), input.mix->lambda);
        }
        QVERIFY2(std::abs(mixed - kUpdates / 2) < 50, qPrintable(QString::number(mixed)));  // 5 standard deviations
        method.given.clear();
        for (std::uint64_t update = 0; update < 40; ++update)
            learnUpdate(method, policy, 4, units, images, Random(1, 9, 1, update), true);
        int each = 0;
        for (const UpdateInput& input : method.given)
            if (input.mix) {
                ++each;
                QCOMPARE(input.mix->shares.sizes().vec(), (std::vector<std::int64_t>{4}));
            }
        QVERIFY(each > 5 && each < 35);
        method.given.clear();
        learnUpdate(method, policy, 4, units, images);
        QVERIFY(!method.given.front().mix);
    }

    void methodsSayWhetherTheyTakeMixedImages_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("expected");
        QTest::newRow("fine-tuning") << "finetune" << true;
        QTest::newRow("linear probe") << "linear-probe" << true;
        QTest::newRow("DualPrompt") << "dualprompt" << false;
        for (const char* name : {"er", "rainbow-memory", "clib", "ewcpp", "online-ewc"})
            QTest::newRow(name) << name << true;
        for (const char* name : {"er-ace", "derpp", "lwf"}) QTest::newRow(name) << name << false;
    }
    void methodsSayWhetherTheyTakeMixedImages() {
        QFETCH(QString, name);
        QFETCH(bool, expected);
        QCOMPARE(makeMethod(setupOf(name.toStdString()))->takesMixedImages(), expected);
    }

    void mixedImagesAreLearnedFrom() {
        for (const char* name : {"finetune", "linear-probe"}) {
            const auto method = makeMethod(setupOf(name));
            MaskPolicy policy(MaskKind::Seen, 4);
            const StepUnits units{{0, 1, 0, 1}, {}};
            const Tensor images = numberedImages(4, 16, 16).remainder(2) * 2 - 1;
            double first = 0, last = 0;
            for (std::uint64_t update = 0; update < 60; ++update) {
                const double loss = learnUpdate(*method, policy, 2, units, images, Random(1, 9, 1, update)).first.loss;
                QVERIFY(std::isfinite(loss));
                if (update < 10) first += loss;
                if (update >= 50) last += loss;
            }
            QVERIFY2(last < first, name);
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestCutMix)

}  // namespace tst_cutmix

#include "tst_cutmix.moc"
