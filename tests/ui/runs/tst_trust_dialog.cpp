// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <memory>

#include "tests/support/forkable_run.h"
#include "tests/support/scripted_run.h"
#include "tests/support/scripted_trust.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/trust_dialog.h"
#include "ui/runs/trust_job.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_trust_dialog {

namespace {

struct Scene {
    explicit Scene(std::function<std::optional<Failure>()> hindrance = {})
        : controller(&table, run.function()), job(script.function(), &controller, std::move(hindrance)), dialog(&job) {
        TrustRequest request;
        request.experiment.name = "Mine";
        dialog.setSubject(request, "The experiment “Mine”");
        dialog.show();
    }
    QPushButton* button(const char* name) const { return dialog.findChild<QPushButton*>(name); }
    QString status() const { return dialog.findChild<QLabel*>("trustStatus")->text(); }
    TrustCard* card(const char* check) const { return dialog.findChild<TrustCard*>(QString("trust-") + check); }
    QString words(const char* check, const char* label) const { return card(check)->findChild<QLabel*>(label)->text(); }

    OptionTable table{testCatalogue()};
    ScriptedRun run;
    ScriptedTrust script;
    RunController controller;
    TrustJob job;
    TrustDialog dialog;
};

}  // namespace

class TestTrustDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void thePageGrowsCheckByCheck() {
        Scene scene;
        QVERIFY(!scene.button("trustStop")->isEnabled());
        QTest::keyClick(scene.button("trustStart"), Qt::Key_Space);
        QTRY_COMPARE(scene.words("batch-size", "trustWord"), QString("Checking …"));
        QTRY_VERIFY2(scene.status().contains("1 of 7: Test batch size: Learning 32"), qPrintable(scene.status()));
        QVERIFY(!scene.button("trustStart")->isEnabled());
        QVERIFY(scene.words("order", "trustWord").isEmpty());
        scene.script.allow(1);
        QTRY_COMPARE(scene.words("batch-size", "trustWord"), QString("● Green"));
        QCOMPARE(scene.words("batch-size", "trustSentence"), QString("Reason 1."));
        QVERIFY(scene.words("batch-size", "trustCut").contains("320 of 6,000"));
        QCOMPARE(scene.card("batch-size")->findChild<QWidget*>("trustEvidence")->findChildren<QLabel*>().size(), 2);
        QVERIFY(scene.card("batch-size")->accessibleName().contains("Green"));
        QVERIFY(scene.card("batch-size")->accessibleDescription().contains("Reason 1."));
        scene.script.allow(6);
        QTRY_COMPARE(scene.status(), QString("3 green, 2 amber, 2 red, in 1 min 15 s"));
        QCOMPARE(scene.words("order", "trustWord"), QString("■ Red"));
        QCOMPARE(scene.words("labels", "trustWord"), QString("▲ Amber"));
        QVERIFY(scene.button("trustStart")->isEnabled());
        QVERIFY(scene.script.requests()[0].quick);
        QCOMPARE(scene.script.requests()[0].experiment.name, std::string("Mine"));
    }

    void stopKeepsTheVerdictsGivenByThen() {
        Scene scene;
        scene.dialog.findChild<QCheckBox*>("trustQuick")->setChecked(false);
        scene.button("trustStart")->click();
        scene.script.allow(2);
        QTRY_COMPARE(scene.words("order", "trustWord"), QString("■ Red"));
        scene.button("trustStop")->click();
        QTRY_VERIFY2(scene.status().startsWith("Stopped: 1 green, 0 amber, 1 red"), qPrintable(scene.status()));
        QCOMPARE(scene.words("batch-size", "trustWord"), QString("● Green"));
        // What had begun is no longer being checked.
        QVERIFY(scene.words("labels", "trustWord").isEmpty());
        QVERIFY(!scene.script.requests()[0].quick);
        // Another round begins with an empty page.
        scene.button("trustStart")->click();
        QVERIFY(scene.words("order", "trustWord").isEmpty());
        QVERIFY(scene.card("order")->findChild<QLabel*>("trustSentence")->isHidden());
    }

    void theSubjectStaysWhileItIsChecked() {
        Scene scene;
        scene.button("trustStart")->click();
        scene.dialog.setSubject({"/runs/other", {}, {}, false}, "The run “Other”");
        QCOMPARE(scene.dialog.findChild<QLabel*>("trustSubject")->text(), QString("The experiment “Mine”"));
        scene.script.allow(7);
        QTRY_VERIFY(!scene.job.busy());
        scene.dialog.setSubject({"/runs/other", {}, {}, false}, "The run “Other”");
        QCOMPARE(scene.dialog.findChild<QLabel*>("trustSubject")->text(), QString("The run “Other”"));
        QVERIFY(scene.words("order", "trustWord").isEmpty());
    }

    void nothingLearnsMeanwhileAndItWaitsForWhatLearns() {
        Scene scene;
        QVERIFY(!scene.job.obstacle());
        scene.button("trustStart")->click();
        QVERIFY(scene.job.obstacle());
        scene.job.stop();
        QTRY_VERIFY(!scene.job.busy());
        QVERIFY(!scene.job.obstacle());

        scene.controller.startOrResume();
        QTRY_VERIFY(scene.controller.running());
        scene.button("trustStart")->click();
        QVERIFY(!scene.job.busy());
        QVERIFY2(scene.status().contains("is not finished"), qPrintable(scene.status()));
    }

    void anotherHindranceIsSaid() {
        Scene scene([] { return Failure{"The initial session is not finished.", "Stop it."}; });
        scene.button("trustStart")->click();
        QVERIFY(!scene.job.busy());
        QCOMPARE(scene.status(), QString("The initial session is not finished. Stop it."));
    }

    void aFailureIsSaid() {
        Scene scene;
        scene.script.fail();
        scene.button("trustStart")->click();
        QTRY_VERIFY2(scene.status().contains("is wrong. Change it."), qPrintable(scene.status()));
        QVERIFY(scene.button("trustStart")->isEnabled());
    }

    void theWordHasTheColourOfTheTheme() {
        Scene scene;
        scene.button("trustStart")->click();
        scene.script.allow(7);
        QTRY_VERIFY(!scene.job.busy());
        const auto colourOf = [&](const char* check) {
            return scene.card(check)->findChild<QLabel*>("trustWord")->palette().color(QPalette::WindowText);
        };
        for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
            applyAppearance(*qApp, appearance);
            const Theme& theme = appearance == Appearance::Dark ? Theme::darkTheme() : Theme::lightTheme();
            QTRY_COMPARE(colourOf("batch-size"), theme.better);
            QTRY_COMPARE(colourOf("order"), theme.worse);
            QTRY_COMPARE(colourOf("labels"), theme.attention);
        }
    }

    void theKeyboardReachesEveryCard() {
        Scene scene;
        for (const TrustCheckInfo& check : trustChecks()) {
            QVERIFY(scene.card(check.name)->focusPolicy() & Qt::TabFocus);
            QVERIFY(!scene.card(check.name)->accessibleName().isEmpty());
        }
        for (const char* name : {"trustStart", "trustStop", "trustClose"})
            QVERIFY(scene.button(name)->focusPolicy() & Qt::TabFocus);
    }

    void evidenceHasTheRoomThereIs() {
        for (const TextSize size : {TextSize::Normal, TextSize::VeryLarge}) {
            applyTextSize(*qApp, size);
            Scene scene;
            scene.button("trustStart")->click();
            scene.script.allow(7);
            QTRY_VERIFY(!scene.job.busy());
            const auto* what = scene.card("order")->findChild<QWidget*>("trustEvidence")->findChild<QLabel*>();
            QVERIFY(what && what->text() == "Images with another prediction");
            QTRY_VERIFY(what->width() > scene.card("order")->width() / 3 &&
                        what->height() < 2 * what->fontMetrics().height());
        }
    }

    void allIsNamedAndLegibleInBothAppearances_data() { addAppearances(); }
    void allIsNamedAndLegibleInBothAppearances() {
        QFETCH(int, appearance);
        applyAppearance(*qApp, Appearance(appearance));
        Scene scene;
        scene.button("trustStart")->click();
        scene.script.allow(7);
        QTRY_VERIFY(!scene.job.busy());
        checkDialog(scene.dialog, Appearance(appearance));
        applyAppearance(*qApp, Appearance::Dark);
    }

    void menuAndCommandOpenItForRunAndExperiment() {
        const QTemporaryDir folder;
        const OptionTable table{testCatalogue()};
        const auto run = writeForkableRun(table, folder.path().toStdString(), "batch", {});
        RunLibrary library(&table, folder.path().toStdString());
        QSignalSpy scanned(&library, &RunLibrary::scanned);
        library.refresh();
        QVERIFY(scanned.wait());
        ScriptedRun scripted;
        ScriptedTrust script;
        RunController controller(&table, scripted.function());
        RunSet store;
        RunsPanel panel(&store, &library);
        QAction action;
        TrustController trust(script.function(), &controller, &library, &panel, &action, {}, &panel);
        QVERIFY(action.isEnabled());
        action.trigger();
        auto* dialog = panel.findChild<TrustDialog*>("trustDialog");
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(dialog->findChild<QLabel*>("trustSubject")->text().startsWith("The experiment"));
        Q_EMIT panel.actions()->trustRequested(RunSet::idOf(run.string(), 0));
        QVERIFY(dialog->findChild<QLabel*>("trustSubject")->text().startsWith("The run"));
        dialog->findChild<QPushButton*>("trustStart")->click();
        QTRY_COMPARE(script.requests().size(), std::size_t{1});
        QCOMPARE(script.requests()[0].run, run);

        QAction without;
        const TrustController none(nullptr, &controller, &library, &panel, &without, {}, &panel);
        QVERIFY(!without.isEnabled());
    }
};

PALIMPSEST_TEST(TestTrustDialog)

}  // namespace tst_trust_dialog

#include "tst_trust_dialog.moc"
