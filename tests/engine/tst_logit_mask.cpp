// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/method/linear_head.h"
#include "engine/optim/output_units.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_logit_mask {

class TestLogitMask : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void visibleUnitsAreZeroAndHiddenOnesMinusInfinity() {
        const Tensor mask = additiveMask({true, false, true}, at::kCPU);
        QCOMPARE(mask[0].item<float>(), 0.0f);
        QVERIFY(std::isinf(mask[1].item<float>()) && mask[1].item<float>() < 0);
        QCOMPARE(mask[2].item<float>(), 0.0f);
    }

    void seenMaskHidesClassesNotYetShown() {
        const Tensor mask = seenMask(2, 4, at::kCPU);
        QVERIFY(std::isfinite(mask[1].item<float>()));
        QVERIFY(std::isinf(mask[2].item<float>()));
    }

    void hiddenUnitsHaveProbabilityZeroAndGetNoGradient() {
        const Tensor logits = at::tensor(std::vector<float>{5, 9, 1, 2}).reshape({1, 4}).requires_grad_(true);
        UpdateInput input;
        input.units = at::zeros({1}, at::kLong);
        input.mask = additiveMask({true, false, true, false}, at::kCPU);
        const ForwardResult result = plainForward(logits, input);
        result.loss.backward();
        QCOMPARE(logits.grad()[0][1].item<float>(), 0.0f);
        QCOMPARE(logits.grad()[0][3].item<float>(), 0.0f);
        QVERIFY(logits.grad()[0][2].item<float>() > 0);
        const double expected = -std::log(std::exp(5.0) / (std::exp(5.0) + std::exp(1.0)));
        QVERIFY(std::abs(result.loss.item<double>() - expected) < 1e-6);
        QCOMPARE(result.accuracy.item<double>(), 1.0);
    }

    void multipliedUnitsKeepTheLogitZeroAndCompete() {
        const Tensor logits = at::tensor(std::vector<float>{-1, 9, -2, 7}).reshape({1, 4}).requires_grad_(true);
        UpdateInput input;
        input.units = at::zeros({1}, at::kLong);
        input.mask = additiveMask({true, false, true, false}, at::kCPU);
        QCOMPARE(plainForward(logits, input).accuracy.item<double>(), 1.0);
        input.form = MaskForm::Multiplicative;
        const ForwardResult result = plainForward(logits, input);
        result.loss.backward();
        const double expected = -std::log(std::exp(-1.0) / (std::exp(-1.0) + 1 + std::exp(-2.0) + 1));
        QVERIFY(std::abs(result.loss.item<double>() - expected) < 1e-6);
        QCOMPARE(result.accuracy.item<double>(), 0.0);  // a hidden class is first with its 0
        QVERIFY(result.logits.equal(logits));
        QCOMPARE(logits.grad()[0][1].item<float>(), 0.0f);
        QCOMPARE(logits.grad()[0][3].item<float>(), 0.0f);
        QVERIFY(logits.grad()[0][0].item<float>() < 0 && logits.grad()[0][2].item<float>() > 0);
    }

    void withoutHiddenUnitsBothFormsAreTheSame() {
        const Tensor logits = at::tensor(std::vector<float>{1, -9, 3}).reshape({1, 3});
        const Tensor mask = seenMask(3, 3, at::kCPU);
        QVERIFY(maskedLogits(logits, mask, MaskForm::Multiplicative).equal(logits));
        QVERIFY(maskedLogits(logits, mask, MaskForm::Additive).equal(logits));
    }

    void batchOfOneClassLosesNothing() {
        const Tensor logits = at::tensor(std::vector<float>{1, 9}).reshape({1, 2}).requires_grad_(true);
        UpdateInput input;
        input.units = at::zeros({1}, at::kLong);
        input.mask = additiveMask({true, false}, at::kCPU);
        const ForwardResult result = plainForward(logits, input);
        result.loss.backward();
        QCOMPARE(result.loss.item<double>(), 0.0);
        QCOMPARE(logits.grad().abs().max().item<float>(), 0.0f);
    }
};

PALIMPSEST_APPLESS_TEST(TestLogitMask)

}  // namespace tst_logit_mask

#include "tst_logit_mask.moc"
