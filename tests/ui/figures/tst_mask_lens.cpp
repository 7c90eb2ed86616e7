// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <atomic>
#include <mutex>

#include "engine/run/mask_lens.h"
#include "engine/support/error.h"
#include "tests/support/figure_scene.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/figures/mask_lens_controller.h"
#include "ui/figures/mask_lens_dialog.h"
#include "ui/figures/mask_lens_model.h"
#include "ui/state/run_controller.h"
#include "ui/style/colours.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_mask_lens {

namespace {

/// A batch of T-shirts and dresses; Trouser and Pullover came before, six outputs have no class yet.
MaskLens madeUpLens() {
    MaskLens lens;
    lens.samples_seen = 3000;
    lens.session = 2;
    lens.images = 8;
    lens.replayed = 4;
    lens.classes_seen = 3;
    lens.batch = {3, 0};
    lens.class_names = {"T-shirt", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Boot"};
    lens.used = MaskKind::Batch;
    const auto add = [&](MaskKind mask, double loss, double accuracy, std::vector<std::optional<double>> pushes,
                         std::int64_t unnamed, double push) {
        MaskView view{mask, loss, accuracy, {}, unnamed, push};
        const std::int32_t labels[] = {1, 2, 3, 0};
        for (std::size_t i = 0; i < pushes.size(); ++i) view.pushes.push_back({labels[i], pushes[i], 0});
        lens.views.push_back(view);
    };
    add(MaskKind::None, 2.5, 0.25, {-1, -2, 4, 2}, 6, -3);
    add(MaskKind::Seen, 1.5, 0.5, {-1.5, -2.5, 3, 1}, 0, 0);
    add(MaskKind::Batch, 0.5, 0.75, {std::nullopt, std::nullopt, 0.5, -0.5}, 0, 0);
    add(MaskKind::Session, 0.75, 0.625, {std::nullopt, -1, 0.98, 0.02}, 0, 0);
    lens.inference = LensInference{200, 3000, 60, 90};
    return lens;
}

/// A figure's scene with the lens, whose looks are written down.
struct LensScene : FigureScene {
    struct Looks {
        std::mutex mutex;
        std::vector<std::pair<std::string, std::optional<std::int64_t>>> asked;
        std::string failure;
        std::atomic<bool> held = false, given_up = false;
        std::size_t count() {
            const std::lock_guard lock(mutex);
            return asked.size();
        }
        std::optional<std::int64_t> last() {
            const std::lock_guard lock(mutex);
            return asked.back().second;
        }
    };
    std::shared_ptr<Looks> looks = std::make_shared<Looks>();
    QWidget window;
    ScriptedRun script;
    OptionTable table{ScriptedRun::catalogue()};
    RunController runs{&table, script.function()};
    MaskLensController controller{
        [looks = looks](const std::filesystem::path& run, std::optional<std::int64_t> at, std::stop_token stop) {
            {
                const std::lock_guard lock(looks->mutex);
                looks->asked.emplace_back(run.string(), at);
                if (!looks->failure.empty()) throw inputError(looks->failure, "Do this.");
            }
            while (looks->held && !stop.stop_requested()) std::this_thread::yield();
            if (stop.stop_requested()) looks->given_up = true;
            MaskLens lens = madeUpLens();
            lens.samples_seen = at.value_or(3000);
            return std::make_shared<const MaskLens>(lens);
        },
        &runs, &store, &cursor, &window};

    LensScene() { window.show(); }
    ~LensScene() { looks->held = false; }
    MaskLensDialog* dialog() const { return controller.dialog(); }
    QString words(const char* name) const { return dialog()->findChild<QLabel*>(name)->text(); }
    bool empty(const QString& part) const {
        return !dialog()->showsWeights() && words("maskLensNothing").contains(part);
    }
};

QString header(const MaskLensDialog* dialog, int column) {
    return dialog->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
}

QString cell(const MaskLensDialog* dialog, int row, int column, int role = Qt::DisplayRole) {
    return dialog->model()->index(row, column).data(role).toString();
}

}  // namespace

class TestMaskLensFigure : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void withoutARunItSaysWhatToDo() {
        LensScene scene;
        scene.controller.showDialog();
        QVERIFY2(scene.empty("no run to look at"), qPrintable(scene.words("maskLensNothing")));
        QVERIFY(!scene.words("maskLensNothing").contains('{'));
        QCOMPARE(scene.looks->count(), std::size_t{0});
        QVERIFY(!scene.dialog()->findChild<QCheckBox*>("maskLensSeenOnly")->isVisible());
    }

    void aRunWithoutAFolderCannotBeLookedAt() {
        LensScene scene;
        scene.live();
        scene.controller.showDialog();
        QVERIFY2(scene.empty("keeps no folder"), qPrintable(scene.words("maskLensNothing")));
    }

    void everyMaskIsAColumnOnOneScale() {
        LensScene scene;
        scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        MaskLensDialog* dialog = scene.dialog();
        const MaskLensModel* model = dialog->model();
        QCOMPARE(model->columnCount(), 5);
        QCOMPARE(header(dialog, 1), QString("No mask\nloss 2.500 · 25.0 % right\n8 others down by 6.0"));
        QCOMPARE(header(dialog, 2), QString("Seen mask\nloss 1.500 · 50.0 % right\n2 others down by 4.0"));
        QCOMPARE(header(dialog, 3),
                 QString("Batch mask · the run’s\nloss 0.500 · 75.0 % right\nno other is pushed down"));
        QCOMPARE(header(dialog, 4), QString("Session mask\nloss 0.750 · 62.5 % right\n1 other down by 1.0"));
        // The batch's own classes come first.
        QCOMPARE(model->rowCount(), 5);
        QStringList names;
        for (int row = 0; row < 5; ++row) names.append(cell(dialog, row, 0));
        QCOMPARE(names, (QStringList{"Dress", "T-shirt", "6 outputs without a class", "Pullover", "Trouser"}));
        QVERIFY(model->index(1, 0).data(MaskLensModel::InBatchRole).toBool());
        QVERIFY(!model->index(2, 0).data(MaskLensModel::InBatchRole).toBool());
        QCOMPARE(cell(dialog, 0, 1), QString("+4.0"));
        QCOMPARE(cell(dialog, 3, 2), QString("−2.5"));
        QCOMPARE(cell(dialog, 4, 3), QString("hidden"));
        QCOMPARE(cell(dialog, 1, 4), QString("0.0"));
        QCOMPARE(cell(dialog, 2, 1), QString("−3.0"));
        QCOMPARE(cell(dialog, 2, 2), QString("hidden"));
        QCOMPARE(cell(dialog, 0, 1, Qt::AccessibleTextRole), QString("Dress, No mask: pulled up by 4.0"));
        QCOMPARE(cell(dialog, 3, 2, Qt::ToolTipRole), QString("Pullover, Seen mask: pushed down by 2.5"));
        QCOMPARE(cell(dialog, 4, 3, Qt::ToolTipRole), QString("Trouser, Batch mask: hidden, so nothing pushes it"));
        QCOMPARE(cell(dialog, 1, 4, Qt::ToolTipRole), QString("T-shirt, Session mask: hardly pushed"));
        QCOMPARE(model->up(), 4.0);
        QCOMPARE(model->down(), 3.0);

        auto* table = dialog->findChild<QTableView*>("maskLensTable");
        auto* delegate = qobject_cast<MaskLensDelegate*>(table->itemDelegate());
        const QRectF cell(0, 0, 200, 24);
        const QRectF most = delegate->barRect(cell, 4), half = delegate->barRect(cell, 2),
                     down = delegate->barRect(cell, -3);
        QVERIFY(std::abs(most.width() - 2 * half.width()) < 1e-9);
        QCOMPARE(most.left(), half.left());
        QVERIFY(std::abs(down.right() - most.left()) < 1e-9);
        QVERIFY(std::abs(down.width() / most.width() - 0.75) < 1e-9);
        QVERIFY(down.left() >= 0 && most.right() < 200);
    }

    void barsHaveTheColoursOfPushes() {
        LensScene scene;
        scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        auto* table = scene.dialog()->findChild<QTableView*>("maskLensTable");
        auto* delegate = qobject_cast<MaskLensDelegate*>(table->itemDelegate());
        const QImage drawn = table->viewport()->grab().toImage();
        const auto colourAt = [&](int row, int column, double push) {
            const QRectF rect = table->visualRect(scene.dialog()->model()->index(row, column));
            return drawn.pixelColor((delegate->barRect(rect, push).center() * drawn.devicePixelRatio()).toPoint());
        };
        const Theme& theme = Theme::of(table);
        QCOMPARE(colourAt(0, 1, 4).name(), legible(QColor(twoSidedColour(0.7)), theme.panel, kMarkContrast).name());
        QCOMPARE(colourAt(3, 1, -2).name(), legible(QColor(twoSidedColour(-0.7)), theme.panel, kMarkContrast).name());
        // What is hidden has no bar.
        QVERIFY(colourAt(3, 3, -2).name() != colourAt(3, 1, -2).name());
    }

    void wordsSayWhatIsSeen() {
        LensScene scene;
        scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        QCOMPARE(scene.words("maskLensHeading"),
                 QString("After 3,000 images · next batch, in session 3 · 8 images of the stream · 4 past images"));
        QVERIFY2(
            scene.words("maskLensSentence")
                .startsWith("Through the batch mask only the 2 classes of this batch are pulled or pushed. Without "
                            "a mask 8 others are pushed down, by 6.0 in all"),
            qPrintable(scene.words("maskLensSentence")));
        QCOMPARE(scene.dialog()->findChild<QTableView*>("maskLensTable")->accessibleDescription(),
                 scene.words("maskLensSentence"));
    }

    void theScaleStaysWhileOneRunIsLookedAt() {
        LensScene scene;
        scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        QVERIFY(header(scene.dialog(), 0).contains("push in images"));
        QVERIFY2(scene.words("maskLensScale").contains("from 3.0 down to 4.0 up"),
                 qPrintable(scene.words("maskLensScale")));
        const QString title = scene.dialog()->windowTitle().section(": ", 1);
        MaskLens weaker = madeUpLens(), stronger = madeUpLens();
        for (MaskView& view : weaker.views) {
            view.unnamed_push /= 10;
            for (ClassPush& push : view.pushes)
                if (push.push) *push.push /= 10;
        }
        stronger.views[0].pushes[2].push = 9;
        const MaskLensModel* model = scene.dialog()->model();
        scene.dialog()->showLens(title, {}, weaker);
        QVERIFY(model->up() == 4 && model->down() == 3);
        scene.dialog()->showLens(title, {}, stronger);
        QVERIFY(model->up() == 9 && model->down() == 3);
        QVERIFY(scene.words("maskLensScale").contains("from 3.0 down to 9.0 up"));
        // Another run is another matter.
        scene.dialog()->showLens("Another", {}, weaker);
        QVERIFY2(std::abs(model->up() - 0.4) < 1e-9 && std::abs(model->down() - 0.3) < 1e-9,
                 qPrintable(scene.words("maskLensScale")));
    }

    void bothWaysToAnswerAreTold() {
        LensScene scene;
        scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        auto* seenOnly = scene.dialog()->findChild<QCheckBox*>("maskLensSeenOnly");
        QVERIFY(seenOnly->isVisible() && seenOnly->isChecked());
        QCOMPARE(scene.words("maskLensAccuracy"), QString("45.0 %"));
        QVERIFY(scene.words("maskLensInference").contains("30.0"));
        QVERIFY(scene.words("maskLensInference").contains("an even sample of the 3,000"));
        seenOnly->setFocus();
        QTest::keyClick(seenOnly, Qt::Key_Space);
        QVERIFY(!seenOnly->isChecked());
        QCOMPARE(scene.words("maskLensAccuracy"), QString("30.0 %"));
        QVERIFY(scene.words("maskLensInference").contains("45.0"));
    }

    void theChosenMomentIsLookedAt() {
        LensScene scene;
        const QString run = scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        QCOMPARE(scene.looks->asked.front().first, run.toStdString());
        QVERIFY(!scene.looks->last().has_value());
        scene.cursor.pin(2000);
        QTRY_VERIFY(scene.words("maskLensHeading").startsWith("After 2,000 images"));
        QCOMPARE(scene.looks->last(), std::optional<std::int64_t>(2000));
        // Where the mouse merely rests nothing is read.
        const std::size_t count = scene.looks->count();
        scene.cursor.hover(1000);
        QTest::qWait(500);
        QCOMPARE(scene.looks->count(), count);
        scene.cursor.hover({});
        scene.cursor.pin({});
        QTRY_VERIFY(scene.words("maskLensHeading").startsWith("After 3,000 images"));
    }

    void aRefusalIsSaidInItsPlaceAndAskedAgainWhenItOpens() {
        LensScene scene;
        scene.record();
        scene.looks->failure = "The run keeps no checkpoints.";
        scene.controller.showDialog();
        QTRY_COMPARE(scene.words("maskLensNothing"), QString("The run keeps no checkpoints. Do this."));
        QVERIFY(!scene.dialog()->showsWeights());
        {
            const std::lock_guard lock(scene.looks->mutex);
            scene.looks->failure.clear();
        }
        scene.dialog()->findChild<QPushButton*>("maskLensClose")->click();
        QVERIFY(!scene.dialog()->isVisible());
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
    }

    void aLookThatNobodyWaitsForIsGivenUp() {
        LensScene scene;
        scene.record();
        scene.looks->held = true;
        scene.controller.showDialog();
        QTRY_COMPARE(scene.looks->count(), std::size_t{1});
        QVERIFY(scene.empty("Looking"));
        QTest::keyClick(scene.dialog(), Qt::Key_Escape);
        QTRY_VERIFY(scene.looks->given_up);
        scene.looks->held = false;
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        QCOMPARE(scene.looks->count(), std::size_t{2});
    }

    void aMethodWithAMaskOfItsOwnHasNoneMarked() {
        MaskLensDialog dialog;
        MaskLens lens = madeUpLens();
        lens.used.reset();
        lens.inference.reset();
        dialog.showLens("ER-ACE", ClassNames{{"T-shirt", "Trouser", "Pullover", "Dress"}, {}}, lens);
        dialog.show();
        for (int column = 1; column < 5; ++column) QVERIFY(!header(&dialog, column).contains("the run"));
        QVERIFY(dialog.findChild<QLabel*>("maskLensHeading")->text().endsWith("hides classes in a way of its own"));
        QVERIFY(!dialog.findChild<QCheckBox*>("maskLensSeenOnly")->isVisible());
        QCOMPARE(dialog.windowTitle(), QString("Mask lens: ER-ACE"));
    }
};

PALIMPSEST_TEST(TestMaskLensFigure)

}  // namespace tst_mask_lens

#include "tst_mask_lens.moc"
