// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QDockWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/plots/figure_pages.h"
#include "ui/state/run_controller.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/lane_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/time_controller.h"
#include "ui/window/window_docks.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::showActive;

namespace tst_window_docks {

class TestWindowDocks : public QObject {
    Q_OBJECT
private:
    struct Scene {
        ScriptedRun script;
        QTemporaryDir runs;
        MainWindow window{script.laboratory(), runs.path().toStdString()};
        WindowDocks* docks = window.docks();
        QUndoStack* history = window.controller()->draft()->undoStack();

        Scene() {
            window.resize(1280, 800);
            showActive(window);
            QCoreApplication::processEvents();
        }
        QDockWidget* dock(const QString& name) const { return window.findChild<QDockWidget*>(name); }
        QAction* action(const QString& name) const { return window.findChild<QAction*>(name); }
        Qt::DockWidgetArea area(const QString& name) const { return docks->dockWidgetArea(dock(name)); }
        void undo() { QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier); }
        void redo() { QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }
        /// Geometry of every part, for comparisons.
        QList<QRect> places() const {
            QList<QRect> places;
            for (const char* name : {"experimentPanel", "nowPanel", "runsPanel", "curvesView"}) {
                const auto* part = window.findChild<QWidget*>(name);
                places.append({part->mapTo(&window, QPoint(0, 0)), part->size()});
            }
            return places;
        }
    };

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() {
        applyTextSize(*qApp, TextSize::Normal);
        applyAppearance(*qApp, Appearance::Dark);
    }

    void everythingStandsInOneWindowAtFirst() {
        Scene scene;
        const QList<QRect> places = scene.places();
        for (const QRect& place : places) QVERIFY(scene.window.rect().contains(place));
        const QRect &experiment = places[0], &now = places[1], &runs = places[2], &curves = places[3];
        QVERIFY(experiment.right() < curves.left() && curves.right() < now.left());
        QVERIFY(runs.top() > now.bottom() && runs.left() > experiment.right());
        // Level above, and with even gaps beside the curves.
        QCOMPARE(experiment.top(), curves.top());
        QCOMPARE(now.top(), curves.top());
        QCOMPARE(curves.left() - experiment.right(), now.left() - curves.right());
        QVERIFY(curves.width() > 640);
        QVERIFY(runs.height() >= 150 && runs.height() < 220);
    }

    void largeTextWidensThePanelsAgain() {
        Scene scene;
        const int before = scene.places()[0].width();
        scene.window.setTextSize(TextSize::VeryLarge);
        QTRY_VERIFY(scene.places()[0].width() > before * 1.2);
        scene.window.setTextSize(TextSize::Normal);
        QTRY_COMPARE(scene.places()[0].width(), before);
    }

    void aHiddenPanelComesBackByItsAction() {
        Scene scene;
        scene.action("showRuns")->trigger();
        QVERIFY(!scene.dock("runsDock")->isVisible());
        QVERIFY(!scene.action("showRuns")->isChecked());
        scene.action("showRuns")->trigger();
        QVERIFY(scene.dock("runsDock")->isVisible());
    }

    void theGripHidesItsPanel() {
        Scene scene;
        auto* hide = scene.window.findChild<QToolButton*>("nowDockHide");
        QVERIFY(hide && !hide->toolTip().isEmpty() && !hide->accessibleName().isEmpty());
        hide->click();
        QVERIFY(!scene.dock("nowDock")->isVisible());
        QVERIFY(!scene.action("showNow")->isChecked());
        scene.undo();
        QVERIFY(scene.dock("nowDock")->isVisible());
    }

    void resetBringsEverythingBackAfterAnything() {
        Scene scene;
        const QList<QRect> before = scene.places();
        scene.action("showExperiment")->trigger();
        scene.docks->addDockWidget(Qt::RightDockWidgetArea, scene.dock("runsDock"));
        scene.docks->tabifyDockWidget(scene.dock("runsDock"), scene.dock("nowDock"));
        scene.dock("nowDock")->setFloating(true);
        QTRY_VERIFY(scene.places() != before);
        scene.action("resetLayout")->trigger();
        QTRY_COMPARE(scene.places(), before);
        QVERIFY(scene.action("showExperiment")->isChecked());
    }

    void anArrangementComesBackAsItWasLeft() {
        Scene scene;
        scene.action("showNow")->trigger();
        scene.docks->addDockWidget(Qt::TopDockWidgetArea, scene.dock("runsDock"));
        const QByteArray kept = scene.docks->save();
        scene.action("resetLayout")->trigger();
        QVERIFY(scene.docks->restore(kept));
        QCOMPARE(scene.area("runsDock"), Qt::TopDockWidgetArea);
        QVERIFY(!scene.dock("nowDock")->isVisible());
        QVERIFY(!scene.action("showNow")->isChecked());
    }

    void anArrangementOfAnotherVersionOrADamagedOneChangesNothing_data() {
        QTest::addColumn<int>("cut");
        QTest::addColumn<int>("version");
        QTest::newRow("another version") << -1 << WindowDocks::kVersion + 1;
        QTest::newRow("cut short") << 12 << int(WindowDocks::kVersion);
        QTest::newRow("empty") << 0 << int(WindowDocks::kVersion);
    }
    void anArrangementOfAnotherVersionOrADamagedOneChangesNothing() {
        QFETCH(int, cut);
        QFETCH(int, version);
        Scene scene;
        scene.action("showNow")->trigger();
        QByteArray kept = scene.docks->saveState(version);
        if (cut >= 0) kept.truncate(cut);
        scene.action("resetLayout")->trigger();
        const QList<QRect> before = scene.places();
        QVERIFY(!scene.docks->restore(kept));
        QCOMPARE(scene.places(), before);
        QVERIFY(scene.dock("nowDock")->isVisible());
    }

    void whatWasDoneLastIsUndoneFirstBeItViewOrSetting() {
        Scene scene;
        ExperimentDraft* draft = scene.window.controller()->draft();
        scene.window.setAppearance(Appearance::Dark);
        QCoreApplication::processEvents();
        draft->set("seed", std::int64_t{8});
        scene.action("showRuns")->trigger();
        draft->set("seed", std::int64_t{9});
        scene.action("appearanceLight")->trigger();
        QCOMPARE(Theme::of(&scene.window).dark, false);

        scene.undo();
        QCOMPARE(Theme::of(&scene.window).dark, true);
        QVERIFY(scene.action("appearanceDark")->isChecked());
        scene.undo();
        QCOMPARE(draft->experiment().seed, 8);
        QVERIFY(!scene.dock("runsDock")->isVisible());
        scene.undo();
        QVERIFY(scene.dock("runsDock")->isVisible());
        QVERIFY(scene.action("showRuns")->isChecked());
        scene.undo();
        QCOMPARE(draft->experiment().seed, 1);
        for (int i = 0; i < 4; ++i) scene.redo();
        QCOMPARE(draft->experiment().seed, 9);
        QVERIFY(!scene.dock("runsDock")->isVisible());
        QCOMPARE(Theme::of(&scene.window).dark, false);
    }

    void oneKeyPutsBothSidesAwayAndBringsThemBack() {
        Scene scene;
        QVERIFY(scene.action("sidePanels")->isChecked());
        const QList<QRect> before = scene.places();
        QTest::keyClick(&scene.window, Qt::Key_F9);
        QVERIFY(!scene.dock("experimentDock")->isVisible() && !scene.dock("nowDock")->isVisible());
        QVERIFY(scene.dock("runsDock")->isVisible());
        QVERIFY(!scene.action("sidePanels")->isChecked());
        QTRY_VERIFY(scene.places()[3].width() > before[3].width() + 400);
        QTest::keyClick(&scene.window, Qt::Key_F9);
        QTRY_COMPARE(scene.places(), before);
        QVERIFY(scene.action("sidePanels")->isChecked());
    }

    void sidesThatWerePutAwayBeforeStayAway() {
        Scene scene;
        scene.action("showNow")->trigger();
        scene.action("sidePanels")->trigger();
        QVERIFY(!scene.dock("experimentDock")->isVisible());
        scene.action("sidePanels")->trigger();
        QVERIFY(scene.dock("experimentDock")->isVisible());
        QVERIFY(!scene.dock("nowDock")->isVisible());
        // Put away one by one, all of them come back.
        scene.action("showExperiment")->trigger();
        QVERIFY(!scene.action("sidePanels")->isChecked());
        scene.action("sidePanels")->trigger();
        QVERIFY(scene.dock("experimentDock")->isVisible() && scene.dock("nowDock")->isVisible());
    }

    void puttingTheSidesAwayIsUndone() {
        Scene scene;
        scene.action("sidePanels")->trigger();
        QVERIFY(!scene.dock("nowDock")->isVisible());
        scene.undo();
        QVERIFY(scene.dock("nowDock")->isVisible() && scene.dock("experimentDock")->isVisible());
        QVERIFY(scene.action("sidePanels")->isChecked());
    }

    void theWholeScreenComesAndGoesByAKey() {
        Scene scene;
        const auto* full = scene.action("fullScreen");
        QVERIFY(!full->isChecked() && !scene.window.isFullScreen());
        QTest::keyClick(&scene.window, Qt::Key_F11);
        QTRY_VERIFY(scene.window.isFullScreen());
        QVERIFY(full->isChecked());
        QTest::keyClick(&scene.window, Qt::Key_F11);
        QTRY_VERIFY(!scene.window.isFullScreen());
        QVERIFY(!full->isChecked());
        // As the desktop does it.
        scene.window.showFullScreen();
        QTRY_VERIFY(full->isChecked());
        scene.window.showNormal();
        QTRY_VERIFY(!full->isChecked());
    }

    void thePanelsStandApartByTheSameGapOnAllSides() {
        Scene scene;
        const QList<QRect> places = scene.places();
        const QRect &experiment = places[0], &now = places[1], &runs = places[2], &curves = places[3];
        const auto* bar = scene.window.findChild<QWidget*>("topBar");
        QCOMPARE(curves.left() - experiment.right() - 1, spacing::kGap);
        QCOMPARE(now.left() - curves.right() - 1, spacing::kGap);
        QCOMPARE(runs.top() - now.bottom() - 1, spacing::kGap);
        QCOMPARE(experiment.left(), spacing::kGap);
        QCOMPARE(experiment.top() - bar->mapTo(&scene.window, QPoint(0, bar->height())).y(), spacing::kGap);
        QCOMPARE(scene.window.height() - 1 - runs.bottom(), spacing::kGap);
        // A message keeps the same distance from what it floats over, and pushes nothing.
        MessageBar* messages = scene.window.messages();
        messages->showMessage(MessageBar::Kind::Note, "A torn line was skipped.");
        const auto told = [&] { return QRect(messages->mapTo(&scene.window, QPoint(0, 0)), messages->size()); };
        const QWidget* figures = scene.window.curvesView()->figures();
        QTRY_COMPARE(figures->mapTo(&scene.window, QPoint(0, figures->height() - 1)).y() - told().bottom(),
                     spacing::kGap);
        QVERIFY(messages->isVisible() && scene.window.rect().contains(told()));
        QCOMPARE(scene.places(), places);
        messages->dismissAll();
        QVERIFY(!messages->isVisible());
        QCOMPARE(scene.places(), places);
    }

    void figuresGiveWayToTheLinesOverThemAndTheWindowStays() {
        Scene scene;
        const QRect window = scene.window.geometry();
        const QList<QRect> before = scene.places();
        const QList<QWidget*> strips = QList<QWidget*>{scene.window.lanes()->strip()} + scene.window.time()->strips();
        for (QWidget* strip : strips) strip->show();
        scene.window.messages()->showMessage(MessageBar::Kind::Note, "A torn line was skipped.",
                                             "The others are there.");
        QTRY_VERIFY(scene.places()[3].top() > before[3].top() + 4 * 36);
        for (const QWidget* strip : strips) QVERIFY(strip->isVisible());
        QCOMPARE(scene.window.geometry(), window);
        QVERIFY2(scene.window.minimumSizeHint().height() <= 800,
                 qPrintable(QString::number(scene.window.minimumSizeHint().height())));
        QTRY_COMPARE(scene.places()[2], before[2]);  // the list of runs
        const QList<QRect> after = scene.places();
        for (const QRect& place : after) QVERIFY(scene.window.rect().contains(place));
        QVERIFY(after[3].height() < before[3].height());
        QCOMPARE(after[3].bottom(), before[3].bottom());
        for (QWidget* strip : strips) strip->hide();
        scene.window.messages()->dismissAll();
        QTRY_COMPARE(scene.places(), before);
    }

    void theButtonsOfAGripComeWithTheMouseAndTakeNoRoom() {
        Scene scene;
        auto* title = scene.window.findChild<QWidget*>("runsDockTitle");
        auto* buttons = scene.window.findChild<QWidget*>("runsDockButtons");
        QVERIFY(!buttons->isVisible());
        const QList<QRect> before = scene.places();
        title->setAttribute(Qt::WA_UnderMouse);
        QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
        QCoreApplication::sendEvent(title, &enter);
        QVERIFY(buttons->isVisible());
        QVERIFY(buttons->parentWidget()->rect().contains(buttons->geometry()));
        QCOMPARE(scene.places(), before);
        title->setAttribute(Qt::WA_UnderMouse, false);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(title, &leave);
        QVERIFY(!buttons->isVisible());
    }

    void aProjectorIsChosenAndTakenBack() {
        Scene scene;
        QSignalSpy chosen(&scene.window, &MainWindow::appearanceChosen);
        scene.window.setAppearance(Appearance::Dark);
        QCoreApplication::processEvents();
        scene.action("appearanceProjector")->trigger();
        QCOMPARE(&Theme::of(&scene.window), &Theme::projectorTheme());
        QCOMPARE(chosen.last().first().value<Appearance>(), Appearance::Projector);
        QCOMPARE(QApplication::font().pixelSize(), 17);
        scene.undo();
        QCOMPARE(&Theme::of(&scene.window), &Theme::darkTheme());
        QCOMPARE(chosen.last().first().value<Appearance>(), Appearance::Dark);
        QCOMPARE(QApplication::font().pixelSize(), 12);
    }

    void undoSaysWhatItTakesBack() {
        Scene scene;
        scene.action("showRuns")->trigger();
        QVERIFY2(scene.action("undo")->text().contains("hiding of Runs"), qPrintable(scene.action("undo")->text()));
    }

    void theTextSizeIsUndoneAndToldLikeAnyChoice() {
        Scene scene;
        QSignalSpy chosen(&scene.window, &MainWindow::textSizeChosen);
        scene.action("textLarger")->trigger();
        QCOMPARE(TextScale::instance().factor(), 1.25);
        scene.undo();
        QCOMPARE(TextScale::instance().factor(), 1.0);
        QVERIFY(scene.action("textNormal")->isChecked());
        QCOMPARE(chosen.last()[0].value<TextSize>(), TextSize::Normal);
    }

    void aTableInPlaceOfAFigureIsUndone_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("of points") << "anytime";
        QTest::newRow("of another page") << "loss";
        QTest::newRow("of a matrix") << "sessions";
    }
    void aTableInPlaceOfAFigureIsUndone() {
        QFETCH(QString, name);
        Scene scene;
        auto* figure = scene.window.findChild<FigurePages*>(name + "Pages");
        scene.window.findChild<QToolButton*>(name + "TableButton")->click();
        QVERIFY(figure->tableShown());
        QVERIFY(scene.action("undo")->text().contains(figure->title()));
        scene.undo();
        QVERIFY(!figure->tableShown());
    }

    void theWayCurvesAreDrawnIsUndone() {
        Scene scene;
        const CurveOptions* drawing = &scene.window.state().figures.options;
        scene.action("curvesFollow")->trigger();
        QVERIFY(drawing->values().follow);
        scene.undo();
        QVERIFY(!drawing->values().follow);
        QVERIFY(!scene.action("curvesFollow")->isChecked());
    }

    void aMoveIsOneStepHoweverManyPlacesItPassed() {
        Scene scene;
        const int before = scene.history->count();
        // As dragging does: out of its place, and into another.
        scene.dock("nowDock")->setFloating(true);
        scene.docks->addDockWidget(Qt::LeftDockWidgetArea, scene.dock("nowDock"));
        scene.dock("nowDock")->setFloating(false);
        QCOMPARE(scene.history->count(), before + 1);
        QCOMPARE(scene.area("nowDock"), Qt::LeftDockWidgetArea);
        scene.undo();
        QCOMPARE(scene.area("nowDock"), Qt::RightDockWidgetArea);
        QVERIFY(!scene.dock("nowDock")->isFloating());
    }

    void anotherSizeOfTheWindowIsNoStep() {
        Scene scene;
        const int before = scene.history->count();
        scene.window.resize(1500, 900);
        QTRY_VERIFY(scene.places()[3].width() > 800);
        QCoreApplication::processEvents();
        QTest::mouseClick(scene.window.findChild<QWidget*>("nowPanel"), Qt::LeftButton, {}, QPoint(3, 3));
        QCoreApplication::processEvents();
        QCOMPARE(scene.history->count(), before);
    }

    void aDraggedBorderIsAStep() {
        Scene scene;
        const QList<QRect> before = scene.places();
        const int steps = scene.history->count();
        const QRect runs = scene.dock("runsDock")->geometry();
        const QPoint border(runs.center().x(), runs.top() - 2);
        QTest::mousePress(scene.docks, Qt::LeftButton, {}, border);
        QMouseEvent move(QEvent::MouseMove, QPointF(border - QPoint(0, 60)),
                         scene.docks->mapToGlobal(QPointF(border - QPoint(0, 60))), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(scene.docks, &move);
        QTRY_VERIFY(scene.places()[2].height() > before[2].height());
        QTest::mouseRelease(scene.docks, Qt::LeftButton, {}, border - QPoint(0, 60));
        QCOMPARE(scene.history->count(), steps + 1);
        scene.undo();
        QTRY_COMPARE(scene.places()[2].height(), before[2].height());
    }

    void changesOfTheViewDoNotChangeTheExperiment() {
        Scene scene;
        scene.action("showNow")->trigger();
        QVERIFY(!scene.window.isWindowModified());
    }
};

PALIMPSEST_TEST(TestWindowDocks)

}  // namespace tst_window_docks

#include "tst_window_docks.moc"
