// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <limits>

#include "engine/support/min_max_pyramid.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_min_max_pyramid {

class TestMinMaxPyramid : public QObject {
    Q_OBJECT
private:
    static double valueAt(std::size_t i) {
        return std::sin(static_cast<double>(i) * 0.37) * 10 + static_cast<double>((i * 7919) % 101);
    }

    static PointSeries seriesOf(std::size_t count) {
        PointSeries series;
        for (std::size_t i = 0; i < count; ++i) series.add(static_cast<double>(i / 3), valueAt(i));
        return series;
    }

    static Extremes scan(const PointSeries& series, std::size_t from, std::size_t to) {
        Extremes all;
        for (std::size_t i = from; i < to; ++i) all.add(series.y(i));
        return all;
    }

private Q_SLOTS:
    void everyRangeHasTheExtremesOfADirectScan_data() {
        QTest::addColumn<int>("count");
        for (const int count : {0, 1, 15, 16, 17, 63, 64, 65, 256, 257, 1023, 4096, 5000})
            QTest::newRow(qPrintable(QString::number(count))) << count;
    }
    void everyRangeHasTheExtremesOfADirectScan() {
        QFETCH(int, count);
        const auto size = static_cast<std::size_t>(count);
        const PointSeries series = seriesOf(size);
        QCOMPARE(series.pyramid().size(), size);
        // Borders next to those of blocks, where ranges are most likely to be cut wrongly, and some in between.
        std::vector<std::size_t> borders{0, size};
        for (std::size_t i = 0; i <= size; ++i)
            if (i % 16 < 2 || i % 16 == 15 || i % 61 == 0) borders.push_back(i);
        const std::size_t step = borders.size() / 60 + 1;
        for (std::size_t a = 0; a < borders.size(); a += step)
            for (std::size_t b = 0; b < borders.size(); b += step) {
                const std::size_t from = std::min(borders[a], borders[b]), to = std::max(borders[a], borders[b]);
                const Extremes got = series.pyramid().over(from, to, [&](std::size_t i) { return series.y(i); });
                QCOMPARE(got, scan(series, from, to));
            }
    }

    void everyLevelSaysWhatItsPointsSay() {
        const PointSeries series = seriesOf(10'007);
        QVERIFY(series.pyramid().levels() >= 4);
        for (std::size_t level = 0; level < series.pyramid().levels(); ++level) {
            const std::size_t size = MinMaxPyramid::blockSize(level);
            const auto blocks = series.pyramid().level(level);
            QCOMPARE(blocks.size(), (series.size() + size - 1) / size);
            for (std::size_t k = 0; k < blocks.size(); ++k) {
                const std::size_t from = k * size, to = std::min(series.size(), from + size);
                QCOMPARE(blocks[k].x, series.x(from));
                QCOMPARE(blocks[k].values, scan(series, from, to));
                double sum = 0;
                for (std::size_t i = from; i < to; ++i) sum += series.y(i);
                QVERIFY(std::abs(blocks[k].sum - sum) < 1e-6 * static_cast<double>(size));
            }
        }
    }

    void thePiecesOfAnyRangeCoverItOnceAndInOrder() {
        const PointSeries series = seriesOf(3001);
        for (std::size_t level = 0; level <= series.pyramid().levels(); ++level)
            for (const auto& [from, to] :
                 {std::pair<std::size_t, std::size_t>{0, 3001}, {5, 2999}, {64, 128}, {17, 18}}) {
                std::size_t covered = 0;
                double last = -1;
                Extremes all;
                series.pyramid().pieces(
                    level, from, to, [&](std::size_t i) { return std::pair(series.x(i), series.y(i)); },
                    [&](const MinMaxPyramid::Block& block, std::size_t count) {
                        covered += count;
                        all.add(block.values);
                        QVERIFY(block.x >= last);
                        last = block.x;
                    });
                QCOMPARE(covered, to - from);
                QCOMPARE(all, scan(series, from, to));
            }
    }

    void theCoarsestLevelIsTakenThatIsFineEnough() {
        const PointSeries series = seriesOf(20'000);
        const MinMaxPyramid& pyramid = series.pyramid();
        QCOMPARE(pyramid.levelFor(15), pyramid.levels());
        QCOMPARE(pyramid.levelFor(16), std::size_t(0));
        QCOMPARE(pyramid.levelFor(63), std::size_t(0));
        QCOMPARE(pyramid.levelFor(64), std::size_t(1));
        QCOMPARE(pyramid.levelFor(1e12), pyramid.levels() - 1);
    }

    void whatIsNoNumberChangesNothing() {
        PointSeries series;
        for (int i = 0; i < 40; ++i) series.add(i, i == 20 ? std::numeric_limits<double>::quiet_NaN() : i);
        QCOMPARE(series.between(0, 39), (Extremes{0, 39}));
        QVERIFY(series.between(20, 20).empty());
        QVERIFY(std::isfinite(series.pyramid().level(0)[1].sum));
    }

    void aRangeOfPlacesIncludesBothEnds() {
        const PointSeries series = seriesOf(300);
        QCOMPARE(series.between(10, 20), scan(series, 30, 63));
        QVERIFY(series.between(200, 300).empty());
        QVERIFY(series.between(20, 10).empty());
    }
};

PALIMPSEST_APPLESS_TEST(TestMinMaxPyramid)

}  // namespace tst_min_max_pyramid

#include "tst_min_max_pyramid.moc"
