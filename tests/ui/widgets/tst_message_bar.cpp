// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdlib>

#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"

using namespace palimpsest;
using palimpsest::testing::addAppearances;

namespace tst_message_bar {

class TestMessageBar : public QObject {
    Q_OBJECT
private:
    static QString labelText(const MessageBar& bar, const char* name) { return bar.findChild<QLabel*>(name)->text(); }

private Q_SLOTS:
    void newsStayAsLongAsTheyTakeToRead() {
        MessageBar bar;
        bar.showNews("guess", "Your guess was 3 points off.", "And so on.");
        QCOMPARE(bar.property("kind").toString(), QString("info"));
        QCOMPARE(bar.text(), QString("Your guess was 3 points off."));
        const int few = MessageBar::readingTime("Two words."),
                  many = MessageBar::readingTime(QString("a ").repeated(20));
        QVERIFY(few >= MessageBar::kPassingMs && many > few);
        QVERIFY2(MessageBar::readingTime(QString("a ").repeated(10'000)) <= 30'000, "it leaves in any case");
    }

    void isHiddenWithoutAMessage() {
        MessageBar bar;
        QVERIFY(bar.isHidden());
        bar.showMessage(MessageBar::Kind::Error, "The folder is full.");
        QVERIFY(!bar.isHidden());
    }

    void showsTextAndHint() {
        MessageBar bar;
        bar.showMessage(MessageBar::Kind::Error, "The folder is full.", "Choose another.");
        QCOMPARE(labelText(bar, "messageText"), QString("The folder is full."));
        QCOMPARE(labelText(bar, "messageHint"), QString("Choose another."));
        bar.showMessage(MessageBar::Kind::Note, "A torn line was skipped.");
        QVERIFY(bar.findChild<QLabel*>("messageHint")->isHidden());
    }

    void floatsOverTheLowerEdgeAndPushesNothing() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* content = new QLabel("content");
        column->addWidget(content, 1);
        auto* bar = new MessageBar;
        new MessageFloat(bar, &window);
        window.resize(900, 400);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QRect before = content->geometry();
        bar->showMessage(MessageBar::Kind::Error, "The folder is full.");
        QVERIFY(bar->isVisible());
        QCOMPARE(content->geometry(), before);
        const auto wellPlaced = [&] {
            return bar->geometry().bottom() == window.height() - MessageFloat::kGap - 1 &&
                   std::abs(bar->geometry().center().x() - window.rect().center().x()) <= 1 &&
                   bar->width() == std::min(MessageFloat::kWidest, window.width() - 2 * MessageFloat::kGap);
        };
        QTRY_VERIFY(wellPlaced());
        // It is as high as what it says.
        const int low = bar->height();
        bar->showMessage(MessageBar::Kind::Error, "The folder is full.",
                         QString("Choose another one, or delete what you do not need any more. ").repeated(4));
        QTRY_VERIFY(bar->height() > low && wellPlaced());
        window.resize(500, 500);
        QTRY_VERIFY(wellPlaced());
        bar->dismissAll();
        QVERIFY(!bar->isVisible());
    }

    void anOfferCoversNothing() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* content = new QLabel("content");
        column->addWidget(content, 1);
        auto* bar = new MessageBar;
        new MessageFloat(bar, &window);
        window.resize(900, 400);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QRect before = content->geometry();
        bar->showOffer("demo", "That was a recording.", "Do the same here.", {{"Do it yourself", [] {}}});
        QTRY_VERIFY(!content->geometry().intersects(bar->geometry()));
        QCOMPARE(window.size(), QSize(900, 400));
        // Other news float over the offer's place.
        bar->showPassing("file", "Saved figure.svg", {});
        QTRY_COMPARE(content->geometry(), before);
        bar->withdraw("file");
        QTRY_VERIFY(!content->geometry().intersects(bar->geometry()));
        bar->dismiss();
        QTRY_COMPARE(content->geometry(), before);
        // Without the height to spare it floats as well, and in a window that is not roomy.
        content->setMinimumHeight(370);
        bar->showOffer("demo", "That was a recording.", "Do the same here.", {});
        QTest::qWait(50);
        QCOMPARE(window.size(), QSize(900, 400));
        QCOMPARE(content->geometry(), before);
    }

    void floatsOverThePartThatIsLookedAtAndNotOverTheOthers() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* middle = new QWidget;
        auto* figure = new QLabel("figure");
        auto* within = new QHBoxLayout(middle);
        within->addSpacing(100);
        within->addWidget(figure);
        auto* list = new QLabel("list");
        column->addWidget(middle, 1);
        column->addWidget(list);
        list->setFixedHeight(150);
        auto* bar = new MessageBar;
        new MessageFloat(bar, &window, 0, {figure, middle});
        window.resize(900, 500);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        bar->showMessage(MessageBar::Kind::Error, "The folder is full.");
        const auto over = [&] { return QRect(figure->mapTo(&window, QPoint()), figure->size()); };
        QTRY_VERIFY(over().contains(bar->geometry()));
        QCOMPARE(bar->geometry().bottom(), over().bottom() - MessageFloat::kGap);
        QVERIFY(std::abs(bar->geometry().center().x() - over().center().x()) <= 1);
        // It goes with what it stands over.
        list->setFixedHeight(250);
        QTRY_COMPARE(bar->geometry().bottom(), over().bottom() - MessageFloat::kGap);
        QVERIFY(!bar->geometry().intersects(list->geometry()));
        // A narrow part makes it no column of words.
        within->insertSpacing(0, 500);
        QTRY_VERIFY(over().width() < MessageFloat::kNarrowest);
        QTRY_COMPARE(bar->width(), MessageFloat::kNarrowest);
        QVERIFY(window.rect().contains(bar->geometry()));
        // Where it is not seen, the next one is.
        figure->hide();
        const auto foot = [](const QWidget* part) { return part->geometry().bottom(); };
        QTRY_COMPARE(foot(bar), foot(middle) - MessageFloat::kGap);
        QVERIFY(!bar->geometry().intersects(list->geometry()));
        // Without any, the window's lower edge is left.
        middle->hide();
        QTRY_COMPARE(bar->geometry().bottom(), window.height() - MessageFloat::kGap - 1);
    }

    void staysUntilItIsDismissed() {
        MessageBar bar;
        bar.showMessage(MessageBar::Kind::Error, "one");
        bar.showMessage(MessageBar::Kind::Error, "two");
        QCOMPARE(bar.count(), 2);
        QCOMPARE(labelText(bar, "messageCount"), QString("1 of 2"));
        QCOMPARE(bar.text(), QString("two"));
        bar.findChild<QToolButton*>("messageDismiss")->click();
        QCOMPARE(bar.text(), QString("one"));
        QVERIFY(!bar.isHidden());
        bar.findChild<QToolButton*>("messageDismiss")->click();
        QVERIFY(bar.isHidden());
    }

    void countsTheSameMessageInsteadOfRepeatingIt() {
        MessageBar bar;
        bar.showMessage(MessageBar::Kind::Error, "one");
        bar.showMessage(MessageBar::Kind::Error, "two");
        bar.showMessage(MessageBar::Kind::Error, "one");
        QCOMPARE(bar.count(), 2);
        QCOMPARE(labelText(bar, "messageText"), QString("one (2 times)"));
    }

    void allMessagesGoAtOnce() {
        MessageBar bar;
        for (const char* text : {"one", "two", "three"}) bar.showMessage(MessageBar::Kind::Error, text);
        bar.findChild<QPushButton*>("messageDismissAll")->click();
        QCOMPARE(bar.count(), 0);
        QVERIFY(bar.isHidden());
    }

    void anActionBelongsToItsMessageAndTakesItAway() {
        MessageBar bar;
        auto* action = bar.findChild<QPushButton*>("messageAction");
        int pressed = 0;
        bar.showMessage(MessageBar::Kind::Error, "old", {}, {"Get it", [&] { ++pressed; }});
        bar.showMessage(MessageBar::Kind::Error, "new");
        QVERIFY(action->isHidden());
        bar.dismiss();
        QVERIFY(!action->isHidden());
        QCOMPARE(action->text(), QString("Get it"));
        action->click();
        QCOMPARE(pressed, 1);
        QCOMPARE(bar.count(), 0);
    }

    void theSecondHalfOfADoubleClickDoesNothing() {
        MessageBar bar;
        auto* action = bar.findChild<QPushButton*>("messageAction");
        int pressed = 0;
        bar.showMessage(MessageBar::Kind::Error, "text", {}, {"Get it", [&] { ++pressed; }});
        action->click();
        action->click();
        // Nor where the message below has nothing to press.
        bar.showMessage(MessageBar::Kind::Error, "quiet");
        action->click();
        QCOMPARE(pressed, 1);
        QCOMPARE(bar.count(), 1);
    }

    void anActionMayComeLater() {
        MessageBar bar;
        bar.addAction("gone", {"Get it", [] {}});
        QVERIFY(bar.isHidden());
        bar.showMessage(MessageBar::Kind::Error, "one");
        QStringList shown;
        bar.addAction("one", {"Get it", [&] {
                                  shown.append(bar.text());
                                  bar.showMessage(MessageBar::Kind::Note, "three");
                              }});
        bar.showMessage(MessageBar::Kind::Error, "two");
        bar.dismiss();
        bar.findChild<QPushButton*>("messageAction")->click();
        QCOMPARE(shown, QStringList{QString()});
        QCOMPARE(bar.text(), QString("three"));
    }

    void theLatestOnATopicTakesThePlaceOfTheOneBefore() {
        MessageBar bar;
        bar.showLatest(MessageBar::Kind::Error, "figure", "The figure could not be written.");
        bar.showLatest(MessageBar::Kind::Error, "experiment", "The experiment could not be written.");
        bar.showPassing("figure", "Saved a.png", "In the folder /tmp");
        QCOMPARE(bar.count(), 2);
        QCOMPARE(bar.text(), QString("Saved a.png"));
        QCOMPARE(bar.property("kind").toString(), QString("done"));
        bar.dismiss();
        QCOMPARE(bar.text(), QString("The experiment could not be written."));
    }

    void whatIsSaidOnATopicCanBeWithdrawn() {
        MessageBar bar;
        bar.showMessage(MessageBar::Kind::Error, "stays");
        bar.showLatest(MessageBar::Kind::Error, "figure", "goes");
        QVERIFY(bar.withdraw("figure"));
        QCOMPARE(bar.text(), QString("stays"));
        QVERIFY(!bar.withdraw("figure"));
        QCOMPARE(bar.count(), 1);
    }

    void allThatIsSaidOnATopicIsWithdrawnAtOnceAndTheOneBeforeShowsAgain() {
        MessageBar bar;
        bar.showMessage(MessageBar::Kind::Error, "stays");
        bar.showMessage(MessageBar::Kind::Error, "lane A failed", {}, {}, "start");
        bar.showMessage(MessageBar::Kind::Error, "lane B failed", {}, {}, "start");
        QCOMPARE(bar.count(), 3);
        QVERIFY(bar.withdraw("start"));
        QCOMPARE(bar.text(), QString("stays"));
        QCOMPARE(bar.count(), 1);
    }

    void theSameOnATopicIsCounted() {
        MessageBar bar;
        for (int i = 0; i < 2; ++i) bar.showLatest(MessageBar::Kind::Note, "start", "Not now.");
        QCOMPARE(labelText(bar, "messageText"), QString("Not now. (2 times)"));
        bar.showLatest(MessageBar::Kind::Note, "start", "Later.");
        QCOMPARE(labelText(bar, "messageText"), QString("Later."));
        QCOMPARE(bar.count(), 1);
    }

    void anOfferCanBeDeclined() {
        MessageBar bar;
        auto* decline = bar.findChild<QPushButton*>("messageOther");
        bar.showMessage(MessageBar::Kind::Error, "old", {}, {"Get it", [] {}});
        QVERIFY(decline->isHidden());
        QString pressed;
        bar.showLatest(MessageBar::Kind::Note, "offer", "Go on?", {},
                       {{"Go on", [&] { pressed = "go on"; }}, {"Do not ask again", [&] { pressed = "declined"; }}});
        QVERIFY(!decline->isHidden());
        QCOMPARE(decline->text(), QString("Do not ask again"));
        decline->click();
        QCOMPARE(pressed, QString("declined"));
        QCOMPARE(bar.text(), QString("old"));
        QVERIFY(decline->isHidden());
    }

    void aSuccessDoesNotLookLikeAWarning_data() { addAppearances(); }
    void aSuccessDoesNotLookLikeAWarning() {
        QFETCH(int, appearance);
        applyAppearance(*qApp, Appearance(appearance));
        const Theme& theme = appearance == int(Appearance::Dark) ? Theme::darkTheme() : Theme::lightTheme();
        MessageBar bar;
        bar.resize(500, 60);
        // The badge is drawn in the colour of its kind.
        const auto badge = [&](const QColor& colour) {
            const QImage image = bar.findChild<IconLabel*>("messageBadge")->icon().pixmap(80, 80).toImage();
            for (int y = 0; y < 80; ++y)
                for (int x = 0; x < 80; ++x)
                    if (image.pixel(x, y) == colour.rgb()) return true;
            return false;
        };
        const auto ground = [&] { return bar.grab().toImage().pixelColor(250, 4); };
        bar.showMessage(MessageBar::Kind::Error, "The folder is full.");
        const QColor error = ground();
        QVERIFY(badge(theme.worse) && !badge(theme.better));
        bar.showMessage(MessageBar::Kind::Note, "A torn line was skipped.");
        const QColor note = ground();
        bar.showLatest(MessageBar::Kind::Info, "pause", "Session 1 has ended.");
        QCOMPARE(bar.property("kind").toString(), QString("info"));
        QVERIFY(badge(theme.accent) && !badge(theme.attention));
        QVERIFY(ground() != note && ground().blue() - ground().red() > note.blue() - note.red());
        bar.dismiss();
        bar.showPassing("figure", "Saved a.png", {});
        const QColor done = ground();
        QVERIFY(badge(theme.better) && !badge(theme.worse));
        QVERIFY(error != note && note != done && done != error);
        // Green rather than red, and near the panel's own ground.
        const auto warmth = [](const QColor& colour) { return colour.red() - colour.green(); };
        QVERIFY(warmth(done) < warmth(theme.panel) && warmth(note) > warmth(theme.panel));
        QVERIFY(std::abs(done.lightness() - theme.panel.lightness()) < 20);
        bar.dismiss();
        QVERIFY(badge(theme.attention) && !badge(theme.worse));
        applyAppearance(*qApp, Appearance::Dark);
    }

    void aPassingNoteLeavesByItselfAndOthersStay() {
        MessageBar bar;
        bar.showMessage(MessageBar::Kind::Error, "stays");
        bar.showPassing("figure", "Saved a.png", {}, 1);
        QCOMPARE(bar.count(), 2);
        QTRY_COMPARE(bar.count(), 1);
        QCOMPARE(bar.text(), QString("stays"));
    }

    void aPassingOfferLeavesWithItsAction() {
        // Never seen, so that the pointer is not on it, wherever that lies.
        QWidget window;
        MessageBar bar(&window);
        bool undone = false;
        const MessageAction undo{"Undo", [&undone] { undone = true; }};
        bar.showPassing("taken", "Took it off", {}, 1000 * 1000, {undo});
        bar.findChild<QPushButton*>("messageAction")->click();
        QVERIFY(undone);
        QCOMPARE(bar.count(), 0);
        bar.showPassing("taken", "Took it off", {}, 1, {undo});
        QTRY_COMPARE(bar.count(), 0);
    }

    void aPassingNoteTakesNoLaterOneAway() {
        MessageBar bar;
        bar.showPassing("figure", "Saved a.png", {}, 1);
        bar.showPassing("figure", "Saved b.png", {}, 1000 * 1000);
        bar.showPassing("stream", "Saved c.csv", {}, 1);
        QTRY_COMPARE(bar.text(), QString("Saved b.png"));
        QCOMPARE(bar.count(), 1);
    }

    void markupInAMessageIsShownAsItIs() {
        MessageBar bar;
        bar.showMessage(MessageBar::Kind::Error, "<b>bold</b>");
        QCOMPARE(bar.findChild<QLabel*>("messageText")->textFormat(), Qt::PlainText);
    }
};

PALIMPSEST_TEST(TestMessageBar)

}  // namespace tst_message_bar

#include "tst_message_bar.moc"
