// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include <QtTest>

#include "engine/checkpoint/state_archive.h"
#include "engine/network/vit_shape.h"
#include "engine/support/error.h"
#include "engine/verify/golden_optimizer.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_optimizer {

namespace {

constexpr auto kAdam = OptimizerSettings::Kind::Adam;
constexpr auto kSgd = OptimizerSettings::Kind::Sgd;

/// PyTorch's own optimiser with the same settings.
std::unique_ptr<torch::optim::Optimizer> reference(const OptimizerSettings& s, const Tensor& parameter) {
    const std::vector<Tensor> parameters{parameter};
    if (s.kind == kAdam)
        return std::make_unique<torch::optim::Adam>(parameters, torch::optim::AdamOptions(s.learning_rate)
                                                                    .betas(std::make_tuple(s.beta1, s.beta2))
                                                                    .eps(s.epsilon)
                                                                    .weight_decay(s.weight_decay));
    return std::make_unique<torch::optim::SGD>(parameters, torch::optim::SGDOptions(s.learning_rate)
                                                               .momentum(s.momentum)
                                                               .nesterov(s.nesterov)
                                                               .weight_decay(s.weight_decay));
}

Tensor start() {
    return at::linspace(-1, 1, 12).reshape({3, 4}).set_requires_grad(true);
}

Tensor loss(const Tensor& parameter) {
    return (parameter * parameter * parameter - 0.3 * parameter).sin().sum() + (parameter - 0.5).pow(2).mean();
}

bool same(const OptimizerSettings& a, const OptimizerSettings& b) {
    return a.kind == b.kind && a.learning_rate == b.learning_rate && a.weight_decay == b.weight_decay &&
           a.decoupled_decay == b.decoupled_decay && a.beta1 == b.beta1 && a.beta2 == b.beta2 &&
           a.epsilon == b.epsilon && a.momentum == b.momentum && a.nesterov == b.nesterov;
}

/// Parameters of several shapes after three steps by `before` and, from its saved state, three by `after`; one has a
/// learning rate of its own, and one has no gradient in every other step. All in one row.
Tensor stepped(OptimizerSettings settings, AdamKernels before, AdamKernels after) {
    std::vector<NamedTensor> parameters{{"matrix", start()},
                                        {"bias", at::linspace(0.2, 2, 7).set_requires_grad(true)},
                                        {"sometimes", at::linspace(-2, 0, 10).reshape({2, 5}).set_requires_grad(true)}};
    TensorsByName state;
    for (const AdamKernels kernels : {before, after}) {
        settings.kernels = kernels;
        const auto optimizer = makeOptimizer(settings, parameters);
        optimizer->setOwnRate({parameters[1]}, settings.learning_rate / 10);
        if (!state.empty()) optimizer->restore(state);
        for (int step = 0; step < 3; ++step) {
            optimizer->zeroGradients();
            Tensor sum = loss(parameters[0].tensor) + loss(parameters[1].tensor);
            if (step % 2 == 0) sum = sum + loss(parameters[2].tensor);
            sum.backward();
            optimizer->step();
        }
        state = byTimmName(optimizer->state());
    }
    std::vector<Tensor> rows;
    for (const auto& [name, tensor] : parameters) rows.push_back(tensor.detach().flatten());
    return at::cat(rows);
}

void kernels_data() {
    QTest::addColumn<OptimizerSettings>("settings");
    QTest::newRow("Adam") << OptimizerSettings{.learning_rate = 0.1};
    QTest::newRow("betas, eps") << OptimizerSettings{
        .learning_rate = 0.1, .beta1 = 0.7, .beta2 = 0.95, .epsilon = 0.05};
    QTest::newRow("weight decay") << OptimizerSettings{.learning_rate = 0.1, .weight_decay = 0.3};
    QTest::newRow("decoupled") << OptimizerSettings{.learning_rate = 0.1, .weight_decay = 0.3, .decoupled_decay = true};
}

}  // namespace

class TestOptimizer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySettingActsAsInPyTorch_data() {
        QTest::addColumn<OptimizerSettings>("settings");
        const auto row = [](const char* name, const OptimizerSettings& settings) { QTest::newRow(name) << settings; };
        row("Adam", {.learning_rate = 0.1});
        row("Adam, betas", {.learning_rate = 0.1, .beta1 = 0.7, .beta2 = 0.95});
        row("Adam, eps", {.learning_rate = 0.1, .epsilon = 0.05});
        row("Adam, weight decay", {.learning_rate = 0.1, .weight_decay = 0.3});
        row("SGD", {.kind = kSgd, .learning_rate = 0.1});
        row("SGD, momentum", {.kind = kSgd, .learning_rate = 0.1, .momentum = 0.8});
        row("SGD, Nesterov", {.kind = kSgd, .learning_rate = 0.1, .momentum = 0.8, .nesterov = true});
        row("SGD, weight decay", {.kind = kSgd, .learning_rate = 0.1, .weight_decay = 0.3, .momentum = 0.8});
        row("official Adam", officialOptimizer("adam", 5e-3));
        row("official SGD", officialOptimizer("sgd", 1e-2));
    }
    void everySettingActsAsInPyTorch() {
        QFETCH(OptimizerSettings, settings);
        const Tensor ours = start(), theirs = start();
        const auto optimizer = makeOptimizer(settings, {{"p", ours}});
        const auto torchs = reference(settings, theirs);
        for (int step = 0; step < 6; ++step) {
            optimizer->zeroGradients();
            loss(ours).backward();
            optimizer->step();
            torchs->zero_grad();
            loss(theirs).backward();
            torchs->step();
        }
        QVERIFY((ours - start()).abs().max().item<double>() > 1e-3);
        QVERIFY((ours - theirs).abs().max().item<double>() < 1e-6);
    }

    void aRestoredOptimiserGoesOnBitForBit_data() { everySettingActsAsInPyTorch_data(); }
    void aRestoredOptimiserGoesOnBitForBit() {
        QFETCH(OptimizerSettings, settings);
        const auto steps = [](Optimizer& optimizer, const Tensor& parameter, int count) {
            for (int step = 0; step < count; ++step) {
                optimizer.zeroGradients();
                loss(parameter).backward();
                optimizer.step();
            }
        };
        const Tensor first = start(), second = start();
        const auto a = makeOptimizer(settings, {{"p", first}}), b = makeOptimizer(settings, {{"p", second}});
        steps(*a, first, 3);
        steps(*b, second, 1);
        const TensorsByName state = byTimmName(a->state());
        {
            NoGradGuard guard;
            second.copy_(first);
        }
        steps(*a, first, 3);  // the saved state is a copy and does not change
        b->restore(state);
        steps(*b, second, 3);
        QVERIFY(second.equal(first));
    }

    void aStateBeforeTheFirstStepIsAStateToo_data() { everySettingActsAsInPyTorch_data(); }
    void aStateBeforeTheFirstStepIsAStateToo() {
        QFETCH(OptimizerSettings, settings);
        const Tensor first = start(), second = start();
        const auto a = makeOptimizer(settings, {{"p", first}}), b = makeOptimizer(settings, {{"p", second}});
        b->restore(byTimmName(a->state()));
        for (const auto& [optimizer, parameter] : {std::pair{a.get(), first}, std::pair{b.get(), second}}) {
            loss(parameter).backward();
            optimizer->step();
        }
        QVERIFY(first.equal(second));
    }

    void listsOfTensorsGiveTheSameBits_data() { kernels_data(); }
    void listsOfTensorsGiveTheSameBits() {
        QFETCH(OptimizerSettings, settings);
        QVERIFY(stepped(settings, AdamKernels::Foreach, AdamKernels::Foreach)
                    .equal(stepped(settings, AdamKernels::Plain, AdamKernels::Plain)));
    }

    void fusedKernelsComputeTheSameFormula_data() { kernels_data(); }
    void fusedKernelsComputeTheSameFormula() {
        if (!hasFusedAdam(at::kCPU)) QSKIP("this LibTorch has no fused Adam for the processor");
        QFETCH(OptimizerSettings, settings);
        const Tensor plain = stepped(settings, AdamKernels::Plain, AdamKernels::Plain);
        QVERIFY(at::allclose(stepped(settings, AdamKernels::Fused, AdamKernels::Fused), plain, 1e-5, 1e-6));
        // A state of either serves the other, the number of steps included.
        QVERIFY(at::allclose(stepped(settings, AdamKernels::Plain, AdamKernels::Fused), plain, 1e-5, 1e-6));
        QVERIFY(at::allclose(stepped(settings, AdamKernels::Fused, AdamKernels::Plain), plain, 1e-5, 1e-6));
    }

    void theProcessorHasThePlainKernels() {
        for (const char* name : {"fused", "foreach", "plain"})
            QCOMPARE(adamKernels(name, at::kCPU), AdamKernels::Plain);
        QVERIFY_EXCEPTION_THROWN(adamKernels("fast", at::kCPU), Error);
    }

    void anUnfitStateIsRefused_data() {
        QTest::addColumn<OptimizerSettings>("settings");
        QTest::addColumn<QString>("name");
        for (const char* name : {"adam.mean.p", "adam.square.p", "adam.steps.p"})
            QTest::newRow(name) << officialOptimizer("adam", 0.1) << QString(name);
        QTest::newRow("sgd.velocity.p") << officialOptimizer("sgd", 0.1) << QString("sgd.velocity.p");
    }
    void anUnfitStateIsRefused() {
        QFETCH(OptimizerSettings, settings);
        QFETCH(QString, name);
        const auto optimizer = makeOptimizer(settings, {{"p", start()}});
        const TensorsByName whole = byTimmName(optimizer->state());
        QVERIFY(whole.contains(name.toStdString()));
        for (const bool missing : {true, false}) {
            TensorsByName state = whole;
            if (missing)
                state.erase(name.toStdString());
            else
                state[name.toStdString()] = at::zeros({2, 2});
            try {
                optimizer->restore(state);
                QFAIL("accepted");
            } catch (const Error& error) {
                QCOMPARE(error.kind(), ErrorKind::Input);
                QVERIFY2(QString(error.what()).contains(name), error.what());
            }
        }
    }

    void aRateOfItsOwnIsWhatPyTorchDoesAtThatRate_data() { everySettingActsAsInPyTorch_data(); }
    void aRateOfItsOwnIsWhatPyTorchDoesAtThatRate() {
        QFETCH(OptimizerSettings, settings);
        OptimizerSettings slow = settings;
        slow.learning_rate = settings.learning_rate / 100;
        const Tensor ours = start(), rest = start(), theirs = start(), theirRest = start();
        const auto optimizer = makeOptimizer(settings, {{"backbone", ours}, {"head", rest}});
        optimizer->setOwnRate({{"backbone", ours}}, slow.learning_rate);
        const auto torchs = reference(slow, theirs);
        const auto alone = makeOptimizer(settings, {{"head", theirRest}});
        for (int step = 0; step < 6; ++step) {
            if (step == 3) {
                // Halved for all of them.
                optimizer->setLearningRate(settings.learning_rate / 2);
                alone->setLearningRate(settings.learning_rate / 2);
                if (settings.kind == kAdam)
                    static_cast<torch::optim::AdamOptions&>(torchs->param_groups()[0].options())
                        .lr(slow.learning_rate / 2);
                else
                    static_cast<torch::optim::SGDOptions&>(torchs->param_groups()[0].options())
                        .lr(slow.learning_rate / 2);
            }
            optimizer->zeroGradients();
            (loss(ours) + loss(rest)).backward();
            optimizer->step();
            torchs->zero_grad();
            loss(theirs).backward();
            torchs->step();
            alone->zeroGradients();
            loss(theirRest).backward();
            alone->step();
        }
        QVERIFY((ours - start()).abs().max().item<double>() > 1e-5);
        QVERIFY((ours - theirs).abs().max().item<double>() < 1e-7);
        QVERIFY(rest.equal(theirRest));  // bit for bit
    }

    void aSavedShareOfTheLearningRateHoldsUnlessAnotherRateIsSet_data() {
        QTest::addColumn<double>("before");  // 0: none
        QTest::addColumn<double>("after");
        QTest::addColumn<double>("expected");  // of one step at the learning rate 0.2
        QTest::newRow("none") << 0.0 << 0.0 << 0.2;
        QTest::newRow("the same") << 0.01 << 0.01 << 0.02;  // a tenth of what the rate has become
        QTest::newRow("another") << 0.01 << 0.05 << 0.05;
        QTest::newRow("the first") << 0.0 << 0.05 << 0.05;
        QTest::newRow("none any more") << 0.01 << 0.0 << 0.2;
    }
    void aSavedShareOfTheLearningRateHoldsUnlessAnotherRateIsSet() {
        QFETCH(double, before);
        QFETCH(double, after);
        QFETCH(double, expected);
        const Tensor parameter = at::zeros({1}).set_requires_grad(true);
        const auto of = [&](double rate, double own) {
            auto optimizer = makeOptimizer({.kind = kSgd, .learning_rate = rate}, {{"p", parameter}});
            if (own > 0) optimizer->setOwnRate({{"p", parameter}}, own);
            return optimizer;
        };
        const auto first = of(0.1, before), second = of(0.2, after);
        first->setLearningRate(0.2);
        StateArchive saved;
        first->keep(saved);
        QCOMPARE(saved.tensors().contains("own.share"), before > 0);
        StateArchive again(saved.tensors(), at::kCPU);
        second->keep(again);
        parameter.sum().backward();
        second->step();
        QCOMPARE(-parameter.item<float>(), static_cast<float>(expected));
    }

    void decoupledDecayShrinksMatricesAlone() {
        const Tensor matrix = start(), vector = at::ones({3}).set_requires_grad(true);
        const auto optimizer = makeOptimizer({.learning_rate = 0.1, .weight_decay = 0.5, .decoupled_decay = true},
                                             {{"matrix", matrix}, {"vector", vector}});
        (matrix.sum() * 0 + vector.sum() * 0).backward();
        optimizer->step();
        QVERIFY(matrix.allclose(start() * 0.95));
        QVERIFY(vector.equal(at::ones({3})));
    }

    void wordsAreReadWhole_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<OptimizerSettings>("settings");
        const auto row = [](const char* words, const OptimizerSettings& settings) {
            QTest::newRow(words) << QString(words) << settings;
        };
        row("Adam lr 5e-3", {.learning_rate = 5e-3});
        row("Adam lr 5e-3 betas (0.9,0.999) eps 1e-8 wd 0", {.learning_rate = 5e-3});
        row("ADAM betas (.8, 0.99), eps=1e-6, weight_decay 1e-2, lr 1",
            {.learning_rate = 1, .weight_decay = 1e-2, .beta1 = 0.8, .beta2 = 0.99, .epsilon = 1e-6});
        row("SGD lr 1e-2", {.kind = kSgd, .learning_rate = 1e-2});
        row("SGD momentum 0.8 nesterov wd 5e-4 lr 2e-2",
            {.kind = kSgd, .learning_rate = 2e-2, .weight_decay = 5e-4, .momentum = 0.8, .nesterov = true});
        row("sgd lr 1e-2 weight_decay 1e-4 momentum 0.9 lr 0.01",
            {.kind = kSgd, .learning_rate = 1e-2, .weight_decay = 1e-4, .momentum = 0.9});
    }
    void wordsAreReadWhole() {
        QFETCH(QString, words);
        QFETCH(OptimizerSettings, settings);
        QVERIFY(same(parseOptimizer(words.toStdString()), settings));
    }

    void otherWordsAreRefused_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* words, const char* why) {
            QTest::newRow(words) << QString(words) << QString(why);
        };
        row("", "names no optimiser");
        row("Lion lr 1e-3", "names no optimiser");
        row("AdamW lr 1e-3", "names no optimiser");
        row("fam (base Adam) lr 1e-4 rho 0.1", "names no optimiser");
        row("Adam lr 1e-3 amsgrad", "\"amsgrad\"");
        row("Adam lr 5e-3 adaptive (lr_step .95)", "\"adaptive\"");
        row("Adam lr 1e-3 momentum 0.9", "\"momentum\"");
        row("SGD lr 1e-3 betas (0.9,0.999)", "\"betas\"");
        row("SGD momentum 0.9 nesterov", "no learning rate");
        row("Adam lr", "no number of zero or more for lr");
        row("Adam lr fast", "no number of zero or more for lr");
        row("Adam lr 1e-3x", "no number of zero or more for lr");
        row("Adam lr nan", "no number of zero or more for lr");
        row("Adam lr -1", "no number of zero or more for lr");
        row("Adam lr 1e-3 betas (0.9)", "no number of zero or more for beta 2");
        row("Adam lr 1e-3 betas (0.9,1)", "beta that is not below 1");
        row("SGD lr 1e-3 nesterov", "Nesterov without momentum");
        row("Adam lr 1e-3 lr 2e-3", "gives lr twice");
        row("Adam lr 1e-3 wd 0 weight_decay 1", "gives weight_decay twice");
    }
    void otherWordsAreRefused() {
        QFETCH(QString, words);
        QFETCH(QString, why);
        try {
            parseOptimizer(words.toStdString());
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            QVERIFY2(QString(error.what()).contains("\"" + words + "\""), error.what());
            QVERIFY2(QString(error.what()).contains(why), error.what());
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestOptimizer)

}  // namespace tst_optimizer

#include "tst_optimizer.moc"
