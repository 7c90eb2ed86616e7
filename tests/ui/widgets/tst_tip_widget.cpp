// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHelpEvent>
#include <QToolTip>
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/widgets/tip_widget.h"

using namespace palimpsest;

namespace tst_tip_widget {

/// One part all over, which says how much it is.
class Amount : public TipWidget {
public:
    QString textAt(const QPoint&) const override { return text; }

    QString text;
};

class TestTipWidget : public QObject {
    Q_OBJECT
private:
    /// As if the mouse had come to rest on it.
    static void rest(QWidget& widget) {
        widget.setAttribute(Qt::WA_UnderMouse);
        const QPoint place = widget.rect().center();
        QHelpEvent help(QEvent::ToolTip, place, widget.mapToGlobal(place));
        QCoreApplication::sendEvent(&widget, &help);
    }

private Q_SLOTS:
    void cleanup() { QToolTip::hideText(); }

    void aTooltipSaysWhatIsThereNow() {
        Amount amount;
        amount.resize(80, 40);
        amount.show();
        QVERIFY(QTest::qWaitForWindowExposed(&amount));
        amount.text = "ten";
        rest(amount);
        QTRY_COMPARE(QToolTip::text(), QString("ten"));
        amount.text = "eleven";
        amount.update();
        QTRY_COMPARE(QToolTip::text(), QString("eleven"));
        amount.text.clear();
        amount.update();
        QTRY_VERIFY(!QToolTip::isVisible());
    }

    void aTooltipThatWasLeftDoesNotComeBack() {
        Amount amount;
        amount.resize(80, 40);
        amount.show();
        QVERIFY(QTest::qWaitForWindowExposed(&amount));
        amount.text = "ten";
        rest(amount);
        QTRY_COMPARE(QToolTip::text(), QString("ten"));
        amount.setAttribute(Qt::WA_UnderMouse, false);
        QToolTip::hideText();
        amount.text = "eleven";
        amount.repaint();
        QTRY_VERIFY(!QToolTip::isVisible());
        QVERIFY(QToolTip::text() != "eleven");
    }
};

PALIMPSEST_TEST(TestTipWidget)

}  // namespace tst_tip_widget

#include "tst_tip_widget.moc"
