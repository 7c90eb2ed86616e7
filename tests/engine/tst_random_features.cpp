// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/method/random_features.h"
#include "tests/support/normal_tensor.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_random_features {

namespace {

using Kind = RandomFeatures::Kind;

/// What a feature gets from each input alone: the matrix of an expansion that is linear but for what it leaves out.
Tensor columns(const RandomFeatures& expansion, std::int64_t width) {
    return expansion(at::eye(width, at::kFloat));
}

}  // namespace

class TestRandomFeatures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutFeaturesTheInputStaysAsItIs_data() {
        QTest::addColumn<int>("kind");
        for (const Kind kind : {Kind::Relu, Kind::Sparse, Kind::Sigmoid, Kind::Fourier})
            QTest::addRow("%d", static_cast<int>(kind)) << static_cast<int>(kind);
    }
    void withoutFeaturesTheInputStaysAsItIs() {
        QFETCH(int, kind);
        const RandomFeatures expansion(6, 0, Random(1), at::kCPU, static_cast<Kind>(kind));
        const Tensor input = normalTensor({3, 6}, 2);
        QVERIFY(expansion(input).equal(input));
        QCOMPARE(expansion.size(), std::int64_t{6});
    }

    void aSampleHasTheSameFeaturesWhateverIsBesideIt_data() { withoutFeaturesTheInputStaysAsItIs_data(); }
    void aSampleHasTheSameFeaturesWhateverIsBesideIt() {
        QFETCH(int, kind);
        const RandomFeatures expansion(6, 40, Random(1), at::kCPU, static_cast<Kind>(kind));
        const Tensor input = normalTensor({5, 6}, 2), all = expansion(input), one = expansion(input.narrow(0, 3, 1));
        QVERIFY(all.sizes() == at::IntArrayRef({5, 40}));
        QVERIFY(at::allclose(one, all.narrow(0, 3, 1), 1e-5, 1e-6));
        const RandomFeatures other(6, 40, Random(2), at::kCPU, static_cast<Kind>(kind));
        QVERIFY(!at::allclose(other(input), all, 1e-3, 1e-3));
    }

    void theLargestThirdOfASparseSampleStays() {
        const std::int64_t width = 16, count = 50;
        const RandomFeatures expansion(width, count, Random(3), at::kCPU, Kind::Sparse);
        const Tensor input = normalTensor({4, width}, 4), phi = expansion(input);
        QCOMPARE(RandomFeatures::sparseKept(count), std::int64_t{15});
        QCOMPARE(RandomFeatures::sparseKept(2), std::int64_t{1});
        for (std::int64_t i = 0; i < 4; ++i) QCOMPARE((phi[i] != 0).sum().item<std::int64_t>(), std::int64_t{15});
        // The sum of an image and its negative hides nothing of the product: each value stays in one of the two, or is
        // among those in the middle.
        const Tensor both = phi - expansion(-input);
        const Tensor least = std::get<0>(phi.masked_fill(phi == 0, 1e9).min(1));
        for (std::int64_t i = 0; i < 4; ++i) {
            const Tensor dropped = both[i].masked_select(phi[i] == 0);
            QVERIFY(dropped.max().item<double>() <= least[i].item<double>());
        }
    }

    void aSparseFeatureLooksAtAPartOfTheInputs() {
        QCOMPARE(RandomFeatures::sparseConnections(768), std::int64_t{300});  // as published
        QCOMPARE(RandomFeatures::sparseConnections(192), std::int64_t{75});
        QCOMPARE(RandomFeatures::sparseConnections(1), std::int64_t{1});
        const std::int64_t width = 32, count = 60;
        const RandomFeatures expansion(width, count, Random(3), at::kCPU, Kind::Sparse);
        // Of an input alone, and of its negative, all connections above or below zero that are large enough stay.
        const Tensor seen = (columns(expansion, width) != 0).logical_or(expansion(-at::eye(width)) != 0);
        const Tensor inputs = seen.sum(0);  // of each feature
        QVERIFY(inputs.max().item<std::int64_t>() <= RandomFeatures::sparseConnections(width));
        QVERIFY(inputs.sum().item<double>() > 0.9 * static_cast<double>(count * 12));
        // Not the same part for each.
        QVERIFY((seen.sum(1) > 0).all().item<bool>());
    }

    void sigmoidsBeginAsALinearLayerOfPyTorch() {
        const RandomFeatures expansion(25, 400, Random(5), at::kCPU, Kind::Sigmoid);
        const Tensor weights = at::logit(columns(expansion, 25).to(at::kDouble));
        QVERIFY(weights.abs().max().item<double>() < 0.2 + 1e-5);
        QVERIFY(weights.abs().max().item<double>() > 0.19);
        QVERIFY(std::abs(weights.mean().item<double>()) < 0.01);
    }

    void productsOfFourierFeaturesComeNearTheGaussianKernel() {
        const std::int64_t width = 12;
        const RandomFeatures expansion(width, 20000, Random(6), at::kCPU, Kind::Fourier);
        const Tensor input = normalTensor({6, width}, 7), phi = expansion(input).to(at::kDouble);
        const Tensor got = at::matmul(phi, phi.t());
        for (std::int64_t i = 0; i < 6; ++i)
            for (std::int64_t j = 0; j < 6; ++j) {
                const double squared = (input[i] - input[j]).square().sum().item<double>();
                const double expected = std::exp(-squared / static_cast<double>(width));
                QVERIFY2(std::abs(got[i][j].item<double>() - expected) < 0.03,
                         qPrintable(QString("%1 instead of %2").arg(got[i][j].item<double>()).arg(expected)));
            }
    }
};

PALIMPSEST_APPLESS_TEST(TestRandomFeatures)

}  // namespace tst_random_features

#include "tst_random_features.moc"
