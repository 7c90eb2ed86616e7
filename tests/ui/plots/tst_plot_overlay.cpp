// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFocusEvent>
#include <QHelpEvent>
#include <QTest>
#include <algorithm>
#include <vector>

#include "tests/support/test_program.h"
#include "ui/plots/plot_overlay.h"

using namespace palimpsest;

namespace tst_plot_overlay {

namespace {

/// Counts the tips that a widget would show.
class TipCounter : public QObject {
public:
    int tips = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::ToolTip) ++tips;
        return QObject::eventFilter(watched, event);
    }
};

}  // namespace

class TestPlotOverlay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itKeepsToTheSizeOfItsPlot() {
        QWidget plot;
        PlotOverlay overlay(&plot);
        plot.resize(300, 200);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QCOMPARE(overlay.geometry(), plot.rect());
        plot.resize(420, 250);
        QTRY_COMPARE(overlay.size(), plot.size());
    }

    void noTipHidesTheReadout() {
        QWidget plot;
        TipCounter counter;
        plot.installEventFilter(&counter);  // hears what the overlay, which comes later, lets through
        PlotOverlay overlay(&plot);
        const auto ask = [&] {
            QHelpEvent tip(QEvent::ToolTip, {}, {});
            QCoreApplication::sendEvent(&plot, &tip);
        };
        ask();
        QCOMPARE(counter.tips, 1);
        overlay.setReadout(Readout{});
        ask();
        QCOMPARE(counter.tips, 1);
        overlay.setReadout(std::nullopt);
        ask();
        QCOMPARE(counter.tips, 2);
    }

    void manyRowsAreBoundedAndStayInThePlot_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("more");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("lines");
        QTest::addColumn<QString>("last");
        QTest::newRow("few") << 3 << 0 << QSize(600, 300) << 3 << "a rather long name of a run, seed 3 50.0 %";
        QTest::newRow("no line for one alone")
            << 7 << 0 << QSize(600, 300) << 7 << "a rather long name of a run, seed 7 50.0 %";
        QTest::newRow("many") << 14 << 0 << QSize(600, 300) << 7 << "and 8 more";
        QTest::newRow("more than were listed") << 14 << 5 << QSize(600, 300) << 7 << "and 13 more";
        QTest::newRow("low plot") << 14 << 0 << QSize(600, 60) << 2 << "and 13 more";
        QTest::newRow("small plot") << 14 << 0 << QSize(600, 200) << 4 << "and 11 more";
        QTest::newRow("narrow plot") << 14 << 0 << QSize(180, 300) << 7 << "and 8 more";
    }
    void manyRowsAreBoundedAndStayInThePlot() {
        QFETCH(int, rows);
        QFETCH(int, more);
        QFETCH(QSize, size);
        QFETCH(int, lines);
        QFETCH(QString, last);
        QWidget plot;
        PlotOverlay overlay(&plot);
        plot.resize(size);
        overlay.resize(size);
        overlay.setArea(QRect(30, 10, size.width() - 40, size.height() - 30));
        for (const double x : {31.0, size.width() / 2.0, size.width() - 11.0}) {
            Readout out;
            out.x = x;
            out.heading = "7,000 images · session 3 · 6 classes";
            out.more = more;
            for (int i = 1; i <= rows; ++i)
                out.rows.push_back(
                    {QPointF(x, 50), QString("a rather long name of a run, seed %1").arg(i), "50.0 %", Qt::red});
            overlay.setReadout(out);
            QCOMPARE(overlay.readoutLines().size(), lines);
            QCOMPARE(overlay.readoutLines().last(), last);
            const QRectF box = overlay.readoutRect();
            QVERIFY(box.left() >= 0 && box.right() <= size.width() && box.top() >= 0);
            if (size.height() > 100) QVERIFY(box.height() <= 0.5 * size.height() + 1 && box.bottom() <= size.height());
            if (size.width() > 300) QVERIFY(box.width() <= 0.6 * size.width() + 1);
        }
        overlay.setReadout(std::nullopt);
        QVERIFY(overlay.readoutRect().isEmpty());
        QVERIFY(overlay.readoutLines().isEmpty());
    }

    void rowsThatAreKeptAreListedHoweverManyThereAre_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("lines");
        QTest::newRow("high") << 300 << 7;
        QTest::newRow("low") << 100 << 3;
    }
    void rowsThatAreKeptAreListedHoweverManyThereAre() {
        QFETCH(int, height);
        QFETCH(int, lines);
        QWidget plot;
        PlotOverlay overlay(&plot);
        plot.resize(600, height);
        overlay.resize(600, height);
        overlay.setArea(QRect(30, 10, 560, height - 30));
        Readout out;
        out.x = 200;
        for (int i = 1; i <= 14; ++i)
            out.rows.push_back({QPointF(200, 50), QString("run %1").arg(i), "50.0 %", Qt::red, MarkerShape::Circle,
                                i == 1 || i == 12});
        overlay.setReadout(out);
        const QStringList listed = overlay.readoutLines();
        QCOMPARE(listed.size(), lines);
        QCOMPARE(listed.first(), QString("run 1 50.0 %"));
        QCOMPARE(listed.at(lines - 2), QString("run 12 50.0 %"));
        QCOMPARE(listed.last(), QString("and %1 more").arg(14 - (lines - 1)));
        QVERIFY(overlay.readoutRect().height() <= height);
    }

    void aNumberWithoutALineHasNoMark() {
        QWidget plot;
        plot.resize(600, 300);
        PlotOverlay overlay(&plot);
        overlay.resize(600, 300);
        overlay.setArea(QRect(30, 10, 560, 270));
        overlay.setEmpty(false);
        overlay.setBoxShown(false);
        const auto redAt = [&](bool marked) {
            Readout out;
            out.x = 200;
            out.rows.push_back({QPointF(400, 150), "router accuracy", "20.0 %", Qt::red});
            out.rows.back().marked = marked;
            overlay.setReadout(out);
            QImage image(600, 300, QImage::Format_RGB32);
            image.fill(Qt::white);
            overlay.render(&image, {}, {}, {});
            return image.pixelColor(400, 150) == QColor(Qt::red);
        };
        QVERIFY(redAt(true));
        QVERIFY(!redAt(false));
    }

    void theBoxKeepsOutOfTheWayOfCurves() {
        QWidget plot;
        PlotOverlay overlay(&plot);
        plot.resize(600, 300);
        overlay.resize(600, 300);
        overlay.setArea(QRect(30, 10, 560, 270));
        overlay.setEmpty(false);
        Readout out;
        out.x = 300;
        out.heading = "7,000 images · session 3";
        for (int i = 0; i < 2; ++i) out.rows.push_back({QPointF(300, 60), "a run", "50.0 %", Qt::red});
        overlay.setReadout(out);
        const QRectF usual = overlay.readoutRect();
        QVERIFY(usual.left() > 300 && usual.top() < 60);
        // A level line at the top and one that falls in the right half leave the foot at the left free.
        std::vector<QPointF> curves;
        for (int x = 30; x <= 590; x += 4) curves.emplace_back(x, 40);
        for (int x = 300; x <= 590; x += 4) curves.emplace_back(x, 240);
        overlay.setCurves(curves);
        const auto covered = [&](const QRectF& box) {
            return std::ranges::count_if(curves, [&](const QPointF& point) { return box.contains(point); });
        };
        QVERIFY(covered(usual) > 0);
        QCOMPARE(covered(overlay.readoutRect()), 0);
        QVERIFY(overlay.rect().contains(overlay.readoutRect().toRect()));
        // A little more there does not make it jump back.
        const QPointF place = overlay.readoutRect().topLeft();
        curves.emplace_back(overlay.readoutRect().center());
        overlay.setCurves(curves);
        QCOMPARE(overlay.readoutRect().topLeft(), place);
        // Without the box the line is still there.
        const QImage with = overlay.grab().toImage();
        overlay.setBoxShown(false);
        const QImage without = overlay.grab().toImage();
        QVERIFY(with != without);
        overlay.setReadout(std::nullopt);
        QVERIFY(overlay.grab().toImage() != without);
    }

    void aFrameShowsThatThePlotWasTabbedTo_data() {
        QTest::addColumn<Qt::FocusReason>("reason");
        QTest::addColumn<bool>("framed");
        QTest::newRow("Tab") << Qt::TabFocusReason << true;
        QTest::newRow("Shift+Tab") << Qt::BacktabFocusReason << true;
        QTest::newRow("a click") << Qt::MouseFocusReason << false;
    }
    void aFrameShowsThatThePlotWasTabbedTo() {
        QFETCH(Qt::FocusReason, reason);
        QFETCH(bool, framed);
        QWidget plot;
        PlotOverlay overlay(&plot);
        overlay.setEmpty(false);
        overlay.resize(120, 80);
        const QImage before = overlay.grab().toImage();
        QFocusEvent in(QEvent::FocusIn, reason), out(QEvent::FocusOut, reason);
        QCoreApplication::sendEvent(&plot, &in);
        QCOMPARE(overlay.grab().toImage() != before, framed);
        QCoreApplication::sendEvent(&plot, &out);
        QVERIFY(overlay.grab().toImage() == before);
    }
};

PALIMPSEST_TEST(TestPlotOverlay)

}  // namespace tst_plot_overlay

#include "tst_plot_overlay.moc"
