// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "engine/config/option_table.h"
#include "engine/report/averages.h"
#include "tests/support/measured_run.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/classified_images_dialog.h"
#include "ui/figures/confusion_view.h"
#include "ui/figures/heat_plot.h"
#include "ui/figures/loss_plot.h"
#include "ui/figures/matrix_view.h"
#include "ui/figures/moment_sentence.h"
#include "ui/figures/retention_plot.h"
#include "ui/figures/session_matrix.h"
#include "ui/plots/curve_graph.h"
#include "ui/plots/metric_chip.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/seed_means.h"
#include "ui/state/run_bridge.h"
#include "ui/state/window_state.h"
#include "ui/style/theme.h"
#include "ui/timeline/time_line.h"
#include "ui/timeline/time_track.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/picture_grid.h"
#include "ui/widgets/picture_loader.h"
#include "ui/window/curves_view.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_curves_view {

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

/// The pages on the screen.
struct Scene {
    Scene() {
        service->allowAll();
        QObject::connect(&bridge, &RunBridge::started, &store, &RunSet::onStarted);
        QObject::connect(&bridge, &RunBridge::evaluated, &store, &RunSet::onEvaluated);
        QObject::connect(&bridge, &RunBridge::sessionEnded, &store, &RunSet::onSessionEnded);
        QObject::connect(&bridge, &RunBridge::ended, &store, &RunSet::onEnded);
        accuracy = new AccuracyPlot(&store);
        retention = new RetentionPlot(&store);
        figures.histories.listenTo(&bridge);
        view = std::make_unique<CurvesView>(figures, service, accuracy, retention);
        view->resize(700, 560);
        showActive(*view);
    }

    /// Events of a run in this window.
    void live(bool everything = true) {
        bridge.setCurrentRun(1);
        struct Tell {
            RunBridge& bridge;
            void operator()(const RunStarted& event) const { Q_EMIT bridge.started(event); }
            void operator()(const UpdateDone& event) const { Q_EMIT bridge.updatesDone({event}); }
            void operator()(const MemoryHeld& event) const { Q_EMIT bridge.memoryHeld(event); }
            void operator()(const Evaluated& event) const { Q_EMIT bridge.evaluated(event); }
        };
        tellMeasuredRun(1, "", everything, Tell{bridge});
        for (std::int64_t session = 0; session < kSessions; ++session)
            Q_EMIT bridge.sessionEnded(madeUpSessionEnd(1, session));
    }

    /// The same run read from its folder, as the selected run.
    QString record(bool everything = true) {
        const MeasuredRun run = measureRun(folder.path().toStdString(), everything);
        const RunRecord record = readRun(OptionTable(testCatalogue()), run.folder);
        store.addRecord(record);
        const QString id = RunSet::idOf(run.folder.string(), 0);
        store.select(id);
        return id;
    }

    /// The sentence below the figures, which needs what a run measured.
    void setStory(bool wanted) {
        CurveOptions::Values values = figures.options.values();
        values.story = wanted;
        figures.options.set(values);
    }

    template <class T>
    T* find() const {
        return view->findChild<T*>();
    }

    QTemporaryDir folder;
    FigureState figures;
    RunSet& store = figures.runs;
    RunBridge bridge;
    std::shared_ptr<TestImageService> service = std::make_shared<TestImageService>();
    AccuracyPlot* accuracy;
    RetentionPlot* retention;
    std::unique_ptr<CurvesView> view;
};

void moveOver(QWidget* widget, QPointF point) {
    QMouseEvent move(QEvent::MouseMove, point, widget->mapToGlobal(point), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(widget, &move);
}

void leave(QWidget* widget) {
    QEvent event(QEvent::Leave);
    QCoreApplication::sendEvent(widget, &event);
}

}  // namespace

class TestCurvesView : public QObject {
    Q_OBJECT
private:
    static void fillAndCompare(const Scene& scene) {
        auto* classes = scene.find<ClassHeatPlot>();
        scene.view->showPage(CurvesView::kClasses);
        QTRY_COMPARE((classes->drawNow(), classes->content().xs.size()), std::size_t(12));
        QCOMPARE(classes->content().rows.size(), 10);
        QCOMPARE(classes->content().rows[1], QString("Trouser"));
        QCOMPARE(classes->content().xs.front(), 500.0);
        // (500 / 100 + 1) of ten images; the third class comes later.
        QCOMPARE(classes->content().at(0, 1), 0.6F);
        QVERIFY(std::isnan(classes->content().at(0, 2)));
        QCOMPARE(classes->content().at(11, 9), float((60 + 9) % 11) / 10);

        scene.view->showPage(CurvesView::kPrompts);
        auto* prompts = scene.find<PromptHeatPlot>();
        QTRY_COMPARE((prompts->drawNow(), prompts->content().xs.size()), std::size_t(12));
        // 50, 100, 150 and 200 more choices at each evaluation.
        QCOMPARE(prompts->content().at(3, 3), 0.4F);
        QCOMPARE(prompts->content().top, 0.4000000059604645);

        scene.view->showPage(CurvesView::kMemory);
        auto* memory = scene.find<MemoryHeatPlot>();
        QTRY_COMPARE((memory->drawNow(), memory->content().xs.size()), std::size_t(12));
        QCOMPARE(memory->content().at(0, 1), 10.0F);
        QVERIFY(std::isnan(memory->content().at(0, 2)));
        QCOMPARE(memory->content().at(11, 9), 2.0F);
        QCOMPARE(memory->content().top, 10.0);

        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        QTRY_COMPARE((loss->drawNow(), loss->canvas()->graphCount()), 1);
        QCOMPARE(loss->canvas()->graph(0)->dataCount(), 60);
        QCOMPARE(loss->canvas()->graph(0)->data()->at(0)->value, 2 / 1.1);

        scene.view->showPage(CurvesView::kSessions);
        auto* sessions = scene.find<SessionMatrix>();
        sessions->showNow();
        const MatrixContent& r = sessions->canvas()->content();
        QCOMPARE(r.rows.size(), 5);
        QCOMPARE(r.share(2, 1), 0.8 - 0.02);
        QVERIFY(std::isnan(r.share(1, 2)));

        scene.view->showPage(CurvesView::kConfusion);
        auto* confusion = scene.find<ConfusionView>();
        QTRY_VERIFY((confusion->showNow(), !confusion->canvas()->content().empty()));
        const MatrixContent& matrix = confusion->canvas()->content();
        QCOMPARE(confusion->shownMoment(), std::optional<std::int64_t>(6000));
        QCOMPARE(matrix.rows.size(), 10);
        QCOMPARE(matrix.columns.size(), 11);
        QCOMPARE(matrix.share(1, 1), 0.9);
        QCOMPARE(matrix.share(1, 2), 0.1);
        QCOMPARE(matrix.counts[matrix.place(0, 10)], 1);
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void everyPageShowsALiveRun() {
        Scene scene;
        scene.live();
        fillAndCompare(scene);
    }

    void everyPageShowsARunReadFromItsFolder() {
        Scene scene;
        scene.record();
        fillAndCompare(scene);
    }

    void anEmptyPageSaysWhy_data() {
        QTest::addColumn<int>("page");
        QTest::addColumn<QString>("text");
        QTest::newRow("prompts") << int(CurvesView::kPrompts) << "no prompts";
        QTest::newRow("pushes") << int(CurvesView::kPushes) << "without pushing classes";
        QTest::newRow("memory") << int(CurvesView::kMemory) << "the setting Memory gives";
        QTest::newRow("confusion") << int(CurvesView::kConfusion) << "older version";
        QTest::newRow("classes") << int(CurvesView::kClasses) << "single classes";
    }
    void anEmptyPageSaysWhy() {
        QFETCH(int, page);
        QFETCH(QString, text);
        Scene scene;
        scene.setStory(false);
        const QString id = scene.record(false);
        std::filesystem::remove_all(id.toStdString() + "/predictions");
        QFile classes(id + "/classes.csv");
        QVERIFY(classes.open(QIODevice::WriteOnly | QIODevice::Truncate));
        classes.write("samples_seen,class,accuracy,samples\n");
        classes.close();
        scene.view->showPage(static_cast<CurvesView::Page>(page));
        auto* shown = scene.view->findChild<QStackedWidget*>()->currentWidget();
        if (auto* plot = qobject_cast<PlotView*>(shown))
            QTRY_VERIFY2((plot->drawNow(), plot->invitation().contains(text)), qPrintable(plot->invitation()));
        else
            QTRY_VERIFY(qobject_cast<MatrixView*>(shown)->canvas()->invitation().contains(text));
    }

    void beforeARunEveryPageInvites() {
        Scene scene;
        for (int page = 0; page < CurvesView::kPages; ++page) {
            scene.view->showPage(static_cast<CurvesView::Page>(page));
            for (PlotView* plot : scene.view->findChildren<PlotView*>()) {
                if (!plot->isVisible()) continue;
                plot->drawNow();
                QVERIFY2(plot->invitation().contains("F5"), qPrintable(plot->objectName()));
            }
            for (MatrixView* view : scene.view->findChildren<MatrixView*>()) {
                if (view->isVisible())
                    QVERIFY2(view->canvas()->invitation().contains("F5"), qPrintable(view->objectName()));
            }
        }
    }

    void keysAndTabsChooseThePage() {
        Scene scene;
        // In a window the menu bar carries the keys.
        scene.view->addActions(scene.view->menu()->actions());
        QTest::keyClick(scene.view.get(), Qt::Key_5, Qt::ControlModifier);
        QCOMPARE(scene.view->page(), CurvesView::kLoss);
        auto* tab = scene.view->findChild<QToolButton*>("curvesTab5");
        QVERIFY(tab->isChecked());
        scene.view->findChild<QToolButton*>("curvesTab2")->click();
        QCOMPARE(scene.view->page(), CurvesView::kClasses);
        QVERIFY(!tab->isChecked());
        QVERIFY(scene.view->findChild<QAction*>("curvesPage2")->isChecked());
    }

    void oneFigureStandsAloneWhereTwoHaveNoRoom() {
        Scene scene;
        scene.live();
        QVERIFY(scene.accuracy->isVisible() && scene.retention->isVisible());
        const int both = scene.accuracy->canvas()->height();
        scene.view->resize(700, 400);
        auto* away = scene.accuracy->findChild<QToolButton*>("turnTo.retentionPlot");
        auto* back = scene.retention->findChild<QToolButton*>("turnTo.anytimePlot");
        QVERIFY(away && back);
        QTRY_VERIFY(!scene.retention->isVisible());
        QTRY_VERIFY(away->isVisible() && scene.accuracy->canvas()->height() > both);
        QCOMPARE(scene.view->publishedAs(), QString("anytime"));
        scene.accuracy->canvas()->setFocus();
        away->click();
        QVERIFY(scene.retention->isVisible() && !scene.accuracy->isVisible());
        QVERIFY(back->isVisible());
        QVERIFY(scene.retention->canvas()->hasFocus());
        QCOMPARE(scene.view->publishedAs(), QString("retention"));
        // With the room both come back, and the buttons go.
        scene.view->resize(700, 560);
        QTRY_VERIFY(scene.accuracy->isVisible() && scene.retention->isVisible());
        QVERIFY(!away->isVisible() && !back->isVisible());
        QTRY_VERIFY(std::abs(scene.accuracy->canvas()->height() - both) <= 4);
    }

    void theCursorOfOneFigureStandsInAllOthers() {
        Scene scene;
        scene.live();
        scene.accuracy->drawNow();
        scene.retention->drawNow();
        QCustomPlot* canvas = scene.accuracy->canvas();
        moveOver(canvas, {canvas->xAxis->coordToPixel(3000), 60});
        QCOMPARE(scene.figures.cursor.moment(), CurveCursor::Moment(3000));
        QVERIFY(scene.accuracy->readout());
        // Two sessions of 1,200 images have ended by then.
        QVERIFY(scene.retention->readout());
        QCOMPARE(scene.retention->readout()->heading, QString("after session 2 · 2,400 images"));
        leave(canvas);
        QVERIFY(!scene.accuracy->readout());
        QVERIFY(!scene.retention->readout());
        // The other way round.
        moveOver(scene.retention->canvas(), {scene.retention->canvas()->xAxis->coordToPixel(4), 60});
        QCOMPARE(scene.figures.cursor.moment(), CurveCursor::Moment(4800));
        // The nearest evaluation, though it comes later, and its number.
        QVERIFY(scene.accuracy->readout()->heading.startsWith("5,000 images"));
        leave(scene.retention->canvas());
    }

    void allPagesStandAtTheEvaluationNearestToTheMoment_data() {
        QTest::addColumn<int>("moment");
        QTest::addColumn<int>("nearest");
        QTest::newRow("before it") << 1600 << 1500;
        QTest::newRow("after it") << 1900 << 2000;
        QTest::newRow("before the first") << 100 << 500;
    }
    void allPagesStandAtTheEvaluationNearestToTheMoment() {
        QFETCH(int, moment);
        QFETCH(int, nearest);
        Scene scene;
        scene.record();
        scene.accuracy->drawNow();
        scene.figures.cursor.pin(moment);
        const QString images = QLocale(QLocale::English).toString(nearest) + " images";
        QVERIFY(scene.accuracy->readout());
        QVERIFY2(scene.accuracy->readout()->heading.startsWith(images), qPrintable(scene.accuracy->readout()->heading));
        scene.view->showPage(CurvesView::kConfusion);
        QTRY_COMPARE(scene.find<ConfusionView>()->shownMoment(), std::optional<std::int64_t>(nearest));
        for (const CurvesView::Page page :
             {CurvesView::kClasses, CurvesView::kPrompts, CurvesView::kMemory, CurvesView::kPushes}) {
            scene.view->showPage(page);
            auto* plot = qobject_cast<PlotView*>(scene.view->findChild<QStackedWidget*>()->currentWidget());
            plot->drawNow();
            QTRY_VERIFY(plot->readout());
            QCOMPARE(plot->readout()->heading, images);
        }
    }

    void aRunThatWasEvaluatedElsewhereSaysWhere() {
        Scene scene;
        scene.store.addRecord(madeUpRecord("/runs/a", "batch", 0.5, 1, 1000));
        RunRecord other = madeUpRecord("/runs/b", "none", 0.4, 1, 1000);
        for (AnytimePoint& point : other.anytime) {
            point.samples_seen -= 900;  // 100, 1,100, 2,100 ...
            point.accuracy = static_cast<double>(point.samples_seen) / 10000;
        }
        scene.store.addRecord(other);
        for (const char* id : {"/runs/a", "/runs/b"}) scene.store.setVisible(id, true);
        scene.store.select("/runs/a");
        scene.accuracy->drawNow();
        QCustomPlot* canvas = scene.accuracy->canvas();
        moveOver(canvas, {canvas->xAxis->coordToPixel(2000), 60});
        QVERIFY(scene.accuracy->readout());
        QVERIFY(scene.accuracy->readout()->heading.startsWith("2,000 images"));
        const QVector<Readout::Row> rows = scene.accuracy->readout()->rows;
        QCOMPARE(rows.size(), 3);
        for (const Readout::Row& row : rows) {
            if (row.name == "chance") continue;
            const bool own = row.name == scene.store.label("/runs/a");
            QCOMPARE(row.value.contains(" at "), !own);
            if (!own) QCOMPARE(row.value, QString("21.0 % at 2,100"));
            // The marker lies on the curve.
            QCOMPARE(row.at.x(), canvas->xAxis->coordToPixel(own ? 2000 : 2100));
        }
        leave(canvas);
    }

    void aClickKeepsTheMomentForAllPages() {
        Scene scene;
        scene.live();
        scene.accuracy->drawNow();
        QCustomPlot* canvas = scene.accuracy->canvas();
        const QPoint point(qRound(canvas->xAxis->coordToPixel(2000)), 60);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, point);
        leave(canvas);
        QCOMPARE(scene.figures.cursor.moment(), CurveCursor::Moment(2000));
        QVERIFY(scene.accuracy->readout());
        scene.view->showPage(CurvesView::kClasses);
        auto* classes = scene.find<ClassHeatPlot>();
        classes->drawNow();
        QTRY_VERIFY(classes->readout());
        QCOMPARE(classes->readout()->heading, QString("2,000 images"));
        QCOMPARE(classes->readout()->x, classes->canvas()->xAxis->coordToPixel(2000));
        scene.view->showPage(CurvesView::kSessions);
        auto* sessions = scene.find<SessionMatrix>();
        sessions->showNow();
        QCOMPARE(sessions->canvas()->markedRow(), 0);
        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        loss->drawNow();
        QTRY_VERIFY(loss->readout());
        loss->canvas()->setFocus();
        QTest::keyClick(loss->canvas(), Qt::Key_Escape);
        QCOMPARE(scene.figures.cursor.moment(), CurveCursor::Moment());
    }

    void aMomentOutOfSightIsNotShownElsewhere() {
        Scene scene;
        scene.record();
        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        QTRY_COMPARE((loss->drawNow(), loss->canvas()->graphCount()), 1);
        loss->canvas()->xAxis->setRange(0, 1000);
        loss->drawNow();
        scene.figures.cursor.pin(5000);
        QVERIFY(!loss->readout());
        loss->showAll();
        loss->drawNow();
        QVERIFY(loss->readout());
        QVERIFY2(loss->readout()->heading.startsWith("5,000"), qPrintable(loss->readout()->heading));
    }

    void retentionShowsNothingThatWasMeasuredLater() {
        Scene scene;
        RunRecord record = madeUpRecord("/runs/a", "batch");
        // The last session is empty, and the first has no test images, so nothing was measured after it.
        record.session_starts = {0, 1200, 2400, 3600, 6000};
        std::erase_if(record.retention, [](const RetentionPoint& point) { return point.session == 0; });
        scene.store.addRecord(record);
        scene.store.select("/runs/a");
        scene.accuracy->drawNow();
        scene.retention->drawNow();
        scene.figures.cursor.pin(2300);
        QVERIFY(!scene.retention->readout());
        scene.figures.cursor.pin(3500);
        QVERIFY(scene.retention->readout());
        QVERIFY2(scene.retention->readout()->heading.startsWith("after session 2 "),
                 qPrintable(scene.retention->readout()->heading));
        scene.figures.cursor.pin(6000);
        QVERIFY2(scene.retention->readout()->heading.startsWith("after session 5 "),
                 qPrintable(scene.retention->readout()->heading));
        scene.view->showPage(CurvesView::kSessions);
        auto* sessions = scene.find<SessionMatrix>();
        sessions->showNow();
        QCOMPARE(sessions->canvas()->content().share(4, 1), 0.5);
    }

    void theTimeLineLeadsAllPages() {
        Scene scene;
        const QString id = scene.record();
        TimeLine* line = scene.view->timeLine();
        line->showNow();
        QVERIFY(line->isEnabled());
        QCOMPARE(line->text(), QString("Now"));
        TimeTrack* track = line->track();
        const QPoint place(qRound(track->pixelOf(2100)), track->height() / 2);
        QTest::mouseClick(track, Qt::LeftButton, {}, place);
        QCOMPARE(scene.figures.cursor.pinned(), CurveCursor::Moment(2000));
        QCOMPARE(line->text(), QString("2,000 of 6,000 images, session 2"));
        // The history that the panel beside the figures needs is read.
        QTRY_VERIFY(scene.figures.histories.find(id));
        for (int page = 0; page < CurvesView::kPages; ++page) {
            scene.view->showPage(static_cast<CurvesView::Page>(page));
            QVERIFY(line->isVisible());
        }
        scene.view->showPage(CurvesView::kConfusion);
        QTRY_COMPARE(scene.find<ConfusionView>()->shownMoment(), std::optional<std::int64_t>(2000));
        scene.view->showPage(CurvesView::kPrompts);
        auto* prompts = scene.find<PromptHeatPlot>();
        prompts->drawNow();
        QTRY_VERIFY(prompts->readout());
        QCOMPARE(prompts->readout()->heading, QString("2,000 images"));
    }

    void theTimeLineStandsBelowTheImagesOfTheFigure() {
        Scene scene;
        scene.record();
        TimeLine* line = scene.view->timeLine();
        line->showNow();
        const TimeTrack* track = line->track();
        const auto below = [&](std::int64_t samples) {
            return track->mapTo(scene.view.get(), QPoint()).x() + track->pixelOf(samples);
        };
        const auto inFigure = [&](const PlotView* plot, double samples) {
            return plot->canvas()->mapTo(scene.view.get(), QPoint()).x() + plot->canvas()->xAxis->coordToPixel(samples);
        };
        const auto apart = [&](const PlotView* plot) {
            double most = 0;
            for (const std::int64_t samples : {0, 1500, 6000})
                most = std::max(most, std::abs(below(samples) - inFigure(plot, static_cast<double>(samples))));
            return most;
        };
        scene.accuracy->drawNow();
        QTRY_VERIFY(apart(scene.accuracy) < 0.6);
        const double end = below(6000);
        // The line still shows the whole run beside a part of the figure.
        scene.accuracy->canvas()->xAxis->setRange(1000, 2000);
        scene.accuracy->drawNow();
        QCOMPARE(below(6000), end);
        // Nor does a page without such an axis move it.
        scene.view->showPage(CurvesView::kConfusion);
        QCOMPARE(below(6000), end);
        // In a larger window it grows there, too, as on the stage.
        scene.view->resize(scene.view->size() + QSize(240, 0));
        QTRY_COMPARE(below(6000), end + 240);
        scene.view->resize(scene.view->size() - QSize(240, 0));
        QTRY_COMPARE(below(6000), end);
        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        loss->drawNow();
        QTRY_VERIFY(apart(loss) < 0.6);
        QVERIFY(below(6000) != end);
        QTRY_VERIFY(track->width() >= track->pixelOf(6000));
    }

    void theHistoryOfARunThatGoesOnIsTakenOverAsItIs() {
        Scene scene;
        RunStarted event = madeUpStart(1, "/runs/a", "batch");
        event.history = std::make_shared<RunHistory>();
        event.history->add(UpdateDone{1, 500, 1, 2.5, 0.5, 0.005});
        Q_EMIT scene.bridge.started(event);
        QCOMPARE(scene.figures.histories.find("/runs/a").get(), static_cast<const RunHistory*>(event.history.get()));
        Q_EMIT scene.bridge.updatesDone({UpdateDone{1, 510, 2, 2.4, 0.5, 0.005}});
        QCOMPARE(scene.figures.histories.find("/runs/a")->loss.size(), std::size_t(2));
    }

    void aLogarithmicAxisShowsAllAndComesBack() {
        Scene scene;
        scene.live();
        scene.accuracy->drawNow();
        auto* action = scene.view->findChild<QAction*>("curvesLogImages");
        action->trigger();
        scene.accuracy->drawNow();
        QCPAxis* axis = scene.accuracy->canvas()->xAxis;
        QCOMPARE(axis->scaleType(), QCPAxis::stLogarithmic);
        // No room before the first evaluation.
        QCOMPARE(axis->range().lower, double(scene.store.selected()->points.anytime().front().samples_seen));
        QCOMPARE(axis->range().upper, 6000.0);
        QVERIFY(action->isChecked());
        action->trigger();
        scene.accuracy->drawNow();
        QCOMPARE(axis->scaleType(), QCPAxis::stLinear);
        QCOMPARE(axis->range().lower, 0.0);
    }

    void figuresOfOneRunNameIt() {
        Scene scene;
        const QString id = scene.record();
        const auto captions = [&] {
            QStringList list;
            for (const CurvesView::Page page : {CurvesView::kClasses, CurvesView::kPrompts, CurvesView::kMemory,
                                                CurvesView::kSessions, CurvesView::kConfusion})
                scene.view->showPage(page);
            for (PlotView* plot : std::initializer_list<PlotView*>{
                     scene.find<ClassHeatPlot>(), scene.find<PromptHeatPlot>(), scene.find<MemoryHeatPlot>()}) {
                plot->drawNow();
                list.append(plot->panel()->caption());
            }
            scene.find<SessionMatrix>()->showNow();
            scene.find<ConfusionView>()->showNow();
            return list << scene.find<SessionMatrix>()->panel()->caption()
                        << scene.find<ConfusionView>()->panel()->caption();
        };
        scene.view->showPage(CurvesView::kConfusion);
        QTRY_COMPARE(scene.find<ConfusionView>()->shownMoment(), std::optional<std::int64_t>(6000));
        for (const QString& caption : captions())
            QVERIFY2(caption.startsWith(scene.store.label(id) + " · "), qPrintable(caption));
        // Under another name they are brought up to date.
        const QString before = scene.store.label(id);
        RunRecord other = madeUpRecord("/runs/other", "seen");
        other.experiment.name = scene.store.find(id)->facts->name.toStdString();
        scene.store.addRecord(other);
        scene.store.setVisible("/runs/other", true);
        QVERIFY(scene.store.label(id) != before);
        for (const QString& caption : captions())
            QVERIFY2(caption.startsWith(scene.store.label(id) + " · "), qPrintable(caption));
    }

    void aLogarithmicLossComesBackWithPlainNumbers() {
        QCustomPlot plot;
        plot.resize(400, 300);
        useLossTicks(*plot.yAxis);
        const auto labels = [&plot] {
            plot.replot();
            return plot.yAxis->tickVectorLabels();
        };
        plot.yAxis->setRange(0, 5200);
        const QVector<QString> plain = labels();
        QVERIFY2(plain.contains("4,000"), qPrintable(QStringList(plain).join(' ')));
        plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
        useLossTicks(*plot.yAxis);
        plot.yAxis->setRange(10, 5200);
        QVERIFY(labels() != plain);
        plot.yAxis->setScaleType(QCPAxis::stLinear);
        useLossTicks(*plot.yAxis);
        plot.yAxis->setRange(0, 5200);
        QCOMPARE(labels(), plain);
        plot.yAxis->setRange(0, 0.004);
        for (const QString& label : labels()) QVERIFY2(!label.contains('e'), qPrintable(label));

        Scene scene;
        scene.live();
        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        loss->drawNow();
        const QVector<QString> before = loss->canvas()->yAxis->tickVectorLabels();
        auto* action = scene.view->findChild<QAction*>("curvesLogLoss");
        for (int i = 0; i < 2; ++i) {
            action->trigger();
            loss->drawNow();
        }
        QCOMPARE(loss->canvas()->yAxis->tickVectorLabels(), before);
    }

    void aDoubleClickPinsNothing() {
        Scene scene;
        scene.live();
        scene.accuracy->drawNow();
        QCustomPlot* canvas = scene.accuracy->canvas();
        const QPoint point(static_cast<int>(canvas->xAxis->coordToPixel(3000)), 60);
        const auto doubleClick = [&] {
            QTest::mouseClick(canvas, Qt::LeftButton, {}, point);
            QMouseEvent second(QEvent::MouseButtonDblClick, point, canvas->mapToGlobal(point), Qt::LeftButton,
                               Qt::LeftButton, {});
            QApplication::sendEvent(canvas, &second);
            QTest::mouseRelease(canvas, Qt::LeftButton, {}, point);
        };
        doubleClick();
        QCOMPARE(scene.figures.cursor.pinned(), CurveCursor::Moment());
        // Points that stood elsewhere stay there.
        scene.figures.cursor.pin(1000);
        doubleClick();
        QCOMPARE(scene.figures.cursor.pinned(), CurveCursor::Moment(1000));
        // A click alone puts it down.
        QTest::mouseClick(canvas, Qt::LeftButton, {}, point);
        QVERIFY(scene.figures.cursor.pinned() != CurveCursor::Moment(1000));
    }

    void aSentenceSaysWhatHappenedAtTheMoment() {
        Scene scene;
        auto* sentence = scene.find<MomentSentence>();
        QVERIFY(sentence->isHidden());
        scene.live();
        QTRY_VERIFY(sentence->text().contains(" images: "));
        const QString newest = sentence->text();
        QVERIFY2(newest.startsWith("Session 5, after "), qPrintable(newest));
        const int height = sentence->height();
        scene.figures.cursor.pin(600);
        QTRY_VERIFY2(sentence->text().startsWith("Session 1, after 500 images: ") && sentence->text().contains("new"),
                     qPrintable(sentence->text()));
        // Nothing moves when the words change, and nothing stands there before the first evaluation.
        QCOMPARE(sentence->height(), height);
        scene.figures.cursor.pin(10);
        QTRY_COMPARE(sentence->text(), QString());
        scene.figures.cursor.pin({});
        QTRY_COMPARE(sentence->text(), newest);
        QVERIFY(sentence->isVisible());
        scene.view->findChild<QAction*>("curvesStory")->trigger();
        QTRY_VERIFY(sentence->isHidden());
    }

    void theSentenceOfARecordedRunIsThatOfItsEvents() {
        Scene live, recorded;
        live.live();
        recorded.record();
        QTRY_VERIFY(!live.find<MomentSentence>()->toolTip().isEmpty());
        QTRY_COMPARE(recorded.find<MomentSentence>()->toolTip(), live.find<MomentSentence>()->toolTip());
        // In a narrow view it is cut, not higher.
        auto* sentence = live.find<MomentSentence>();
        const int height = sentence->height();
        live.view->resize(260, 560);
        QTRY_VERIFY2(sentence->text().endsWith(QChar(0x2026)), qPrintable(sentence->text()));
        QCOMPARE(sentence->height(), height);
        QVERIFY(sentence->accessibleName().startsWith("Session 5, after "));
        // Before it is cut it is said in fewer words, so that the reason is read.
        const QString whole = sentence->accessibleName();
        bool brief = false;
        for (int width = 1600; width > 300; width -= 20) {
            live.view->resize(width, 560);
            QCoreApplication::processEvents();
            const QString text = sentence->text();
            brief |= text != whole && text.startsWith("After ") && text.endsWith('.');
        }
        QVERIFY(brief);
        QVERIFY(sentence->toolTip().contains(sentence->accessibleName().toHtmlEscaped()));
    }

    void aZoomedFigureFollowsTheNewestPoint() {
        Scene scene;
        scene.bridge.setCurrentRun(1);
        Q_EMIT scene.bridge.started(madeUpStart(1, "", "batch"));
        Q_EMIT scene.bridge.evaluated(measuredEvaluation(1, 500, false));
        scene.accuracy->drawNow();
        QCPAxis* axis = scene.accuracy->canvas()->xAxis;
        axis->setRange(0, 1000);
        Q_EMIT scene.bridge.evaluated(measuredEvaluation(1, 3000, false));
        scene.accuracy->drawNow();
        QCOMPARE(axis->range().upper, 1000.0);
        scene.view->findChild<QAction*>("curvesFollow")->trigger();
        scene.accuracy->drawNow();
        QVERIFY(axis->range().contains(3000));
        QCOMPARE(axis->range().size(), 1000.0);
    }

    void everyPageHasItsNumbersAsATableAndAFile() {
        Scene scene;
        scene.live();
        const QHash<int, QByteArray> starts{{CurvesView::kClasses, "samples_seen,T-shirt,Trouser"},
                                            {CurvesView::kSessions, "after session,1,2,3,4,5"},
                                            {CurvesView::kConfusion, "is,T-shirt"},
                                            {CurvesView::kLoss, "run,samples_seen,update,loss"},
                                            {CurvesView::kPrompts, "samples_seen,prompt 1"},
                                            {CurvesView::kMemory, "samples_seen,T-shirt"},
                                            {CurvesView::kPushes, "samples_seen,T-shirt"}};
        for (auto it = starts.begin(); it != starts.end(); ++it) {
            scene.view->showPage(static_cast<CurvesView::Page>(it.key()));
            auto* page = scene.view->findChild<QStackedWidget*>()->currentWidget();
            auto* plot = qobject_cast<PlotView*>(page);
            auto* matrix = qobject_cast<MatrixView*>(page);
            if (plot) plot->drawNow();
            if (matrix) matrix->showNow();
            plot ? plot->setTableShown(true) : matrix->setTableShown(true);
            auto* table = page->findChild<QTableView*>();
            QVERIFY2(table && table->isVisible(), qPrintable(page->objectName()));
            QVERIFY2(table->model()->rowCount() > 0, qPrintable(page->objectName()));
            QVERIFY(!table->model()->index(0, 1).data().toString().isEmpty());
            const auto source = scene.view->source();
            if (it.key() == CurvesView::kSessions) {
                QVERIFY(!source);
                QCOMPARE(scene.view->publishedAs(), QString("r-matrix"));
                QVERIFY(QByteArray::fromStdString(matrix->table().csv().toStdString()).startsWith(it.value()));
                continue;
            }
            const report::Publication all = source();
            QCOMPARE(all.pieces.size(), std::size_t(1));
            const report::Piece& piece = all.pieces.front();
            QVERIFY2(QByteArray::fromStdString(piece.csv).startsWith(it.value()), piece.csv.substr(0, 60).c_str());
            const bool drawn =
                it.key() != CurvesView::kLoss && it.key() != CurvesView::kMemory && it.key() != CurvesView::kPushes;
            QCOMPARE(piece.figure.has_value(), drawn);
            if (drawn) QVERIFY(report::pieceBytes(piece, report::PieceFormat::Svg, {}).size() > 500);
        }
    }

    void nothingIsReadWhileNobodyLooks() {
        Scene scene;
        scene.setStory(false);
        const QString id = scene.record();
        QVERIFY(!scene.figures.histories.reading(id));
        QVERIFY(!scene.figures.histories.find(id));
        scene.setStory(true);
        QVERIFY(scene.figures.histories.reading(id));
        QTRY_VERIFY(scene.figures.histories.find(id));
    }
};

PALIMPSEST_TEST(TestCurvesView)

}  // namespace tst_curves_view

#include "tst_curves_view.moc"
