// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFocusEvent>
#include <QHelpEvent>
#include <QTest>

#include "ui/plot_overlay.h"

using namespace palimpsest;

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

QTEST_MAIN(TestPlotOverlay)
#include "tst_plot_overlay.moc"
