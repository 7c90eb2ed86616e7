// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/method.h"
#include "engine/method_options/head_method_options.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/network/compute.h"
#include "engine/optim/output_units.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_replay_methods {

namespace {

constexpr std::int64_t kClasses = 6, kPixels = 16;
constexpr float kHidden = -std::numeric_limits<float>::infinity();
using Integers = std::vector<std::int64_t>;

MethodSetup setupOf(const std::string& name, double rate = 0.1) {
    prepareCompute("cpu", "float32", 1);
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(VitShape{kPixels, 4, 3, 32, 5, 2, 2});
    setup.vit->initialise(Random(1));
    setup.classes = kClasses;
    setup.method.name = name;
    setup.initial_session.prompts = "none";
    // Plain gradient descent, whose steps can be computed directly.
    setup.exact_optimizer = OptimizerSettings{.kind = OptimizerSettings::Kind::Sgd, .learning_rate = rate};
    setup.batch_size = 4;
    setup.memory.batch_size = 2;
    return setup;
}

/// Images for sample numbers that have nothing in common.
Tensor imagesOf(const Integers& samples) {
    Tensor images = at::zeros({static_cast<std::int64_t>(samples.size()), 3, kPixels, kPixels});
    for (std::size_t i = 0; i < samples.size(); ++i) {
        Random random(static_cast<std::uint64_t>(samples[i]), 77);
        Tensor image = at::zeros({3, kPixels, kPixels});
        fillUniform(image, random, -2, 2);
        images[static_cast<std::int64_t>(i)].copy_(image);
    }
    return images;
}

/// Units of samples: three in alternation.
Integers unitsOf(const Integers& samples) {
    Integers units;
    for (const std::int64_t sample : samples) units.push_back(sample % 3);
    return units;
}

UpdateInput inputOf(const Integers& samples, std::int64_t seen = 3) {
    UpdateInput input;
    input.images = imagesOf(samples);
    input.units = at::tensor(unitsOf(samples), at::kLong);
    input.mask = seenMask(seen, kClasses, at::kCPU);
    input.samples = samples;
    input.seen = seen;
    return input;
}

PastBatch pastOf(const Integers& samples) {
    return {imagesOf(samples), at::tensor(unitsOf(samples), at::kLong)};
}

Tensor logitsOf(Method& method, const Tensor& images) {
    NoGradGuard guard;
    return method.logits(images, method.frozenFeatures(images));
}

double at2(const Tensor& table, std::int64_t i, std::int64_t j) {
    return table[i][j].item<double>();
}

/// Mean of -log softmax(z + mask)_unit, number by number.
double slowEntropy(const Tensor& logits, const Integers& units, const Tensor& mask) {
    double sum = 0;
    for (std::int64_t i = 0; i < logits.size(0); ++i) {
        double all = 0;
        for (std::int64_t c = 0; c < kClasses; ++c) all += std::exp(at2(logits, i, c) + mask[c].item<double>());
        sum += std::log(all) - at2(logits, i, units[static_cast<std::size_t>(i)]);
    }
    return sum / static_cast<double>(logits.size(0));
}

void near(double got, double expected, double bound = 1e-5) {
    QVERIFY2(std::abs(got - expected) <= bound, qPrintable(QString("%1 for %2").arg(got).arg(expected)));
}

std::vector<Tensor> copied(const Method& method) {
    std::vector<Tensor> copies;
    for (const auto& [name, tensor] : method.trainable()) copies.push_back(tensor.detach().clone());
    return copies;
}

/// Gradients of a method's loss at its current parameters.
std::vector<Tensor> gradientsOf(Method& method, const UpdateInput& input) {
    method.optimizer().zeroGradients();
    method.forward(input).loss.backward();
    std::vector<Tensor> gradients;
    for (const auto& [name, tensor] : method.trainable()) gradients.push_back(tensor.grad().clone());
    method.optimizer().zeroGradients();
    return gradients;
}

Tensor keptTensor(const Method& method, const std::string& name) {
    for (const auto& [known, tensor] : method.keptTensors())
        if (known == name) return tensor;
    return {};
}

double part(const UpdateResult& result, const std::string& name) {
    for (const auto& [known, value] : result.parts)
        if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
}

/// EWC-DR's squares of one input, number by number of the logits: those of the gradients of
/// log sum_c exp(-z_c) + z_y over the visible classes, a mean over the images.
std::vector<Tensor> negatedSquares(Method& method, const UpdateInput& input) {
    method.optimizer().zeroGradients();
    const Tensor logits = method.forward(input).logits;
    Tensor loss = at::zeros({});
    const Integers units = indexVector(input.units);
    for (std::int64_t i = 0; i < logits.size(0); ++i) {
        Tensor all = at::zeros({});
        for (std::int64_t c = 0; c < input.seen; ++c) all = all + (-logits[i][c]).exp();
        loss = loss + all.log() + logits[i][units[static_cast<std::size_t>(i)]];
    }
    (loss / static_cast<double>(logits.size(0))).backward();
    std::vector<Tensor> squares;
    for (const auto& [name, tensor] : method.trainable()) squares.push_back(tensor.grad().square());
    method.optimizer().zeroGradients();
    return squares;
}

void addTo(std::vector<Tensor>& sums, const std::vector<Tensor>& more) {
    for (std::size_t i = 0; i < more.size(); ++i)
        if (i < sums.size())
            sums[i] = sums[i] + more[i];
        else
            sums.push_back(more[i]);
}

/// EWC-DR: omega <- alpha omega + (1 - alpha) min(F, 1e-4).
std::vector<Tensor> ewcDr(const std::vector<Tensor>& before, const std::vector<Tensor>& squares, double alpha) {
    std::vector<Tensor> result;
    for (std::size_t i = 0; i < squares.size(); ++i) {
        const Tensor old = before.empty() ? at::zeros_like(squares[i]) : before[i];
        result.push_back(alpha * old + (1 - alpha) * at::minimum(squares[i], at::full_like(squares[i], 1e-4)));
    }
    return result;
}

/// A simulated end of a session.
class Ended : public SessionWork {
public:
    Integers stream, memory;
    std::int64_t allowed = 1'000'000;  // number of times that mayContinue() returns true
    std::int64_t seen = 3;             // classes
    std::vector<Integers> requested;   // samples of each input
    std::vector<double> rates;
    Integers kept, draws;

    const Integers& streamed() const override { return stream; }
    const Integers& remembered() const override { return memory; }
    std::int64_t unit(std::int64_t sample) const override { return sample % 3; }
    UpdateInput input(const Integers& samples, std::int64_t draw) override {
        requested.push_back(samples);
        draws.push_back(draw);
        return inputOf(samples, seen);
    }
    void updated(const UpdateResult& result) override { rates.push_back(result.learning_rate.value_or(-1)); }
    void remember(const Integers& samples) override { kept = samples; }
    bool mayContinue(const std::string& what, std::int64_t done, std::int64_t total) override {
        if (what.empty() || done < 0 || done > total) allowed = 0;
        return allowed-- > 0;
    }
};

/// CLIB's memory by the paper's rule, slot by slot, for samples of three alternating units.
class SlowImportance {
public:
    Integers samples;

    void take(std::int64_t sample, std::size_t capacity) {
        std::array<int, 3> counts{};
        for (const std::int64_t held : samples) ++counts[static_cast<std::size_t>(held % 3)];
        ++counts[static_cast<std::size_t>(sample % 3)];
        const std::int64_t largest = std::max_element(counts.begin(), counts.end()) - counts.begin();
        std::size_t place = samples.size();
        if (samples.size() < capacity) {
            samples.push_back(sample);
            importance_.push_back(0);
        } else {
            for (std::size_t slot = 0; slot < samples.size(); ++slot)
                if (samples[slot] % 3 == largest && (place == samples.size() || importance_[slot] < importance_[place]))
                    place = slot;
            samples[place] = sample;
        }
        double sum = 0;
        int others = 0;
        for (std::size_t slot = 0; slot < samples.size(); ++slot)
            if (slot != place && samples[slot] % 3 == sample % 3) {
                sum += importance_[slot];
                ++others;
            }
        importance_[place] = others > 0 ? sum / others : 0;
        rewritten_.insert(place);
    }

    /// Records the losses by slot after an update on these slots.
    void learned(const std::vector<double>& losses, const std::vector<std::size_t>& replayed) {
        double change = 0, own = 0;
        int measured = 0;
        for (std::size_t slot = 0; slot < losses_.size(); ++slot)
            if (!rewritten_.contains(slot)) {
                change += losses[slot] - losses_[slot];
                ++measured;
            }
        const auto number = static_cast<double>(replayed.size());
        for (const std::size_t slot : replayed) own += importance_[slot];
        for (const std::size_t slot : replayed)
            if (measured > 0) importance_[slot] -= (1 - 0.9) * (change / measured - own / number / number);
        losses_ = losses;
        rewritten_.clear();
    }

private:
    std::vector<double> importance_, losses_;
    std::set<std::size_t> rewritten_;
};

}  // namespace

class TestReplayMethods : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void experienceReplayWithoutAMemoryIsALinearProbe() {
        const auto replay = makeMethod(setupOf("er")), probe = makeMethod(setupOf("linear-probe"));
        for (int i = 0; i < 3; ++i)
            QCOMPARE(replay->update(inputOf({1, 2, 3, 4})).loss, probe->update(inputOf({1, 2, 3, 4})).loss);
    }

    void erAceShowsTheBatchsClassesAndThoseToCome_data() {
        QTest::addColumn<int>("sessions");
        QTest::addColumn<int>("seen");
        QTest::addColumn<QString>("visible");
        QTest::newRow("first session: all") << 0 << 3 << "111111";
        QTest::newRow("later") << 1 << 3 << "010111";
        QTest::newRow("one class to come stays hidden") << 1 << 5 << "010000";
        QTest::newRow("none to come") << 2 << 6 << "010000";
    }
    void erAceShowsTheBatchsClassesAndThoseToCome() {
        QFETCH(int, sessions);
        QFETCH(int, seen);
        QFETCH(QString, visible);
        const auto method = makeMethod(setupOf("er-ace"));
        for (int s = 0; s < sessions; ++s) method->endSession();
        const auto own = method->ownMask(Integers{1, 1}, seen);
        QVERIFY(own.has_value());
        QString shown;
        for (const bool unit : *own) shown += unit ? '1' : '0';
        QCOMPARE(shown, visible);
        QVERIFY(!method->replaysIn(0));
        QVERIFY(method->replaysIn(1));
    }

    void erAceAddsTheLossOfReplayedImagesOverAllClasses() {
        const auto method = makeMethod(setupOf("er-ace"));
        UpdateInput input = inputOf({1, 4, 7});
        input.mask = additiveMask(*method->ownMask(Integers{1}, 3), at::kCPU);
        input.past = {pastOf({0, 2})};
        const Tensor stream = logitsOf(*method, input.images), past = logitsOf(*method, input.past[0].images);
        near(method->forward(input).loss.item<double>(), slowEntropy(stream, {1, 1, 1}, input.mask));
        method->endSession();
        input.mask = additiveMask(*method->ownMask(Integers{1}, 3), at::kCPU);
        near(method->forward(input).loss.item<double>(),
             slowEntropy(stream, {1, 1, 1}, input.mask) + slowEntropy(past, {0, 2}, at::zeros({kClasses})));
    }

    void derppsLossIsTheSumOfItsParts() {
        MethodSetup setup = setupOf("derpp");
        setup.method.of<DerPlusPlusOptions>().logit_weight = 0.3;
        setup.method.of<DerPlusPlusOptions>().replay_weight = 0.7;
        const auto method = makeMethod(setup);
        UpdateInput input = inputOf({1, 2, 3});
        input.past = {pastOf({4, 5}), pastOf({6, 7})};
        Tensor stored = at::arange(2 * kClasses, at::kFloat).reshape({2, kClasses}) / 10;
        stored.narrow(1, 2, kClasses - 2).fill_(kHidden);  // classes that had not appeared then
        stored[1][2] = 0.5;
        input.past[0].logits = stored;
        const Tensor first = logitsOf(*method, input.past[0].images);
        double square = 0;
        int entries = 0;
        for (std::int64_t i = 0; i < 2; ++i)
            for (std::int64_t c = 0; c < kClasses; ++c)
                if (std::isfinite(at2(stored, i, c))) {
                    square += std::pow(at2(first, i, c) - at2(stored, i, c), 2);
                    ++entries;
                }
        QCOMPARE(entries, 5);
        const double expected = slowEntropy(logitsOf(*method, input.images), {1, 2, 0}, input.mask) +
                                0.3 * square / entries +
                                0.7 * slowEntropy(logitsOf(*method, input.past[1].images), {0, 1}, input.mask);
        near(method->forward(input).loss.item<double>(), expected);
    }

    void theMasksFormHoldsForDerppsReplayedImagesToo() {
        MethodSetup setup = setupOf("derpp");
        setup.method.of<DerPlusPlusOptions>().logit_weight = 0;
        setup.method.of<DerPlusPlusOptions>().replay_weight = 0.7;
        const auto method = makeMethod(setup);
        UpdateInput input = inputOf({1, 2, 3});
        input.form = MaskForm::Multiplicative;
        input.past = {pastOf({4, 5}), pastOf({6, 7})};
        input.past[0].logits = at::zeros({2, kClasses});
        const Tensor shown = input.mask.eq(0).to(at::kFloat), hidesNothing = at::zeros({kClasses});
        near(method->forward(input).loss.item<double>(),
             slowEntropy(logitsOf(*method, input.images) * shown, {1, 2, 0}, hidesNothing) +
                 0.7 * slowEntropy(logitsOf(*method, input.past[1].images) * shown, {0, 1}, hidesNothing));
    }

    void derppOffersItsBatchAtEveryUpdateWithTheLogitsOfThen() {
        MethodSetup setup = setupOf("derpp");
        setup.memory.size = 100;
        const auto method = makeMethod(setup);
        const UpdateInput input = inputOf({3, 4, 5});
        const Tensor before = logitsOf(*method, input.images);
        method->update(input);
        QCOMPARE(method->ownMemory()->samples(), (Integers{3, 4, 5}));
        method->update(input);
        QCOMPARE(method->ownMemory()->samples(), (Integers{3, 4, 5, 3, 4, 5}));
        // The memory's logits by slot are those from before the first step, masked.
        UpdateInput later = inputOf({6, 7});
        later.past = {pastOf({4}), pastOf({5})};
        later.past[0].slots = {1};
        UpdateInput given = later;
        given.past[0].slots = {};
        given.past[0].logits = (before + input.mask).narrow(0, 1, 1);
        QCOMPARE(method->forward(later).loss.item<double>(), method->forward(given).loss.item<double>());
    }

    void lwfKeepsToWhatItSaidABatchAgo() {
        MethodSetup setup = setupOf("lwf");
        setup.method.of<LwfOptions>().weight = 0.4;
        setup.method.of<LwfOptions>().temperature = 3;
        const auto method = makeMethod(setup);
        const UpdateInput input = inputOf({1, 2, 3, 4});
        const Tensor old = logitsOf(*method, input.images);
        // Without a teacher the loss is the plain one.
        near(method->update(input).loss, slowEntropy(old, {1, 2, 0, 1}, input.mask));
        const auto teacher = makeMethod(setup);  // in its initial state
        const Tensor taught = logitsOf(*teacher, input.images);
        const auto student = makeMethod(setup);
        student->endBatch();
        student->optimizer().setLearningRate(2);
        student->update(input);
        const Tensor now = logitsOf(*student, input.images);
        QVERIFY(!now.equal(taught));
        double distillation = 0;
        for (std::int64_t i = 0; i < 4; ++i) {
            double oldSum = 0, nowSum = 0;
            for (std::int64_t c = 0; c < kClasses; ++c) {
                oldSum += std::exp(at2(taught, i, c) / 3);
                nowSum += std::exp(at2(now, i, c) / 3);
            }
            for (std::int64_t c = 0; c < kClasses; ++c)
                distillation -= std::exp(at2(taught, i, c) / 3) / oldSum * (at2(now, i, c) / 3 - std::log(nowSum)) / 4;
        }
        near(student->forward(input).loss.item<double>(),
             slowEntropy(now, {1, 2, 0, 1}, input.mask) + 0.4 * distillation);
    }

    void ewcppMakesTwoStepsAnUpdate_data() {
        QTest::addColumn<bool>("addedUp");
        QTest::newRow("each by its own gradient") << false;
        QTest::newRow("the second by both, as published") << true;
    }
    void ewcppMakesTwoStepsAnUpdate() {
        QFETCH(bool, addedUp);
        MethodSetup setup = setupOf("ewcpp", 0.02);
        setup.method.of<EwcPlusPlusOptions>().gradients = addedUp ? "added-up" : "separate";
        const auto method = makeMethod(setup);
        const UpdateInput input = inputOf({1, 2, 3});
        const std::vector<Tensor> start = copied(*method);
        std::vector<Tensor> expected;
        // The same steps are done directly on a second network.
        MethodSetup other = setupOf("finetune", 0.02);
        const auto slow = makeMethod(other);
        for (std::size_t i = 0; i < start.size(); ++i) QVERIFY(start[i].equal(slow->trainable()[i].tensor));
        const std::vector<Tensor> first = gradientsOf(*slow, input);
        {
            NoGradGuard guard;
            for (std::size_t i = 0; i < first.size(); ++i) Tensor(slow->trainable()[i].tensor).sub_(first[i] * 0.02);
        }
        const std::vector<Tensor> second = gradientsOf(*slow, input);
        for (std::size_t i = 0; i < second.size(); ++i) {
            const Tensor step = addedUp ? first[i] + second[i] : second[i];
            expected.push_back(slow->trainable()[i].tensor.detach() - step * 0.02);
        }
        method->update(input);
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY2(at::allclose(method->trainable()[i].tensor, expected[i], 1e-4, 1e-6),
                     method->trainable()[i].name.c_str());
    }

    void ewcppHoldsBackWhatMattered() {
        MethodSetup setup = setupOf("ewcpp", 0);  // nothing moves by itself
        setup.method.of<EwcPlusPlusOptions>().strength = 50;
        const auto method = makeMethod(setup);
        const std::vector<Tensor> one = gradientsOf(*method, inputOf({1, 2})),
                                  two = gradientsOf(*method, inputOf({3, 4}));
        QCOMPARE(part(method->update(inputOf({1, 2})), "penalty"), 0.0);
        method->update(inputOf({3, 4}));
        method->endSession();
        double expected = 0;
        NoGradGuard guard;
        for (std::size_t i = 0; i < method->trainable().size(); ++i) {
            const std::string name = method->trainable()[i].name;
            const Tensor importance = keptTensor(*method, "importance." + name);
            if (name.rfind("fc.", 0) == 0) {
                QVERIFY(!importance.defined());  // the head is not constrained
                continue;
            }
            const Tensor fisher = 0.5 * one[i].square() + 0.5 * two[i].square();
            QVERIFY2(at::allclose(importance, fisher, 1e-4, 1e-9), name.c_str());
            expected += 50 * 0.01 * 0.01 * fisher.sum().item<double>();
        }
        for (const auto& [name, tensor] : method->trainable()) Tensor(tensor).add_(0.01);
        c10::AutoGradMode on(true);
        near(part(method->update(inputOf({1, 2})), "penalty"), expected, 1e-4 * expected);
    }

    void ewcppKeepsItsAverageAndPassesOverWhatIsNoNumber() {
        const auto method = makeMethod(setupOf("ewcpp", 0));  // nothing changes
        const std::string name = method->trainable().front().name;
        const std::vector<Tensor> one = gradientsOf(*method, inputOf({1, 2}));
        method->update(inputOf({1, 2}));
        const Tensor fisher = keptTensor(*method, "fisher." + name).clone();
        QVERIFY(at::allclose(fisher, one.front().square(), 1e-4, 1e-9));
        QVERIFY(!keptTensor(*method, "anchor." + name).defined());
        method->endSession();
        QVERIFY(keptTensor(*method, "importance." + name).equal(fisher));
        QVERIFY(keptTensor(*method, "anchor." + name).equal(method->trainable().front().tensor));
        UpdateInput broken = inputOf({1, 2});
        broken.images.fill_(std::numeric_limits<float>::quiet_NaN());
        method->update(broken);
        QVERIFY(keptTensor(*method, "fisher." + name).equal(fisher));
    }

    void withoutABackboneToHoldEwcppIsALinearProbeWithTwoSteps() {
        MethodSetup setup = setupOf("ewcpp");
        setup.method.of<TunedBackboneOptions>().train_backbone = false;
        const auto method = makeMethod(setup), probe = makeMethod(setupOf("linear-probe"));
        QCOMPARE(method->trainable().size(), std::size_t{2});
        QVERIFY(method->usesFrozenFeatures());
        method->update(inputOf({1, 2, 3}));
        method->endSession();
        for (int step = 0; step < 2; ++step) probe->update(inputOf({1, 2, 3}));
        for (std::size_t i = 0; i < 2; ++i) QVERIFY(method->trainable()[i].tensor.equal(probe->trainable()[i].tensor));
    }

    void onlineEwcWeighsEveryImageOfTheSession() {
        MethodSetup setup = setupOf("online-ewc", 0);
        setup.method.of<OnlineEwcOptions>().decay = 0.5;
        setup.method.of<OnlineEwcOptions>().strength = 10;
        const auto method = makeMethod(setup);
        Ended work;
        work.stream = {1, 2, 3, 4, 5};
        std::vector<Tensor> fish;
        for (const std::int64_t sample : work.stream) {
            const std::vector<Tensor> gradients = gradientsOf(*method, inputOf({sample}));
            const double share = std::exp(-method->forward(inputOf({sample})).loss.item<double>());
            for (std::size_t i = 0; i < gradients.size(); ++i) {
                // Two batches of four, the last of which is short.
                const Tensor part = share * gradients[i].square() / 8;
                if (fish.size() <= i)
                    fish.push_back(part);
                else
                    fish[i] = fish[i] + part;
            }
        }
        QVERIFY(method->afterSession(work));
        const auto compare = [&](double factor) {
            for (std::size_t i = 0; i < method->trainable().size(); ++i) {
                const std::string name = method->trainable()[i].name;
                if (name.rfind("fc.", 0) == 0) continue;
                QVERIFY2(at::allclose(keptTensor(*method, "importance." + name), factor * fish[i], 1e-4, 1e-9),
                         name.c_str());
            }
        };
        compare(1);
        QVERIFY(method->afterSession(work));
        compare(1.5);
    }

    void negatedLogitsMeasureWhatEwcDrSays_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("EWC++") << "ewcpp";
        QTest::newRow("Online EWC") << "online-ewc";
    }
    void negatedLogitsMeasureWhatEwcDrSays() {
        QFETCH(QString, name);
        MethodSetup setup = setupOf(name.toStdString(), 0);  // nothing moves by itself
        setup.method.of<TunedBackboneOptions>().importance = "negated-logits";
        setup.method.of<EwcPlusPlusOptions>().strength = setup.method.of<OnlineEwcOptions>().strength = 5000;
        setup.method.of<OnlineEwcOptions>().decay = 0.5;  // changes nothing
        const auto method = makeMethod(setup);
        {
            // Gradients as large as those of a network that has learned.
            NoGradGuard guard;
            for (const auto& [key, tensor] : method->trainable())
                if (key == "fc.weight") Tensor(tensor).mul_(20);
        }
        std::vector<Tensor> expected, average;
        // Four of six classes had come when the second session ended, three when the first one did.
        for (const auto& [seen, alpha] : {std::pair<std::int64_t, double>{3, 0}, {4, 0.75}}) {
            std::vector<Tensor> squares;
            if (name == "ewcpp") {
                for (const Integers& samples : {Integers{1, 2, 3}, Integers{4, 5}}) {
                    const std::vector<Tensor> fresh = negatedSquares(*method, inputOf(samples, seen));
                    // EWC++'s own moving average.
                    for (std::size_t i = 0; i < fresh.size(); ++i)
                        if (i < average.size())
                            average[i] = 0.5 * average[i] + 0.5 * fresh[i];
                        else
                            average.push_back(fresh[i]);
                    method->update(inputOf(samples, seen));
                }
                squares = average;
                method->endSession();
            } else {
                Ended work;
                work.stream = {1, 2, 3, 4, 5};
                work.seen = seen;
                for (const std::int64_t sample : work.stream)
                    addTo(squares, negatedSquares(*method, inputOf({sample}, seen)));
                for (Tensor& each : squares) each = each / 5;
                QVERIFY(method->afterSession(work));
            }
            expected = ewcDr(expected, squares, alpha);
            bool clipped = false, whole = false;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const std::string key = method->trainable()[i].name;
                const Tensor got = keptTensor(*method, "importance." + key);
                QCOMPARE(got.defined(), key.rfind("fc.", 0) != 0);  // the head is not constrained
                if (!got.defined()) continue;
                QVERIFY2(at::allclose(got, expected[i], 1e-3, 1e-10), key.c_str());
                clipped = clipped || squares[i].max().item<double>() > 1e-4;
                whole = whole || squares[i].gt(1e-6).logical_and(squares[i].lt(1e-4)).any().item<bool>();
            }
            QVERIFY(clipped && whole);
        }
        double penalty = 0;
        NoGradGuard guard;
        for (const auto& [key, tensor] : method->trainable()) {
            Tensor(tensor).add_(0.01);
            if (const Tensor importance = keptTensor(*method, "importance." + key); importance.defined())
                penalty += 5000 * 0.01 * 0.01 * importance.sum().item<double>();
        }
        c10::AutoGradMode on(true);
        const UpdateInput input = inputOf({1, 2});
        if (name == "ewcpp") {
            near(part(method->update(input), "penalty"), penalty, 1e-4 * penalty);
        } else {
            const Tensor logits = logitsOf(*method, input.images);
            near(method->forward(input).loss.item<double>(), slowEntropy(logits, unitsOf({1, 2}), input.mask) + penalty,
                 1e-4 * penalty);
        }
    }

    void negatedLogitsTakeTheSameStepsUntilASessionEnds() {
        for (const char* name : {"ewcpp", "online-ewc"}) {
            const auto plain = makeMethod(setupOf(name));
            MethodSetup setup = setupOf(name);
            setup.method.of<TunedBackboneOptions>().importance = "negated-logits";
            const auto negated = makeMethod(setup);
            for (int update = 0; update < 3; ++update) {
                plain->update(inputOf({1, 2, 3}));
                negated->update(inputOf({1, 2, 3}));
            }
            for (std::size_t i = 0; i < plain->trainable().size(); ++i)
                QVERIFY2(negated->trainable()[i].tensor.equal(plain->trainable()[i].tensor),
                         plain->trainable()[i].name.c_str());
        }
    }

    void negatedLogitsMayBeginInAFork() {
        for (const char* name : {"ewcpp", "online-ewc"}) {
            const auto plain = makeMethod(setupOf(name));
            plain->update(inputOf({1, 2, 3}));
            StateArchive saved;
            plain->keep(saved);
            for (const auto& [key, tensor] : saved.tensors()) QVERIFY2(key.find("negated") == key.npos, key.c_str());
            MethodSetup setup = setupOf(name);
            setup.method.of<TunedBackboneOptions>().importance = "negated-logits";
            const auto fork = makeMethod(setup);
            StateArchive past(saved.tensors(), at::kCPU);
            fork->keep(past);
            for (std::size_t i = 0; i < plain->trainable().size(); ++i)
                QVERIFY(fork->trainable()[i].tensor.equal(plain->trainable()[i].tensor));
        }
    }

    void anUnknownImportanceIsRefused() {
        MethodSetup setup = setupOf("ewcpp");
        setup.method.of<TunedBackboneOptions>().importance = "some";
        QVERIFY_EXCEPTION_THROWN(makeMethod(setup), Error);
    }

    void onlineEwcGivesUpWhenTold() {
        const auto method = makeMethod(setupOf("online-ewc"));
        Ended work;
        work.stream = {1, 2, 3};
        work.allowed = 2;
        QVERIFY(!method->afterSession(work));
        QVERIFY(method->keptTensors().empty());
    }

    void rainbowMemoryLearnsTheMemoryInItsOrder() {
        MethodSetup setup = setupOf("rainbow-memory", 1);
        setup.method.of<RainbowMemoryOptions>().epochs = 9;
        setup.memory.size = 13;
        const auto method = makeMethod(setup);
        Ended work;
        work.memory = {5, 9, 2, 7, 1, 8, 3, 4, 6, 10, 11, 12, 0};  // 13 images, batches of 4 + 2: two rounds of three
        QVERIFY(method->afterSession(work));
        QCOMPARE(work.requested.size(), std::size_t{9 * 2 * 3});
        QCOMPARE(rainbowUpdates(9, 13, 6), std::int64_t{9 * 2 * 3});
        QCOMPARE(work.requested[0], (Integers{5, 9, 2, 7, 1, 8}));
        QCOMPARE(work.requested[2], (Integers{0}));
        QCOMPARE(work.requested[3], work.requested[0]);
        QCOMPARE(std::set<std::int64_t>(work.draws.begin(), work.draws.end()).size(), work.draws.size());
        const double quarter = 0.01 + 0.99 * (1 + std::sqrt(0.5)) / 2, last = 0.01 + 0.99 * (1 - std::sqrt(0.5)) / 2;
        const std::vector<double> rates{0.1, 1, 1, 0.505, 1, quarter, 0.505, last, 1};
        for (std::size_t i = 0; i < work.rates.size(); ++i) near(work.rates[i], rates[i / 6], 1e-12);
        QCOMPARE(method->optimizer().learningRate(), 1.0);
    }

    void rainbowMemoryGivesUpWhenToldAndKeepsItsRate() {
        MethodSetup setup = setupOf("rainbow-memory", 1);
        const auto method = makeMethod(setup);
        Ended work;
        work.memory = {1, 2, 3};
        work.allowed = 5;
        QVERIFY(!method->afterSession(work));
        QCOMPARE(work.rates.size(), std::size_t{5});
        QCOMPARE(method->optimizer().learningRate(), 1.0);
        Ended nothing;
        QVERIFY(method->afterSession(nothing));
        QVERIFY(nothing.requested.empty());
    }

    void rainbowMemoryMayChooseByUncertainty() {
        MethodSetup setup = setupOf("rainbow-memory");
        setup.method.of<RainbowMemoryOptions>().epochs = 0;
        setup.memory.size = 6;
        setup.memory.kind = "uncertainty";
        const auto method = makeMethod(setup);
        Ended work;
        work.memory = {1, 2, 3};
        for (std::int64_t sample = 0; sample < 30; ++sample) work.stream.push_back(sample);
        QVERIFY(method->afterSession(work));
        QCOMPARE(work.kept.size(), std::size_t{6});
        QCOMPARE(std::set<std::int64_t>(work.kept.begin(), work.kept.end()).size(), std::size_t{6});
        std::array<int, 3> counts{};
        for (const std::int64_t sample : work.kept) ++counts[static_cast<std::size_t>(sample % 3)];
        QCOMPARE(counts, (std::array<int, 3>{2, 2, 2}));
        QCOMPARE(work.requested.size(), std::size_t{12 * 5});  // twelve views of 30 images, six at a time
        work.allowed = 3;
        work.kept = {};
        QVERIFY(!method->afterSession(work));
        QVERIFY(work.kept.empty());
    }

    void clibMeasuresAllThatItRemembersAfterEveryUpdate_data() {
        QTest::addColumn<QString>("importance");
        QTest::newRow("as published") << "as-published";
        QTest::newRow("measured") << "measured";
    }
    void clibMeasuresAllThatItRemembersAfterEveryUpdate() {
        QFETCH(QString, importance);
        MethodSetup setup = setupOf("clib");
        setup.memory.size = 8;
        setup.method.of<ClibOptions>().importance = importance.toStdString();
        const auto method = makeMethod(setup);
        // In the published code all importances stay 0, so that the first slot of the largest class is replaced.
        SlowImportance measured, published;
        bool differs = false;
        for (std::int64_t batch = 0; batch < 12; ++batch) {
            const Integers samples{3 * batch, 3 * batch + 1, 3 * batch + 2}, units = unitsOf(samples);
            method->beginBatch({samples, units, [](const Integers& wanted) {
                                    return ShownImages{imagesOf(wanted), wanted};
                                }});
            for (const std::int64_t sample : samples) {
                measured.take(sample, 8);
                published.take(sample, 8);
            }
            differs = differs || measured.samples != published.samples;
            const Integers held = method->ownMemory()->samples();
            QCOMPARE(held, importance == "measured" ? measured.samples : published.samples);
            for (int update = 0; update < 2; ++update) {
                const UpdateResult result = method->update(inputOf({held[0], held.back()}));
                QVERIFY(result.learning_rate.has_value());
                const Tensor losses = keptTensor(*method, "memory_loss");
                QCOMPARE(losses.numel(), static_cast<std::int64_t>(held.size()));
                const double* loss = losses.data_ptr<double>();
                if (importance == "measured") measured.learned({loss, loss + losses.numel()}, {0, held.size() - 1});
                for (std::size_t slot = 0; slot < held.size(); ++slot) {
                    const Tensor logits = logitsOf(*method, imagesOf({held[slot]}));
                    near(losses[static_cast<std::int64_t>(slot)].item<double>(),
                         slowEntropy(logits, unitsOf({held[slot]}), seenMask(3, kClasses, at::kCPU)));
                }
            }
        }
        std::array<int, 3> counts{};
        for (const std::int64_t sample : method->ownMemory()->samples()) ++counts[static_cast<std::size_t>(sample % 3)];
        for (const int count : counts) QVERIFY(count == 2 || count == 3);
        QCOMPARE(differs, importance == "measured");
    }

    void clibChangesItsLearningRateInTurns() {
        MethodSetup setup = setupOf("clib", 0.1);
        setup.memory.size = 4;
        setup.method.of<ClibOptions>().rate_period = 2;
        const auto method = makeMethod(setup);
        const Integers samples{0, 1, 2}, units = unitsOf(samples);
        method->beginBatch({samples, units, [](const Integers& wanted) {
                                return ShownImages{imagesOf(wanted), wanted};
                            }});
        for (const double rate : {0.1, 0.1, 0.095, 0.095, 0.1})
            near(*method->update(inputOf(samples)).learning_rate, rate, 1e-12);
    }

    void aMemoryThatLostAnImageGoesOn() {
        MethodSetup setup = setupOf("clib");
        setup.memory.size = 4;
        const auto method = makeMethod(setup);
        const Integers samples{0, 1, 2}, units = unitsOf(samples);
        method->beginBatch({samples, units, [](const Integers&) { return ShownImages{imagesOf({0, 2}), {0, 2}}; }});
        method->update(inputOf({0, 2}));
        const Tensor losses = keptTensor(*method, "memory_loss");
        QCOMPARE(losses.numel(), std::int64_t{3});
        near(losses[2].item<double>(),
             slowEntropy(logitsOf(*method, imagesOf({2})), {2}, seenMask(3, kClasses, at::kCPU)));
    }
};

PALIMPSEST_APPLESS_TEST(TestReplayMethods)

}  // namespace tst_replay_methods

#include "tst_replay_methods.moc"
