// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ATen/Parallel.h>
#include <hwy/highway.h>

#include <array>
#include <limits>

#include "engine/kernels/frozen_vit.h"
#include "engine/kernels/tile_product.h"
#include "engine/network/vit.h"
#include "tests/support/normal_tensor.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_frozen_vit {

namespace {

VitShape withStem(VitShape shape, std::vector<std::int64_t> stem) {
    shape.stem = std::move(stem);
    return shape;
}

/// A network all of whose parameters, norms and biases too, differ from their initial values.
Vit frozenVit(const VitShape& shape, std::uint64_t seed = 1) {
    Vit vit(shape);
    vit.initialise(Random(seed));
    Random random(seed, 7);
    for (const auto& [name, tensor] : vit.parameters()) {
        Tensor noise = at::zeros_like(tensor);
        fillNormal(noise, random);
        tensor.add_(noise, 0.05);
    }
    vit.setTrainable(false);
    return vit;
}

Tensor imagesFor(const Vit& vit, std::int64_t count) {
    return normalTensor({count, vit.shape().channels, vit.shape().image_size, vit.shape().image_size}, 11);
}

/// Leaves for keys and values: none in block 1, shared ones in even blocks, others for each image.
std::vector<Tensor> leavesFor(const Vit& vit, std::int64_t images) {
    std::vector<Tensor> leaves;
    for (std::int64_t i = 0; i < vit.shape().depth; ++i) {
        if (i == 1)
            leaves.emplace_back();
        else
            leaves.push_back(
                normalTensor({i % 2 == 0 ? 1 : images, 3 + i, 2 * vit.shape().width}, 20 + std::uint64_t(i))
                    .requires_grad_(true));
    }
    return leaves;
}

/// The same by LibTorch's operators.
Tensor plainFeatures(Vit& vit, const Tensor& images, std::span<const Tensor> extra = {}) {
    vit.setPlain(true);
    const Tensor features = vit.features(images, extra);
    vit.setPlain(false);
    return features;
}

double difference(const Tensor& a, const Tensor& b) {
    return (a - b).abs().max().item<double>() / std::max(1e-6, b.abs().max().item<double>());
}

}  // namespace

class TestFrozenVit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::set_num_threads(2); }

    void itEqualsTheBlocksOneAfterTheOther_data() {
        QTest::addColumn<VitShape>("shape");
        VitShape clip{16, 4, 3, 32, 3, 2, 4};
        clip.pre_norm = true;
        clip.patch_bias = false;
        clip.quick_gelu = true;
        clip.norm_epsilon = 1e-5;
        QTest::newRow("tiny") << VitShape{16, 4, 3, 32, 5, 2, 2};
        QTest::newRow("sizes that fill no vector") << VitShape{15, 5, 3, 42, 4, 3, 3};
        QTest::newRow("one block") << VitShape{8, 4, 1, 16, 1, 1, 4};
        QTest::newRow("a whole panel and a part of one") << VitShape{24, 8, 3, 80, 2, 5, 4};
        QTest::newRow("CLIP's") << clip;
        QTest::newRow("the one that ships") << withStem({32, 8, 3, 192, 6, 4, 2}, {16, 32, 64, 64});
        QTest::newRow("a stem that begins with what it adds to") << withStem({12, 2, 16, 32, 2, 2, 2}, {16, 16, 48});
        QTest::newRow("patches of one pixel of the stem's map") << withStem({8, 4, 3, 42, 2, 3, 3}, {16, 32, 48});
        QTest::newRow("rows for more than one block of a product") << VitShape{112, 16, 3, 192, 2, 3, 4};
    }
    void itEqualsTheBlocksOneAfterTheOther() {
        QFETCH(const VitShape, shape);
        Vit vit = frozenVit(shape);
        const Tensor images = imagesFor(vit, 5);
        QVERIFY(difference(vit.features(images), plainFeatures(vit, images)) < 1e-5);

        const Tensor tokens = vit.classTokens(images);
        QVERIFY(tokens.sizes() == at::IntArrayRef({5, shape.depth, shape.width}));
        vit.setPlain(true);
        QVERIFY(difference(tokens, vit.classTokens(images)) < 1e-5);
        vit.setPlain(false);
        QVERIFY(difference(vit.finalNorm(tokens.select(1, shape.depth - 1)), vit.features(images)) < 1e-5);

        std::vector<std::vector<Tensor>> gradients;
        std::vector<Tensor> features;
        for (const bool plain : {false, true}) {
            const std::vector<Tensor> leaves = leavesFor(vit, 5);
            vit.setPlain(plain);
            features.push_back(vit.features(images, leaves));
            (features.back() * normalTensor({5, shape.width}, 30)).sum().backward();
            for (std::vector<Tensor>& all = gradients.emplace_back(); const Tensor& leaf : leaves)
                if (leaf.defined()) all.push_back(leaf.grad());
        }
        QVERIFY(difference(features[0], features[1]) < 1e-5);
        for (std::size_t i = 0; i < gradients[0].size(); ++i)
            QVERIFY2(difference(gradients[0][i], gradients[1][i]) < 1e-4, qPrintable(QString::number(i)));
    }

    void tilesGiveTheSameButForTheirRounding_data() { itEqualsTheBlocksOneAfterTheOther_data(); }
    void tilesGiveTheSameButForTheirRounding() {
        if (!hasTileProducts()) QSKIP("This processor has no tiles for bfloat16 (AMX).");
        QFETCH(const VitShape, shape);
        Vit vit = frozenVit(shape);
        const Tensor images = imagesFor(vit, 5), weights = normalTensor({5, shape.width}, 30);
        std::vector<std::vector<Tensor>> gradients;
        std::vector<Tensor> features;
        for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
            vit.setComputeType(type);
            QVERIFY(vit.repeatsBits());
            const std::vector<Tensor> leaves = leavesFor(vit, 5);
            features.push_back(vit.features(images, leaves));
            (features.back() * weights).sum().backward();
            for (std::vector<Tensor>& all = gradients.emplace_back(); const Tensor& leaf : leaves)
                if (leaf.defined()) all.push_back(leaf.grad());
        }
        // A factor in bfloat16 is off by 1 in 512 at most, and no result may be exact where it was rounded.
        QVERIFY2(difference(features[1], features[0]) < 0.02,
                 qPrintable(QString::number(difference(features[1], features[0]))));
        QVERIFY(!features[1].equal(features[0]));
        for (std::size_t i = 0; i < gradients[0].size(); ++i)
            QVERIFY2(difference(gradients[1][i], gradients[0][i]) < 0.04,
                     qPrintable(QString::number(difference(gradients[1][i], gradients[0][i]))));
    }

    void aTileProductIsThatOfTheRoundedFactors() {
        // Less and more than a tile in each direction, and more rows than are rounded at once.
        const Tensor x = normalTensor({64, 96}, 64).to(at::kBFloat16), y = normalTensor({96, 64}, 65).to(at::kBFloat16);
        const Tensor untouched = at::mm(x, y);
        for (const auto& [rows, depth, columns] : {std::array<std::int64_t, 3>{1, 1, 1},
                                                   {16, 32, 16},
                                                   {17, 33, 17},
                                                   {31, 100, 48},
                                                   {300, 70, 80},
                                                   {161, 3072, 17},
                                                   {1100, 40, 48}}) {
            const std::int64_t wide = (columns + 15) / 16 * 16, row = depth + 3, out = wide + 16;
            const Tensor a = normalTensor({rows, row}, 60), b = normalTensor({depth, columns}, 61),
                         bias = normalTensor({wide}, 62), before = normalTensor({rows, out}, 63);
            const TileFactor factor(std::size_t(depth), std::size_t(columns), [&](std::size_t k, std::size_t n) {
                return b.data_ptr<float>()[std::int64_t(k) * columns + std::int64_t(n)];
            });
            const auto product = [&](const Tensor& left, const float* shift, bool add) {
                Tensor c = before.clone();
                factor.multiply(std::size_t(left.size(0)), left.data_ptr<float>(), std::size_t(row),
                                c.data_ptr<float>(), std::size_t(out), shift, add);
                return c;
            };
            const auto exact = [](const Tensor& t) { return t.to(at::kBFloat16).to(at::kDouble); };
            const Tensor sums = at::constant_pad_nd(exact(a.narrow(1, 0, depth)).matmul(exact(b)), {0, wide - columns}),
                         old = before.narrow(1, 0, wide);
            for (const bool add : {false, true}) {
                const Tensor c = product(a, bias.data_ptr<float>(), add);
                QVERIFY(difference(c.narrow(1, 0, wide).to(at::kDouble), sums + bias + (add ? old : old * 0)) < 3e-5);
                QVERIFY(c.narrow(1, wide, 16).equal(before.narrow(1, wide, 16)));
            }
            // LibTorch sets the tiles in its own way; neither disturbs the other.
            const Tensor first = product(a, nullptr, false);
            QVERIFY(at::mm(x, y).equal(untouched));
            QVERIFY(product(a, nullptr, false).equal(first));
            // What a row held before stays out of the rows beside it and after it.
            Tensor broken = a.clone();
            broken[rows / 2].fill_(std::numeric_limits<float>::quiet_NaN());
            const Tensor some = product(broken, nullptr, false);
            QVERIFY(at::isnan(some[rows / 2].narrow(0, 0, columns)).all().item<bool>());
            if (rows > 1) QVERIFY(some[0].equal(first[0]));
            QVERIFY(product(a.narrow(0, 0, 1), nullptr, false)[0].equal(first[0]));
        }
    }

    void numbersAreRoundedToTheNearestShortOne() {
        const auto bits = [](float value) { return int(nearestBfloat16(value)); };
        QCOMPARE(bits(1.0f), 0x3F80);
        QCOMPARE(bits(1.00390625f), 0x3F80);  // halfway to the next one: the even one
        QCOMPARE(bits(1.01171875f), 0x3F82);  // halfway again
        QCOMPARE(bits(1.00390637f), 0x3F81);  // a little more than halfway
        QCOMPARE(bits(-2.5f), 0xC020);
        QCOMPARE(bits(std::numeric_limits<float>::infinity()), 0x7F80);
        QCOMPARE(bits(std::numeric_limits<float>::max()), 0x7F80);  // nearer to what would come next
        QVERIFY((bits(std::numeric_limits<float>::quiet_NaN()) & 0x7F) != 0);
    }

    void neitherTheBatchNorTheThreadsChangeABit_data() {
        QTest::addColumn<bool>("tiles");
        QTest::newRow("float32") << false;
        QTest::newRow("bfloat16") << true;
    }
    void neitherTheBatchNorTheThreadsChangeABit() {
        QFETCH(const bool, tiles);
        if (tiles && !hasTileProducts()) QSKIP("This processor has no tiles for bfloat16 (AMX).");
        Vit vit = frozenVit(withStem({32, 4, 3, 64, 3, 2, 4}, {16, 16, 32}));
        if (tiles) vit.setComputeType(at::kBFloat16);
        const Tensor images = imagesFor(vit, 13);
        const auto learn = [&](int threads, const Tensor& some, std::vector<Tensor>& leaves) {
            at::set_num_threads(threads);
            leaves = leavesFor(vit, some.size(0));
            const Tensor features = vit.features(some, leaves);
            features.square().sum().backward();
            return features.detach();
        };
        std::vector<Tensor> one, four;
        const Tensor alone = learn(1, images, one), together = learn(4, images, four);
        QVERIFY(alone.equal(together));
        for (std::size_t i = 0; i < one.size(); ++i)
            if (one[i].defined()) QVERIFY(one[i].grad().equal(four[i].grad()));
        at::set_num_threads(1);  // so that several images make a group
        QVERIFY(vit.features(images.narrow(0, 4, 1)).equal(vit.features(images).narrow(0, 4, 1)));
        QVERIFY(vit.classTokens(images.narrow(0, 4, 1)).equal(vit.classTokens(images).narrow(0, 4, 1)));
    }

    void twoPassesMayWaitForTheirGradients() {
        const Vit vit = frozenVit({16, 4, 3, 32, 3, 2, 2});
        const auto gradient = [&](const std::vector<Tensor>& leaves, const Tensor& features) {
            features.square().sum().backward();
            return leaves[0].grad().clone();
        };
        const Tensor first = imagesFor(vit, 4), second = first.flip(0) * 2;
        std::vector<Tensor> a = leavesFor(vit, 4), b = leavesFor(vit, 4);
        const Tensor expectedFirst = gradient(a, vit.features(first, a)),
                     expectedSecond = gradient(b, vit.features(second, b));
        a = leavesFor(vit, 4);
        b = leavesFor(vit, 4);
        const Tensor featuresFirst = vit.features(first, a), featuresSecond = vit.features(second, b);
        QVERIFY(gradient(a, featuresFirst).equal(expectedFirst));
        QVERIFY(gradient(b, featuresSecond).equal(expectedSecond));
    }

    void aNumberThatIsNotFiniteStaysInItsImage_data() { neitherTheBatchNorTheThreadsChangeABit_data(); }
    void aNumberThatIsNotFiniteStaysInItsImage() {
        QFETCH(const bool, tiles);
        if (tiles && !hasTileProducts()) QSKIP("This processor has no tiles for bfloat16 (AMX).");
        at::set_num_threads(1);  // so that several images make a group
        Vit vit = frozenVit({16, 4, 3, 32, 3, 2, 2});
        if (tiles) vit.setComputeType(at::kBFloat16);
        const Tensor images = imagesFor(vit, 6);
        const Tensor sound = normalTensor({6, 5, 64}, 40);
        Tensor broken = sound.clone();
        broken[1].fill_(std::numeric_limits<float>::quiet_NaN());
        const Tensor expected = vit.features(images, std::vector<Tensor>{sound});
        const Tensor features = vit.features(images, std::vector<Tensor>{broken});
        QVERIFY(!at::isfinite(features[1]).any().item<bool>());
        for (const int image : {0, 2, 3, 5}) QVERIFY(features[image].equal(expected[image]));
        QVERIFY(vit.features(images, std::vector<Tensor>{sound}).equal(expected));
    }

    void keysThatAreNotFiniteShow() {
        const Vit vit = frozenVit({16, 4, 3, 32, 3, 2, 2});
        Tensor broken = normalTensor({2, 5, 64}, 40);
        broken.narrow(2, 0, 32).select(1, 2).fill_(std::numeric_limits<float>::quiet_NaN());
        QVERIFY(!at::isfinite(vit.features(imagesFor(vit, 2), std::vector<Tensor>{broken})).any().item<bool>());
    }

    void everySetOfInstructionsGivesTheSameButForRounding() {
        const VitShape shape{24, 8, 3, 80, 2, 5, 4};
        // Only those that this code was compiled for.
        const auto supported = hwy::SupportedTargets() & HWY_TARGETS;
        for (auto left = supported; left != 0; left &= left - 1) {
            hwy::SetSupportedTargetsForTest(left & -left);
            hwy::GetChosenTarget().DeInit();
            Vit vit = frozenVit(shape);
            const Tensor images = imagesFor(vit, 7);
            const Tensor plain = plainFeatures(vit, images);
            QVERIFY2(difference(vit.features(images), plain) < 1e-5, hwy::TargetName(left & -left));
            const std::vector<Tensor> own = leavesFor(vit, 7), expected = leavesFor(vit, 7);
            vit.features(images, own).square().sum().backward();
            plainFeatures(vit, images, expected).square().sum().backward();
            QVERIFY2(difference(own[0].grad(), expected[0].grad()) < 1e-4, hwy::TargetName(left & -left));
        }
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().DeInit();
    }

    void rowsThatAreExpandedAndRowsThatDoNotLearnAreFine() {
        Vit vit = frozenVit({16, 4, 3, 32, 3, 2, 2});
        const Tensor images = imagesFor(vit, 4), fixed = normalTensor({4, 3, 64}, 50);
        std::vector<Tensor> gradients;
        for (const bool plain : {false, true}) {
            const Tensor leaf = normalTensor({1, 5, 64}, 51).requires_grad_(true);
            vit.setPlain(plain);
            vit.features(images, std::vector<Tensor>{fixed, leaf.expand({4, -1, -1}),
                                                     fixed.transpose(0, 1).expand({-1, -1, -1}).transpose(0, 1)})
                .square()
                .sum()
                .backward();
            gradients.push_back(leaf.grad());
        }
        QVERIFY(difference(gradients[0], gradients[1]) < 1e-4);
    }

    void theWayBackOutlivesTheNetwork() {
        const std::vector<Tensor> expected = leavesFor(frozenVit({16, 4, 3, 32, 3, 2, 2}), 2),
                                  leaves = leavesFor(frozenVit({16, 4, 3, 32, 3, 2, 2}), 2);
        const Vit kept = frozenVit({16, 4, 3, 32, 3, 2, 2});
        kept.features(imagesFor(kept, 2), expected).square().sum().backward();
        Tensor loss;
        {
            const Vit gone = frozenVit({16, 4, 3, 32, 3, 2, 2});
            loss = gone.features(imagesFor(gone, 2), leaves).square().sum();
        }
        loss.backward();
        QVERIFY(leaves[0].grad().equal(expected[0].grad()));
    }

    void shapesThatDoNotFitAreRefused() {
        const Vit vit = frozenVit({16, 4, 3, 32, 3, 2, 2});
        const Tensor images = imagesFor(vit, 2);
        QVERIFY_EXCEPTION_THROWN(vit.features(normalTensor({2, 3, 12, 16}, 1)), c10::Error);
        QVERIFY_EXCEPTION_THROWN(vit.features(images, std::vector<Tensor>{normalTensor({3, 5, 64}, 1)}), c10::Error);
        QVERIFY_EXCEPTION_THROWN(vit.features(images, std::vector<Tensor>{normalTensor({2, 5, 63}, 1)}), c10::Error);
        QCOMPARE(vit.features(imagesFor(vit, 0)).sizes(), at::IntArrayRef({0, 32}));
    }

    void aWeightThatChangesIsNoticed() {
        Vit vit = frozenVit({16, 4, 3, 32, 3, 2, 2});
        const Tensor images = imagesFor(vit, 2), before = vit.features(images);
        vit.parameters()[6].tensor.mul_(1.5);
        QVERIFY(difference(before, vit.features(images)) > 1e-3);
        QVERIFY(difference(vit.features(images), plainFeatures(vit, images)) < 1e-5);
    }

    void aNetworkThatLearnsGetsGradients() {
        Vit vit = frozenVit({16, 4, 3, 32, 3, 2, 2});
        vit.setTrainable(true);
        vit.features(imagesFor(vit, 2)).square().sum().backward();
        for (const auto& [name, tensor] : vit.parameters()) QVERIFY2(tensor.grad().defined(), name.c_str());
    }
};

PALIMPSEST_APPLESS_TEST(TestFrozenVit)

}  // namespace tst_frozen_vit

#include "tst_frozen_vit.moc"
