// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QUndoStack>
#include <algorithm>

#include "engine/record/example_runs.h"
#include "engine/record/talk.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/retention_plot.h"
#include "ui/plots/plot_overlay.h"
#include "ui/stage/spotlight.h"
#include "ui/stage/stage_bar.h"
#include "ui/stage/stage_strip.h"
#include "ui/stage/talk_dialog.h"
#include "ui/style/theme.h"
#include "ui/timeline/time_line.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/main_window.h"
#include "ui/window/quit.h"
#include "ui/window/stage_controller.h"
#include "ui/window/talk_controller.h"
#include "ui/window/window_docks.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_stage_controller {

/// All of a window that the stage changes for a while.
struct Look {
    Qt::WindowStates state;
    QSize size;
    QStringList sizes;
    QList<bool> docks;
    bool bar = false, tabs = false;
    int page = 0;
    std::optional<std::int64_t> moment;
    QStringList visible;
    QString selected;
    QColor ground;
    Experiment draft;
    int steps = 0;
    const PlotView* alone = nullptr;
};

class TestStageController : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    int rooms_ = 0;
    const OptionTable table_{testCatalogue()};

    std::filesystem::path newRuns() {
        const QString path = folder_.filePath(QString::number(++rooms_));
        QDir().mkpath(path);
        return path.toStdString();
    }
    static std::unique_ptr<MainWindow> open(const ScriptedRun& script, const std::filesystem::path& runs) {
        auto window = std::make_unique<MainWindow>(script.laboratory(), runs);
        window->setAppearance(Appearance::Dark);
        showActive(*window);
        return window;
    }
    static void showRun(const MainWindow& window, const std::filesystem::path& run) {
        const QString id = QString::fromStdString(run.string());
        [&] { QTRY_VERIFY(window.library()->find(id)); }();
        window.curves()->addRecord(*window.library()->find(id));
        window.curves()->select(id);
    }
    /// Keys go where a desktop would bring them: first the shortcuts are asked.
    static void press(MainWindow& window, Qt::Key key) {
        QWidget* focus = QApplication::focusWidget() ? QApplication::focusWidget() : &window;
        QTest::keyClick(focus, key);
    }
    static void setTalk(const MainWindow& window, const Talk& talk, const QString& file = {}) {
        window.talk()->book()->open(talk, file);
    }
    static void enter(const MainWindow& window) {
        window.action(Command::Stage)->trigger();
        [&] { QTRY_VERIFY(window.talk()->runs()->ready() && !window.stage()->changing()); }();
    }
    static QString caption(const MainWindow& window) { return window.stage()->bar()->caption(); }
    static void settle() {
        QTest::qWait(100);
        QCoreApplication::processEvents();
    }
    static QStringList sizesOf(const MainWindow& window) {
        QStringList sizes;
        for (auto* dock : window.docks()->findChildren<QDockWidget*>())
            if (dock->isVisible())
                sizes.append(QString("%1 %2 x %3").arg(dock->objectName()).arg(dock->width()).arg(dock->height()));
        return sizes;
    }
    static Look lookOf(const MainWindow& window) {
        settle();
        Look look;
        look.state = window.windowState() & ~Qt::WindowActive;
        look.size = window.size();
        for (auto* dock : window.docks()->findChildren<QDockWidget*>()) look.docks.append(dock->isVisible());
        look.sizes = sizesOf(window);
        look.bar = window.findChild<QWidget*>("topBar")->isVisible();
        look.tabs = window.findChild<QWidget*>("curvesTabs")->isVisible();
        look.page = window.curvesView()->page();
        look.moment = window.state().figures.cursor.pinned();
        for (const ShownRun* run : window.curves()->visibleRuns()) look.visible.append(run->id);
        if (const ShownRun* run = window.curves()->selected()) look.selected = run->id;
        look.ground = Theme::of(&window).ground;
        look.draft = window.state().controller.draft()->experiment();
        look.steps = window.state().controller.draft()->undoStack()->count();
        look.alone = window.curvesView()->alone();
        return look;
    }
    void compare(const MainWindow& window, const Look& before) {
        // A desktop takes its time, too.
        QTRY_COMPARE(sizesOf(window), before.sizes);
        const Look after = lookOf(window);
        QCOMPARE(after.state, before.state);
        QCOMPARE(after.size, before.size);
        QCOMPARE(after.docks, before.docks);
        QCOMPARE(after.sizes, before.sizes);
        QCOMPARE(after.bar, before.bar);
        QCOMPARE(after.tabs, before.tabs);
        QCOMPARE(after.page, before.page);
        QCOMPARE(after.moment, before.moment);
        QCOMPARE(after.visible, before.visible);
        QCOMPARE(after.selected, before.selected);
        QCOMPARE(after.ground, before.ground);
        QVERIFY(sameTalkExperiment(table_, after.draft, before.draft));
        QCOMPARE(after.steps, before.steps);
        QVERIFY(after.alone == before.alone);
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void itIsEnteredAndLeftWithoutATrace() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto one = writeMadeUpRun(table_, runs, "batch"), other = writeMadeUpRun(table_, runs, "none");
        const auto window = open(script, runs);
        showRun(*window, one);
        showRun(*window, other);
        window->curvesView()->showPage(CurvesView::kSessions);
        window->state().figures.cursor.pin(2000);
        window->action(Command::SidePanels)->trigger();
        const Look before = lookOf(*window);
        press(*window, Qt::Key_F8);
        QVERIFY(window->stage()->on());
        settle();
        QVERIFY(window->isFullScreen());
        QCOMPARE(Theme::of(window.get()).ground, Theme::projectorTheme().ground);
        for (const char* name : {"topBar", "curvesTabs", "experimentDock", "nowDock", "runsDock", "stageBar"})
            QVERIFY2(!window->findChild<QWidget*>(name)->isVisible(), name);
        QVERIFY(window->curvesView()->isVisible());
        QCOMPARE(window->curvesView()->page(), CurvesView::kSessions);
        QCOMPARE(window->state().figures.cursor.pinned(), std::optional<std::int64_t>(2000));
        // Without a talk the keys walk through the evaluations; a number goes to a session.
        press(*window, Qt::Key_PageUp);
        QCOMPARE(window->state().figures.cursor.pinned(), std::optional<std::int64_t>(1500));
        press(*window, Qt::Key_Right);
        QCOMPARE(window->state().figures.cursor.pinned(), std::optional<std::int64_t>(2000));
        press(*window, Qt::Key_Home);
        QCOMPARE(window->state().figures.cursor.pinned(), std::optional<std::int64_t>(500));
        press(*window, Qt::Key_3);
        press(*window, Qt::Key_Return);
        QCOMPARE(window->state().figures.cursor.pinned(), std::optional<std::int64_t>(3600));
        press(*window, Qt::Key_Escape);
        QVERIFY(!window->stage()->on());
        QVERIFY(window->isVisible());
        compare(*window, before);
        // The key that leads there leads back, too.
        press(*window, Qt::Key_F8);
        QVERIFY(window->stage()->on());
        press(*window, Qt::Key_F8);
        QVERIFY(!window->stage()->on());
        compare(*window, before);
    }

    void aWindowThatIsClosedThereComesBackAsItWasBefore() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(table_, runs, "batch");
        QTemporaryDir workspace;
        QByteArray before;
        {
            const auto window = open(script, runs);
            showRun(*window, run);
            window->beginSession(workspace.path());
            window->curvesView()->showPage(CurvesView::kLoss);
            const QString file = workspace.filePath("workspace.json");
            const auto written = [&] {
                QFile kept(file);
                return kept.open(QIODevice::ReadOnly) ? kept.readAll() : QByteArray();
            };
            QTRY_VERIFY_WITH_TIMEOUT(written().contains(run.filename().string().c_str()), 10000);
            settle();
            before = written();
            enter(*window);
            settle();
            QVERIFY(window->isFullScreen());
            QVERIFY(window->close());
        }
        QFile kept(workspace.filePath("workspace.json"));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), before);
    }

    void keysMeanNothingElseThere() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        setTalk(*window, {.title = "A",
                          .runs = {},
                          .scenes = {{.caption = "One", .runs = {}},
                                     {.caption = "Two", .runs = {}},
                                     {.caption = "Three", .runs = {}}}});
        enter(*window);
        QCOMPARE(caption(*window), QString("One"));
        QCOMPARE(window->stage()->bar()->place(), QString("1 / 3"));
        for (const Qt::Key next : {Qt::Key_PageDown, Qt::Key_Space}) press(*window, next);
        QCOMPARE(caption(*window), QString("Three"));
        press(*window, Qt::Key_Down);
        QCOMPARE(window->stage()->scene(), 2);
        for (const Qt::Key back : {Qt::Key_Up, Qt::Key_Left}) press(*window, back);
        QCOMPARE(caption(*window), QString("One"));
        press(*window, Qt::Key_End);
        QCOMPARE(window->stage()->scene(), 2);
        press(*window, Qt::Key_Home);
        QCOMPARE(window->stage()->scene(), 0);
        press(*window, Qt::Key_2);
        QCOMPARE(window->stage()->bar()->place(), QString("→ 2"));
        press(*window, Qt::Key_Return);
        QCOMPARE(window->stage()->scene(), 1);
        for (const Qt::Key none : {Qt::Key_9, Qt::Key_9, Qt::Key_Return}) press(*window, none);
        QCOMPARE(window->stage()->scene(), 1);
        // Nothing that starts, stops, opens or quits.
        const std::initializer_list<std::pair<Qt::Key, Qt::KeyboardModifiers>> others{{Qt::Key_F5, {}},
                                                                                      {Qt::Key_F5, Qt::ShiftModifier},
                                                                                      {Qt::Key_R, Qt::ControlModifier},
                                                                                      {Qt::Key_K, Qt::ControlModifier},
                                                                                      {Qt::Key_Q, Qt::ControlModifier},
                                                                                      {Qt::Key_G, Qt::ControlModifier},
                                                                                      {Qt::Key_F9, {}},
                                                                                      {Qt::Key_F11, {}},
                                                                                      {Qt::Key_L, Qt::ControlModifier},
                                                                                      {Qt::Key_1, Qt::ControlModifier}};
        for (const auto& [key, modifiers] : others) QTest::keyClick(window.get(), key, modifiers);
        QVERIFY(window->isVisible() && window->stage()->on() && !window->controller()->busy());
        QVERIFY(!window->state().lane_b.on() && !window->state().figures.guesses.drawing());
        QVERIFY(!QApplication::activeModalWidget());
        // A black screen, and back with the next scene.
        const auto* curtain = window->findChild<QWidget*>("stageCurtain");
        press(*window, Qt::Key_B);
        QVERIFY(curtain->isVisible());
        press(*window, Qt::Key_Period);
        QVERIFY(!curtain->isVisible());
        press(*window, Qt::Key_B);
        press(*window, Qt::Key_PageDown);
        QVERIFY(!curtain->isVisible());
        press(*window, Qt::Key_S);
        QVERIFY(window->stage()->spotlight()->isOn());
        const int radius = window->stage()->spotlight()->radius();
        press(*window, Qt::Key_Plus);
        QVERIFY(window->stage()->spotlight()->radius() > radius);
        press(*window, Qt::Key_L);
        QVERIFY(!window->stage()->spotlight()->isOn());
        press(*window, Qt::Key_Escape);
        QVERIFY(!window->stage()->on());
    }

    void keysAreSaidOnceAndFiguresTurn() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(table_, runs, "batch");
        const auto window = open(script, runs);
        showRun(*window, run);
        window->state().figures.cursor.pin(2000);
        const auto boxes = [&] {
            QSet<bool> shown;
            for (const PlotOverlay* overlay : window->curvesView()->findChildren<PlotOverlay*>())
                shown.insert(overlay->boxShown());
            return shown;
        };
        enter(*window);
        const StageStrip* hint = window->stage()->hint();
        QVERIFY(hint->isVisible());
        for (const char* word : {"Page Down", "next moment", "F: next figure", "Escape"})
            QVERIFY2(hint->text().contains(word), word);
        QVERIFY(window->rect().contains(QRect(hint->mapTo(window.get(), QPoint()), hint->size())));
        // Values stand over the curves only where they are asked for.
        QCOMPARE(boxes(), QSet<bool>{false});
        press(*window, Qt::Key_V);
        QCOMPARE(boxes(), QSet<bool>{true});
        QVERIFY2(!hint->isVisible(), "a key was pressed");
        press(*window, Qt::Key_V);
        QCOMPARE(window->curvesView()->page(), CurvesView::kAccuracy);
        press(*window, Qt::Key_F);
        QCOMPARE(window->curvesView()->page(), CurvesView::kClasses);
        QTest::keyClick(window.get(), Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(window->curvesView()->page(), CurvesView::kSessions);
        QCOMPARE(window->state().figures.cursor.pinned(), std::optional<std::int64_t>(2000));
        QTest::keyClick(window.get(), Qt::Key_F, Qt::ShiftModifier);
        QTest::keyClick(window.get(), Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(window->curvesView()->page(), CurvesView::kAccuracy);
        QTest::keyClick(window.get(), Qt::Key_Question, Qt::ShiftModifier);
        QVERIFY(hint->isVisible() && hint->text().contains("spotlight") && hint->text().contains("Shift+F"));
        QVERIFY(window->rect().contains(QRect(hint->mapTo(window.get(), QPoint()), hint->size())));
        press(*window, Qt::Key_H);
        QVERIFY(!hint->isVisible());
        // What is typed is seen.
        press(*window, Qt::Key_3);
        QVERIFY(hint->isVisible() && hint->text().contains("session 3"));
        press(*window, Qt::Key_Return);
        QVERIFY(!hint->isVisible());
        press(*window, Qt::Key_Escape);
        QCOMPARE(boxes(), QSet<bool>{true});
        QVERIFY2(window->messages()->count() == 0, "without a talk there is nothing to say");
    }

    void aKeyThatChangesNothingSaysWhy() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(table_, runs, "batch");
        const auto window = open(script, runs);
        showRun(*window, run);
        const auto& cursor = window->state().figures.cursor;
        // The story of a run that has ended begins at its first evaluation.
        enter(*window);
        QCOMPARE(cursor.pinned(), std::optional<std::int64_t>(500));
        settle();
        const StageStrip* hint = window->stage()->hint();
        const auto placeOf = [&](const QWidget* widget) {
            return QRect(widget->mapTo(window.get(), QPoint()), widget->size());
        };
        QVERIFY(hint->isVisible());
        QVERIFY2(!placeOf(hint).intersects(placeOf(window->curvesView()->timeLine())), "the time line is covered");
        const CurvesView* curves = window->curvesView();
        QVERIFY(curves->axesFoot() > 20);
        QTRY_VERIFY2(placeOf(hint).bottom() <= placeOf(curves->figures()).bottom() - curves->axesFoot(),
                     "the numbers of an axis are covered");
        press(*window, Qt::Key_PageUp);
        QVERIFY(hint->isVisible() && hint->text().contains("first moment"));
        press(*window, Qt::Key_PageDown);
        QVERIFY(!hint->isVisible());
        press(*window, Qt::Key_End);
        const auto all = cursor.pinned();
        press(*window, Qt::Key_PageDown);
        QVERIFY(hint->isVisible() && hint->text().contains("last moment"));
        QCOMPARE(cursor.pinned(), all);
        // Values at no moment, and on a page that has no box of them.
        press(*window, Qt::Key_V);
        QVERIFY(hint->isVisible() && hint->text().contains("none is chosen"));
        window->curvesView()->showPage(CurvesView::kFeatures);
        press(*window, Qt::Key_V);
        QVERIFY(hint->isVisible() && hint->text().contains("no box of values"));
        press(*window, Qt::Key_Escape);
        QVERIFY(!cursor.pinned());
        // At both ends of a talk.
        setTalk(*window,
                {.title = "A", .runs = {}, .scenes = {{.caption = "One", .runs = {}}, {.caption = "Two", .runs = {}}}});
        enter(*window);
        press(*window, Qt::Key_PageUp);
        QVERIFY(hint->isVisible() && hint->text().contains("first scene"));
        press(*window, Qt::Key_PageDown);
        press(*window, Qt::Key_PageDown);
        QVERIFY(hint->isVisible() && hint->text().contains("last scene"));
        press(*window, Qt::Key_Escape);
    }

    void notesComeByAKey() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        Talk talk;
        talk.title = "A";
        talk.scenes = {{.caption = "One", .note = "Wait for questions.", .runs = {}}, {.caption = "Two", .runs = {}}};
        setTalk(*window, talk);
        enter(*window);
        QVERIFY(window->stage()->hint()->text().contains("N: note"));
        const StageStrip* note = window->stage()->note();
        QVERIFY2(!note->isVisible(), "the audience does not read it");
        press(*window, Qt::Key_N);
        QVERIFY(note->isVisible());
        QCOMPARE(note->text(), QString("Wait for questions."));
        // It does not hide the caption.
        QVERIFY(note->mapToGlobal(QPoint(0, note->height())).y() <= window->stage()->bar()->mapToGlobal(QPoint()).y());
        press(*window, Qt::Key_N);
        QVERIFY(!note->isVisible());
        press(*window, Qt::Key_N);
        press(*window, Qt::Key_PageDown);
        QVERIFY(!note->isVisible());
        press(*window, Qt::Key_N);
        QCOMPARE(note->text(), QString("This scene has no note."));
        press(*window, Qt::Key_Escape);
        QVERIFY(!note->isVisible());
    }

    void aTalkIsLeftAndClosed() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto window = open(script, runs);
        const QString file = QString::fromStdString(shippedTalks().at(0).file.string());
        const auto bar = [&] { return window->findChild<QLabel*>("progressSession")->text(); };
        QVERIFY(!window->action(Command::CloseTalk)->isEnabled());
        window->action(Command::Talk)->trigger();
        window->talk()->open(file);
        QTRY_VERIFY(!window->talk()->book()->empty());
        QTRY_VERIFY(window->talk()->runs()->ready());
        QTRY_COMPARE(window->library()->rows().size(), kDemoRuns.size());
        const QString before = bar();
        const Talk talk = window->talk()->book()->talk();
        const auto plays = std::ranges::find_if(talk.scenes, [](const TalkScene& scene) { return scene.play > 0; });
        QVERIFY(plays != talk.scenes.end());
        const int scene = static_cast<int>(plays - talk.scenes.begin());
        Q_EMIT window->talk()->dialog()->stageAsked(scene);
        QTRY_VERIFY(window->controller()->replaying());
        QVERIFY(!window->talk()->dialog()->isVisible());
        press(*window, Qt::Key_Escape);
        QTRY_VERIFY(!window->controller()->busy());
        // The list is back, at the scene that was shown; of the talk's replay nothing is said.
        QTRY_VERIFY(window->talk()->dialog()->isVisible());
        QCOMPARE(window->talk()->dialog()->chosen(), scene);
        QCOMPARE(bar(), before);
        QVERIFY(window->messages()->text().startsWith("The stage is left"));
        QVERIFY(window->messages()->hint().contains("View > Close talk"));
        window->action(Command::CloseTalk)->trigger();
        QVERIFY(window->talk()->book()->empty() && !window->action(Command::CloseTalk)->isEnabled());
        QCOMPARE(window->messages()->text(), QString("The talk is closed."));
        QCOMPARE(window->messages()->hint(), QString("The 3 recorded runs that came with it stay in the list."));
        window->findChild<QAbstractButton*>("messageAction")->click();
        QTRY_VERIFY(window->library()->rows().empty());
        // The stage is the plain one again.
        enter(*window);
        QCOMPARE(window->stage()->scene(), -1);
        QVERIFY(!window->stage()->bar()->isVisible());
        window->stage()->leave();
    }

    void dialogsComeBackWhereTheyWereLeft() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        for (const Command command : {Command::Talk, Command::Attention, Command::DrawClass}) {
            const auto shown = [&] {
                window->action(command)->trigger();
                QDialog* found = nullptr;
                for (auto* dialog : window->findChildren<QDialog*>())
                    if (dialog->isVisible()) found = dialog;
                return found;
            };
            QDialog* dialog = shown();
            QVERIFY(dialog);
            dialog->move(31, 47);
            dialog->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            dialog = shown();
            QVERIFY(dialog);
            QCOMPARE(dialog->pos(), QPoint(31, 47));
            dialog->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }

    void whatIsNotSavedIsAskedForFirst() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        window->action(Command::AddToTalk)->trigger();
        QVERIFY(window->talk()->book()->modified());
        window->action(Command::CloseTalk)->trigger();
        QVERIFY2(!window->talk()->book()->empty(), "nothing is lost without a word");
        QCOMPARE(window->messages()->text(), QString("The talk was changed and is not saved."));
        window->talk()->open(QString::fromStdString(shippedTalks().at(0).file.string()));
        QCOMPARE(window->talk()->book()->scenes(), 1);
        window->findChild<QAbstractButton*>("messageOther")->click();
        QTRY_VERIFY(window->talk()->book()->scenes() > 1);
    }

    void quittingAsksBeforeItLosesATalk() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        setTalk(*window, {.title = "A", .runs = {}, .scenes = {{.caption = "One", .runs = {}}}});
        window->talk()->book()->setTitle("B");
        QVERIFY(!window->close() && window->isVisible());
        const auto* question = window->findChild<QuitQuestion*>();
        QVERIFY(question && question->work() == QuitQuestion::Work::Talk);
        QVERIFY2(question->text().contains("not saved"), qPrintable(question->text()));
        question->findChild<QAbstractButton*>("stayButton")->click();
        QTRY_VERIFY(!window->findChild<QuitQuestion*>());
        QVERIFY(window->isVisible());
        // Once it is saved there is nothing to ask.
        QVERIFY(!window->close());
        window->talk()->save(folder_.filePath("kept.toml"));
        QTRY_VERIFY(!window->findChild<QuitQuestion*>());
        QVERIFY(window->isVisible() && !window->talk()->book()->modified());
        window->talk()->book()->setTitle("C");
        // What learns is asked for first, and the question names the talk.
        window->controller()->startOrResume();
        script.allow(2);
        QTRY_VERIFY(script.learned() == 2);
        QVERIFY(!window->close());
        question = window->findChild<QuitQuestion*>();
        QVERIFY(question && question->work() == QuitQuestion::Work::Run);
        QVERIFY2(question->informativeText().contains("talk was changed"), qPrintable(question->informativeText()));
        script.allowAll();
        question->findChild<QAbstractButton*>("quitButton")->click();
        QTRY_VERIFY(!window->isVisible());
    }

    void thePointerMovesTheLight() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        window->action(Command::Stage)->trigger();
        press(*window, Qt::Key_S);
        settle();
        auto* light = window->stage()->spotlight();
        QCoreApplication::processEvents();
        const QPointF place(window->width() / 2, window->height() / 2);
        QMouseEvent move(QEvent::MouseMove, place, window->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(window->windowHandle(), &move);
        QVERIFY(light->isVisible());
        const int radius = light->radius();
        QWheelEvent wheel(place, window->mapToGlobal(place), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(window->windowHandle(), &wheel);
        QVERIFY(light->radius() > radius);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(window->windowHandle(), &leave);
        QVERIFY(!light->isVisible() && light->isOn());
        window->stage()->leave();
        QVERIFY(!light->isOn());
    }

    void aMissingRunIsSaidAndTheTalkGoesOn() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(table_, runs, "batch");
        const auto window = open(script, runs);
        Talk talk;
        talk.title = "A";
        talk.runs = {{.name = "here", .recorded = {}, .folder = run.filename().string(), .experiment = {}},
                     {.name = "gone", .recorded = {}, .folder = "nowhere", .experiment = {}}};
        talk.scenes = {{.caption = "{gone.accuracy} %", .runs = {"gone", "here"}},
                       {.caption = "{here.accuracy(session 2)} %", .runs = {"here"}}};
        talk.scenes[1].figure = "Retention";
        talk.scenes[1].at = {TalkMoment::Kind::Session, 2};
        setTalk(*window, talk);
        enter(*window);
        QCOMPARE(caption(*window), QString("… %"));
        QVERIFY(window->stage()->bar()->notice().startsWith("The run “gone” is missing"));
        QCOMPARE(window->curves()->visibleRuns().size(), std::size_t(1));
        press(*window, Qt::Key_PageDown);
        QVERIFY(window->stage()->bar()->notice().isEmpty());
        QVERIFY2(!caption(*window).contains("…"), qPrintable(caption(*window)));
        QCOMPARE(window->state().figures.cursor.pinned(), std::optional<std::int64_t>(2 * kSessionImages));
        QVERIFY(window->curvesView()->alone() == window->curvesView()->retention());
        QVERIFY(!window->curvesView()->accuracy()->isVisible());
        // News of the program stays away, errors do not.
        window->messages()->showMessage(MessageBar::Kind::Note, "A note.");
        settle();
        QVERIFY(!window->messages()->isVisible());
        window->messages()->showMessage(MessageBar::Kind::Error, "An error.");
        settle();
        QVERIFY(window->messages()->isVisible());
        press(*window, Qt::Key_Escape);
        QVERIFY(window->curves()->visibleRuns().empty());
    }

    void aSceneStartsARunAtTheNextKeyAlone() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        window->controller()->draft()->set("seed", std::int64_t{77});
        const Experiment draft = window->controller()->draft()->experiment();
        Talk talk;
        talk.title = "A";
        talk.runs = {{.name = "live",
                      .recorded = {},
                      .folder = {},
                      .experiment = "demo",
                      .set = {{"stream.dataset", std::string("fashion-mnist")}}}};
        talk.scenes = {{.caption = "Before", .runs = {}},
                       {.caption = "Now {live.accuracy} %", .runs = {"live"}},
                       {.caption = "After", .runs = {}}};
        talk.scenes[1].start = "live";
        setTalk(*window, talk);
        enter(*window);
        press(*window, Qt::Key_PageDown);
        QCOMPARE(caption(*window), QString("Now … %"));
        QVERIFY2(!window->controller()->busy(), "nothing starts by itself");
        QCOMPARE(window->stage()->bar()->notice(), QString("The next key starts this run."));
        press(*window, Qt::Key_PageDown);
        QCOMPARE(window->stage()->scene(), 1);
        QVERIFY(window->controller()->busy());
        QCOMPARE(window->controller()->running()->seed, std::int64_t{8});
        script.allowAll();
        QTRY_VERIFY(!window->controller()->busy());
        QTRY_VERIFY2(!caption(*window).contains("…"), qPrintable(caption(*window)));
        press(*window, Qt::Key_PageDown);
        QCOMPARE(caption(*window), QString("After"));
        press(*window, Qt::Key_Escape);
        QVERIFY(sameTalkExperiment(table_, window->controller()->draft()->experiment(), draft));
        QCOMPARE(window->controller()->draft()->experiment().seed, std::int64_t{77});
    }

    void aRunThatLearnsGoesOn() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(table_, runs, "batch");
        const auto window = open(script, runs);
        Talk talk;
        talk.title = "A";
        talk.runs = {{.name = "here", .recorded = {}, .folder = run.filename().string(), .experiment = {}}};
        talk.scenes = {{.caption = "Plays", .runs = {"here"}}};
        talk.scenes[0].play = 100;
        setTalk(*window, talk);
        window->controller()->startOrResume();
        script.allow(2);
        QTRY_VERIFY(script.learned() == 2);
        enter(*window);
        QVERIFY(window->stage()->bar()->notice().startsWith("A run is learning"));
        press(*window, Qt::Key_Escape);
        QVERIFY(window->controller()->busy() && !window->controller()->replaying());
        script.allowAll();
        QTRY_VERIFY(!window->controller()->busy());
    }

    void whatIsInFrontBecomesAScene() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(table_, runs, "batch");
        const auto window = open(script, runs);
        showRun(*window, run);
        window->curvesView()->showPage(CurvesView::kConfusion);
        window->state().figures.cursor.pin(2 * kSessionImages);
        window->action(Command::AddToTalk)->trigger();
        window->state().figures.cursor.pin(500);
        window->curvesView()->showPage(CurvesView::kLoss);
        QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
        const Talk& talk = window->talk()->book()->talk();
        QCOMPARE(talk.scenes.size(), std::size_t(2));
        QCOMPARE(talk.scenes[0].figure, std::string("Confusion"));
        QCOMPARE(talk.scenes[0].at, (TalkMoment{TalkMoment::Kind::Session, 2}));
        QCOMPARE(talk.scenes[1].at, (TalkMoment{TalkMoment::Kind::Images, 500}));
        QCOMPARE(talk.runs.size(), std::size_t(1));
        QCOMPARE(talk.runs[0].folder, run.filename().string());
        // Saved, opened and walked, it shows the same.
        const QString file = folder_.filePath("mine.toml");
        window->talk()->save(file);
        QTRY_COMPARE(window->talk()->book()->file(), file);
        QCOMPARE(readTalk(file.toStdString()), talk);
        window->curvesView()->showPage(CurvesView::kAccuracy);
        window->state().figures.cursor.pin(std::nullopt);
        window->action(Command::Talk)->trigger();
        QVERIFY(window->talk()->dialog()->isVisible());
        Q_EMIT window->talk()->dialog()->stageAsked(1);
        QTRY_VERIFY(window->talk()->runs()->ready());
        QVERIFY(window->stage()->on());
        QCOMPARE(window->stage()->scene(), 1);
        QCOMPARE(window->curvesView()->page(), CurvesView::kLoss);
        QCOMPARE(window->state().figures.cursor.pinned(), std::optional<std::int64_t>(500));
        QVERIFY2(caption(*window).startsWith("batch run: ") && !caption(*window).contains("…"),
                 qPrintable(caption(*window)));
        window->stage()->leave();
    }

    void everyPageCanBeAScene() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(table_, runs, "batch");
        const auto window = open(script, runs);
        showRun(*window, run);
        for (int page = 0; page < CurvesView::kPages; ++page) {
            window->curvesView()->showPage(static_cast<CurvesView::Page>(page));
            window->action(Command::AddToTalk)->trigger();
        }
        const Talk talk = window->talk()->book()->talk();
        QCOMPARE(talk.scenes.size(), static_cast<std::size_t>(CurvesView::kPages));
        window->curvesView()->showPage(CurvesView::kAccuracy);
        enter(*window);
        QVERIFY(window->stage()->on());
        for (int page = 0; page < CurvesView::kPages; ++page) {
            const std::string& figure = talk.scenes[static_cast<std::size_t>(page)].figure;
            QVERIFY2(std::ranges::find(kTalkFigures, figure) != kTalkFigures.end(), figure.c_str());
            if (page > 0) press(*window, Qt::Key_PageDown);
            QTRY_COMPARE(window->curvesView()->page(), static_cast<CurvesView::Page>(page));
        }
        window->stage()->leave();
    }

    void missingRunsAreMadeBeforehand() {
        ScriptedRun script;
        script.allowAll();
        const auto window = open(script, newRuns());
        Talk talk;
        talk.title = "A";
        talk.runs = {{.name = "a",
                      .recorded = {},
                      .folder = {},
                      .experiment = "demo",
                      .set = {{"stream.dataset", std::string("fashion-mnist")}},
                      .seconds = 31},
                     {.name = "b",
                      .recorded = {},
                      .folder = {},
                      .experiment = "demo",
                      .set = {{"stream.dataset", std::string("fashion-mnist")}, {"seed", std::int64_t{9}}},
                      .seconds = 31},
                     {.name = "live", .recorded = {}, .folder = {}, .experiment = "demo"}};
        talk.scenes = {{.caption = "A", .runs = {"a", "b"}}, {.caption = "B", .runs = {}}};
        talk.scenes[1].start = "live";
        setTalk(*window, talk);
        window->action(Command::Talk)->trigger();
        window->talk()->findRuns();
        const auto* needs = window->talk()->dialog()->findChild<QLabel*>("talkNeeds");
        QTRY_COMPARE(needs->text(), QString("2 runs are to be made first: about 1 min 2 s on two processor cores."));
        QSignalSpy started(window->controller()->bridge(0), &RunBridge::started);
        const Experiment draft = window->controller()->draft()->experiment();
        window->talk()->dialog()->findChild<QAbstractButton*>("prepareTalk")->click();
        QTRY_COMPARE(started.size(), 2);
        QTRY_VERIFY(!window->talk()->preparing() && !window->controller()->busy());
        QCOMPARE(window->controller()->draft()->experiment().seed, draft.seed);
        QCOMPARE(window->messages()->text(), QString("The talk is prepared: all its runs are here."));
        window->talk()->dialog()->close();
    }

    /// The talk that ships, in a real window, over the recorded runs, from the first scene to the last.
    void theShippedTalkIsWalked() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        const QString file = QString::fromStdString(shippedTalks().at(0).file.string());
        window->talk()->open(file);
        QTRY_VERIFY(!window->talk()->book()->empty());
        const Talk talk = window->talk()->book()->talk();
        QTRY_VERIFY(window->talk()->runs()->ready());
        QTRY_COMPARE(window->library()->rows().size(), kDemoRuns.size());
        const Look before = lookOf(*window);
        enter(*window);
        const int count = static_cast<int>(talk.scenes.size());
        for (int i = 0; i < count; ++i) {
            QTRY_VERIFY(!window->stage()->changing());
            QCOMPARE(window->stage()->scene(), i);
            const TalkScene scene = talk.scene(static_cast<std::size_t>(i));
            const QString text = caption(*window);
            QVERIFY2(!text.isEmpty() && (!scene.start.empty() || !text.contains("…")), qPrintable(text));
            QVERIFY2(!window->stage()->bar()->notice().contains("missing"), qPrintable(text));
            if (scene.start.empty()) QCOMPARE(window->curves()->visibleRuns().size(), scene.runs.size());
            QCOMPARE(window->stage()->spotlight()->isOn(), scene.spotlight);
            QCOMPARE(window->findChild<QWidget*>("nowDock")->isVisible(), scene.now);
            if (scene.play > 0) QTRY_VERIFY(window->controller()->replaying());
            // The caption stands whole in the window, and the figure has most of it.
            const auto* label = window->findChild<QLabel*>("stageCaption");
            QCoreApplication::processEvents();
            const QRect needed =
                QFontMetrics(label->font()).boundingRect(QRect(0, 0, label->width(), 0), Qt::TextWordWrap, text);
            QVERIFY2(needed.height() <= label->height(), qPrintable(text));
            QVERIFY(label->font().pixelSize() >= 0.04 * window->height());
            if (!scene.start.empty()) {
                press(*window, Qt::Key_PageDown);
                QVERIFY(window->controller()->busy());
                QCOMPARE(window->stage()->scene(), i);
                script.allowAll();
                QTRY_VERIFY(!window->controller()->busy());
            }
            press(*window, Qt::Key_PageDown);
        }
        QCOMPARE(window->stage()->scene(), count - 1);
        for (int i = count - 1; i > 0; --i) {
            press(*window, Qt::Key_PageUp);
            QTRY_VERIFY(!window->stage()->changing());
            QCOMPARE(window->stage()->scene(), i - 1);
        }
        press(*window, Qt::Key_Escape);
        QTRY_VERIFY(!window->controller()->busy());
        compare(*window, before);
    }
};

PALIMPSEST_TEST(TestStageController)

}  // namespace tst_stage_controller

#include "tst_stage_controller.moc"
