// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QSignalSpy>
#include <QtTest>
#include <limits>

#include "tests/support/test_program.h"
#include "ui/figures/matrix_canvas.h"
#include "ui/style/colours.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;

namespace tst_matrix_canvas {

class TestMatrixCanvas : public QObject {
    Q_OBJECT
private:
    static MatrixContent content() {
        MatrixContent content;
        content.row_title = "is";
        content.column_title = "answered as";
        content.rows = {"Trouser", "Dress"};
        content.columns = {"Trouser", "Dress", "Bag"};
        content.shares = {1, 0, 0.5, 0.25, std::numeric_limits<double>::quiet_NaN(), 0.75};
        content.counts = {4, 0, 1, 2, 0, 6};
        return content;
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void aCellHasTheColourOfItsShare() {
        MatrixCanvas canvas;
        canvas.resize(500, 300);
        canvas.setContent(content());
        QImage image(canvas.size(), QImage::Format_RGB32);
        QPainter painter(&image);
        canvas.draw(painter, canvas.size(), Theme::darkTheme());
        painter.end();
        const auto corner = [&](int row, int column) {
            return image.pixelColor(canvas.cellRect(row, column).topLeft().toPoint() + QPoint(3, 3)).rgb();
        };
        QCOMPARE(corner(0, 0), QColor(heatColour(1)).rgb());
        QCOMPARE(corner(0, 1), QColor(heatColour(0)).rgb());
        QCOMPARE(corner(1, 0), QColor(heatColour(0.25)).rgb());
        // Nothing was measured there.
        QCOMPARE(corner(1, 1), Theme::darkTheme().raised.rgb());
    }

    void aCellIsToldInWords() {
        MatrixCanvas canvas;
        canvas.resize(500, 300);
        canvas.setContent(content());
        QCOMPARE(canvas.textOf({0, 2}), QString("is Trouser, answered as Bag: 50.0 %, 1 image"));
        QCOMPARE(canvas.textOf({1, 1}), QString("is Dress, answered as Dress: not measured, 0 images"));
        QCOMPARE(canvas.textAt(canvas.cellRect(1, 2).center().toPoint()),
                 QString("is Dress, answered as Bag: 75.0 %, 6 images"));
        QCOMPARE(canvas.textAt(QPoint(1, 1)), QString());
        QCOMPARE(canvas.namesWritten(), (QStringList{"Trouser", "Dress", "Trouser", "Dress", "Bag"}));
    }

    void namesOfLowRowsAreWrittenWhole() {
        MatrixContent many;
        for (int i = 0; i < 80; ++i) many.rows.append("H");
        many.columns = {"Bag"};
        many.shares.assign(80, 0);
        MatrixCanvas canvas;
        canvas.resize(400, 300);
        canvas.setContent(many);
        QImage image(canvas.size(), QImage::Format_RGB32);
        image.fill(Qt::black);
        QPainter painter(&image);
        canvas.draw(painter, canvas.size(), Theme::darkTheme());
        painter.end();
        // The tallest letter left of the cells is as tall as an H, not as a row.
        const QRect cells = canvas.cellRect(0, 0).toRect();
        int tallest = 0, here = 0;
        for (int y = cells.top(); y < image.height(); ++y) {
            bool written = false;
            for (int x = 0; x < cells.left() - 1; ++x) written |= image.pixelColor(x, y) != QColor(Qt::black);
            here = written ? here + 1 : 0;
            tallest = std::max(tallest, here);
        }
        const int letter = QFontMetrics(textFont(canvas.font(), text_size::kCaption)).capHeight();
        QVERIFY(cells.height() < letter);
        QVERIFY2(tallest >= letter - 1, qPrintable(QString::number(tallest)));
    }

    void theArrowsStayInTheMatrix() {
        MatrixCanvas canvas;
        canvas.resize(500, 300);
        canvas.setContent(content());
        QSignalSpy chosen(&canvas, &MatrixCanvas::chosen);
        for (const int key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Right, Qt::Key_Right, Qt::Key_Down, Qt::Key_Down})
            QTest::keyClick(&canvas, static_cast<Qt::Key>(key));
        QVERIFY(canvas.current());
        QCOMPARE(*canvas.current(), (MatrixCanvas::Cell{1, 2}));
        QTest::keyClick(&canvas, Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0], (QList<QVariant>{1, 2}));
        // A smaller matrix has no such cell.
        MatrixContent smaller = content();
        smaller.rows.removeLast();
        smaller.shares.resize(3);
        smaller.counts.resize(3);
        canvas.setContent(smaller);
        QVERIFY(!canvas.current());
    }
};

PALIMPSEST_TEST(TestMatrixCanvas)

}  // namespace tst_matrix_canvas

#include "tst_matrix_canvas.moc"
