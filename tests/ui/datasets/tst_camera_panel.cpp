// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>

#include "tests/support/scripted_cameras.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/datasets/camera_panel.h"
#include "ui/datasets/draw_class_dialog.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/drawing_pad.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_camera_panel {

namespace {

struct CameraDialogScene {
    QTemporaryDir place;
    std::shared_ptr<ScriptedCameras> cameras = std::make_shared<ScriptedCameras>();
    DrawClassDialog dialog{DrawnClasses(place.path().toStdString()), cameras};
    CameraPanel* panel = dialog.findChild<CameraPanel*>("cameraPanel");
    CameraView* view = panel->view();
    DrawingPad* pad = dialog.findChild<DrawingPad*>("drawingPad");
    QComboBox* choice = dialog.findChild<QComboBox*>("cameraChoice");

    CameraDialogScene() {
        dialog.setGround({{"icons"}, "Icons", 80, false});
        showActive(dialog);
        [this] { QTRY_VERIFY(!dialog.busy()); }();
    }
    QAbstractButton* button(const char* name) const { return dialog.findChild<QAbstractButton*>(name); }
    DoodleButton* doodle(int number) const {
        return dialog.findChild<DoodleButton*>(number > 8 ? "doodleTest" : qPrintable(QString("doodle%1").arg(number)));
    }
    /// The camera in place of the pad, opened.
    void begin() {
        button("drawingCamera")->click();
        [this] { QTRY_COMPARE(cameras->openNow(), 1); }();
    }
    void show(const QColor& colour) {
        cameras->show(colour);
        [&] { QTRY_VERIFY(view->hasFrame() && QColor(view->picture().pixel(0, 0)) == colour); }();
    }
    void choose(int index) {
        choice->setCurrentIndex(index);
        Q_EMIT choice->activated(index);
    }
    QString words() const { return dialog.findChild<QLabel*>("cameraWords")->text(); }
};

}  // namespace

class TestCameraPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void everythingIsNamed() {
        CameraDialogScene scene;
        scene.begin();
        checkNamedAndLegible(scene.dialog);
    }

    void withoutTheServiceThereIsNoButton() {
        QTemporaryDir place;
        DrawClassDialog dialog{DrawnClasses(place.path().toStdString())};
        QVERIFY(!dialog.findChild<QAbstractButton*>("drawingCamera") && !dialog.findChild<CameraPanel*>());
        dialog.showCamera(true);
    }

    void ninePicturesFillThePlacesAndNoneIsOverwritten() {
        CameraDialogScene scene;
        QCOMPARE(scene.cameras->openNow(), 0);
        scene.begin();
        QVERIFY(!scene.pad->isVisible() && scene.view->hasFocus());
        QVERIFY2(!scene.button("takePicture")->isEnabled(), "nothing is seen yet");
        QTest::keyClick(scene.view, Qt::Key_Space);
        QVERIFY(scene.dialog.drawn().drawings.isEmpty());
        for (int i = 0; i < 9; ++i) {
            scene.show(QColor(20 * i + 10, 0, 0));
            QVERIFY(scene.button("takePicture")->isEnabled());
            if (i % 2)
                QTest::keyClick(scene.view, Qt::Key_Space);
            else
                scene.button("takePicture")->click();
        }
        const DrawnClass drawn = scene.dialog.drawn();
        QCOMPARE(drawn.drawings.size(), DrawnClass::kDrawings);
        for (int i = 0; i < 9; ++i) {
            const QImage picture = i < 8 ? drawn.drawings[i] : drawn.test;
            QCOMPARE(picture.size(), QSize(32, 32));
            QCOMPARE(picture.pixel(0, 5), qRgb(20 * i + 10, 0, 0));
            QVERIFY2(picture.pixel(31, 5) == qRgb(0, 0, 0), "it is not mirrored");
        }
        scene.show(QColor(0, 0, 255));
        QVERIFY(!scene.button("takePicture")->isEnabled());
        QVERIFY2(scene.words().startsWith("All nine are there."), qPrintable(scene.words()));
        QTest::keyClick(scene.view, Qt::Key_Space);
        QCOMPARE(scene.dialog.drawn().test.pixel(0, 5), drawn.test.pixel(0, 5));
        // One that is emptied is taken again.
        scene.doodle(3)->setFocus();
        QTest::keyClick(scene.doodle(3), Qt::Key_Delete);
        QVERIFY(scene.doodle(3)->drawing().isNull() && scene.button("takePicture")->isEnabled());
        scene.button("takePicture")->click();
        QCOMPARE(scene.doodle(3)->drawing().pixel(0, 5), qRgb(0, 0, 255));
        scene.pad->undo();
        QVERIFY(scene.doodle(3)->drawing().isNull());
    }

    void aHeldKeyTakesOnePicture() {
        CameraDialogScene scene;
        scene.begin();
        scene.show(Qt::green);
        for (const bool again : {false, true, true}) {
            QKeyEvent press(QEvent::KeyPress, Qt::Key_Space, Qt::NoModifier, " ", again);
            QApplication::sendEvent(scene.view, &press);
        }
        QCOMPARE(scene.dialog.drawn().drawings.size(), qsizetype(1));
    }

    void thePreviewIsMirroredAndSaysSo() {
        CameraDialogScene scene;
        scene.begin();
        scene.show(Qt::green);
        QVERIFY2(scene.words().contains("mirrored"), qPrintable(scene.words()));
        const QImage shown = scene.view->grab().toImage();
        const int y = shown.height() / 4;
        QCOMPARE(shown.pixelColor(shown.width() / 4, y), QColor(Qt::black));
        QCOMPARE(shown.pixelColor(shown.width() * 3 / 4, y), QColor(Qt::green));
    }

    void theCameraIsOpenOnlyWhileItIsSeen() {
        CameraDialogScene scene;
        scene.begin();
        QTest::keyClick(scene.view, Qt::Key_Escape);
        QVERIFY(scene.dialog.isVisible() && scene.pad->isVisible() && !scene.button("drawingCamera")->isChecked());
        QCOMPARE(scene.cameras->openNow(), 0);
        scene.begin();
        scene.button("backToPad")->click();
        QCOMPARE(scene.cameras->openNow(), 0);
        scene.begin();
        scene.dialog.hide();
        QCOMPARE(scene.cameras->openNow(), 0);
        scene.dialog.show();
        QTRY_COMPARE(scene.cameras->openNow(), 1);
        // One that is being looked for is not opened any more.
        scene.panel->look();
        scene.button("backToPad")->click();
        QTest::qWait(50);
        QCOMPARE(scene.cameras->openNow(), 0);
    }

    void anotherCameraIsChosen() {
        CameraDialogScene scene;
        scene.begin();
        QCOMPARE(scene.choice->currentText(), QString("Front"));
        scene.choose(1);
        QCOMPARE(scene.cameras->openNow(), 1);
        QCOMPARE(scene.cameras->opened(), (std::vector<std::string>{"/dev/video0", "/dev/video2"}));
        // It stays chosen while it is there.
        scene.button("lookForCameras")->click();
        QTRY_COMPARE(scene.cameras->opened().size(), std::size_t(3));
        QCOMPARE(scene.cameras->opened().back(), std::string("/dev/video2"));
        scene.cameras->setCameras({{"Front", "/dev/video0"}});
        scene.button("lookForCameras")->click();
        QTRY_COMPARE(scene.cameras->opened().size(), std::size_t(4));
        QCOMPARE(scene.cameras->opened().back(), std::string("/dev/video0"));
    }

    void noCameraIsASentenceAndAVideoHelps() {
        CameraDialogScene scene;
        scene.cameras->setCameras({});
        scene.button("drawingCamera")->click();
        QTRY_COMPARE(scene.view->words(), QString("No camera was found."));
        QVERIFY2(scene.view->accessibleDescription().contains("Plug one in"), "what to do");
        QCOMPARE(scene.cameras->openNow(), 0);
        // The list has nothing to choose; the button for a video is in sight.
        QVERIFY(!scene.choice->isEnabled() && scene.choice->count() == 1);
        QVERIFY(scene.button("cameraVideo")->isVisible());
        scene.button("cameraVideo")->click();
        auto* files = scene.dialog.findChild<QFileDialog*>("cameraVideoDialog");
        QVERIFY(files);
        Q_EMIT files->fileSelected("/videos/my\nfilm.avi");
        QCOMPARE(scene.cameras->opened(), (std::vector<std::string>{"/videos/my\nfilm.avi"}));
        QCOMPARE(scene.choice->currentText(), QString("my?film.avi"));
        QVERIFY(scene.choice->isEnabled());
        scene.show(Qt::green);
        QVERIFY2(!scene.words().contains("mirrored"), "a video is not");
        const QImage shown = scene.view->grab().toImage();
        QCOMPARE(shown.pixelColor(shown.width() / 4, shown.height() / 4), QColor(Qt::green));
        scene.cameras->say("film.avi seems to be cut short: it holds 3 of 9 pictures.", {}, false);
        QTRY_VERIFY(scene.words().startsWith("film.avi seems"));
        QVERIFY(scene.view->hasFrame());
    }

    void aCameraThatGoesIsASentence() {
        CameraDialogScene scene;
        scene.begin();
        scene.show(Qt::green);
        scene.cameras->say("Front is not there any more.", "Plug it in again.", true);
        QTRY_COMPARE(scene.view->words(), QString("Front is not there any more."));
        QVERIFY(!scene.view->hasFrame() && !scene.button("takePicture")->isEnabled());
        QCOMPARE(scene.cameras->openNow(), 0);
        scene.button("lookForCameras")->click();
        QTRY_COMPARE(scene.cameras->openNow(), 1);
    }

    void aDialogThatGoesClosesIt() {
        std::shared_ptr<ScriptedCameras> cameras;
        {
            CameraDialogScene scene;
            cameras = scene.cameras;
            scene.begin();
            // News on their way are dropped with it.
            cameras->show(Qt::red);
        }
        QCOMPARE(cameras->openNow(), 0);
        cameras->show(Qt::red);
    }
};

PALIMPSEST_TEST(TestCameraPanel)

}  // namespace tst_camera_panel

#include "tst_camera_panel.moc"
