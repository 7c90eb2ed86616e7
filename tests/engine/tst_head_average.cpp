// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <set>

#include "engine/checkpoint/state_archive.h"
#include "engine/method_options/head_average_options.h"
#include "engine/support/error.h"
#include "engine/train/evaluator.h"
#include "tests/support/own_methods.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_head_average {

namespace {

const std::vector<std::string> kWithout = {"analytic-head", "fly-prompt"};

MethodSetup setupOf(const std::string& name, double decay) {
    MethodSetup setup = smallSetup(name);
    setup.memory.size = 8;
    setup.memory.batch_size = 2;
    setup.method.of<HeadAverageOptions>().decay = decay;
    return setup;
}

std::vector<NamedTensor> headOf(const Method& method) {
    std::vector<NamedTensor> head;
    for (const NamedTensor& entry : method.trainable())
        if (entry.name.ends_with("fc.weight") || entry.name.ends_with("fc.bias")) head.push_back(entry);
    return head;
}

/// A method of this setup that goes on from where another one is.
std::unique_ptr<Method> continued(Method& from, const MethodSetup& setup) {
    StateArchive saved;
    from.keep(saved);
    auto method = makeMethod(setup);
    StateArchive restored(saved.tensors(), at::kCPU);
    method->keep(restored);
    return method;
}

/// A test image of each of four classes.
class FourImages : public TestSource {
public:
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        const std::vector<std::int64_t> wanted(samples.begin(), samples.end());
        return {noiseImages(4, 3).index_select(0, at::tensor(wanted, at::kLong)), wanted};
    }

private:
    std::vector<std::int32_t> labels_{0, 1, 2, 3};
};

Evaluation evaluated(Method& method) {
    FourImages source;
    ClassRegistry registry;
    registry.expose({0, 1, 2, 3});
    Evaluator evaluator(method, source, 4, true, 4, at::kCPU);
    return evaluator.evaluate(registry, [] { return false; });
}

/// The mean cross-entropy of the four images with these tensors in place of the head's.
double lossWith(Method& method, const std::vector<Tensor>& head) {
    NoGradGuard guard;
    const std::vector<NamedTensor> own = headOf(method);
    std::vector<Tensor> before;
    for (std::size_t i = 0; i < own.size(); ++i) {
        before.push_back(own[i].tensor.clone());
        Tensor(own[i].tensor).copy_(head[i]);
    }
    FourImages source;
    const Tensor images = source.images(std::vector<std::int64_t>{0, 1, 2, 3}).images;
    method.beginEvaluation({});
    const Tensor logits = method.logits(images, method.frozenFeatures(images));
    double loss = at::cross_entropy_loss(logits, at::arange(0, 4)).item<double>();
    if (const Tensor penalty = method.lastPenalty(); penalty.defined()) loss += penalty.item<double>();
    for (std::size_t i = 0; i < own.size(); ++i) Tensor(own[i].tensor).copy_(before[i]);
    return loss;
}

}  // namespace

class TestHeadAverage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyMethodWithAHeadOffersIt() {
        for (const auto& entry : test::ownMethods()) {
            const auto method = makeMethod(setupOf(entry.choice.value, 0.5));
            const bool without = std::ranges::count(kWithout, entry.choice.value) > 0;
            QCOMPARE(method->headAverage() == nullptr, without);
            QCOMPARE(makeMethod(setupOf(entry.choice.value, 0))->headAverage(), nullptr);
            if (without) continue;
            std::set<std::string> averaged, head;
            for (const NamedTensor& each : method->headAverage()->averages()) averaged.insert(each.name);
            for (const NamedTensor& each : headOf(*method)) head.insert(each.name);
            QVERIFY(!head.empty());
            QVERIFY2(averaged == head, entry.choice.value.c_str());
        }
    }

    void itIsTheRecursionAndAnswersInTheHeadsPlace_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"linear-probe", "er", "single-prompt", "dualprompt", "l2p", "mvp", "coda-prompt",
                                 "lwf", "finetune", "online-ewc", "online-lora"})
            QTest::newRow(name) << name;
    }
    void itIsTheRecursionAndAnswersInTheHeadsPlace() {
        QFETCH(QString, name);
        constexpr double kDecay = 0.7;
        const auto method = makeMethod(setupOf(name.toStdString(), kDecay));
        const auto plain = makeMethod(setupOf(name.toStdString(), 0));
        std::vector<Tensor> average;
        for (const auto& [key, tensor] : headOf(*method)) average.push_back(tensor.detach().to(at::kDouble).clone());
        for (std::uint64_t step = 1; step <= 5; ++step) {
            const double averaged = method->update(noiseBatch(6, step)).loss;
            // Training sees nothing of it.
            QCOMPARE(averaged, plain->update(noiseBatch(6, step)).loss);
            for (std::size_t i = 0; i < average.size(); ++i)
                average[i] = kDecay * average[i] + (1 - kDecay) * headOf(*method)[i].tensor.detach();
            const std::vector<Tensor> head = [&] {
                std::vector<Tensor> now;
                for (const auto& [key, tensor] : headOf(*method)) now.push_back(tensor.detach().clone());
                return now;
            }();
            std::vector<Tensor> rounded;
            for (std::size_t i = 0; i < average.size(); ++i) {
                const Tensor got = method->headAverage()->averages()[i].tensor;
                QVERIFY(at::allclose(got.to(at::kDouble), average[i], 1e-5, 1e-7));
                rounded.push_back(got.clone());
            }
            // The evaluation is that of the average, and the head is the same to the last bit behind it.
            const double expected = lossWith(*method, rounded);
            QVERIFY(std::abs(evaluated(*method).loss - expected) < 1e-6);
            QVERIFY(std::abs(evaluated(*plain).loss - lossWith(*method, head)) < 1e-6);
            QVERIFY(std::abs(expected - lossWith(*method, head)) > 1e-6);
            for (std::size_t i = 0; i < head.size(); ++i) {
                QVERIFY(headOf(*method)[i].tensor.equal(head[i]));
                QVERIFY(method->headAverage()->averages()[i].tensor.equal(rounded[i]));
            }
        }
    }

    void anUpdateOfTwoStepsIsFollowedTwice() {
        const auto method = makeMethod(setupOf("ewcpp", 0.5));
        MethodSetup probe = setupOf("ewcpp", 0.5);
        const Tensor first = headOf(*method)[0].tensor.detach().clone();
        method->update(noiseBatch(6, 1));
        // Adam's first steps are of about the learning rate, 0.005, whichever way: the average lies between.
        const Tensor now = headOf(*method)[0].tensor.detach(), average = method->headAverage()->averages()[0].tensor;
        const Tensor once = first.lerp(now, 0.5);
        QVERIFY(!at::allclose(average, once, 0, 1e-5));
    }

    void anEvaluationThatFailsGivesTheHeadBack() {
        const auto method = makeMethod(setupOf("linear-probe", 0.5));
        for (std::uint64_t step = 1; step <= 3; ++step) method->update(noiseBatch(6, step));
        const Tensor head = headOf(*method)[0].tensor.detach().clone();
        FourImages source;
        ClassRegistry registry;
        registry.expose({0, 1, 2, 3});
        Evaluator evaluator(*method, source, 4, true, 4, at::kCPU);
        QVERIFY_EXCEPTION_THROWN(evaluator.evaluate(registry, []() -> bool { throw runError("The end."); }), Error);
        QVERIFY(headOf(*method)[0].tensor.equal(head));
        QVERIFY(!evaluator.evaluate(registry, [] { return true; }).complete);
        QVERIFY(headOf(*method)[0].tensor.equal(head));
    }

    void itGoesOnFromItsStateAndBeginsInAForkThatHasNone() {
        const auto method = makeMethod(setupOf("single-prompt", 0.5));
        for (std::uint64_t step = 1; step <= 3; ++step) method->update(noiseBatch(6, step));
        const auto resumed = continued(*method, setupOf("single-prompt", 0.5));
        QVERIFY(resumed->headAverage()->averages()[0].tensor.equal(method->headAverage()->averages()[0].tensor));
        const auto plain = makeMethod(setupOf("single-prompt", 0));
        StateArchive without;
        plain->keep(without);
        for (const auto& [name, tensor] : without.tensors()) QVERIFY2(name.find("average") == name.npos, name.c_str());
        for (std::uint64_t step = 1; step <= 3; ++step) plain->update(noiseBatch(6, step));
        const auto fork = continued(*plain, setupOf("single-prompt", 0.5));
        QVERIFY(fork->headAverage()->averages()[0].tensor.equal(headOf(*plain)[0].tensor));
    }
};

PALIMPSEST_APPLESS_TEST(TestHeadAverage)

}  // namespace tst_head_average

#include "tst_head_average.moc"
