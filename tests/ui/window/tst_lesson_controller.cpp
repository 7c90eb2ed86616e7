// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QUndoStack>
#include <algorithm>
#include <filesystem>

#include "engine/lesson/lesson.h"
#include "engine/support/file_io.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/lessons/lesson_book.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/point_frame.h"
#include "ui/state/run_controller.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/lesson_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/window_docks.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_lesson_controller {

namespace {

const std::string kLesson =
    "title = \"Own\"\nsummary = \"Of one thing.\"\nminutes = 5\n[set]\nseed = 7\n\"evaluation.every_samples\" = 60\n"
    "[[step]]\nheading = \"First\"\ntext = \"Run it.\"\nexperiment = { name = \"Mine\" }\npoint = \"nowPanel\"\n"
    "goal = 'accuracy > 0 and seed == 7'\n[[step]]\nheading = \"Second\"\ntext = \"End it.\"\ngoal = 'finished and "
    "retention(1) >= 0'\n[[step]]\nheading = \"Third\"\ntext = \"Guess.\"\ngoal = 'guess_drawn'\n";

}  // namespace

class TestLessonController : public QObject {
    Q_OBJECT
    struct Scene {
        ScriptedRun script;
        QTemporaryDir folder;
        std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "own.toml";
        std::unique_ptr<MainWindow> window;

        Scene() {
            const std::filesystem::path runs = std::filesystem::path(folder.path().toStdString()) / "runs";
            std::filesystem::create_directory(runs);
            window = std::make_unique<MainWindow>(script.laboratory(), runs);
            window->resize(1600, 900);
            showActive(*window);
            replaceTextFile(file, kLesson);
        }
        LessonController& lessons() const { return *window->lessons(); }
        LessonBook& book() const { return *window->lessons()->book(); }
        QDockWidget* dock(const char* name = "lessonDock") const { return window->findChild<QDockWidget*>(name); }
        QPushButton* button(const char* name) const { return window->findChild<QPushButton*>(name); }
        void open() {
            lessons().show();
            lessons().openFile(QString::fromStdString(file.string()));
            QTRY_VERIFY(book().lesson());
        }
    };

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void lessonsAreAwayUntilTheyAreAskedFor() {
        Scene scene;
        QVERIFY(scene.dock()->isHidden());
        const int before = scene.dock("nowDock")->width();
        scene.window->action(Command::Lessons)->trigger();
        QVERIFY(scene.dock()->isVisible());
        QCoreApplication::processEvents();
        QVERIFY2(scene.dock()->width() >= 290 && scene.dock()->width() <= 330,
                 qPrintable(QString::number(scene.dock()->width())));
        QVERIFY(std::abs(scene.dock("nowDock")->width() - before) < 8);
        scene.window->findChild<QAction*>("resetLayout")->trigger();
        QVERIFY(scene.dock()->isHidden());
    }

    void howeverThePanelComesTheListIsThere() {
        Scene scene;
        QVERIFY(scene.book().lessons().empty());
        scene.dock()->toggleViewAction()->trigger();
        QTRY_VERIFY(!scene.book().lessons().empty());
    }

    void aNarrowWindowHasThemInThePlaceOfNow() {
        Scene scene;
        scene.window->resize(1100, 700);
        QCoreApplication::processEvents();
        scene.window->action(Command::Lessons)->trigger();
        QVERIFY(scene.window->docks()->tabifiedDockWidgets(scene.dock()).contains(scene.dock("nowDock")));
        QVERIFY(scene.lessons().point("nowPanel"));
        QTRY_VERIFY(scene.dock("nowDock")->isVisible());
    }

    void anArrangementOfBeforeHidesNothingElse() {
        Scene scene;
        const QByteArray kept = scene.window->docks()->save();
        scene.lessons().show();
        QVERIFY(scene.window->docks()->restore(kept));
        QVERIFY(scene.dock()->isHidden() && scene.dock("nowDock")->isVisible());
    }

    void anExperimentIsSetUpAndTakenBackAndNothingStarts() {
        Scene scene;
        ExperimentDraft* draft = scene.window->controller()->draft();
        draft->set("stream.sessions", std::int64_t{9});
        scene.open();
        scene.button("lessonSetUp")->click();
        QCOMPARE(draft->experiment().name, std::string("Mine"));
        QCOMPARE(draft->experiment().seed, 7);
        QCOMPARE(draft->experiment().stream.sessions, 5);
        QVERIFY(!scene.window->controller()->busy());
        draft->undoStack()->undo();
        QCOMPARE(draft->experiment().stream.sessions, 9);
    }

    void goalsAreReachedWhileARunGoesOn() {
        Scene scene;
        scene.open();
        QSignalSpy kept(scene.window.get(), &MainWindow::lessonProgressChanged);
        scene.button("lessonSetUp")->click();
        scene.window->controller()->startOrResume();
        QTRY_VERIFY(scene.window->controller()->state() == RunState::Running);
        QVERIFY(!scene.book().met(0, 0));
        const int own = scene.book().current();
        scene.script.allow(8);
        QTRY_VERIFY(scene.book().met(own, 0));
        QVERIFY(!scene.book().met(own, 1));
        scene.script.allowAll();
        QTRY_VERIFY(scene.book().met(own, 1));
        QVERIFY(!scene.book().met(own, 2));
        QVERIFY(kept.size() >= 2);
        scene.window->state().figures.guesses.setDrawing(true);
        scene.window->state().figures.guesses.draw(GuessedCurve::Retention, {1, 0.5}, {3, 0.2});
        QTRY_VERIFY(scene.book().finished(own));
    }

    void runsOfBeforeDoNotCount() {
        Scene scene;
        ExperimentDraft* draft = scene.window->controller()->draft();
        draft->set("seed", std::int64_t{7});
        draft->set("evaluation.every_samples", std::int64_t{60});
        scene.script.allowAll();
        QSignalSpy ended(scene.window->controller()->bridge(), &RunBridge::ended);
        scene.window->controller()->startOrResume();
        QTRY_COMPARE(ended.size(), 1);
        scene.open();
        QTest::qWait(0);
        scene.book().go(1);
        scene.book().go(0);
        QCoreApplication::processEvents();
        QVERIFY(!scene.book().met(scene.book().current(), 0));
    }

    void everyPlaceOfALessonIsThere() {
        Scene scene;
        scene.window->action(Command::Lessons)->trigger();
        // Pushes and masks come with a run.
        scene.script.allow(3);
        scene.window->controller()->startOrResume();
        QTRY_COMPARE(scene.script.learned(), 3);
        for (const LessonPlace& place : lessonPlaces()) {
            const bool there = scene.lessons().point(place.name) ||
                               !scene.window->findChildren<QWidget*>(QString(place.name)).isEmpty();
            QVERIFY2(there, place.name);
            if (QWidget* menu = QApplication::activePopupWidget()) menu->close();
        }
        QVERIFY(!scene.lessons().point("nowhere"));
    }

    void everyStepOfTheLessonsThatShipShowsSomething() {
        Scene scene;
        scene.window->action(Command::Lessons)->trigger();
        // One needs what the made-up catalogue lacks.
        QTRY_COMPARE(scene.book().lessons().size(), lessonFiles().size() - 1);
        // Pushes and masks come with a run.
        scene.script.allow(3);
        scene.window->controller()->startOrResume();
        QTRY_COMPARE(scene.script.learned(), 3);
        const auto lessons = static_cast<int>(scene.book().lessons().size());
        for (int lesson = 0; lesson < lessons; ++lesson) {
            scene.book().open(lesson);
            const auto steps = static_cast<int>(scene.book().lesson()->steps.size());
            for (int step = 0; step < steps; ++step) {
                scene.book().go(step);
                const QString where = QString("lesson %1, step %2").arg(lesson + 1).arg(step + 1);
                auto* show = scene.button("lessonShow");
                QCOMPARE(show->isVisibleTo(scene.lessons().panel()), !scene.book().shownStep()->point.empty());
                if (scene.book().shownStep()->point.empty()) continue;
                if (scene.book().shownStep()->experiment) scene.button("lessonSetUp")->click();
                scene.window->messages()->dismissAll();
                show->click();
                // Pushes are there once a run has measured them.
                const QString point = QString::fromStdString(scene.book().shownStep()->point);
                if (point == QLatin1String("pushBars") && scene.window->messages()->count() > 0) {
                    QVERIFY(scene.window->findChild<QWidget*>(point));
                    continue;
                }
                QVERIFY2(scene.window->messages()->count() == 0, qPrintable(where));
                QTRY_VERIFY2(!scene.window->findChildren<PointFrame*>().isEmpty(), qPrintable(where));
                if (QWidget* menu = QApplication::activePopupWidget()) {
                    const QRect panel(scene.lessons().panel()->mapToGlobal(QPoint()), scene.lessons().panel()->size());
                    QVERIFY2(!menu->geometry().intersects(panel), qPrintable(where));
                    menu->close();
                }
                qDeleteAll(scene.window->findChildren<PointFrame*>());
                if (scene.dock()->isHidden() || !scene.lessons().panel()->isVisible()) scene.dock()->raise();
            }
        }
    }

    void aLessonThatShipsIsPlayed() {
        Scene scene;
        scene.window->action(Command::Lessons)->trigger();
        QTRY_VERIFY(!scene.book().lessons().empty());
        const auto luck = std::ranges::find(scene.book().lessons(), "8-luck", &ShelvedLesson::name);
        QVERIFY(luck != scene.book().lessons().end());
        const int lesson = static_cast<int>(luck - scene.book().lessons().begin());
        scene.book().open(lesson);
        const auto* goal = scene.lessons().panel()->findChild<QLabel*>("lessonGoalWords");
        QCOMPARE(goal->accessibleName(), QString("Goal, not reached yet"));
        scene.button("lessonSetUp")->click();
        QCOMPARE(scene.window->controller()->draft()->experiment().seed, 1);
        scene.button("lessonShow")->click();
        QVERIFY2(scene.window->focusWidget() == scene.button("startButton"), "it leads to Start");
        scene.script.allowAll();
        scene.button("startButton")->click();
        QTRY_VERIFY(scene.book().met(lesson, 0));
        QCOMPARE(goal->accessibleName(), QString("Goal reached"));
        // The next goal needs three seeds.
        scene.button("lessonForward")->click();
        QCOMPARE(scene.book().step(), 1);
        for (const std::int64_t seed : {2, 3}) {
            QTRY_VERIFY(!scene.window->controller()->busy());
            QVERIFY(!scene.book().met(lesson, 1));
            scene.window->controller()->draft()->set("seed", seed);
            scene.button("startButton")->click();
        }
        QTRY_VERIFY(!scene.window->controller()->busy());
        QCOMPARE(scene.window->curves()->visibleRuns().size(), std::size_t{3});
    }

    void whatIsShownWaitsForTheExperiment() {
        Scene scene;
        scene.open();
        scene.button("lessonShow")->click();
        QVERIFY(scene.window->messages()->text().startsWith("First press"));
        QVERIFY(scene.window->focusWidget() == scene.button("lessonSetUp"));
        scene.button("lessonSetUp")->click();
        scene.button("lessonShow")->click();
        QVERIFY(!scene.window->messages()->text().startsWith("First press"));
        auto* frame = scene.window->findChild<PointFrame*>();
        QVERIFY(frame && frame->geometry().contains(
                             scene.window->findChild<QWidget*>("nowPanel")->mapTo(scene.window.get(), QPoint(20, 20))));
    }

    void whatIsAwayIsBroughtIntoSight() {
        Scene scene;
        scene.dock("nowDock")->toggleViewAction()->trigger();
        QVERIFY(scene.dock("nowDock")->isHidden());
        QVERIFY(scene.lessons().point("nowPanel"));
        QVERIFY(scene.dock("nowDock")->isVisible());
        QCOMPARE(scene.window->findChildren<PointFrame*>().size(), 1);
        scene.window->curvesView()->showPage(CurvesView::kLoss);
        QVERIFY(scene.lessons().point("retentionPlot"));
        QCOMPARE(scene.window->curvesView()->page(), CurvesView::kAccuracy);
        QVERIFY(scene.lessons().point("curvesPage8"));
        QCOMPARE(scene.window->curvesView()->page(), CurvesView::kPushes);
        scene.dock("experimentDock")->toggleViewAction()->trigger();
        QVERIFY(scene.lessons().point("mask.name"));
        QTRY_VERIFY(scene.dock("experimentDock")->isVisible());
        QTRY_VERIFY(scene.window->focusWidget() &&
                    scene.window->focusWidget()->objectName().startsWith("optionEditor.mask.name"));
    }

    void aLessonWithAFaultIsSaid() {
        Scene scene;
        replaceTextFile(scene.file, kLesson + "gaol = 'x'\n");
        scene.lessons().show();
        scene.lessons().openFile(QString::fromStdString(scene.file.string()));
        QTRY_VERIFY2(scene.window->messages()->text().contains("unknown key gaol. Did you mean goal"),
                     qPrintable(scene.window->messages()->text()));
        QVERIFY(!scene.book().lesson());
        // Once it is mended it opens.
        replaceTextFile(scene.file, kLesson);
        scene.lessons().openFile(QString::fromStdString(scene.file.string()));
        QTRY_VERIFY(scene.book().lesson());
    }
};

PALIMPSEST_TEST(TestLessonController)

}  // namespace tst_lesson_controller

#include "tst_lesson_controller.moc"
