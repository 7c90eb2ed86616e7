// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QLabel>
#include <QLayout>
#include <QScopeGuard>
#include <limits>

#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/now/batch_thumbnails.h"
#include "ui/now/mask_chips.h"
#include "ui/now/memory_strip.h"
#include "ui/now/now_moment.h"
#include "ui/now/now_panel.h"
#include "ui/now/prompt_bars.h"
#include "ui/state/key_names.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/sparkline.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_now_panel {

class TestNowPanel : public QObject {
    Q_OBJECT
private:
    static BatchLearned batch(int images) {
        BatchLearned event;
        event.run = 1;
        event.batch = 232;
        for (int i = 0; i < images; ++i) {
            Thumbnail thumbnail;
            thumbnail.size = 8;
            thumbnail.label = i % 10;
            thumbnail.rgb.assign(8 * 8 * 3, 255);
            event.images.push_back(thumbnail);
        }
        event.visible_classes = {2, 7};
        event.seen_classes = {2, 7, 1};
        event.prompt_use = {5, 0, 15};
        return event;
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void classesWithoutRoomAreCounted() {
        MaskChips chips;
        QStringList names;
        for (int i = 0; i < 10; ++i) names.append(QString("Garment %1").arg(i));
        chips.setClasses(names, {});
        chips.resize(236, chips.heightForWidth(236));
        QCOMPARE(chips.shownCount(), 10);
        QCOMPARE(chips.textAt(chips.chipRect(9).center().toPoint()), QString("Garment 9: not seen yet"));
        // Two rows: what does not fit is told behind the last that does.
        chips.resize(236, static_cast<int>(chips.chipRect(2).bottom()) + 1);
        const int shown = chips.shownCount();
        QVERIFY(shown > 0 && shown < 10);
        QVERIFY(chips.chipRect(shown - 1).bottom() <= chips.height());
        const QRectF last = chips.chipRect(shown - 1);
        const QString others =
            chips.textAt(QPoint(static_cast<int>(last.right()) + 8, static_cast<int>(last.center().y())));
        QCOMPARE(others.split('\n').size(), 10 - shown);
        QVERIFY2(others.startsWith(QString("Garment %1").arg(shown)), qPrintable(others));
    }

    void aBatchIsShownInAllParts() {
        NowPanel now;
        now.resize(264, 560);
        RunStarted start = madeUpStart(1, "/runs/a", "batch");
        start.experiment.training.batch_size = 32;
        now.setRun(start);
        now.setBatch(batch(32));
        QCOMPARE(now.panel()->caption(), QString("batch 232 of 190"));
        QCOMPARE(now.thumbnails()->shownCount(), 32);
        QCOMPARE(now.chips()->stateOf(7), MaskChips::State::Visible);
        QCOMPARE(now.chips()->stateOf(1), MaskChips::State::Hidden);
        QCOMPARE(now.prompts()->count(), 3);
        QCOMPARE(now.prompts()->accessibleDescription(), QString("Most: prompt 3, selected 15 times, 75.0 %"));
        QVERIFY(now.accessibleDescription().contains("Pullover, Sneaker"));
    }

    void classesThatCompeteUnseenAreExplained() {
        NowPanel now;
        now.resize(264, 560);
        now.show();
        now.setRun(madeUpStart(1, "/runs/a", "none"));
        const auto* legend = now.findChild<QLabel*>("maskLegend");
        BatchLearned event = batch(4);
        event.visible_classes = event.seen_classes;
        event.unseen_open = true;
        now.setBatch(event);
        QCOMPARE(now.chips()->stateOf(0), MaskChips::State::Open);
        QVERIFY(legend->isVisible());
        QCOMPARE(legend->text(), QString("dotted and tinted: not seen yet, but competing"));
        now.setBatch(batch(4));
        QTRY_COMPARE(now.chips()->stateOf(0), MaskChips::State::NotSeen);
        QVERIFY(!legend->isVisible());
    }

    void imagesAreUnderlinedByTheKindOfTheirClass() {
        NowPanel now;
        now.resize(264, 560);
        now.show();
        QVERIFY(QTest::qWaitForWindowExposed(&now));
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        now.setBatch(batch(32));
        const QImage image = now.thumbnails()->grab().toImage();
        QHash<QRgb, int> colours;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) ++colours[image.pixel(x, y)];
        QVERIFY(colours.value(Theme::darkTheme().disjoint.rgb()) > 50);
        QVERIFY(colours.value(Theme::darkTheme().blurry.rgb()) > 50);
        QCOMPARE(now.thumbnails()->textAt(QPoint(8, 8)), QString("T-shirt, disjoint class"));
    }

    void theGridDoesNotJumpForAShortBatch() {
        NowPanel now;
        now.resize(264, 560);
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        now.setBatch(batch(32));
        const int height = now.thumbnails()->heightForWidth(236);
        now.setBatch(batch(5));
        QTRY_COMPARE(now.thumbnails()->shownCount(), 5);
        QCOMPARE(now.thumbnails()->heightForWidth(236), height);
    }

    void aLargeBatchIsCounted() {
        BatchThumbnails thumbnails;
        thumbnails.resize(236, 130);
        thumbnails.setImages(batch(256).images);
        QVERIFY(thumbnails.shownCount() < 256);
        QVERIFY(thumbnails.shownCount() > 20);
        QVERIFY(thumbnails.heightForWidth(236) < 160);
    }

    void theImagesGrowWithTheWidthAsFarAsTheHeightAllows() {
        BatchThumbnails thumbnails;
        thumbnails.setImages(batch(32).images);
        const int usual = thumbnails.heightForWidth(236);
        const int wide = thumbnails.heightForWidth(472);
        QVERIFY2(wide > 1.8 * usual, qPrintable(QString("%1, %2").arg(usual).arg(wide)));
        thumbnails.setMostHeight(usual + 20);
        QVERIFY(thumbnails.heightForWidth(472) <= usual + 21);
        thumbnails.resize(472, usual + 20);
        QCOMPARE(thumbnails.shownCount(), 32);
    }

    void theChipsGrowWithTheText() {
        MaskChips chips;
        chips.setClasses({"T-shirt", "Trouser"}, {});
        const int usual = chips.heightForWidth(400);
        applyTextSize(*qApp, TextSize::VeryLarge);
        QCOMPARE(chips.heightForWidth(400), usual + 11);
    }

    void brokenThumbnailsAreLeftOut() {
        BatchThumbnails thumbnails;
        thumbnails.resize(236, 130);
        std::vector<Thumbnail> images = batch(3).images;
        images[1].rgb.resize(10);
        images[2].size = 0;
        thumbnails.setImages(images);
        QCOMPARE(thumbnails.shownCount(), 1);
    }

    void methodsWithoutPromptsHideTheBars() {
        NowPanel now;
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        BatchLearned event = batch(2);
        event.prompt_use.clear();
        now.setBatch(event);
        QVERIFY(now.prompts()->isHidden());
        now.setBatch(batch(2));
        QTRY_VERIFY(!now.prompts()->isHidden());
    }

    void inALowPanelThePromptsGiveWay() {
        NowPanel now;
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        now.setBatch(batch(8));
        now.resize(264, 400);
        now.show();
        QTRY_VERIFY(now.prompts()->isVisible());
        now.setMinimumHeight(260);
        now.resize(264, 260);
        QTRY_VERIFY(!now.prompts()->isVisible());
        QVERIFY(now.loss()->isVisible());
        QTRY_VERIFY(now.layout()->totalMinimumSize().height() <= 260);
    }

    void onlyRunsWithAMemoryShowOne() {
        NowPanel now;
        RunStarted start = madeUpStart(1, "/runs/a", "batch");
        QVERIFY(now.memory()->isHidden());
        now.setRun(start);
        QVERIFY(now.memory()->isHidden());
        start.experiment.memory.size = 500;
        now.setRun(start);
        QVERIFY(!now.memory()->isHidden());
        QCOMPARE(now.memory()->places(), QString("0 of 500 places"));
        MemoryHeld held;
        held.capacity = 500;
        held.kept = std::vector<KeptSample>{{17, 1}, {40, 1}, {3, 0}};
        held.seen_classes = {1, 0};
        now.setMemory(held);
        QCOMPARE(now.memory()->accessibleDescription(), QString("3 of 500 places: Trouser 2, T-shirt 1"));
        now.clear();
        QVERIFY(now.memory()->isHidden());
    }

    void ofNewsOfTheMemoryThatComesFastTheLastIsShown() {
        NowPanel now;
        RunStarted start = madeUpStart(1, "/runs/a", "batch");
        start.experiment.memory.size = 500;
        now.setRun(start);
        MemoryHeld held;
        held.capacity = 500;
        held.seen_classes = {1};
        std::vector<KeptSample> kept;
        for (std::int64_t i = 0; i < 50; ++i) {
            kept.push_back({i, 1});
            held.kept = kept;
            now.setMemory(held);
        }
        QCOMPARE(now.memory()->places(), QString("1 of 500 places"));
        QTRY_COMPARE(now.memory()->places(), QString("50 of 500 places"));
        // News that waits is not shown in the next run.
        now.setMemory(held);
        now.setMemory(held);
        now.setRun(start);
        now.addUpdates(QVector<UpdateDone>(1));
        QCOMPARE(now.memory()->places(), QString("0 of 500 places"));
    }

    void aLowPanelShrinksTheMemoryAndThenPutsItAway() {
        QWidget window;
        window.resize(300, 900);
        auto* now = new NowPanel(&window);
        now->resize(264, 880);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        RunStarted start = madeUpStart(1, "/runs/a", "batch");
        start.experiment.memory.size = 500;
        for (int label = 10; label < 100; ++label) start.class_names.push_back("class " + std::to_string(label));
        now->setRun(start);
        now->setBatch(batch(12));
        applyTextSize(*qApp, TextSize::VeryLarge);
        MemoryStrip* strip = now->memory();
        QTRY_COMPARE(strip->height(), strip->sizeHint().height());
        const int all = now->layout()->totalHeightForWidth(now->width());
        now->resize(264, all - 20);
        QTRY_VERIFY(strip->height() < strip->sizeHint().height());
        QVERIFY(strip->isVisible());
        QVERIFY(strip->height() >= strip->minimumSizeHint().height());
        now->resize(264, 400);
        QTRY_VERIFY(!strip->isVisible());
        applyTextSize(*qApp, TextSize::Normal);
        QTRY_VERIFY(strip->isVisible());
    }

    void theLossKeepsABoundedHistory() {
        NowPanel now;
        QVector<UpdateDone> updates(1000);
        for (UpdateDone& update : updates) update.loss = 0.25;
        updates[10].loss = std::numeric_limits<double>::quiet_NaN();
        now.addUpdates(updates);
        QCOMPARE(now.loss()->count(), Sparkline::kHistory);
        QCOMPARE(now.loss()->valueText(), QString("0.250"));
    }

    void ofBatchesThatComeFastTheLastIsShown() {
        NowPanel now;
        now.resize(264, 560);
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        BatchLearned event = batch(8);
        for (event.batch = 1; event.batch < 50; ++event.batch) now.setBatch(event);
        QCOMPARE(now.panel()->caption(), QString("batch 1 of 190"));
        QTRY_COMPARE(now.panel()->caption(), QString("batch 49 of 190"));
    }

    void whatWaitedIsNotShownInTheNextRun() {
        NowPanel now;
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        now.setBatch(batch(8));
        now.setBatch(batch(3));
        now.setRun(madeUpStart(2, "/runs/b", "none"));
        QVector<UpdateDone> updates(1);
        now.addUpdates(updates);
        QCOMPARE(now.loss()->count(), 1);
        QCOMPARE(now.thumbnails()->shownCount(), 0);
    }

    void aChosenMomentStandsInForWhatIsLearnedUntilItIsLetGo() {
        NowPanel now;
        now.resize(264, 560);
        now.show();
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        now.setBatch(batch(8));
        now.addUpdates(QVector<UpdateDone>(3));
        NowMoment moment;
        moment.classes = classNamesOf(madeUpStart(1, "/runs/a", "batch"));
        moment.samples_seen = 1250;
        moment.session = 1;
        moment.accuracy = 0.739;
        moment.seen = {0, 1};
        moment.visible = {1};
        moment.mask_known = true;
        moment.prompt_use = {1, 3};
        moment.losses = {0.5};
        moment.images = batch(4).images;
        moment.batch = 40;
        moment.batches = 190;
        now.showMoment(moment);
        QVERIFY(now.showsMoment());
        QCOMPARE(now.panel()->title(), QString("After 1,250 images"));
        QCOMPARE(now.panel()->caption(), QString("session 2 · 73.9 %"));
        QCOMPARE(now.thumbnails()->shownCount(), 4);
        QCOMPARE(now.chips()->stateOf(1), MaskChips::State::Visible);
        QCOMPARE(now.chips()->stateOf(0), MaskChips::State::Hidden);
        QCOMPARE(now.chips()->stateOf(7), MaskChips::State::NotSeen);
        QCOMPARE(now.prompts()->count(), 2);
        QCOMPARE(now.findChild<QLabel*>("batchWords")->text(), QString("batch 40 of 190"));
        QVERIFY(now.accessibleDescription().startsWith("After 1,250 images"));
        // News goes on, and waits.
        BatchLearned next = batch(6);
        next.batch = 300;
        now.setBatch(next);
        now.addUpdates(QVector<UpdateDone>(2));
        QCOMPARE(now.thumbnails()->shownCount(), 4);
        now.showLive();
        QCOMPARE(now.panel()->title(), QString("Now"));
        QCOMPARE(now.panel()->caption(), QString("batch 300 of 190"));
        QCOMPARE(now.thumbnails()->shownCount(), 6);
        QCOMPARE(now.chips()->stateOf(7), MaskChips::State::Visible);
        QCOMPARE(now.loss()->count(), 5);
        QVERIFY(now.loss()->isVisible());
        QVERIFY(!now.findChild<QLabel*>("batchWords")->isVisible());
    }

    void whereNothingCameMeanwhileTheLastBatchIsShownAgain() {
        NowPanel now;
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        now.setBatch(batch(8));
        NowMoment moment;
        moment.why = "The images of this run are not on this machine.";
        now.showMoment(moment);
        QVERIFY(now.thumbnails()->isHidden());
        QCOMPARE(now.findChild<QLabel*>("batchWords")->text(), moment.why);
        now.showLive();
        QVERIFY(!now.thumbnails()->isHidden());
        QCOMPARE(now.thumbnails()->shownCount(), 8);
        QCOMPARE(now.panel()->caption(), QString("batch 232 of 190"));
    }

    void anIdlePanelFollowsTheKeysThatAPersonChose() {
        KeyNames& keys = KeyNames::instance();
        NowPanel now;
        QVERIFY(now.accessibleDescription().contains("F5"));
        keys.set("startRun", "Start or resume", QKeySequence("Ctrl+G"));
        const auto back = qScopeGuard([&] { keys.set("startRun", "Start or resume", KeyNames::standard("startRun")); });
        keys.notify();
        QVERIFY2(now.accessibleDescription().contains("Ctrl+G"), qPrintable(now.accessibleDescription()));
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        now.setBatch(batch(8));
        keys.notify();
        QVERIFY(now.accessibleDescription().contains("Pullover"));
    }

    void anotherRunThanTheOneInFullColourIsNamed() {
        NowPanel now;
        const auto* name = now.findChild<NowName*>();
        QVERIFY(name->isHidden());
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        QVERIFY(name->isHidden());
        now.nameRun("Batch mask");
        QVERIFY(!name->isHidden());
        QCOMPARE(name->text(), QString("Of “Batch mask”"));
        QCOMPARE(now.accessibleName(), QString("Now. Of “Batch mask”"));
        now.setLane(0, "Batch mask");
        QCOMPARE(name->text(), QString("Lane A · Batch mask"));
        QCOMPARE(now.accessibleName(), name->text());
        now.setLane(-1, {});
        now.setRun(madeUpStart(2, "/runs/b", "none"));
        QVERIFY(name->isHidden());
        QCOMPARE(now.accessibleName(), QString("Now"));
    }

    void aNewRunBeginsEmpty() {
        NowPanel now;
        now.setRun(madeUpStart(1, "/runs/a", "batch"));
        now.setBatch(batch(8));
        UpdateDone update;
        update.loss = 1;
        now.addUpdates({update});
        now.setRun(madeUpStart(2, "/runs/b", "none"));
        QCOMPARE(now.thumbnails()->shownCount(), 0);
        QCOMPARE(now.loss()->count(), 0);
        QCOMPARE(now.chips()->stateOf(7), MaskChips::State::NotSeen);
        QVERIFY(now.panel()->caption().isEmpty());
    }
};

PALIMPSEST_TEST(TestNowPanel)

}  // namespace tst_now_panel

#include "tst_now_panel.moc"
