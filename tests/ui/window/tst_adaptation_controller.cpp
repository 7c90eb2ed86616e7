// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

#include "tests/support/scripted_adaptation.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/option_form.h"
#include "ui/pretrained/adaptation_controller.h"
#include "ui/pretrained/adaptation_dialog.h"
#include "ui/pretrained/adaptation_job.h"
#include "ui/state/adaptation_options.h"
#include "ui/state/run_controller.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/quit.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedAdaptation;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::showActive;

namespace tst_adaptation_controller {

namespace {

/// The whole window, over a scripted initial session; its prompts go to a folder of the scene.
struct Scene {
    explicit Scene(const ScriptedAdaptation::Script& lines = {})
        : script(lines), window(laboratory(), folder.filePath("runs").toStdString()) {
        showActive(window);
    }

    Laboratory laboratory() const {
        Laboratory lab = run.laboratory();
        lab.adapt = script.function();
        return lab;
    }
    template <class Widget>
    Widget* part(const char* name) const {
        return window.findChild<Widget*>(name);
    }
    AdaptationDialog* dialog() const { return part<AdaptationDialog>("adaptationDialog"); }
    AdaptationJob* controller() const { return window.adaptation()->controller(); }
    ExperimentDraft* draft() const { return window.controller()->draft(); }
    void begin() const {
        part<QAction>("initialSession")->trigger();
        part<QPushButton>("adaptationStart")->click();
        QTRY_VERIFY(controller()->started());
    }

    QTemporaryDir folder;
    ScriptedRun run;
    ScriptedAdaptation script;
    MainWindow window;
};

}  // namespace

class TestAdaptationController : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void learnedPromptsGoIntoTheExperiment() {
        Scene scene;
        scene.begin();
        QVERIFY(scene.dialog()->isVisible());
        QVERIFY2(scene.dialog()->file().startsWith(scene.folder.filePath("prompts/")),
                 qPrintable(scene.dialog()->file()));
        scene.script.allowAll();
        QTRY_VERIFY(scene.controller()->end());
        scene.part<QPushButton>("adaptationUse")->click();
        QCOMPARE(scene.draft()->experiment().initial_session.prompts, scene.dialog()->file().toStdString());
        scene.draft()->undoStack()->undo();
        QVERIFY(scene.draft()->experiment().initial_session.prompts != scene.dialog()->file().toStdString());
    }

    void theNoteInTheTopBarSaysHowFarItIsAndLeadsBack() {
        Scene scene;
        auto* note = scene.part<QToolButton>("adaptationNote");
        QVERIFY(!note->isVisible());
        scene.begin();
        scene.dialog()->close();
        scene.script.allow(10);
        QTRY_COMPARE(note->text(), QString("Initial session 25 %"));
        QVERIFY(note->isVisible());
        note->click();
        QVERIFY(scene.dialog()->isVisible());
        scene.script.allowAll();
        QTRY_VERIFY(!note->isVisible());
        QVERIFY(!scene.window.messages()->isVisible());  // the dialog says it
    }

    void theEndIsToldInTheWindowWhenTheDialogIsClosed() {
        Scene scene;
        scene.begin();
        scene.dialog()->close();
        scene.script.allowAll();
        QTRY_VERIFY(scene.window.messages()->isVisible());
        QCOMPARE(scene.window.messages()->property("kind").toString(), QString("done"));
        auto* action = scene.window.messages()->findChild<QPushButton*>("messageAction");
        QCOMPARE(action->text(), QString("Use these prompts"));
        action->click();
        QCOMPARE(scene.draft()->experiment().initial_session.prompts, scene.dialog()->file().toStdString());
    }

    void aFailureIsToldInTheWindowWhenTheDialogIsClosed() {
        ScriptedAdaptation::Script lines;
        lines.fail_at_step = 2;
        Scene scene(lines);
        scene.begin();
        scene.dialog()->close();
        scene.script.allowAll();
        QTRY_VERIFY(scene.window.messages()->isVisible());
        QCOMPARE(scene.window.messages()->text(), QString::fromStdString(lines.error));
        scene.window.messages()->findChild<QPushButton*>("messageAction")->click();
        QVERIFY(scene.dialog()->isVisible());
        QCOMPARE(scene.part<MessageBar>("adaptationMessages")->text(), QString::fromStdString(lines.error));
    }

    void f5BesideItSaysWhyNothingStarts() {
        Scene scene;
        scene.begin();
        scene.window.activateWindow();
        // Beside its dialog a window counts as active before it is.
        QTRY_COMPARE(QApplication::activeWindow(), static_cast<QWidget*>(&scene.window));
        QTest::keyClick(&scene.window, Qt::Key_F5);
        QVERIFY(!scene.window.controller()->busy());
        QVERIFY(scene.window.messages()->text().contains("initial session"));
        QVERIFY(!scene.window.messages()->hint().isEmpty());
        scene.script.allowAll();
        QTRY_VERIFY(!scene.controller()->busy());
        QTest::keyClick(&scene.window, Qt::Key_F5);
        QVERIFY(scene.window.controller()->busy());
        scene.run.allowAll();
        QTRY_VERIFY(!scene.window.controller()->busy());
    }

    void closingTheWindowAsksAndThenStopsIt() {
        Scene scene;
        scene.begin();
        scene.script.allow(3);
        QTRY_VERIFY(scene.controller()->progress() && scene.controller()->progress()->step == 3);
        scene.window.close();
        QVERIFY(scene.window.isVisible());
        auto* question = scene.part<QuitQuestion>("quitQuestion");
        QVERIFY(question && question->isVisible());
        QVERIFY2(question->text().contains("initial session"), qPrintable(question->text()));
        question->findChild<QAbstractButton*>("stayButton")->click();
        QTRY_VERIFY(!scene.part<QuitQuestion>("quitQuestion"));
        QVERIFY(scene.controller()->busy());

        scene.window.close();
        question = scene.part<QuitQuestion>("quitQuestion");
        QVERIFY(question);
        question->findChild<QAbstractButton*>("quitButton")->click();
        QTRY_VERIFY(!scene.window.isVisible());
        QCOMPARE(scene.controller()->end()->how, AdaptationEnded::How::Stopped);
        QVERIFY(QFile::exists(scene.controller()->file()));
        QVERIFY(QFile::exists(AdaptationJob::stateFileOf(scene.controller()->file())));
    }

    void whatCouldNotBeKeptKeepsTheWindowOpen() {
        ScriptedAdaptation::Script lines;
        lines.fail_on_stop = true;
        lines.error = "The disk is full.";
        Scene scene(lines);
        scene.begin();
        scene.window.close();
        auto* question = scene.part<QuitQuestion>("quitQuestion");
        QVERIFY(question);
        question->findChild<QAbstractButton*>("quitButton")->click();
        QTRY_COMPARE(scene.window.messages()->text(), QString("The disk is full."));
        QCOMPARE(scene.window.messages()->count(), 1);
        QCoreApplication::processEvents();
        QVERIFY(scene.window.isVisible());
        scene.window.close();
        QVERIFY(!scene.window.isVisible());
    }

    void quittingAsksBeforeItLosesPrompts() {
        Scene scene({.steps = 3, .no_room = true});
        scene.begin();
        scene.script.allowAll();
        QTRY_VERIFY(scene.controller()->unwritten());
        scene.window.close();
        QVERIFY(scene.window.isVisible());
        auto* question = scene.part<QuitQuestion>("quitQuestion");
        QVERIFY(question);
        QVERIFY2(question->text().contains("not written yet"), qPrintable(question->text()));
        question->findChild<QAbstractButton*>("stayButton")->click();
        QTRY_VERIFY(!scene.part<QuitQuestion>("quitQuestion"));
        QVERIFY(scene.window.isVisible());
        scene.window.close();
        question = scene.part<QuitQuestion>("quitQuestion");
        QVERIFY(question);
        question->findChild<QAbstractButton*>("quitButton")->click();
        QTRY_VERIFY(!scene.window.isVisible());
    }

    void whatIsWrittenAfterAllNeedsNoQuestion() {
        Scene scene({.steps = 3, .no_room = true});
        scene.begin();
        scene.script.allowAll();
        QTRY_VERIFY(scene.controller()->unwritten());
        scene.window.close();
        QVERIFY(scene.part<QuitQuestion>("quitQuestion"));
        scene.controller()->keepAt(scene.folder.filePath("kept.safetensors"));
        QTRY_VERIFY(!scene.part<QuitQuestion>("quitQuestion"));
        QVERIFY(scene.window.isVisible());
        QVERIFY(QFile::exists(scene.folder.filePath("kept.safetensors")));
        scene.window.close();
        QVERIFY(!scene.window.isVisible());
    }

    void promptsOfWhoeverStopsAndQuitsAreNotLost() {
        Scene scene({.steps = 3, .no_room = true});
        scene.begin();
        scene.window.close();
        QVERIFY(scene.part<QuitQuestion>("quitQuestion"));
        // It ends by itself before there is an answer: now there is something else to ask.
        scene.script.allowAll();
        QTRY_VERIFY(scene.controller()->unwritten());
        QTRY_VERIFY(!scene.part<QuitQuestion>("quitQuestion"));
        QVERIFY(scene.window.isVisible());
        scene.window.close();
        auto* question = scene.part<QuitQuestion>("quitQuestion");
        QVERIFY(question && question->text().contains("not written yet"));
    }

    void theSystemsEndDoesNotWaitForAReader() {
        ScriptedAdaptation::Script lines;
        lines.fail_on_stop = true;
        Scene scene(lines);
        scene.begin();
        scene.window.stopAndClose();
        QTRY_VERIFY(!scene.window.isVisible());
    }

    void imagesThatAreLeftOutAreToldWhereItIsLookedAt_data() {
        QTest::addColumn<bool>("shown");
        QTest::newRow("dialog") << true;
        QTest::newRow("window") << false;
    }
    void imagesThatAreLeftOutAreToldWhereItIsLookedAt() {
        QFETCH(bool, shown);
        ScriptedAdaptation::Script lines;
        lines.left_out = {"a.png is torn.", "b.png is torn.", "c.png is torn."};
        Scene scene(lines);
        scene.part<QAction>("initialSession")->trigger();
        scene.part<QPushButton>("adaptationStart")->click();
        if (!shown) scene.dialog()->close();
        MessageBar* bar = shown ? scene.part<MessageBar>("adaptationMessages") : scene.window.messages();
        QTRY_COMPARE(bar->text(), QString("a.png is torn."));
        QCOMPARE(bar->property("kind").toString(), QString("note"));
        scene.script.allowAll();
        QTRY_VERIFY(!scene.controller()->busy());
        // The end stands in front of the count, which took the place of the first.
        QCOMPARE(bar->count(), 2);
        bar->dismiss();
        QCOMPARE(bar->text(), QString("3 images could not be read and were left out."));
    }

    void whatGoesWrongOnTheWayIsTold() {
        ScriptedAdaptation::Script lines;
        lines.warning = "The state could not be written.";
        Scene scene(lines);
        scene.part<QAction>("initialSession")->trigger();
        scene.part<QPushButton>("adaptationStart")->click();
        auto* bar = scene.part<MessageBar>("adaptationMessages");
        QTRY_COMPARE(bar->text(), QString("The state could not be written."));
        QCOMPARE(bar->property("kind").toString(), QString("note"));
        QVERIFY(scene.controller()->busy());
        scene.script.allowAll();
        QTRY_VERIFY(!scene.controller()->busy());
    }

    void theFigureOfTheLossIsExportedLikeTheOthers() {
        Scene scene;
        scene.begin();
        scene.script.allowAll();
        QTRY_VERIFY(scene.controller()->end());
        scene.dialog()->findChild<QAbstractButton*>("adaptationExport")->click();
        auto* save = scene.part<QAbstractButton>("savePiece");
        QTRY_VERIFY(save->isEnabled());
        auto* formats = scene.part<QComboBox>("publishFormat");
        formats->setCurrentIndex(formats->findText("CSV (.csv)"));
        QTRY_VERIFY(save->isEnabled());
        save->click();
        auto* dialog = scene.part<QFileDialog>("exportDialog");
        QVERIFY(dialog && !dialog->isModal());
        const QString file = scene.folder.filePath("loss.csv");
        Q_EMIT dialog->fileSelected(file);
        dialog->close();
        QTRY_COMPARE(scene.window.messages()->text(), QString("Saved loss.csv"));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll().count('\n'), 41);
    }

    void theQuestionGoesWhenItEndsByItself() {
        Scene scene;
        scene.begin();
        scene.window.close();
        QVERIFY(scene.part<QuitQuestion>("quitQuestion"));
        scene.script.allowAll();
        QTRY_VERIFY(!scene.controller()->busy());
        QTRY_VERIFY(!scene.part<QuitQuestion>("quitQuestion"));
        QVERIFY(scene.window.isVisible());
    }

    void whatTheSystemEndsIsStoppedWithoutAQuestion() {
        Scene scene;
        scene.begin();
        scene.window.stopAndClose();
        QTRY_VERIFY(!scene.window.isVisible());
        QVERIFY(!scene.part<QuitQuestion>("quitQuestion"));
        QCOMPARE(scene.controller()->end()->how, AdaptationEnded::How::Stopped);
    }

    void theButtonBesideThePromptsOpensIt() {
        Scene scene;
        scene.window.experimentPanel()->form()->setExpertShown(true);
        auto* button = scene.part<QToolButton>("learnPrompts");
        QVERIFY(button && button->isVisible());
        button->click();
        QVERIFY(scene.dialog()->isVisible());
    }

    void itsOptionsStandInTheDialogAlone() {
        Scene scene;
        scene.part<QAction>("initialSession")->trigger();
        OptionForm* main = scene.window.experimentPanel()->form();
        QVERIFY(main->editorOf(kPromptsKey));
        auto* own = scene.dialog()->findChild<OptionForm*>("adaptationForm");
        QVERIFY(!own->editorOf(kPromptsKey));
        for (const QString& key : adaptationKeys(scene.draft()->table())) {
            QVERIFY2(!main->editorOf(key), qPrintable(key));
            QVERIFY2(own->editorOf(key), qPrintable(key));
        }
    }

    void withoutAFunctionThereIsNothingToOpen() {
        ScriptedRun run;
        QTemporaryDir runs;
        MainWindow window(run.laboratory(), runs.path().toStdString());
        QVERIFY(!window.findChild<QAction*>("initialSession")->isEnabled());
        QVERIFY(!window.findChild<QToolButton*>("learnPrompts"));
    }
};

PALIMPSEST_TEST(TestAdaptationController)

}  // namespace tst_adaptation_controller

#include "tst_adaptation_controller.moc"
