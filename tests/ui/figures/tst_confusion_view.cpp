// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QToolButton>
#include <QtTest>

#include "tests/support/figure_scene.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/test_program.h"
#include "ui/figures/classified_images_dialog.h"
#include "ui/figures/confusion_view.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/picture_grid.h"
#include "ui/widgets/picture_loader.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_confusion_view {

namespace {

/// Test images, grey by their position.
class TestImageService : public ScriptedDatasets {
public:
    std::vector<Thumbnail> testSamplesAt(const Experiment&, std::span<const std::int64_t> positions, int,
                                         std::stop_token) const override {
        std::vector<Thumbnail> pictures;
        for (const std::int64_t position : positions)
            pictures.push_back({2, static_cast<std::int32_t>(position % 10),
                                std::vector<std::uint8_t>(12, static_cast<std::uint8_t>(position))});
        return pictures;
    }
};

struct ConfusionScene : FigureScene {
    ConfusionScene() { service->allowAll(); }
    std::shared_ptr<TestImageService> service = std::make_shared<TestImageService>();
    ConfusionView* confusion = show(new ConfusionView(&store, &histories, &cursor, service));
};

}  // namespace

class TestConfusionView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void theConfusionMatrixGoesToTheSharedMoment() {
        ConfusionScene scene;
        scene.record();
        auto* view = scene.confusion;
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(6000));
        scene.cursor.pin(2100);
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(2000));
        QCOMPARE(view->canvas()->content().rows.size(), 4);
        QVERIFY(view->panel()->caption().contains("2,000"));
        view->findChild<QToolButton*>("confusionEarlier")->click();
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(1500));
        for (int i = 0; i < 12; ++i) view->findChild<QToolButton*>("confusionLater")->click();
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(6000));
        QCOMPARE(scene.cursor.pinned(), CurveCursor::Moment());
    }

    void aDamagedMomentIsToldAndTheOthersStay() {
        ConfusionScene scene;
        const QString id = scene.record();
        QFile file(id + "/predictions/00002000.npy");
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("no list");
        file.close();
        auto* view = scene.confusion;
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(6000));
        scene.cursor.pin(2000);
        QTRY_VERIFY(view->canvas()->invitation().contains("00002000.npy"));
        QVERIFY(!view->shownMoment());
        scene.cursor.pin(2500);
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(2500));
    }

    void aCellOpensTheImagesBehindIt() {
        ConfusionScene scene;
        scene.record();
        auto* view = scene.confusion;
        QTRY_VERIFY(view->shownMoment());
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, view->canvas()->cellRect(1, 2).center().toPoint());
        auto* dialog = view->findChild<ClassifiedImagesDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->model()->rowCount(), 1);
        // Image 31: the fourth of class 1, taken for class 2.
        QCOMPARE(dialog->model()->index(0).data(PictureGridModel::SampleRole).toInt(), 31);
        QVERIFY(dialog->model()->index(0).data(Qt::ToolTipRole).toString().contains("test image 31"));
        QCOMPARE(dialog->findChild<QLabel*>("testImagesHeading")->text(),
                 QString("Trouser answered as Pullover: 1 image, after 6,000 images seen"));
        auto* pictures = const_cast<PictureLoader*>(dialog->pictures());
        QTRY_VERIFY(pictures->picture({31, 1}) && !pictures->picture({31, 1})->isNull());
        QCOMPARE(pictures->picture({31, 1})->pixelColor(24, 24), QColor(31, 31, 31));
    }

    void aCellWithoutImagesOpensNothingAndSaysSo() {
        ConfusionScene scene;
        scene.record();
        auto* view = scene.confusion;
        QTRY_VERIFY(view->shownMoment());
        MatrixCanvas* canvas = view->canvas();
        const MatrixCanvas::Cell full{1, 1}, empty{1, 0};
        const auto middle = [canvas](const MatrixCanvas::Cell& cell) {
            return canvas->cellRect(cell.row, cell.column).center();
        };
        QCOMPARE(canvas->content().counts[canvas->content().place(empty.row, empty.column)], std::int64_t(0));
        QVERIFY(canvas->canChoose(full) && !canvas->canChoose(empty));
        moveOver(canvas, middle(full));
        QCOMPARE(canvas->cursor().shape(), Qt::PointingHandCursor);
        moveOver(canvas, middle(empty));
        QVERIFY(canvas->cursor().shape() != Qt::PointingHandCursor);
        const QString words = canvas->textAt(middle(empty).toPoint());
        QVERIFY2(words.endsWith(", no image was classified so"), qPrintable(words));
        QTest::mouseClick(canvas, Qt::LeftButton, {}, middle(empty).toPoint());
        QVERIFY(canvas->current() == empty);
        QTest::keyClick(canvas, Qt::Key_Return);
        QVERIFY(!view->findChild<ClassifiedImagesDialog*>());
        QTest::keyClick(canvas, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(canvas, Qt::Key_Return);
        QVERIFY(view->findChild<ClassifiedImagesDialog*>());
    }

    void theArrowsWalkAndReturnOpens() {
        ConfusionScene scene;
        scene.record();
        auto* view = scene.confusion;
        QTRY_VERIFY(view->shownMoment());
        MatrixCanvas* canvas = view->canvas();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Down);
        QTest::keyClick(canvas, Qt::Key_Right);
        QTest::keyClick(canvas, Qt::Key_Down);
        QVERIFY(canvas->current());
        QCOMPARE(canvas->current()->row, 1);
        QCOMPARE(canvas->current()->column, 1);
        QCOMPARE(view->findChild<QLabel*>("confusionCell")->text(),
                 QString("is Trouser, answered as Trouser: 90.0 %, 9 images"));
        QTest::keyClick(canvas, Qt::Key_Return);
        QCOMPARE(view->findChild<ClassifiedImagesDialog*>()->model()->rowCount(), 9);
    }

    void imagesAreCountedByWhatTheyAreAndWereTakenFor() {
        ClassNames names;
        const std::vector<std::int32_t> truth{0, 0, 0, 0, 1, 1, 2}, answers{0, 0, 0, 1, 1, kNoClassYet, kNotTested};
        const Confusion confusion = confusionOf(truth, answers, {1, 0}, names);
        // Classes in the order in which they came; the answer without a class is the last column.
        QCOMPARE(confusion.labels, (std::vector<std::int32_t>{1, 0}));
        QCOMPARE(confusion.answers.size(), std::size_t(3));
        QCOMPARE(confusion.answers.back(), kNoClassYet);
        const MatrixContent& matrix = confusion.matrix;
        QCOMPARE(matrix.share(0, 0), 0.5);
        QCOMPARE(matrix.share(0, 2), 0.5);
        QCOMPARE(matrix.share(1, 1), 0.75);
        QCOMPARE(matrix.counts[matrix.place(1, 0)], std::int64_t(1));
        QCOMPARE(imagesOf(truth, answers, 0, 1), (std::vector<std::int64_t>{3}));
        QCOMPARE(imagesOf(truth, answers, 0, 0), (std::vector<std::int64_t>{0, 1, 2}));
    }
};

PALIMPSEST_TEST(TestConfusionView)

}  // namespace tst_confusion_view

#include "tst_confusion_view.moc"
