// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/api.h"
#include "engine/record/watched.h"
#include "engine/support/error.h"
#include "engine/support/own_drawings.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/datasets/draw_class_dialog.h"
#include "ui/figures/watched_strip.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/drawing_pad.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_drawn_class_learn {

namespace fs = std::filesystem;

namespace {

constexpr int kDrawnPatienceMs = 280'000;

/// A star of five points drawn in one stroke, a little different for each number; of pixels.
QList<QPoint> star(int number) {
    QList<QPoint> points;
    const double radius = 10 + number % 3, turn = 0.05 * (number - 4);
    for (int k = 0; k <= 5; ++k) {
        const double angle = turn - M_PI / 2 + k * 4 * M_PI / 5;
        points.append({qRound(16 + number % 2 + radius * std::cos(angle)), qRound(16 + radius * std::sin(angle))});
    }
    return points;
}

QImage starPicture(int number) {
    DrawingPad pad;
    QImage image = pad.image();
    QPainter painter(&image);
    painter.setPen(QPen(Qt::black, 2));
    painter.drawPolyline(QPolygon(star(number)));
    return image;
}

DrawnClass starClass(const QString& name) {
    DrawnClass drawn{name, {}, starPicture(8)};
    for (int i = 0; i < DrawnClass::kDrawings; ++i) drawn.drawings.append(starPicture(i));
    return drawn;
}

void drawWithMouse(DrawingPad* pad, const QList<QPoint>& pixels) {
    const int pixel = (std::min(pad->width(), pad->height()) - 6) / DrawingPad::kSide, side = pixel * DrawingPad::kSide;
    const QPoint corner((pad->width() - side) / 2, (pad->height() - side) / 2);
    const auto at = [&](const QPoint& point) { return corner + point * pixel + QPoint(pixel / 2, pixel / 2); };
    QTest::mousePress(pad, Qt::LeftButton, {}, at(pixels.first()));
    for (const QPoint& point : pixels.mid(1)) {
        QMouseEvent move(QEvent::MouseMove, at(point), pad->mapToGlobal(at(point)), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(pad, &move);
    }
    QTest::mouseRelease(pad, Qt::LeftButton, {}, at(pixels.last()));
}

}  // namespace

/// Own drawings, from the pad through files and readers to a run of the real engine.
class TestDrawnClassLearn : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void whatIsDrawnIsAnOrdinaryFolderOfImages() {
        QTemporaryDir place;
        const DrawnClasses classes(place.path().toStdString());
        const DrawnClass drawn = starClass("star");
        classes.save({"glyphs"}, drawn, {});
        classes.save({"glyphs"}, starClass("wave"), {});
        const ImageDataset folder = openDataset({.name = "folder", .root = classes.folder("glyphs")});
        QCOMPARE(folder.class_names, (std::vector<std::string>{"star", "wave"}));
        QCOMPARE(folder.train->size(), 2 * DrawnClass::kDrawings);
        QCOMPARE(folder.test->size(), 2);
        for (int i = 0; i < DrawnClass::kDrawings; ++i) {
            const cv::Mat image = folder.train->image(i);
            QCOMPARE(image.rows, 32);
            for (int y = 0; y < 32; ++y)
                for (int x = 0; x < 32; ++x)
                    QCOMPARE(int(image.data[(std::size_t(y) * 32 + std::size_t(x)) * 3]),
                             qRed(drawn.drawings[i].pixel(x, y)));
        }
    }

    void itsClassesStandBehindThoseOfTheBase() {
        QTemporaryDir place;
        const DrawnClasses classes(place.path().toStdString());
        classes.save({"glyphs"}, starClass("star"), {});
        const DatasetRequest request{
            .name = kOwnDrawings, .root = classes.folder("glyphs"), .classes = 4, .train_limit = 20, .test_limit = 8};
        const ImageDataset data = openDataset(request);
        QCOMPARE(data.class_names, (std::vector<std::string>{"digit 0", "digit 1", "digit 2", "digit 3", "star"}));
        QCOMPARE(data.train->size(), 20 + DrawnClass::kDrawings * kDrawingTimes);
        QCOMPARE(data.test->size(), 9);
        QCOMPARE(data.watched, (std::vector<std::int64_t>{8}));
        const LabelsOnly labels = openLabels(request);
        QCOMPARE(labels.class_names, data.class_names);
        QVERIFY(std::ranges::equal(labels.train, data.train->labels()));
        QVERIFY(std::ranges::equal(labels.test, data.test->labels()));
        QCOMPARE(data.train->labels()[20], 4);
        // The first of each five is the drawing itself; the others differ from it and from each other, always alike.
        const auto bytes = [&](std::int64_t index) {
            const cv::Mat image = data.train->image(index);
            return std::string(image.datastart, image.dataend);
        };
        std::set<std::string> variants;
        for (int i = 0; i < kDrawingTimes; ++i) variants.insert(bytes(20 + i));
        QCOMPARE(variants.size(), std::size_t(kDrawingTimes));
        QCOMPARE(bytes(23), bytes(23));
        // The base is as it is alone.
        const ImageDataset alone = openDataset({.name = "glyphs", .classes = 4, .train_limit = 20, .test_limit = 8});
        QVERIFY(std::ranges::equal(alone.train->labels(), data.train->labels().first(20)));
        const cv::Mat same = alone.train->image(7);
        QCOMPARE(bytes(7), std::string(same.datastart, same.dataend));
    }

    void aFolderOfAnotherKindIsRefusedInASentence() {
        QTemporaryDir place;
        for (const fs::path& root : {fs::path(), fs::path(place.path().toStdString())})
            QVERIFY_THROWS_EXCEPTION(Error, openDataset({.name = kOwnDrawings, .root = root}));
        writeDrawingsBase(place.path().toStdString(), {"nothing-of-that-name"});
        QVERIFY_THROWS_EXCEPTION(Error, openLabels({.name = kOwnDrawings, .root = place.path().toStdString()}));
        writeDrawingsBase(place.path().toStdString(), {"glyphs"});
        QVERIFY_THROWS_EXCEPTION(Error, openLabels({.name = kOwnDrawings, .root = place.path().toStdString()}));
    }

    /// From the welcome page to the sight of one's own class learned. The seconds are printed.
    void fromWelcomeToOnesOwnClassLearned() {
        QTemporaryDir home;
        const QString runs = home.filePath("runs");
        QDir().mkpath(runs);
        MainWindow window(makeLaboratory(runs.toStdString()), runs.toStdString());
        window.resize(1280, 800);
        window.showWelcome();
        showActive(window);
        ExperimentDraft* draft = window.controller()->draft();
        draft->set("stream.dataset", std::string("glyphs"));
        draft->set("method.name", std::string("dualprompt"));
        const Experiment before = draft->experiment();
        QTest::qWait(300);

        QElapsedTimer watch;
        watch.start();
        QTest::mouseClick(window.findChild<QAbstractButton*>("welcomeDraw"), Qt::LeftButton);
        auto* dialog = window.findChild<DrawClassDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QTRY_VERIFY(!dialog->busy());
        QCOMPARE(dialog->ground().base.dataset, std::string("glyphs"));
        auto* start = dialog->findChild<QAbstractButton*>("startDrawnClass");
        QVERIFY(!start->isEnabled());
        QTest::keyClicks(dialog->findChild<QLineEdit*>("drawClassName"), "star");
        auto* pad = dialog->findChild<DrawingPad*>("drawingPad");
        for (int i = 0; i < 9; ++i) {
            drawWithMouse(pad, star(i));
            QTest::mouseClick(dialog->findChild<QAbstractButton*>("nextDoodle"), Qt::LeftButton);
        }
        QCOMPARE(dialog->drawn().drawings.size(), DrawnClass::kDrawings);
        QVERIFY(!dialog->drawn().test.isNull());
        QVERIFY2(dialog->findChild<QLabel*>("drawClassCount")->text().startsWith("8 drawings, shown 5 times each"),
                 qPrintable(dialog->findChild<QLabel*>("drawClassCount")->text()));
        const qint64 drawn = watch.elapsed();
        QVERIFY(start->isEnabled());
        QTest::mouseClick(start, Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(window.controller()->busy(), qPrintable(window.messages()->text()), kDrawnPatienceMs);
        QVERIFY(!dialog->isVisible());
        auto* strip = window.findChild<WatchedStrip*>();
        auto* plot = window.findChild<WatchedPlot*>();
        QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), kDrawnPatienceMs);
        const auto recognised = [&] {
            const auto& content = plot->content();
            return content.moment < content.image.moments.size() && content.image.moments[content.moment].recognised();
        };
        QTRY_VERIFY_WITH_TIMEOUT(recognised(), kDrawnPatienceMs);
        const qint64 seen = watch.elapsed();
        QTRY_VERIFY_WITH_TIMEOUT(!window.controller()->busy(), kDrawnPatienceMs);
        qInfo("Drawn by a script after %.1f s, seen recognised after %.1f s, all learned after %.1f s.",
              double(drawn) / 1000, double(seen) / 1000, double(watch.elapsed()) / 1000);

        const ShownRun* run = window.curves()->selected();
        QVERIFY(run);
        QCOMPARE(run->facts->class_names.names.last(), QString("star"));
        QTRY_COMPARE(plot->content().image.moments.size(), readWatched(run->id.toStdString())[0].moments.size());
        const std::vector<WatchedImage> watched = readWatched(run->id.toStdString());
        QCOMPARE(watched.size(), std::size_t(1));
        QCOMPARE(watched[0].label, 10);
        for (const WatchedMoment& moment : watched[0].moments) {
            double sum = 0;
            for (const WatchedShare& share : moment.shares) sum += share.probability;
            QVERIFY(sum > 0 && sum < 1 + 1e-9);
            QVERIFY(moment.shares.size() <= 4);
        }
        QVERIFY2(watched[0].moments.front().samples_seen < run->facts->session_starts[1] + 1,
                 "the class comes in session 1");
        // The draft is what it was after one step back.
        draft->undoStack()->undo();
        QCOMPARE(draft->experiment().stream.dataset, before.stream.dataset);
        QCOMPARE(draft->experiment().name, before.name);
    }
};

PALIMPSEST_TEST(TestDrawnClassLearn)

}  // namespace tst_drawn_class_learn

#include "tst_drawn_class_learn.moc"
