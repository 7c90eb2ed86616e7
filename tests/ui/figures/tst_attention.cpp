// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <atomic>
#include <mutex>

#include "engine/run/attention.h"
#include "engine/support/error.h"
#include "tests/support/figure_scene.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/figures/attention_controller.h"
#include "ui/figures/attention_dialog.h"
#include "ui/figures/attention_maps.h"
#include "ui/state/run_controller.h"
#include "ui/style/colours.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_attention_figure {

namespace {

/// Two blocks over 2 x 2 patches of a white image; prompts in the first block alone.
ImageAttention madeUpAttention() {
    ImageAttention attention;
    attention.samples_seen = 3000;
    attention.image = 4;
    attention.images = 20;
    attention.label = 1;
    attention.side = 2;
    attention.class_names = {"T-shirt", "Trouser"};
    attention.picture = {8, 1, std::vector<std::uint8_t>(8 * 8 * 3, 255)};
    attention.without = {{{0.1F, 0.6F, 0.1F, 0.1F}, 0.1, 0, 0}, {{0.1F, 0.1F, 0.1F, 0.5F}, 0.2, 0, 0}};
    attention.with = {{{0.1F, 0.2F, 0.1F, 0.1F}, 0.1, 0.4, 3}, {{0.1F, 0.1F, 0.3F, 0.3F}, 0.2, 0, 0}};
    attention.chosen = {2};
    return attention;
}

struct AttentionScene : FigureScene {
    struct Looks {
        std::mutex mutex;
        std::vector<std::pair<std::int64_t, std::optional<std::int64_t>>> asked;
        std::string failure;
        bool prompts = true;
        std::atomic<bool> held = false, given_up = false;
        std::size_t count() {
            const std::lock_guard lock(mutex);
            return asked.size();
        }
        std::pair<std::int64_t, std::optional<std::int64_t>> last() {
            const std::lock_guard lock(mutex);
            return asked.back();
        }
    };
    std::shared_ptr<Looks> looks = std::make_shared<Looks>();
    QWidget window;
    ScriptedRun script;
    OptionTable table{ScriptedRun::catalogue()};
    RunController runs{&table, script.function()};
    AttentionController controller{[looks = looks](const std::filesystem::path&, std::int64_t image,
                                                   std::optional<std::int64_t> at, std::stop_token stop) {
                                       ImageAttention attention = madeUpAttention();
                                       {
                                           const std::lock_guard lock(looks->mutex);
                                           looks->asked.emplace_back(image, at);
                                           if (!looks->failure.empty()) throw inputError(looks->failure, "Do this.");
                                           if (!looks->prompts) attention.with.clear();
                                       }
                                       while (looks->held && !stop.stop_requested()) std::this_thread::yield();
                                       if (stop.stop_requested()) looks->given_up = true;
                                       attention.image = image;
                                       attention.samples_seen = at ? *at / 1000 * 1000 : 3000;
                                       return std::make_shared<const ImageAttention>(attention);
                                   },
                                   &runs, &store, &cursor, &window};

    AttentionScene() { window.show(); }
    ~AttentionScene() { looks->held = false; }
    AttentionDialog* dialog() const { return controller.dialog(); }
    QString words(const char* name) const { return dialog()->findChild<QLabel*>(name)->text(); }
    bool empty(const QString& part) const {
        return !dialog()->showsWeights() && words("attentionNothing").contains(part);
    }
    AttentionMaps* maps() const { return dialog()->findChild<AttentionMaps*>("attentionMaps"); }
};

}  // namespace

class TestAttentionFigure : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void withoutARunOrFolderItSaysWhatToDo() {
        AttentionScene scene;
        scene.controller.showDialog();
        QVERIFY2(scene.empty("no run to look at"), qPrintable(scene.words("attentionNothing")));
        QVERIFY(!scene.words("attentionNothing").contains('{'));
        scene.live();
        QTRY_VERIFY2(scene.empty("keeps no folder"), qPrintable(scene.words("attentionNothing")));
        QCOMPARE(scene.looks->count(), std::size_t{0});
    }

    void mapsOfBothRowsHaveOneScaleAndCrispCells() {
        AttentionScene scene;
        scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        QVERIFY(scene.dialog()->objectName() == "attentionDialog" && !scene.dialog()->isModal());
        AttentionMaps* maps = scene.maps();
        QCOMPARE(maps->rows(), 2);
        QCOMPARE(maps->blocks(), 2);
        QVERIFY(std::abs(maps->largest() - 0.6) < 1e-6);
        QCOMPARE(static_cast<int>(maps->mapRect(0, 0).width()) % 2, 0);
        QVERIFY(!maps->mapRect(0, 0).intersects(maps->mapRect(1, 0)));
        QVERIFY(!maps->mapRect(0, 0).intersects(maps->mapRect(0, 1)));
        QVERIFY(maps->barRect(0).height() > 0 && maps->barRect(1).height() == 0);
        QVERIFY(QRectF(maps->rect()).contains(maps->barRect(0)));
        QVERIFY(QRectF(maps->rect()).contains(maps->mapRect(1, 1)));

        const QImage drawn = maps->grab().toImage();
        const auto colourAt = [&](QPointF point) {
            return drawn.pixelColor((point * drawn.devicePixelRatio()).toPoint());
        };
        const auto cell = [&](int row, int block, int x, int y) {
            const QRectF rect = maps->mapRect(row, block);
            return colourAt(rect.topLeft() + QPointF((x + 0.5) * rect.width() / 2, (y + 0.5) * rect.height() / 2));
        };
        // The same share has the same colour in every map, and the strongest is the lightest; the picture is faint.
        QCOMPARE(cell(0, 0, 0, 0), cell(1, 1, 1, 0));
        QVERIFY(cell(0, 0, 1, 0) != cell(0, 1, 1, 1));
        const QColor most(heatColour(1));
        const int red = static_cast<int>(0.82 * most.red() + 0.18 * 255);
        QVERIFY2(std::abs(cell(0, 0, 1, 0).red() - red) <= 3, qPrintable(cell(0, 0, 1, 0).name()));
        QCOMPARE(colourAt(maps->barRect(0).center()).name(), Theme::of(maps).accent.name());
    }

    void wordsSayWhatIsSeen() {
        AttentionScene scene;
        scene.record();
        scene.controller.showImage(4);
        QTRY_VERIFY(scene.dialog()->showsWeights());
        QCOMPARE(scene.looks->last().first, std::int64_t{4});
        QCOMPARE(scene.words("attentionHeading"), QString("Trouser · After 3,000 images · prompt 3 of the pool"));
        QVERIFY2(scene.words("attentionSentence")
                     .startsWith("In block 1 the prompts take 40.0 % of the class token's attention"),
                 qPrintable(scene.words("attentionSentence")));
        AttentionMaps* maps = scene.maps();
        // What is spoken of is what is framed, at first and wherever the user goes.
        QCOMPARE(scene.words("attentionCurrent"), maps->mapText(1, 0));
        QTest::keyClick(maps, Qt::Key_Right);
        QCOMPARE(maps->currentBlock(), 1);
        QVERIFY2(scene.words("attentionSentence").startsWith("In block 2 there are no prompts"),
                 qPrintable(scene.words("attentionSentence")));
        for (const char* word : {"A block is", "The class token is"})
            QVERIFY(scene.words("attentionWords").contains(word));
        const QRectF rect = maps->mapRect(0, 0);
        QVERIFY(maps->textAt((rect.topRight() + QPointF(-3, 3)).toPoint()).startsWith("Row 1, column 2: 60.0 %"));
        QVERIFY(maps->textAt(QPoint(1, 1)).isEmpty());
    }

    void arrowKeysGoFromMapToMapAndEachHasItsText() {
        AttentionScene scene;
        scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        AttentionMaps* maps = scene.maps();
        QTest::keyClick(maps, Qt::Key_Down);
        QCOMPARE(
            maps->accessibleDescription(),
            QString("Block 1, with the prompts of the run · strongest patch in row 1, column 2, 20.0 % · the class "
                    "token itself 10.0 % · 3 prompt tokens together 40.0 %"));
        QTest::keyClick(maps, Qt::Key_Right);
        QTest::keyClick(maps, Qt::Key_Right);
        QCOMPARE(maps->currentBlock(), 1);
        QVERIFY(scene.words("attentionCurrent").endsWith("no prompts in this block"));
        QTest::mouseClick(maps, Qt::LeftButton, {}, maps->mapRect(0, 0).center().toPoint());
        QCOMPARE(maps->currentRow(), 0);
        QCOMPARE(maps->currentBlock(), 0);
    }

    void theChosenMomentAndImageAreLookedAt() {
        AttentionScene scene;
        scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        QVERIFY(!scene.looks->last().second);
        scene.cursor.pin(2500);
        QTRY_VERIFY(scene.words("attentionHeading").contains("After 2,000 images, the nearest checkpoint up to 2,500"));
        auto* image = scene.dialog()->findChild<QSpinBox*>("attentionImage");
        QCOMPARE(image->maximum(), 19);
        QCOMPARE(scene.words("attentionRange"), QString("of the 20 of the test set, counted from 0"));
        image->setValue(7);
        QTRY_COMPARE(scene.looks->last().first, std::int64_t{7});
        // Where the mouse merely rests nothing is read.
        const std::size_t count = scene.looks->count();
        scene.cursor.hover(1000);
        QTest::qWait(500);
        QCOMPARE(scene.looks->count(), count);
    }

    void aMethodWithoutPromptsHasOneRow() {
        AttentionScene scene;
        scene.looks->prompts = false;
        scene.record();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
        QCOMPARE(scene.maps()->rows(), 1);
        QCOMPARE(scene.maps()->currentBlock(), 1);
        QVERIFY(scene.words("attentionSentence").startsWith("The method of this run has no prompts"));
        QVERIFY(scene.maps()->barRect(0).isEmpty());
    }

    /// Where the figure is high, a single row of maps goes on below instead of leaving it empty.
    void aSingleRowFillsAHighFigure() {
        ImageAttention attention = madeUpAttention();
        attention.with.clear();
        AttentionMaps maps;
        maps.resize(1000, 400);
        maps.setAttention(std::make_shared<const ImageAttention>(attention));
        QCOMPARE(maps.mapRect(0, 0).top(), maps.mapRect(0, 1).top());
        const double beside = maps.mapRect(0, 0).width();
        maps.resize(600, 700);
        const QRectF first = maps.mapRect(0, 0), second = maps.mapRect(0, 1);
        QVERIFY(second.top() > first.bottom() && second.left() == first.left());
        QVERIFY(QRectF(maps.rect()).contains(first) && QRectF(maps.rect()).contains(second));
        QVERIFY2(first.width() > 228 && beside > 0, "side by side each has less than 228 pixels");
        QCOMPARE(maps.currentBlock(), 1);
        QTest::keyClick(&maps, Qt::Key_Up);
        QCOMPARE(maps.currentBlock(), 0);
        QTest::keyClick(&maps, Qt::Key_Up);
        QCOMPARE(maps.currentBlock(), 0);
        QTest::keyClick(&maps, Qt::Key_Down);
        QCOMPARE(maps.currentBlock(), 1);
        QVERIFY(maps.textAt(second.center().toPoint()).contains("Block 2"));
    }

    void aRefusalIsSaidAndALookThatNobodyWaitsForIsGivenUp() {
        AttentionScene scene;
        scene.record();
        scene.looks->failure = "The run keeps no checkpoints.";
        scene.controller.showDialog();
        QTRY_COMPARE(scene.words("attentionNothing"), QString("The run keeps no checkpoints. Do this."));
        scene.dialog()->findChild<QPushButton*>("attentionClose")->click();
        {
            const std::lock_guard lock(scene.looks->mutex);
            scene.looks->failure.clear();
        }
        scene.looks->held = true;
        const std::size_t before = scene.looks->count();
        scene.controller.showDialog();
        QTRY_VERIFY(scene.looks->count() > before);
        QVERIFY(scene.empty("Looking"));
        QTest::keyClick(scene.dialog(), Qt::Key_Escape);
        QTRY_VERIFY(scene.looks->given_up);
        scene.looks->held = false;
        scene.controller.showDialog();
        QTRY_VERIFY(scene.dialog()->showsWeights());
    }
};

PALIMPSEST_TEST(TestAttentionFigure)

}  // namespace tst_attention_figure

#include "tst_attention.moc"
