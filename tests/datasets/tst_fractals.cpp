// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/drawn/contours.h"
#include "datasets/drawn/drawn_source.h"
#include "datasets/drawn/fractals.h"
#include "engine/support/random.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

#include <QtTest>
#include <cmath>
#include <functional>
#include <set>
#include <thread>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_fractals {

namespace {

using Picture = std::function<cv::Mat(std::uint64_t seed, std::int64_t label, std::uint64_t instance, int size)>;

cv::Mat fractal(std::uint64_t seed, std::int64_t label, std::uint64_t instance, int size) {
    return renderFractal(fractalClass(seed, label), instance, size);
}
cv::Mat contour(std::uint64_t seed, std::int64_t label, std::uint64_t instance, int size) {
    return renderContour(contourClass(seed, label), instance, size);
}

double inkShare(const cv::Mat& picture) {
    return static_cast<double>(cv::countNonZero(picture > 20)) / static_cast<double>(picture.total());
}

}  // namespace

class TestFractals : public QObject {
    Q_OBJECT

private:
    static void families() {
        QTest::addColumn<Picture>("picture");
        QTest::newRow("fractals") << Picture(fractal);
        QTest::newRow("contours") << Picture(contour);
    }

private Q_SLOTS:
    void theSameArgumentsGiveTheSamePicture_data() { families(); }
    void theSameArgumentsGiveTheSamePicture() {
        QFETCH(Picture, picture);
        for (int label = 0; label < 30; ++label) QVERIFY(same(picture(5, label, 11, 32), picture(5, label, 11, 32)));
    }

    void seedClassAndInstanceEachChangeThePicture_data() { families(); }
    void seedClassAndInstanceEachChangeThePicture() {
        QFETCH(Picture, picture);
        for (int label = 0; label < 30; ++label) {
            const cv::Mat one = picture(5, label, 11, 32);
            QVERIFY(!same(one, picture(6, label, 11, 32)));
            QVERIFY(!same(one, picture(5, label + 1, 11, 32)));
            QVERIFY(!same(one, picture(5, label, 12, 32)));
        }
    }

    void everyPictureHasTheAskedSizeAndIsNeitherEmptyNorFull_data() { families(); }
    void everyPictureHasTheAskedSizeAndIsNeitherEmptyNorFull() {
        QFETCH(Picture, picture);
        for (const int size : {8, 32, 64}) {
            double least = 1;
            double sum = 0;
            for (int label = 0; label < 200; ++label) {
                const cv::Mat drawn = picture(1, label, static_cast<std::uint64_t>(label), size);
                QCOMPARE(drawn.size(), cv::Size(size, size));
                QCOMPARE(drawn.type(), CV_8UC1);
                const double ink = inkShare(drawn);
                QVERIFY2(ink < 0.98, qPrintable(QString("class %1 fills %2").arg(label).arg(ink)));
                least = std::min(least, ink);
                sum += ink;
            }
            QVERIFY2(least > 0.005, qPrintable(QString::number(least)));
            QVERIFY(sum / 200 > 0.15);
        }
    }

    void picturesOfOneClassAreMoreAlikeThanOfTwo_data() { families(); }
    void picturesOfOneClassAreMoreAlikeThanOfTwo() {
        QFETCH(Picture, picture);
        double within = 0;
        double between = 0;
        for (int label = 0; label < 60; ++label) {
            for (std::uint64_t i = 0; i < 3; ++i) {
                // An instance may be flipped and slightly rotated, so the nearest of several is compared.
                double nearestOwn = 1;
                double nearestOther = 1;
                const cv::Mat one = picture(3, label, i, 32);
                for (std::uint64_t j = 10; j < 26; ++j) {
                    nearestOwn = std::min(nearestOwn, difference(one, picture(3, label, j, 32)));
                    nearestOther = std::min(nearestOther, difference(one, picture(3, (label + 1) % 60, j, 32)));
                }
                within += nearestOwn;
                between += nearestOther;
            }
        }
        QVERIFY2(within < 0.8 * between, qPrintable(QString("%1 %2").arg(within).arg(between)));
    }

    void picturesCarryShading_data() { families(); }
    void picturesCarryShading() {
        QFETCH(Picture, picture);
        int shaded = 0;
        for (int label = 0; label < 100; ++label) {
            const cv::Mat drawn = picture(2, label, 0, 32);
            const std::set<int> values(drawn.begin<std::uint8_t>(), drawn.end<std::uint8_t>());
            shaded += values.size() > 25 ? 1 : 0;
        }
        QVERIFY2(shaded > 80, qPrintable(QString::number(shaded)));
    }

    void fractalSystemsAreMadeAsKataokaDescribes() {
        std::set<std::size_t> sizes;
        for (int label = 0; label < 300; ++label) {
            const auto system = fractalClass(9, label);
            sizes.insert(system.maps.size());
            float total = 0;
            float determinants = 0;
            for (const auto& m : system.maps) determinants += std::abs(m.a * m.d - m.b * m.c);
            for (const auto& m : system.maps) {
                for (const float value : {m.a, m.b, m.c, m.d, m.e, m.f}) QVERIFY(std::abs(value) <= 1);
                QVERIFY(std::abs(m.probability - std::abs(m.a * m.d - m.b * m.c) / determinants) < 1e-5F);
                total += m.probability;
            }
            QVERIFY(std::abs(total - 1) < 1e-5F);
        }
        QVERIFY(*sizes.begin() >= 2);
        QVERIFY(*sizes.rbegin() <= 8);
        QVERIFY(sizes.size() >= 5);
    }

    void anEscapingSystemStillGivesAPicture() {
        const FractalSystem escaping{{{3, 0, 0, 3, 1, 1, 0.5F}, {3, 0, 0, 3, -1, 1, 0.5F}}};
        QCOMPARE(renderFractal(escaping, 1, 32).size(), cv::Size(32, 32));
    }

    void fractalsAreCentredOnTheCanvas() {
        int away = 0;
        for (int label = 0; label < 100; ++label) {
            const cv::Mat drawn = fractal(4, label, 0, 32) > 20;
            cv::Mat columns;
            cv::Mat rows;
            cv::reduce(drawn, columns, 0, cv::REDUCE_MAX);
            cv::reduce(drawn, rows, 1, cv::REDUCE_MAX);
            for (const cv::Mat& axis : {columns.reshape(1, 1), rows.reshape(1, 1)}) {
                std::vector<cv::Point> inked;
                cv::findNonZero(axis, inked);
                away += std::abs(inked.front().x + inked.back().x - 31) > 4 ? 1 : 0;
            }
        }
        // Jitter gives a few systems a faint tail to one side.
        QVERIFY2(away <= 10, qPrintable(QString::number(away)));
    }

    void systemsAreSearchedForWhenTheyAreAskedFor() {
        const FractalClasses classes(9, 10'000);
        QCOMPARE(classes.found(), 0);
        for (const std::int32_t label : {9'999, 3, 9'999}) {
            const FractalSystem expected = fractalClass(9, label);
            QCOMPARE(classes[label].maps.size(), expected.maps.size());
            QCOMPARE(classes[label].maps.back().a, expected.maps.back().a);
        }
        QCOMPARE(classes.found(), 2);
    }

    void severalThreadsSearchForASystemOnce() {
        const FractalClasses classes(9, 40);
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([&] {
                    for (std::int32_t label = 0; label < 40; ++label) static_cast<void>(classes[label]);
                });
        }
        QCOMPARE(classes.found(), 40);
    }

    void theDataSetHasAsManyClassesAsAskedInTurn() {
        const DatasetRequest request{.name = "fractals", .classes = 7, .train_limit = 30, .test_limit = 9};
        const auto data = openDataset(request);
        QCOMPARE(data.class_names.size(), std::size_t{7});
        QCOMPARE(data.class_names.front(), std::string("fractal 1"));
        QCOMPARE(data.train->size(), 30);
        QCOMPARE(data.test->size(), 9);
        for (std::size_t i = 0; i < 30; ++i) QCOMPARE(data.train->labels()[i], static_cast<std::int32_t>(i % 7));
        QCOMPARE(data.train->image(29).size(), cv::Size(32, 32));
        QVERIFY(inputErrorOf([&] { data.train->image(30); }).contains("no image 30"));
    }

    void trainAndTestPicturesOfOneIndexDiffer() {
        const auto data = openDataset({.name = "fractals", .classes = 5, .train_limit = 20, .test_limit = 20});
        for (std::int64_t i = 0; i < 20; ++i) QVERIFY(!same(data.train->image(i), data.test->image(i)));
    }

    void aLimitDoesNotChangeThePicturesItKeeps() {
        const auto whole = openDataset({.name = "fractals", .classes = 5});
        const auto part = openDataset({.name = "fractals", .classes = 5, .train_limit = 20});
        const auto other = openDataset({.name = "fractals", .classes = 5, .seed = 2, .train_limit = 20});
        for (std::int64_t i = 0; i < 20; ++i) {
            QVERIFY(same(whole.train->image(i), part.train->image(i)));
            QVERIFY(!same(whole.train->image(i), other.train->image(i)));
        }
    }

    void classesThatArePassedOverDoNotCome() {
        const auto all = openDataset({.name = "fractals", .classes = 10, .train_limit = 10});
        const auto later = openDataset({.name = "fractals", .classes = 4, .train_limit = 4, .first_class = 6});
        QCOMPARE(later.class_names, (std::vector<std::string>{"fractal 7", "fractal 8", "fractal 9", "fractal 10"}));
        // Each image depends on its index alone, so this is the same instance of another formula.
        const FractalClasses systems(1, 10);
        for (std::int32_t label = 0; label < 4; ++label) {
            Random random(1, purpose::kFractalSample, kTrainPart, static_cast<std::uint64_t>(label));
            const std::uint64_t instance = random.longWord();
            QVERIFY(same(later.train->image(label), renderFractal(systems[6 + label], instance, 32)));
            QVERIFY(!same(later.train->image(label), all.train->image(label)));
        }
        QVERIFY(inputErrorOf([] { openDataset({.name = "fractals", .first_class = -1}); }).contains("passed over"));
    }

    void laterClassesAreNoneOfThoseThatTheBackboneLearned() {
        // The first 300 fractals of seeds 1 and 2.
        std::set<float> learned;
        for (const std::uint64_t seed : {1, 2})
            for (std::int64_t label = 0; label < 300; ++label) learned.insert(fractalClass(seed, label).maps.front().a);
        QCOMPARE(learned.size(), std::size_t{600});
        for (std::int64_t label = 5000; label < 5100; ++label)
            QVERIFY(!learned.contains(fractalClass(1, label).maps.front().a));
    }

    void severalThreadsGetTheSamePictures() {
        const auto data = openDataset({.name = "fractals", .train_limit = 300});
        QCOMPARE(differencesAcrossThreads(*data.train), 0);
    }
};

PALIMPSEST_APPLESS_TEST(TestFractals)

}  // namespace tst_fractals

#include "tst_fractals.moc"
