// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QUndoStack>
#include <algorithm>

#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/experiment/live_change_controller.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/pause_controller.h"
#include "ui/state/run_controller.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel.h"
#include "ui/window/lane_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/time_controller.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::showActive;

namespace tst_live_change_controller {

class TestLiveChangeController : public QObject {
    Q_OBJECT
private:
    QTemporaryDir runs_;

    std::unique_ptr<MainWindow> open(const ScriptedRun& script) {
        auto window = std::make_unique<MainWindow>(script.laboratory(), runs_.path().toStdString());
        showActive(*window);
        return window;
    }
    /// Until it waits for its first batch.
    static void start(MainWindow& window) {
        QTest::keyClick(&window, Qt::Key_F5);
        QTRY_COMPARE(window.controller()->state(), RunState::Running);
    }
    static void stop(MainWindow& window) {
        window.controller()->stop();
        QTRY_VERIFY(!window.controller()->busy());
    }
    static void change(MainWindow& window) { QTest::keyClick(&window, Qt::Key_Return, Qt::ControlModifier); }
    static QString mask(const MainWindow& window) {
        return QString::fromStdString(window.controller()->running()->mask.name);
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void whatTheRunHasNotYetIsSaidAndHandedOver() {
        ScriptedRun script;
        const auto window = open(script);
        const ActionStrip* strip = window->time()->live()->strip();
        ExperimentDraft* draft = window->controller()->draft();
        draft->set("mask.name", std::string("seen"));
        QVERIFY(strip->isHidden());
        start(*window);
        QVERIFY(strip->isHidden());
        draft->set("mask.name", std::string("none"));
        draft->set("training.learning_rate", 0.001);
        QVERIFY(strip->isVisible());
        QVERIFY2(strip->text().startsWith("Not yet in the running experiment: "), qPrintable(strip->text()));
        QVERIFY(strip->text().contains("logit mask none"));
        QVERIFY(strip->text().contains("learning rate 0.001"));
        change(*window);
        // The run has it from its next batch on.
        QCOMPARE(mask(*window), QString("seen"));
        QVERIFY(strip->text().startsWith("The run takes your changes over"));
        QVERIFY(!window->findChild<QAction*>("changeRun")->isEnabled());
        script.allow(2);
        QTRY_COMPARE(mask(*window), QString("none"));
        QTRY_VERIFY(strip->isHidden());
        QCOMPARE(window->controller()->running()->training.learning_rate, 0.001);
        stop(*window);
    }

    void whatWasHandedOverIsSaidToBeSentUntilTheRunHasIt() {
        ScriptedRun script;
        const auto window = open(script);
        start(*window);
        const auto noted = [&](const QString& text) {
            const auto labels = window->findChild<OptionEditor*>("optionEditor.mask.name")->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(),
                               [&](const QLabel* label) { return !label->isHidden() && label->text() == text; });
        };
        const QString waits = "takes effect at the next batch after Ctrl+Return";
        const QString sent = "sent, takes effect at the next batch";
        window->controller()->draft()->set("mask.name", std::string("none"));
        QVERIFY(noted(waits));
        change(*window);
        QVERIFY(!noted(waits));
        QVERIFY(noted(sent));
        script.allow(2);
        QTRY_VERIFY(!noted(sent));
        QVERIFY(!noted(waits));
        QCOMPARE(mask(*window), QString("none"));
        stop(*window);
    }

    void aChangeThatIsOnItsWayCanBeChangedBack() {
        ScriptedRun script;
        const auto window = open(script);
        start(*window);
        ExperimentDraft* draft = window->controller()->draft();
        draft->set("mask.name", std::string("none"));
        change(*window);
        draft->set("mask.name", std::string("batch"));
        QVERIFY(window->time()->live()->strip()->text().contains("logit mask batch"));
        change(*window);
        QSignalSpy changed(window->controller()->bridge(), &RunBridge::changed);
        script.allow(2);
        QTRY_COMPARE(changed.count(), 2);
        QCOMPARE(mask(*window), QString("batch"));
        QVERIFY(window->time()->live()->strip()->isHidden());
        stop(*window);
    }

    void takenBackTheDraftIsWhatTheRunHas() {
        ScriptedRun script;
        const auto window = open(script);
        start(*window);
        ExperimentDraft* draft = window->controller()->draft();
        draft->set("mask.name", std::string("none"));
        draft->set("memory.size", std::int64_t{500});
        window->findChild<QPushButton*>("liveTakeBack")->click();
        QCOMPARE(draft->experiment().mask.name, std::string("batch"));
        // Changes that belong to the next run stay.
        QCOMPARE(draft->experiment().memory.size, std::int64_t{500});
        QVERIFY(window->time()->live()->strip()->isHidden());
        draft->undoStack()->undo();
        QCOMPARE(draft->experiment().mask.name, std::string("none"));
        QVERIFY(window->time()->live()->strip()->isVisible());
        stop(*window);
        QVERIFY(window->time()->live()->strip()->isHidden());
    }

    void whatTakesEffectAtTheNextRunAsksForNothing() {
        ScriptedRun script;
        const auto window = open(script);
        start(*window);
        window->controller()->draft()->set("memory.size", std::int64_t{500});
        QVERIFY(window->time()->live()->strip()->isHidden());
        QVERIFY(!window->findChild<QAction*>("changeRun")->isEnabled());
        stop(*window);
    }

    void whatTheRunsMethodCannotTakeIsRefusedInWords() {
        ScriptedRun script;
        const auto window = open(script);
        start(*window);
        window->controller()->draft()->set("mask.name", std::string("learnable"));
        QVERIFY(window->time()->live()->strip()->isVisible());
        change(*window);
        QCOMPARE(window->messages()->text(),
                 QString("A run takes the learnable mask from its beginning or not at all."));
        QVERIFY(window->time()->live()->strip()->text().startsWith("Not yet in the run"));
        window->findChild<QPushButton*>("liveTakeBack")->click();
        QCOMPARE(window->messages()->count(), 0);
        stop(*window);
    }

    void ofTwoLanesTheFirstIsMeantAndSaid() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_L, Qt::ControlModifier);
        window->state().lane_b.set("mask.name", std::string("none"));
        start(*window);
        QTRY_VERIFY(window->controller()->lane(1).begun());
        window->controller()->draft()->set("mask.name", std::string("seen"));
        QVERIFY2(
            window->time()->live()->strip()->text().startsWith("Not yet in lane A, which goes on: logit mask seen."),
            qPrintable(window->time()->live()->strip()->text()));
        change(*window);
        script.allow(4);
        QTRY_COMPARE(mask(*window), QString("seen"));
        QCOMPARE(window->controller()->lane(1).experiment().mask.name, std::string("none"));
        stop(*window);
    }

    void laneBSaysWhatWaitsForItsNextRun() {
        ScriptedRun script;
        const auto window = open(script);
        QTest::keyClick(window.get(), Qt::Key_L, Qt::ControlModifier);
        window->state().lane_b.set("mask.name", std::string("none"));
        start(*window);
        QTRY_VERIFY(window->controller()->lane(1).begun());
        const auto note = [&](const QString& text) {
            const auto labels =
                window->findChild<OptionEditor*>("laneB.optionEditor.mask.name")->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](QLabel* label) { return label->text() == text; });
        };
        QVERIFY(note("lane A: batch"));
        window->state().lane_b.set("mask.name", std::string("seen"));
        QVERIFY(note("lane A: batch · takes effect at the next run"));
        stop(*window);
        QVERIFY(note("lane A: batch"));
    }

    void theRunPausesWhenItsSessionEnds() {
        ScriptedRun script;
        const auto window = open(script);
        auto* command = window->findChild<QAction*>("pauseAtSessionEnd");
        QVERIFY(!command->isEnabled());
        start(*window);
        QVERIFY(command->isEnabled());
        command->trigger();
        QVERIFY(command->isChecked());
        script.allowAll();
        QTRY_COMPARE(window->controller()->state(), RunState::Paused);
        QCOMPARE(window->messages()->text(), QString("Session 1 has ended."));
        QVERIFY(!command->isChecked());
        stop(*window);
        QVERIFY(!command->isEnabled());
    }

    void theReasonOfAPauseIsNoWarningAndGoesWhenTheRunGoesOn_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("modifiers");
        QTest::newRow("resumed") << int(Qt::Key_F5) << int(Qt::NoModifier);
        QTest::newRow("one batch further") << int(Qt::Key_Right) << int(Qt::NoModifier);
        QTest::newRow("stopped") << int(Qt::Key_F5) << int(Qt::ShiftModifier);
    }
    void theReasonOfAPauseIsNoWarningAndGoesWhenTheRunGoesOn() {
        QFETCH(int, key);
        QFETCH(int, modifiers);
        ScriptedRun script;
        const auto window = open(script);
        start(*window);
        window->findChild<QAction*>("pauseAtSessionEnd")->trigger();
        script.allowAll();
        QTRY_COMPARE(window->controller()->state(), RunState::Paused);
        QCOMPARE(window->messages()->text(), QString("Session 1 has ended."));
        QCOMPARE(window->messages()->property("kind").toString(), QString("info"));
        QTest::keyClick(window.get(), static_cast<Qt::Key>(key), Qt::KeyboardModifiers(modifiers));
        QCOMPARE(window->messages()->count(), 0);
        stop(*window);
    }

    void whyNothingStartedIsSaidNoLongerOnceTheRunHasEnded() {
        ScriptedRun script;
        const auto window = open(script);
        start(*window);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QVERIFY2(window->messages()->text().endsWith("is not finished."), qPrintable(window->messages()->text()));
        stop(*window);
        QCOMPARE(window->messages()->count(), 0);
    }

    void theSessionThatMustNotBeForgottenIsAskedFor() {
        ScriptedRun script;
        const auto window = open(script);
        start(*window);
        auto* command = window->findChild<QAction*>("pauseWhenForgotten");
        // A menu draws no tick beside an icon.
        QVERIFY(command->isCheckable() && command->icon().isNull());
        command->trigger();
        QVERIFY(!command->isChecked());
        for (const QAbstractSpinBox* box :
             window->findChild<QDialog*>("pauseDialog")->findChildren<QAbstractSpinBox*>())
            QCOMPARE(box->buttonSymbols(), QAbstractSpinBox::NoButtons);
        window->findChild<QSpinBox*>("pauseSession")->setValue(2);
        window->findChild<QDoubleSpinBox*>("pauseBelow")->setValue(40);
        window->findChild<QPushButton*>("pauseSet")->click();
        const PauseCondition condition = window->controller()->pauseCondition();
        QCOMPARE(condition.session.value_or(-1), std::int64_t{1});
        QCOMPARE(condition.below, 0.4);
        QVERIFY(command->isChecked());
        QTRY_VERIFY(!window->findChild<QDialog*>("pauseDialog"));
        // Asked again, it shows what the run was told, and takes it back.
        command->trigger();
        QVERIFY(command->isChecked());
        QCOMPARE(window->findChild<QSpinBox*>("pauseSession")->value(), 2);
        window->findChild<QPushButton*>("pauseTakeBack")->click();
        QVERIFY(!window->controller()->pauseCondition().any());
        QVERIFY(!command->isChecked());
        stop(*window);
    }

    void aNumberThatDoesNotFitIsRefusedRatherThanTakenForAnother() {
        const QPointer<PauseDialog> dialog = new PauseDialog(5, {});
        QSignalSpy chosen(dialog, &PauseDialog::chosen);
        dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        auto* session = dialog->findChild<QSpinBox*>("pauseSession");
        auto* below = dialog->findChild<QDoubleSpinBox*>("pauseBelow");
        const auto* note = dialog->findChild<QLabel*>("pauseNote");
        const auto type = [](QAbstractSpinBox* box, const QString& text) {
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, text);
        };
        QVERIFY(note->isHidden());
        type(session, "7");
        QVERIFY(session->property("wrong").toBool());
        QTest::keyClick(session, Qt::Key_Return);
        QCOMPARE(chosen.count(), 0);
        QVERIFY2(note->text().contains("“7” was not taken") && note->text().contains("from 1 to 5"),
                 qPrintable(note->text()));
        QCOMPARE(session->value(), 1);
        type(session, "3");
        QVERIFY(note->isHidden());
        // Either decimal mark.
        type(below, "37,5");
        QTest::keyPress(below, Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toLongLong(), 2LL);
        QCOMPARE(chosen[0][1].toDouble(), 0.375);
        QTRY_VERIFY(!dialog);
    }

    void aCheckpointIsKeptWhenAPersonWantsOne() {
        ScriptedRun script;
        const auto window = open(script);
        start(*window);
        window->findChild<QAction*>("keepCheckpoint")->trigger();
        QCOMPARE(window->messages()->text(), QString("A checkpoint is kept after this batch"));
        script.allow(2);
        QTRY_COMPARE(script.kept(), 1);
        stop(*window);
        QVERIFY(!window->findChild<QAction*>("keepCheckpoint")->isEnabled());
    }

    void aRunWithoutRoomForCheckpointsKeepsNone() {
        ScriptedRun script;
        const auto window = open(script);
        window->controller()->draft()->set("evaluation.checkpoints", std::int64_t{0});
        start(*window);
        window->findChild<QAction*>("keepCheckpoint")->trigger();
        QCOMPARE(window->messages()->text(), QString("This run keeps no checkpoints."));
        stop(*window);
        QCOMPARE(window->messages()->count(), 0);
    }
};

PALIMPSEST_TEST(TestLiveChangeController)

}  // namespace tst_live_change_controller

#include "tst_live_change_controller.moc"
