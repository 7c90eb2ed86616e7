// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QUrl>

#include "engine/support/file_io.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/datasets/draw_class_dialog.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/drawing_pad.h"
#include "ui/widgets/message_bar.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_draw_class_dialog {

namespace {

struct DrawScene {
    QTemporaryDir place;
    DrawClassDialog dialog{DrawnClasses(place.path().toStdString())};
    DrawingPad* pad = dialog.findChild<DrawingPad*>("drawingPad");
    QLineEdit* name = dialog.findChild<QLineEdit*>("drawClassName");
    MessageBar* messages = dialog.findChild<MessageBar*>("drawClassMessages");

    explicit DrawScene(bool grey = false) {
        dialog.setGround({{grey ? "mnist" : "icons"}, grey ? "MNIST" : "Icons", 80, grey});
        showActive(dialog);
        settle();
    }
    void settle() {
        [this] { QTRY_VERIFY(!dialog.busy()); }();
    }
    QAbstractButton* button(const char* name) const { return dialog.findChild<QAbstractButton*>(name); }
    DoodleButton* doodle(int number) const {
        return dialog.findChild<DoodleButton*>(number > 8 ? "doodleTest" : qPrintable(QString("doodle%1").arg(number)));
    }
    void fill() {
        for (int i = 0; i < 9; ++i) {
            QImage image(32, 32, QImage::Format_RGB32);
            image.fill(Qt::white);
            for (int x = 0; x < 24; ++x) image.setPixel(x, i, qRgb(0, 0, 0));
            pad->setImage(image);
            dialog.nextEmpty();
        }
    }
    void drop(const QStringList& files) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& file : files) urls.append(QUrl::fromLocalFile(file));
        data.setUrls(urls);
        QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&dialog, &enter);
        QDropEvent event({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&dialog, &event);
        settle();
    }
    QString picture(const QString& name, const QColor& colour) const {
        QImage image(90, 60, QImage::Format_RGB32);
        image.fill(colour);
        image.setPixel(45, 30, qRgb(1, 2, 3));
        const QString file = place.filePath(name);
        image.save(file);
        return file;
    }
};

}  // namespace

class TestDrawClassDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void everythingIsNamed() {
        DrawScene scene;
        checkNamedAndLegible(scene.dialog);
    }

    void whatWentWrongIsGoneTheNextTime() {
        DrawScene scene;
        scene.dialog.showFailure("The disk is full.", "Make room.");
        QVERIFY(scene.messages->isVisible());
        scene.dialog.reject();
        scene.dialog.show();
        QVERIFY(!scene.messages->isVisible());
        QCOMPARE(scene.messages->count(), 0);
    }

    void eightDrawingsATestAndANameMakeAClass() {
        DrawScene scene;
        QVERIFY(!scene.button("startDrawnClass")->isEnabled() && !scene.button("saveDrawnClass")->isEnabled());
        QVERIFY2(scene.doodle(1)->isChecked() && scene.doodle(1)->accessibleName() == "Drawing 1, empty",
                 qPrintable(scene.doodle(1)->accessibleName()));
        scene.fill();
        QVERIFY(!scene.doodle(9)->drawing().isNull());
        QCOMPARE(scene.doodle(1)->accessibleName(), QString("Drawing 1"));
        QVERIFY2(!scene.button("startDrawnClass")->isEnabled(), "it has no name");
        scene.name->setText("  my/star ");
        QVERIFY(scene.button("startDrawnClass")->isEnabled());
        QCOMPARE(scene.dialog.drawn().name, QString("my star"));
        scene.dialog.setCanStart(false);
        QVERIFY(!scene.button("startDrawnClass")->isEnabled() && scene.button("saveDrawnClass")->isEnabled());
        scene.dialog.setCanStart(true);
        QSignalSpy changed(&scene.dialog, &DrawClassDialog::filesChanged);
        QSignalSpy started(&scene.dialog, &DrawClassDialog::startAsked);
        scene.button("startDrawnClass")->click();
        scene.settle();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(started.count(), 1);
        const auto start = started[0][0].value<DrawnStart>();
        QCOMPARE(start.name, QString("my star"));
        QCOMPARE(start.base.dataset, std::string("icons"));
        QCOMPARE(start.classes, DrawClassDialog::kUsualClasses);
        QVERIFY(!scene.dialog.edited());
        // Nothing is written again without a change.
        scene.button("startDrawnClass")->click();
        QCOMPARE(started.count(), 2);
        QCOMPARE(changed.count(), 1);
    }

    void aDrawingIsChangedAndEmptied() {
        DrawScene scene;
        scene.fill();
        QTest::mouseClick(scene.doodle(3), Qt::LeftButton);
        QCOMPARE(scene.pad->image().pixel(2, 2), qRgb(0, 0, 0));
        scene.doodle(3)->setFocus();
        QTest::keyClick(scene.doodle(3), Qt::Key_Delete);
        QVERIFY(scene.doodle(3)->drawing().isNull());
        QCOMPARE(scene.dialog.drawn().drawings.size(), qsizetype(7));
        scene.pad->undo();
        QVERIFY(!scene.doodle(3)->drawing().isNull());
    }

    void aDrawingWithNearlyNoInkIsRefusedInASentence() {
        DrawScene scene;
        scene.fill();
        scene.name->setText("star");
        QVERIFY(scene.button("startDrawnClass")->isEnabled());
        const auto* words = scene.dialog.findChild<QLabel*>("drawClassCount");
        // A dot, and paper that is not quite white.
        QImage dot(32, 32, QImage::Format_RGB32);
        dot.fill(QColor(250, 250, 250));
        dot.setPixel(5, 5, qRgb(0, 0, 0));
        for (const int number : {3, 9}) {
            QTest::mouseClick(scene.doodle(number), Qt::LeftButton);
            scene.pad->setImage(dot);
            QVERIFY(!scene.button("startDrawnClass")->isEnabled() && !scene.button("saveDrawnClass")->isEnabled());
            QVERIFY2(words->text().startsWith(number == 9 ? "Test drawing is nearly empty" : "Drawing 3 is nearly"),
                     qPrintable(words->text()));
            scene.pad->undo();
            QVERIFY(scene.button("startDrawnClass")->isEnabled());
        }
    }

    void aHugePictureOfTheClipboardIsScaled() {
        DrawScene scene;
        QImage huge(6000, 5000, QImage::Format_RGB32);
        huge.fill(Qt::red);
        QApplication::clipboard()->setImage(huge);
        scene.pad->setFocus();
        QTest::keyClick(scene.pad, Qt::Key_V, Qt::ControlModifier);
        scene.settle();
        QCOMPARE(scene.pad->image().size(), QSize(32, 32));
        QCOMPARE(scene.pad->image().pixel(16, 16), qRgb(255, 0, 0));
        QApplication::clipboard()->setText("no picture");
        scene.button("pasteDrawing")->click();
        QCOMPARE(scene.messages->text(), QString("There is no picture to paste."));
    }

    void droppedPicturesFillTheNextDrawingsAndBrokenOnesAreTold() {
        DrawScene scene;
        const QString broken = scene.place.filePath("broken.png");
        replaceTextFile(broken.toStdString(), "\x89PNG\r\n\x1a\n and nothing else");
        scene.drop({scene.picture("a.png", Qt::green), broken, scene.picture("b.png", Qt::blue)});
        QCOMPARE(scene.dialog.drawn().drawings.size(), qsizetype(2));
        QCOMPARE(scene.doodle(2)->drawing().pixel(2, 2), qRgb(0, 0, 255));
        QVERIFY2(scene.messages->text().startsWith("broken.png"), qPrintable(scene.messages->text()));
        scene.drop({"/dev/zero", scene.place.path(), scene.place.filePath("none.png")});
        QCOMPARE(scene.dialog.drawn().drawings.size(), qsizetype(2));
        QStringList many;
        for (int i = 0; i < 30; ++i) many.append(scene.picture(QString("m%1.png").arg(i), QColor(8 * i, 0, 0)));
        scene.drop(many);
        QCOMPARE(scene.dialog.drawn().drawings.size(), DrawnClass::kDrawings);
    }

    void whatIsNotSavedIsNotLeftWithoutAQuestion() {
        DrawScene scene;
        scene.fill();
        scene.name->setText("star");
        scene.button("saveDrawnClass")->click();
        scene.settle();
        auto* choice = scene.dialog.findChild<QComboBox*>("drawClassChoice");
        QCOMPARE(choice->currentText(), QString("star"));
        QVERIFY(scene.button("deleteDrawnClass")->isVisible());
        // A new class.
        choice->setCurrentIndex(0);
        Q_EMIT choice->activated(0);
        QVERIFY(scene.name->text().isEmpty() && scene.dialog.drawn().drawings.isEmpty());
        scene.fill();
        choice->setCurrentIndex(1);
        Q_EMIT choice->activated(1);
        QCOMPARE(scene.messages->text(), QString("The drawings on the right are not saved."));
        QCOMPARE(scene.dialog.drawn().drawings.size(), DrawnClass::kDrawings);
        // The name is taken.
        scene.name->setText("star");
        scene.button("saveDrawnClass")->click();
        scene.settle();
        QVERIFY2(scene.messages->text().startsWith("You have drawn a class star before."),
                 qPrintable(scene.messages->text()));
        QVERIFY(scene.dialog.edited());
    }

    void greyPicturesAreWhiteOnBlack() {
        DrawScene scene(true);
        QCOMPARE(scene.pad->paper(), QColor(Qt::black));
        QCOMPARE(scene.pad->ink(), QColor(Qt::white));
        QVERIFY(scene.pad->isBlank());
        QCOMPARE(scene.pad->image().pixel(5, 5), qRgb(0, 0, 0));
        const auto* why = scene.dialog.findChild<QLabel*>("drawClassPaper");
        QVERIFY2(why->isVisible() && why->text().contains("MNIST are light on black"), qPrintable(why->text()));
        scene.dialog.setGround({{"icons"}, "Icons", 80, false});
        QVERIFY(!why->isVisible());
    }
};

PALIMPSEST_TEST(TestDrawClassDialog)

}  // namespace tst_draw_class_dialog

#include "tst_draw_class_dialog.moc"
