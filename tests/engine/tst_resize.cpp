// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <opencv2/core.hpp>

#include "engine/data/resize.h"
#include "engine/network/tensor_file.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_resize {

namespace {

const TensorFile& reference() {
    static const TensorFile file = readSafetensors(PALIMPSEST_TEST_DATA "/transforms/reference.safetensors");
    return file;
}

cv::Mat matOf(const Tensor& picture) {
    const Tensor bytes = picture.contiguous();
    const auto channels = static_cast<int>(bytes.size(2));
    return cv::Mat(static_cast<int>(bytes.size(0)), static_cast<int>(bytes.size(1)), CV_MAKETYPE(CV_8U, channels),
                   bytes.data_ptr<std::uint8_t>())
        .clone();
}

cv::Mat lineOf(std::vector<std::uint8_t> bytes) {
    return cv::Mat(1, static_cast<int>(bytes.size()), CV_8UC1, bytes.data()).clone();
}

cv::Mat randomPicture(int height, int width, int channels, std::uint64_t seed) {
    Random random(seed);
    cv::Mat picture(height, width, CV_MAKETYPE(CV_8U, channels));
    for (std::uint8_t* byte = picture.data; byte != picture.dataend; ++byte)
        *byte = static_cast<std::uint8_t>(random.word());
    return picture;
}

/// Number of different bytes, and their largest difference.
std::pair<int, int> difference(const cv::Mat& a, const cv::Mat& b) {
    if (a.size() != b.size() || a.type() != b.type()) return {-1, 256};
    int count = 0, most = 0;
    for (int y = 0; y < a.rows; ++y)
        for (int x = 0; x < a.cols * a.channels(); ++x) {
            const int gap = std::abs(a.ptr<std::uint8_t>(y)[x] - b.ptr<std::uint8_t>(y)[x]);
            count += gap > 0;
            most = std::max(most, gap);
        }
    return {count, most};
}

bool equal(const cv::Mat& a, const cv::Mat& b) {
    return difference(a, b).first == 0;
}

/// Weighted sum over a line in float64: of `at(pixel)` with a triangle of half width `support` around `centre`.
template <class At>
double triangleSum(int length, double centre, double support, At at) {
    double sum = 0, weights = 0;
    for (int pixel = 0; pixel < length; ++pixel) {
        const double weight = std::max(0.0, 1 - std::abs(pixel + 0.5 - centre) / support);
        sum += weight * at(pixel);
        weights += weight;
    }
    return sum / weights;
}

/// Both passes in float64, with bytes in between.
cv::Mat slowAntialiased(const cv::Mat& picture, cv::Size size) {
    const auto pass = [](const cv::Mat& in, int to) {
        cv::Mat out(in.rows, to, CV_8UC1);
        const double scale = static_cast<double>(in.cols) / to;
        for (int y = 0; y < in.rows; ++y)
            for (int x = 0; x < to; ++x)
                out.at<std::uint8_t>(y, x) = static_cast<std::uint8_t>(
                    std::lround(triangleSum(in.cols, (x + 0.5) * scale, std::max(1.0, scale),
                                            [&](int p) { return in.at<std::uint8_t>(y, p); })));
        return out;
    };
    return cv::Mat(pass(cv::Mat(pass(picture, size.width).t()), size.height).t());
}

/// One grey pixel of the plain bilinear resize in float64.
double slowBilinear(const cv::Mat& picture, cv::Size size, int y, int x) {
    const auto place = [](int from, int to, int i) {
        return std::clamp((i + 0.5) * from / to - 0.5, 0.0, static_cast<double>(from - 1));
    };
    const double row = place(picture.rows, size.height, y), column = place(picture.cols, size.width, x);
    const int top = static_cast<int>(row), left = static_cast<int>(column);
    const int bottom = std::min(top + 1, picture.rows - 1), right = std::min(left + 1, picture.cols - 1);
    const double down = row - top, across = column - left;
    const auto at = [&](int r, int c) { return static_cast<double>(picture.at<std::uint8_t>(r, c)); };
    return (1 - down) * ((1 - across) * at(top, left) + across * at(top, right)) +
           down * ((1 - across) * at(bottom, left) + across * at(bottom, right));
}

}  // namespace

class TestResize : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theReferenceProgramsBytesComeOut_data() {
        QTest::addColumn<QString>("name");
        for (const auto& entry : reference().tensors)
            if (entry.name.find(".pillow.") != std::string::npos || entry.name.find(".torch.") != std::string::npos)
                QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
    }
    void theReferenceProgramsBytesComeOut() {
        QFETCH(QString, name);
        const QStringList parts = name.split('.'), lengths = parts[2].split('x');
        const cv::Mat picture = matOf(reference().at((parts[0] + ".picture").toStdString()));
        const cv::Size size(lengths[1].toInt(), lengths[0].toInt());
        const cv::Mat resized = parts[1] == "pillow" ? pillowResized(picture, size) : torchResized(picture, size);
        QCOMPARE(difference(resized, matOf(reference().at(name.toStdString()))), std::pair(0, 0));
    }

    void aLineIsResizedAsOnPaper_data() {
        QTest::addColumn<bool>("antialias");
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("expected");
        const auto bytes = [](std::initializer_list<int> values) {
            QByteArray array;
            for (const int value : values) array.append(static_cast<char>(value));
            return array;
        };
        QTest::newRow("Pillow, twice as long") << true << bytes({0, 100}) << bytes({0, 25, 75, 100});
        QTest::newRow("Pillow, two to one") << true << bytes({0, 255}) << bytes({128});
        // Weights are 3/4, 3/4, 1/4 and their mirror image, divided by their sum of 7/4: 50 / 1.75 and 220 / 1.75.
        QTest::newRow("Pillow, half as long") << true << bytes({0, 40, 80, 200}) << bytes({29, 126});
        QTest::newRow("torchvision, twice as long") << false << bytes({0, 100}) << bytes({0, 25, 75, 100});
        // Only the two middle neighbours count: no antialias.
        QTest::newRow("torchvision, a quarter as long") << false << bytes({255, 0, 40, 255}) << bytes({20});
        QTest::newRow("torchvision, halves go to the even byte") << false << bytes({0, 1, 1, 2}) << bytes({0, 2});
    }
    void aLineIsResizedAsOnPaper() {
        QFETCH(bool, antialias);
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, expected);
        const cv::Mat row = lineOf({line.begin(), line.end()});
        const cv::Mat target = lineOf({expected.begin(), expected.end()});
        const auto resize = [&](const cv::Mat& picture, const cv::Size& size) {
            return antialias ? pillowResized(picture, size) : torchResized(picture, size);
        };
        QVERIFY(equal(resize(row, target.size()), target));
        // Columns are resized like rows.
        QVERIFY(equal(resize(row.t(), {1, target.cols}), target.t()));
    }

    void pillowRoundsBetweenThePasses() {
        // (0 + 1) / 2 becomes 1, and (1 + 0) / 2 again: a mean of 1/4 ends as 1.
        const cv::Mat picture = (cv::Mat_<std::uint8_t>(2, 2) << 0, 1, 0, 0);
        QCOMPARE(int{pillowResized(picture, {1, 1}).at<std::uint8_t>(0, 0)}, 1);
        QCOMPARE(int{torchResized(picture, {1, 1}).at<std::uint8_t>(0, 0)}, 0);
    }

    void aPlainPictureStaysPlain_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        for (const auto& [height, width] : {std::pair{1, 1}, {3, 500}, {224, 224}, {1000, 7}})
            QTest::addRow("%d x %d", height, width) << height << width;
    }
    void aPlainPictureStaysPlain() {
        QFETCH(int, height);
        QFETCH(int, width);
        for (const int shade : {0, 1, 127, 254, 255}) {
            const cv::Mat picture(37, 41, CV_8UC3, cv::Scalar::all(shade));
            const cv::Mat expected(height, width, CV_8UC3, cv::Scalar::all(shade));
            QVERIFY(equal(pillowResized(picture, {width, height}), expected));
            QVERIFY(equal(torchResized(picture, {width, height}), expected));
        }
    }

    void theSameSizeIsTheSamePicture() {
        const cv::Mat picture = randomPicture(9, 14, 3, 1);
        QVERIFY(equal(pillowResized(picture, picture.size()), picture));
        QVERIFY(equal(torchResized(picture, picture.size()), picture));
    }

    void pillowsFilterAgreesWithASlowOneInDoublePrecision_data() {
        QTest::addColumn<QSize>("from");
        QTest::addColumn<QSize>("to");
        QTest::newRow("up") << QSize(28, 28) << QSize(32, 32);
        QTest::newRow("down") << QSize(100, 75) << QSize(32, 24);
        QTest::newRow("far down") << QSize(300, 200) << QSize(5, 4);
        QTest::newRow("one way each") << QSize(20, 90) << QSize(41, 17);
        QTest::newRow("wider than a block") << QSize(64, 64) << QSize(131, 30);
    }
    void pillowsFilterAgreesWithASlowOneInDoublePrecision() {
        QFETCH(QSize, from);
        QFETCH(QSize, to);
        const cv::Mat picture = randomPicture(from.height(), from.width(), 1, 5);
        const cv::Size size(to.width(), to.height());
        const auto [count, most] = difference(pillowResized(picture, size), slowAntialiased(picture, size));
        // Only 22-bit weights within a tiny distance of half a byte round differently; small ratios meet halves often.
        QVERIFY2(most <= 1 && count <= size.area() / 100,
                 qPrintable(QString("%1 bytes, up to %2").arg(count).arg(most)));
    }

    void torchvisionsResizeAgreesWithASlowOneInDoublePrecision_data() {
        pillowsFilterAgreesWithASlowOneInDoublePrecision_data();
    }
    void torchvisionsResizeAgreesWithASlowOneInDoublePrecision() {
        QFETCH(QSize, from);
        QFETCH(QSize, to);
        const cv::Mat picture = randomPicture(from.height(), from.width(), 1, 6);
        const cv::Size size(to.width(), to.height());
        const cv::Mat resized = torchResized(picture, size);
        for (int y = 0; y < size.height; ++y)
            for (int x = 0; x < size.width; ++x) {
                const double exact = slowBilinear(picture, size, y, x);
                // float32 coordinates and sums are off by a few ten-thousandths of a byte.
                QVERIFY(std::abs(resized.at<std::uint8_t>(y, x) - exact) < 0.5 + 2e-3);
            }
    }

    void torchvisionsResizeAgreesWithThisLibTorch_data() { pillowsFilterAgreesWithASlowOneInDoublePrecision_data(); }
    void torchvisionsResizeAgreesWithThisLibTorch() {
        QFETCH(QSize, from);
        QFETCH(QSize, to);
        const cv::Mat picture = randomPicture(from.height(), from.width(), 3, 7);
        const Tensor bytes = at::from_blob(picture.data, {1, picture.rows, picture.cols, 3}, at::kByte);
        const Tensor planes = bytes.permute({0, 3, 1, 2}).contiguous().to(at::kFloat);
        const Tensor resized =
            at::round(at::upsample_bilinear2d(planes, {to.height(), to.width()}, false)).to(at::kByte);
        const auto [count, most] =
            difference(torchResized(picture, {to.width(), to.height()}), matOf(resized[0].permute({1, 2, 0})));
        // Another LibTorch, or a processor without fused sums, may round some halves the other way.
        QVERIFY2(most <= 1 && count <= 3 * to.width() * to.height() / 200,
                 qPrintable(QString("%1 bytes, up to %2").arg(count).arg(most)));
    }

    void coloursAreResizedLikeGreyOnes() {
        const cv::Mat picture = randomPicture(30, 44, 3, 8);
        std::vector<cv::Mat> planes;
        cv::split(picture, planes);
        for (const auto& resize : {+[](const cv::Mat& p) {
                                       return pillowResized(p, {17, 61});
                                   },
                                   +[](const cv::Mat& p) {
                                       return torchResized(p, {17, 61});
                                   }}) {
            std::vector<cv::Mat> expected;
            for (const cv::Mat& plane : planes) expected.push_back(resize(plane));
            cv::Mat merged;
            cv::merge(expected, merged);
            QVERIFY(equal(resize(picture), merged));
        }
    }

    void aPartIsCutFromTheWhole_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QRect>("part");
        QTest::newRow("both ways") << QSize(40, 30) << QRect(7, 5, 20, 19);
        QTest::newRow("only across") << QSize(40, 70) << QRect(7, 5, 20, 19);
        QTest::newRow("only down") << QSize(90, 30) << QRect(0, 11, 90, 19);
        QTest::newRow("same size") << QSize(90, 70) << QRect(1, 2, 3, 4);
        QTest::newRow("last pixel") << QSize(200, 300) << QRect(199, 299, 1, 1);
    }
    void aPartIsCutFromTheWhole() {
        QFETCH(QSize, size);
        QFETCH(QRect, part);
        const cv::Mat picture = randomPicture(70, 90, 3, 9);
        const cv::Size whole(size.width(), size.height());
        const cv::Rect cut(part.x(), part.y(), part.width(), part.height());
        QVERIFY(equal(pillowResized(picture, whole, cut), pillowResized(picture, whole)(cut)));
    }

    void aPictureThatIsAWindowOnAnotherIsReadRight() {
        const cv::Mat whole = randomPicture(50, 60, 3, 10), window = whole(cv::Rect(10, 20, 31, 22));
        QVERIFY(equal(pillowResized(window, {16, 16}), pillowResized(window.clone(), {16, 16})));
        QVERIFY(equal(torchResized(window, {16, 16}), torchResized(window.clone(), {16, 16})));
    }

    void otherPicturesAreRefused() {
        const cv::Mat deep(4, 4, CV_16UC1), fine(4, 4, CV_8UC1);
        for (const cv::Mat& picture : {cv::Mat(), deep, cv::Mat(4, 4, CV_8UC4)}) {
            QVERIFY_EXCEPTION_THROWN(pillowResized(picture, {2, 2}), Error);
            QVERIFY_EXCEPTION_THROWN(torchResized(picture, {2, 2}), Error);
        }
        QVERIFY_EXCEPTION_THROWN(torchResized(fine, {0, 2}), Error);
        QVERIFY_EXCEPTION_THROWN(pillowResized(fine, {2, 2}, {1, 1, 2, 1}), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestResize)

}  // namespace tst_resize

#include "tst_resize.moc"
