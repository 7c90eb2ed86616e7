// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/hard_buffer.h"
#include "engine/method/low_rank_changes.h"
#include "engine/method/plateau_detector.h"
#include "engine/method_options/online_lora_options.h"
#include "engine/support/error.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_online_lora {

namespace {

constexpr std::int64_t kClasses = 6;

/// Plain gradient descent; rate 0 leaves everything where it is.
MethodSetup setupOf(double rate = 0.1) {
    MethodSetup setup = smallSetup("online-lora", kClasses);
    setup.exact_optimizer = OptimizerSettings{.kind = OptimizerSettings::Kind::Sgd, .learning_rate = rate};
    OnlineLoraOptions& options = setup.method.of<OnlineLoraOptions>();
    options.rank = 2;
    options.hard_images = 3;
    options.window = 2;
    // Any two losses are a plateau, and so is none.
    options.plateau_mean = options.plateau_variance = 1000;
    return setup;
}

OnlineLoraOptions& optionsOf(MethodSetup& setup) {
    return setup.method.of<OnlineLoraOptions>();
}

UpdateInput inputOf(std::uint64_t seed, std::int64_t count = 4) {
    UpdateInput input = noiseBatch(count, seed, kClasses);
    for (std::int64_t i = 0; i < count; ++i) input.samples.push_back(static_cast<std::int64_t>(seed) * 100 + i);
    return input;
}

/// An update that is the first of its batch.
UpdateResult learnBatch(Method& method, const UpdateInput& input) {
    const std::vector<std::int64_t> units = indexVector(input.units);
    method.beginBatch({input.samples, units, [](const std::vector<std::int64_t>&) { return ShownImages{}; }});
    UpdateResult result = method.update(input);
    method.endBatch();
    return result;
}

Tensor logitsOf(Method& method, const Tensor& images) {
    NoGradGuard guard;
    return method.logits(images, {});
}

/// As many uniform values as these factors have, up to `most` and above -`most`.
std::vector<Tensor> drawnLike(const std::vector<NamedTensor>& factors, std::uint64_t seed, double most) {
    NoGradGuard guard;
    Random random(seed);
    std::vector<Tensor> all;
    for (const auto& [name, factor] : factors)
        fillUniform(all.emplace_back(at::zeros_like(factor)), random, -most, most);
    return all;
}

/// Moves every factor that learns away from where it begins, where half of them are 0.
void stir(Method& method, std::uint64_t seed) {
    NoGradGuard guard;
    const std::vector<Tensor> drawn = drawnLike(method.trainedBackbone(), seed, 0.2);
    for (std::size_t i = 0; i < drawn.size(); ++i) Tensor(method.trainedBackbone()[i].tensor).add_(drawn[i]);
}

void drawFactors(const LowRankChanges& changes, std::uint64_t seed, double most) {
    NoGradGuard guard;
    const std::vector<Tensor> drawn = drawnLike(changes.learning(), seed, most);
    for (std::size_t i = 0; i < drawn.size(); ++i) Tensor(changes.learning()[i].tensor).copy_(drawn[i]);
}

Vit frozenVit() {
    prepareCompute("cpu", "float32", 1);
    Vit vit({16, 4, 3, 32, 2, 2, 2});
    vit.initialise(Random(1));
    vit.setTrainable(false);
    return vit;
}

/// -log softmax(z + mask)_unit of one image, number by number.
double slowLoss(const Tensor& logits, std::int64_t unit, const Tensor& mask) {
    double all = 0;
    for (std::int64_t c = 0; c < logits.numel(); ++c)
        all += std::exp(logits[c].item<double>() + mask[c].item<double>());
    return std::log(all) - logits[unit].item<double>();
}

void near(double got, double expected, double bound = 1e-5) {
    QVERIFY2(std::abs(got - expected) <= bound * std::max(1.0, std::abs(expected)),
             qPrintable(QString("%1 for %2").arg(got).arg(expected)));
}

double part(const UpdateResult& result, const std::string& name) {
    for (const auto& [known, value] : result.parts)
        if (known == name) return value;
    return -1;
}

HardBuffer::Entry entry(std::int64_t sample, double loss) {
    return {at::full({1, 1, 1, 1}, static_cast<double>(sample)), at::tensor({sample}, at::kLong), sample, loss};
}

std::vector<std::int64_t> samplesOf(const HardBuffer& buffer) {
    std::vector<std::int64_t> samples;
    for (const HardBuffer::Entry& each : buffer.entries()) samples.push_back(each.sample);
    return samples;
}

}  // namespace

class TestOnlineLora : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void changesOfLowRankAreChangesOfTheMatrix() {
        prepareCompute("cpu", "float32", 1);
        const VitShape shape{16, 4, 3, 32, 3, 2, 2};
        Vit vit(shape), other(shape);
        vit.initialise(Random(1));
        other.load(vit.parameters(), "the other one");
        vit.setTrainable(false);
        Random random(2);
        std::vector<LowRank> changes;
        for (std::int64_t i = 0; i < shape.depth; ++i) {
            LowRank change{at::zeros({3, 32}), at::zeros({96, 3})};
            fillUniform(change.down, random, -0.3, 0.3);
            fillUniform(change.up, random, -0.3, 0.3);
            const std::string name = "blocks." + std::to_string(i) + ".attn.qkv.weight";
            Tensor(named(other.parameters(), name)).add_(at::matmul(change.up, change.down));
            change.down.requires_grad_(true);
            change.up.requires_grad_(true);
            changes.push_back(change);
        }
        other.setTrainable(true);
        const Tensor images = noiseImages(3, 5);
        const Tensor plain = vit.features(images), changed = vit.features(images, {}, changes);
        const Tensor expected = other.features(images);
        QVERIFY(largestDifference(changed, expected) < 1e-5);
        QVERIFY(largestDifference(changed, plain) > 1e-2);
        // The gradient of a matrix G gives up^T G and G down^T.
        changed.square().sum().backward();
        expected.square().sum().backward();
        for (std::size_t i = 0; i < changes.size(); ++i) {
            const Tensor slope = named(other.parameters(), "blocks." + std::to_string(i) + ".attn.qkv.weight").grad();
            // Sums of 96 rounded terms, in whatever order a LibTorch takes them.
            const double size = 10 * slope.abs().max().item<double>();
            QVERIFY(largestDifference(changes[i].down.grad(), at::matmul(changes[i].up.t(), slope)) < 1e-4 * size);
            QVERIFY(largestDifference(changes[i].up.grad(), at::matmul(slope, changes[i].down.t())) < 1e-4 * size);
        }
    }

    void changesBeginAsNoneAndAreDrawnAnew() {
        Vit vit = frozenVit();
        LowRankChanges changes(vit, 2, LowRankChanges::Merge::Products, 7);
        const Tensor images = noiseImages(2, 5);
        const auto features = [&] {
            NoGradGuard guard;
            return vit.features(images, {}, changes.changes());
        };
        const Tensor plain = [&] {
            NoGradGuard guard;
            return vit.features(images);
        }();
        QVERIFY(largestDifference(features(), plain) < 1e-5);
        const Tensor first = changes.learning()[0].tensor.detach().clone();
        QVERIFY(first.abs().max().item<double>() <= 1 / std::sqrt(32.0));
        changes.merge();
        QVERIFY(!changes.learning()[0].tensor.equal(first));
        QVERIFY(changes.learning()[1].tensor.eq(0).all().item<bool>());
        QCOMPARE(changes.keptRank(), std::int64_t{2});
    }

    void productsKeepWhatWasLearnedAndFactorsDoNot_data() {
        QTest::addColumn<QString>("merge");
        QTest::newRow("products") << "products";
        QTest::newRow("factors") << "factors";
    }
    void productsKeepWhatWasLearnedAndFactorsDoNot() {
        QFETCH(QString, merge);
        Vit vit = frozenVit();
        const bool products = merge == "products";
        LowRankChanges changes(vit, 2, products ? LowRankChanges::Merge::Products : LowRankChanges::Merge::Factors, 7);
        const Tensor images = noiseImages(2, 5);
        Tensor sum_a = at::zeros({2, 2, 32}), sum_b = at::zeros({2, 32, 2}), sum = at::zeros({2, 32, 32});
        for (std::uint64_t turn = 0; turn < 3; ++turn) {
            NoGradGuard guard;
            drawFactors(changes, turn, 0.3);
            const Tensor a = changes.learning()[0].tensor, b = changes.learning()[1].tensor;
            sum_a = sum_a + a;
            sum_b = sum_b + b;
            sum = sum + at::bmm(b, a);
            const Tensor before = vit.features(images, {}, changes.changes());
            changes.merge();
            const double jump = largestDifference(vit.features(images, {}, changes.changes()), before);
            if (products || turn == 0)
                QVERIFY2(jump < 1e-5, qPrintable(QString::number(jump)));
            else
                QVERIFY2(jump > 1e-3, qPrintable(QString::number(jump)));
            // What the first block's matrix has become: queries, then keys, which nothing changes, then values.
            const LowRank change = changes.changes().front();
            const Tensor whole = at::matmul(change.up, change.down);
            const Tensor expected = products ? sum : at::bmm(sum_b, sum_a);
            QVERIFY(largestDifference(whole.narrow(0, 0, 32), expected[0]) < 1e-5);
            QVERIFY(whole.narrow(0, 32, 32).eq(0).all().item<bool>());
            QVERIFY(largestDifference(whole.narrow(0, 64, 32), expected[1]) < 1e-5);
        }
        QCOMPARE(changes.keptRank(), std::int64_t{products ? 6 : 2});
    }

    void whatIsKeptGrowsNoFurtherThanAMatrix() {
        Vit vit = frozenVit(), other = frozenVit();
        LowRankChanges changes(vit, 2, LowRankChanges::Merge::Products, 7);
        const Tensor images = noiseImages(2, 5);
        std::vector<Tensor> sums(2, at::zeros({2, 32, 32}, at::kDouble));
        std::size_t largest = 0;
        NoGradGuard guard;
        for (std::uint64_t turn = 0; turn < 30; ++turn) {
            drawFactors(changes, turn, 0.1);
            for (std::size_t block = 0; block < 2; ++block)
                sums[block] = sums[block] + at::bmm(changes.learning()[2 * block + 1].tensor.to(at::kDouble),
                                                    changes.learning()[2 * block].tensor.to(at::kDouble));
            const Tensor before = vit.features(images, {}, changes.changes());
            changes.merge();
            const double jump = largestDifference(vit.features(images, {}, changes.changes()), before);
            QVERIFY2(jump < 1e-4, qPrintable(QString("%1 at %2").arg(jump).arg(turn)));
            QVERIFY(changes.keptRank() <= 32);
            StateArchive saved;
            changes.keep(saved);
            std::size_t bytes = 0;
            for (const auto& [name, tensor] : saved.tensors()) bytes += tensor.nbytes();
            largest = std::max(largest, bytes);
            // The changes are those of the matrices themselves, as often as they were merged, and after a restart.
            LowRankChanges resumed(vit, 2, LowRankChanges::Merge::Products, 7);
            StateArchive restored(saved.tensors(), at::kCPU);
            resumed.keep(restored);
            for (std::size_t i = 0; i < 4; ++i)
                Tensor(resumed.learning()[i].tensor).copy_(changes.learning()[i].tensor);
            QVERIFY(vit.features(images, {}, resumed.changes()).equal(vit.features(images, {}, changes.changes())));
        }
        QVERIFY2(largest < 2 * 3 * 32 * 32 * sizeof(float) + 1000, qPrintable(QString::number(largest)));
        for (std::size_t block = 0; block < 2; ++block) {
            Tensor weight = named(other.parameters(), "blocks." + std::to_string(block) + ".attn.qkv.weight");
            for (const std::int64_t part : {0, 2}) weight.narrow(0, 32 * part, 32).add_(sums[block][part / 2]);
        }
        drawFactors(changes, 99, 0);
        const Tensor expected = other.features(images);
        QVERIFY(largestDifference(vit.features(images, {}, changes.changes()), expected) < 1e-4);
        QVERIFY(largestDifference(vit.features(images), expected) > 1e-2);
    }

    void aPlateauIsWhereMeanAndVarianceAreSmallAndTheLossHasRisenSince() {
        PlateauDetector detector({3, 2, 0.1});
        const auto add = [&](double loss) { return detector.add(loss).has_value(); };
        QVERIFY(!add(1.5) && !add(1.5));  // not three yet
        const auto first = detector.add(1.2);
        QVERIFY(first.has_value());
        near(first->mean, 1.4, 1e-12);
        near(first->variance, 0.02, 1e-12);
        for (int i = 0; i < 10; ++i) QVERIFY(!add(1.2));  // no new one before it has risen
        // Not by as much as its standard deviation: the mean of three times 1.5 lies between 1.4 and 1.541.
        for (int i = 0; i < 3; ++i) QVERIFY(!add(1.5));
        for (int i = 0; i < 3; ++i) QVERIFY(!add(1.2));
        // By the standard deviation and more: above 1.4 + 0.141; the mean of 1.2, 1.2, 2.4 is 1.6.
        QVERIFY(!add(2.4));
        QVERIFY(!add(1.2));  // risen, but the variance is 0.32
        QVERIFY(!add(1.2));
        QVERIFY(add(1.2));
        // Never above the limit of the mean.
        PlateauDetector high({2, 2, 0.1});
        for (int i = 0; i < 5; ++i) QVERIFY(!high.add(2.0).has_value());
        QVERIFY(high.add(1.99).has_value());
    }

    void theLossThatHasRisenMayBeTheNextPlateau() {
        PlateauDetector detector({2, 5, 1});
        QVERIFY(!detector.add(1));
        QVERIFY(detector.add(1).has_value());
        QVERIFY(!detector.add(1).has_value());
        const auto next = detector.add(1.5);  // above 1 by more than a deviation of 0, and as calm as need be
        QVERIFY(next.has_value());
        near(next->mean, 1.25, 1e-12);
        // No number is no plateau.
        PlateauDetector broken({2, 5, 1});
        for (int i = 0; i < 4; ++i) QVERIFY(!broken.add(std::nan("")).has_value());
    }

    void aPlateauDetectorGoesOnFromItsState() {
        PlateauDetector::Settings settings{3, 2, 0.1};
        const std::vector<double> losses{1.5, 1.4, 1.3, 1.2, 3, 1.2, 1.2, 1.2, 1.1, 1.5, 1.5, 1.5, 1.6};
        std::vector<bool> whole;
        PlateauDetector plain(settings);
        for (const double loss : losses) whole.push_back(plain.add(loss).has_value());
        QVERIFY(std::count(whole.begin(), whole.end(), true) >= 2);
        std::vector<bool> parts;
        TensorsByName state;
        for (const double loss : losses) {
            PlateauDetector resumed(settings);
            if (!state.empty()) {
                StateArchive saved(state, at::kCPU);
                resumed.keep(saved);
            }
            parts.push_back(resumed.add(loss).has_value());
            StateArchive saving;
            resumed.keep(saving);
            state = saving.tensors();
        }
        QCOMPARE(parts, whole);
    }

    void theHardestStay() {
        HardBuffer buffer(3);
        buffer.offer({entry(1, 0.5), entry(2, 2), entry(3, 1)});
        QCOMPARE(samplesOf(buffer), (std::vector<std::int64_t>{2, 3, 1}));
        buffer.offer({entry(4, 1), entry(5, 0.1)});
        QCOMPARE(samplesOf(buffer), (std::vector<std::int64_t>{2, 3, 4}));
        // As they are now.
        buffer.measure({0.2, 3, 0.3});
        buffer.offer({entry(6, 0.25)});
        QCOMPARE(samplesOf(buffer), (std::vector<std::int64_t>{3, 4, 6}));
        // An image counts once, with its newest view.
        buffer.offer({entry(3, 0.26)});
        QCOMPARE(samplesOf(buffer), (std::vector<std::int64_t>{4, 3, 6}));
        HardBuffer none(0);
        none.offer({entry(1, 1)});
        QVERIFY(none.empty());
    }

    void theLossIsThatOfTheBatchOfTheHardestAndOfWhatIsHeld() {
        MethodSetup setup = setupOf(0);
        optionsOf(setup).strength = 3;
        const auto method = makeMethod(setup);
        stir(*method, 9);
        const UpdateInput one = inputOf(1), two = inputOf(2);
        // The three of four with the largest losses.
        const Tensor first = logitsOf(*method, one.images), second = logitsOf(*method, two.images);
        std::vector<double> losses;
        double batch = 0, hard = 0;
        for (std::int64_t i = 0; i < 4; ++i) {
            losses.push_back(slowLoss(first[i], one.units[i].item<std::int64_t>(), one.mask));
            batch += slowLoss(second[i], two.units[i].item<std::int64_t>(), two.mask) / 4;
        }
        std::sort(losses.rbegin(), losses.rend());
        for (int i = 0; i < 3; ++i) hard += losses[static_cast<std::size_t>(i)];
        const UpdateResult before = learnBatch(*method, one);
        near(part(before, "hard"), 0);
        const UpdateResult result = method->update(two);
        near(part(result, "batch"), batch);
        near(part(result, "hard"), hard);
        near(part(result, "penalty"), 0);
        near(result.loss, batch + hard);
    }

    void hardImagesSeeTheirOwnClassesUnderAnyMask() {
        const auto method = makeMethod(setupOf(0));
        UpdateInput old = inputOf(1, 1);  // unit 0
        learnBatch(*method, old);
        UpdateInput other = inputOf(2, 2);
        other.units = at::tensor({4, 5}, at::kLong);
        std::vector<bool> visible(kClasses, false);
        visible[4] = visible[5] = true;
        other.mask = additiveMask(visible, at::kCPU);
        const Tensor logits = logitsOf(*method, old.images)[0];
        Tensor open = other.mask.clone();
        open[0] = 0;
        near(part(method->update(other), "hard"), slowLoss(logits, 0, open));
    }

    void importanceIsTheMeanOverPlateausOfTheSquaredGradientsOfTheHardest() {
        MethodSetup setup = setupOf(0);
        optionsOf(setup).strength = 50;
        optionsOf(setup).hard_images = 2;
        const auto method = makeMethod(setup);
        std::vector<Tensor> expected;
        for (int turn = 1; turn <= 2; ++turn) {
            stir(*method, static_cast<std::uint64_t>(turn));
            // A loss far above the last plateau's, and one as high: the second plateau.
            const UpdateInput input = inputOf(static_cast<std::uint64_t>(turn), 2);
            if (turn == 2) {
                NoGradGuard guard;
                for (const auto& [name, tensor] : method->trainable())
                    if (name == "fc.weight") Tensor(tensor).mul_(30);
            }
            // The hardest of what was seen so far, at the moment of the plateau.
            std::vector<std::pair<double, Tensor>> seen;
            for (int past = 1; past <= turn; ++past) {
                const UpdateInput shown = inputOf(static_cast<std::uint64_t>(past), 2);
                const Tensor logits = logitsOf(*method, shown.images);
                for (std::int64_t i = 0; i < 2; ++i)
                    seen.emplace_back(slowLoss(logits[i], shown.units[i].item<std::int64_t>(), shown.mask),
                                      shown.images.narrow(0, i, 1));
            }
            std::ranges::stable_sort(seen, [](const auto& a, const auto& b) { return a.first > b.first; });
            std::vector<Tensor> squares;
            for (std::size_t i = 0; i < 2; ++i) {
                method->optimizer().zeroGradients();
                const Tensor logits = method->logits(seen[i].second, {}) + input.mask;
                at::cross_entropy_loss(logits, logits.detach().argmax(1)).backward();
                for (std::size_t k = 0; k < method->trainedBackbone().size(); ++k) {
                    const Tensor square = method->trainedBackbone()[k].tensor.grad().square();
                    if (squares.size() <= k)
                        squares.push_back(square);
                    else
                        squares[k] = squares[k] + square;
                }
            }
            method->optimizer().zeroGradients();
            std::optional<LossPlateau> plateau;
            for (int batch = 0; batch < 3 && !plateau; ++batch) plateau = learnBatch(*method, input).plateau;
            QVERIFY(plateau.has_value());
            for (std::size_t k = 0; k < squares.size(); ++k) {
                if (turn == 1)
                    expected.push_back(squares[k]);
                else
                    expected[k] = 0.5 * squares[k] + 0.5 * expected[k];
                const std::string name = "importance." + method->trainedBackbone()[k].name;
                const Tensor got = named(method->keptTensors(), name);
                QVERIFY2(got.defined() && at::allclose(got, expected[k], 1e-3, 1e-9), name.c_str());
            }
        }
        // Half of lambda times the sum of importance and squared factor.
        stir(*method, 5);
        double penalty = 0;
        for (std::size_t k = 0; k < expected.size(); ++k)
            penalty += 25 * (expected[k] * method->trainedBackbone()[k].tensor.detach().square()).sum().item<double>();
        QVERIFY(penalty > 0);
        near(part(method->update(inputOf(1, 2)), "penalty"), penalty, 1e-3);
    }

    void atAPlateauTheOutputsStayUnlessFactorsAreAdded_data() { productsKeepWhatWasLearnedAndFactorsDoNot_data(); }
    void atAPlateauTheOutputsStayUnlessFactorsAreAdded() {
        QFETCH(QString, merge);
        MethodSetup setup = setupOf(0);
        optionsOf(setup).merge = merge.toStdString();
        const auto method = makeMethod(setup);
        const Tensor images = noiseImages(3, 77);
        int plateaus = 0;
        for (std::uint64_t batch = 1; batch <= 12; ++batch) {
            stir(*method, batch);
            {
                NoGradGuard guard;
                for (const auto& [name, tensor] : method->trainable())
                    if (name == "fc.weight") Tensor(tensor).mul_(1.5);  // the loss rises, so that plateaus come again
            }
            const Tensor before = logitsOf(*method, images);
            const bool found = learnBatch(*method, inputOf(1)).plateau.has_value();
            plateaus += found ? 1 : 0;
            const double jump = largestDifference(logitsOf(*method, images), before);
            const double size = before.abs().max().item<double>();
            const bool stays = !found || merge == "products" || plateaus == 1;
            QVERIFY2(stays ? jump < 1e-4 * size : jump > 1e-4 * size, qPrintable(QString::number(jump / size)));
        }
        QVERIFY(plateaus >= 2);
    }

    void aPlateauIsToldBehindTheFirstUpdateOfABatch() {
        const auto method = makeMethod(setupOf(0));
        const UpdateInput input = inputOf(1);
        QVERIFY(!learnBatch(*method, input).plateau);
        for (int i = 0; i < 5; ++i) QVERIFY(!method->update(input).plateau);  // later updates of the batch
        const UpdateResult second = learnBatch(*method, input);
        QVERIFY(second.plateau);
        // ln 200 / ln 4: four classes compete.
        near(second.plateau->mean, part(second, "batch") * std::log(200) / std::log(4));
        near(second.plateau->variance, 0);
    }

    void thePublishedLossIsComparedAsItIsWithThatOfTheHardImages() {
        MethodSetup setup = setupOf(0);
        optionsOf(setup).loss = "as-published";
        const auto method = makeMethod(setup);
        const double first = part(learnBatch(*method, inputOf(1)), "batch");
        const UpdateResult second = learnBatch(*method, inputOf(2));
        QVERIFY(second.plateau && part(second, "hard") > 0.1);
        near(second.plateau->mean, (first + part(second, "batch") + part(second, "hard")) / 2);
    }

    void thePublishedBufferKeepsBatchesAndMeasuresTheFirst() {
        MethodSetup setup = setupOf(0);
        optionsOf(setup).buffer = "as-published";
        optionsOf(setup).hard_images = 1;
        const auto method = makeMethod(setup);
        stir(*method, 3);
        const auto meanLoss = [&](const UpdateInput& input) {
            const Tensor logits = logitsOf(*method, input.images);
            double sum = 0;
            for (std::int64_t i = 0; i < 4; ++i)
                sum += slowLoss(logits[i], input.units[i].item<std::int64_t>(), input.mask) / 4;
            return sum;
        };
        UpdateInput one = inputOf(1), two = inputOf(2);
        if (meanLoss(one) > meanLoss(two)) std::swap(one, two);
        const double first = meanLoss(one), second = meanLoss(two);
        QVERIFY(second > first + 1e-3);
        method->optimizer().zeroGradients();
        const Tensor row = (method->logits(one.images, {}) + two.mask).reshape({1, -1});
        at::cross_entropy_loss(row, row.detach().argmax(1)).backward();
        std::vector<Tensor> squares;
        for (const auto& [name, factor] : method->trainedBackbone()) squares.push_back(factor.grad().square());
        learnBatch(*method, one);
        const UpdateResult result = learnBatch(*method, two);
        near(part(result, "hard"), first);
        // Importance is measured before the batch of the plateau is among them, however hard it is.
        QVERIFY(result.plateau);
        for (std::size_t k = 0; k < squares.size(); ++k) {
            const Tensor got = named(method->keptTensors(), "importance." + method->trainedBackbone()[k].name);
            QVERIFY(at::allclose(got, squares[k], 1e-3, 1e-9));
        }
        // Losses are listed from the batch on, batches from the first entry on: each has its neighbour's, and the
        // easier of the two stays.
        const double easier = meanLoss(one);
        near(part(learnBatch(*method, inputOf(3)), "hard"), easier);
    }

    void wordsThatNobodyKnowsAreRefused() {
        for (std::string OnlineLoraOptions::*word :
             {&OnlineLoraOptions::buffer, &OnlineLoraOptions::loss, &OnlineLoraOptions::merge}) {
            MethodSetup setup = setupOf();
            optionsOf(setup).*word = "some";
            QVERIFY_EXCEPTION_THROWN(makeMethod(setup), Error);
        }
    }

    void aStateOfAnotherFormIsRefused() {
        MethodSetup setup = setupOf(0);
        const auto method = makeMethod(setup);
        for (std::uint64_t batch = 1; batch <= 2; ++batch) learnBatch(*method, inputOf(batch));
        StateArchive saved;
        method->keep(saved);
        const auto same = makeMethod(setup);
        StateArchive good(saved.tensors(), at::kCPU);
        same->keep(good);
        QVERIFY(logitsOf(*same, noiseImages(2, 1)).equal(logitsOf(*method, noiseImages(2, 1))));
        for (const char* name : {"importance.0", "hard.images.0", "hard.units.0", "changes.kept.0"}) {
            TensorsByName broken = saved.tensors();
            QVERIFY2(broken.contains(name), name);
            broken[name] = at::zeros({1, 1}, broken[name].options());
            StateArchive bad(broken, at::kCPU);
            QVERIFY_EXCEPTION_THROWN(makeMethod(setup)->keep(bad), Error);
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestOnlineLora)

}  // namespace tst_online_lora

#include "tst_online_lora.moc"
