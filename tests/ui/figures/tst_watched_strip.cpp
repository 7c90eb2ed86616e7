// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDir>
#include <QLabel>
#include <QTemporaryDir>
#include <QToolButton>

#include "engine/record/watched.h"
#include "engine/support/file_io.h"
#include "engine/support/own_drawings.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/figures/watched_strip.h"
#include "ui/state/window_state.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_watched_strip {

namespace {

/// A recorded run whose test drawing, of the class Boot, is learned and then forgotten in session 3.
struct StripScene {
    QTemporaryDir folder;
    FigureState state;
    WatchedStrip strip{state, nullptr};

    QString words() const { return strip.findChild<QLabel*>("watchedWords")->text(); }
    WatchedPlot* plot() const { return strip.findChild<WatchedPlot*>(); }

    void show(const std::string& dataset, const std::string& rows) {
        RunRecord record = madeUpRecord(folder.path().toStdString(), "batch");
        record.experiment.stream.dataset = dataset;
        record.class_names = {"T-shirt", "Trouser", "Pullover", "Dress", "Coat",
                              "Sandal",  "Shirt",   "Sneaker",  "Bag",   "Boot"};
        if (!rows.empty()) replaceTextFile(record.folder / kWatchedFile, std::string(kWatchedHeader) + "\n" + rows);
        state.runs.addRecord(record);
        state.runs.select(RunSet::idOf(record.folder.string(), 0));
        strip.resize(1900, strip.height());
    }
};

const char* const kForgetting =
    "500,100,9,0.2\n500,100,7,0.6\n1200,100,9,0.9\n1200,100,7,0.05\n2400,100,9,0.8\n2400,100,7,0.15\n"
    "3000,100,9,0.3\n3000,100,5,0.6\n6000,100,9,0.1\n6000,100,5,0.85\n";

}  // namespace

class TestWatchedStrip : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void itTellsWhatTheTestDrawingIsTakenForAtEachMoment() {
        StripScene scene;
        scene.show(kOwnDrawings, kForgetting);
        QTRY_VERIFY(!scene.strip.isHidden());
        QTRY_COMPARE(scene.words(), QString("Boot: forgotten since session 3 (image 3,000), taken for Sandal, 85 %; "
                                            "Boot 10 %."));
        scene.state.cursor.pin(600);
        QTRY_COMPARE(scene.words(), QString("Boot: not recognised yet, taken for Sneaker, 60 %; Boot 20 %."));
        scene.state.cursor.pin(1300);
        QTRY_COMPARE(scene.words(), QString("Boot: recognised, 90 %. Then Sneaker 5 %."));
        scene.state.cursor.pin(100);
        QTRY_COMPARE(scene.words(), QString("Boot: not tested yet."));
        scene.state.cursor.pin({});
        QTRY_VERIFY(scene.words().startsWith("Boot: forgotten"));
        QVERIFY2(scene.plot()->accessibleDescription() == "Sandal 85 %, Boot 10 %",
                 qPrintable(scene.plot()->accessibleDescription()));
        const QString end = scene.plot()->textAt({scene.plot()->width() - 2, 10});
        QCOMPARE(end, QString("After 6,000 images: Sandal 85 %, Boot 10 %"));
    }

    void itGoesAwayAndComesBackWithTheNextRun() {
        StripScene scene;
        scene.show(kOwnDrawings, kForgetting);
        QTRY_VERIFY(scene.words().startsWith("Boot"));
        QVERIFY(scene.strip.findChild<QToolButton*>("nextWatched")->isHidden());
        scene.strip.findChild<QToolButton*>("hideWatched")->click();
        QVERIFY(scene.strip.isHidden());
        // Another run's beginning does not bring it back for this one, which the stage shows again when it is left.
        scene.strip.begin("/runs/other");
        scene.state.cursor.pin(3000);
        scene.state.cursor.pin(std::nullopt);
        QTest::qWait(400);
        QVERIFY(scene.strip.isHidden());
        scene.strip.begin(scene.state.runs.selected()->id);
        QTRY_VERIFY(!scene.strip.isHidden());
    }

    void otherRunsHaveNone() {
        StripScene scene;
        scene.show("fashion-mnist", kForgetting);
        QTest::qWait(400);
        QVERIFY(scene.strip.isHidden());
        StripScene unrecorded;
        unrecorded.show(kOwnDrawings, {});
        QTest::qWait(400);
        QVERIFY(unrecorded.strip.isHidden());
    }

    void aFileThatCannotBeReadIsASentence() {
        StripScene scene;
        RunRecord record = madeUpRecord(scene.folder.path().toStdString(), "batch");
        QVERIFY(QDir().mkpath(QString::fromStdString((record.folder / kWatchedFile).string())));
        scene.show(kOwnDrawings, {});
        QTRY_VERIFY(!scene.strip.isHidden());
        QTRY_VERIFY2(scene.words().startsWith("The test drawings cannot be read: "), qPrintable(scene.words()));
        // Numbers that mean something else are one, too.
        StripScene other;
        record = madeUpRecord(other.folder.path().toStdString(), "batch");
        replaceTextFile(record.folder / kWatchedFile, "samples_seen,picture\n500,7\n");
        other.show(kOwnDrawings, {});
        QTRY_VERIFY2(other.words().contains("there is no column image"), qPrintable(other.words()));
    }

    void oneOfSeveralDrawingsIsShown() {
        StripScene scene;
        scene.show(kOwnDrawings, std::string(kForgetting) + "6000,101,8,0.999\n6000,101,9,0.001\n");
        QTRY_VERIFY(scene.words().startsWith("Boot"));
        auto* next = scene.strip.findChild<QToolButton*>("nextWatched");
        QVERIFY(!next->isHidden());
        next->click();
        QCOMPARE(scene.words(), QString("Bag: recognised, over 99 %. Then Boot under 1 %."));
        next->click();
        QVERIFY(scene.words().startsWith("Boot"));
    }
};

PALIMPSEST_TEST(TestWatchedStrip)

}  // namespace tst_watched_strip

#include "tst_watched_strip.moc"
