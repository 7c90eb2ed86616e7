// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <map>

#include "engine/data/augment.h"
#include "engine/data/image_op_parts.h"
#include "engine/network/tensor_file.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_auto_augment {

namespace {

using enum ImageOp;

const std::map<std::string, ImageOp>& operations() {
    static const std::map<std::string, ImageOp> all = {
        {"ShearX", ShearX},         {"ShearY", ShearY},     {"TranslateX", TranslateX},
        {"TranslateY", TranslateY}, {"Rotate", Rotate},     {"Brightness", Brightness},
        {"Color", Color},           {"Contrast", Contrast}, {"Sharpness", Sharpness},
        {"Posterize", Posterize},   {"Solarize", Solarize}, {"AutoContrast", AutoContrast},
        {"Equalize", Equalize},     {"Invert", Invert}};
    return all;
}

const TensorFile& reference() {
    static const TensorFile file = readSafetensors(PALIMPSEST_TEST_DATA "/transforms/reference.safetensors");
    return file;
}

/// One image of three equal planes.
Tensor greyImage(std::int64_t height, std::int64_t width, const std::vector<int>& bytes) {
    return at::tensor(bytes, at::kInt)
        .to(at::kByte)
        .reshape({1, 1, height, width})
        .expand({1, 3, height, width})
        .contiguous();
}

/// An image of one pixel.
Tensor colourImage(int red, int green, int blue) {
    return at::tensor(std::vector<int>{red, green, blue}, at::kInt).to(at::kByte).reshape({1, 3, 1, 1});
}

std::vector<int> bytesOf(const Tensor& plane) {
    const Tensor flat = plane.to(at::kInt).contiguous();
    return {flat.data_ptr<int>(), flat.data_ptr<int>() + flat.numel()};
}

/// Bytes of one plane; all three must agree.
std::vector<int> greyBytes(const Tensor& image) {
    if (!image[0][0].equal(image[0][1]) || !image[0][0].equal(image[0][2])) return {};
    return bytesOf(image[0][0]);
}

Tensor noise(std::vector<std::int64_t> sizes, std::uint64_t seed) {
    Tensor bytes = at::empty(sizes, at::kByte);
    Random random(seed);
    for (std::int64_t i = 0; i < bytes.numel(); ++i)
        bytes.data_ptr<std::uint8_t>()[i] = static_cast<std::uint8_t>(random.word());
    return bytes;
}

AutoAugmentDraw drawOf(std::size_t pair, std::array<double, 2> number, std::array<bool, 2> negative) {
    Random random(1);
    AutoAugmentDraw draw(random);
    draw.pair = pair;
    draw.number = number;
    draw.negative = negative;
    return draw;
}

}  // namespace

class TestAutoAugment : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void torchvisionsBytesComeOut_data() {
        QTest::addColumn<QString>("name");
        for (const auto& entry : reference().tensors)
            if (entry.name.starts_with("op.")) QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
    }
    void torchvisionsBytesComeOut() {
        QFETCH(QString, name);
        const QString op = name.section('.', 1, 1);
        const double amount = name.section('.', 2).toDouble();
        const Tensor result = changed(reference().at("batch"), operations().at(op.toStdString()), amount);
        QVERIFY(result.equal(reference().at(name.toStdString())));
    }

    void strengthsAreTorchvisions_data() {
        QTest::addColumn<QString>("op");
        for (const auto& [name, op] : operations()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void strengthsAreTorchvisions() {
        QFETCH(QString, op);
        const Tensor levels = reference().at("levels." + op.toStdString());
        const ImageOp which = operations().at(op.toStdString());
        const bool moves = op.startsWith("Translate");
        for (std::int64_t bin = 0; bin < levels.numel(); ++bin) {
            const double expected = levels[bin].item<double>();
            const double amount = amountOf(which, static_cast<int>(bin), false, 224, 192);
            if (moves)
                QCOMPARE(std::trunc(amount), std::trunc(expected));  // only the whole part matters
            else
                QCOMPARE(amount, expected);
        }
        const bool knowsASign = moves || op.startsWith("Shear") || op == "Rotate" || op == "Brightness" ||
                                op == "Color" || op == "Contrast" || op == "Sharpness";
        const double positive = amountOf(which, 7, false, 224, 192);
        QCOMPARE(amountOf(which, 7, true, 224, 192), knowsASign ? -positive : positive);
    }

    void anOperationDoesWhatPaperSays_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<double>("amount");
        QTest::addColumn<QList<int>>("before");
        QTest::addColumn<QList<int>>("after");
        // Pictures of one row.
        QTest::newRow("bright") << "Brightness" << 0.5 << QList<int>{0, 3, 100, 200} << QList<int>{0, 4, 150, 255};
        QTest::newRow("dark") << "Brightness" << -0.75 << QList<int>{0, 3, 100, 255} << QList<int>{0, 0, 25, 63};
        QTest::newRow("black") << "Brightness" << -1.0 << QList<int>{0, 3, 100, 255} << QList<int>{0, 0, 0, 0};
        // Grey is 0.2989 + 0.587 + 0.114 = 0.9999 of the byte, truncated: 0, 99, 199, and their mean 99.33.
        QTest::newRow("no contrast") << "Contrast" << -1.0 << QList<int>{0, 100, 200} << QList<int>{99, 99, 99};
        QTest::newRow("half the contrast") << "Contrast" << -0.5 << QList<int>{0, 100, 200} << QList<int>{49, 99, 149};
        QTest::newRow("twice the contrast") << "Contrast" << 1.0 << QList<int>{0, 100, 200} << QList<int>{0, 100, 255};
        QTest::newRow("four bits") << "Posterize" << 4.0 << QList<int>{0, 15, 16, 255} << QList<int>{0, 0, 16, 240};
        QTest::newRow("all bits") << "Posterize" << 8.0 << QList<int>{0, 15, 16, 255} << QList<int>{0, 15, 16, 255};
        QTest::newRow("solarised") << "Solarize" << 170.0 << QList<int>{0, 169, 170, 255} << QList<int>{0, 169, 85, 0};
        QTest::newRow("solarised between bytes")
            << "Solarize" << 141.5 << QList<int>{140, 141, 142, 255} << QList<int>{140, 141, 113, 0};
        QTest::newRow("inverted") << "Invert" << 0.0 << QList<int>{0, 1, 254, 255} << QList<int>{255, 254, 1, 0};
        // Each step is 255 / 100, truncated.
        QTest::newRow("stretched") << "AutoContrast" << 0.0 << QList<int>{50, 51, 100, 150}
                                   << QList<int>{0, 2, 127, 255};
        QTest::newRow("flat") << "AutoContrast" << 0.0 << QList<int>{7, 7, 7} << QList<int>{7, 7, 7};
        QTest::newRow("too few pixels to equalise")
            << "Equalize" << 0.0 << QList<int>{9, 1, 200, 9} << QList<int>{9, 1, 200, 9};
        QTest::newRow("to the right") << "TranslateX" << 2.9 << QList<int>{1, 2, 3, 4} << QList<int>{0, 0, 1, 2};
        QTest::newRow("to the left") << "TranslateX" << -1.0 << QList<int>{1, 2, 3, 4} << QList<int>{2, 3, 4, 0};
        QTest::newRow("out of sight") << "TranslateX" << 4.0 << QList<int>{1, 2, 3, 4} << QList<int>{0, 0, 0, 0};
        QTest::newRow("too small to sharpen") << "Sharpness" << 0.9 << QList<int>{1, 200, 3} << QList<int>{1, 200, 3};
    }
    void anOperationDoesWhatPaperSays() {
        QFETCH(QString, op);
        QFETCH(double, amount);
        QFETCH(QList<int>, before);
        QFETCH(QList<int>, after);
        const Tensor image = greyImage(1, before.size(), {before.begin(), before.end()});
        const Tensor result = changed(image, operations().at(op.toStdString()), amount);
        QCOMPARE(greyBytes(result), std::vector<int>(after.begin(), after.end()));
    }

    void colourIsDrawnTowardsGrey() {
        // Grey: 29.89 + 117.4 + 3.42 = 150.71, truncated to 150.
        QCOMPARE(bytesOf(changed(colourImage(100, 200, 30), Color, -1.0)), (std::vector<int>{150, 150, 150}));
        QCOMPARE(bytesOf(changed(colourImage(100, 200, 30), Color, -0.5)), (std::vector<int>{125, 175, 90}));
        // 2 x - 150: 50, 250 and -90.
        QCOMPARE(bytesOf(changed(colourImage(100, 200, 30), Color, 1.0)), (std::vector<int>{50, 250, 0}));
    }

    void sharpnessMovesAwayFromTheSmoothedImage() {
        // The middle one of nine counts five times: 13 pixels in all.
        const std::vector<int> bytes = {10, 10, 10, 10, 140, 10, 10, 10, 10};
        // (8 * 10 + 5 * 140) / 13 = 60.
        QCOMPARE(greyBytes(changed(greyImage(3, 3, bytes), Sharpness, -1.0))[4], 60);
        QCOMPARE(greyBytes(changed(greyImage(3, 3, bytes), Sharpness, -0.5))[4], 100);
        QCOMPARE(greyBytes(changed(greyImage(3, 3, bytes), Sharpness, 1.0))[4], 220);
        std::vector<int> border = greyBytes(changed(greyImage(3, 3, bytes), Sharpness, -1.0));
        border[4] = 140;
        QCOMPARE(border, bytes);
    }

    void equalisingSpreadsTheHistogram() {
        // 512 pixels of 10, 256 of 20 and 252 of 30: step = 768 / 255 = 3, so 10 -> (0 + 1) / 3 = 0, 20 -> (512 + 1) /
        // 3 = 171 and 30 -> (768 + 1) / 3 = 256, limited to 255.
        std::vector<int> bytes(512, 10);
        bytes.insert(bytes.end(), 256, 20);
        bytes.insert(bytes.end(), 252, 30);
        const std::vector<int> result = greyBytes(changed(greyImage(30, 34, bytes), Equalize, 0));
        QCOMPARE(result[0], 0);
        QCOMPARE(result[600], 171);
        QCOMPARE(result[1000], 255);
        // A single shade does not change.
        QCOMPARE(greyBytes(changed(greyImage(30, 34, std::vector<int>(1020, 99)), Equalize, 0))[0], 99);
    }

    void shearingKeepsTheTopRowNearlyInPlace() {
        // Rows are shifted (y + 1/2) * tangent to the left: 0.25 and 0.75 of a pixel, that is 0 and 1.
        const Tensor image = greyImage(2, 4, {1, 2, 3, 4, 5, 6, 7, 8});
        QCOMPARE(greyBytes(changed(image, ShearX, 0.5)), (std::vector<int>{1, 2, 3, 4, 6, 7, 8, 0}));
        QCOMPARE(greyBytes(changed(image, ShearX, -0.5)), (std::vector<int>{1, 2, 3, 4, 0, 5, 6, 7}));
        const Tensor tall = greyImage(4, 2, {1, 5, 2, 6, 3, 7, 4, 8});
        QCOMPARE(greyBytes(changed(tall, ShearY, 0.5)), (std::vector<int>{1, 6, 2, 7, 3, 8, 4, 0}));
    }

    void aQuarterTurnGoesAnticlockwise() {
        const Tensor image = greyImage(2, 2, {1, 2, 3, 4});
        QCOMPARE(greyBytes(changed(image, Rotate, 90)), (std::vector<int>{2, 4, 1, 3}));
        QCOMPARE(greyBytes(changed(image, Rotate, -90)), (std::vector<int>{3, 1, 4, 2}));
        QCOMPARE(greyBytes(changed(image, Rotate, 180)), (std::vector<int>{4, 3, 2, 1}));
    }

    void downwardsIsPositive() {
        const Tensor image = greyImage(3, 1, {1, 2, 3});
        QCOMPARE(greyBytes(changed(image, TranslateY, 1)), (std::vector<int>{0, 1, 2}));
    }

    void noStrengthIsNoChange_data() {
        QTest::addColumn<QString>("op");
        for (const char* op :
             {"ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate", "Brightness", "Color", "Contrast", "Sharpness"})
            QTest::newRow(op) << op;
    }
    void noStrengthIsNoChange() {
        QFETCH(QString, op);
        const Tensor bytes = noise({3, 3, 17, 12}, 4);
        const ImageOp which = operations().at(op.toStdString());
        QCOMPARE(amountOf(which, 0, true, 17, 12), 0.0);
        QVERIFY(changed(bytes, which, 0).equal(bytes));
    }

    /// What a GPU computes, tried on the processor: LibTorch's operators round alike on both.
    void operatorsGiveTheSameBytes_data() {
        QTest::addColumn<int>("op");
        QTest::addColumn<double>("amount");
        for (const auto& [name, op] : operations())
            for (const int bin : {0, 1, 2, 4, 7, 9})
                for (const bool negative : {false, true})
                    QTest::addRow("%s, bin %d, %s", name.c_str(), bin, negative ? "negative" : "positive")
                        << static_cast<int>(op) << amountOf(op, bin, negative, 30, 34);
    }
    void operatorsGiveTheSameBytes() {
        QFETCH(int, op);
        QFETCH(double, amount);
        const auto which = static_cast<ImageOp>(op);
        for (const auto& [height, width] : {std::pair(30, 34), {5, 3}, {2, 2}}) {
            Tensor noise = at::zeros({6, 3, height, width});
            Random random(7);
            fillUniform(noise, random, 0, 256);
            noise[1].mul_(0.2).add_(90);             // little contrast
            noise[2].fill_(130);                     // one colour
            noise[3].copy_(noise[0].ge(128) * 255);  // two values
            noise[4].mul_(0.01);                     // mostly black
            const Tensor bytes = noise.to(at::kByte);
            QVERIFY(changedByOperators(bytes, which, amount).equal(changed(bytes, which, amount)));
            const Tensor turned = bytes.flip(3).transpose(2, 3);
            QVERIFY(changedByOperators(turned, which, amount).equal(changed(turned, which, amount)));
        }
    }

    void anImageDoesNotDependOnItsBatch_data() { strengthsAreTorchvisions_data(); }
    void anImageDoesNotDependOnItsBatch() {
        QFETCH(QString, op);
        const ImageOp which = operations().at(op.toStdString());
        Tensor bytes = noise({5, 3, 20, 20}, 6);
        bytes[3].floor_divide_(4);
        const double amount = amountOf(which, 6, true, 20, 20);
        const Tensor together = changed(bytes, which, amount);
        for (std::int64_t i = 0; i < bytes.size(0); ++i)
            QVERIFY(changed(bytes.narrow(0, i, 1), which, amount).equal(together.narrow(0, i, 1)));
        // The result does not depend on the memory layout either.
        const Tensor turned = bytes.flip({3}).permute({0, 1, 3, 2});
        QVERIFY(changed(turned, which, amount).equal(changed(turned.contiguous(), which, amount)));
    }

    void theTablesHoldTwentyFivePairsEach_data() {
        QTest::addColumn<int>("policy");
        QTest::addColumn<int>("pair");
        QTest::addColumn<int>("step");
        QTest::addColumn<QString>("op");
        QTest::addColumn<double>("probability");
        QTest::addColumn<int>("bin");
        const int cifar = static_cast<int>(AutoAugmentPolicy::Cifar10),
                  svhn = static_cast<int>(AutoAugmentPolicy::Svhn);
        const int imagenet = static_cast<int>(AutoAugmentPolicy::ImageNet);
        // The first, a middle and the last entry of the paper's tables 7, 8 and 9.
        QTest::newRow("cifar first") << cifar << 0 << 0 << "Invert" << 0.1 << 0;
        QTest::newRow("cifar first again") << cifar << 0 << 1 << "Contrast" << 0.2 << 6;
        QTest::newRow("cifar middle") << cifar << 12 << 0 << "TranslateY" << 0.4 << 3;
        QTest::newRow("cifar last") << cifar << 24 << 0 << "TranslateY" << 0.7 << 9;
        QTest::newRow("imagenet first") << imagenet << 0 << 0 << "Posterize" << 0.4 << 8;
        QTest::newRow("imagenet first again") << imagenet << 0 << 1 << "Rotate" << 0.6 << 9;
        QTest::newRow("imagenet middle") << imagenet << 15 << 1 << "Color" << 1.0 << 2;
        QTest::newRow("imagenet last") << imagenet << 24 << 1 << "Equalize" << 0.6 << 0;
        QTest::newRow("svhn first") << svhn << 0 << 0 << "ShearX" << 0.9 << 4;
        QTest::newRow("svhn first again") << svhn << 0 << 1 << "Invert" << 0.2 << 0;
        QTest::newRow("svhn middle") << svhn << 18 << 1 << "TranslateX" << 0.9 << 3;
        QTest::newRow("svhn last") << svhn << 24 << 0 << "ShearX" << 0.7 << 2;
    }
    void theTablesHoldTwentyFivePairsEach() {
        QFETCH(int, policy);
        QFETCH(int, pair);
        QFETCH(int, step);
        QFETCH(QString, op);
        QFETCH(double, probability);
        QFETCH(int, bin);
        const auto pairs = subPolicies(static_cast<AutoAugmentPolicy>(policy));
        const PolicyStep& found = pairs[static_cast<std::size_t>(pair)][static_cast<std::size_t>(step)];
        QVERIFY(found.op == operations().at(op.toStdString()));
        QCOMPARE(found.probability, probability);
        QCOMPARE(found.bin, bin);
    }

    void theTablesAddUp_data() {
        QTest::addColumn<int>("policy");
        QTest::addColumn<int>("tenths");
        QTest::addColumn<int>("bins");
        // Sums over all fifty steps of torchvision's tables.
        QTest::newRow("cifar10") << static_cast<int>(AutoAugmentPolicy::Cifar10) << 265 << 187;
        QTest::newRow("imagenet") << static_cast<int>(AutoAugmentPolicy::ImageNet) << 310 << 159;
        QTest::newRow("svhn") << static_cast<int>(AutoAugmentPolicy::Svhn) << 329 << 143;
    }
    void theTablesAddUp() {
        QFETCH(int, policy);
        QFETCH(int, tenths);
        QFETCH(int, bins);
        double probability = 0;
        int bin = 0;
        for (const SubPolicy& pair : subPolicies(static_cast<AutoAugmentPolicy>(policy)))
            for (const PolicyStep& step : pair) {
                probability += step.probability;
                bin += step.bin;
            }
        QCOMPARE(static_cast<int>(std::lround(probability * 10)), tenths);
        QCOMPARE(bin, bins);
    }

    void aStepIsDoneUpToItsProbability() {
        const Tensor bytes = noise({2, 3, 12, 12}, 7);
        // CIFAR pair 0: Invert 0.1, Contrast 0.2 at 6.
        const auto done = [&](double first, double second) {
            return autoAugmented(bytes, AutoAugmentPolicy::Cifar10, drawOf(0, {first, second}, {false, true}));
        };
        const double amount = amountOf(Contrast, 6, true, 12, 12);
        QVERIFY(done(0.11, 0.21).equal(bytes));
        QVERIFY(done(0.1, 0.21).equal(changed(bytes, Invert, 0)));
        QVERIFY(done(0.11, 0.2).equal(changed(bytes, Contrast, amount)));
        QVERIFY(done(0, 0).equal(changed(changed(bytes, Invert, 0), Contrast, amount)));
        QVERIFY(amount < 0);
    }

    void drawsComeInTheirOrder() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Random random(seed), expected(seed);
            const AutoAugmentDraw draw(random);
            QCOMPARE(draw.pair, static_cast<std::size_t>(expected.below(25)));
            for (const double number : draw.number) QCOMPARE(number, expected.uniform());
            for (const bool negative : draw.negative) QCOMPARE(negative, expected.below(2) == 0);
            QCOMPARE(random.state(), expected.state());
        }
    }

    void everyPairIsDrawnAboutAsOften() {
        std::array<int, 25> counts{};
        Random random(11);
        for (int i = 0; i < 25'000; ++i) ++counts[AutoAugmentDraw(random).pair];
        for (const int count : counts) QVERIFY(std::abs(count - 1000) < 5 * 31);  // 5 standard deviations
    }

    void policiesHaveNames() {
        QVERIFY(autoAugmentPolicy("cifar10") == AutoAugmentPolicy::Cifar10);
        QVERIFY(autoAugmentPolicy("imagenet") == AutoAugmentPolicy::ImageNet);
        QVERIFY(autoAugmentPolicy("svhn") == AutoAugmentPolicy::Svhn);
        QVERIFY(!autoAugmentPolicy(""));
        QVERIFY_EXCEPTION_THROWN(autoAugmentPolicy("mnist"), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestAutoAugment)

}  // namespace tst_auto_augment

#include "tst_auto_augment.moc"
