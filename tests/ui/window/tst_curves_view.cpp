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
#include "ui/figures/heat_pages.h"
#include "ui/figures/loss_plot.h"
#include "ui/figures/matrix_table.h"
#include "ui/figures/retention_plot.h"
#include "ui/figures/session_matrix.h"
#include "ui/plots/curve_graph.h"
#include "ui/plots/metric_chip.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/session_band.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_set.h"
#include "ui/style/theme.h"
#include "ui/timeline/time_line.h"
#include "ui/timeline/time_track.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/picture_grid_model.h"
#include "ui/widgets/picture_loader.h"
#include "ui/window/curves_view.h"

using namespace palimpsest;
using namespace palimpsest::testing;

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
        view = std::make_unique<CurvesView>(&store, &bridge, service, accuracy, retention);
        view->resize(700, 560);
        showActive(*view);
    }

    /// What a run in this window tells.
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

    /// The same run read from its folder, as the run in full colour.
    QString record(bool everything = true) {
        const MeasuredRun run = measureRun(folder.path().toStdString(), everything);
        const RunRecord record = readRun(OptionTable(testCatalogue()), run.folder);
        store.addRecord(record);
        const QString id = RunSet::idOf(run.folder.string(), 0);
        store.setPrimary(id);
        return id;
    }

    template <class T>
    T* find() const {
        return view->findChild<T*>();
    }

    QTemporaryDir folder;
    RunSet store;
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
        QTest::newRow("memory") << int(CurvesView::kMemory) << "the setting Memory gives";
        QTest::newRow("confusion") << int(CurvesView::kConfusion) << "older version";
        QTest::newRow("classes") << int(CurvesView::kClasses) << "single classes";
    }
    void anEmptyPageSaysWhy() {
        QFETCH(int, page);
        QFETCH(QString, text);
        Scene scene;
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
        QCOMPARE(scene.view->cursor()->moment(), CurveCursor::Moment(3000));
        QVERIFY(scene.accuracy->readout());
        // Two sessions of 1,200 images have ended by then.
        QVERIFY(scene.retention->readout());
        QCOMPARE(scene.retention->readout()->heading, QString("after session 2 · 2,400 images"));
        leave(canvas);
        QVERIFY(!scene.accuracy->readout());
        QVERIFY(!scene.retention->readout());
        // The other way round.
        moveOver(scene.retention->canvas(), {scene.retention->canvas()->xAxis->coordToPixel(4), 60});
        QCOMPARE(scene.view->cursor()->moment(), CurveCursor::Moment(4800));
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
        scene.view->cursor()->pin(moment);
        const QString images = QLocale(QLocale::English).toString(nearest) + " images";
        QVERIFY(scene.accuracy->readout());
        QVERIFY2(scene.accuracy->readout()->heading.startsWith(images), qPrintable(scene.accuracy->readout()->heading));
        scene.view->showPage(CurvesView::kConfusion);
        QTRY_COMPARE(scene.find<ConfusionView>()->shownMoment(), std::optional<std::int64_t>(nearest));
        for (const CurvesView::Page page : {CurvesView::kClasses, CurvesView::kPrompts, CurvesView::kMemory}) {
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
        scene.store.setPrimary("/runs/a");
        scene.accuracy->drawNow();
        QCustomPlot* canvas = scene.accuracy->canvas();
        moveOver(canvas, {canvas->xAxis->coordToPixel(2000), 60});
        QVERIFY(scene.accuracy->readout());
        QVERIFY(scene.accuracy->readout()->heading.startsWith("2,000 images"));
        const QVector<Readout::Row> rows = scene.accuracy->readout()->rows;
        QCOMPARE(rows.size(), 2);
        for (const Readout::Row& row : rows) {
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
        QCOMPARE(scene.view->cursor()->moment(), CurveCursor::Moment(2000));
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
        QCOMPARE(scene.view->cursor()->moment(), CurveCursor::Moment());
    }

    void aMomentOutOfSightIsNotShownElsewhere() {
        Scene scene;
        scene.record();
        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        QTRY_COMPARE((loss->drawNow(), loss->canvas()->graphCount()), 1);
        loss->canvas()->xAxis->setRange(0, 1000);
        loss->drawNow();
        scene.view->cursor()->pin(5000);
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
        scene.store.setPrimary("/runs/a");
        scene.accuracy->drawNow();
        scene.retention->drawNow();
        scene.view->cursor()->pin(2300);
        QVERIFY(!scene.retention->readout());
        scene.view->cursor()->pin(3500);
        QVERIFY(scene.retention->readout());
        QVERIFY2(scene.retention->readout()->heading.startsWith("after session 2 "),
                 qPrintable(scene.retention->readout()->heading));
        scene.view->cursor()->pin(6000);
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
        QCOMPARE(scene.view->cursor()->pinned(), CurveCursor::Moment(2000));
        QCOMPARE(line->text(), QString("2,000 of 6,000 images, session 2"));
        // What the panel beside the figures needs is read.
        QTRY_VERIFY(scene.view->histories()->find(id));
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
        // Of a part of the figure the line still shows the whole.
        scene.accuracy->canvas()->xAxis->setRange(1000, 2000);
        scene.accuracy->drawNow();
        QCOMPARE(below(6000), end);
        // Nor does a page without such an axis move it.
        scene.view->showPage(CurvesView::kConfusion);
        QCOMPARE(below(6000), end);
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
        event.history->take(UpdateDone{1, 500, 1, 2.5, 0.5, 0.005});
        Q_EMIT scene.bridge.started(event);
        QCOMPARE(scene.view->histories()->find("/runs/a").get(), static_cast<const RunHistory*>(event.history.get()));
        Q_EMIT scene.bridge.updatesDone({UpdateDone{1, 510, 2, 2.4, 0.5, 0.005}});
        QCOMPARE(scene.view->histories()->find("/runs/a")->loss.size(), std::size_t(2));
    }

    void theRMatrixEndsAtTheChosenMoment() {
        Scene scene;
        scene.live();
        scene.view->showPage(CurvesView::kSessions);
        auto* sessions = scene.find<SessionMatrix>();
        sessions->showNow();
        const auto known = [sessions] {
            const MatrixContent& content = sessions->canvas()->content();
            return std::count_if(content.shares.begin(), content.shares.end(), [](double x) { return !std::isnan(x); });
        };
        QCOMPARE(known(), 15);
        scene.view->cursor()->pin(2500);
        sessions->showNow();
        QCOMPARE(known(), 3);
        QVERIFY(sessions->panel()->caption().contains("2,500"));
        QVERIFY(sessions->panel()->caption().startsWith(scene.store.label(scene.store.primary()->id)));
        scene.view->cursor()->pin(std::nullopt);
        sessions->showNow();
        QCOMPARE(known(), 15);
    }

    void theConfusionMatrixGoesToTheSharedMoment() {
        Scene scene;
        scene.record();
        scene.view->showPage(CurvesView::kConfusion);
        auto* view = scene.find<ConfusionView>();
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(6000));
        scene.view->cursor()->pin(2100);
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(2000));
        QCOMPARE(view->canvas()->content().rows.size(), 4);
        QVERIFY(view->panel()->caption().contains("2,000"));
        scene.view->findChild<QToolButton*>("confusionEarlier")->click();
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(1500));
        for (int i = 0; i < 12; ++i) scene.view->findChild<QToolButton*>("confusionLater")->click();
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(6000));
        QCOMPARE(scene.view->cursor()->pinned(), CurveCursor::Moment());
    }

    void aDamagedMomentIsToldAndTheOthersStay() {
        Scene scene;
        const QString id = scene.record();
        QFile file(id + "/predictions/00002000.npy");
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("no list");
        file.close();
        scene.view->showPage(CurvesView::kConfusion);
        auto* view = scene.find<ConfusionView>();
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(6000));
        scene.view->cursor()->pin(2000);
        QTRY_VERIFY(view->canvas()->invitation().contains("00002000.npy"));
        QVERIFY(!view->shownMoment());
        scene.view->cursor()->pin(2500);
        QTRY_COMPARE(view->shownMoment(), std::optional<std::int64_t>(2500));
    }

    void aCellOpensTheImagesBehindIt() {
        Scene scene;
        scene.record();
        scene.view->showPage(CurvesView::kConfusion);
        auto* view = scene.find<ConfusionView>();
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

    void theArrowsWalkAndReturnOpens() {
        Scene scene;
        scene.record();
        scene.view->showPage(CurvesView::kConfusion);
        auto* view = scene.find<ConfusionView>();
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

    void smoothingIsDrawnOverTheLineAndNotInItsPlace() {
        Scene scene;
        scene.live();
        scene.accuracy->drawNow();
        const int before = scene.accuracy->canvas()->graphCount();
        scene.view->findChild<QAction*>("curvesSmoothing5")->trigger();
        scene.accuracy->drawNow();
        QCOMPARE(scene.accuracy->canvas()->graphCount(), before + 1);
        int lines = 0;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            lines += scene.accuracy->canvas()->graph(i)->dataCount() == 12;
        QCOMPARE(lines, 2);
    }

    void aSmoothedCurveHasOneNameWhereItsMeanEnds() {
        Scene scene;
        RunRecord record = madeUpRecord("/runs/a", "batch", 0.5, 1, 500);
        for (AnytimePoint& point : record.anytime) point.accuracy = point.samples_seen < kImages ? 0.8 : 0.1;
        scene.store.addRecord(record);
        scene.store.setPrimary("/runs/a");
        scene.view->findChild<QAction*>("curvesSmoothing20")->trigger();
        scene.accuracy->drawNow();
        const std::vector<QString> texts = scene.accuracy->labelTexts();
        QCOMPARE(texts.size(), std::size_t(1));
        QVERIFY2(texts[0].contains("10.0 %, mean "), qPrintable(texts[0]));
        const QCustomPlot* canvas = scene.accuracy->canvas();
        const double mean = texts[0].section("mean ", 1).section(' ', 0, 0).toDouble();
        QVERIFY(mean > 60);
        const double named = scene.accuracy->labelRects()[0].center().y();
        QVERIFY(std::abs(named - canvas->yAxis->coordToPixel(mean)) <
                std::abs(named - canvas->yAxis->coordToPixel(10)));
    }

    void aSmoothedLossHasOneNameWhichSaysSo() {
        Scene scene;
        scene.record();
        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        QTRY_COMPARE((loss->drawNow(), loss->labelTexts().size()), std::size_t(1));
        QVERIFY(!loss->labelTexts()[0].contains("mean"));
        scene.view->findChild<QAction*>("curvesSmoothing5")->trigger();
        loss->drawNow();
        QCOMPARE(loss->labelTexts().size(), std::size_t(1));
        QVERIFY2(loss->labelTexts()[0].contains(" · mean 0."), qPrintable(loss->labelTexts()[0]));
    }

    void comparedLossesDifferInHueAndDash() {
        Scene scene;
        const std::vector<QString> ids{scene.record(), scene.record(), scene.record()};
        for (const QString& id : ids) scene.store.setVisible(id, true);
        scene.store.setPrimary(ids[0]);
        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        for (const Appearance appearance : {Appearance::Light, Appearance::Dark, Appearance::Projector}) {
            applyAppearance(*qApp, appearance);
            QTRY_COMPARE((loss->drawNow(), loss->canvas()->graphCount()), 3);
            std::vector<QPen> pens;
            for (int i = 0; i < 3; ++i) pens.push_back(loss->canvas()->graph(i)->pen());
            for (std::size_t i = 0; i < pens.size(); ++i)
                for (std::size_t k = 0; k < i; ++k) {
                    const int hues = std::abs(pens[i].color().hsvHue() - pens[k].color().hsvHue());
                    QVERIFY2(std::min(hues, 360 - hues) > 15,
                             qPrintable(pens[i].color().name() + pens[k].color().name()));
                    QVERIFY(pens[i].style() != pens[k].style() || pens[i].dashPattern() != pens[k].dashPattern());
                }
        }
        // What a person chose stays.
        scene.store.setColour(ids[1], QColor("#123456"));
        loss->drawNow();
        bool chosen = false;
        for (int i = 0; i < 3; ++i)
            chosen = chosen || loss->canvas()->graph(i)->pen().color().rgb() == qRgb(0x12, 0x34, 0x56);
        QVERIFY(chosen);
    }

    void runsThatDifferInTheSeedShareABand() {
        Scene scene;
        for (std::int64_t seed = 1; seed <= 3; ++seed) {
            const std::string folder = "/runs/" + std::to_string(seed);
            scene.store.addRecord(madeUpRecord(folder, "batch", 0.4 + 0.05 * static_cast<double>(seed), seed));
            scene.store.setVisible(QString::fromStdString(folder), true);
        }
        scene.store.addRecord(madeUpRecord("/runs/other", "none", 0.3));
        scene.store.setVisible("/runs/other", true);
        scene.view->findChild<QAction*>("curvesBand1")->trigger();
        scene.accuracy->drawNow();
        QCPGraph* filled = nullptr;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            if (scene.accuracy->canvas()->graph(i)->channelFillGraph()) filled = scene.accuracy->canvas()->graph(i);
        QVERIFY(filled);
        QCOMPARE(filled->dataCount(), 60);
        const double low = filled->channelFillGraph()->data()->at(0)->value, high = filled->data()->at(0)->value;
        const double mean = 100 * (0.5 + 0.05 * std::sin(100.0 / 300));
        QVERIFY(std::abs((low + high) / 2 - mean) < 1e-9);
        QVERIFY(std::abs((high - low) / 2 - 5) < 1e-9);
        // Its name says how many there are.
        moveOver(scene.accuracy->canvas(), {scene.accuracy->canvas()->xAxis->coordToPixel(3000), 60});
        QVERIFY(scene.accuracy->readout());
        bool named = false;
        for (const Readout::Row& row : scene.accuracy->readout()->rows) named = named || row.name.contains("N = 3");
        QVERIFY(named);
        // So does the chip, which speaks of the mean while that is drawn.
        const MetricChip* chip = scene.accuracy->chip();
        QVERIFY2(chip->text().contains("± 5.0 N = 3 vs none run"), qPrintable(chip->text()));
        scene.accuracy->setTableShown(true);
        const FigureTable& table = scene.accuracy->table();
        QCOMPARE(table.columnCount(), 8);
        QCOMPARE(table.headerData(3, Qt::Horizontal).toString(), QString("batch run, mean of N = 3"));
        scene.accuracy->setTableShown(false);
        scene.view->findChild<QAction*>("curvesBand0")->trigger();
        scene.accuracy->drawNow();
        QVERIFY2(!chip->text().contains("N = 3"), qPrintable(chip->text()));
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            QVERIFY(!scene.accuracy->canvas()->graph(i)->channelFillGraph());
    }

    void theSmoothedMeanOfSeedsIsAnOverlayThatSaysSo() {
        Scene scene;
        std::vector<RunRecord> records;
        for (int seed = 1; seed <= 3; ++seed) {
            records.push_back(madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.3 + 0.1 * seed, seed));
            for (std::size_t i = 0; i < records.back().anytime.size(); ++i)
                records.back().anytime[i].accuracy = double((i * 7 + std::size_t(seed) * 13) % 50) / 50;
            scene.store.addRecord(records.back());
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        scene.store.setPrimary("/runs/1");
        scene.view->findChild<QAction*>("curvesBand1")->trigger();
        scene.view->findChild<QAction*>("curvesSmoothing5")->trigger();
        scene.accuracy->drawNow();
        // The obvious way: smooth the plain mean point by point.
        std::vector<double> mean, smooth;
        for (std::size_t i = 0; i < records[0].anytime.size(); ++i) {
            double sum = 0;
            for (const RunRecord& record : records) sum += 100 * record.anytime[i].accuracy;
            mean.push_back(sum / 3);
            const double weight = std::max(2.0 / 6, 1.0 / double(i + 1));
            smooth.push_back(i == 0 ? mean[0] : smooth.back() + weight * (mean.back() - smooth.back()));
        }
        const auto drawn = [&](const std::vector<double>& values) {
            QCPGraph* found = nullptr;
            for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i) {
                QCPGraph* graph = scene.accuracy->canvas()->graph(i);
                bool same = graph->visible() && graph->dataCount() == int(values.size());
                for (int k = 0; same && k < graph->dataCount(); ++k)
                    same = std::abs(graph->data()->at(k)->value - values[std::size_t(k)]) < 1e-9;
                if (same) found = graph;
            }
            return found;
        };
        const QCPGraph *raw = drawn(mean), *over = drawn(smooth);
        QVERIFY(raw && over);
        QVERIFY(over->pen().widthF() > 2 && over->pen().widthF() > 1.5 * raw->pen().widthF());
        // No other line is as strong: the run in full colour is a seed like the others.
        int strong = 0;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i) {
            const QCPGraph* graph = scene.accuracy->canvas()->graph(i);
            strong += graph->visible() && graph->lineStyle() != QCPGraph::lsNone && graph->pen().style() != Qt::NoPen &&
                      graph->pen().widthF() >= over->pen().widthF();
        }
        QCOMPARE(strong, 1);
        const std::vector<QString> texts = scene.accuracy->labelTexts();
        QCOMPARE(texts.size(), std::size_t(1));
        QVERIFY2(texts[0].contains(" · mean ") && texts[0].contains(" ± "), qPrintable(texts[0]));
        QVERIFY2(texts[0].endsWith(QString("smoothed %1 %").arg(smooth.back(), 0, 'f', 1)), qPrintable(texts[0]));
        scene.view->findChild<QAction*>("curvesSmoothing0")->trigger();
        scene.accuracy->drawNow();
        QVERIFY(!drawn(smooth));
        QVERIFY(drawn(mean)->pen().widthF() > 2);
    }

    void theMeanOfSeedsIsThatOfReports() {
        Scene scene;
        std::vector<RunRecord> records;
        for (const auto& [folder, seed] :
             {std::pair("a", 1), std::pair("b", 2), std::pair("c", 3), std::pair("d", 1)}) {
            RunRecord record =
                madeUpRecord(std::string("/runs/") + folder, "batch", 0.3 + 0.05 * (folder[0] - 'a'), seed);
            record.started = std::string("2026-03-0") + static_cast<char>('1' + folder[0] - 'a') + "T10:00:00Z";
            // Batches end elsewhere in every stream.
            for (AnytimePoint& point : record.anytime) point.samples_seen -= 9 * seed;
            records.push_back(record);
        }
        RunRecord young = madeUpRecord("/runs/e", "batch", 0.9, 4);
        young.state = "running";
        young.anytime.resize(2);
        records.push_back(young);
        RunRecord changed = madeUpRecord("/runs/f", "batch", 0.1, 5);
        changed.changes = {{"mask.name", "none", 800}};
        for (const RunRecord& record : records) scene.store.addRecord(record);
        scene.store.addRecord(changed);
        for (const char* id : {"/runs/a", "/runs/b", "/runs/c", "/runs/d", "/runs/e", "/runs/f"})
            scene.store.setVisible(id, true);
        scene.store.setPrimary("/runs/b");
        scene.view->findChild<QAction*>("curvesBand1")->trigger();
        scene.accuracy->drawNow();
        QCPGraph* high = nullptr;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            if (scene.accuracy->canvas()->graph(i)->channelFillGraph()) high = scene.accuracy->canvas()->graph(i);
        QVERIFY(high);
        const report::ReportedRuns set = report::groupRuns(scene.store.table(), records);
        QCOMPARE(set.groups.front().runs.size(), std::size_t{3});
        const std::vector<report::AveragePoint> points = report::averageAnytime(set.groups.front());
        QCOMPARE(std::size_t(high->dataCount()), points.size());
        const QCPGraph* low = high->channelFillGraph();
        for (int i = 0; i < high->dataCount(); ++i) {
            const report::AveragePoint& point = points[static_cast<std::size_t>(i)];
            const double top = high->data()->at(i)->value, bottom = low->data()->at(i)->value;
            QCOMPARE(high->data()->at(i)->key, point.samples_seen);
            QVERIFY(std::abs((top + bottom) / 2 - 100 * point.accuracy.mean) < 1e-9);
            QVERIFY(std::abs((top - bottom) / 2 - 100 * point.accuracy.deviation) < 1e-9);
        }
        // At the cursor stands the mean of the very values that stand there.
        moveOver(scene.accuracy->canvas(), {scene.accuracy->canvas()->xAxis->coordToPixel(3000), 60});
        QVERIFY(scene.accuracy->readout());
        double sum = 0, mean = 0;
        for (const QString id : {"/runs/b", "/runs/c", "/runs/d"})
            for (const Readout::Row& row : scene.accuracy->readout()->rows)
                if (row.name == scene.store.label(id)) sum += row.value.section(' ', 0, 0).toDouble();
        for (const Readout::Row& row : scene.accuracy->readout()->rows)
            if (row.name.contains("N = 3")) mean = row.value.section(' ', 0, 0).toDouble();
        QVERIFY2(std::abs(sum / 3 - mean) < 0.11, qPrintable(QString("%1 %2").arg(sum / 3).arg(mean)));
    }

    void theMeanOfRetentionIsThatOfReports() {
        Scene scene;
        std::vector<RunRecord> records;
        for (int seed = 1; seed <= 3; ++seed) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.5, seed);
            for (RetentionPoint& point : record.retention)
                point.accuracy = double((point.session * 17 + point.after_session * 5 + seed * seed * 11) % 89) / 100;
            // In one seed no class came for the first time in session 3.
            if (seed == 2)
                for (RetentionPoint& point : record.retention)
                    if (point.session == 2) point.samples = 0;
            records.push_back(record);
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        // One that goes on beside finished ones is no part of the mean.
        RunRecord young = madeUpRecord("/runs/young", "batch", 0.9, 9);
        young.state = "running";
        scene.store.addRecord(young);
        scene.store.setVisible("/runs/young", true);
        records.push_back(young);
        scene.store.setPrimary("/runs/2");
        scene.retention->drawNow();
        QCOMPARE(scene.retention->canvas()->graphCount(), 4 + 3);
        scene.view->findChild<QAction*>("curvesBand1")->trigger();
        scene.retention->drawNow();

        const report::ReportedRuns set = report::groupRuns(scene.store.table(), records);
        QCOMPARE(set.groups.front().runs.size(), std::size_t{3});
        const std::vector<std::vector<Spread>> r = report::averageRetention(set.groups.front());
        const QCustomPlot* canvas = scene.retention->canvas();
        for (std::size_t session = 0; session < 5; ++session) {
            bool drawn = false;
            for (int i = 0; i < canvas->graphCount(); ++i) {
                const QCPGraph* graph = canvas->graph(i);
                bool same = graph->pen().style() != Qt::NoPen && graph->dataCount() == int(5 - session);
                for (int k = 0; same && k < graph->dataCount(); ++k)
                    same =
                        std::abs(graph->data()->at(k)->value - 100 * r[session + std::size_t(k)][session].mean) < 1e-9;
                drawn = drawn || same;
            }
            QVERIFY2(drawn, qPrintable(QString::number(session)));
        }
        // Session 1 has a band, the four others whiskers.
        const QCPGraph* high = nullptr;
        for (int i = 0; i < canvas->graphCount(); ++i)
            if (canvas->graph(i)->channelFillGraph()) high = canvas->graph(i);
        QVERIFY(high);
        for (int k = 0; k < 5; ++k) {
            const double top = high->data()->at(k)->value, low = high->channelFillGraph()->data()->at(k)->value;
            QVERIFY(std::abs((top - low) / 2 - 100 * r[std::size_t(k)][0].deviation) < 1e-9);
        }
        QCOMPARE(scene.retention->canvas()->findChildren<QCPErrorBars*>().size(), 4);
        // Of each run session 1 alone, thin; five means, and the edges of the band.
        QCOMPARE(canvas->graphCount(), 4 + 5 + 2);
        QVERIFY2(scene.retention->panel()->caption().endsWith("mean of 3 seeds (session 3: 2)"),
                 qPrintable(scene.retention->panel()->caption()));

        moveOver(scene.retention->canvas(), {canvas->xAxis->coordToPixel(4), 60});
        QVERIFY(scene.retention->readout());
        QStringList rows;
        for (const Readout::Row& row : scene.retention->readout()->rows) rows.append(row.name + ": " + row.value);
        const auto number = [](double fraction) { return QString::number(100 * fraction, 'f', 1); };
        for (const std::size_t session : {0, 2}) {
            const QString row = QString("session %1, mean of N = %2: %3 ± %4 %")
                                    .arg(session + 1)
                                    .arg(session == 2 ? 2 : 3)
                                    .arg(number(r[3][session].mean), number(r[3][session].deviation));
            QVERIFY2(rows.contains(row), qPrintable(row + " | " + rows.join(" | ")));
        }
        // The table has the same numbers.
        scene.retention->setTableShown(true);
        const FigureTable& table = scene.retention->table();
        QMap<QString, int> columns;
        for (int c = 0; c < table.columnCount(); ++c) columns[table.headerData(c, Qt::Horizontal).toString()] = c;
        QVERIFY2(columns.contains("Session 3, mean of N = 2"), qPrintable(columns.keys().join(" | ")));
        QCOMPARE(table.index(3, columns["Session 3, mean of N = 2"]).data().toString(), number(r[3][2].mean) + " %");
        QCOMPARE(table.index(3, columns["Session 3, ± standard deviation"]).data().toString(),
                 number(r[3][2].deviation) + " %");
        scene.view->findChild<QAction*>("curvesBand2")->trigger();
        scene.retention->drawNow();
        int error = -1;
        for (int c = 0; c < table.columnCount(); ++c)
            if (table.headerData(c, Qt::Horizontal).toString() == "Session 1, ± standard error of the mean") error = c;
        QVERIFY(error >= 0);
        QCOMPARE(table.index(3, error).data().toString(), number(r[3][0].deviation / std::sqrt(3.0)) + " %");
        scene.retention->setTableShown(false);
        scene.view->findChild<QAction*>("curvesBand0")->trigger();
        scene.retention->drawNow();
        QCOMPARE(canvas->graphCount(), 4 + 3);
        QCOMPARE(scene.retention->canvas()->findChildren<QCPErrorBars*>().size(), 0);
    }

    void theLossOfSeedsIsAveragedUpdateByUpdate() {
        Scene scene;
        // Live runs: their news makes their histories.
        const std::vector<std::size_t> updates{40, 30, 35};
        const auto lossOf = [](std::size_t run, std::size_t update) {
            return 1 + double((update * 7 + run * run * 13) % 31) / 10;
        };
        for (std::size_t i = 0; i < updates.size(); ++i) {
            const std::int64_t run = std::int64_t(i) + 1;
            scene.bridge.setCurrentRun(run);
            Q_EMIT scene.bridge.started(madeUpStart(run, "/runs/" + std::to_string(i), "batch", run));
            Q_EMIT scene.bridge.evaluated(madeUpEvaluation(run, 100, 0.5));
            for (std::size_t k = 0; k < updates[i]; ++k) {
                UpdateDone done;
                done.run = run;
                done.samples_seen = std::int64_t(10 * (k + 1) + i);
                done.update = std::int64_t(k) + 1;
                done.loss = lossOf(i, k);
                Q_EMIT scene.bridge.updatesDone({done});
            }
            Q_EMIT scene.bridge.ended(madeUpEnd(run, RunEnd::Stopped));
        }
        for (int i = 0; i < 3; ++i) scene.store.setVisible(QString("/runs/%1").arg(i), true);
        scene.store.setPrimary("/runs/0");
        for (int i = 0; i < 3; ++i) QVERIFY(scene.view->histories()->find(QString("/runs/%1").arg(i)));
        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        scene.view->findChild<QAction*>("curvesBand2")->trigger();
        loss->drawNow();
        const QCPGraph *mean = nullptr, *high = nullptr;
        for (int i = 0; i < loss->canvas()->graphCount(); ++i) {
            const QCPGraph* graph = loss->canvas()->graph(i);
            if (graph->channelFillGraph()) high = graph;
            if (graph->pen().style() != Qt::NoPen && graph->pen().widthF() > 2) mean = graph;
        }
        QVERIFY(mean && high);
        QCOMPARE(mean->dataCount(), 30);  // as far as the shortest
        for (int k = 0; k < 30; ++k) {
            double sum = 0, squares = 0;
            for (std::size_t i = 0; i < 3; ++i) sum += lossOf(i, std::size_t(k));
            for (std::size_t i = 0; i < 3; ++i) squares += std::pow(lossOf(i, std::size_t(k)) - sum / 3, 2);
            const double error = std::sqrt(squares / 2) / std::sqrt(3.0);
            QCOMPARE(mean->data()->at(k)->key, 10.0 * (k + 1) + 1);
            QVERIFY(std::abs(mean->data()->at(k)->value - sum / 3) < 1e-9);
            QVERIFY(std::abs(high->data()->at(k)->value - sum / 3 - error) < 1e-9);
        }
        QCOMPARE(loss->labelTexts().size(), std::size_t(1));
        QVERIFY2(loss->labelTexts()[0].contains(" ± "), qPrintable(loss->labelTexts()[0]));
        loss->setTableShown(true);
        const FigureTable& table = loss->table();
        QCOMPARE(table.columnCount(), 5);
        QCOMPARE(table.headerData(3, Qt::Horizontal).toString(), QString("Mean of N = 3"));
        QCOMPARE(table.headerData(4, Qt::Horizontal).toString(), QString("± standard error of the mean"));
        QVERIFY(!table.index(29, 3).data().toString().isEmpty());
        QVERIFY(table.index(30, 3).data().toString().isEmpty());
        loss->setTableShown(false);
        // Smoothing is drawn over the mean alone.
        const int before = loss->canvas()->graphCount();
        scene.view->findChild<QAction*>("curvesSmoothing5")->trigger();
        loss->drawNow();
        QCOMPARE(loss->canvas()->graphCount(), before + 1);
        QVERIFY2(loss->labelTexts()[0].contains("smoothed"), qPrintable(loss->labelTexts()[0]));
    }

    void theMeanOfLossesIsListedAndSeenAsFarAsItGoes() {
        Scene scene;
        const auto learn = [&](std::int64_t run, std::int64_t from, std::int64_t to) {
            for (std::int64_t update = from; update <= to; ++update) {
                UpdateDone done;
                done.run = run;
                done.samples_seen = 10 * update;
                done.update = update;
                done.loss = run == 1 ? 1 : 3;
                Q_EMIT scene.bridge.updatesDone({done});
            }
        };
        for (const std::int64_t run : {1, 2}) {
            scene.bridge.setCurrentRun(run);
            Q_EMIT scene.bridge.started(madeUpStart(run, "/runs/" + std::to_string(run), "batch", run));
            Q_EMIT scene.bridge.evaluated(madeUpEvaluation(run, 100, 0.5));
        }
        learn(1, 1, 20);
        learn(2, 1, 10);
        for (const char* run : {"/runs/2", "/runs/1"}) scene.store.setVisible(run, true);
        scene.store.setPrimary("/runs/1");
        scene.view->showPage(CurvesView::kLoss);
        auto* loss = scene.find<LossPlot>();
        scene.view->findChild<QAction*>("curvesBand1")->trigger();
        loss->setTableShown(true);
        loss->drawNow();
        // The band is higher than any loss.
        QVERIFY(loss->canvas()->yAxis->range().upper > 2 + std::sqrt(2.0));
        const FigureTable& table = loss->table();
        QCOMPARE(table.rowCount(), 20);
        QVERIFY(!table.index(9, 3).data().toString().isEmpty());
        QVERIFY(table.index(10, 3).data().toString().isEmpty());
        // The other seed comes after; no row is added.
        QSignalSpy changed(&table, &FigureTable::dataChanged);
        learn(2, 11, 13);
        loss->drawNow();
        QCOMPARE(table.rowCount(), 20);
        QVERIFY(!table.index(12, 3).data().toString().isEmpty());
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toModelIndex(), table.index(10, 3));
        QCOMPARE(changed[0][1].toModelIndex(), table.index(12, 4));
    }

    void retentionOfSeedsThatReachElsewhereCountsThoseThatAreThere() {
        Scene scene;
        for (int seed = 1; seed <= 2; ++seed) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.5, seed);
            record.state = "stopped";
            for (RetentionPoint& point : record.retention) point.accuracy = 0.4 * seed;
            if (seed == 2) std::erase_if(record.retention, [](const RetentionPoint& p) { return p.after_session > 2; });
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        scene.store.setPrimary("/runs/1");
        scene.view->findChild<QAction*>("curvesBand1")->trigger();
        scene.retention->drawNow();
        const auto rowAt = [&](double place) {
            moveOver(scene.retention->canvas(), {scene.retention->canvas()->xAxis->coordToPixel(place), 60});
            for (const Readout::Row& row : scene.retention->readout()->rows)
                if (row.name.startsWith("session 1, mean")) return row.name + ": " + row.value;
            return QString();
        };
        QCOMPARE(rowAt(3), QString("session 1, mean of N = 2: 60.0 ± 28.3 %"));
        // Of a single run no deviation is known.
        QCOMPARE(rowAt(4), QString("session 1, mean of N = 1: 40.0 %"));
        scene.retention->setTableShown(true);
        scene.retention->drawNow();
        const FigureTable& table = scene.retention->table();
        int deviation = -1;
        for (int c = 0; c < table.columnCount(); ++c)
            if (table.headerData(c, Qt::Horizontal).toString() == "Session 1, ± standard deviation") deviation = c;
        QVERIFY(deviation >= 0);
        QCOMPARE(table.index(2, deviation).data().toString(), QString("28.3 %"));
        QCOMPARE(table.index(3, deviation).data().toString(), QString());
    }

    void aMeanInTheReadoutPartsNoRunFromItsChange() {
        Scene scene;
        for (int seed = 1; seed <= 2; ++seed) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.5, seed);
            record.changes = {{"training.learning_rate", "0.01", 500}};
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(seed), true);
        }
        scene.store.setPrimary("/runs/1");
        scene.view->findChild<QAction*>("curvesBand1")->trigger();
        scene.accuracy->drawNow();
        QCustomPlot* canvas = scene.accuracy->canvas();
        moveOver(canvas, {canvas->xAxis->coordToPixel(1000), 60});
        QVERIFY(scene.accuracy->readout());
        QStringList rows;
        for (const Readout::Row& row : scene.accuracy->readout()->rows) rows.append(row.name);
        QCOMPARE(rows.size(), 5);
        QCOMPARE(rows[0], scene.store.label("/runs/1"));
        QVERIFY2(rows[1].contains("Learning rate"), qPrintable(rows[1]));
        QVERIFY2(rows[2].contains("mean of N = 2"), qPrintable(rows[2]));
        QCOMPARE(rows[3], scene.store.label("/runs/2"));
    }

    void alignedBySessionTheAxisCountsSessions() {
        Scene scene;
        scene.live();
        scene.view->findChild<QAction*>("curvesBySession")->trigger();
        scene.accuracy->drawNow();
        QCOMPARE(scene.accuracy->canvas()->xAxis->range().upper, 5.0);
        QCPGraph* line = nullptr;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount() && !line; ++i)
            if (scene.accuracy->canvas()->graph(i)->dataCount() == 12) line = scene.accuracy->canvas()->graph(i);
        QVERIFY(line);
        QCOMPARE(line->data()->at(2)->key, 1.25);  // 1,500 images: a quarter of the second session
        moveOver(scene.accuracy->canvas(), {scene.accuracy->canvas()->xAxis->coordToPixel(1.25), 60});
        QVERIFY(scene.accuracy->readout()->heading.startsWith("1,500 images"));
        QCOMPARE(scene.view->cursor()->moment(), CurveCursor::Moment(1500));
    }

    void alignedBySessionTheMeanIsTakenAtEqualPlacesOfEqualSessions() {
        Scene scene;
        const std::vector<std::vector<std::int64_t>> starts{{0, 1200, 2400, 3600, 4800}, {0, 2000, 3000, 4000, 5000}};
        for (std::size_t i = 0; i < starts.size(); ++i) {
            RunRecord record = madeUpRecord("/runs/" + std::to_string(i), "batch", 0.5, std::int64_t(i) + 1, 500);
            record.session_starts = starts[i];
            // A tenth in the first session, two in the second: whatever mixes sessions shows.
            for (AnytimePoint& point : record.anytime) {
                point.session =
                    std::lower_bound(starts[i].begin(), starts[i].end(), point.samples_seen) - starts[i].begin() - 1;
                point.accuracy = 0.1 * double(point.session + 1);
            }
            scene.store.addRecord(record);
            scene.store.setVisible(QString("/runs/%1").arg(i), true);
        }
        scene.store.setPrimary("/runs/0");
        scene.view->findChild<QAction*>("curvesBySession")->trigger();
        scene.view->findChild<QAction*>("curvesBand1")->trigger();
        scene.accuracy->drawNow();
        QCPGraph* high = nullptr;
        for (int i = 0; i < scene.accuracy->canvas()->graphCount(); ++i)
            if (scene.accuracy->canvas()->graph(i)->channelFillGraph()) high = scene.accuracy->canvas()->graph(i);
        QVERIFY(high);
        QVERIFY(high->dataCount() > 10);
        for (const QCPGraphData& point : *high->data())
            QVERIFY2(std::abs(point.value - 10 * double(sessionOfPlace(point.key) + 1)) < 1e-9,
                     qPrintable(QString("%1 at %2").arg(point.value).arg(point.key)));
        // At the cursor, too: the second run was evaluated there after 3,500 images, the first after 3,000.
        moveOver(scene.accuracy->canvas(), {scene.accuracy->canvas()->xAxis->coordToPixel(2.5), 60});
        QVERIFY(scene.accuracy->readout());
        QStringList values;
        for (const Readout::Row& row : scene.accuracy->readout()->rows) values.append(row.value);
        QCOMPARE(values.filter("30.0").size(), 3);
        QCOMPARE(values.filter("30.0 ± 0.0 %").size(), 1);
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
        QCOMPARE(axis->range().lower, double(scene.store.primary()->anytime.front().samples_seen));
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
        other.experiment.name = scene.store.find(id)->name.toStdString();
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
        QCOMPARE(scene.view->cursor()->pinned(), CurveCursor::Moment());
        // What stood elsewhere stays there.
        scene.view->cursor()->pin(1000);
        doubleClick();
        QCOMPARE(scene.view->cursor()->pinned(), CurveCursor::Moment(1000));
        // A click alone puts it down.
        QTest::mouseClick(canvas, Qt::LeftButton, {}, point);
        QVERIFY(scene.view->cursor()->pinned() != CurveCursor::Moment(1000));
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
                                            {CurvesView::kMemory, "samples_seen,T-shirt"}};
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
            const bool drawn = it.key() != CurvesView::kLoss && it.key() != CurvesView::kMemory;
            QCOMPARE(piece.figure.has_value(), drawn);
            if (drawn) QVERIFY(report::pieceBytes(piece, report::PieceFormat::Svg, {}).size() > 500);
        }
    }

    void nothingIsReadWhileNobodyLooks() {
        Scene scene;
        const QString id = scene.record();
        QVERIFY(!scene.view->histories()->reading(id));
        QVERIFY(!scene.view->histories()->find(id));
        scene.view->showPage(CurvesView::kLoss);
        QVERIFY(scene.view->histories()->reading(id));
        QTRY_VERIFY(scene.view->histories()->find(id));
    }
};

PALIMPSEST_TEST(TestCurvesView)
#include "tst_curves_view.moc"
