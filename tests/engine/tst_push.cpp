// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/linear_head.h"
#include "engine/train/push_totals.h"
#include "tests/support/own_methods.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_push {

namespace {

constexpr std::int64_t kImages = 6, kClasses = 5;

UpdateInput batchOf(bool hides, MaskForm form) {
    UpdateInput input;
    input.units = at::tensor(std::vector<std::int64_t>{0, 2, 2, 0, 3, 0});
    std::vector<bool> visible(kClasses, true);
    if (hides) visible[1] = visible[4] = false;
    input.mask = additiveMask(visible, at::kCPU);
    input.form = form;
    return input;
}

Tensor someLogits() {
    Tensor logits = at::zeros({kImages, kClasses});
    Random random(7);
    fillNormal(logits, random);
    return (3 * logits).requires_grad_(true);
}

/// A unit that the mask lets through.
UnitPush pushed(double targets, double probabilities) {
    return {targets, probabilities, false};
}

const std::vector<std::int32_t> kSeen{30, 10, 20};

}  // namespace

class TestPush : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The mean cross-entropy's gradient times the number of images, with the other sign.
    void aPushIsTheGradientOfTheLoss_data() {
        QTest::addColumn<bool>("hides");
        QTest::addColumn<bool>("multiplicative");
        QTest::addColumn<int>("mixed");
        QTest::newRow("no mask") << false << false << 0;
        QTest::newRow("a mask") << true << false << 0;
        QTest::newRow("a mask that multiplies") << true << true << 0;
        QTest::newRow("mixed images") << false << false << 1;
        QTest::newRow("mixed images under a mask") << true << false << 1;
        QTest::newRow("each mixed by itself") << false << false << 2;
    }
    void aPushIsTheGradientOfTheLoss() {
        QFETCH(bool, hides);
        QFETCH(bool, multiplicative);
        QFETCH(int, mixed);
        UpdateInput input = batchOf(hides, multiplicative ? MaskForm::Multiplicative : MaskForm::Additive);
        const Tensor others = at::tensor(std::vector<std::int64_t>{3, 0, 2, 2, 0, 3});
        if (mixed == 1) input.mix = {others, 0.7, {}};
        if (mixed == 2) input.mix = {others, 1, at::tensor(std::vector<float>{0.2F, 1, 0.5F, 0.9F, 0, 0.4F})};
        const Tensor logits = someLogits();
        const ForwardResult forward = plainForward(logits, input);
        forward.loss.backward();
        const Tensor expected = -kImages * logits.grad().sum(0);
        const std::vector<UnitPush> pushes = unitPushes(forward.pushed);
        QCOMPARE(std::ssize(pushes), kClasses);
        double sum = 0;
        for (std::int64_t unit = 0; unit < kClasses; ++unit) {
            const UnitPush& push = pushes[static_cast<std::size_t>(unit)];
            QCOMPARE(push.hidden, hides && (unit == 1 || unit == 4));
            if (push.hidden) continue;
            sum += push.push();
            const auto gradient = expected[unit].item<double>();
            QVERIFY2(std::abs(push.push() - gradient) < 1e-5,
                     qPrintable(QString("unit %1: %2, not %3").arg(unit).arg(push.push()).arg(gradient)));
        }
        if (!multiplicative) QVERIFY2(std::abs(sum) < 1e-5, "what one class gains, others lose");
    }

    void everyMethodThatLearnsByCrossEntropyTellsItsPushes_data() {
        QTest::addColumn<QString>("name");
        for (const auto& entry : test::ownMethods())
            QTest::newRow(entry.choice.value.c_str()) << QString::fromStdString(entry.choice.value);
    }
    void everyMethodThatLearnsByCrossEntropyTellsItsPushes() {
        QFETCH(QString, name);
        const auto method = makeMethod(smallSetup(name.toStdString()));
        const UpdateInput input = noiseBatch(6, 3);
        const UpdateResult result = method->update(input);
        // Heads that are computed from sums push nothing.
        if (!method->hasOptimizer()) {
            QVERIFY(result.pushes.empty());
            return;
        }
        QCOMPARE(result.pushes.size(), std::size_t(4));
        double sum = 0, targets = 0;
        for (const UnitPush& push : result.pushes) {
            sum += push.push();
            targets += push.targets;
        }
        QCOMPARE(targets, 6.0);
        QVERIFY2(std::abs(sum) < 1e-4, qPrintable(QString::number(sum)));
        QVERIFY(result.pushes[0].push() != 0);
        QVERIFY2(result.pushes[3].push() < 0, "a class without an image is pushed down");
    }

    void aBatchIsTheSumOfItsUpdates() {
        PushTotals totals;
        QVERIFY(totals.ofBatch(kSeen).empty());
        const std::vector<UnitPush> first{pushed(2, 0.5), pushed(0, 1), {0, 0, true}};
        const std::vector<UnitPush> second{pushed(2, 1.5), pushed(0, 0.25), {0, 0, true}};
        totals.add(first);
        totals.add(second);
        const std::vector<ClassPush> expected{{30, 2.0, 0}, {10, -1.25, -1.25}, {20, std::nullopt, 0}};
        QCOMPARE(totals.ofBatch(kSeen), expected);
        QCOMPARE(totals.ofBatch({30}), std::vector<ClassPush>{expected[0]});
        totals.beginBatch();
        QVERIFY(totals.ofBatch(kSeen).empty());
    }

    void whatCameSinceAClassWasLearnedBeginsAnewWithIt() {
        PushTotals totals;
        for (int i = 0; i < 3; ++i) totals.add(std::vector{pushed(1, 0.5), pushed(0, 0.5)});
        QCOMPARE(totals.ofBatch({30, 10})[1].since, -1.5);
        // A hidden class stays where it was.
        totals.add(std::vector<UnitPush>{pushed(1, 1), {0, 0, true}});
        QCOMPARE(totals.ofBatch({30, 10})[1].since, -1.5);
        totals.add(std::vector{pushed(0, 0.25), pushed(1, 0.75)});
        QCOMPARE(totals.ofBatch({30, 10})[1].since, 0.0);
        QCOMPARE(totals.ofBatch({30, 10})[0].since, -0.25);
        // A past image in a batch of its own is an image of it, too.
        totals.add(std::vector{pushed(0, 0.25), pushed(1, 0.75)}, std::vector<std::int64_t>{0});
        QCOMPARE(totals.ofBatch({30, 10})[0].since, 0.0);
        totals.add(std::vector{pushed(0, 0.25), pushed(1, 0.75)}, std::vector<std::int64_t>{7});
        QCOMPARE(totals.ofBatch({30, 10})[0].since, -0.25);
    }

    void takingBeginsAnewAndIsKept() {
        PushTotals totals;
        totals.add(std::vector<UnitPush>{pushed(1, 0.5), pushed(0, 0.5), {0, 0, true}});
        StateArchive saved;
        totals.keep(saved);
        const std::vector<ClassPush> taken = totals.take(kSeen);
        QCOMPARE(taken, (std::vector<ClassPush>{{30, 0.5, 0}, {10, -0.5, -0.5}, {20, std::nullopt, 0}}));
        QVERIFY(totals.take(kSeen).empty());

        PushTotals again;
        StateArchive restored(saved.tensors(), at::kCPU);
        again.keep(restored);
        QCOMPARE(again.take(kSeen), taken);

        // States of older versions say nothing of it.
        PushTotals older;
        StateArchive nothing(TensorsByName(), at::kCPU);
        older.keep(nothing);
        QVERIFY(older.take(kSeen).empty());
    }
};

PALIMPSEST_APPLESS_TEST(TestPush)

}  // namespace tst_push

#include "tst_push.moc"
