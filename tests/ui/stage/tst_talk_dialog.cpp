// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>

#include "engine/record/talk.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/stage/talk_dialog.h"
#include "ui/state/talk_book.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_talk_dialog {

class TestTalkDialog : public QObject {
    Q_OBJECT

    static Talk shipped() { return readTalk(shippedTalks().at(0).file); }
    static QAbstractButton* button(const QDialog& dialog, const char* name) {
        return dialog.findChild<QAbstractButton*>(name);
    }
    static void type(QLineEdit* field, const QString& text) {
        field->setText(text);
        Q_EMIT field->editingFinished();
    }

private Q_SLOTS:
    void everythingIsNamed_data() { addAppearances(); }
    void everythingIsNamed() {
        QFETCH(int, appearance);
        applyAppearance(*qApp, static_cast<Appearance>(appearance));
        TalkBook book;
        book.open(shipped(), {});
        TalkDialog dialog(&book, nullptr);
        showActive(dialog);
        checkDialog(dialog, static_cast<Appearance>(appearance));
        for (const char* name : {"talkTitle", "sceneCaption", "sceneNote", "talkScenes"}) {
            const auto* widget = dialog.findChild<QWidget*>(name);
            QVERIFY2(widget && !widget->accessibleName().isEmpty() && !widget->toolTip().isEmpty(), name);
        }
    }

    void scenesAreEdited() {
        TalkBook book;
        TalkDialog dialog(&book, nullptr);
        QVERIFY(!button(dialog, "talkOnStage")->isEnabled() && !button(dialog, "removeScene")->isEnabled());
        const Talk before = shipped();
        book.open(before, "/talks/a.toml");
        auto* list = dialog.findChild<QListWidget*>("talkScenes");
        QCOMPARE(list->count(), static_cast<int>(before.scenes.size()));
        QVERIFY(list->item(0)->text().contains(QString::fromStdString(before.scenes[0].note)));
        QVERIFY(!book.modified());
        dialog.choose(1);
        auto* caption = dialog.findChild<QLineEdit*>("sceneCaption");
        type(caption, "Now {acuracy} %");
        const auto* problem = dialog.findChild<QLabel*>("captionProblem");
        QVERIFY2(problem->text().contains("Did you mean {accuracy}"), qPrintable(problem->text()));
        QCOMPARE(book.talk(), before);
        type(caption, "Now {accuracy} %");
        QCOMPARE(book.talk().scenes[1].caption, std::string("Now {accuracy} %"));
        type(dialog.findChild<QLineEdit*>("sceneNote"), "Wait");
        QCOMPARE(book.talk().scenes[1].note, std::string("Wait"));
        QVERIFY(book.modified());
        // Its place changes, what it shows does not.
        const TalkScene shown = book.talk().scene(1), next = book.talk().scene(2), later = book.talk().scene(3);
        button(dialog, "sceneDown")->click();
        QCOMPARE(dialog.chosen(), 2);
        QCOMPARE(book.talk().scene(2), shown);
        QCOMPARE(book.talk().scene(1), next);
        QCOMPARE(book.talk().scene(3), later);
        button(dialog, "sceneUp")->click();
        QCOMPARE(book.talk().scene(1), shown);
        QCOMPARE(dialog.chosen(), 1);
        button(dialog, "removeScene")->click();
        QCOMPARE(book.scenes(), static_cast<int>(before.scenes.size()) - 1);
        QCOMPARE(book.talk().scene(1), next);
        type(dialog.findChild<QLineEdit*>("talkTitle"), "Another");
        QCOMPARE(book.talk().title, std::string("Another"));
    }

    void captionsAreListedWithTheirNumbers() {
        TalkBook book;
        book.open(shipped(), {});
        book.setCaption(0, "It ends at {a_auc} %");
        TalkDialog dialog(&book, nullptr);
        const auto* list = dialog.findChild<QListWidget*>("talkScenes");
        const auto* shown = dialog.findChild<QLabel*>("captionShown");
        for (int i = 0; i < list->count(); ++i) QVERIFY2(!list->item(i)->text().contains('{'), "a template");
        QVERIFY2(list->item(0)->text().contains("It ends at … %"), qPrintable(list->item(0)->text()));
        dialog.setCaptions(
            [](const TalkScene& scene) { return QString::fromStdString(scene.caption).replace("{a_auc}", "41.5"); });
        QVERIFY2(list->item(0)->text().contains("It ends at 41.5 %"), qPrintable(list->item(0)->text()));
        // The field has what is typed, and below it stands what becomes of it.
        dialog.choose(0);
        QCOMPARE(dialog.findChild<QLineEdit*>("sceneCaption")->text(), QString("It ends at {a_auc} %"));
        QVERIFY(shown->isVisibleTo(&dialog) && shown->text().contains("It ends at 41.5 %"));
        // Numbers that come while somebody types leave what is typed.
        dialog.findChild<QLineEdit*>("sceneCaption")->setText("It ends");
        dialog.setCaptions([](const TalkScene&) { return QString("Other numbers"); });
        QCOMPARE(dialog.findChild<QLineEdit*>("sceneCaption")->text(), QString("It ends"));
        QVERIFY(list->item(0)->text().contains("Other numbers") && shown->text().contains("Other numbers"));
        dialog.setCaptions([](const TalkScene& scene) { return QString::fromStdString(scene.caption); });
        book.setCaption(0, "No number");
        QVERIFY(!shown->isVisibleTo(&dialog));
        QVERIFY(list->item(0)->text().contains("No number"));
    }

    void itAsksForTheStageAndForFiles() {
        TalkBook book;
        book.open(shipped(), {});
        TalkDialog dialog(&book, nullptr);
        QSignalSpy stage(&dialog, &TalkDialog::stageAsked), open(&dialog, &TalkDialog::openAsked);
        dialog.choose(3);
        button(dialog, "goToScene")->click();
        button(dialog, "talkOnStage")->click();
        QCOMPARE(stage.size(), 2);
        QCOMPARE(stage[0][0].toInt(), 3);
        QCOMPARE(stage[1][0].toInt(), 0);
        dialog.setShipped(shippedTalks());
        auto* menu = dialog.findChild<QMenu*>("openTalkMenu");
        QCOMPARE(menu->actions().front()->text(), QString("Forgetting in ten minutes"));
        menu->actions().front()->trigger();
        QVERIFY(open.size() == 1 && open[0][0].toString().endsWith("forgetting-in-ten-minutes.toml"));
        dialog.setNeeds("All runs of the talk are here.", false);
        QVERIFY(!button(dialog, "prepareTalk")->isEnabled());
        dialog.setNeeds("1 run is to be made first.", true);
        QSignalSpy prepare(&dialog, &TalkDialog::prepareAsked);
        button(dialog, "prepareTalk")->click();
        QCOMPARE(prepare.size(), 1);
    }

    void anEmptyListOffersTheTalkThatShipsAndAFullOneIsClosed() {
        TalkBook book;
        TalkDialog dialog(&book, nullptr);
        showActive(dialog);
        QAbstractButton* offered = button(dialog, "openShippedTalk");
        QVERIFY2(!offered->isVisible(), "nobody has looked for one yet");
        dialog.setShipped(shippedTalks());
        QVERIFY(offered->isVisible() && !button(dialog, "prepareTalk")->isVisible());
        QVERIFY2(offered->text().contains("Forgetting in ten minutes"), qPrintable(offered->text()));
        QVERIFY(!button(dialog, "unloadTalk")->isEnabled());
        QSignalSpy open(&dialog, &TalkDialog::openAsked), unload(&dialog, &TalkDialog::unloadAsked);
        offered->click();
        QCOMPARE(open.size(), 1);
        QVERIFY(open[0][0].toString().endsWith("forgetting-in-ten-minutes.toml"));
        book.open(shipped(), {});
        QVERIFY(!offered->isVisible() && button(dialog, "prepareTalk")->isVisible());
        button(dialog, "unloadTalk")->click();
        QCOMPARE(unload.size(), 1);
        book.close();
        QVERIFY(book.empty() && !book.modified() && offered->isVisible());
    }

    void momentsGetNamesOfRuns() {
        TalkBook book;
        const std::string name = book.nameOf("2026-11-28-My-run", "My run, batch mask");
        QCOMPARE(name, std::string("my-run-batch-mask"));
        QCOMPARE(book.nameOf("2026-11-28-My-run", "whatever"), name);
        QCOMPARE(book.nameOf("other", "My run, batch mask"), std::string("my-run-batch-mask-2"));
        QCOMPARE(book.nameOf("demo", "Demo"), std::string("demo"));
        QCOMPARE(book.talk().runs.back().recorded, std::string("demo"));
        QVERIFY(book.add({.caption = "A", .runs = {name}}));
        QVERIFY(!book.talk().title.empty());
        QCOMPARE(parseTalk(formatTalk(book.talk()), "talk.toml"), book.talk());
        for (std::size_t i = 1; i < kMostScenes; ++i) QVERIFY(book.add({.caption = "B", .runs = {}}));
        QVERIFY(!book.add({.caption = "C", .runs = {}}));
    }
};

PALIMPSEST_TEST(TestTalkDialog)

}  // namespace tst_talk_dialog

#include "tst_talk_dialog.moc"
