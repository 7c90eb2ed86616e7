// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDialogButtonBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>

#include "tests/support/test_program.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/controls.h"

using namespace palimpsest;

namespace tst_message_box {

class TestMessageBox : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Light); }

    void whatABoxDoesStandsBehindCancelOnEveryDesktop() {
        QDialogButtonBox buttons;
        QPushButton* act = buttons.addButton("Start", QDialogButtonBox::AcceptRole);
        QPushButton* cancel = buttons.addButton("Cancel", QDialogButtonBox::RejectRole);
        buttons.resize(400, 40);
        buttons.show();
        QVERIFY(cancel->x() < act->x());
        QCOMPARE(act->geometry().right(), buttons.width() - 1);
    }

    void textsOfABoxWithoutAnIconBeginWhereItsButtonsDo_data() {
        QTest::addColumn<QString>("button");
        QTest::newRow("narrow buttons") << "Quit";
        QTest::newRow("buttons wider than the texts") << QString(90, 'w');
    }
    void textsOfABoxWithoutAnIconBeginWhereItsButtonsDo() {
        QFETCH(QString, button);
        QMessageBox box(QMessageBox::NoIcon, "Quit?", "It is not finished.", QMessageBox::NoButton);
        box.setInformativeText("What it has learned is kept.");
        box.addButton(button, QMessageBox::AcceptRole);
        alignTexts(&box);
        box.open();
        const int edge = box.findChild<QDialogButtonBox*>()->mapTo(&box, QPoint()).x();
        for (const char* name : {"qt_msgbox_label", "qt_msgbox_informativelabel"}) {
            const auto* label = box.findChild<QLabel*>(name);
            QVERIFY(label);
            QCOMPARE(label->mapTo(&box, label->contentsRect().topLeft()).x(), edge);
            QCOMPARE(label->indent(), 0);
        }
    }
};

PALIMPSEST_TEST(TestMessageBox)

}  // namespace tst_message_box

#include "tst_message_box.moc"
