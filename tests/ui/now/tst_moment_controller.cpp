// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QtTest>

#include "engine/config/option_table.h"
#include "engine/stream/experiment_stream.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/now/batch_thumbnails.h"
#include "ui/now/mask_chips.h"
#include "ui/now/moment_controller.h"
#include "ui/now/now_panel.h"
#include "ui/state/curve_options.h"
#include "ui/state/history_store.h"
#include "ui/state/learned_batch.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_set.h"
#include "ui/state/window_state.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_moment_controller {

namespace {

ScriptedRun::Script manyImages() {
    ScriptedRun::Script script;
    script.images = kImages;
    return script;
}

/// Images that take longer to be read than a replay takes to the next batch.
class SlowImages : public ScriptedDatasets {
public:
    std::vector<Thumbnail> samplesAt(const Experiment& experiment, std::span<const std::int64_t> positions, int side,
                                     std::stop_token stop) const override {
        for (int i = 0; i < 15 && !stop.stop_requested(); ++i) QThread::msleep(10);
        return ScriptedDatasets::samplesAt(experiment, positions, side, std::move(stop));
    }
};

/// Now beside a recorded run, whose stream is that of the script.
struct Scene {
    explicit Scene(std::shared_ptr<ScriptedDatasets> images = std::make_shared<ScriptedDatasets>())
        : datasets(std::move(images)) {
        datasets->allowAll();
        const Laboratory lab = script.laboratory();
        record = madeUpRecord("/runs/a", "batch");
        const auto labels = lab.labels(record.experiment);
        plan = planExperimentStream(record.experiment, labels->train, std::ssize(labels->class_names));
        train = labels->train;
        record.class_names = labels->class_names;
        record.fingerprint = plan.fingerprint();
        record.session_starts.clear();
        record.total_samples = 0;
        for (const auto& session : plan.sessions) {
            record.session_starts.push_back(record.total_samples);
            record.total_samples += std::ssize(session);
        }
    }

    /// After everything of the record was made as the test wants it.
    void show(const RunBridge* bridge = nullptr) {
        store.addRecord(record);
        store.select("/runs/a");
        pair.resize(280, 700);
        pair.show();
        controller = new MomentController(figures,
                                          {[this](const Experiment& experiment) {
                                               if (missing) throw inputError("The data set is not here.", "Fetch it.");
                                               return script.laboratory().labels(experiment);
                                           },
                                           datasets},
                                          bridge, &pair, 0);
    }

    NowPanel* panel() const { return pair.panel(0); }
    QString words() const { return panel()->findChild<QLabel*>("batchWords")->text(); }
    LearnedBatch batchAt(std::int64_t moment) const {
        return *learnedBatch(plan, train, record.experiment.training.batch_size, moment);
    }

    ScriptedRun script{manyImages()};
    std::shared_ptr<ScriptedDatasets> datasets;
    RunRecord record;
    StreamPlan plan;
    std::vector<std::int32_t> train;
    bool missing = false;
    FigureState figures;
    RunSet& store = figures.runs;
    HistoryStore& histories = figures.histories;
    CurveCursor& cursor = figures.cursor;
    NowPair pair;
    MomentController* controller = nullptr;
};

}  // namespace

class TestMomentController : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void theBatchOfAChosenMomentIsShownWithItsMask() {
        Scene scene;
        scene.show();
        QCOMPARE(scene.panel()->panel()->title(), QString("Now"));
        scene.cursor.pin(2000);
        scene.controller->showNow();
        QCOMPARE(scene.panel()->panel()->title(), QString("After 2,000 images"));
        const LearnedBatch batch = scene.batchAt(2000);
        QTRY_COMPARE(scene.words(), QString("batch %1 of %2").arg(batch.number).arg(batch.count));
        QCOMPARE(scene.datasets->asked(), batch.samples);
        QVERIFY(scene.panel()->thumbnails()->shownCount() > 0);
        for (int label = 0; label < 10; ++label) {
            const bool now = std::ranges::find(batch.labels, label) != batch.labels.end();
            const bool seen = std::ranges::find(batch.seen, label) != batch.seen.end();
            QCOMPARE(scene.panel()->chips()->stateOf(label), now    ? MaskChips::State::Visible
                                                             : seen ? MaskChips::State::Hidden
                                                                    : MaskChips::State::NotSeen);
        }
        scene.cursor.pin(std::nullopt);
        scene.controller->showNow();
        QVERIFY(!scene.panel()->showsMoment());
        QCOMPARE(scene.panel()->panel()->title(), QString("Now"));
    }

    void aRunThatTheFiguresDoNotShowInFullColourIsNamed() {
        Scene scene;
        scene.show();
        const auto* name = scene.panel()->findChild<NowName*>();
        const RunStarted start = madeUpStart(7, "/runs/b", "none");
        scene.store.onStarted(start);
        scene.panel()->setRun(start);
        scene.controller->showNow();
        QCOMPARE(name->text(), QString());
        scene.store.select("/runs/a");
        scene.controller->showNow();
        QVERIFY(!scene.store.label("/runs/b").isEmpty());
        QCOMPARE(name->text(), QString("Of “%1”").arg(scene.store.label("/runs/b")));
        // Stopped before its first evaluation: the figures know nothing of it any more.
        scene.store.onEnded(madeUpEnd(7, RunEnd::Stopped));
        QVERIFY(!scene.store.find("/runs/b"));
        scene.controller->showNow();
        QCOMPARE(name->text(), QString("Of “%1”").arg(QString::fromStdString(start.experiment.name)));
        // A moment that has passed is always one of the selected run.
        scene.cursor.pin(2000);
        scene.controller->showNow();
        QCOMPARE(name->text(), QString());
    }

    void aChangeOfTheMaskHoldsFromItsBatchOn() {
        Scene scene;
        scene.record.changes = {{"mask.name", "seen", 1600}};
        scene.show();
        scene.cursor.pin(3000);
        const LearnedBatch after = scene.batchAt(3000);
        QTRY_COMPARE(scene.words(), QString("batch %1 of %2").arg(after.number).arg(after.count));
        for (const std::int32_t label : after.seen)
            QCOMPARE(scene.panel()->chips()->stateOf(label), MaskChips::State::Visible);
        scene.cursor.pin(1500);
        const LearnedBatch before = scene.batchAt(1500);
        QTRY_COMPARE(scene.words(), QString("batch %1 of %2").arg(before.number).arg(before.count));
        for (const std::int32_t label : before.seen)
            QCOMPARE(scene.panel()->chips()->stateOf(label) == MaskChips::State::Visible,
                     std::ranges::find(before.labels, label) != before.labels.end());
    }

    void imagesThatAreNotHereAreToldInALine_data() {
        QTest::addColumn<bool>("missing");
        QTest::addColumn<bool>("other");
        QTest::newRow("no data set") << true << false;
        QTest::newRow("another data set of that name") << false << true;
    }
    void imagesThatAreNotHereAreToldInALine() {
        QFETCH(bool, missing);
        QFETCH(bool, other);
        Scene scene;
        scene.missing = missing;
        if (other) scene.record.fingerprint = "0123456789abcdef";
        scene.show();
        scene.cursor.pin(2000);
        QTRY_COMPARE(scene.words(), QString("The images of this run are not on this machine."));
        QVERIFY(scene.panel()->thumbnails()->isHidden());
        // The numbers are there all the same.
        QVERIFY2(scene.panel()->panel()->caption().endsWith("%"), qPrintable(scene.panel()->panel()->caption()));
    }

    void ofManyMomentsTheLastIsAnswered() {
        Scene scene;
        scene.show();
        for (std::int64_t moment = 100; moment <= 2500; moment += 100) {
            scene.cursor.pin(moment);
            scene.controller->showNow();
        }
        const LearnedBatch batch = scene.batchAt(2500);
        QTRY_COMPARE(scene.words(), QString("batch %1 of %2").arg(batch.number).arg(batch.count));
        const std::vector<std::int64_t> asked = scene.datasets->asked();
        QVERIFY(asked.size() < 25 * batch.samples.size());
        QVERIFY(std::equal(batch.samples.rbegin(), batch.samples.rend(), asked.rbegin()));
    }

    void aReplayShowsItsBatchesWhileItGoesOn() {
        Scene scene(std::make_shared<SlowImages>());
        RunBridge bridge;
        scene.show(&bridge);
        RunStarted started = madeUpStart(1, "/runs/a", "batch");
        started.replayed = std::make_shared<const RunRecord>(scene.record);
        started.fingerprint = scene.record.fingerprint;
        scene.store.onStarted(started);
        Q_EMIT bridge.started(started);
        QVERIFY(scene.store.selected()->replayed);
        QStringList words;
        for (std::int64_t moment = 100; moment <= 3000; moment += 20) {
            Q_EMIT bridge.progressed({.run = 1, .samples_seen = moment, .total_samples = 6000});
            QTest::qWait(10);
            if (scene.panel()->thumbnails()->shownCount() > 0 && !words.contains(scene.words()))
                words.append(scene.words());
        }
        QVERIFY2(words.size() >= 3, qPrintable(words.join(", ")));
        QVERIFY2(words[0].startsWith("batch "), qPrintable(words[0]));
        // What is shown last is the last moment.
        const LearnedBatch batch = scene.batchAt(3000);
        QTRY_COMPARE(scene.words(), QString("batch %1 of %2").arg(batch.number).arg(batch.count));
    }

    void aMemoryLeavesTheBatchsMaskOpen() {
        Scene scene;
        scene.record.experiment.memory.size = 500;
        scene.show();
        scene.cursor.pin(2000);
        const LearnedBatch batch = scene.batchAt(2000);
        QTRY_COMPARE(scene.words(), QString("batch %1 of %2").arg(batch.number).arg(batch.count));
        // Replayed images are not recorded, so the classes seen are all that is known.
        for (const std::int32_t label : batch.seen)
            QCOMPARE(scene.panel()->chips()->stateOf(label), MaskChips::State::Visible);
        const MaskChips* chips = scene.panel()->chips();
        const QPoint first = chips->chipRect(batch.seen.front()).center().toPoint();
        QVERIFY2(chips->textAt(first).endsWith("seen"), qPrintable(chips->textAt(first)));
        QVERIFY(scene.panel()->accessibleDescription().contains("Classes seen so far"));
    }
};

PALIMPSEST_TEST(TestMomentController)

}  // namespace tst_moment_controller

#include "tst_moment_controller.moc"
