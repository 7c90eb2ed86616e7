// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <opencv2/core.hpp>
#include <set>

#include "engine/data/picture_tensor.h"
#include "engine/data/resize.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_load_shape {

namespace {

/// A picture of up to 256 pixels a side in which red is the column and green the row.
cv::Mat chart(int height, int width) {
    cv::Mat picture(height, width, CV_8UC3);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            picture.at<cv::Vec3b>(y, x) = {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y),
                                           static_cast<std::uint8_t>(x * y)};
    return picture;
}

bool equal(const cv::Mat& a, const cv::Mat& b) {
    return a.size() == b.size() && a.type() == b.type() && cv::norm(a, b, cv::NORM_INF) == 0;
}

}  // namespace

class TestLoadShape : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachShapeIsResizedAsTheOfficialCodeDoes_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<bool>("train");
        QTest::addColumn<bool>("antialias");
        QTest::newRow("batches resized on the device") << static_cast<int>(LoadShape::Native) << true << false;
        QTest::newRow("test images of such") << static_cast<int>(LoadShape::Native) << false << true;
        QTest::newRow("resized when loaded") << static_cast<int>(LoadShape::Square) << true << true;
        QTest::newRow("test images of these") << static_cast<int>(LoadShape::Square) << false << true;
    }
    void eachShapeIsResizedAsTheOfficialCodeDoes() {
        QFETCH(int, shape);
        QFETCH(bool, train);
        QFETCH(bool, antialias);
        const cv::Mat picture = chart(90, 61);
        const cv::Mat loaded = loadedImage(picture, static_cast<LoadShape>(shape), 32, train, Random(1));
        QVERIFY(equal(loaded, antialias ? pillowResized(picture, {32, 32}) : torchResized(picture, {32, 32})));
        QVERIFY(!equal(pillowResized(picture, {32, 32}), torchResized(picture, {32, 32})));
    }

    void greyPicturesGetThreeEqualChannels() {
        cv::Mat grey(28, 28, CV_8UC1);
        cv::randu(grey, 0, 256);
        for (const LoadShape shape :
             {LoadShape::Native, LoadShape::Square, LoadShape::ShortSideCrop, LoadShape::ShortSideCentre}) {
            const cv::Mat loaded = loadedImage(grey, shape, 32, true, Random(1));
            QCOMPARE(loaded.type(), CV_8UC3);
            QCOMPARE(loaded.size(), cv::Size(32, 32));
            std::vector<cv::Mat> planes;
            cv::split(loaded, planes);
            QVERIFY(equal(planes[0], planes[1]) && equal(planes[0], planes[2]));
        }
    }

    void theCentreIsWhereTorchvisionCutsIt_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("side");
        QTest::addColumn<QRect>("expected");  // of the resized picture
        QTest::addColumn<QSize>("resized");
        // Offsets as Python's int(round((size - side) / 2.0)) gives them: 1.5 and 2.5 become 2.
        QTest::newRow("wide, official size") << 128 << 192 << 224 << QRect(80, 16, 224, 224) << QSize(384, 256);
        QTest::newRow("tall, cut to whole pixels") << 101 << 60 << 224 << QRect(16, 103, 224, 224) << QSize(256, 430);
        QTest::newRow("half a pixel, down") << 100 << 200 << 32 << QRect(21, 2, 32, 32) << QSize(74, 37);
        QTest::newRow("half a pixel, up") << 24 << 25 << 24 << QRect(2, 2, 24, 24) << QSize(28, 27);
        QTest::newRow("square of the right size") << 256 << 256 << 224 << QRect(16, 16, 224, 224) << QSize(256, 256);
    }
    void theCentreIsWhereTorchvisionCutsIt() {
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(int, side);
        QFETCH(QRect, expected);
        QFETCH(QSize, resized);
        const cv::Mat picture = chart(height, width);
        const cv::Mat whole = pillowResized(picture, {resized.width(), resized.height()});
        const cv::Mat cut = whole(cv::Rect(expected.x(), expected.y(), side, side));
        for (std::uint64_t seed = 0; seed < 3; ++seed)
            for (const bool train : {true, false})
                QVERIFY(equal(loadedImage(picture, LoadShape::ShortSideCentre, side, train, Random(seed)), cut));
    }

    void theShortSideIsCroppedAtRandom_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("side");
        QTest::addColumn<int>("resizedHeight");
        QTest::addColumn<int>("resizedWidth");
        QTest::newRow("wide, official size") << 128 << 192 << 224 << 256 << 384;
        QTest::newRow("tall, cut to whole pixels") << 101 << 60 << 224 << 430 << 256;  // 256 * 101 / 60 = 430.93
        QTest::newRow("network of 32 pixels") << 100 << 200 << 32 << 37 << 74;         // 32 * 256 / 224 = 36.57
        QTest::newRow("square of the right size") << 256 << 256 << 224 << 256 << 256;
    }
    void theShortSideIsCroppedAtRandom() {
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(int, side);
        QFETCH(int, resizedHeight);
        QFETCH(int, resizedWidth);
        const cv::Mat picture = chart(height, width);
        const cv::Mat whole = pillowResized(picture, {resizedWidth, resizedHeight});
        std::set<int> tops, lefts;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            Random random(seed);
            const auto top = static_cast<int>(random.below(static_cast<std::uint64_t>(resizedHeight - side) + 1));
            const auto left = static_cast<int>(random.below(static_cast<std::uint64_t>(resizedWidth - side) + 1));
            tops.insert(top);
            lefts.insert(left);
            const cv::Mat expected = whole(cv::Rect(left, top, side, side));
            QVERIFY(equal(loadedImage(picture, LoadShape::ShortSideCrop, side, true, Random(seed)), expected));
            QVERIFY(equal(loadedImage(picture, LoadShape::ShortSideCrop, side, false, Random(seed)), expected));
        }
        QVERIFY(tops.size() > 3 && lefts.size() > 3);
    }

    void aSliverIsLoadedInLittleMemory() {
        // The long side would become 12.8 million pixels.
        const cv::Mat sliver(1, 50'000, CV_8UC3, cv::Scalar(1, 2, 3));
        const cv::Mat loaded = loadedImage(sliver, LoadShape::ShortSideCrop, 224, true, Random(4));
        QVERIFY(equal(loaded, cv::Mat(224, 224, CV_8UC3, cv::Scalar(1, 2, 3))));
    }

    void anEmptyPictureIsRefused() {
        for (const LoadShape shape : {LoadShape::Native, LoadShape::Square, LoadShape::ShortSideCrop})
            QVERIFY_EXCEPTION_THROWN(loadedImage(cv::Mat(), shape, 32, true, Random(1)), Error);
    }

    void picturesAreStoredPlaneByPlane() {
        Tensor batch = at::zeros({3, 3, 5, 5}, at::kByte);
        storeImage(batch, 1, chart(5, 5));
        QCOMPARE(batch[1][0][3][4].item<int>(), 4);
        QCOMPARE(batch[1][1][3][4].item<int>(), 3);
        QCOMPARE(batch[1][2][3][4].item<int>(), 12);
        QCOMPARE(batch[0].sum().item<int>() + batch[2].sum().item<int>(), 0);
        QVERIFY_EXCEPTION_THROWN(storeImage(batch, 0, chart(5, 6)), Error);
        QVERIFY_EXCEPTION_THROWN(storeImage(batch, 0, cv::Mat(5, 5, CV_8UC1)), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestLoadShape)

}  // namespace tst_load_shape

#include "tst_load_shape.moc"
