// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

#include <QtTest>
#include <set>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_shapes {

class TestShapes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tenClassesOfSixtyAndTwentyPicturesByDefault() {
        const auto data = openDataset({.name = "shapes"});
        QCOMPARE(data.class_names.size(), std::size_t{10});
        QCOMPARE(data.class_names.front(), std::string("red circle"));
        QCOMPARE(data.train->size(), 600);
        QCOMPARE(data.test->size(), 200);
        const cv::Mat picture = data.train->image(0);
        QCOMPARE(picture.type(), CV_8UC3);
        QCOMPARE(picture.size(), cv::Size(32, 32));
    }

    void everyClassHasANameOfItsOwn() {
        const auto labels = openLabels({.name = "shapes", .classes = 36});
        QCOMPARE(std::set<std::string>(labels.class_names.begin(), labels.class_names.end()).size(), std::size_t{36});
    }

    void redCirclesAreRedInRgbOrder() {
        const auto data = openDataset({.name = "shapes"});
        cv::Scalar sum;
        for (std::int64_t i = 0; i < data.train->size(); i += 10) {
            const cv::Mat picture = data.train->image(i);
            sum += cv::mean(picture);
        }
        QVERIFY(sum[0] > 1.2 * sum[1]);
        QVERIFY(sum[0] > 1.2 * sum[2]);
    }

    void theSameSeedGivesTheSamePicturesAndAnotherSeedOthers() {
        const auto one = openDataset({.name = "shapes", .seed = 3});
        const auto again = openDataset({.name = "shapes", .seed = 3, .train_limit = 50});
        const auto other = openDataset({.name = "shapes", .seed = 4});
        for (std::int64_t i = 0; i < 50; ++i) {
            QVERIFY(same(one.train->image(i), again.train->image(i)));
            QVERIFY(!same(one.train->image(i), other.train->image(i)));
            QVERIFY(!same(one.train->image(i), one.test->image(i)));
        }
    }

    void classMeansTellMoreThanChanceButFarFromAll() {
        const auto data = openDataset({.name = "shapes"});
        const double accuracy = nearestMeanAccuracy(*data.train, *data.test, data.class_names.size());
        QVERIFY2(accuracy > 0.2, qPrintable(QString::number(accuracy)));
        QVERIFY2(accuracy < 0.9, qPrintable(QString::number(accuracy)));
    }

    void severalThreadsGetTheSamePictures() {
        const auto data = openDataset({.name = "shapes"});
        QCOMPARE(differencesAcrossThreads(*data.train), 0);
    }
};

PALIMPSEST_APPLESS_TEST(TestShapes)

}  // namespace tst_shapes

#include "tst_shapes.moc"
