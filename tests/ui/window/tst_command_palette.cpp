// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTemporaryDir>

#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/commands/command_palette.h"
#include "ui/commands/palette_model.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/state/guide_pages.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/fold.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::showActive;

namespace tst_command_palette {

class TestCommandPalette : public QObject {
    Q_OBJECT
private:
    /// A window with its palette open.
    struct Scene {
        ScriptedRun script;
        QTemporaryDir runs;
        MainWindow window{script.laboratory(), runs.path().toStdString()};
        CommandPalette* palette = window.findChild<CommandPalette*>();
        QLineEdit* line = window.findChild<QLineEdit*>("paletteSearch");
        QListView* list = window.findChild<QListView*>("paletteList");

        Scene() { showActive(window); }
        void open() { QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier); }
        QStringList found() const {
            QStringList names;
            for (int row = 0; row < palette->model()->rowCount(); ++row)
                names.append(palette->model()->index(row).data(PaletteModel::NameRole).toString());
            return names;
        }
        QString chosen() const { return list->currentIndex().data(PaletteModel::NameRole).toString(); }
        void type(const QString& words) {
            line->clear();
            QTest::keyClicks(line, words);
        }
        /// Finds exactly this and does it.
        void run(const QString& words, const QString& name) {
            open();
            type(words);
            QCOMPARE(chosen(), name);
            QTest::keyClick(line, Qt::Key_Return);
            QVERIFY(!palette->isVisible());
        }
    };

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void whatComputesIsFoundByItsParts() {
        Scene scene;
        scene.open();
        for (const char* words : {"compute", "gpu", "cuda", "libtorch"}) {
            scene.type(words);
            QVERIFY2(scene.found().contains("action.compute"), words);
        }
    }

    void ctrlKOpensItWithTheKeyboardInItsLine() {
        Scene scene;
        QVERIFY(!scene.palette->isVisible());
        scene.open();
        QVERIFY(scene.palette->isVisible() && scene.line->hasFocus());
        QVERIFY(scene.window.rect().contains(scene.palette->geometry()));
        QTest::keyClick(scene.line, Qt::Key_Escape);
        QVERIFY(!scene.palette->isVisible());
    }

    void itOffersCommandsPresetsPagesAndSettings_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("name");
        QTest::newRow("command") << "export fig"
                                 << "action.exportFigure";
        QTest::newRow("a panel") << "show now"
                                 << "action.showNow";
        QTest::newRow("preset") << "no-mask"
                                << "preset.no-mask";
        QTest::newRow("page of the guide") << "run folders"
                                           << "help.run-folder";
        QTest::newRow("setting by its title") << "learning rate"
                                              << "option.training.learning_rate";
        QTest::newRow("setting by its key") << "training.learning_rate"
                                            << "option.training.learning_rate";
        QTest::newRow("setting by first letters") << "lr"
                                                  << "option.training.learning_rate";
        QTest::newRow("preset that is called so, before a filter") << "batch mask"
                                                                   << "preset.default";
        QTest::newRow("section of the guide") << "what the memory keeps"
                                              << "help.window#what-the-memory-keeps";
        QTest::newRow("a lesson") << "lesson"
                                  << "action.lessons";
        QTest::newRow("a queue") << "queue"
                                 << "help.sweeps";
        QTest::newRow("compare") << "compare"
                                 << "action.compareLanes";
        QTest::newRow("significance") << "significance"
                                      << "menu.runsGroupSeeds";
    }
    void itOffersCommandsPresetsPagesAndSettings() {
        QFETCH(QString, words);
        QFETCH(QString, name);
        Scene scene;
        // Presets and pages are read in the background.
        const auto offered = [&] {
            QTest::keyClick(scene.line, Qt::Key_Escape);
            scene.open();
            scene.type(words);
            return scene.chosen() == name;
        };
        scene.open();
        QTRY_VERIFY2(offered(), qPrintable(scene.found().mid(0, 4).join(' ')));
    }

    void whoDoubtsADifferenceFindsWhatHelps() {
        Scene scene;
        scene.open();
        for (const char* words : {"chance", "luck", "significant", "significance", "real difference"}) {
            scene.type(words);
            for (const char* name : {"menu.runsGroupSeeds", "action.trust"})
                QVERIFY2(scene.found().contains(name), qPrintable(QString("%1: %2").arg(words, name)));
        }
    }

    void aSectionIsShownInTheGuide() {
        Scene scene;
        const auto found = [&] {
            QTest::keyClick(scene.line, Qt::Key_Escape);
            scene.open();
            scene.type("chance");
            return scene.found().contains("help.metrics");
        };
        scene.open();
        QTRY_VERIFY2(found(), qPrintable(scene.found().mid(0, 6).join(' ')));
        for (const char* word : {"forget", "why"}) {
            scene.type(word);
            QVERIFY2(!scene.found().isEmpty(), word);
        }
        scene.type("what the memory keeps");
        QTest::keyClick(scene.line, Qt::Key_Return);
        QTRY_VERIFY(scene.window.findChild<QDialog*>("docsViewer"));
        QTRY_VERIFY(scene.window.findChild<QDialog*>("docsViewer")->isVisible());
    }

    void itOpensInTheMainWindowWhenAnotherHasTheKeyboard() {
        Scene scene;
        QWidget panel(&scene.window, Qt::Tool);
        panel.setObjectName("detached");
        auto* field = new QLineEdit(&panel);
        panel.show();
        panel.activateWindow();
        field->setFocus();
        QTRY_VERIFY(panel.isActiveWindow() && field->hasFocus());
        scene.window.findChild<QAction*>("findAnything")->trigger();
        QTRY_VERIFY(scene.window.isActiveWindow());
        QTRY_VERIFY(scene.line->hasFocus());
        QTest::keyClick(scene.line, Qt::Key_Escape);
        QVERIFY(!scene.palette->isVisible());
        QTRY_VERIFY(panel.isActiveWindow() && field->hasFocus());
    }

    void returnRunsTheCommandAndGivesTheFocusBack() {
        Scene scene;
        auto* search = scene.window.findChild<QAbstractButton*>("curvesTab1");
        search->setFocus();
        scene.run("show now", "action.showNow");
        QVERIFY(!scene.window.findChild<QWidget*>("nowPanel")->isVisible());
        QVERIFY(search->hasFocus());
    }

    void commandsOfTheListsOwnMenusAreOffered() {
        Scene scene;
        QSignalSpy rebuilt(scene.window.library(), &RunLibrary::rebuilt);
        scene.run("rebuild", "menu.runsRebuild");
        QTRY_COMPARE(rebuilt.count(), 1);
        // Checkable ones as well; what the menu bar has stands there once.
        scene.open();
        scene.type("import results");
        QVERIFY(!scene.found().contains("menu.runsImport"));
        scene.type("hidden runs");
        QVERIFY(scene.found().contains("menu.runsHidden"));
    }

    void theKeysOfACommandAreShown() {
        Scene scene;
        scene.open();
        scene.type("start or resume");
        QCOMPARE(scene.list->currentIndex().data(PaletteModel::KeysRole).toString(), QString("F5"));
    }

    void aSettingPutsItsFieldUnderTheKeyboard() {
        Scene scene;
        scene.window.findChild<QAction*>("showExperiment")->trigger();
        scene.run("learning rate", "option.training.learning_rate");
        auto* editor = scene.window.findChild<OptionEditor*>("optionEditor.training.learning_rate");
        QTRY_VERIFY(editor->control()->hasFocus());
        QVERIFY(scene.window.findChild<QAction*>("showExperiment")->isChecked());
        QTRY_VERIFY(!editor->visibleRegion().isEmpty());
    }

    void aSettingThatIsFoldedAwayIsUnfolded() {
        Scene scene;
        auto* section = scene.window.findChild<Fold*>("runSection");
        section->setOpen(false);
        scene.run("learning rate", "option.training.learning_rate");
        auto* editor = scene.window.findChild<OptionEditor*>("optionEditor.training.learning_rate");
        QTRY_VERIFY(editor->control()->hasFocus());
        QVERIFY(section->isOpen());
        QVERIFY(!scene.window.experimentPanel()->form()->expertShown());
    }

    void aPresetIsOpened() {
        Scene scene;
        QSignalSpy opened(&scene.window, &MainWindow::opened);
        const auto offered = [&] {
            scene.open();
            scene.type("no-mask");
            return scene.chosen() == "preset.no-mask";
        };
        QTRY_VERIFY(offered());
        QTest::keyClick(scene.line, Qt::Key_Return);
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(scene.window.controller()->draft()->experiment().mask.name, std::string("none"));
    }

    void whatCannotBeDoneSaysWhy() {
        Scene scene;
        scene.open();
        scene.type("learn one batch");
        QVERIFY(!scene.list->currentIndex().data(PaletteModel::RefusalRole).toString().isEmpty());
        QTest::keyClick(scene.line, Qt::Key_Return);
        QVERIFY(scene.window.messages()->text().contains("Learn one batch"));
        QVERIFY(!scene.window.messages()->hint().isEmpty());
    }

    void theArrowsMoveThroughWhatWasFound() {
        Scene scene;
        scene.open();
        scene.type("show");
        const QStringList found = scene.found();
        QVERIFY(found.size() > 2);
        QTest::keyClick(scene.line, Qt::Key_Down);
        QTest::keyClick(scene.line, Qt::Key_Down);
        QTest::keyClick(scene.line, Qt::Key_Up);
        QCOMPARE(scene.chosen(), found[1]);
        QTest::keyClick(scene.line, Qt::Key_Up);
        QTest::keyClick(scene.line, Qt::Key_Up);
        QCOMPARE(scene.chosen(), found[0]);
        QVERIFY(scene.line->accessibleDescription().contains(scene.list->currentIndex().data().toString()));
    }

    void nothingFoundIsSaid() {
        Scene scene;
        scene.open();
        scene.type("xyzzy");
        QVERIFY(!scene.list->isVisible());
        auto* nothing = scene.window.findChild<QLabel*>("paletteNothing");
        QVERIFY(nothing->isVisible() && nothing->text().contains("xyzzy"));
        QTest::keyClick(scene.line, Qt::Key_Return);
        QVERIFY(scene.palette->isVisible());
    }

    void whatWasDoneLastStandsFirst() {
        Scene scene;
        scene.run("show runs", "action.showRuns");
        scene.open();
        QCOMPARE(scene.found().first(), QString("action.showRuns"));
    }

    void aClickElsewhereClosesIt() {
        Scene scene;
        scene.open();
        scene.window.findChild<QAbstractButton*>("curvesTab1")->setFocus(Qt::MouseFocusReason);
        QVERIFY(!scene.palette->isVisible());
    }
};

PALIMPSEST_TEST(TestCommandPalette)

}  // namespace tst_command_palette

#include "tst_command_palette.moc"
