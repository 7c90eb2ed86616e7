// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/class_readout.h"
#include "engine/method_options/block_prompt_options.h"
#include "engine/method_options/readout_options.h"
#include "engine/support/error.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_class_readout {

namespace {

constexpr std::int64_t kWidth = 32, kClasses = 4;

MethodSetup setupOf(const std::string& name, const std::string& kind, double ridge = 0.5) {
    MethodSetup setup = smallSetup(name, kClasses);
    setup.method.of<ReadoutOptions>() = {kind, ridge};
    return setup;
}

/// Features of SinglePrompt for images, from its own tensors: the first block's rows and so on.
Tensor promptedFeatures(const MethodSetup& setup, const Method& method, const Tensor& images) {
    NoGradGuard guard;
    const BlockPromptOptions& options = setup.method.of<BlockPromptOptions>();
    const Tensor prompt = named(method.trainable(), "prompt").reshape({options.blocks, 2, options.length, kWidth}) +
                          setup.vit->classPosition();
    std::vector<Tensor> extra;
    for (std::int64_t i = 0; i < options.blocks; ++i)
        extra.push_back(at::cat({prompt[i][0], prompt[i][1]}, 1).unsqueeze(0));
    return setup.vit->features(images, extra);
}

double cosineOf(const Tensor& a, const Tensor& b) {
    double product = 0, left = 0, right = 0;
    for (std::int64_t k = 0; k < kWidth; ++k) {
        const double x = a[k].item<double>(), y = b[k].item<double>();
        product += x * y;
        left += x * x;
        right += y * y;
    }
    return product / std::sqrt(left * right);
}

}  // namespace

class TestClassReadout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itDecidesByWhatThePromptsShowedThen_data() {
        QTest::addColumn<QString>("kind");
        QTest::newRow("class means") << "ncm";
        QTest::newRow("ridge") << "ridge";
    }
    void itDecidesByWhatThePromptsShowedThen() {
        QFETCH(QString, kind);
        const MethodSetup setup = setupOf("single-prompt", kind.toStdString());
        const auto method = makeMethod(setup);
        std::vector<Tensor> features;
        std::vector<std::int64_t> units;
        for (std::uint64_t step = 1; step <= 4; ++step) {
            const UpdateInput input = noiseBatch(6, step);
            // Before the step: the prompts move, and what was counted stays.
            const Tensor now = promptedFeatures(setup, *method, input.images);
            for (std::int64_t i = 0; i < 6; ++i) features.push_back(now[i]);
            for (const std::int64_t unit : indexVector(input.units)) units.push_back(unit);
            method->update(input);
        }
        const Tensor images = noiseImages(5, 99), tested = promptedFeatures(setup, *method, images);
        const Tensor scores = method->logits(images, {});
        QVERIFY(!scores.requires_grad());
        if (kind == "ncm") {
            for (std::int64_t c = 0; c < 3; ++c) {
                Tensor sum = at::zeros({kWidth});
                for (std::size_t s = 0; s < features.size(); ++s)
                    if (units[s] == c) sum = sum + features[s] / 8;  // eight images of each class
                for (std::int64_t i = 0; i < 5; ++i)
                    QVERIFY(std::abs(scores[i][c].item<double>() - cosineOf(tested[i], sum)) < 1e-4);
            }
        } else {
            Tensor gram = at::eye(kWidth, at::kDouble) * 0.5, right = at::zeros({kWidth, kClasses}, at::kDouble);
            for (std::size_t s = 0; s < features.size(); ++s) {
                const Tensor row = features[s].to(at::kDouble);
                gram = gram + at::outer(row, row);
                right.select(1, units[s]).add_(row);
            }
            const Tensor expected = at::matmul(tested.to(at::kDouble), at::matmul(at::linalg_inv(gram), right));
            QVERIFY(largestDifference(scores.narrow(1, 0, 3), expected.narrow(1, 0, 3)) < 1e-3);
        }
        // A class without an image comes last.
        for (std::int64_t i = 0; i < 5; ++i)
            QVERIFY(scores[i][3].item<double>() < scores[i].narrow(0, 0, 3).min().item<double>());
    }

    void promptsAndHeadLearnAsEver_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"dualprompt", "l2p", "mvp", "single-prompt", "fly-prompt", "coda-prompt"})
            QTest::newRow(name) << name;
    }
    void promptsAndHeadLearnAsEver() {
        QFETCH(QString, name);
        const auto plain = makeMethod(setupOf(name.toStdString(), "head"));
        const auto read = makeMethod(setupOf(name.toStdString(), "ncm"));
        const Tensor images = noiseImages(5, 99);
        for (std::uint64_t step = 1; step <= 4; ++step) {
            QCOMPARE(read->update(noiseBatch(6, step)).loss, plain->update(noiseBatch(6, step)).loss);
            NoGradGuard guard;
            read->beginEvaluation({});
            const Tensor scores = read->logits(images, read->frozenFeatures(images));
            QVERIFY(scores.narrow(1, 0, 3).abs().max().item<double>() <= 1 + 1e-5);  // cosines
        }
        for (std::size_t i = 0; i < plain->trainable().size(); ++i)
            QVERIFY2(read->trainable()[i].tensor.equal(plain->trainable()[i].tensor),
                     plain->trainable()[i].name.c_str());
        QVERIFY(named(read->keptTensors(), "readout.n").sum().item<double>() == 24);
        QVERIFY(!named(plain->keptTensors(), "readout.n").defined());
        StateArchive saved;
        plain->keep(saved);
        for (const auto& [key, tensor] : saved.tensors()) QVERIFY2(key.find("readout") == key.npos, key.c_str());
    }

    void itGoesOnFromItsStateWithTheSameBits() {
        for (const char* kind : {"ncm", "ridge"}) {
            const MethodSetup setup = setupOf("single-prompt", kind);
            const auto method = makeMethod(setup);
            for (std::uint64_t step = 1; step <= 3; ++step) method->update(noiseBatch(6, step));
            StateArchive saved;
            method->keep(saved);
            const auto resumed = makeMethod(setup);
            StateArchive restored(saved.tensors(), at::kCPU);
            resumed->keep(restored);
            QVERIFY(resumed->logits(noiseImages(5, 9), {}).equal(method->logits(noiseImages(5, 9), {})));
        }
    }

    void inAForkTheSumsBegin() {
        const auto plain = makeMethod(setupOf("single-prompt", "head"));
        plain->update(noiseBatch(6, 1));
        StateArchive saved;
        plain->keep(saved);
        const auto fork = makeMethod(setupOf("single-prompt", "ncm"));
        StateArchive past(saved.tensors(), at::kCPU);
        fork->keep(past);
        QVERIFY(fork->logits(noiseImages(5, 9), {}).eq(0).all().item<bool>());  // nothing is known yet
        fork->update(noiseBatch(6, 2));
        QVERIFY(named(fork->keptTensors(), "readout.n").sum().item<double>() == 6);
    }

    void anUnknownReadoutIsRefused() { QVERIFY_EXCEPTION_THROWN(makeMethod(setupOf("l2p", "some")), Error); }
};

PALIMPSEST_APPLESS_TEST(TestClassReadout)

}  // namespace tst_class_readout

#include "tst_class_readout.moc"
