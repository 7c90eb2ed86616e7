// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ATen/Parallel.h>

#include "engine/data/augment.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_augment {

namespace {

Tensor noise(std::vector<std::int64_t> sizes, std::uint64_t seed = 1) {
    Tensor bytes = at::empty(sizes, at::kByte);
    Random random(seed);
    for (std::int64_t i = 0; i < bytes.numel(); ++i)
        bytes.data_ptr<std::uint8_t>()[i] = static_cast<std::uint8_t>(random.word());
    return bytes;
}

/// Crop and flip pixel by pixel, with the draws in their documented order.
Tensor slowCropFlip(const Tensor& bytes, std::int64_t pad, Random& random) {
    const auto range = static_cast<std::uint64_t>(2 * pad + 1);
    const auto top = static_cast<std::int64_t>(random.below(range)),
               left = static_cast<std::int64_t>(random.below(range));
    const bool mirror = random.below(2) == 1;
    const std::int64_t side = bytes.size(2);
    Tensor result = at::zeros_like(bytes);
    const auto in = bytes.accessor<std::uint8_t, 4>();
    auto out = result.accessor<std::uint8_t, 4>();
    for (std::int64_t i = 0; i < bytes.size(0); ++i)
        for (std::int64_t c = 0; c < 3; ++c)
            for (std::int64_t y = 0; y < side; ++y)
                for (std::int64_t x = 0; x < side; ++x) {
                    const std::int64_t row = y + top - pad, column = (mirror ? side - 1 - x : x) + left - pad;
                    if (row >= 0 && row < side && column >= 0 && column < side) out[i][c][y][x] = in[i][c][row][column];
                }
    return result;
}

Augment augmentWith(std::optional<AutoAugmentPolicy> policy, Augment::Scope scope = Augment::Batch) {
    Augment augment;
    augment.policy = policy;
    augment.scope = scope;
    return augment;
}

}  // namespace

class TestAugment : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void autoAugmentMayBeDoneTwiceWithDrawsOfItsOwn() {
        const Tensor bytes = noise({2, 3, 32, 32});
        int changed = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const Augment once = augmentWith(AutoAugmentPolicy::ImageNet);
            Augment twice = once;
            twice.policy_rounds = 2;
            Random random(seed);
            for (int i = 0; i < 3; ++i) random.below(i < 2 ? 3 : 2);
            const AutoAugmentDraw first(random), second(random);
            const Tensor expected = autoAugmented(augmented(bytes, once, Random(seed)), *once.policy, second);
            QVERIFY(at::equal(augmented(bytes, twice, Random(seed)), expected));
            changed += !at::equal(expected, augmented(bytes, once, Random(seed)));
        }
        QVERIFY(changed > 5);
    }

    void cropAndFlipShowAllOffsets_data() {
        QTest::addColumn<qint64>("side");
        QTest::addColumn<qint64>("pad");
        QTest::newRow("as published") << qint64{224} << qint64{4};
        QTest::newRow("in proportion") << qint64{112} << qint64{2};
        QTest::newRow("one pixel at least") << qint64{32} << qint64{1};
    }
    void cropAndFlipShowAllOffsets() {
        QFETCH(qint64, side);
        QFETCH(qint64, pad);
        const Tensor bytes = noise({2, 3, side, side});
        for (std::uint64_t update = 0; update < 6; ++update) {
            const Random random(1, 4, 9, update);
            Random expected = random;
            QVERIFY(augmented(bytes, Augment::CropFlip, random).equal(slowCropFlip(bytes, pad, expected)));
        }
    }

    void everyOffsetAndSideIsDrawnAboutAsOften() {
        // One bright pixel in the middle shows where the crop begins, and by its half whether it is mirrored.
        Tensor bytes = at::zeros({1, 3, 32, 32}, at::kByte);
        bytes[0][0][16][8] = 255;
        std::map<std::int64_t, int> counts;
        for (std::uint64_t update = 0; update < 1800; ++update)
            ++counts[augmented(bytes, Augment::CropFlip, Random(3, 4, 1, update))[0][0].argmax().item<std::int64_t>()];
        QCOMPARE(counts.size(), std::size_t{3 * 3 * 2});
        for (const auto& [place, count] : counts)
            QVERIFY2(std::abs(count - 100) < 50, qPrintable(QString::number(count)));
    }

    void variantsOfTheSameNumberAreTheSamePixels() {
        const Tensor bytes = noise({1, 3, 32, 32}).expand({4, 3, 32, 32}).contiguous();
        for (const Augment::Scope scope : {Augment::Batch, Augment::Image}) {
            Augment augment(Augment::CropFlip);
            augment.scope = scope;
            std::map<std::int64_t, Tensor> seen;
            for (std::uint64_t update = 0; update < 200; ++update) {
                const Random random(3, 4, 1, update);
                const std::vector<std::int64_t> numbers = variants(4, 32, augment, random);
                QCOMPARE(numbers.size(), std::size_t{4});
                const Tensor shown = augmented(bytes, augment, random);
                for (std::int64_t i = 0; i < 4; ++i) {
                    const std::int64_t number = numbers[static_cast<std::size_t>(i)];
                    QVERIFY(0 <= number && number < 3 * 3 * 2);
                    for (const auto& [other, pixels] : seen) QCOMPARE(pixels.equal(shown[i]), other == number);
                    seen.emplace(number, shown[i]);
                }
            }
            QCOMPARE(seen.size(), std::size_t{3 * 3 * 2});
            QVERIFY(seen.at(0).equal(bytes[0]));
        }
        QCOMPARE(variants(2, 32, Augment::None, Random(1)), (std::vector<std::int64_t>{0, 0}));
        QVERIFY(variants(2, 32, augmentWith(AutoAugmentPolicy::Cifar10), Random(1)).empty());
    }

    void noneLeavesTheImagesAlone() {
        const Tensor bytes = noise({2, 3, 16, 16});
        Augment none(Augment::None);
        none.scope = Augment::Image;
        QVERIFY(augmented(bytes, none, Random(1)).equal(bytes));
    }

    void autoAugmentFollowsCropAndFlip() {
        const Tensor bytes = noise({3, 3, 24, 24});
        for (const AutoAugmentPolicy policy :
             {AutoAugmentPolicy::Cifar10, AutoAugmentPolicy::ImageNet, AutoAugmentPolicy::Svhn})
            for (std::uint64_t update = 0; update < 20; ++update) {
                Random random(1, 4, 2, update);
                const Tensor result = augmented(bytes, augmentWith(policy), random);
                const Tensor moved = slowCropFlip(bytes, 1, random);
                QVERIFY(result.equal(autoAugmented(moved, policy, AutoAugmentDraw(random))));
            }
    }

    void aBatchIsVariedAlike() {
        // Two equal pictures stay equal.
        const Tensor bytes = noise({1, 3, 20, 20}).expand({2, 3, 20, 20}).contiguous();
        for (std::uint64_t update = 0; update < 20; ++update) {
            const Tensor result = augmented(bytes, augmentWith(AutoAugmentPolicy::Cifar10), Random(1, 4, 1, update));
            QVERIFY(result[0].equal(result[1]));
        }
    }

    void eachImageHasDrawsOfItsOwn() {
        const Tensor bytes = noise({6, 3, 20, 20});
        for (const bool withPolicy : {false, true}) {
            const auto policy = withPolicy ? std::optional(AutoAugmentPolicy::ImageNet) : std::nullopt;
            for (std::uint64_t update = 0; update < 10; ++update) {
                Random random(1, 4, 1, update);
                const Tensor result = augmented(bytes, augmentWith(policy, Augment::Image), random);
                for (std::int64_t i = 0; i < bytes.size(0); ++i) {
                    Tensor expected = slowCropFlip(bytes.narrow(0, i, 1), 1, random);
                    if (policy) expected = autoAugmented(expected, *policy, AutoAugmentDraw(random));
                    QVERIFY(result.narrow(0, i, 1).equal(expected));
                }
            }
        }
    }

    void threadsDecideNothing() {
        const Tensor bytes = noise({16, 3, 40, 40});
        const int before = at::get_num_threads();
        for (const Augment::Scope scope : {Augment::Batch, Augment::Image})
            for (std::uint64_t update = 0; update < 30; ++update) {
                const Augment augment = augmentWith(AutoAugmentPolicy::Svhn, scope);
                at::set_num_threads(1);
                const Tensor alone = augmented(bytes, augment, Random(2, 4, 1, update));
                at::set_num_threads(4);
                QVERIFY(augmented(bytes, augment, Random(2, 4, 1, update)).equal(alone));
            }
        at::set_num_threads(before);
    }

    void theImagesThatWereGivenStay() {
        const Tensor bytes = noise({4, 3, 20, 20}), copy = bytes.clone();
        for (std::uint64_t update = 0; update < 30; ++update) {
            augmented(bytes, augmentWith(AutoAugmentPolicy::Cifar10), Random(1, 4, 1, update));
            augmented(bytes, augmentWith(AutoAugmentPolicy::Cifar10, Augment::Image), Random(1, 4, 1, update));
        }
        QVERIFY(bytes.equal(copy));
    }

    void optionsBecomeAnAugmentation_data() {
        QTest::addColumn<QString>("augment");
        QTest::addColumn<QString>("policy");
        QTest::addColumn<bool>("crops");
        QTest::addColumn<int>("expected");  // -1: no policy
        const int cifar = static_cast<int>(AutoAugmentPolicy::Cifar10),
                  imagenet = static_cast<int>(AutoAugmentPolicy::ImageNet);
        QTest::newRow("none") << "none"
                              << "cifar10" << false << -1;
        QTest::newRow("crop and flip alone") << "crop-flip"
                                             << "cifar10" << true << -1;
        QTest::newRow("auto with a policy") << "auto"
                                            << "cifar10" << true << cifar;
        QTest::newRow("auto without one") << "auto"
                                          << "" << true << -1;
        QTest::newRow("AutoAugment with a policy") << "autoaugment"
                                                   << "cifar10" << true << cifar;
        QTest::newRow("AutoAugment without one") << "autoaugment"
                                                 << "" << true << imagenet;
    }
    void optionsBecomeAnAugmentation() {
        QFETCH(QString, augment);
        QFETCH(QString, policy);
        QFETCH(bool, crops);
        QFETCH(int, expected);
        TrainingOptions training;
        training.augment = augment.toStdString();
        for (const char* scope : {"batch", "image"}) {
            training.augment_scope = scope;
            const Augment made = augmentOf(training, policy.toStdString());
            QCOMPARE(made.kind == Augment::CropFlip, crops);
            QCOMPARE(made.policy ? static_cast<int>(*made.policy) : -1, expected);
            QCOMPARE(made.scope == Augment::Image, std::string(scope) == "image");
        }
    }

    void unknownWordsAreRefused() {
        TrainingOptions training;
        training.augment = "mirror";
        training.augment_scope = "batch";
        QVERIFY_EXCEPTION_THROWN(augmentOf(training, ""), Error);
        training.augment = "auto";
        training.augment_scope = "session";
        QVERIFY_EXCEPTION_THROWN(augmentOf(training, ""), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestAugment)

}  // namespace tst_augment

#include "tst_augment.moc"
