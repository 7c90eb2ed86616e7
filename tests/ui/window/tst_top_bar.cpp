// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QLabel>
#include <QMenuBar>
#include <QProgressBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSet>
#include <QToolButton>
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/state/run_controller.h"
#include "ui/window/top_bar.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;

namespace tst_top_bar {

class TestTopBar : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{ScriptedRun::catalogue()};

    static void startAndPause(RunController& controller, ScriptedRun& script) {
        controller.startOrResume();
        script.allow(1);
        QTRY_COMPARE(controller.state(), RunState::Running);
        controller.pauseOrResume();
        script.allowAll();
        QTRY_COMPARE(controller.state(), RunState::Paused);
    }

private Q_SLOTS:
    void aDurationReadsAsAPersonWouldSayIt_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0.0 << "0 s";
        QTest::newRow("negative") << -3.0 << "0 s";
        QTest::newRow("a part of a second") << 0.2 << "1 s";
        QTest::newRow("seconds") << 21.0 << "21 s";
        QTest::newRow("minutes") << 200.0 << "3 min 20 s";
        QTest::newRow("many minutes") << 1230.0 << "21 min";
        QTest::newRow("hours") << 7500.0 << "2 h 5 min";
    }
    void aDurationReadsAsAPersonWouldSayIt() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(durationText(seconds), text);
    }

    void aNumberIsNotPartedFromItsUnit() {
        QLabel label(QStringLiteral("about 8 min left · ") + unbrokenText(QStringLiteral("about 8 min left")));
        QCOMPARE(label.text().count(' '), 5);
        QCOMPARE(label.text().count(QChar(QChar::Nbsp)), 3);
    }

    void thePaceLeavesOutWhatIsNotKnown() {
        Progress progress;
        progress.images_per_second = 214.4;
        progress.seconds_left = 21;
        QCOMPARE(paceText(progress), QString("214 images/s · 21 s left"));
        progress.seconds_left = -1;
        QCOMPARE(paceText(progress), QString("214 images/s"));
        progress.images_per_second = 0;
        QVERIFY(paceText(progress).isEmpty());
    }

    void theFilledButtonIsTheNextSensibleAction() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        TopBar bar(&controller, new QMenuBar, nullptr);
        auto* start = bar.findChild<QPushButton*>("startButton");
        auto* step = bar.findChild<QPushButton*>("stepButton");
        auto* stop = bar.findChild<QPushButton*>("stopButton");
        QCOMPARE(start->accessibleName(), QString("Start"));
        QVERIFY(!step->isEnabled() && !stop->isEnabled());
        start->click();
        QTRY_COMPARE(controller.state(), RunState::Running);
        QCOMPARE(start->accessibleName(), QString("Pause"));
        QVERIFY(!step->isEnabled() && stop->isEnabled());
        start->click();
        script.allowAll();
        QTRY_COMPARE(controller.state(), RunState::Paused);
        QCOMPARE(start->accessibleName(), QString("Resume"));
        QVERIFY(step->isEnabled());
        step->click();
        QTRY_COMPARE(script.learned(), 1);
        stop->click();
        QTRY_COMPARE(controller.state(), RunState::Idle);
        QCOMPARE(start->accessibleName(), QString("Start"));
    }

    void aSecondStopIsSaidAndSeen() {
        std::stop_token now;
        RunController controller(&table_, testing::hangingRun(now));
        TopBar bar(&controller, new QMenuBar, nullptr);
        bar.resize(1280, bar.sizeHint().height());
        bar.show();
        auto* stop = bar.findChild<QPushButton*>("stopButton");
        const auto* status = bar.findChild<QLabel*>("progressPace");
        controller.startOrResume();
        QTRY_COMPARE(controller.state(), RunState::Running);
        QVERIFY(!controller.stopWaitsFor());
        QCOMPARE(stop->text(), QString("Stop"));
        stop->click();
        QTRY_COMPARE(stop->text(), QString("End learner"));
        QVERIFY2(stop->toolTip().startsWith("End the learner at once"), qPrintable(stop->toolTip()));
        QVERIFY(controller.stopWaitsFor() == (LearnerWait{"nearest mean", 4, 60}));
        QVERIFY2(status->accessibleName().startsWith("Waiting for nearest mean, 4 of 60 s. "),
                 qPrintable(status->accessibleName()));
        QTRY_COMPARE(status->text(), status->accessibleName());
        // In little room nothing is cut.
        bar.resize(700, bar.height());
        QCoreApplication::processEvents();
        const QStringList whole{status->accessibleName(), QStringLiteral("Waiting for nearest mean, 4 of 60 s …"),
                                QStringLiteral("4 of 60 s · nearest mean"), QStringLiteral("4 of 60 s")};
        QVERIFY2(whole.contains(status->text()), qPrintable(status->text()));
        QVERIFY(status->text() == whole.front() || status->toolTip() == whole.front());
        stop->click();
        QTRY_COMPARE(controller.state(), RunState::Idle);
        QCOMPARE(stop->text(), QString("Stop"));
    }

    void aLearnersNameWithACommaIsWhole() {
        std::atomic<bool> end = false;
        RunController controller(
            &table_, [&](std::int64_t run, const Experiment& experiment, RunControl&, RunObserver& observer) {
                RunStarted started;
                started.run = run;
                started.experiment = experiment;
                observer.onStarted(started);
                observer.onState({.run = run,
                                  .state = RunState::Running,
                                  .wait = LearnerWait{"ER, two heads and five hundred images", 3, 60}});
                while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                RunEnded ended;
                ended.run = run;
                observer.onEnded(ended);
            });
        const auto over = qScopeGuard([&] { end = true; });
        TopBar bar(&controller, new QMenuBar, nullptr);
        bar.resize(2000, bar.sizeHint().height());
        bar.show();
        const auto* status = bar.findChild<QLabel*>("progressPace");
        const QString whole = QStringLiteral("Waiting for ER, two heads and five hundred images, 3 of 60 s …");
        controller.startOrResume();
        QTRY_COMPARE(status->text(), whole);
        QStringList seen;
        for (int width = 2000; width > 500; width -= 10) {
            bar.resize(width, bar.height());
            QCoreApplication::processEvents();
            if (!seen.contains(status->text())) seen.append(status->text());
        }
        QVERIFY2(seen.contains(QStringLiteral("3 of 60 s · ER, two heads and five hundred images")),
                 qPrintable(seen.join('|')));
        QVERIFY2(!seen.contains(QStringLiteral("Waiting for ER …")), qPrintable(seen.join('|')));
    }

    void aStoppedRunSaysWhatIsKept_data() {
        QTest::addColumn<bool>("begun");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("text");
        QTest::newRow("while preparing") << false << ""
                                         << "Stopped before anything was learned.";
        QTest::newRow("later") << true << "/runs/a"
                               << "Stopped. What was learned is kept.";
        QTest::newRow("without a folder") << true << ""
                                          << "Stopped.";
    }
    void aStoppedRunSaysWhatIsKept() {
        QFETCH(bool, begun);
        QFETCH(QString, folder);
        QFETCH(QString, text);
        RunController controller(
            &table_, [&](std::int64_t run, const Experiment& experiment, RunControl& control, RunObserver& observer) {
                RunStarted started;
                started.run = run;
                started.experiment = experiment;
                if (begun) observer.onStarted(started);
                control.pause();
                control.atBatchBorder(nullptr);
                RunEnded ended;
                ended.run = run;
                ended.how = RunEnd::Stopped;
                ended.folder = folder.toStdString();
                observer.onEnded(ended);
            });
        TopBar bar(&controller, new QMenuBar, nullptr);
        controller.startOrResume();
        controller.stop();
        QTRY_COMPARE(controller.state(), RunState::Idle);
        QCOMPARE(bar.findChild<QLabel*>("progressSession")->text(), text);
    }

    void theStatusIsNeverCutWhileLesserPartsHaveRoom() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        controller.draft()->set("name", std::string("A name that takes some room of its own"));
        QWidget window;
        TopBar bar(&controller, new QMenuBar, nullptr, &window);
        window.resize(1700, 60);
        window.show();
        startAndPause(controller, script);
        const auto* pace = bar.findChild<QLabel*>("progressPace");
        const auto* session = bar.findChild<QLabel*>("progressSession");
        const auto* name = bar.findChild<QLabel*>("progressName");
        const auto* progress = bar.findChild<QProgressBar*>("progressBar");
        int alone = 0, brief = 0;
        for (int width = 1600; width > 500; width -= width < 1000 ? 1 : 10) {
            bar.resize(width, 44);
            // News of the run may come in between, and ask for a layout of its own.
            for (int turn = 0; turn < 3; ++turn) QCoreApplication::processEvents();
            const bool whole = pace->text().startsWith("Paused. ") && pace->text().endsWith(" learns one batch.");
            if (name->isVisible() || progress->isVisible()) QVERIFY2(whole, qPrintable(pace->text()));
            if (session->isVisible()) QVERIFY2(whole || pace->text() == "Paused", qPrintable(pace->text()));
            alone += whole && !progress->isVisible();
            brief += pace->text() == "Paused";
        }
        QVERIFY(alone > 0);
        QVERIFY(brief > 0);
    }

    void theNameIsShortenedAndNeverCut() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        const QString whole = "A name that takes some room of its own";
        controller.draft()->set("name", whole.toStdString());
        QWidget window;
        TopBar bar(&controller, new QMenuBar, nullptr, &window);
        auto* note = new QToolButton;
        note->setText("Fetching a data set with a very long name: 35 %");
        note->hide();
        bar.addNote(note);
        window.resize(1700, 60);
        window.show();
        startAndPause(controller, script);
        const auto* name = bar.findChild<QLabel*>("progressName");
        const auto* pace = bar.findChild<QLabel*>("progressPace");
        const auto cut = [&] {
            QStringList texts;
            for (const QLabel* label : bar.findChildren<QLabel*>())
                if (label->isVisible() && label != pace && label->width() < label->sizeHint().width())
                    texts.append(label->text());
            return texts.join('\n');
        };
        const auto settle = [] {
            for (int turn = 0; turn < 3; ++turn) QCoreApplication::processEvents();
        };
        QSet<QString> names;
        for (int width = 1600; width > 700; width -= 3) {
            bar.resize(width, 44);
            settle();
            QVERIFY2(cut().isEmpty(), qPrintable(QString("%1: %2").arg(width).arg(cut())));
            if (name->isVisible()) names.insert(name->text());
        }
        // Shorter and shorter, with dots, down to its least.
        QVERIFY2(names.size() > 3, qPrintable(QStringList(names.values()).join('\n')));
        for (const QString& text : names) QVERIFY2(text.endsWith("…") && text.size() > 4, qPrintable(text));
        // A note takes its room from what can give way, at once, and gives it back.
        bar.resize(1600, 44);
        settle();
        bar.resize(1600 - pace->width() + pace->fontMetrics().horizontalAdvance(pace->text()) + 4, 44);
        settle();
        const QString usual = name->text();
        QVERIFY(name->isVisible());
        note->show();
        settle();
        QVERIFY(note->isVisible() && note->width() >= note->sizeHint().width());
        QVERIFY2(cut().isEmpty(), qPrintable(cut()));
        QVERIFY(!name->isVisible() || name->text() != usual);
        note->hide();
        QTRY_VERIFY(name->isVisible() && name->text() == usual);
    }

    void aPauseThatWasAskedForIsToldAtOnce() {
        // "Evaluating", until it is let on.
        QSemaphore evaluated;
        RunController controller(
            &table_, [&](std::int64_t run, const Experiment& experiment, RunControl&, RunObserver& observer) {
                RunStarted started;
                started.run = run;
                started.experiment = experiment;
                observer.onStarted(started);
                StateChanged state;
                state.run = run;
                state.state = RunState::Running;
                state.detail = "Evaluating";
                observer.onState(state);
                evaluated.tryAcquire(1, 20000);
                RunEnded ended;
                ended.run = run;
                ended.how = RunEnd::Finished;
                observer.onEnded(ended);
            });
        TopBar bar(&controller, new QMenuBar, nullptr);
        bar.resize(1600, 44);
        bar.show();
        controller.startOrResume();
        QTRY_COMPARE(controller.detail(), QString("Evaluating"));
        controller.pauseOrResume();
        QCOMPARE(bar.findChild<QLabel*>("progressPace")->accessibleName(), QString("Evaluating, then pausing …"));
        evaluated.release();
        QTRY_COMPARE(controller.state(), RunState::Idle);
    }

    void progressIsToldInWords() {
        ScriptedRun script;
        RunController controller(&table_, script.function());
        TopBar bar(&controller, new QMenuBar, nullptr);
        bar.resize(1600, 44);
        bar.show();
        controller.startOrResume();
        script.allow(1);
        auto* images = bar.findChild<QLabel*>("progressImages");
        QTRY_COMPARE(images->text(), QString("32 / 600 images"));
        QCOMPARE(bar.findChild<QLabel*>("progressSession")->text(), QString("Session 1 of 5"));
        QCOMPARE(bar.findChild<QLabel*>("progressPace")->text(), QString("214 images/s · 3 s left"));
        QVERIFY(bar.findChild<QProgressBar*>("progressBar")->isVisible());
        QCOMPARE(bar.findChild<QProgressBar*>("progressBar")->value(), 53);
        script.allowAll();
        QTRY_COMPARE(controller.state(), RunState::Idle);
        QVERIFY(bar.findChild<QLabel*>("progressSession")->text().startsWith("Finished"));
        QVERIFY(!bar.findChild<QProgressBar*>("progressBar")->isVisible());
    }
};

PALIMPSEST_TEST(TestTopBar)

}  // namespace tst_top_bar

#include "tst_top_bar.moc"
