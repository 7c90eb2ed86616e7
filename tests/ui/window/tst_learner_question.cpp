// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QWidget>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/learner/learner_permit.h"
#include "engine/run/run_control.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/state/run_controller.h"
#include "ui/window/learner_question.h"
#include "ui/window/top_bar.h"

using namespace palimpsest;

namespace tst_learner_question {

namespace fs = std::filesystem;

namespace {

/// A window in which a run's program is asked about.
struct Scene {
    Scene(const OptionTable& table, const RunFunction& run) : controller(&table, run), question(&controller, &window) {
        window.show();
    }

    QWidget window;
    RunController controller;
    LearnerQuestion question;
};

}  // namespace

class TestLearnerQuestion : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    const OptionTable table_{testCatalogue()};
    std::string command_;
    std::atomic<int> refused_ = 0, learned_ = 0;

    /// A run that asks, as the engine does, whether its program may be started.
    RunFunction function() {
        return [this](std::int64_t run, const Experiment&, RunControl&, RunObserver& observer) {
            const LearnerCommand command = learnerCommand(command_);
            RunEnded ended;
            ended.run = run;
            if (isLearnerAllowed(command)) {
                ++learned_;
            } else {
                ++refused_;
                ended.how = RunEnd::Failed;
                ended.refused = command;
                ended.error = "It is not allowed.";
            }
            observer.onEnded(ended);
        };
    }

    static QString shownCommand(QWidget& window) {
        return question(window)->findChild<QPlainTextEdit*>("learnerCommand")->toPlainText();
    }
    static QMessageBox* question(QWidget& window) { return window.findChild<QMessageBox*>("learnerQuestion"); }

private Q_SLOTS:
    void init() {
        qputenv("PALIMPSEST_LEARNERS", folder_.filePath("allowed").toLocal8Bit());
        fs::remove_all(folder_.filePath("allowed").toStdString());
        refused_ = learned_ = 0;
        // Another file each time: what was allowed once stays allowed while this process lives.
        static int number = 0;
        command_ = folder_.filePath(QString("learner<b>%1").arg(++number)).toStdString();
        std::ofstream(command_) << "#!/bin/sh\n# " << number << "\n";
        fs::permissions(command_, fs::perms::owner_all);
    }

    void anAllowedProgramStartsTheRunAgain_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<bool>("forGood");
        QTest::newRow("once") << "startLearnerOnceButton" << false;
        QTest::newRow("always") << "alwaysStartLearnerButton" << true;
    }
    void anAllowedProgramStartsTheRunAgain() {
        QFETCH(QString, button);
        QFETCH(bool, forGood);
        Scene scene(table_, function());
        scene.controller.startOrResume();
        QTRY_VERIFY(question(scene.window));
        QVERIFY(shownCommand(scene.window).contains("learner<b>"));
        QCOMPARE(question(scene.window)->textFormat(), Qt::PlainText);
        // Refusing comes first, whatever the style; a short command takes no more room than it needs.
        const auto left = [&](const char* name) {
            return question(scene.window)->findChild<QPushButton*>(name)->geometry().left();
        };
        QVERIFY(left("doNotStartLearnerButton") < left("startLearnerOnceButton"));
        QVERIFY(left("startLearnerOnceButton") < left("alwaysStartLearnerButton"));
        const auto* shown = question(scene.window)->findChild<QPlainTextEdit*>("learnerCommand");
        QVERIFY(shown->height() < 5 * shown->fontMetrics().lineSpacing());
        QCOMPARE(learned_.load(), 0);
        question(scene.window)->findChild<QPushButton*>(button)->click();
        QTRY_COMPARE(learned_.load(), 1);
        QTRY_VERIFY(scene.controller.canStart());
        QCOMPARE(refused_.load(), 1);
        QTRY_VERIFY(!question(scene.window));
        QCOMPARE(rememberedLearners().size(), std::size_t{forGood ? 1U : 0U});
        // It is not asked about twice.
        scene.controller.startOrResume();
        QTRY_COMPARE(learned_.load(), 2);
        QVERIFY(!question(scene.window));
    }

    void aFileThatHasChangedSinceIsNamed() {
        Scene scene(table_, function());
        scene.controller.startOrResume();
        QTRY_VERIFY(question(scene.window));
        QVERIFY(!question(scene.window)->text().contains("changed"));
        question(scene.window)->findChild<QPushButton*>("startLearnerOnceButton")->click();
        QTRY_COMPARE(learned_.load(), 1);
        QTRY_VERIFY(scene.controller.canStart() && !question(scene.window));
        std::ofstream(command_, std::ios::app) << "# another one\n";
        scene.controller.startOrResume();
        QTRY_VERIFY(question(scene.window));
        const QString name = QString::fromStdString(fs::path(command_).filename().string());
        QVERIFY2(question(scene.window)
                     ->text()
                     .startsWith("<b>The file " + name.toHtmlEscaped() +
                                 " has changed since you allowed this program.</b> "),
                 qPrintable(question(scene.window)->text()));
        QTest::keyClick(question(scene.window), Qt::Key_Escape);
        QTRY_VERIFY(!question(scene.window) && scene.controller.canStart());
    }

    void theWholeCommandIsShown() {
        Scene scene(table_, function());
        scene.window.resize(800, 600);
        const std::string argument = "--" + std::string(9000, 'a') + "é'\x1b[2J";
        command_ += " \"" + argument + "\" --then-delete-everything";
        scene.controller.startOrResume();
        QTRY_VERIFY(question(scene.window));
        const QString shown = shownCommand(scene.window);
        QVERIFY(shown.size() > 9000);
        QVERIFY(shown.endsWith(" --then-delete-everything"));
        QVERIFY(shown.contains(QStringLiteral("é")) && !shown.contains(QChar(0x1b)) && !shown.contains(QChar(0xfffd)));
        auto* field = question(scene.window)->findChild<QPlainTextEdit*>("learnerCommand");
        QVERIFY(field->isReadOnly() && field->isVisible());
        QVERIFY(question(scene.window)->height() < 600);
        QVERIFY2(field->parentWidget()->rect().contains(field->geometry()), "the last line is cut off");
        QVERIFY(field->mapTo(question(scene.window), QPoint()).y() >
                question(scene.window)->findChild<QWidget*>("qt_msgbox_label")->y());
        QTest::keyClick(question(scene.window), Qt::Key_Escape);
        QTRY_VERIFY(!question(scene.window) && scene.controller.canStart());
    }

    void otherFailuresAskNothing() {
        QWidget window;
        window.show();
        const RunFunction refusing = function();
        bool broken = false;
        RunController controller(&table_, [&](std::int64_t run, const Experiment& experiment, RunControl& control,
                                              RunObserver& observer) {
            if (!broken) return refusing(run, experiment, control, observer);
            observer.onEnded(
                {.run = run, .how = RunEnd::Failed, .folder = {}, .summary = {}, .error = "No data set.", .hint = {}});
        });
        LearnerQuestion question_of(&controller, &window);
        QSignalSpy failed(&controller, &RunController::failed);
        controller.startOrResume();
        QTRY_VERIFY(question(window));
        QTest::keyClick(question(window), Qt::Key_Escape);
        QTRY_VERIFY(!question(window) && controller.canStart());
        broken = true;
        controller.startOrResume();
        QTRY_COMPARE(failed.count(), 2);
        QVERIFY(!question(window));
    }

    void eachLaneAsksForItsOwnProgram() {
        QWidget window;
        window.show();
        RunController controller(
            &table_, [this](std::int64_t run, const Experiment& experiment, RunControl&, RunObserver& observer) {
                const LearnerCommand command = learnerCommand(command_ + " " + experiment.name);
                RunEnded ended;
                ended.run = run;
                if (!isLearnerAllowed(command)) {
                    ended.how = RunEnd::Failed;
                    ended.refused = command;
                } else {
                    ++learned_;
                }
                observer.onEnded(ended);
            });
        LearnerQuestion question_of(&controller, &window);
        controller.draft()->set("name", std::string("first"));
        Experiment beside = controller.draft()->experiment();
        beside.name = "second";
        std::set<QString> asked;
        controller.start(LanesLaunch{beside});
        for (int i = 0; i < 2; ++i) {
            QTRY_VERIFY(question(window));
            QTRY_VERIFY(controller.canStart());
            const QString text = shownCommand(window);
            asked.insert(text.mid(text.lastIndexOf(' ') + 1));
            question(window)->findChild<QPushButton*>("startLearnerOnceButton")->click();
            QTRY_VERIFY(!question(window) || shownCommand(window) != text);
        }
        QTRY_VERIFY(controller.canStart() && learned_.load() >= 2);
        QCOMPARE(asked, (std::set<QString>{"first", "second"}));
    }

    void onlyARunsQuestionStandsForAFailure() {
        Scene scene(table_, function());
        QSignalSpy asked(&scene.question, &LearnerQuestion::asked);
        const auto answer = [&] {
            QTRY_VERIFY(question(scene.window));
            QTest::keyClick(question(scene.window), Qt::Key_Escape);
            QTRY_VERIFY(!question(scene.window));
        };
        QVERIFY(scene.question.askToQueue(learnerCommand(command_), [] {}));
        QVERIFY(!scene.question.askToQueue(learnerCommand(command_), [] {}));
        answer();
        scene.question.askToDescribe(learnerCommand(command_));
        answer();
        QCOMPARE(asked.count(), 0);
        scene.controller.startOrResume();
        answer();
        QCOMPARE(asked.count(), 1);
    }

    void aProgramThatIsNotAllowedIsNotStarted() {
        Scene scene(table_, function());
        TopBar bar(&scene.controller, new QMenuBar, nullptr);
        connect(&scene.question, &LearnerQuestion::waits, &bar, &TopBar::setAsking);
        const auto* status = bar.findChild<QLabel*>("progressSession");
        scene.controller.startOrResume();
        QTRY_VERIFY(question(scene.window));
        QVERIFY2(status->text().startsWith("Waiting for your answer"), qPrintable(status->text()));
        // Escape and Return are the safe answer.
        QTest::keyClick(question(scene.window), Qt::Key_Escape);
        QTRY_VERIFY(!question(scene.window));
        QCOMPARE(status->text(), QString("Not started: you did not allow the program."));
        QCOMPARE(learned_.load(), 0);
        QVERIFY(rememberedLearners().empty());
        QVERIFY(scene.controller.canStart());
    }
};

PALIMPSEST_TEST(TestLearnerQuestion)

}  // namespace tst_learner_question

#include "tst_learner_question.moc"
