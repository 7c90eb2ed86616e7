// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>

#include "engine/config/experiment_file.h"
#include "tests/support/foreign_run.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/guide/guide_viewer.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/state/window_state.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/welcome_page.h"

using namespace palimpsest;
using palimpsest::testing::ForeignRun;
using palimpsest::testing::madeUpRecord;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::showActive;

namespace tst_welcome_page {

class TestWelcomePage : public QObject {
    Q_OBJECT
private:
    /// A window of a person who has never run anything.
    struct Scene {
        ScriptedRun script;
        QTemporaryDir runs, workspace;
        std::unique_ptr<MainWindow> window =
            std::make_unique<MainWindow>(script.laboratory(), runs.path().toStdString());
        WelcomePage* page = window->findChild<WelcomePage*>();

        Scene() {
            window->beginSession(workspace.path());
            showActive(*window);
        }
        QAbstractButton* button(const QString& name) const { return page->findChild<QAbstractButton*>(name); }
        /// A visible button of the message; null: there is none.
        QPushButton* message(const QString& text) const {
            for (QPushButton* button : window->messages()->findChildren<QPushButton*>())
                if (button->text() == text && button->isVisible()) return button;
            return nullptr;
        }
        bool figuresShown() const {
            return window->findChild<QWidget*>("anytimePlot")->isVisible() && !page->isVisible();
        }
    };

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void itStandsInTheCentreUntilThereIsSomethingToShow() {
        Scene scene;
        QVERIFY(scene.page->isVisible());
        QVERIFY(!scene.window->findChild<QWidget*>("anytimePlot")->isVisible());
        scene.window->controller()->startOrResume();
        scene.script.allow(1);
        QTRY_VERIFY(scene.figuresShown());
        scene.script.allowAll();
        QTRY_COMPARE(scene.window->controller()->state(), RunState::Idle);
        QVERIFY(scene.figuresShown());
    }

    void messagesFloatOverItAndNotOverTheRuns() {
        Scene scene;
        scene.window->messages()->showMessage(MessageBar::Kind::Error, "The folder is full.", "Choose another.");
        const auto placeOf = [&](const QWidget* widget) {
            return QRect(widget->mapTo(scene.window.get(), QPoint()), widget->size());
        };
        const QRect bar = placeOf(scene.window->messages());
        const QWidget* runs = scene.window->findChild<QWidget*>("runsTable");
        QVERIFY(scene.page->isVisible() && runs->isVisible());
        QVERIFY(placeOf(scene.page).intersects(bar));
        QVERIFY(!placeOf(runs).intersects(bar));
    }

    void theDemoPlaysTwoRecordedRunsWithOneClick() {
        Scene scene;
        RunController* controller = scene.window->controller();
        controller->draft()->set("seed", std::int64_t{77});
        QTest::mouseClick(scene.button("welcomeDemo"), Qt::LeftButton);
        QTRY_VERIFY(controller->replaying());
        QVERIFY(scene.figuresShown());
        const std::int64_t learned = scene.script.learned();
        const RunSet& shown = *scene.window->curves();
        const auto run = [&](const char* name) {
            return shown.find(RunSet::idOf((scene.runs.path() + '/' + name).toStdString(), 0));
        };
        QTRY_VERIFY(run("demo") && run("demo")->live && run("demo-no-mask")->live);
        QVERIFY(run("demo")->display.selected && run("demo-no-mask")->display.visible);
        QVERIFY(!run("demo-random-prompts")->display.visible);
        // The experiment is the user's.
        QCOMPARE(controller->draft()->experiment().seed, 77);
        QVERIFY(!scene.window->findChild<QAction*>("watchDemo")->isEnabled());
        // It takes some seconds; the end of a test need not.
        auto* speed = scene.window->findChild<QComboBox*>("replaySpeed");
        QCOMPARE(speed->currentText(), QString("3×"));
        speed->setCurrentIndex(speed->findData(100));
        QTRY_VERIFY_WITH_TIMEOUT(!controller->busy(), 20'000);
        QCOMPARE(run("demo")->points.anytime().size(), std::size_t{16});
        QCOMPARE(run("demo-no-mask")->points.anytime().size(), std::size_t{16});
        QCOMPARE(scene.script.learned(), learned);
        MessageBar* messages = scene.window->messages();
        QTRY_COMPARE(messages->count(), 1);
        QCOMPARE(messages->text(),
                 QString("After the last image (A_Last), 17.6 % of the test images are recognised without the mask and "
                         "25.5 % with it."));
        // Whether that is luck is one press away.
        QVERIFY(scene.message("Is it luck?"));
        scene.message("Is it luck?")->click();
        QTRY_VERIFY(scene.window->findChild<GuideViewer*>());
        auto* reader = scene.window->findChild<GuideViewer*>()->findChild<QTextBrowser*>();
        QTRY_VERIFY(reader && reader->toPlainText().contains("The demo on other streams"));
        QTRY_VERIFY(reader->verticalScrollBar()->value() > 0);
        QCOMPARE(messages->count(), 1);
        // The list has all three.
        QTRY_COMPARE(scene.window->library()->rows().size(), std::size_t{3});
    }

    void afterTheDemoOneLearnsTheSameHere() {
        Scene scene;
        RunController* controller = scene.window->controller();
        scene.window->findChild<QAction*>("watchDemo")->trigger();
        QTRY_VERIFY(controller->replaying());
        QTRY_VERIFY(controller->state() == RunState::Running);
        controller->stop();
        QTRY_COMPARE(scene.window->messages()->count(), 1);
        QVERIFY(scene.message("Do it yourself") && !scene.message("Show the former runs"));
        // Lane B keeps nothing of what it had of its own before.
        scene.window->state().lane_b.setOn(true);
        scene.window->state().lane_b.set("training.learning_rate", 0.5);
        scene.window->state().lane_b.setOn(false);
        scene.message("Do it yourself")->click();
        QTRY_VERIFY(controller->paired() && controller->busy());
        QCOMPARE(scene.window->messages()->count(), 0);
        QCOMPARE(controller->running()->name, std::string("Demo"));
        QCOMPARE(controller->running()->mask.name, std::string("batch"));
        QCOMPARE(controller->lane(1).experiment().mask.name, std::string("none"));
        QCOMPARE(scene.window->state().lane_b.differences().size(), std::size_t{1});
        scene.script.allowAll();
        QTRY_COMPARE(controller->state(), RunState::Idle);
    }

    void theDemoGivesTheFormerRunsBack() {
        Scene scene;
        const OptionTable table(ScriptedRun::catalogue());
        RunSet& shown = *scene.window->curves();
        for (const char* mask : {"none", "seen"}) shown.addRecord(madeUpRecord(std::string("/runs/") + mask, mask));
        shown.setVisible("/runs/none", true);
        shown.select("/runs/seen");
        scene.window->findChild<QAction*>("watchDemo")->trigger();
        QTRY_VERIFY(scene.window->controller()->replaying());
        QVERIFY(!shown.find("/runs/none")->display.visible);
        QTRY_COMPARE(scene.window->controller()->state(), RunState::Running);
        scene.window->controller()->stop();
        QTRY_VERIFY(scene.message("Show the former runs"));
        scene.message("Show the former runs")->click();
        QCOMPARE(shown.visibleRuns().size(), std::size_t{2});
        QCOMPARE(shown.selected()->id, QString("/runs/seen"));
        QCOMPARE(scene.window->messages()->count(), 0);
    }

    void theDemoThatCannotBePlayedIsOneMessage() {
        Scene scene;
        QFile block(scene.runs.filePath("demo"));
        QVERIFY(block.open(QIODevice::WriteOnly));
        block.close();
        scene.window->findChild<QAction*>("watchDemo")->trigger();
        QTRY_COMPARE(scene.window->messages()->count(), 1);
        QVERIFY(!scene.window->controller()->busy());
        QVERIFY2(scene.window->messages()->text().contains("is not a run folder"),
                 qPrintable(scene.window->messages()->text()));
    }

    void theDemoDoesNotDisturbARunThatLearns() {
        Scene scene;
        scene.window->controller()->startOrResume();
        scene.script.allow(1);
        QTRY_VERIFY(scene.figuresShown());
        scene.window->findChild<QAction*>("welcome")->trigger();
        QTest::mouseClick(scene.button("welcomeDemo"), Qt::LeftButton);
        QVERIFY(scene.figuresShown());
        QVERIFY(!scene.window->controller()->replayed());
        scene.script.allowAll();
        QTRY_COMPARE(scene.window->controller()->state(), RunState::Idle);
    }

    void myDataAsksForAFolderOfImages() {
        Scene scene;
        scene.button("welcomeData")->click();
        auto* dialog = scene.window->findChild<QFileDialog*>("imageFolderDialog");
        QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
        // Nobody has chosen yet.
        QVERIFY(scene.page->isVisible());
        dialog->close();
        Q_EMIT scene.window->datasets()->imagesOpened(true);
        QVERIFY(scene.figuresShown());
    }

    void aRunAsksForItsFolderAndShowsIt() {
        const OptionTable table(ScriptedRun::catalogue());
        QTemporaryDir elsewhere;
        ForeignRun run(table, elsewhere.path());
        run.kill();
        Scene scene;
        scene.button("welcomeRun")->click();
        auto* dialog = scene.window->findChild<QFileDialog*>("openRunDialog");
        QVERIFY(dialog && dialog->isVisible());
        QSignalSpy opened(scene.window.get(), &MainWindow::opened);
        Q_EMIT dialog->fileSelected(QString::fromStdString(run.folder().string()));
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(opened[0][0].toBool());
        QTRY_VERIFY(scene.figuresShown());
    }

    void theCardsArePressedByKeyboard_data() {
        QTest::addColumn<Qt::Key>("key");
        QTest::newRow("Space") << Qt::Key_Space;
        QTest::newRow("Return") << Qt::Key_Return;
    }
    void theCardsArePressedByKeyboard() {
        QFETCH(Qt::Key, key);
        Scene scene;
        QSignalSpy asked(scene.page, &WelcomePage::runAsked);
        QAbstractButton* card = scene.button("welcomeRun");
        QVERIFY(card->focusPolicy() & Qt::TabFocus);
        card->setFocus(Qt::TabFocusReason);
        QTest::keyClick(card, key);
        QCOMPARE(asked.count(), 1);
    }

    void whatWasOpenedIsOfferedAgain() {
        Scene scene;
        const OptionTable table(ScriptedRun::catalogue());
        Experiment experiment = table.defaults();
        experiment.name = "My own";
        experiment.seed = 5;
        QTemporaryDir folder;
        const QString file = folder.filePath("own.toml");
        writeExperiment(table, experiment, file.toStdString());
        QVERIFY(!scene.button("welcomeRecent0"));
        QSignalSpy opened(scene.window.get(), &MainWindow::opened);
        scene.window->open(file);
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(scene.figuresShown());
        scene.window->controller()->draft()->set("seed", std::int64_t{6});
        scene.window->findChild<QAction*>("welcome")->trigger();
        // Widgets added to a layout while its page is shown become visible with the next turn of the event loop.
        QTRY_VERIFY(scene.button("welcomeRecent0") && scene.button("welcomeRecent0")->isVisible());
        QAbstractButton* recent = scene.button("welcomeRecent0");
        QCOMPARE(recent->text(), QString("My own"));
        recent->click();
        QTRY_COMPARE(opened.count(), 2);
        QCOMPARE(scene.window->controller()->draft()->experiment().seed, 5);
    }

    void theEmptyFiguresCanBeSeenInstead() {
        Scene scene;
        scene.button("welcomeLeave")->click();
        QVERIFY(scene.figuresShown());
    }

    void aPageOfTheCurvesLeadsToThem() {
        Scene scene;
        QTest::keyClick(scene.window.get(), Qt::Key_2, Qt::ControlModifier);
        QVERIFY(!scene.page->isVisible());
        QCOMPARE(scene.window->curvesView()->page(), CurvesView::kClasses);
        QVERIFY(scene.window->curvesView()->isVisible());
    }

    void inANarrowWindowTheCardsStandBelowOneAnother() {
        Scene scene;
        QAbstractButton* demo = scene.button("welcomeDemo");
        QAbstractButton* run = scene.button("welcomeRun");
        scene.window->resize(1600, 900);
        QTRY_COMPARE(demo->y(), run->y());
        scene.window->resize(1024, 680);
        scene.window->setTextSize(TextSize::VeryLarge);
        QTRY_VERIFY(run->y() > demo->geometry().bottom());
        QVERIFY(run->x() == demo->x());
        scene.window->setTextSize(TextSize::Normal);
    }
};

PALIMPSEST_TEST(TestWelcomePage)

}  // namespace tst_welcome_page

#include "tst_welcome_page.moc"
