// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>

#include "engine/record/checkpoints.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/state/curve_options.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/timeline/time_line.h"
#include "ui/timeline/time_track.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_time_line {

namespace {

using Moment = CurveCursor::Moment;

/// The line on the screen, of a recorded run with an evaluation after every 500 images.
struct Scene {
    explicit Scene(bool filled = true) : line(&store, &cursor) {
        line.resize(700, line.sizeHint().height());
        showActive(line);
        if (filled) fill("/runs/a");
    }
    void fill(const std::string& folder) {
        RunRecord record = madeUpRecord(folder, "batch", 0.5, 1, 500);
        record.retention.clear();
        record.changes = {{"mask.name", "seen", 1600}};
        store.addRecord(record);
        store.select(RunSet::idOf(folder, 0));
        line.showNow();
    }
    TimeTrack* track() const { return line.track(); }
    QPoint at(std::int64_t samples) const { return {qRound(track()->pixelOf(samples)), track()->height() / 2}; }

    RunSet store;
    CurveCursor cursor;
    TimeLine line;
};

void drag(QWidget* widget, const QPoint& point) {
    QMouseEvent move(QEvent::MouseMove, point, widget->mapToGlobal(point), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(widget, &move);
}

}  // namespace

class TestTimeLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void withoutARunItSaysNothingAndKeepsItsPlace() {
        Scene scene(false);
        const int height = scene.line.sizeHint().height();
        QVERIFY(!scene.line.isEnabled());
        QVERIFY(scene.line.text().isEmpty());
        QTest::mouseClick(scene.track(), Qt::LeftButton, {}, scene.at(0));
        QVERIFY(!scene.line.moment());
        scene.fill("/runs/a");
        QVERIFY(scene.line.isEnabled());
        QCOMPARE(scene.line.text(), QString("Now"));
        QCOMPARE(scene.line.sizeHint().height(), height);
        scene.store.remove("/runs/a");
        scene.line.showNow();
        QVERIFY(!scene.line.isEnabled());
        QVERIFY(scene.line.text().isEmpty());
        QCOMPARE(scene.line.sizeHint().height(), height);
    }

    void aClickChoosesTheNearestEvaluationAndADragGoesOn() {
        Scene scene;
        QSignalSpy told(&scene.line, &TimeLine::momentChosen);
        QTest::mousePress(scene.track(), Qt::LeftButton, {}, scene.at(1300));
        QCOMPARE(scene.line.moment(), Moment(1500));
        QCOMPARE(scene.line.text(), QString("1,500 of 6,000 images, session 2"));
        QCOMPARE(scene.track()->accessibleDescription(), scene.line.text());
        drag(scene.track(), scene.at(4100));
        QCOMPARE(scene.line.moment(), Moment(4000));
        drag(scene.track(), scene.at(4150));
        QCOMPARE(told.count(), 2);
        QTest::mouseRelease(scene.track(), Qt::LeftButton, {}, scene.at(4150));
        QTest::mouseDClick(scene.track(), Qt::LeftButton, {}, scene.at(4150));
        QVERIFY(!scene.line.moment());
        QCOMPARE(scene.line.text(), QString("Now"));
    }

    void theMouseOverItIsSeenInTheFigures() {
        Scene scene;
        const QPoint point = scene.at(2900);
        QMouseEvent move(QEvent::MouseMove, point, scene.track()->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(scene.track(), &move);
        QCOMPARE(scene.cursor.moment(), Moment(3000));
        QVERIFY(!scene.line.moment());
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(scene.track(), &leave);
        QVERIFY(!scene.cursor.moment());
    }

    void theKeyboardWalks_data() {
        QTest::addColumn<QList<Qt::Key>>("keys");
        QTest::addColumn<int>("moment");
        QTest::newRow("back from the newest") << QList<Qt::Key>{Qt::Key_Left} << 5500;
        QTest::newRow("back and on") << QList<Qt::Key>{Qt::Key_Left, Qt::Key_Left, Qt::Key_Right} << 5500;
        QTest::newRow("the first") << QList<Qt::Key>{Qt::Key_Home} << 500;
        QTest::newRow("not before the first") << QList<Qt::Key>{Qt::Key_Home, Qt::Key_Left} << 500;
        QTest::newRow("the last") << QList<Qt::Key>{Qt::Key_Home, Qt::Key_End} << 6000;
        QTest::newRow("not after the last") << QList<Qt::Key>{Qt::Key_End, Qt::Key_Right} << 6000;
        // Sessions begin at 0, 1,200, 2,400 ...; their first evaluations are at 500, 1,500, 2,500 ...
        QTest::newRow("the next session") << QList<Qt::Key>{Qt::Key_Home, Qt::Key_PageDown} << 1500;
        QTest::newRow("the session before")
            << QList<Qt::Key>{Qt::Key_Home, Qt::Key_PageDown, Qt::Key_PageDown, Qt::Key_PageUp} << 1500;
        QTest::newRow("let go") << QList<Qt::Key>{Qt::Key_Home, Qt::Key_Escape} << -1;
    }
    void theKeyboardWalks() {
        QFETCH(QList<Qt::Key>, keys);
        QFETCH(int, moment);
        Scene scene;
        scene.track()->setFocus();
        for (const Qt::Key key : keys) QTest::keyClick(scene.track(), key);
        QCOMPARE(scene.line.moment(), moment < 0 ? Moment() : Moment(moment));
    }

    void itsKeysAreNotThoseOfTheWindow() {
        Scene scene;
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_PageUp}) {
            QKeyEvent wish(QEvent::ShortcutOverride, key, Qt::NoModifier);
            wish.ignore();
            QCoreApplication::sendEvent(scene.track(), &wish);
            QVERIFY(wish.isAccepted());
        }
        QKeyEvent other(QEvent::ShortcutOverride, Qt::Key_Right, Qt::ShiftModifier);
        other.ignore();
        QCoreApplication::sendEvent(scene.track(), &other);
        QVERIFY(!other.isAccepted());
    }

    void anotherFiguresMomentIsShown() {
        Scene scene;
        QSignalSpy told(&scene.line, &TimeLine::momentChosen);
        scene.cursor.pin(2500);
        QCOMPARE(told.count(), 1);
        QCOMPARE(scene.line.text(), QString("2,500 of 6,000 images, session 3"));
    }

    void betweenRecordedRunsTheMomentStaysAndANewOneIsFollowed() {
        Scene scene;
        scene.cursor.pin(2500);
        scene.fill("/runs/b");
        QCOMPARE(scene.line.moment(), Moment(2500));
        scene.store.onStarted(madeUpStart(1, "/runs/c", "batch"));
        QVERIFY(!scene.line.moment());
    }

    void aRunThatBeginsAnewIsFollowed() {
        Scene scene;
        scene.cursor.pin(2500);
        scene.store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        QVERIFY(!scene.line.moment());
        scene.store.onEvaluated(madeUpEvaluation(1, 500, 0.4));
        scene.store.onEvaluated(madeUpEvaluation(1, 1000, 0.4));
        scene.cursor.pin(500);
        scene.store.onEnded(madeUpEnd(1, RunEnd::Stopped));
        QCOMPARE(scene.line.moment(), Moment(500));
    }

    void aRunThatGoesOnFillsTheLine() {
        Scene scene(false);
        scene.store.onStarted(madeUpStart(1, "", "batch"));
        scene.store.onEvaluated(madeUpEvaluation(1, 500, 0.4));
        scene.store.onEvaluated(madeUpEvaluation(1, 1000, 0.4));
        scene.line.showNow();
        QCOMPARE(scene.track()->content().seen, std::int64_t(1000));
        QCOMPARE(scene.track()->content().evaluations, (std::vector<std::int64_t>{500, 1000}));
        QCOMPARE(scene.track()->content().starts.size(), std::size_t(5));
        // Images that are not learned yet cannot be chosen.
        QTest::mouseClick(scene.track(), Qt::LeftButton, {}, scene.at(5000));
        QCOMPARE(scene.line.moment(), Moment(1000));
    }

    void whatIsLearnedIsFilledEvenPastTheLastEvaluation() {
        Scene scene(false);
        RunRecord record = madeUpRecord("/runs/stopped", "batch", 0.5, 1, 500);
        record.retention.clear();
        record.anytime.resize(3);
        record.samples_learned = 1720;
        record.state = RecordedState::Stopped;
        scene.store.addRecord(record);
        scene.store.select("/runs/stopped");
        scene.line.showNow();
        QCOMPARE(scene.track()->content().seen, std::int64_t(1720));
        QCOMPARE(scene.track()->content().evaluations.back(), std::int64_t(1500));

        scene.store.onStarted(madeUpStart(1, "/runs/live", "batch"));
        scene.store.onEvaluated(madeUpEvaluation(1, 500, 0.4));
        scene.line.showNow();
        Progress progress;
        progress.run = 1;
        progress.samples_seen = 730;
        scene.store.onProgress(progress);
        QCOMPARE(scene.track()->content().seen, std::int64_t(730));
        scene.store.onEnded(madeUpEnd(1, RunEnd::Stopped));
        scene.line.showNow();
        QCOMPARE(scene.track()->content().seen, std::int64_t(730));
    }

    void aChosenMomentStaysWhatIsShownWhereverTheMouseIs() {
        Scene scene;
        scene.cursor.pin(2500);
        QSignalSpy moved(&scene.cursor, &CurveCursor::moved);
        const QPoint point = scene.at(4000);
        QMouseEvent move(QEvent::MouseMove, point, scene.track()->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(scene.track(), &move);
        QCOMPARE(moved.count(), 0);
        QCOMPARE(scene.cursor.moment(), Moment(2500));
        QCOMPARE(scene.line.text(), QString("2,500 of 6,000 images, session 3"));
        QCOMPARE(scene.track()->chosenMoment(), Moment(2500));
        QCOMPARE(scene.track()->hoveredMoment(), Moment(4000));
        QCOMPARE(scene.track()->caption(), QString("4,000 images"));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(scene.track(), &leave);
        QVERIFY(!scene.track()->hoveredMoment());
        QVERIFY(scene.track()->caption().isEmpty());
        // The same for a look at another figure.
        scene.cursor.hover(3000);
        QCOMPARE(scene.line.text(), QString("2,500 of 6,000 images, session 3"));
        QCOMPARE(scene.track()->hoveredMoment(), Moment(3000));
    }

    void itStandsBelowTheImagesOfAFigure() {
        Scene scene;
        const auto placeOf = [&](std::int64_t samples) {
            return scene.track()->mapTo(&scene.line, QPoint()).x() + scene.track()->pixelOf(samples);
        };
        scene.line.alignTo({60, 460, 6000});
        QCOMPARE(placeOf(0), 60.0);
        QCOMPARE(placeOf(3000), 260.0);
        const int low = scene.line.sizeHint().height();
        // Another run of the figure is twice as long.
        scene.line.alignTo({60, 460, 12000});
        QCOMPARE(placeOf(6000), 260.0);
        // Much longer than this one: its moments keep room of their own.
        scene.line.alignTo({60, 460, 24000});
        QCOMPARE(placeOf(6000), 160.0);
        scene.line.alignTo({60, 460, 900000});
        QCOMPARE(placeOf(0), 60.0);
        QCOMPARE(placeOf(3000), 260.0);
        QCOMPARE(placeOf(6000), 460.0);
        // Without room beside it the words stand above.
        scene.line.alignTo({60, 690, 6000});
        QCOMPARE(placeOf(6000), 690.0);
        QVERIFY(scene.line.sizeHint().height() > low);
        scene.line.alignTo({60, 460, 6000});
        QCOMPARE(scene.line.sizeHint().height(), low);
    }

    void underLargeTextTheLineKeepsToOneRow() {
        Scene scene;
        applyTextSize(*qApp, TextSize::VeryLarge);
        scene.line.alignTo({60, 300, 6000});
        auto* words = scene.line.findChild<QWidget*>("timeLineWords");
        QVERIFY(words->isVisible());
        const int low = scene.line.sizeHint().height();
        // Beside the track is hardly any room.
        const double right = scene.line.contentsRect().right() - 60 - TimeTrack::edge();
        scene.line.alignTo({60, right, 6000});
        QVERIFY(!words->isVisible());
        QCOMPARE(scene.line.sizeHint().height(), low);
        QCOMPARE(scene.line.text(), QString("Now"));
        scene.line.alignTo({60, 300, 6000});
        QVERIFY(words->isVisible());
    }

    void theNewestAlignmentCountsWhereOneLeadsToAnother() {
        Scene scene;
        applyTextSize(*qApp, TextSize::VeryLarge);
        const double right = scene.line.contentsRect().right() - 60 - TimeTrack::edge();
        scene.line.alignTo({60, right, 6000});
        auto* words = scene.line.findChild<QWidget*>("timeLineWords");
        QVERIFY(!words->isVisible());
        // A figure that is laid out anew because the words are back, as a window does that becomes large.
        struct Figure : QObject {
            TimeLine* line = nullptr;
            bool eventFilter(QObject*, QEvent* event) override {
                if (event->type() == QEvent::Show) line->alignTo({60, 420, 6000});
                return false;
            }
        } figure;
        figure.line = &scene.line;
        words->installEventFilter(&figure);
        scene.line.alignTo({60, 300, 6000});
        QVERIFY(words->isVisible());
        QTRY_COMPARE(scene.track()->mapTo(&scene.line, QPoint()).x() + scene.track()->pixelOf(6000), 420.0);
        QTRY_VERIFY(scene.track()->width() >= scene.track()->pixelOf(6000));
    }

    void checkpointsAndChangesAreMarkedAndNamed() {
        QTemporaryDir folder;
        const std::filesystem::path run = folder.filePath("run").toStdString();
        std::filesystem::create_directories(checkpointsFolder(run));
        for (const std::int64_t samples : {3000, 1000}) std::ofstream(checkpointDescription(run, samples)) << "{}";
        Scene scene(false);
        scene.fill(run.string());
        QTRY_COMPARE(scene.track()->content().checkpoints, (std::vector<std::int64_t>{1000, 3000}));
        QVERIFY(scene.track()->textAt(scene.at(3000)).contains("checkpoint after 3,000 images"));
        QCOMPARE(scene.track()->content().changes.size(), std::size_t(1));
        QVERIFY(scene.track()->textAt(scene.at(1600)).contains("Logit mask: seen, from 1,600 images"));
        QVERIFY(scene.track()->textAt(scene.at(2250)).isEmpty());
    }

    void plateausAreStrokesThatSayWhenTheyBegan() {
        Scene scene;
        QVERIFY(scene.track()->content().plateaus.empty());
        QVERIFY(scene.track()->textAt(scene.at(2250)).isEmpty());
        const QImage before = scene.track()->grab().toImage();
        RunRecord record = madeUpRecord("/runs/a", "batch", 0.5, 1, 500);
        record.retention.clear();
        record.plateaus = {{2250, 211, 0.5, 0.01}, {4750, 445, 0.4, 0.01}};
        scene.store.addRecord(record);
        scene.store.select("/runs/a");
        scene.line.showNow();
        QCOMPARE(scene.track()->content().plateaus.size(), std::size_t(2));
        QVERIFY(scene.track()->textAt(scene.at(2250)).contains("plateau of the loss after 2,250 images, update 211"));
        QVERIFY(scene.track()->textAt(scene.at(4750)).contains("update 445"));
        QVERIFY(scene.track()->textAt(scene.at(3250)).isEmpty());
        // Across the line where it stands, and nowhere else.
        const QImage after = scene.track()->grab().toImage();
        const auto differsAt = [&](std::int64_t samples) {
            int pixels = 0;
            const int x = qRound(scene.track()->pixelOf(samples) * after.devicePixelRatio());
            for (int y = 0; y < after.height(); ++y)
                for (int column = x - 1; column <= x + 1; ++column)
                    pixels += after.pixel(column, y) != before.pixel(column, y) ? 1 : 0;
            return pixels;
        };
        QVERIFY(differsAt(2250) >= 10);
        QVERIFY(differsAt(4750) >= 10);
        QCOMPARE(differsAt(3250), 0);
        // One that is found while the run goes on.
        scene.store.onStarted(madeUpStart(1, "/runs/live", "batch"));
        scene.store.onPlateau({1, 320, 30, 0.5, 0.01});
        QTRY_COMPARE(scene.track()->content().plateaus.size(), std::size_t(1));
        QCOMPARE(scene.track()->content().plateaus[0].at, std::int64_t(320));
    }

    void theCaptionCoversNoNumberOfASession_data() {
        QTest::addColumn<Appearance>("appearance");
        QTest::addColumn<TextSize>("size");
        for (const Appearance appearance : {Appearance::Dark, Appearance::Light, Appearance::Projector})
            for (const TextSize size : {TextSize::Normal, TextSize::VeryLarge})
                QTest::addRow("appearance %d, text %d", int(appearance), int(size)) << appearance << size;
    }
    void theCaptionCoversNoNumberOfASession() {
        QFETCH(Appearance, appearance);
        QFETCH(TextSize, size);
        applyAppearance(*qApp, appearance);
        applyTextSize(*qApp, size);
        Scene scene;
        const auto picture = [&] { return scene.track()->grab().toImage(); };
        /// Pixels of these rows, in 36 parts of the height, that are not the same.
        const auto differing = [](const QImage& one, const QImage& other, int from, int to) {
            int pixels = 0;
            for (int y = from * one.height() / 36; y < to * one.height() / 36; ++y)
                for (int x = 0; x < one.width(); ++x) pixels += one.pixel(x, y) != other.pixel(x, y) ? 1 : 0;
            return pixels;
        };
        QTRY_COMPARE(scene.track()->height(), scene.track()->sizeHint().height());
        const QImage before = picture();
        QImage plain(before.size(), before.format());
        plain.fill(before.pixelColor(0, 0));
        QVERIFY2(differing(before, plain, 0, 10) > 20, "the numbers stand there");
        for (const std::int64_t samples : {500, 3000, 6000}) {
            scene.cursor.hover(samples);
            QVERIFY(!scene.track()->caption().isEmpty());
            const QImage after = picture();
            QCOMPARE(after.size(), before.size());
            QCOMPARE(differing(before, after, 0, 10), 0);
            QVERIFY2(differing(before, after, 24, 36) > 50, "the caption stands there");
        }
    }

    void itGrowsWithTheTextAndIsSeenInEachAppearance() {
        Scene scene;
        scene.cursor.pin(2500);
        const int usual = scene.line.sizeHint().height();
        for (const Appearance appearance : {Appearance::Dark, Appearance::Light, Appearance::Projector}) {
            applyAppearance(*qApp, appearance);
            const QImage image = scene.track()->grab().toImage();
            const QRgb accent = Theme::of(scene.track()).accent.rgb();
            int drawn = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) drawn += image.pixel(x, y) == accent;
            QVERIFY(drawn > 5);
        }
        applyAppearance(*qApp, Appearance::Dark);
        applyTextSize(*qApp, TextSize::VeryLarge);
        QVERIFY(scene.line.sizeHint().height() > 1.3 * usual);
    }
};

PALIMPSEST_TEST(TestTimeLine)

}  // namespace tst_time_line

#include "tst_time_line.moc"
