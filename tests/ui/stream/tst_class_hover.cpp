// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QApplication>
#include <QVBoxLayout>

#include "tests/support/paint_counter.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/state/ui_watchdog.h"
#include "ui/stream/class_hover.h"
#include "ui/stream/class_samples.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using palimpsest::testing::PaintCounter;
using palimpsest::testing::ScriptedDatasets;
using palimpsest::testing::ScriptedRun;

namespace tst_class_hover {

namespace {

std::shared_ptr<const PlannedStream> planned(std::int64_t classes = 10) {
    ScriptedRun::Script script;
    script.classes = classes;
    script.images = 100 * classes;
    const ScriptedRun run(script);
    const OptionTable table(ScriptedRun::catalogue());
    const Experiment experiment = table.defaults();
    return plannedStream(experiment, run.laboratory().labels(experiment));
}

/// A picture of a stream at the left of a window, with its tips.
struct Scene {
    explicit Scene(const ScriptedDatasets::Script& script = {}, bool with_service = true)
        : service(std::make_shared<ScriptedDatasets>(script)),
          samples(with_service ? service : nullptr),
          preview(new StreamPreview(&window)) {
        window.resize(900, 500);
        preview->setGeometry(10, 40, 260, 200);
        preview->setStream(planned());
        hover = new ClassHover(preview, &samples, &window);
        window.show();
    }
    void moveTo(int label, int session) const {
        const QRectF cell = session < 0 ? preview->rowRect(label) : preview->cellRect(label, session);
        const QPointF point = session < 0 ? QPointF(4, cell.center().y()) : cell.center();
        QMouseEvent move(QEvent::MouseMove, point, preview->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(preview, &move);
    }
    void leave() const {
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(preview, &leave);
    }
    ClassTip* tip() const { return hover->tip(); }

    std::shared_ptr<ScriptedDatasets> service;
    ClassSamples samples;
    QWidget window;
    StreamPreview* preview;
    ClassHover* hover;
};

}  // namespace

class TestClassHover : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void aRestingMouseBringsTheClassWithItsPictures() {
        Scene scene;
        scene.moveTo(2, 1);
        QVERIFY(!scene.tip()->isVisible());
        QTRY_VERIFY(scene.tip()->isVisible());
        const auto& stream = *scene.preview->stream();
        QCOMPARE(scene.tip()->content().name, QString("Pullover"));
        QCOMPARE(scene.tip()->content().counts, stream.counts[2]);
        QVERIFY(scene.tip()->content().line.contains(QString("session 2: %1 images").arg(stream.counts[2][1])));
        QCOMPARE(scene.tip()->pictureCount(), 0);
        const QSize size = scene.tip()->size();
        scene.service->allowPictures(1);
        QTRY_COMPARE(scene.tip()->pictureCount(), qsizetype(ClassTip::kPictures));
        // Nothing jumps when they come.
        QCOMPARE(scene.tip()->size(), size);
        QVERIFY(scene.window.rect().contains(scene.tip()->geometry()));
        QVERIFY(!scene.tip()->geometry().intersects(scene.preview->geometry()));
    }

    void anotherCellOfTheRowChangesOnlyTheWords() {
        Scene scene;
        scene.service->allowAll();
        scene.moveTo(2, 1);
        QTRY_COMPARE(scene.tip()->pictureCount(), qsizetype(ClassTip::kPictures));
        scene.moveTo(2, 3);
        QVERIFY(scene.tip()->content().line.contains("session 4"));
        scene.moveTo(2, -1);
        QVERIFY(scene.tip()->content().line.contains("in the stream"));
        QCOMPARE(scene.service->pictureCalls(), 1);
        QCOMPARE(scene.tip()->pictureCount(), qsizetype(ClassTip::kPictures));
    }

    void movingOnGivesUpWhatIsBeingRead() {
        Scene scene;
        scene.moveTo(1, 0);
        QTRY_COMPARE(scene.service->pictureCalls(), 1);
        scene.moveTo(2, 0);
        QTRY_COMPARE(scene.service->picturesGivenUp(), 1);
        QTRY_COMPARE(scene.tip()->content().name, QString("Pullover"));
        scene.leave();
        QVERIFY(!scene.tip()->isVisible());
        QTRY_COMPARE(scene.service->picturesGivenUp(), scene.service->pictureCalls());
    }

    void theTipSaysWhatThePictureOfTheStreamShows() {
        // Above 100 % a class may be in several sets, and the earliest session has it.
        Scene scene;
        auto stream = std::make_shared<PlannedStream>(*planned());
        for (auto* sets : {&stream->plan.disjoint_classes, &stream->plan.blurry_classes})
            for (auto& set : *sets) std::erase_if(set, [](std::int64_t label) { return label == 2 || label == 3; });
        stream->plan.blurry_classes[0].push_back(2);
        stream->plan.disjoint_classes[1].push_back(2);
        scene.preview->setStream(stream);
        scene.moveTo(2, 1);
        QTRY_VERIFY(scene.tip()->isVisible());
        QVERIFY(scene.preview->cellText(2, 1).contains("blurry class"));
        QCOMPARE(int(scene.tip()->content().kind), int(ClassKind::Blurry));
        QVERIFY(scene.tip()->content().line.endsWith("blurry class"));
        scene.moveTo(3, 1);
        QTRY_COMPARE(scene.tip()->content().name, QString("Dress"));
        QVERIFY(scene.preview->cellText(3, 1).contains("never appears"));
        QCOMPARE(int(scene.tip()->content().kind), int(ClassKind::Unknown));
    }

    void theSecondTimeThePicturesAreAtHand() {
        Scene scene;
        scene.service->allowAll();
        scene.moveTo(4, 0);
        QTRY_COMPARE(scene.tip()->pictureCount(), qsizetype(ClassTip::kPictures));
        scene.leave();
        scene.moveTo(4, 0);
        QTRY_VERIFY(scene.tip()->isVisible());
        QCOMPARE(scene.tip()->pictureCount(), qsizetype(ClassTip::kPictures));
        QCOMPARE(scene.service->pictureCalls(), 1);
    }

    void theKeyboardBringsItToo() {
        Scene scene;
        scene.service->allowAll();
        scene.preview->setFocus();
        QTest::keyClick(scene.preview, Qt::Key_Down);
        QTRY_VERIFY(scene.tip()->isVisible());
        QCOMPARE(scene.tip()->content().name, QString("T-shirt"));
        QTest::keyClick(scene.preview, Qt::Key_Down);
        QTRY_COMPARE(scene.tip()->content().name, QString("Trouser"));
        QTest::keyClick(scene.preview, Qt::Key_Escape);
        QVERIFY(!scene.tip()->isVisible());
    }

    void withoutPicturesTheNumbersStand_data() {
        QTest::addColumn<bool>("service");
        QTest::newRow("nobody can read them") << false;
        QTest::newRow("they cannot be read") << true;
    }
    void withoutPicturesTheNumbersStand() {
        QFETCH(bool, service);
        ScriptedDatasets::Script script;
        script.pictures_fail = true;
        Scene scene(script, service);
        scene.service->allowAll();
        const int whole = scene.tip()->sizeHint().height() + 2 * ClassTip::kPictureSide;
        scene.moveTo(2, 1);
        QTRY_VERIFY(scene.tip()->isVisible());
        QTRY_VERIFY(scene.tip()->height() < whole);
        QCOMPARE(scene.tip()->pictureCount(), 0);
        QVERIFY(!scene.tip()->grab().isNull());
    }

    void withoutAStreamThereIsNothingToShow() {
        Scene scene;
        scene.moveTo(2, 1);
        QTRY_VERIFY(scene.tip()->isVisible());
        scene.preview->setStream(nullptr);
        QVERIFY(!scene.tip()->isVisible());
        QMouseEvent move(QEvent::MouseMove, QPointF(100, 50), scene.preview->mapToGlobal(QPointF(100, 50)),
                         Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(scene.preview, &move);
        QVERIFY(!scene.tip()->isVisible());
    }

    void manySessionsAreDrawnInBothAppearances_data() {
        QTest::addColumn<int>("sessions");
        for (const int sessions : {1, 5, 10, 100, 1000}) QTest::addRow("%d", sessions) << sessions;
    }
    void manySessionsAreDrawnInBothAppearances() {
        QFETCH(int, sessions);
        QWidget window;
        ClassTip tip(&window);
        ClassTip::Content content{"A class with a name that is far too long to be written in one line of a small card",
                                  "session 1: 1 images",
                                  ClassKind::Blurry,
                                  {},
                                  sessions / 2};
        for (int i = 0; i < sessions; ++i) content.counts.push_back(i * 37 % 50);
        tip.setContent(content);
        tip.resize(tip.sizeHint());
        const QImage dark = tip.grab().toImage();
        applyAppearance(*qApp, Appearance::Light);
        const QImage light = tip.grab().toImage();
        applyAppearance(*qApp, Appearance::Dark);
        QVERIFY(dark != light);
        PaintCounter counter(tip.size());
        tip.render(&counter, {}, {}, {});
        QVERIFY(counter.count() > 0);
        QVERIFY2(counter.count() < 300, qPrintable(QString::number(counter.count())));
        QCOMPARE(tip.sizeHint().width(), dark.width() / int(dark.devicePixelRatio()));
    }

    void theWindowGoesOnWhilePicturesAreAwaited() {
        Scene scene;
        UiWatchdog watchdog;
        scene.moveTo(1, 0);
        QTRY_COMPARE(scene.service->pictureCalls(), 1);
        const auto before = watchdog.beats();
        QTRY_VERIFY(watchdog.beats() > before + 5);
        QCOMPARE(scene.tip()->pictureCount(), 0);
    }
};

PALIMPSEST_TEST(TestClassHover)

}  // namespace tst_class_hover

#include "tst_class_hover.moc"
