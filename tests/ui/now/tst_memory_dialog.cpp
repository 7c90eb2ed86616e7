// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QLabel>
#include <QListView>
#include <QSignalSpy>

#include "tests/support/scripted_datasets.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/now/memory_dialog.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/picture_grid.h"
#include "ui/widgets/picture_loader.h"

using namespace palimpsest;
using palimpsest::testing::addAppearances;
using palimpsest::testing::ScriptedDatasets;

namespace tst_memory_dialog {

constexpr int kAll = PictureClassModel::kAll;

namespace {

/// A memory of so many images: image i is of class i modulo ten; even classes are disjoint, odd ones blurry.
MemoryShown memory(std::int64_t images, const QString& run = "/runs/a") {
    MemoryShown shown;
    shown.run = run;
    shown.title = "ER";
    shown.experiment.stream.dataset = "fashion-mnist";
    shown.class_names.names =
        QStringList{"T-shirt", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Boot"};
    shown.capacity = 2000;
    MemoryHeld held;
    held.samples_seen = 12'000;
    for (std::int32_t label = 0; label < 10; ++label) {
        shown.class_names.kinds.push_back(label % 2 == 0 ? ClassKind::Disjoint : ClassKind::Blurry);
        if (label != 9) held.seen_classes.push_back(label);
    }
    std::vector<KeptSample> kept;
    for (std::int64_t i = 0; i < images; ++i)
        if (i % 10 != 9 && i % 10 != 8) kept.push_back({i, static_cast<std::int32_t>(i % 10)});
    held.kept = std::move(kept);
    shown.balance = balanceOf(held, 10);
    shown.kept = held.kept;
    shown.images_known = true;
    return shown;
}

struct Scene {
    std::shared_ptr<ScriptedDatasets> service = std::make_shared<ScriptedDatasets>();
    MemoryDialog dialog{service};
    MemoryClassList* classes = dialog.findChild<MemoryClassList*>("memoryClasses");
    QListView* grid = dialog.findChild<QListView*>("memoryGrid");

    explicit Scene(const MemoryShown& first = memory(100)) {
        service->allowAll();
        dialog.showMemory(first);
        dialog.showDialog();
        if (!QTest::qWaitForWindowActive(&dialog)) qFatal("The dialog does not become active.");
    }
    QString text(const char* label) const { return dialog.findChild<QLabel*>(label)->text(); }
    QPoint middleOf(int row) const { return classes->visualRect(classes->model()->index(row, 0)).center(); }
    void click(int row) { QTest::mouseClick(classes->viewport(), Qt::LeftButton, {}, middleOf(row)); }
    int images() const { return grid->model()->rowCount(); }
    QRect cell(int number) const { return grid->visualRect(grid->model()->index(number, 0)); }
    /// Cells of which something is seen.
    int onScreen() const {
        int count = 0;
        for (int i = 0; i < images(); ++i) count += cell(i).intersects(grid->viewport()->rect());
        return count;
    }
    QString failure() const {
        const auto* label = dialog.findChild<QLabel*>("memoryFailure");
        return label->isVisible() ? label->text() : QString();
    }
};

int pixelsOf(QWidget* widget, const QRect& area, const QColor& colour) {
    const QImage image = widget->grab(area).toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == colour;
    return count;
}

}  // namespace

class TestMemoryDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void theTitleNamesTheRun() {
        Scene scene;
        scene.dialog.nameRun("Replay on shapes, batch mask");
        QCOMPARE(scene.dialog.windowTitle(), QString("Memory: Replay on shapes, batch mask"));
        scene.dialog.nameRun({});
        QCOMPARE(scene.dialog.windowTitle(), QString("Memory"));
    }

    void theBalanceIsARowForEachClassThatHasCome() {
        Scene scene;
        QCOMPARE(scene.text("memoryPlaces"), QString("80 of 2,000 places"));
        QCOMPARE(scene.text("memoryMoment"), QString("after 12,000 images · ER"));
        const QAbstractItemModel* rows = scene.classes->model();
        QCOMPARE(rows->rowCount(), 1 + 9);
        QCOMPARE(rows->index(0, 0).data().toString(), QString("All classes"));
        QCOMPARE(rows->index(0, 0).data(PictureClassModel::CountRole).toInt(), 80);
        const QModelIndex trouser = rows->index(2, 0);
        QCOMPARE(trouser.data().toString(), QString("Trouser"));
        QCOMPARE(trouser.data(PictureClassModel::CountRole).toInt(), 10);
        QCOMPARE(trouser.data(PictureClassModel::ShareRole).toDouble(), 1.0);
        QCOMPARE(trouser.data(Qt::ToolTipRole).toString(),
                 QString("Trouser, blurry class: 10 images, 12.5 % of those kept"));
        QCOMPARE(trouser.data(Qt::AccessibleTextRole), trouser.data(Qt::ToolTipRole));
        // It has come, but nothing of it is kept.
        QCOMPARE(rows->index(9, 0).data(Qt::ToolTipRole).toString(),
                 QString("Bag, disjoint class: 0 images, 0.0 % of those kept"));
        QCOMPARE(rows->index(9, 0).data(PictureClassModel::ShareRole).toDouble(), 0.0);
    }

    void aClickedClassShowsItsImagesAloneAndOnceMoreAll() {
        Scene scene;
        QCOMPARE(scene.images(), 80);
        QCOMPARE(scene.text("memoryHeading"), QString("All classes: 80 images"));
        scene.click(4);
        QCOMPARE(scene.dialog.chosen(), 3);
        QCOMPARE(scene.images(), 10);
        QVERIFY(scene.text("memoryHeading").startsWith("Dress, blurry class: 10 images"));
        for (int i = 0; i < 10; ++i)
            QCOMPARE(scene.grid->model()->index(i, 0).data(PictureGridModel::SampleRole).toInt(), 10 * i + 3);
        scene.click(1);
        QCOMPARE(scene.dialog.chosen(), 0);
        scene.click(1);
        QCOMPARE(scene.dialog.chosen(), kAll);
        QCOMPARE(scene.images(), 80);
        // All of them, chosen again, stay chosen.
        scene.click(0);
        QCOMPARE(scene.dialog.chosen(), kAll);
    }

    void aPressThatIsLetGoElsewhereChangesNothing() {
        Scene scene;
        scene.click(4);
        QTest::mousePress(scene.classes->viewport(), Qt::LeftButton, {}, scene.middleOf(4));
        QTest::mouseRelease(scene.classes->viewport(), Qt::LeftButton, {}, scene.middleOf(6));
        QCOMPARE(scene.dialog.chosen(), 3);
    }

    void theKeyboardReachesEverything() {
        Scene scene;
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(scene.classes));
        QTest::keyClick(scene.classes, Qt::Key_Down);
        QTest::keyClick(scene.classes, Qt::Key_Down);
        QCOMPARE(scene.dialog.chosen(), 1);
        QTest::keyClick(scene.classes, Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(scene.grid));
        QTest::keyClick(scene.grid, Qt::Key_Right);
        QTest::keyClick(scene.grid, Qt::Key_Right);
        const QModelIndex current = scene.grid->currentIndex();
        QVERIFY(current.isValid());
        QCOMPARE(scene.text("memoryCurrent"), current.data(Qt::ToolTipRole).toString());
        QVERIFY2(scene.text("memoryCurrent").startsWith("Trouser, blurry class, training image "),
                 qPrintable(scene.text("memoryCurrent")));
        scene.classes->setFocus();
        QTest::keyClick(scene.classes, Qt::Key_Escape);
        QCOMPARE(scene.dialog.chosen(), kAll);
        QVERIFY(scene.dialog.isVisible());
        QTest::keyClick(scene.classes, Qt::Key_Escape);
        QVERIFY(!scene.dialog.isVisible());
    }

    void theImageThatTabComesToIsFramed() {
        Scene scene;
        const QColor accent = Theme::of(&scene.dialog).accent;
        QCOMPARE(pixelsOf(scene.grid->viewport(), scene.cell(0), accent), 0);
        QTest::keyClick(scene.classes, Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(scene.grid));
        QCOMPARE(scene.grid->currentIndex().row(), 0);
        QVERIFY(pixelsOf(scene.grid->viewport(), scene.cell(0), accent) > 100);
        QCOMPARE(pixelsOf(scene.grid->viewport(), scene.cell(1), accent), 0);
    }

    void whyPicturesCannotBeReadIsSaidUntilTheyCan() {
        Scene scene;
        QVERIFY(scene.failure().isEmpty());
        scene.service->setPicturesFail(true);
        scene.dialog.forgetPictures();
        QTRY_COMPARE(scene.failure(), QString("The pictures are damaged. Fetch them again."));
        // News of the run neither asks again nor puts the sentence away.
        const std::int64_t calls = scene.service->pictureCalls();
        scene.dialog.showMemory(memory(110));
        scene.grid->viewport()->grab();
        QVERIFY(scene.dialog.findChild<PictureLoader*>()->idle());
        QCOMPARE(scene.service->pictureCalls(), calls);
        QVERIFY(!scene.failure().isEmpty());
        scene.service->setPicturesFail(false);
        scene.dialog.close();
        scene.dialog.showDialog();
        QTRY_COMPARE(scene.grid->viewport()->grab().toImage().pixelColor(scene.cell(5).center()), QColor(5, 5, 5));
        QVERIFY(scene.failure().isEmpty());
    }

    void ofAVeryLargeMemoryTheFirstImagesAreShownAndSaid() {
        constexpr int kMost = static_cast<int>(PictureGridModel::kMostShown);
        Scene scene(memory(20'000));
        QCOMPARE(scene.images(), kMost);
        QCOMPARE(scene.text("memoryHeading"), QString("All classes: 16,000 images; here the first 5,000"));
        scene.click(4);
        QCOMPARE(scene.images(), 2000);
        QVERIFY(scene.text("memoryHeading").startsWith("Dress, blurry class: 2,000 images"));
        QVERIFY(!scene.text("memoryHeading").contains("the first"));
    }

    void theSameNewsAgainTouchesNoRow() {
        const MemoryShown first = memory(1000);
        Scene scene(first);
        QSignalSpy changed(scene.grid->model(), &QAbstractItemModel::dataChanged);
        scene.dialog.showMemory(first);
        scene.dialog.showMemory(memory(1000));
        QCOMPARE(changed.count(), 0);
        // A place that changes has its own row drawn anew, and no other.
        MemoryShown next = memory(1000);
        std::vector<KeptSample> kept(next.kept.begin(), next.kept.end());
        kept[3] = {40'003, 3};
        next.kept = kept;
        scene.dialog.showMemory(next);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toModelIndex().row(), 3);
        QCOMPARE(changed[0][1].toModelIndex().row(), 3);
    }

    void closedWhilePicturesAreReadItTakesThemAllTheSame() {
        auto service = std::make_shared<ScriptedDatasets>();
        MemoryDialog dialog(service);
        dialog.showMemory(memory(100));
        dialog.showDialog();
        QTRY_COMPARE(service->pictureCalls(), 1);
        dialog.close();
        auto* pictures = dialog.findChild<PictureLoader*>();
        QSignalSpy arrived(pictures, &PictureLoader::arrived);
        service->allowAll();
        QTRY_COMPARE(arrived.count(), 1);
        QVERIFY(pictures->idle());
        QCOMPARE(service->pictureCalls(), 1);
    }

    void aClassMayBeCalledLikeAPlaceInASentence() {
        ClassNames words;
        MemoryBalance balance;
        for (int label = 0; label < 14; ++label) {
            words.names.append(label == 0 ? "%1" : label == 1 ? "%2" : QString("c%1").arg(label));
            balance.kept.emplace_back(100 - label);
        }
        const QString text = balanceText(words, balance);
        QVERIFY2(text.startsWith("%1 100, %2 99, c2 98, "), qPrintable(text));
        QVERIFY2(text.endsWith("c11 89 and 2 more classes"), qPrintable(text));
    }

    void anImageSaysWhatItIs() {
        Scene scene(memory(2000));
        const QModelIndex image = scene.grid->model()->index(1599, 0);
        QCOMPARE(image.data(Qt::ToolTipRole).toString(), QString("Sneaker, blurry class, training image 1,997"));
        QCOMPARE(image.data(Qt::AccessibleTextRole), image.data(Qt::ToolTipRole));
    }

    void onlyPicturesThatAreInViewAreRead() {
        Scene scene(memory(2000));
        auto* pictures = scene.dialog.findChild<PictureLoader*>();
        QTRY_VERIFY(static_cast<int>(scene.service->asked().size()) >= scene.onScreen());
        QTRY_VERIFY(pictures->idle());
        const int asked = static_cast<int>(scene.service->asked().size()), seen = scene.onScreen();
        QVERIFY2(asked <= seen + PictureLoader::kAtATime, qPrintable(QString("%1 of %2").arg(asked).arg(seen)));
        // And drawn.
        QTRY_COMPARE(scene.grid->viewport()->grab().toImage().pixelColor(
                         scene.grid->visualRect(scene.grid->model()->index(5, 0)).center()),
                     QColor(5, 5, 5));
        scene.grid->scrollToBottom();
        QTRY_VERIFY(std::ranges::count(scene.service->asked(), 1997) == 1);
    }

    void whileARunGoesOnTheViewStaysWhereItIs() {
        Scene scene(memory(1000));
        scene.click(3);
        scene.grid->setCurrentIndex(scene.grid->model()->index(7, 0));
        QSignalSpy resets(scene.grid->model(), &QAbstractItemModel::modelReset);
        MemoryShown next = memory(1100);
        std::vector<KeptSample> kept(next.kept.begin(), next.kept.end());
        kept[2] = {40'002, 2};
        next.kept = kept;
        scene.dialog.showMemory(next);
        QCOMPARE(scene.dialog.chosen(), 2);
        QCOMPARE(scene.images(), 110);
        QCOMPARE(scene.grid->currentIndex().row(), 7);
        QCOMPARE(scene.grid->model()->index(0, 0).data(PictureGridModel::SampleRole).toInt(), 40'002);
        // And when the memory chose anew and kept fewer.
        scene.dialog.showMemory(memory(900));
        QCOMPARE(scene.images(), 90);
        QCOMPARE(scene.dialog.chosen(), 2);
        QCOMPARE(resets.count(), 0);
    }

    void aClassThatComesGetsItsRowAndTheChosenOneStays() {
        MemoryShown first = memory(100);
        for (const std::size_t label : {0, 4, 5}) first.balance.kept[label].reset();
        Scene scene(first);
        QCOMPARE(scene.classes->model()->rowCount(), 1 + 6);
        scene.classes->choose(6);
        scene.dialog.showMemory(memory(100));
        QCOMPARE(scene.classes->model()->rowCount(), 1 + 9);
        QCOMPARE(scene.dialog.chosen(), 6);
        for (int row = 1; row < 10; ++row)
            QCOMPARE(scene.classes->model()->index(row, 0).data(PictureClassModel::LabelRole).toInt(), row - 1);
    }

    void anotherRunBeginsWithAllItsClasses() {
        Scene scene;
        scene.click(4);
        MemoryShown other = memory(50, "/runs/b");
        other.class_names.names[3] = "Gown";
        scene.dialog.showMemory(other);
        QCOMPARE(scene.dialog.chosen(), kAll);
        QCOMPARE(scene.images(), 40);
        QCOMPARE(scene.classes->model()->index(4, 0).data().toString(), QString("Gown"));
    }

    void whereOnlyTheBalanceIsKnownItIsShownAndSaid() {
        Scene scene;
        MemoryShown stored = memory(100);
        stored.kept = {};
        stored.images_known = false;
        scene.dialog.showMemory(stored);
        QVERIFY(!scene.grid->isVisible());
        auto* sentence = scene.dialog.findChild<QLabel*>("memoryImagesUnknown");
        QVERIFY(sentence->isVisible());
        QVERIFY(sentence->text().contains("not which"));
        QCOMPARE(scene.classes->model()->rowCount(), 1 + 9);
        scene.click(2);
        QVERIFY(scene.text("memoryHeading").startsWith("Trouser, blurry class: 10 images"));
        scene.dialog.showMemory(memory(100));
        QVERIFY(scene.grid->isVisible());
    }

    void withoutANumberOfPlacesTheImagesAreCounted() {
        Scene scene;
        MemoryShown stored = memory(100);
        stored.capacity = 0;
        scene.dialog.showMemory(stored);
        QCOMPARE(scene.text("memoryPlaces"), QString("80 images"));
    }

    void barsAndLinesHaveTheColourOfTheirKind_data() { addAppearances(); }
    void barsAndLinesHaveTheColourOfTheirKind() {
        QFETCH(int, appearance);
        applyAppearance(*qApp, static_cast<Appearance>(appearance));
        Scene scene(memory(400));
        const Theme& theme = Theme::of(&scene.dialog);
        QWidget* list = scene.classes->viewport();
        const auto row = [&](int number) {
            return scene.classes->visualRect(scene.classes->model()->index(number, 0));
        };
        QVERIFY(pixelsOf(list, row(1), theme.disjoint) > 100);
        QCOMPARE(pixelsOf(list, row(1), theme.blurry), 0);
        QVERIFY(pixelsOf(list, row(2), theme.blurry) > 100);
        // Nothing of it is kept.
        QCOMPARE(pixelsOf(list, row(9), theme.disjoint), 0);
        QWidget* grid = scene.grid->viewport();
        QVERIFY(pixelsOf(grid, scene.cell(0), theme.disjoint) > 100);
        QVERIFY(pixelsOf(grid, scene.cell(1), theme.blurry) > 100);
    }

    void theTextGrowsAndNothingIsTooSmall() {
        Scene scene;
        const int before = scene.classes->visualRect(scene.classes->model()->index(1, 0)).height();
        applyTextSize(*qApp, TextSize::VeryLarge);
        QTRY_VERIFY(scene.classes->visualRect(scene.classes->model()->index(1, 0)).height() > before);
        for (const QWidget* widget : scene.dialog.findChildren<QWidget*>())
            QVERIFY2(QFontInfo(widget->font()).pixelSize() >= 10, qPrintable(widget->objectName()));
        for (const QWidget* view : {static_cast<QWidget*>(scene.classes), static_cast<QWidget*>(scene.grid)}) {
            QVERIFY(!view->accessibleName().isEmpty());
            QVERIFY(!view->toolTip().isEmpty());
        }
    }
};

PALIMPSEST_TEST(TestMemoryDialog)

}  // namespace tst_memory_dialog

#include "tst_memory_dialog.moc"
