// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/checkpoint/state_archive.h"
#include "engine/support/error.h"
#include "engine/train/nearest_means.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_nearest_means {

/// Features [3, 2]: two of one direction but of other lengths, and one across.
Tensor threeFeatures() {
    return at::tensor({3.0F, 0.0F, 0.5F, 0.1F, 0.0F, 2.0F}).view({3, 2});
}

class TestNearestMeans : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theNearestMeanByCosineAnswers() {
        NearestMeans means(4);
        QVERIFY(means.empty());
        means.learn(threeFeatures(), std::vector<std::int64_t>{2, 2, 0});
        QVERIFY(!means.empty());
        // A long vector counts by its direction; units 1 and 3 have no image, so they never answer.
        const Tensor asked = at::tensor({100.0F, 20.0F, 0.1F, 0.2F, -1.0F, -0.1F}).view({3, 2});
        QCOMPARE(means.nearest(asked), (std::vector<std::int64_t>{2, 0, 0}));
    }

    void batchesCountAsTheyWouldTogether() {
        NearestMeans together(3), apart(3);
        const Tensor features = threeFeatures();
        const std::vector<std::int64_t> units{1, 2, 1};
        together.learn(features, units);
        for (std::int64_t i = 0; i < 3; ++i) apart.learn(features.narrow(0, i, 1), std::span(units).subspan(i, 1));
        StateArchive first, second;
        together.keep(first);
        apart.keep(second);
        const TensorsByName a = first.tensors(), b = second.tensors();
        QCOMPARE(a.size(), b.size());
        for (const auto& [name, tensor] : a) QVERIFY2(at::equal(tensor, b.at(name)), name.c_str());
    }

    void aRestoredOneGoesOn() {
        NearestMeans before(3);
        before.learn(threeFeatures(), std::vector<std::int64_t>{0, 0, 1});
        StateArchive saved;
        before.keep(saved);
        NearestMeans after(3);
        StateArchive restored(saved.tensors(), at::kCPU);
        after.keep(restored);
        const Tensor asked = at::tensor({1.0F, 0.0F, 0.0F, 1.0F}).view({2, 2});
        QCOMPARE(after.nearest(asked), before.nearest(asked));
        NearestMeans other(5);
        StateArchive again(saved.tensors(), at::kCPU);
        QVERIFY_THROWS_EXCEPTION(Error, other.keep(again));
    }

    void aStateWithoutItLeavesNone() {
        NearestMeans means(3);
        StateArchive nothing(TensorsByName(), at::kCPU);
        means.keep(nothing);
        means.learn(threeFeatures(), std::vector<std::int64_t>{0, 0, 1});
        QVERIFY2(means.empty(), "means of a part of the stream are no reference");
    }
};

PALIMPSEST_APPLESS_TEST(TestNearestMeans)

}  // namespace tst_nearest_means

#include "tst_nearest_means.moc"
