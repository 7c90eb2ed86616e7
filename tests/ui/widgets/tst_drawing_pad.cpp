// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/drawing_pad.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_drawing_pad {

namespace {

constexpr int kScreenPixel = 10, kFrameWidth = 3;

/// The middle of a pixel of the picture, on a pad of its usual size.
QPoint screen(int x, int y) {
    return {kFrameWidth + x * kScreenPixel + kScreenPixel / 2, kFrameWidth + y * kScreenPixel + kScreenPixel / 2};
}

void stroke(DrawingPad& pad, const QList<QPoint>& pixels, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(&pad, button, {}, screen(pixels[0].x(), pixels[0].y()));
    for (const QPoint& pixel : pixels.mid(1)) {
        const QPoint at = screen(pixel.x(), pixel.y());
        QMouseEvent move(QEvent::MouseMove, at, pad.mapToGlobal(at), Qt::NoButton, button, Qt::NoModifier);
        QApplication::sendEvent(&pad, &move);
    }
    QTest::mouseRelease(&pad, button, {}, screen(pixels.last().x(), pixels.last().y()));
}

/// The pixels that are not paper, row by row: "3,4 4,4".
QString inked(const DrawingPad& pad) {
    QStringList pixels;
    for (int y = 0; y < DrawingPad::kSide; ++y)
        for (int x = 0; x < DrawingPad::kSide; ++x)
            if (pad.image().pixel(x, y) != pad.paper().rgb()) pixels.append(QString("%1,%2").arg(x).arg(y));
    return pixels.join(' ');
}

struct PadScene {
    DrawingPad pad;
    PadScene() {
        applyAppearance(*qApp, Appearance::Dark);
        pad.resize(pad.sizeHint());
        pad.setBrush(1);
        showActive(pad);
        pad.setFocus();
    }
};

}  // namespace

class TestDrawingPad : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStrokeIsTheSamePixelsEveryTime() {
        PadScene scene;
        QCOMPARE(scene.pad.image().size(), QSize(32, 32));
        QVERIFY(scene.pad.isBlank());
        stroke(scene.pad, {{2, 3}, {5, 3}});
        QCOMPARE(inked(scene.pad), QString("2,3 3,3 4,3 5,3"));
        scene.pad.clear();
        // Slanted, and backwards.
        stroke(scene.pad, {{6, 4}, {2, 2}});
        QCOMPARE(inked(scene.pad), QString("2,2 3,2 4,3 5,3 6,4"));
    }

    void brushesAreDiscs_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<QString>("pixels");
        QTest::newRow("1") << 1 << "9,9";
        QTest::newRow("2") << 2 << "8,8 9,8 8,9 9,9";
        QTest::newRow("4") << 4 << "8,7 9,7 7,8 8,8 9,8 10,8 7,9 8,9 9,9 10,9 8,10 9,10";
    }
    void brushesAreDiscs() {
        QFETCH(int, width);
        QFETCH(QString, pixels);
        PadScene scene;
        scene.pad.setBrush(width);
        stroke(scene.pad, {{9, 9}});
        QCOMPARE(inked(scene.pad), pixels);
    }

    void strokesBeyondTheEdgeAreCutOff() {
        PadScene scene;
        stroke(scene.pad, {{30, 0}, {40, 0}});
        QCOMPARE(inked(scene.pad), QString("30,0 31,0"));
        stroke(scene.pad, {{-3, 31}, {1, 31}});
        QCOMPARE(inked(scene.pad), QString("30,0 31,0 0,31 1,31"));
    }

    void theEraserAndTheRightButtonPaintPaper() {
        PadScene scene;
        scene.pad.setPaper(Qt::black);
        scene.pad.setInk(Qt::white);
        scene.pad.restart({});
        stroke(scene.pad, {{1, 1}, {6, 1}});
        QCOMPARE(scene.pad.image().pixel(3, 1), qRgb(255, 255, 255));
        stroke(scene.pad, {{2, 1}, {3, 1}}, Qt::RightButton);
        QCOMPARE(inked(scene.pad), QString("1,1 4,1 5,1 6,1"));
        scene.pad.setErasing(true);
        stroke(scene.pad, {{4, 1}, {5, 1}});
        QCOMPARE(inked(scene.pad), QString("1,1 6,1"));
    }

    void eachStrokeIsTakenBackAndDrawnAgain() {
        PadScene scene;
        QSignalSpy edited(&scene.pad, &DrawingPad::edited);
        stroke(scene.pad, {{1, 1}, {2, 1}});
        stroke(scene.pad, {{1, 2}, {2, 2}});
        QCOMPARE(edited.count(), 2);
        QTest::keyClick(&scene.pad, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(inked(scene.pad), QString("1,1 2,1"));
        QTest::keyClick(&scene.pad, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(scene.pad.isBlank() && !scene.pad.canUndo());
        scene.pad.redo();
        scene.pad.redo();
        QCOMPARE(inked(scene.pad), QString("1,1 2,1 1,2 2,2"));
        QVERIFY(!scene.pad.canRedo());
        scene.pad.undo();
        stroke(scene.pad, {{9, 9}});
        QVERIFY2(!scene.pad.canRedo(), "a new stroke is another way on");
        scene.pad.clear();
        QVERIFY(scene.pad.isBlank());
        scene.pad.undo();
        QCOMPARE(inked(scene.pad), QString("1,1 2,1 9,9"));
        for (int i = 0; i < 2 * DrawingPad::kMostSteps; ++i) stroke(scene.pad, {{i % 32, 5}});
        int steps = 0;
        for (; scene.pad.canUndo(); ++steps) scene.pad.undo();
        QCOMPARE(steps, int(DrawingPad::kMostSteps));
    }

    void theKeyboardDraws() {
        PadScene scene;
        QCOMPARE(scene.pad.crosshair(), QPoint(16, 16));
        QTest::keyClick(&scene.pad, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(&scene.pad, Qt::Key_Up);
        QCOMPARE(scene.pad.crosshair(), QPoint(12, 15));
        QVERIFY2(scene.pad.accessibleDescription().contains("column 13, row 16"),
                 qPrintable(scene.pad.accessibleDescription()));
        QVERIFY(scene.pad.isBlank());
        QTest::keyPress(&scene.pad, Qt::Key_Space);
        QTest::keyClick(&scene.pad, Qt::Key_Right);
        QTest::keyClick(&scene.pad, Qt::Key_Down);
        QTest::keyRelease(&scene.pad, Qt::Key_Space);
        QTest::keyClick(&scene.pad, Qt::Key_Down);
        QCOMPARE(inked(scene.pad), QString("12,15 13,15 13,16"));
        QTest::keyClick(&scene.pad, Qt::Key_E);
        QVERIFY(scene.pad.erasing());
        QTest::keyClick(&scene.pad, Qt::Key_Up);
        QTest::keyClick(&scene.pad, Qt::Key_Space);
        QCOMPARE(inked(scene.pad), QString("12,15 13,15"));
        for (int i = 0; i < 40; ++i) QTest::keyClick(&scene.pad, Qt::Key_Left);
        QCOMPARE(scene.pad.crosshair().x(), 0);
    }

    void anyPictureFitsOntoIt() {
        QImage wide(300, 100, QImage::Format_ARGB32);
        wide.fill(Qt::transparent);
        for (int y = 0; y < 100; ++y)
            for (int x = 100; x < 150; ++x) wide.setPixel(x, y, qRgb(200, 0, 0));
        const QImage fitted = DrawingPad::fitted(wide, Qt::blue);
        QCOMPARE(fitted.size(), QSize(32, 32));
        QCOMPARE(fitted.pixel(4, 16), qRgb(200, 0, 0));
        QCOMPARE(fitted.pixel(28, 16), qRgb(0, 0, 255));
        QCOMPARE(DrawingPad::fitted({}, Qt::white).pixel(0, 0), qRgb(255, 255, 255));
        PadScene scene;
        scene.pad.setImage(wide);
        QVERIFY(scene.pad.canUndo());
        scene.pad.undo();
        QVERIFY(scene.pad.isBlank());
    }

    void itIsShownWithCrispPixels() {
        PadScene scene;
        stroke(scene.pad, {{10, 10}});
        QTest::mouseMove(&scene.pad, screen(31, 31));
        scene.pad.clearFocus();
        const QImage shown = scene.pad.grab().toImage();
        const auto at = [&](QPoint point) { return shown.pixel(point * shown.devicePixelRatio()); };
        // From edge to edge of the pixel, and not beyond.
        for (const QPoint& corner : {QPoint(-4, -4), QPoint(4, -4), QPoint(-4, 4), QPoint(4, 4)})
            QCOMPARE(at(screen(10, 10) + corner), qRgb(0, 0, 0));
        QCOMPARE(at(screen(11, 10) - QPoint(4, 0)), qRgb(255, 255, 255));
    }
};

PALIMPSEST_TEST(TestDrawingPad)

}  // namespace tst_drawing_pad

#include "tst_drawing_pad.moc"
