// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QDir>
#include <QDirIterator>
#include <QLineEdit>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdlib>
#include <set>

#include "engine/api.h"
#include "engine/camera/camera_module.h"
#include "engine/camera/local_camera_service.h"
#include "engine/camera/picture_source.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "tests/support/video_maker.h"
#include "ui/datasets/camera_panel.h"
#include "ui/datasets/draw_class_dialog.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_camera_class {

namespace {

/// The colour of the video that a picture has; -1: none.
int colourOf(const QImage& picture) {
    if (picture.isNull()) return -1;
    const QColor seen(picture.pixel(16, 16));
    for (std::size_t i = 0; i < kVideoColours.size(); ++i) {
        const auto& [red, green, blue] = kVideoColours[i];
        if (std::max({std::abs(seen.red() - red), std::abs(seen.green() - green), std::abs(seen.blue() - blue)}) < 14)
            return static_cast<int>(i);
    }
    return -1;
}

}  // namespace

/// A camera, from its frames to a folder of images: a video stands for it.
class TestCameraClass : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ninePicturesOfAVideoBecomeAClass() {
        QTemporaryDir home;
        const QString runs = home.filePath("runs"), video = home.filePath("nine.avi");
        QDir().mkpath(runs);
        makeVideo(video.toStdString(), 9, 4);
        Laboratory laboratory = makeLaboratory(runs.toStdString());
        laboratory.cameras = makeCameraService();
        MainWindow window(std::move(laboratory), runs.toStdString());
        showActive(window);
        window.action(Command::DrawClass)->trigger();
        auto* dialog = window.findChild<DrawClassDialog*>();
        QVERIFY(dialog);
        QTRY_VERIFY(!dialog->busy());
        auto* panel = dialog->findChild<CameraPanel*>("cameraPanel");
        dialog->findChild<QAbstractButton*>("drawingCamera")->click();
        panel->openVideo(video.toStdString());
        std::set<int> taken;
        const auto takeNew = [&] {
            const int colour = colourOf(panel->view()->picture());
            if (colour < 0 || !taken.insert(colour).second) return false;
            QTest::keyClick(panel->view(), Qt::Key_Space);
            return true;
        };
        for (int i = 0; i < 9; ++i) QVERIFY(QTest::qWaitFor(takeNew, 60'000));
        QCOMPARE(taken.size(), std::size_t(9));
        dialog->findChild<QLineEdit*>("drawClassName")->setText("paper");
        QAbstractButton* save = dialog->findChild<QAbstractButton*>("saveDrawnClass");
        QVERIFY(save->isEnabled());
        save->click();
        QTRY_VERIFY(!dialog->busy() && !dialog->edited());
        // What was taken lies in the folder, the patch at the upper left.
        QDirIterator files(home.path(), {"*.png"}, QDir::Files, QDirIterator::Subdirectories);
        std::set<int> kept;
        int tests = 0;
        while (files.hasNext()) {
            const QString file = files.next();
            if (!file.contains("/paper/")) continue;
            const QImage picture(file);
            QCOMPARE(picture.size(), QSize(32, 32));
            QVERIFY(QColor(picture.pixel(2, 2)).lightness() > 225);
            kept.insert(colourOf(picture));
            tests += file.contains("/test/");
        }
        QCOMPARE(kept, taken);
        QCOMPARE(tests, 1);
    }

    void aModuleThatIsNotThereIsASentenceInTheDialog() {
        QTemporaryDir home;
        const QString runs = home.filePath("runs"), module = home.filePath("libpalimpsest-camera.so");
        QDir().mkpath(runs);
        Laboratory laboratory = makeLaboratory(runs.toStdString());
        laboratory.cameras =
            makeCameraService({home.filePath("none").toStdString(), "/dev", [](const auto&) { return false; }},
                              [module](const CameraChoice& choice) {
                                  return openPictureSource(choice, cameraModule(module.toStdString()));
                              });
        MainWindow window(std::move(laboratory), runs.toStdString());
        showActive(window);
        window.action(Command::DrawClass)->trigger();
        auto* dialog = window.findChild<DrawClassDialog*>();
        QVERIFY(dialog);
        QTRY_VERIFY(!dialog->busy());
        dialog->findChild<QAbstractButton*>("drawingCamera")->click();
        auto* panel = dialog->findChild<CameraPanel*>("cameraPanel");
        panel->openVideo(home.filePath("any.avi").toStdString());
        const auto words = [panel] { return panel->view()->accessibleDescription(); };
        QTRY_VERIFY2(words().contains("The camera module " + module + " is missing."), qPrintable(words()));
        QVERIFY2(words().contains("install the program again"), qPrintable(words()));
        QVERIFY(!dialog->findChild<QAbstractButton*>("takePicture")->isEnabled());
    }
};

PALIMPSEST_TEST(TestCameraClass)

}  // namespace tst_camera_class

#include "tst_camera_class.moc"
