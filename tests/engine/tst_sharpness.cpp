// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/config/method_declaration.h"
#include "engine/method_options/prompt_options.h"
#include "engine/method_options/readout_options.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/optim/perturbation.h"
#include "engine/support/error.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_sharpness {

namespace {

constexpr double kReach = 0.3, kRate = 0.1;

MethodSetup plainSteps(const std::string& name, std::int64_t blocks = 0) {
    MethodSetup setup = smallSetup(name);
    OptimizerSettings sgd;
    sgd.kind = OptimizerSettings::Kind::Sgd;
    sgd.learning_rate = kRate;
    setup.exact_optimizer = sgd;
    setup.method.of<DualPromptOptions>().trained_blocks = blocks;
    return setup;
}

UpdateInput sharpBatch(std::uint64_t seed = 5) {
    UpdateInput input = noiseBatch(6, seed);
    input.sam_reach = kReach;
    return input;
}

std::vector<NamedTensor> copied(const std::vector<NamedTensor>& tensors) {
    std::vector<NamedTensor> copies;
    for (const auto& [name, tensor] : tensors) copies.push_back({name, tensor.detach().clone()});
    return copies;
}

/// Gradients of the loss, by the parameters' order; zeros where there is none.
std::vector<Tensor> gradientsOf(Method& method, const UpdateInput& input) {
    for (const auto& [name, tensor] : method.trainable()) {
        Tensor live = tensor;
        live.mutable_grad() = Tensor();
    }
    method.forward(input).loss.backward();
    std::vector<Tensor> gradients;
    for (const auto& [name, tensor] : method.trainable())
        gradients.push_back(tensor.grad().defined() ? tensor.grad().clone() : at::zeros_like(tensor));
    return gradients;
}

}  // namespace

class TestSharpness : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theStepFollowsTheGradientUphill_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("blocks");
        for (const char* name : {"linear-probe", "dualprompt", "l2p", "single-prompt", "finetune"})
            QTest::newRow(name) << name << 0;
        QTest::newRow("dualprompt with a block") << "dualprompt" << 1;
    }
    void theStepFollowsTheGradientUphill() {
        QFETCH(QString, name);
        QFETCH(int, blocks);
        const auto method = makeMethod(plainSteps(name.toStdString(), blocks));
        const auto byHand = makeMethod(plainSteps(name.toStdString(), blocks));
        const UpdateInput input = sharpBatch();
        const double loss = byHand->forward(input).loss.item<double>();

        const std::vector<NamedTensor> start = copied(byHand->trainable());
        const std::vector<Tensor> first = gradientsOf(*byHand, input);
        double square = 0;
        for (const Tensor& gradient : first) square += gradient.to(at::kDouble).square().sum().item<double>();
        {
            NoGradGuard guard;
            for (std::size_t i = 0; i < first.size(); ++i) {
                Tensor live = byHand->trainable()[i].tensor;
                live.add_(first[i], kReach / std::sqrt(square));
            }
        }
        const std::vector<Tensor> second = gradientsOf(*byHand, input);

        const UpdateResult result = method->update(input);
        QVERIFY(std::abs(result.loss - loss) < 1e-6);
        bool other = false;
        for (std::size_t i = 0; i < second.size(); ++i) {
            const Tensor expected = start[i].tensor - kRate * second[i];
            QVERIFY2(largestDifference(method->trainable()[i].tensor, expected) < 1e-5, start[i].name.c_str());
            other = other || largestDifference(first[i], second[i]) > 1e-4;
        }
        QVERIFY2(other, "the two gradients are the same, so the test tells nothing");
    }

    void whatWasMovedComesBackToTheBit() {
        const auto method = makeMethod(plainSteps("linear-probe"));
        const std::vector<NamedTensor> before = copied(method->trainable());
        gradientsOf(*method, sharpBatch());
        {
            const Perturbation moved(method->trainable(), kReach);
            double square = 0;
            for (std::size_t i = 0; i < before.size(); ++i)
                square += (method->trainable()[i].tensor - before[i].tensor).square().sum().item<double>();
            QVERIFY(std::abs(std::sqrt(square) - kReach) < 1e-5);
            QVERIFY(moved.norm() > 0);
        }
        for (std::size_t i = 0; i < before.size(); ++i) QVERIFY(method->trainable()[i].tensor.equal(before[i].tensor));
    }

    void aReadoutCountsEachImageOnce_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"dualprompt", "l2p", "single-prompt"}) QTest::newRow(name) << name;
    }
    void aReadoutCountsEachImageOnce() {
        QFETCH(QString, name);
        MethodSetup setup = plainSteps(name.toStdString());
        setup.method.of<ReadoutOptions>().kind = "ncm";
        const auto sharp = makeMethod(setup), plain = makeMethod(setup);
        UpdateInput input = sharpBatch();
        sharp->update(input);
        input.sam_reach = 0;
        plain->update(input);
        const auto a = sharp->keptTensors(), b = plain->keptTensors();
        QVERIFY(!a.empty());
        for (std::size_t i = 0; i < a.size(); ++i) QVERIFY2(a[i].tensor.equal(b[i].tensor), a[i].name.c_str());
    }

    void methodsSayWhetherTheyKnowSam() {
        for (const MethodDeclaration& declared : methodDeclarations()) {
            if (declared.choice.value == "external") continue;  // a program of its own
            const auto method = makeMethod(smallSetup(declared.choice.value));
            QVERIFY2(method->takesSharpness() == declared.knows_sam, declared.choice.value.c_str());
        }
    }

    void theLastBlocksLearnAndTheQueriesStay() {
        MethodSetup setup = plainSteps("dualprompt", 2);
        const auto method = makeMethod(setup);
        const auto plain = makeMethod(plainSteps("dualprompt"));
        QCOMPARE(plain->trainedBackbone().size(), std::size_t{0});
        const std::vector<NamedTensor> blocks = method->trainedBackbone();
        QCOMPARE(blocks.size(), std::size_t{24});
        for (const NamedTensor& entry : blocks)
            QVERIFY2(entry.name.starts_with("backbone.blocks.3.") || entry.name.starts_with("backbone.blocks.4."),
                     entry.name.c_str());
        QCOMPARE(method->trainable().size(), plain->trainable().size() + 24);

        const Tensor images = noiseImages(4, 3);
        const auto answer = [&](Method& one) {
            NoGradGuard guard;
            return one.logits(images, one.frozenFeatures(images));
        };
        QVERIFY(largestDifference(answer(*method), answer(*plain)) < 1e-4);
        const Tensor query = method->frozenFeatures(images).clone();
        const std::vector<NamedTensor> before = copied(blocks), backbone = copied(setup.vit->parameters());
        for (std::uint64_t step = 0; step < 3; ++step) method->update(noiseBatch(6, step));
        for (std::size_t i = 0; i < before.size(); ++i)
            QVERIFY2(!blocks[i].tensor.equal(before[i].tensor), before[i].name.c_str());
        QVERIFY(method->frozenFeatures(images).equal(query));
        for (std::size_t i = 0; i < backbone.size(); ++i)
            QVERIFY2(setup.vit->parameters()[i].tensor.equal(backbone[i].tensor), backbone[i].name.c_str());
    }

    void theBlocksMayHaveARateOfTheirOwn() {
        MethodSetup setup = plainSteps("dualprompt", 1);
        setup.method.of<BackboneRateOptions>().learning_rate = kRate / 10;
        const auto slow = makeMethod(setup), fast = makeMethod(plainSteps("dualprompt", 1));
        const Tensor start = slow->trainedBackbone().front().tensor.detach().clone();
        const UpdateInput input = noiseBatch(6, 2);
        slow->update(input);
        fast->update(input);
        const double little = largestDifference(slow->trainedBackbone().front().tensor, start);
        const double much = largestDifference(fast->trainedBackbone().front().tensor, start);
        QVERIFY2(little > 0 && std::abs(much / little - 10) < 0.5, qPrintable(QString::number(much / little)));
    }

    void moreBlocksThanThereAreAreRefused() {
        QVERIFY_THROWS_EXCEPTION(Error, makeMethod(plainSteps("dualprompt", 6)));
        QCOMPARE(makeMethod(plainSteps("dualprompt", 5))->trainedBackbone().size(), std::size_t{60});
    }
};

PALIMPSEST_APPLESS_TEST(TestSharpness)

}  // namespace tst_sharpness

#include "tst_sharpness.moc"
