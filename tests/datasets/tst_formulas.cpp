// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/drawn/contours.h"
#include "datasets/drawn/drawn_source.h"
#include "datasets/drawn/fractals.h"
#include "engine/support/random.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_formulas {

class TestFormulas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fractalsAndContoursTakeTurns() {
        const auto labels = openLabels({.name = "formulas", .classes = 5});
        QCOMPARE(labels.class_names,
                 (std::vector<std::string>{"fractal 1", "contour 1", "fractal 2", "contour 2", "fractal 3"}));
    }

    void twentyClassesOfFiveHundredAndAHundredPicturesByDefault() {
        const auto data = openDataset({.name = "formulas"});
        QCOMPARE(data.class_names.size(), std::size_t{20});
        QCOMPARE(data.train->size(), 10000);
        QCOMPARE(data.test->size(), 2000);
        QCOMPARE(data.train->image(0).type(), CV_8UC1);
        QCOMPARE(data.train->image(1).size(), cv::Size(32, 32));
    }

    void eachClassHasTheFormulaOfItsSeedAndNumber_data() {
        QTest::addColumn<qint64>("seed");
        QTest::addColumn<int>("side");
        QTest::newRow("the usual") << qint64{1} << 0;
        QTest::newRow("another seed, larger") << qint64{8} << 64;
    }
    void eachClassHasTheFormulaOfItsSeedAndNumber() {
        QFETCH(qint64, seed);
        QFETCH(int, side);
        const auto number = static_cast<std::uint64_t>(seed);
        const auto data = openDataset({.name = "formulas", .classes = 7, .seed = number, .side = side});
        const int pixels = side > 0 ? side : 32;
        for (std::int64_t i = 0; i < 21; ++i) {
            const std::int64_t label = i % 7;
            const std::uint64_t instance =
                Random(number, purpose::kFormulaSample, kTrainPart, static_cast<std::uint64_t>(i)).longWord();
            const cv::Mat expected = label % 2 == 0 ? renderFractal(fractalClass(number, label / 2), instance, pixels)
                                                    : renderContour(contourClass(number, label / 2), instance, pixels);
            QVERIFY(same(data.train->image(i), expected));
        }
    }

    void theSameSeedGivesTheSamePicturesInAnyOrderAndAnotherSeedOthers() {
        const auto one = openDataset({.name = "formulas", .seed = 3, .train_limit = 60});
        const auto again = openDataset({.name = "formulas", .seed = 3, .train_limit = 60});
        const auto other = openDataset({.name = "formulas", .seed = 4, .train_limit = 60});
        std::vector<cv::Mat> forwards;
        for (std::int64_t i = 0; i < 60; ++i) forwards.push_back(one.train->image(i));
        for (std::int64_t i = 60; i-- > 0;) {
            const cv::Mat& picture = forwards[static_cast<std::size_t>(i)];
            QVERIFY(same(again.train->image(i), picture));
            QVERIFY(!same(other.train->image(i), picture));
            QVERIFY(!same(one.test->image(i), picture));
        }
    }

    void severalThreadsGetTheSamePictures() {
        const auto data = openDataset({.name = "formulas", .train_limit = 300});
        QCOMPARE(differencesAcrossThreads(*data.train), 0);
    }
};

PALIMPSEST_APPLESS_TEST(TestFormulas)

}  // namespace tst_formulas

#include "tst_formulas.moc"
