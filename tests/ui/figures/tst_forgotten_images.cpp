// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QHelpEvent>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolTip>
#include <algorithm>

#include "engine/record/predictions.h"
#include "engine/support/file_io.h"
#include "tests/support/figure_scene.h"
#include "tests/support/test_program.h"
#include "ui/figures/forgotten_controller.h"
#include "ui/figures/forgotten_images_dialog.h"
#include "ui/figures/life_lines.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/picture_grid.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_forgotten_images {

namespace {

/// A figure's scene with the list of forgotten images.
struct ForgottenScene : FigureScene {
    QWidget window;
    ForgottenController controller{nullptr, &store, &cursor, &window};

    ForgottenScene() { window.show(); }
    ForgottenImagesDialog* dialog() const { return controller.dialog(); }
    QString words(const char* name) const { return dialog()->findChild<QLabel*>(name)->text(); }

    /// A recorded run that forgets the images 5 and 6 at its last evaluation, and 11 at the one before.
    QString recordForgetting() {
        const QString id = record();
        forget(id, 5500, {{11, 0}});
        forget(id, 6000, {{5, 7}, {6, kNoClassYet}, {11, 0}});
        return id;
    }
    static void forget(const QString& run, std::int64_t moment, const std::map<std::size_t, std::int32_t>& wrong) {
        std::vector<std::int32_t> answers = *predictionsAt(moment);
        for (const auto& [image, answer] : wrong) answers[image] = answer;
        replaceTextFile(predictionsFile(run.toStdString(), moment), formatClassList(answers, 10));
    }
};

}  // namespace

class TestForgottenImages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void theNewestLossComesFirstAndSaysWhatItIsTakenFor() {
        ForgottenScene scene;
        scene.recordForgetting();
        scene.controller.showDialog();
        const ForgottenImageModel* model = scene.dialog()->model();
        QTRY_COMPARE(model->rowCount(), 3);
        QCOMPARE(scene.words("forgottenHeading"),
                 QString("After 6,000 images · right once and wrong now: 3 of 100 test images"));
        const auto text = [model](int row) { return model->index(row).data(Qt::ToolTipRole).toString(); };
        QCOMPARE(model->index(0).data(PictureGridModel::SampleRole).toInt(), 5);
        QVERIFY2(text(0).startsWith("Sandal") && text(0).endsWith("right until 5,500 images, now taken for Sneaker"),
                 qPrintable(text(0)));
        QVERIFY2(text(1).endsWith("now taken for a class that has not come yet"), qPrintable(text(1)));
        QVERIFY2(text(2).contains("right until 5,000 images"), qPrintable(text(2)));
        QCOMPARE(scene.words("forgottenCurrent"), text(0));
        // The tip covers nothing of the picture that it speaks of.
        auto* grid = scene.dialog()->findChild<QListView*>("forgottenGrid");
        const QRect cell = grid->visualRect(model->index(0));
        QHelpEvent help(QEvent::ToolTip, cell.center(), grid->viewport()->mapToGlobal(cell.center()));
        QApplication::sendEvent(grid->viewport(), &help);
        QCOMPARE(QToolTip::text(), text(0));
        for (const QWidget* widget : QApplication::topLevelWidgets())
            if (widget->inherits("QTipLabel") && widget->isVisible())
                QVERIFY(!widget->frameGeometry().intersects(
                    QRect(grid->viewport()->mapToGlobal(cell.topLeft()), cell.size())));
        QToolTip::hideText();
    }

    void theMomentThatAllFiguresShareCounts() {
        ForgottenScene scene;
        scene.recordForgetting();
        scene.controller.showDialog();
        const ForgottenImageModel* model = scene.dialog()->model();
        QTRY_COMPARE(model->rowCount(), 3);
        scene.cursor.pin(5700);
        QTRY_COMPARE(model->rowCount(), 1);
        QVERIFY(scene.words("forgottenHeading").startsWith("After 5,500 images · right once and wrong now: 1 of 100"));
        scene.cursor.pin(3000);
        QTRY_COMPARE(model->rowCount(), 0);
        QCOMPARE(scene.words("forgottenHeading"), QString("After 3,000 images"));
        QVERIFY(scene.dialog()->findChild<QLabel*>("forgottenNothing")->isVisible());
        QCOMPARE(scene.words("forgottenNothing"),
                 QString("No test image that was right before is wrong here. Move the time line to the right to see "
                         "later moments."));
        const QString early =
            "Move the time line to the right: nothing can be forgotten before the second evaluation, at 1,000 images.";
        scene.cursor.pin(600);
        QTRY_COMPARE(scene.words("forgottenNothing"), early);
        scene.cursor.pin(10);
        QTRY_COMPARE(scene.words("forgottenHeading"), QString("Before the first evaluation"));
        QCOMPARE(scene.words("forgottenNothing"), early);
    }

    void aLifeHasABlockForEachEvaluation() {
        ForgottenScene scene;
        scene.recordForgetting();
        scene.controller.showDialog();
        QTRY_COMPARE(scene.dialog()->model()->rowCount(), 3);
        const LifeLines* lines = scene.dialog()->lives();
        QCOMPARE(lines->lives().size(), std::size_t(1));
        QCOMPARE(lines->lives()[0].answers.size(), std::size_t(12));
        const auto at = [lines](std::size_t moment) {
            return lines->textAt(lines->blockRect(0, moment).center().toPoint());
        };
        QCOMPARE(at(0), QString("After 500 images: not tested yet"));
        QCOMPARE(at(10), QString("After 5,500 images: right"));
        QCOMPARE(at(11), QString("After 6,000 images: taken for Sneaker"));
        QVERIFY(lines->textAt({5, 5}).startsWith("Sandal"));
        QCOMPARE(lines->accessibleDescription(), QString("Sandal: taken for Sneaker"));
        const QImage drawn = const_cast<LifeLines*>(lines)->grab().toImage();
        const auto colour = [&](std::size_t moment) {
            return drawn.pixelColor((lines->blockRect(0, moment).topLeft() + QPointF(3, 3)).toPoint() *
                                    drawn.devicePixelRatio());
        };
        QCOMPARE(colour(10).name(), Theme::of(lines).accent.name());
        QVERIFY(colour(11) != Theme::of(lines).accent && colour(0) != Theme::of(lines).accent);
    }

    /// The axis names the moment that is shown, its labels keep apart, and tips cover none of the rows.
    void aLifeHasAnAxisAndALegend() {
        ForgottenScene scene;
        scene.recordForgetting();
        scene.controller.showDialog();
        QTRY_COMPARE(scene.dialog()->model()->rowCount(), 3);
        scene.cursor.pin(5500);
        const LifeLines* lines = scene.dialog()->lives();
        QTRY_VERIFY(!lines->ticks().empty() && lines->ticks()[0].text == "5,500");
        const auto ticks = lines->ticks();
        QVERIFY(ticks.size() >= 3);
        const double below = lines->blockRect(lines->lives().size() - 1, 0).bottom();
        for (const auto& one : ticks) {
            QVERIFY(one.rect.top() >= below && QRectF(lines->rect()).adjusted(-1, 0, 1, 1).contains(one.rect));
            for (const auto& other : ticks) QVERIFY(one.moment == other.moment || !one.rect.intersects(other.rect));
        }
        for (const int width : {320, 700}) {
            const_cast<LifeLines*>(lines)->resize(width, lines->height());
            const auto legend = lines->legend();
            QCOMPARE(legend.size(), std::size_t(3));  // nothing of probabilities, which were not recorded
            for (const auto& each : legend)
                QVERIFY(each.rect.right() <= width && each.rect.top() > ticks[0].rect.top());
            QVERIFY(lines->sizeHint().height() >= static_cast<int>(legend.back().rect.bottom()));
        }
        for (const QPoint point : {QPoint(5, 5), lines->blockRect(0, 10).center().toPoint()})
            QVERIFY(lines->tipPlace(point).y() >= below);
        QVERIFY(lines->textAt({5, static_cast<int>(below) + 12}).isEmpty());
    }

    void aLifeHasItsMostProbableClassesWhereTheyWereRecorded() {
        ForgottenScene scene;
        const std::filesystem::path run = scene.recordForgetting().toStdString();
        // Sandal is class 5, Sneaker 7. Of the other evaluations nothing but the answers is recorded.
        std::vector<TopClasses> before(100), now(100);
        before[5] = {{{5, 0.8F}, {7, 0.2F}, {}}};
        now[5] = {{{7, 0.6F}, {5, 0.25F}, {kNoClassYet, 0.15F}}};
        replaceTextFile(topClassesFile(run, 5500), formatTopClasses(before, 10));
        replaceTextFile(topClassesFile(run, 6000), formatTopClasses(now, 10));
        scene.controller.showDialog();
        const LifeLines* lines = scene.dialog()->lives();
        QTRY_COMPARE(lines->lives().size(), std::size_t(1));
        QTRY_COMPARE(lines->lives()[0].top.size(), std::size_t(12));
        QCOMPARE(lines->topText(0, 10), QString("Sandal 80 %, Sneaker 20 %"));
        QCOMPARE(lines->topText(0, 11), QString("Sneaker 60 %, Sandal 25 %, a class to come 15 %"));
        QCOMPARE(lines->topText(0, 9), QString());
        QCOMPARE(lines->accessibleDescription(),
                 QString("Sandal: taken for Sneaker (Sneaker 60 %, Sandal 25 %, a class to come 15 %)"));
        QVERIFY2(scene.words("forgottenCurrent").endsWith("Sneaker: Sneaker 60 %, Sandal 25 %, a class to come 15 %"),
                 qPrintable(scene.words("forgottenCurrent")));
        QVERIFY(lines->textAt(lines->blockRect(0, 10).center().toPoint()).endsWith("\nSandal 80 %, Sneaker 20 %"));
        // The true class fills a block from below as far as its share goes.
        const QImage drawn = const_cast<LifeLines*>(lines)->grab().toImage();
        const auto filled = [&](std::size_t moment, double share) {
            const QRectF block = lines->blockRect(0, moment);
            const QPointF place(block.left() + 3, block.bottom() - share * block.height());
            return drawn.pixelColor(place.toPoint() * drawn.devicePixelRatio()) == Theme::of(lines).accent;
        };
        QVERIFY(filled(10, 0.7) && !filled(10, 0.9));
        QVERIFY(filled(11, 0.15) && !filled(11, 0.35));
        QVERIFY(std::ranges::any_of(lines->legend(), [](const LifeLines::Explained& each) {
            return each.sign == LifeLines::Sign::Shares && each.text.contains("probable");
        }));
        // Damage of one file takes one moment.
        replaceTextFile(topClassesFile(run, 5500), "no list");
        scene.dialog()->pin(9, true);
        QTRY_COMPARE(lines->lives()[0].top.size(), std::size_t(12));
        QTRY_COMPARE(lines->topText(1, 10), QString());
        QVERIFY(!lines->topText(1, 11).isEmpty());
    }

    void anImageThatWasNotForgottenCanBePinned() {
        ForgottenScene scene;
        scene.recordForgetting();
        scene.controller.pin(42);
        QTRY_COMPARE(scene.dialog()->pinned(), (std::vector<std::int64_t>{42}));
        QTRY_COMPARE(scene.dialog()->lives()->lives().size(), std::size_t(2));
        QCOMPARE(scene.dialog()->lives()->lives()[0].image.sample, std::int64_t(42));
        // Asked for once more, while everything is there.
        scene.controller.pin(43);
        QTRY_COMPARE(scene.dialog()->pinned(), (std::vector<std::int64_t>{42, 43}));
    }

    void aPinnedImageStaysWhateverIsShown() {
        ForgottenScene scene;
        scene.recordForgetting();
        scene.controller.showDialog();
        ForgottenImagesDialog* dialog = scene.dialog();
        QTRY_COMPARE(dialog->model()->rowCount(), 3);
        auto* grid = dialog->findChild<QListView*>("forgottenGrid");
        auto* pin = dialog->findChild<QPushButton*>("pinImage");
        pin->click();
        QCOMPARE(dialog->pinned(), (std::vector<std::int64_t>{5}));
        QCOMPARE(pin->text(), QString("Unpin"));
        auto* attention = dialog->findChild<QPushButton*>("imageAttention");
        QSignalSpy asked(&scene.controller, &ForgottenController::attentionAsked);
        attention->click();
        QCOMPARE(asked.takeFirst().at(0).toLongLong(), 5);
        QCOMPARE(dialog->lives()->lives().size(), std::size_t(1));
        grid->setCurrentIndex(dialog->model()->index(2));
        QCOMPARE(dialog->lives()->lives().size(), std::size_t(2));
        QVERIFY(!pin->isChecked());
        scene.cursor.pin(3000);
        QTRY_COMPARE(dialog->model()->rowCount(), 0);
        QCOMPARE(pin->text(), QString("Unpin all"));
        QCOMPARE(dialog->lives()->lives().size(), std::size_t(1));
        QVERIFY(dialog->lives()->lives()[0].pinned && dialog->lives()->isVisible());
        for (std::int64_t image = 10; image < 20; ++image) dialog->pin(image, true);
        QCOMPARE(dialog->pinned().size(), ForgottenImagesDialog::kMostPinned);
        QCOMPARE(dialog->pinned().back(), std::int64_t(19));
        dialog->pin(19, false);
        QCOMPARE(dialog->pinned().back(), std::int64_t(18));
        // A click on a pinned row, or the button where no image is current.
        auto* lines = const_cast<LifeLines*>(dialog->lives());
        QVERIFY2(lines->textAt({5, 5}).endsWith("click to unpin"), qPrintable(lines->textAt({5, 5})));
        const std::int64_t first = dialog->pinned().front();
        QTest::mouseClick(lines, Qt::LeftButton, {}, {5, 5});
        QVERIFY(dialog->pinned().front() != first);
        attention->click();
        QCOMPARE(asked.takeFirst().at(0).toLongLong(), dialog->pinned().back());
        pin->click();
        QVERIFY(!attention->isEnabled());
        QVERIFY(dialog->pinned().empty() && !pin->isEnabled());
    }

    void imagesOfOneRunNeverPassForThoseOfAnother() {
        ForgottenScene scene;
        scene.recordForgetting();
        scene.controller.showDialog();
        // While the folder is being read, a run begins that has measured nothing.
        RunStarted start = madeUpStart(2, "/runs/fresh", "none");
        scene.store.onStarted(start);
        QTRY_VERIFY2(scene.words("forgottenNothing").contains("after the first evaluation"),
                     qPrintable(scene.words("forgottenNothing")));
        QTest::qWait(500);
        QCOMPARE(scene.dialog()->model()->rowCount(), 0);
        QVERIFY(scene.words("forgottenHeading").isEmpty());
    }

    void whatCannotBeShownSaysWhy() {
        ForgottenScene scene;
        scene.controller.showDialog();
        QVERIFY2(scene.words("forgottenNothing").contains("F5"), qPrintable(scene.words("forgottenNothing")));
        const QString id = scene.record();
        replaceTextFile(trueClassesFile(id.toStdString()), "no list");
        QTRY_VERIFY2(scene.words("forgottenNothing").contains("is not a list of classes"),
                     qPrintable(scene.words("forgottenNothing")));
        // Asked for again, it is read again; a single damaged evaluation is left out.
        replaceTextFile(trueClassesFile(id.toStdString()), formatClassList(*madeUpTestLabels(), 10));
        replaceTextFile(predictionsFile(id.toStdString(), 1000), "no list");
        scene.controller.showDialog();
        QTRY_COMPARE(scene.words("forgottenNothing"), QString("No test image that was right before is wrong here."));
        QCOMPARE(scene.words("forgottenHeading"), QString("After 6,000 images · evaluations left out: 1"));
        scene.live();
        QTRY_VERIFY2(scene.words("forgottenNothing").contains("keeps no folder"),
                     qPrintable(scene.words("forgottenNothing")));
    }
};

PALIMPSEST_TEST(TestForgottenImages)

}  // namespace tst_forgotten_images

#include "tst_forgotten_images.moc"
