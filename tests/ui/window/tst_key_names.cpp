// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QLabel>
#include <QTemporaryDir>

#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/commands/action_book.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/matrix_canvas.h"
#include "ui/figures/retention_plot.h"
#include "ui/figures/session_matrix.h"
#include "ui/state/key_names.h"
#include "ui/widgets/appearance.h"
#include "ui/window/curves_view.h"
#include "ui/window/main_menus.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;

namespace tst_key_names {

class TestKeyNames : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void beforeThereIsAWindowTheKeysAreTheStandardOnes() {
        QCOMPARE(KeyNames::instance().of("startRun"), QString("F5"));
        QCOMPARE(KeyNames::instance().filled("{pauseRun} or {undo}: {x} {}"), QString("Space or Ctrl+Z:  {}"));
    }

    void everythingThatNamesKeysFollowsThem() {
        ScriptedRun script;
        QTemporaryDir runs;
        MainWindow window(script.laboratory(), runs.path().toStdString());
        window.show();
        ActionBook* book = window.findChild<MainMenus*>()->book();
        const auto* accuracy = window.findChild<AccuracyPlot*>();
        const auto* retention = window.findChild<RetentionPlot*>();
        const MatrixCanvas* matrix = window.findChild<SessionMatrix*>()->canvas();
        const auto* ready = window.findChild<QLabel*>("progressSession");
        const auto* words = window.findChild<QLabel*>("welcomeWords");
        QTRY_VERIFY(accuracy->accessibleDescription().contains("F5"));
        QTRY_VERIFY(retention->invitation().contains("|F5|"));
        window.curvesView()->showPage(CurvesView::kSessions);
        QTRY_VERIFY(matrix->invitation().contains("|F5|"));
        window.curvesView()->showPage(CurvesView::kAccuracy);
        QVERIFY(ready->text().contains("F5"));
        QVERIFY(words->text().contains("Space") && words->text().contains("F1"));

        book->setKeys(book->action(Command::StartRun), QKeySequence(Qt::CTRL | Qt::Key_G));
        book->setKeys(book->action(Command::PauseRun), QKeySequence(Qt::Key_P));
        QTRY_VERIFY(accuracy->accessibleDescription().contains("Ctrl+G"));
        QVERIFY(!accuracy->accessibleDescription().contains("F5"));
        QVERIFY(accuracy->invitation().contains("|Ctrl+G|"));
        QVERIFY(retention->invitation().contains("|Ctrl+G|"));
        QVERIFY(matrix->invitation().contains("|Ctrl+G|"));
        QVERIFY(ready->text().contains("Ctrl+G"));
        QVERIFY(words->text().contains("P pauses"));

        // Without keys the command is called by its name, as it stands in the menu.
        book->setKeys(book->action(Command::StartRun), {});
        QVERIFY(retention->invitation().contains("|Start or resume|"));
        QVERIFY(ready->text().contains("Start or resume"));
        book->resetAll();
        QVERIFY(retention->invitation().contains("|F5|"));
    }
};

PALIMPSEST_TEST(TestKeyNames)

}  // namespace tst_key_names

#include "tst_key_names.moc"
