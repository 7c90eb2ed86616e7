// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QUndoStack>
#include <algorithm>
#include <array>

#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/experiment/lane_forms.h"
#include "ui/experiment/option_editor.h"
#include "ui/now/mask_chips.h"
#include "ui/now/now_panel.h"
#include "ui/state/experiment_draft.h"
#include "ui/state/lane_draft.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/lane_controller.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::showActive;

namespace tst_lanes {

namespace {

/// Accuracies in the order in which they were measured.
std::vector<double> accuracies(const ShownRun& run) {
    std::vector<double> values;
    for (const AnytimePoint& point : run.points.anytime()) values.push_back(point.accuracy);
    for (const AnytimePoint& point : run.points.sessionEnds()) values.push_back(point.accuracy);
    return values;
}

RunFunction failingFor(const std::string& mask, const RunFunction& otherwise) {
    return [=](std::int64_t run, const Experiment& experiment, RunControl& control, RunObserver& observer) {
        if (experiment.mask.name != mask) return otherwise(run, experiment, control, observer);
        RunEnded ended;
        ended.run = run;
        ended.how = RunEnd::Failed;
        ended.error = "The weights vit.safetensors are not there.";
        ended.hint = "Choose others.";
        observer.onEnded(ended);
    };
}

}  // namespace

class TestLanes : public QObject {
    Q_OBJECT
private:
    QTemporaryDir runs_, workspace_;

    std::unique_ptr<MainWindow> open(const Laboratory& laboratory, const QString& session = {}) {
        auto window = std::make_unique<MainWindow>(laboratory, runs_.path().toStdString());
        if (!session.isEmpty()) window->beginSession(session);
        showActive(*window);
        window->controller()->draft()->set("evaluation.every_samples", std::int64_t{60});
        return window;
    }

    static void compare(MainWindow& window) { QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier); }

    /// By the control that a person uses.
    static void choose(const MainWindow& window, const QString& control, const QString& value) {
        auto* box = window.findChild<QComboBox*>(control);
        QVERIFY2(box, qPrintable(control));
        const int index = box->findData(value);
        QVERIFY(index >= 0);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }

    /// Lane B without a mask.
    static void compareMasks(MainWindow& window) {
        compare(window);
        choose(window, "laneB.optionEditor.mask.name.value", "none");
    }

    static QString text(const MainWindow& window, const QString& label) {
        return window.findChild<QLabel*>(label)->text();
    }

    static void learn(MainWindow& window) {
        QTest::keyClick(&window, Qt::Key_F5);
        QVERIFY(window.controller()->busy());
        QTRY_VERIFY(!window.controller()->busy());
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void withoutAComparisonThereIsOneLane() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        QVERIFY(window->lanes()->strip()->isHidden());
        QVERIFY(window->findChild<NowPanel*>("nowPanelB")->isHidden());
        QVERIFY(!window->findChild<QAction*>("compareLanes")->isChecked());
        QVERIFY(!window->findChild<QWidget*>("laneBForm"));
    }

    void laneBBeginsAsACopyAndIsNotStartedAsOne() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        window->findChild<QAbstractButton*>("compareLanesButton")->click();
        QVERIFY(window->state().lane_b.on());
        QVERIFY(window->lanes()->strip()->isVisible());
        QVERIFY(window->findChild<QWidget*>("laneBForm")->isVisible());
        QCOMPARE(window->lanes()->forms()->shownLane(), std::size_t{1});
        QVERIFY(text(*window, "laneDifference").startsWith("Lane B is a copy of lane A."));
        QTest::keyClick(window.get(), Qt::Key_F5);
        QVERIFY(!window->controller()->busy());
        QVERIFY(window->messages()->text().startsWith("Lane B is the same as lane A"));
        compare(*window);
        QVERIFY(!window->state().lane_b.on());
        QCOMPARE(window->messages()->text(), QString());
    }

    void whatDiffersIsSaidAndMarked() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        compareMasks(*window);
        QCOMPARE(text(*window, "laneDifference"), QString("Logit mask: batch → none"));
        QCOMPARE(window->controller()->draft()->experiment().mask.name, std::string("batch"));
        QCOMPARE(window->state().lane_b.experiment().mask.name, std::string("none"));
        auto* other = window->findChild<OptionEditor*>("laneB.optionEditor.mask.name");
        const auto notes = other->findChildren<QLabel*>();
        QVERIFY(std::any_of(notes.begin(), notes.end(), [](QLabel* note) { return note->text() == "lane A: batch"; }));

        window->state().lane_b.set("memory.size", std::int64_t{500});
        QCOMPARE(text(*window, "laneDifference"),
                 QString("2 differences: Logit mask: batch → none; Memory: none → 500 images"));
        choose(*window, "laneB.optionEditor.mask.name.value", "batch");
        QCOMPARE(text(*window, "laneDifference"), QString("Memory: none → 500 images"));
    }

    void whatChangesInLaneAChangesInBothButForWhatLaneBHasOfItsOwn() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        compareMasks(*window);
        ExperimentDraft* first = window->controller()->draft();
        const LaneDraft* second = &window->state().lane_b;
        window->findChild<QSpinBox*>("optionEditor.seed.value")->setValue(7);
        first->set("stream.sessions", std::int64_t{3});
        first->set("training.updates_per_batch", std::int64_t{2});
        first->set("mask.name", std::string("session"));
        QCOMPARE(second->experiment().seed, 7);
        QCOMPARE(second->experiment().stream.sessions, 3);
        QCOMPARE(second->experiment().training.updates_per_batch, 2);
        QCOMPARE(text(*window, "laneDifference"), QString("Logit mask: session → none"));
        // Stream and seed have no field in lane B, and whoever sets them there sets them in both.
        QVERIFY(!window->findChild<QWidget*>("laneB.optionEditor.seed"));
        QVERIFY(!window->findChild<QWidget*>("laneB.optionEditor.stream.train_limit"));
        window->state().lane_b.set("seed", std::int64_t{9});
        QCOMPARE(first->experiment().seed, 9);
    }

    void undoTakesBackWhatWasDoneInEitherLane() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        const int before = window->controller()->draft()->undoStack()->index();
        compareMasks(*window);
        QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(window->state().lane_b.experiment().mask.name, std::string("batch"));
        QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!window->state().lane_b.on());
        QCOMPARE(window->controller()->draft()->undoStack()->index(), before);
        QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(text(*window, "laneDifference"), QString("Logit mask: batch → none"));
    }

    void oneStartLearnsBothOnOneStreamAsEachWouldAlone() {
        ScriptedRun script;
        script.allowAll();
        const auto window = open(script.laboratory());
        RunController* run = window->controller();
        compareMasks(*window);
        QSignalSpy first(run->bridge(0), &RunBridge::started), second(run->bridge(1), &RunBridge::started);
        learn(*window);
        QCOMPARE(first.count(), 1);
        QCOMPARE(second.count(), 1);
        const auto a = first[0][0].value<RunStarted>(), b = second[0][0].value<RunStarted>();
        QVERIFY(!a.fingerprint.empty());
        QCOMPARE(a.fingerprint, b.fingerprint);
        QVERIFY(a.run != b.run);
        const ShownRun* laneA = window->curves()->find(RunSet::idOf({}, a.run));
        const ShownRun* laneB = window->curves()->find(RunSet::idOf({}, b.run));
        QVERIFY(laneA->finished && laneB->finished);
        QVERIFY(laneA->display.visible && laneB->display.visible);
        QVERIFY(laneA->display.selected);
        QCOMPARE(laneA->display.colour, QColor(kLaneColours[0]));
        QCOMPARE(laneB->display.colour, QColor(kLaneColours[1]));
        QVERIFY(laneA->points.anytime().size() > 5);

        // The same two, one after the other.
        compare(*window);
        learn(*window);
        QCOMPARE(accuracies(*window->curves()->selected()), accuracies(*laneA));
        QVERIFY(window->curves()->selected() != laneA);
        run->draft()->set("mask.name", std::string("none"));
        learn(*window);
        QCOMPARE(accuracies(*window->curves()->selected()), accuracies(*laneB));
        QVERIFY(accuracies(*laneA) != accuracies(*laneB));
    }

    void theLineOverTheFiguresNamesTheLanesAndHowFarTheyAreApart() {
        ScriptedRun script;
        script.allowAll();
        const auto window = open(script.laboratory());
        window->controller()->draft()->set("name", std::string("Own"));
        compareMasks(*window);
        const auto label = [&](const QString& lane) { return window->findChild<QLabel*>(lane)->accessibleName(); };
        QTRY_COMPARE(label("laneLabelB"), QString("Own, no mask"));
        QCOMPARE(label("laneLabelA"), QString("Own, batch mask"));
        learn(*window);
        QCOMPARE(window->curves()->compared()->label, QString("Own, no mask"));
        QTRY_VERIFY(label("laneLabelB").startsWith("Own, no mask"));
        const ShownRun* a = window->curves()->selected();
        const ShownRun* b = window->curves()->compared();
        const double gap = *a->points.areaUpTo(a->reach()) - *b->points.areaUpTo(b->reach());
        QVERIFY(gap > 0);
        QTRY_COMPARE(text(*window, "laneGap"), QString("A − B: %1").arg(signedPercentText(gap)));
        QCOMPARE(text(*window, "laneStripDifference"), QString("Logit mask: batch → none"));
        QCOMPARE(text(*window, "laneAreaA"), QString("A_AUC %1 %").arg(percentText(*a->points.areaUpTo(a->reach()))));
        // As above the curve, the selected run comes first.
        window->curves()->select(b->id);
        QTRY_COMPARE(text(*window, "laneGap"), QString("B − A: %1").arg(signedPercentText(-gap)));
    }

    void aNameThatNobodyTypedFollowsWhatLaneBChose() {
        const OptionTable table(testCatalogue());
        ExperimentDraft first(&table);
        first.set("name", std::string("Batch mask"));
        first.set("mask.name", std::string("batch"));
        LaneDraft second(&first);
        second.set("mask.name", std::string("none"));
        QCOMPARE(second.experiment().name, std::string("Batch mask"));
        // Presets are found a moment after the window has come.
        first.setNaming([naming = ExperimentNaming(&table, {"Batch mask"})](
                            const Experiment& before, const Experiment& after, const QString& key) {
            return naming.nameOf(before, after, key);
        });
        QCOMPARE(first.experiment().name, std::string("Batch mask"));
        QVERIFY2(second.experiment().name.find("no mask") != std::string::npos, second.experiment().name.c_str());
        first.set("name", std::string("Own"));
        QCOMPARE(second.experiment().name, std::string("Own"));
    }

    void theSignOfALaneIsDashedAsItsLineIs() {
        const QLabel widget;
        const auto sign = [](const QWidget* shown, std::size_t lane, int look) {
            return laneIcon(shown, lane, look).pixmap(kLaneIconWidth, kLaneIconHeight).toImage();
        };
        for (int look = 0; look < 4; ++look)
            for (int other = 0; other < look; ++other) QVERIFY(sign(&widget, 1, look) != sign(&widget, 1, other));
        QCOMPARE(sign(&widget, 0, 1), sign(&widget, 0, 0));

        ScriptedRun script;
        script.allowAll();
        const auto window = open(script.laboratory());
        QHash<QString, int> looks;
        for (int run = 1; run < 20; ++run) looks[RunSet::idOf({}, run)] = 2;
        window->curves()->keepStyles(looks);
        compareMasks(*window);
        learn(*window);
        const QLabel* shown = window->findChild<QLabel*>("laneIconB");
        QTRY_COMPARE(shown->pixmap().toImage(), sign(shown, 1, 2));
    }

    void nowShowsBothLanes() {
        ScriptedRun script;
        script.allowAll();
        const auto window = open(script.laboratory());
        compareMasks(*window);
        learn(*window);
        auto* first = window->findChild<NowPanel*>("nowPanel");
        auto* second = window->findChild<NowPanel*>("nowPanelB");
        QVERIFY(first->isVisible() && second->isVisible());
        QVERIFY(first->mapTo(window.get(), QPoint()).y() < second->mapTo(window.get(), QPoint()).y());
        // Without a mask a class competes that the batch mask hides.
        QTRY_VERIFY(!second->accessibleDescription().isEmpty() &&
                    second->accessibleDescription() != first->accessibleDescription());
        const auto hidden = [](NowPanel* panel) {
            int chips = 0;
            for (int label = 0; label < panel->chips()->count(); ++label)
                chips += panel->chips()->stateOf(label) == MaskChips::State::Hidden;
            return chips;
        };
        // The news of the last batch may come a frame later than that of the end.
        QTRY_VERIFY(hidden(first) > 0);
        QCOMPARE(hidden(second), 0);
        compare(*window);
        QVERIFY(second->isHidden());
    }

    void pauseAndStepKeepTheLanesTogether() {
        ScriptedRun::Script slow;
        slow.images = 6000;
        slow.pace_ms = 1;
        ScriptedRun script(slow);
        script.allowAll();
        const auto window = open(script.laboratory());
        RunController* run = window->controller();
        compareMasks(*window);
        run->draft()->set("stream.sessions", std::int64_t{1});  // the last batch of a session may be shorter
        std::array<std::int64_t, 2> seen{};
        for (std::size_t lane = 0; lane < 2; ++lane)
            connect(run->bridge(lane), &RunBridge::progressed, this,
                    [&seen, lane](const Progress& progress) { seen[lane] = progress.samples_seen; });
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_VERIFY(seen[1] > 200);
        QTest::keyClick(window.get(), Qt::Key_Space);
        QTRY_COMPARE(run->state(), RunState::Paused);
        QTRY_COMPARE(seen[0], seen[1]);
        for (int step = 0; step < 5; ++step) {
            const auto before = seen;
            QTest::keyClick(window.get(), Qt::Key_Right);
            QTRY_VERIFY(seen[0] > before[0] && seen[1] > before[1]);
            QTRY_COMPARE(run->lane(0).state(), RunState::Paused);
            QTRY_COMPARE(run->lane(1).state(), RunState::Paused);
            // News of what was learned comes a little later.
            QTRY_COMPARE(seen[0], before[0] + window->controller()->draft()->experiment().training.batch_size);
            QTRY_COMPARE(seen[1], seen[0]);
        }
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(run->state(), RunState::Running);
        QTest::keyClick(window.get(), Qt::Key_F5, Qt::ShiftModifier);
        QTRY_VERIFY(!run->busy());
        for (const ShownRun* curves : window->curves()->runs()) QVERIFY(!curves->finished && !curves->live);
    }

    void stopStopsBoth() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        RunController* run = window->controller();
        compareMasks(*window);
        QSignalSpy first(run->bridge(0), &RunBridge::ended), second(run->bridge(1), &RunBridge::ended);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_VERIFY(run->lane(0).begun() && run->lane(1).begun());
        QTest::keyClick(window.get(), Qt::Key_F5, Qt::ShiftModifier);
        QTRY_VERIFY(!run->busy());
        QCOMPARE(first[0][0].value<RunEnded>().how, RunEnd::Stopped);
        QCOMPARE(second[0][0].value<RunEnded>().how, RunEnd::Stopped);
        QVERIFY(run->canStart());
    }

    void aLaneThatFailsIsToldAndTheOtherGoesOn_data() {
        QTest::addColumn<QString>("failing");
        QTest::addColumn<QString>("lane");
        QTest::addColumn<QString>("other");
        QTest::newRow("the first") << "batch"
                                   << "Lane A"
                                   << "Lane B";
        QTest::newRow("the second") << "none"
                                    << "Lane B"
                                    << "Lane A";
    }
    void aLaneThatFailsIsToldAndTheOtherGoesOn() {
        QFETCH(QString, failing);
        QFETCH(QString, lane);
        QFETCH(QString, other);
        ScriptedRun script;
        Laboratory laboratory = script.laboratory();
        laboratory.run = failingFor(failing.toStdString(), laboratory.run);
        const auto window = open(laboratory);
        RunController* run = window->controller();
        compareMasks(*window);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_COMPARE(window->messages()->text(), lane + ": The weights vit.safetensors are not there.");
        QCOMPARE(window->messages()->hint(), "Choose others. " + other + " goes on.");
        QVERIFY(run->busy());
        script.allowAll();
        QTRY_VERIFY(!run->busy());
        QCOMPARE(window->curves()->runs().size(), std::size_t{1});
        QVERIFY(window->curves()->runs()[0]->finished);
        QTRY_VERIFY(text(*window, lane == "Lane A" ? "laneLabelA" : "laneLabelB").endsWith(", failed"));
    }

    void differentStreamsAreRefusedInWords() {
        ScriptedRun script;
        Laboratory laboratory = script.laboratory();
        laboratory.run = [inner = laboratory.run](std::int64_t run, const Experiment& experiment, RunControl& control,
                                                  RunObserver& observer) {
            Experiment other = experiment;
            // As if a file of the stream had changed meanwhile.
            if (experiment.mask.name == "none") other.seed += 1;
            inner(run, other, control, observer);
        };
        const auto window = open(laboratory);
        compareMasks(*window);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_VERIFY(window->messages()->text().startsWith("The lanes got different streams ("));
        QTRY_VERIFY(!window->controller()->busy());
        for (const ShownRun* curves : window->curves()->runs()) QVERIFY(!curves->finished);
    }

    void settingsThatDoNotFitTogetherInLaneBAreRefused() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        compare(*window);
        LaneDraft* lane = &window->state().lane_b;
        lane->set("method.g_blocks", std::string("none"));
        lane->set("method.e_blocks", std::string("none"));
        QVERIFY(!lane->problems().isEmpty());
        QVERIFY(window->controller()->draft()->problems().isEmpty());
        QTest::keyClick(window.get(), Qt::Key_F5);
        QVERIFY(!window->controller()->busy());
        QVERIFY(window->messages()->text().startsWith("Lane B cannot start: "));
    }

    void aTextThatLaneBRefusedIsNotStartedWithAnOlderValue() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        compareMasks(*window);
        LaneDraft* lane = &window->state().lane_b;
        lane->setRefusal("laneB.seed", "Seed is a whole number.");
        window->controller()->startOrResume();
        QVERIFY(!window->controller()->busy());
        QVERIFY(window->messages()->text().startsWith("Not started: a field of lane B "));
        lane->setRefusal("laneB.seed", {});
        window->controller()->startOrResume();
        QVERIFY(window->controller()->busy());
    }

    void otherRunsLeaveTheFiguresUnlessAPersonChoseThem() {
        ScriptedRun script;
        script.allowAll();
        const auto window = open(script.laboratory());
        learn(*window);
        const QString earlier = window->curves()->selected()->id;
        learn(*window);
        const QString chosen = window->curves()->selected()->id;
        window->curves()->select(chosen);
        compareMasks(*window);
        learn(*window);
        QVERIFY(!window->curves()->find(earlier)->display.visible);
        QVERIFY(window->curves()->find(chosen)->display.visible);
        QCOMPARE(window->curves()->visibleRuns().size(), std::size_t{3});
    }

    void thePairIsThereAgainWhenTheProgramIs() {
        ScriptedRun script;
        {
            const auto window = open(script.laboratory(), workspace_.path());
            compareMasks(*window);
            window->state().lane_b.set("training.learning_rate", 0.25);
        }
        const auto window = open(script.laboratory(), workspace_.path());
        QVERIFY(window->state().lane_b.on());
        QCOMPARE(window->state().lane_b.experiment().mask.name, std::string("none"));
        QCOMPARE(window->state().lane_b.experiment().training.learning_rate, 0.25);
        QCOMPARE(window->controller()->draft()->experiment().mask.name, std::string("batch"));
        QVERIFY(window->lanes()->strip()->isVisible());
        QVERIFY(window->findChild<QAction*>("compareLanes")->isChecked());
    }

    void theWindowClosesWhenBothHaveStopped() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        compareMasks(*window);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_VERIFY(window->controller()->lane(0).begun() && window->controller()->lane(1).begun());
        window->stopAndClose();
        QTRY_VERIFY(window->isHidden());
        QVERIFY(!window->controller()->busy());
    }

    void theWindowMayGoWhileBothLearn() {
        ScriptedRun script;
        script.allowAll();
        auto window = open(script.laboratory());
        compareMasks(*window);
        QTest::keyClick(window.get(), Qt::Key_F5);
        window.reset();
    }
};

PALIMPSEST_TEST(TestLanes)

}  // namespace tst_lanes

#include "tst_lanes.moc"
