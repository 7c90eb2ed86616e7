// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "tests/support/test_program.h"
#include "ui/widgets/fold.h"

using namespace palimpsest;

namespace tst_fold {

class TestFold : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isOpenAtFirstAndFoldsAtItsHeading() {
        Fold fold("thing", "Some things");
        auto* field = new QLineEdit;
        fold.body()->addWidget(field);
        QVERIFY(fold.isOpen() && field->isVisibleTo(&fold));
        const int open = fold.sizeHint().height();
        QSignalSpy toggled(&fold, &Fold::toggled);
        fold.show();
        QTest::mouseClick(fold.findChild<QPushButton*>("thingHeading"), Qt::LeftButton);
        QVERIFY(!fold.isOpen() && !field->isVisibleTo(&fold));
        QVERIFY(fold.sizeHint().height() < open);
        QCOMPARE(toggled.size(), 1);
        fold.setOpen(false);
        QCOMPARE(toggled.size(), 1);
        QTest::keyClick(fold.heading(), Qt::Key_Space);
        QVERIFY(fold.isOpen() && field->isVisibleTo(&fold));
    }

    void saysWhatItHoldsWhileItIsFolded() {
        Fold fold("thing", "Some things");
        fold.setSummary({"three long words and more", "three"});
        fold.resize(400, 40);
        fold.show();
        const auto* summary = fold.findChild<QLabel*>();
        QVERIFY(summary->isHidden());
        fold.setOpen(false);
        QVERIFY(summary->isVisible());
        QTRY_COMPARE(summary->text(), QString("three long words and more"));
        fold.resize(180, 40);
        QTRY_COMPARE(summary->text(), QString("three"));
        QCOMPARE(fold.summary(), QString("three long words and more"));
        // Also for whoever does not see it.
        QCOMPARE(fold.heading()->accessibleDescription(), QString("three long words and more"));
        QVERIFY(fold.heading()->accessibleName().startsWith("Some things"));
    }

    void whatIsRevealedOpensAllAroundIt() {
        Fold outer("outer", "Outer");
        auto* inner = new Fold("inner", "Inner");
        outer.body()->addWidget(inner);
        auto* field = new QLineEdit;
        inner->body()->addWidget(field);
        inner->setOpen(false);
        outer.setOpen(false);
        Fold::reveal(field);
        QVERIFY(inner->isOpen() && outer.isOpen());
        QVERIFY(field->isVisibleTo(&outer));
    }
};

PALIMPSEST_TEST(TestFold)

}  // namespace tst_fold

#include "tst_fold.moc"
