// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <set>

#include "engine/mask/mask_policy.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_mask_policy {

using Units = std::vector<std::int64_t>;

namespace {

/// Visible classes as a text: "x" visible, "." hidden.
QByteArray picture(const std::vector<bool>& visible) {
    QByteArray text;
    for (const bool unit : visible) text += unit ? 'x' : '.';
    return text;
}

}  // namespace

class TestMaskPolicy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachMaskShowsItsClasses_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("none") << "none" << QByteArray("xxxxxx");
        QTest::newRow("seen") << "seen" << QByteArray("xxxx..");
        QTest::newRow("batch") << "batch" << QByteArray("x.x...");
        QTest::newRow("session") << "session" << QByteArray("x.xx..");
        QTest::newRow("learnable") << "learnable" << QByteArray("xxxx..");
    }
    void eachMaskShowsItsClasses() {
        QFETCH(QString, name);
        QFETCH(QByteArray, expected);
        MaskPolicy mask(kMaskKinds.at(name.toStdString()), 6);
        mask.beginStep(Units{1, 0});
        mask.endSession();
        mask.beginStep(Units{3, 2, 3});
        mask.beginStep(Units{2, 2});
        mask.beginUpdate(Units{0});
        QCOMPARE(picture(mask.visible(Units{2, 2, 0}, 4)), expected);
    }

    void theSessionMaskGrowsAndStartsAgain() {
        MaskPolicy mask(MaskKind::Session, 4);
        mask.beginStep(Units{0, 1});
        QCOMPARE(picture(mask.visible(Units{0}, 2)), QByteArray("xx.."));
        mask.beginStep(Units{2});
        QCOMPARE(picture(mask.visible(Units{2}, 3)), QByteArray("xxx."));
        mask.endSession();
        mask.beginStep(Units{3});
        QCOMPARE(picture(mask.visible(Units{3}, 4)), QByteArray("...x"));
        mask.beginUpdate(Units{1});
        QCOMPARE(picture(mask.visible(Units{3, 1}, 4)), QByteArray(".x.x"));
    }

    void theWholeSessionIsVisibleFromItsStartAsFarAsItIsKnown() {
        MaskPolicy mask(MaskKind::Session, 5);
        mask.beginStep(Units{0, 1, 2});
        mask.endSession();
        mask.beginSession(Units{2, 0, 2});
        QCOMPARE(picture(mask.visible(Units{0}, 3)), QByteArray("x.x.."));
        mask.beginStep(Units{3});
        QCOMPARE(picture(mask.visible(Units{3}, 4)), QByteArray("x.xx."));
        mask.beginSession(Units{1});
        QCOMPARE(picture(mask.visible(Units{1}, 4)), QByteArray(".x..."));
        QVERIFY_EXCEPTION_THROWN(mask.beginSession(Units{5}), Error);
    }

    void theFormIsTheOneAskedFor() {
        QVERIFY(MaskPolicy(MaskKind::Batch, 2).form() == MaskForm::Additive);
        QVERIFY(MaskPolicy(MaskKind::Batch, 2, kMaskForms.at("multiplicative")).form() == MaskForm::Multiplicative);
        QVERIFY(kMaskForms.at("additive") == MaskForm::Additive);
        QVERIFY_EXCEPTION_THROWN(kMaskForms.at("additiv"), Error);
    }

    void theSeenMaskIgnoresTheBatch() {
        const MaskPolicy mask(MaskKind::Seen, 3);
        QCOMPARE(picture(mask.visible(Units{0}, 0)), QByteArray("..."));
        QCOMPARE(picture(mask.visible(Units{0}, 2)), QByteArray("xx."));
        QCOMPARE(picture(mask.visible(Units{0}, 9)), QByteArray("xxx"));
    }

    void aMaskCanBeChangedWithinASession() {
        MaskPolicy mask(MaskKind::Batch, 3);
        mask.beginStep(Units{0});
        mask.beginStep(Units{1});
        mask.setKind(MaskKind::Session);
        QCOMPARE(picture(mask.visible(Units{1}, 2)), QByteArray("xx."));
    }

    void theSessionsClassesCanBeRestored() {
        MaskPolicy first(MaskKind::Session, 3);
        first.beginStep(Units{2});
        MaskPolicy second(MaskKind::Session, 3);
        second.restoreSessionUnits(first.sessionUnits());
        QCOMPARE(picture(second.visible(Units{}, 3)), QByteArray("..x"));
    }

    void unitsOutsideTheHeadAreRefused() {
        MaskPolicy mask(MaskKind::Batch, 3);
        QVERIFY_EXCEPTION_THROWN(mask.beginStep(Units{3}), Error);
        QVERIFY_EXCEPTION_THROWN(mask.beginUpdate(Units{-1}), Error);
        QVERIFY_EXCEPTION_THROWN(mask.visible(Units{0, 3}, 3), Error);
    }

    void everyChoiceHasAKindAndWords() {
        QCOMPARE(maskChoices().size(), std::size_t{5});
        std::set<MaskKind> kinds;
        for (const Choice& choice : maskChoices()) {
            kinds.insert(kMaskKinds.at(choice.value));
            QVERIFY(!choice.title.empty());
            QVERIFY(choice.help.ends_with('.'));
        }
        QCOMPARE(kinds.size(), std::size_t{5});
    }

    void anUnknownNameIsAnInputError() {
        try {
            kMaskKinds.at("bacth");
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(QString(error.what()), QString("There is no mask called \"bacth\"."));
            QCOMPARE(QString::fromStdString(error.hint()), QString("Choose none, seen, batch, session or learnable."));
            QCOMPARE(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::Input));
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestMaskPolicy)

}  // namespace tst_mask_policy

#include "tst_mask_policy.moc"
