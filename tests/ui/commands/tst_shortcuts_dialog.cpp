// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/commands/action_book.h"
#include "ui/commands/shortcuts_dialog.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using palimpsest::testing::showActive;

namespace tst_shortcuts_dialog {

class TestShortcutsDialog : public QObject {
    Q_OBJECT
private:
    /// A few commands and the dialog over them.
    struct Scene {
        QWidget window;
        ActionBook book;
        QAction* start = make("startRun", "&Start or resume", "Run", {QKeySequence(Qt::Key_F5)});
        QAction* pause = make("pauseRun", "&Pause or resume", "Run", {QKeySequence(Qt::Key_Space)});
        QAction* larger = make("textLarger", "L&arger", "Text size",
                               {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
        QAction* about = make("about", "&About …", "Help", {});
        ShortcutsDialog dialog{&book, &window};

        Scene() { showActive(dialog); }
        QAction* make(const QString& name, const QString& text, const QString& group, const QList<QKeySequence>& keys) {
            auto* action = new QAction(text, &window);
            action->setObjectName(name);
            book.add(action, group, keys);
            return action;
        }
        template <class T = QPushButton>
        T* part(const char* name) {
            return dialog.findChild<T*>(name);
        }
        QString note() { return part<QLabel>("shortcutNote")->text(); }
        /// Presses the button, then the keys, as a user does.
        void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
            auto* keys = part<KeyCapture>("shortcutKeys");
            keys->click();
            QVERIFY(keys->listening());
            QTest::keyClick(keys, key, modifiers);
        }
    };

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void pressingOtherKeysChangesThem() {
        Scene scene;
        QSignalSpy changed(&scene.book, &ActionBook::keysChanged);
        scene.dialog.choose(scene.start);
        scene.press(Qt::Key_F9, Qt::ControlModifier);
        QCOMPARE(scene.start->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_F9));
        QCOMPARE(changed.count(), 1);
        QVERIFY(scene.note().isEmpty());
        QCOMPARE(scene.part("shortcutKeys")->text(), QString("Ctrl+F9"));
        QCOMPARE(scene.book.changes(), (QVariantMap{{"startRun", "Ctrl+F9"}}));
    }

    void keysOfAnotherCommandAreNotTakenBeforeItsNameWasSaid() {
        Scene scene;
        QVERIFY(!scene.part("shortcutTakeOver")->isVisible());
        scene.dialog.choose(scene.start);
        scene.press(Qt::Key_Space);
        QCOMPARE(scene.start->shortcut(), QKeySequence(Qt::Key_F5));
        QCOMPARE(scene.pause->shortcut(), QKeySequence(Qt::Key_Space));
        QVERIFY2(scene.note().contains("Pause or resume"), qPrintable(scene.note()));
        auto* over = scene.part("shortcutTakeOver");
        QVERIFY(over->isVisible());
        over->click();
        QCOMPARE(scene.start->shortcut(), QKeySequence(Qt::Key_Space));
        QVERIFY(scene.pause->shortcuts().isEmpty());
        QVERIFY(!over->isVisible());
    }

    void aCommandWithTwoKeysLosesOnlyTheOneThatIsTaken() {
        Scene scene;
        scene.dialog.choose(scene.start);
        scene.press(Qt::Key_Equal, Qt::ControlModifier);
        QVERIFY(scene.note().contains("Larger"));
        scene.part("shortcutTakeOver")->click();
        QCOMPARE(scene.larger->shortcuts(), QList<QKeySequence>{QKeySequence(Qt::CTRL | Qt::Key_Plus)});
        scene.dialog.choose(scene.larger);
        scene.part("shortcutReset")->click();
        QCOMPARE(scene.larger->shortcuts().size(), 2);
        QVERIFY(scene.start->shortcuts().isEmpty());
    }

    void escapeLeavesTheKeysAsTheyAre() {
        Scene scene;
        scene.dialog.choose(scene.start);
        scene.press(Qt::Key_Escape);
        QVERIFY(scene.dialog.isVisible());
        QVERIFY(!scene.part<KeyCapture>("shortcutKeys")->listening());
        QCOMPARE(scene.start->shortcut(), QKeySequence(Qt::Key_F5));
    }

    void keysThatMoveTheFocusAreRefused_data() {
        QTest::addColumn<Qt::Key>("key");
        QTest::newRow("Tab") << Qt::Key_Tab;
        QTest::newRow("Return") << Qt::Key_Return;
        QTest::newRow("Enter") << Qt::Key_Enter;
    }
    void keysThatMoveTheFocusAreRefused() {
        QFETCH(Qt::Key, key);
        Scene scene;
        scene.dialog.choose(scene.start);
        scene.press(key);
        QCOMPARE(scene.start->shortcut(), QKeySequence(Qt::Key_F5));
        QVERIFY(!scene.note().isEmpty());
    }

    void aModifierAloneIsWaitedOn() {
        Scene scene;
        scene.dialog.choose(scene.start);
        auto* keys = scene.part<KeyCapture>("shortcutKeys");
        keys->click();
        QTest::keyPress(keys, Qt::Key_Control, Qt::ControlModifier);
        QVERIFY(keys->listening());
        QTest::keyPress(keys, Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(scene.start->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_G));
    }

    void resetAllBringsTheKeysBackThatTheProgramComesWith() {
        Scene scene;
        scene.dialog.choose(scene.start);
        scene.part("shortcutNone")->click();
        scene.dialog.choose(scene.about);
        scene.press(Qt::Key_F5);
        QVERIFY(scene.start->shortcuts().isEmpty());
        QCOMPARE(scene.about->shortcut(), QKeySequence(Qt::Key_F5));
        scene.part("shortcutResetAll")->click();
        QCOMPARE(scene.start->shortcut(), QKeySequence(Qt::Key_F5));
        QVERIFY(scene.about->shortcuts().isEmpty());
        QVERIFY(scene.book.changes().isEmpty());
    }

    void aSearchFindsNamesAndKeys_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("found");
        QTest::newRow("name") << "pause"
                              << "pauseRun";
        QTest::newRow("keys") << "ctrl++"
                              << "textLarger";
        QTest::newRow("menu") << "help"
                              << "about";
    }
    void aSearchFindsNamesAndKeys() {
        QFETCH(QString, query);
        QFETCH(QString, found);
        Scene scene;
        scene.part<QLineEdit>("shortcutsSearch")->setText(query);
        QStringList shown;
        auto* list = scene.part<QTreeWidget>("shortcutsList");
        for (QTreeWidgetItemIterator it(list, QTreeWidgetItemIterator::NotHidden); *it; ++it)
            if (const auto* action = (*it)->data(0, Qt::UserRole).value<QAction*>()) shown.append(action->objectName());
        QCOMPARE(shown, QStringList{found});
        // The command under the keyboard is one that is seen.
        QCOMPARE(list->currentItem()->data(0, Qt::UserRole).value<QAction*>()->objectName(), found);
    }

    void byKeyboardAlone() {
        Scene scene;
        auto* search = scene.part<QLineEdit>("shortcutsSearch");
        search->setFocus();
        QTest::keyClicks(search, "about");
        QTest::keyClick(search, Qt::Key_Return);
        auto* list = scene.part<QTreeWidget>("shortcutsList");
        QVERIFY(list->hasFocus());
        QTest::keyClick(list, Qt::Key_Return);
        QTest::keyClick(scene.part<KeyCapture>("shortcutKeys"), Qt::Key_F2);
        QCOMPARE(scene.about->shortcut(), QKeySequence(Qt::Key_F2));
    }

    void keysOfAnEarlierTimeAreTakenUp() {
        Scene scene;
        scene.book.apply({{"startRun", "Space"}, {"about", ""}, {"gone", "F7"}, {"textLarger", "no such keys"}});
        QCOMPARE(scene.start->shortcut(), QKeySequence(Qt::Key_Space));
        QVERIFY(scene.pause->shortcuts().isEmpty());
        QCOMPARE(scene.larger->shortcuts().size(), 2);
        QVERIFY(scene.book.changes().contains("pauseRun"));
    }
};

PALIMPSEST_TEST(TestShortcutsDialog)

}  // namespace tst_shortcuts_dialog

#include "tst_shortcuts_dialog.moc"
