// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QtTest>
#include <cmath>
#include <limits>
#include <random>

#include "tests/support/test_program.h"
#include "ui/plots/dense_lines.h"

using namespace palimpsest;

namespace tst_dense_lines {

class TestCrowdRaster : public QObject {
    Q_OBJECT
private:
    static int alphaAt(const QImage& image, int x, int y) { return qAlpha(image.pixel(x, y)); }
    static QColor ink() { return QColor(200, 100, 50); }

private Q_SLOTS:
    void aLevelLineCoversWhatItIsThick() {
        CrowdRaster raster(20, 10, 1);
        raster.lineTo(0, 4.25, 4.25);
        raster.lineTo(19.5, 4.25, 4.25);
        raster.finish(ink());
        const QImage image = raster.image();
        for (int x = 0; x < 20; ++x) {
            // From 3.75 to 4.75.
            QVERIFY(std::abs(alphaAt(image, x, 3) - 64) <= 1);
            QVERIFY(std::abs(alphaAt(image, x, 4) - 191) <= 1);
            QCOMPARE(alphaAt(image, x, 2), 0);
            QCOMPARE(alphaAt(image, x, 5), 0);
        }
    }

    void aPostIsFilledInOneColumn() {
        CrowdRaster raster(5, 10, 1);
        raster.lineTo(2.3, 2.5, 7.5);
        raster.finish(ink());
        const QImage image = raster.image();
        for (int y = 0; y < 10; ++y)
            for (int x = 0; x < 5; ++x) QCOMPARE(image.pixelColor(x, y).alpha(), x == 2 && y >= 2 && y < 8 ? 255 : 0);
        QCOMPARE(image.pixelColor(2, 5), ink());
    }

    void aLineHasNoHolesHoweverSteepItIs() {
        CrowdRaster raster(8, 100, 1);
        raster.lineTo(1.5, 95, 95);
        raster.lineTo(2.5, 40, 40);
        raster.lineTo(6.5, 5, 5);
        raster.finish(ink());
        const QImage image = raster.image();
        for (int y = 6; y < 95; ++y) {
            int covered = 0;
            for (int x = 0; x < 8; ++x) covered += alphaAt(image, x, y);
            QVERIFY2(covered >= 250, qPrintable(QString::number(y)));
        }
    }

    void pointsBeyondThePictureLeadTheLineInAndOut() {
        CrowdRaster raster(10, 10, 1);
        raster.lineTo(-1e6, 4.5 - 1e5, 4.5 - 1e5);
        raster.lineTo(1e6, 4.5 + 1e5,
                      4.5 + 1e5);  // falls a tenth of a pixel a column, through the first column's middle
        raster.finish(ink());
        const QImage image = raster.image();
        for (int x = 0; x < 10; ++x) QVERIFY(alphaAt(image, x, 4) > 0);
        QVERIFY(alphaAt(image, 9, 5) > alphaAt(image, 0, 5));
        QVERIFY(alphaAt(image, 0, 0) == 0 && alphaAt(image, 9, 9) == 0);
    }

    void aLineComesBackFromHoweverFarAway_data() {
        QTest::addColumn<double>("far");
        QTest::newRow("farther than a float reaches") << 1e300;
        QTest::newRow("infinitely far") << std::numeric_limits<double>::infinity();
    }
    void aLineComesBackFromHoweverFarAway() {
        QFETCH(double, far);
        CrowdRaster raster(12, 10, 1);
        raster.lineTo(-far, 5, 5);
        raster.lineTo(0.5, 5, 5);
        raster.lineTo(3.5, -far, -far);
        raster.lineTo(6.5, 5, 5);
        raster.lineTo(8.5, -far, far);
        raster.lineTo(11.5, 5, 5);
        raster.lineTo(far, 5, 5);
        raster.fillTo(8, QColor(0, 0, 255));
        raster.finish(ink());
        const QImage image = raster.image();
        for (const int x : {0, 6, 8}) QCOMPARE(image.pixelColor(x, 2), ink());
        for (const int x : {2, 4}) QCOMPARE(image.pixelColor(x, 2), QColor(0, 0, 255));
        for (const int x : {0, 6, 11}) QCOMPARE(image.pixelColor(x, 7), QColor(0, 0, 255));
    }

    void whatIsNoNumberBreaksALineOff() {
        const double none = std::numeric_limits<double>::quiet_NaN();
        CrowdRaster raster(12, 10, 1);
        raster.lineTo(0.5, 5, 5);
        raster.lineTo(2.5, 5, 5);
        raster.lineTo(none, 5, 5);
        raster.lineTo(5.5, 5, 5);
        raster.lineTo(7.5, none, none);
        raster.lineTo(9.5, 5, 5);
        raster.lineTo(11.5, 5, 5);
        raster.fillTo(8, QColor(0, 0, 255));
        raster.finish(ink());
        const QImage image = raster.image();
        for (const int x : {0, 1, 2, 5, 9, 10, 11}) QVERIFY(alphaAt(image, x, 5) > 0);
        for (const int x : {3, 4, 6, 7, 8}) QCOMPARE(alphaAt(image, x, 5), 0);
    }

    void whatIsOutsideIsNotDrawn() {
        CrowdRaster raster(10, 10, 1);
        raster.lineTo(-50, 5, 5);
        raster.lineTo(-20, 5, 5);
        raster.interrupt();
        raster.lineTo(3, -40, -20);
        raster.lineTo(6, 30, 40);
        raster.interrupt();
        raster.lineTo(11, 5, 5);
        raster.lineTo(15, 5, 5);
        raster.finish(ink());
        const QImage image = raster.image();
        for (int y = 0; y < 10; ++y)
            for (const int x : {0, 1, 2, 7, 8, 9}) QCOMPARE(alphaAt(image, x, y), 0);
    }

    void anInterruptedLineHasAGap() {
        CrowdRaster raster(20, 10, 1);
        raster.lineTo(1.5, 5, 5);
        raster.lineTo(5.5, 5, 5);
        raster.interrupt();
        raster.lineTo(12.5, 5, 5);
        raster.lineTo(18.5, 5, 5);
        raster.finish(ink());
        const QImage image = raster.image();
        QVERIFY(alphaAt(image, 4, 5) > 0 && alphaAt(image, 14, 5) > 0);
        for (int x = 6; x < 12; ++x) QCOMPARE(alphaAt(image, x, 5), 0);
    }

    void laterLinesLieOverEarlierOnes() {
        CrowdRaster raster(4, 4, 1);
        for (const QColor& colour : {QColor(255, 0, 0), QColor(0, 0, 255, 128)}) {
            raster.lineTo(0, 1, 3);
            raster.lineTo(3.9, 1, 3);
            raster.finish(colour);
        }
        const QColor mixed = raster.image().pixelColor(0, 2);
        QCOMPARE(mixed.alpha(), 255);
        QVERIFY(std::abs(mixed.red() - 127) <= 2 && std::abs(mixed.blue() - 128) <= 2 && mixed.green() == 0);
    }

    void inkSpreadsWhereALineGoesUpAndDownALot() {
        CrowdRaster raster(3, 40, 1);
        raster.lineTo(0.5, 5, 7);
        raster.interrupt();
        raster.lineTo(1.5, 5, 15);
        raster.interrupt();
        raster.lineTo(2.5, 0, 40);
        raster.finish(ink(), 0.3);
        const QImage image = raster.image();
        QCOMPARE(alphaAt(image, 0, 6), 255);
        QVERIFY(std::abs(alphaAt(image, 1, 10) - 255 * 5 / 11) <= 2);
        QVERIFY(std::abs(alphaAt(image, 2, 20) - 76) <= 2);
    }

    void belowALineItIsFilledToALevel() {
        CrowdRaster raster(4, 20, 1);
        raster.lineTo(0, 4, 8);
        raster.lineTo(3.5, 4, 8);
        raster.fillTo(15, QColor(0, 0, 255));
        raster.finish(ink());
        const QImage image = raster.image();
        QCOMPARE(image.pixelColor(0, 6), ink());
        QCOMPARE(image.pixelColor(0, 12), QColor(0, 0, 255));
        QCOMPARE(alphaAt(image, 0, 15), 0);
        QCOMPARE(alphaAt(image, 0, 2), 0);
    }

    /// A painter's own line is the model, far slower.
    void itCoversWhatAPainterWouldCover_data() {
        QTest::addColumn<double>("noise");
        QTest::addColumn<int>("points");
        QTest::newRow("smooth") << 0.0 << 60;
        QTest::newRow("a few points") << 8.0 << 60;
        QTest::newRow("some to a pixel") << 8.0 << 900;
        QTest::newRow("very many") << 8.0 << 60000;
    }
    void itCoversWhatAPainterWouldCover() {
        QFETCH(double, noise);
        QFETCH(int, points);
        constexpr int kWidth = 300, kHeight = 120;
        std::mt19937 random(5);
        std::normal_distribution<double> wobble(0, 1);
        QPolygonF line;
        for (int i = 0; i < points; ++i) {
            const double x = kWidth * (i + 0.5) / points;
            line.append(QPointF(x, 60 + 30 * std::sin(x / 40) + noise * wobble(random)));
        }
        CrowdRaster raster(kWidth, kHeight, 1);
        for (const QPointF& point : line) raster.lineTo(point.x(), point.y(), point.y());
        raster.finish(ink());
        const QImage drawn = raster.image();
        QImage model(kWidth, kHeight, QImage::Format_ARGB32_Premultiplied);
        model.fill(Qt::transparent);
        QPainter painter(&model);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(ink(), 1));
        painter.drawPolyline(line);
        painter.end();
        // An edge may lie elsewhere within a pixel, nothing is missing or there for nothing.
        const auto strongest = [](const QImage& image, int x, int y) {
            int most = 0;
            for (int v = std::max(0, y - 1); v <= std::min(kHeight - 1, y + 1); ++v)
                for (int u = std::max(0, x - 1); u <= std::min(kWidth - 1, x + 1); ++u)
                    most = std::max(most, alphaAt(image, u, v));
            return most;
        };
        int covered = 0;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                if (alphaAt(model, x, y) > 160) {
                    ++covered;
                    QVERIFY2(strongest(drawn, x, y) > 80, qPrintable(QString("missing at %1, %2").arg(x).arg(y)));
                }
                if (alphaAt(drawn, x, y) > 160)
                    QVERIFY2(strongest(model, x, y) > 80, qPrintable(QString("too much at %1, %2").arg(x).arg(y)));
            }
        QVERIFY(covered > 80);
    }
};

PALIMPSEST_TEST(TestCrowdRaster)

}  // namespace tst_dense_lines

#include "tst_dense_lines.moc"
