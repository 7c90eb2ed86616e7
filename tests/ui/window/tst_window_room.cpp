// SPDX-License-Identifier: GPL-3.0-or-later
// Room that the figures keep in a small window with very large text.
#include <qcustomplot.h>

#include <QAction>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/plots/metric_chip.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/timeline/time_line.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/lane_controller.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_window_room {

namespace {

constexpr QSize kProjector(1280, 800);
constexpr double kShare = 0.4;  // of the window's height

/// A window as large as a projector, with all panels and two runs.
struct Scene {
    Scene(Appearance appearance, TextSize size, bool lanes) {
        window.resize(kProjector);
        showActive(window);
        for (const char* mask : {"none", "batch"}) {
            const std::string folder = std::string("/runs/") + mask;
            window.curves()->addRecord(madeUpRecord(folder, mask, 0.5));
            window.curves()->setVisible(QString::fromStdString(folder), true);
        }
        window.setAppearance(appearance);
        window.setTextSize(size);
        if (lanes) QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier);
    }
    QList<PlotView*> figures() const {
        QList<PlotView*> seen;
        for (PlotView* plot : window.curvesView()->findChildren<PlotView*>())
            if (plot->canvas()->isVisible()) seen.append(plot);
        return seen;
    }
    /// Pixels of height in which something is plotted.
    int plotted() const {
        int height = 0;
        for (const PlotView* plot : figures()) height += plot->canvas()->visibleRegion().boundingRect().height();
        return height;
    }
    template <class T>
    T* find(const QString& name) const {
        return window.findChild<T*>(name);
    }

    ScriptedRun script;
    QTemporaryDir runs;
    MainWindow window{script.laboratory(), runs.path().toStdString()};
};

void addSizes() {
    QTest::addColumn<Appearance>("appearance");
    QTest::addColumn<TextSize>("size");
    QTest::addColumn<bool>("lanes");
    const auto add = [](const char* name, Appearance appearance, TextSize size) {
        QTest::addRow("%s", name) << appearance << size << false;
        QTest::addRow("%s, two lanes", name) << appearance << size << true;
    };
    add("light", Appearance::Light, TextSize::Normal);
    add("projector", Appearance::Projector, TextSize::Normal);
    add("projector, the largest text", Appearance::Projector, TextSize::VeryLarge);
}

}  // namespace

class TestWindowRoom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() {
        applyTextSize(*qApp, TextSize::Normal);
        applyAppearance(*qApp, Appearance::Dark);
    }

    void plotsKeepTwoFifthsOfTheHeight_data() { addSizes(); }
    void plotsKeepTwoFifthsOfTheHeight() {
        QFETCH(Appearance, appearance);
        QFETCH(TextSize, size);
        QFETCH(bool, lanes);
        Scene scene(appearance, size, lanes);
        QCOMPARE(scene.window.lanes()->strip()->isVisible(), lanes);
        const auto kept = [&] { return scene.plotted() >= kShare * kProjector.height(); };
        const auto told = [&] { return QByteArray::number(scene.plotted()) + " pixels"; };
        for (const CurvesView::Page page : {CurvesView::kAccuracy, CurvesView::kClasses, CurvesView::kLoss}) {
            scene.window.curvesView()->showPage(page);
            QTRY_VERIFY2(kept(), told());
            // The time line has found its place below the figure; that takes nothing away.
            for (PlotView* plot : scene.figures()) plot->drawNow();
            QTRY_VERIFY2(kept(), told());
            QVERIFY(!scene.figures().isEmpty());
        }
        QCOMPARE(scene.window.size(), kProjector);
        for (const char* part : {"experimentDock", "nowDock", "runsDock"})
            QVERIFY2(scene.find<QWidget>(part)->isVisible(), part);
    }

    void messagesCoverNeitherTheRunsNorTheTimeLine_data() { addSizes(); }
    void messagesCoverNeitherTheRunsNorTheTimeLine() {
        QFETCH(Appearance, appearance);
        QFETCH(TextSize, size);
        QFETCH(bool, lanes);
        Scene scene(appearance, size, lanes);
        MessageBar* bar = scene.window.messages();
        bar->showMessage(MessageBar::Kind::Error, "The folder is full.", "Choose another.", {"Choose", [] {}});
        const auto placeOf = [&](const QWidget* widget) {
            return QRect(widget->mapTo(&scene.window, QPoint()), widget->size());
        };
        const auto covers = [&](const QWidget* widget) { return placeOf(bar).intersects(placeOf(widget)); };
        QVERIFY(bar->isVisible());
        const CurvesView* curves = scene.window.curvesView();
        QTRY_VERIFY(covers(curves->figures()));
        QTRY_VERIFY(!covers(scene.find<QTableView>("runsTable")) && !covers(curves->timeLine()));
        // As high as the panels beside them are now.
        scene.find<QWidget>("runsDock")->hide();
        QTRY_VERIFY(placeOf(curves->figures()).bottom() - placeOf(bar).bottom() == MessageFloat::kGap);
        QVERIFY(!covers(curves->timeLine()));
    }

    void theListOfRunsKeepsARow_data() { addSizes(); }
    void theListOfRunsKeepsARow() {
        QFETCH(Appearance, appearance);
        QFETCH(TextSize, size);
        QFETCH(bool, lanes);
        Scene scene(appearance, size, lanes);
        auto* table = scene.find<QTableView>("runsTable");
        QTRY_VERIFY2(table->viewport()->height() >= 0.9 * table->verticalHeader()->defaultSectionSize(),
                     QByteArray::number(table->viewport()->height()));
        const auto place = [&] { return QRect(table->mapTo(&scene.window, QPoint()), table->size()); };
        QTRY_VERIFY2(scene.window.rect().contains(place()),
                     qPrintable(QString("to %1, %2").arg(place().right()).arg(place().bottom())));
    }

    void noNameOfAPageIsCut_data() { addSizes(); }
    void noNameOfAPageIsCut() {
        QFETCH(Appearance, appearance);
        QFETCH(TextSize, size);
        QFETCH(bool, lanes);
        Scene scene(appearance, size, lanes);
        const auto* row = scene.find<QWidget>("curvesTabs");
        const auto whole = [row](const QToolButton* tab) {
            const QString name = tab->defaultAction()->text();
            const bool sign = tab->toolButtonStyle() == Qt::ToolButtonIconOnly && !tab->icon().isNull();
            return tab->isVisible() && row->rect().contains(tab->geometry()) && tab->accessibleName() == name &&
                   !tab->toolTip().isEmpty() && tab->width() >= tab->sizeHint().width() &&
                   (sign || tab->text() == name);
        };
        for (int page = 0; page < CurvesView::kPages; ++page) {
            scene.window.curvesView()->showPage(static_cast<CurvesView::Page>(page));
            for (int i = 1; i <= CurvesView::kPages; ++i) {
                const auto* tab = scene.find<QToolButton>(QStringLiteral("curvesTab%1").arg(i));
                QTRY_VERIFY2(whole(tab), qPrintable(tab->text()));
            }
        }
        const auto* end = scene.find<QWidget>("curvesOptions");
        QVERIFY(end->isVisible() && row->rect().contains(end->geometry()));
    }

    void theHeadingOfAFigureKeepsItsNumber_data() { addSizes(); }
    void theHeadingOfAFigureKeepsItsNumber() {
        QFETCH(Appearance, appearance);
        QFETCH(TextSize, size);
        QFETCH(bool, lanes);
        Scene scene(appearance, size, lanes);
        const AccuracyPlot* plot = scene.window.findChild<AccuracyPlot*>();
        const MetricChip* chip = plot->chip();
        QTRY_VERIFY(chip->isVisible());
        QTRY_VERIFY2(chip->width() >= chip->minimumSizeHint().width(), QByteArray::number(chip->width()));
        const auto* table = scene.find<QToolButton>("anytimeTableButton");
        QTRY_VERIFY(table->width() >= table->sizeHint().width());
        QVERIFY(!table->icon().isNull() && !table->toolTip().isEmpty());
    }

    void namesTakeAThirdOfAFigureAtMost_data() {
        QTest::addColumn<int>("runs");
        QTest::addColumn<QSize>("window");
        QTest::addColumn<TextSize>("text");
        for (const QSize window : {kProjector, QSize(1920, 1080), QSize(3840, 2160)})
            for (const int runs : {2, 10, 20})
                for (const TextSize text : {TextSize::Normal, TextSize::VeryLarge})
                    QTest::addRow("%d runs, %d wide, text %d", runs, window.width(), int(text))
                        << runs << window << text;
    }
    void namesTakeAThirdOfAFigureAtMost() {
        QFETCH(int, runs);
        QFETCH(QSize, window);
        QFETCH(TextSize, text);
        Scene scene(Appearance::Light, text, false);
        for (int i = 2; i < runs; ++i) {
            const std::string folder = "/runs/run-" + std::to_string(i);
            RunRecord record = madeUpRecord(folder, i % 2 == 0 ? "none" : "batch", 0.3 + 0.02 * i);
            record.experiment.name = "A name as long as people give them, number " + std::to_string(i);
            record.experiment.seed = i;
            scene.window.curves()->addRecord(record);
            scene.window.curves()->setVisible(QString::fromStdString(folder), true);
        }
        QCOMPARE(scene.window.curves()->visibleRuns().size(), std::size_t(runs));
        const auto* plot = scene.window.findChild<AccuracyPlot*>();
        const auto names = [&] {
            const QCustomPlot& canvas = *plot->canvas();
            return double(canvas.width() - canvas.axisRect()->right()) / std::max(1, canvas.width());
        };
        for (const QSize& size : {window, QSize(3840, 2160), window}) {
            scene.window.resize(size);
            QTRY_COMPARE(scene.window.size(), size);
            for (PlotView* figure : scene.figures()) figure->drawNow();
            QTRY_VERIFY2(names() <= 1.0 / 3 + 0.002, QByteArray::number(names()));
        }
        const double curves = plot->canvas()->axisRect()->width();
        qInfo("curves: %.0f %% of the figure, %.0f %% of the window", 100 * curves / plot->canvas()->width(),
              100 * curves / window.width());
    }

    void aPersonsBorderStaysWhereItWasPut() {
        Scene scene(Appearance::Projector, TextSize::Normal, false);
        auto* runs = scene.find<QWidget>("runsDock");
        QTRY_VERIFY(scene.plotted() >= kShare * kProjector.height());
        QCoreApplication::processEvents();
        auto* docks = scene.find<QWidget>("windowDocks");
        const int before = runs->height();
        const QPoint border(runs->geometry().center().x(), runs->geometry().top() - 2);
        QTest::mousePress(docks, Qt::LeftButton, {}, border);
        const QPointF to(border - QPoint(0, 60));
        QMouseEvent move(QEvent::MouseMove, to, docks->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(docks, &move);
        QTRY_VERIFY(runs->height() >= before + 50);
        QTest::mouseRelease(docks, Qt::LeftButton, {}, to.toPoint());
        const int put = runs->height();
        QTest::keyClick(&scene.window, Qt::Key_L, Qt::ControlModifier);
        QTRY_VERIFY(scene.window.lanes()->strip()->isVisible());
        QCoreApplication::processEvents();
        QCOMPARE(runs->height(), put);
    }
};

PALIMPSEST_TEST(TestWindowRoom)

}  // namespace tst_window_room

#include "tst_window_room.moc"
