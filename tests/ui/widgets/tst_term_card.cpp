// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QToolButton>
#include <set>

#include "engine/support/resource_folder.h"
#include "tests/support/test_program.h"
#include "ui/widgets/term_card.h"
#include "ui/widgets/term_label.h"

using namespace palimpsest;

namespace tst_term_card {

class TestTermCard : public QObject {
    Q_OBJECT
private:
    static TermCard* card() { return qobject_cast<TermCard*>(QApplication::activePopupWidget()); }
    /// Headings of a page of the guide as links name them.
    static QStringList sectionsOf(const QString& page) {
        QFile file(QString::fromStdString((resourceFolder() / "docs" / (page.toStdString() + ".md")).string()));
        QStringList sections;
        if (!file.open(QIODevice::ReadOnly)) return sections;
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n'))
            if (line.startsWith('#'))
                sections.append(line.mid(line.indexOf(' ') + 1)
                                    .toLower()
                                    .remove(QRegularExpression("[^a-z0-9 -]"))
                                    .replace(' ', '-'));
        return sections;
    }

private Q_SLOTS:
    void cleanup() {
        while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    }

    void everyTermIsExplainedAndLeadsToASection() {
        std::set<QString> names;
        for (const Term term : kTerms) {
            const TermText text = textOf(term);
            QVERIFY(names.insert(text.name).second);
            QVERIFY(!text.title.isEmpty() && text.text.endsWith('.'));
            QVERIFY2(sectionsOf(text.page).contains(text.section), qPrintable(text.page + '#' + text.section));
        }
    }

    void aClickOnTheWordsOpensTheCardAndBesideThemNot() {
        TermLabel label(Term::Blurry, "blurry");
        label.resize(300, 20);
        label.show();
        QVERIFY(QTest::qWaitForWindowExposed(&label));
        QTest::mouseClick(&label, Qt::LeftButton, {}, {280, 10});
        QVERIFY(!card());
        QTest::mouseClick(&label, Qt::LeftButton, {}, {8, 10});
        QVERIFY(card());
        QCOMPARE(card()->term(), Term::Blurry);
        QCOMPARE(card()->findChild<QLabel*>("termWords")->text(), textOf(Term::Blurry).text);
        const QPointer<QWidget> open = card();
        QTest::keyClick(card(), Qt::Key_Escape);
        QTRY_VERIFY(!open);
    }

    void returnOpensTheCardAndItsLinkAsksForTheGuide() {
        TermLabel label(Term::Logit, "Classes");
        label.show();
        QVERIFY(QTest::qWaitForWindowActive(&label));
        label.setFocus(Qt::TabFocusReason);
        QTest::keyClick(&label, Qt::Key_Return);
        QVERIFY(card());
        QSignalSpy asked(&TermCards::instance(), &TermCards::guideAsked);
        const QPointer<QWidget> open = card();
        QTest::keyClick(card()->findChild<QToolButton*>("termMore"), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0], (QVariantList{"masks", "the-remedy"}));
        QTRY_VERIFY(!open);
    }

    /// Every picture fills its place, from one side to the other, and none looks like another.
    void everyTermHasAPicture() {
        std::set<QByteArray> seen;
        for (const Term term : kTerms) {
            TermPicture picture(term);
            picture.resize(264, picture.height());
            const QImage image = picture.grab().toImage();
            int painted = 0;
            for (int x = 0; x < image.width(); ++x)
                for (int y = 0; y < image.height(); ++y) painted += image.pixel(x, y) != image.pixel(0, 0);
            QVERIFY2(painted > 500, qPrintable(textOf(term).name));
            QVERIFY(seen.insert(QByteArray(reinterpret_cast<const char*>(image.bits()), image.sizeInBytes())).second);
        }
    }

    /// A card stays on the screen, wherever the term stands.
    void aCardAtTheEdgeStaysOnTheScreen() {
        QWidget anchor;
        const QRect screen = QGuiApplication::primaryScreen()->availableGeometry();
        anchor.setGeometry(screen.right() - 60, screen.bottom() - 40, 50, 30);
        anchor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&anchor));
        const TermCard* shown = TermCards::instance().show(Term::Prompt, &anchor, anchor.rect());
        QVERIFY(screen.contains(shown->geometry()));
        QVERIFY(shown->geometry().bottom() < anchor.geometry().top() + 1);
    }
};

PALIMPSEST_TEST(TestTermCard)

}  // namespace tst_term_card

#include "tst_term_card.moc"
