// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <filesystem>

#include "engine/api.h"
#include "engine/record/run_folder.h"
#include "engine/run/live_change.h"
#include "engine/train/experiment_inputs.h"
#include "tests/support/test_program.h"
#include "ui/state/run_controller.h"
#include "ui/timeline/fork_controller.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/main_window.h"
#include "ui/window/time_controller.h"

using namespace palimpsest;

namespace tst_fork_learn {

namespace fs = std::filesystem;

namespace {

constexpr int kPatienceMs = 280000;

}  // namespace

/// Forks and changes of running runs in the real window, with the real engine.
class TestForkLearn : public QObject {
    Q_OBJECT
    QTemporaryDir runs_;
    const OptionTable table_{engineCatalogue()};

    std::unique_ptr<MainWindow> open() {
        auto window =
            std::make_unique<MainWindow>(makeLaboratory(runs_.path().toStdString()), runs_.path().toStdString());
        window->show();
        ExperimentDraft* draft = window->controller()->draft();
        draft->set("stream.dataset", std::string("shapes"));
        draft->set("stream.train_limit", std::int64_t{320});
        draft->set("stream.test_limit", std::int64_t{60});
        draft->set("stream.sessions", std::int64_t{2});
        draft->set("evaluation.every_samples", std::int64_t{80});
        draft->set("threads", std::int64_t{1});
        return window;
    }

    /// Starts learning and returns how the run ended.
    static RunEnded learn(MainWindow& window) {
        QSignalSpy ended(window.controller()->bridge(), &RunBridge::ended);
        window.controller()->startOrResume();
        RunEnded inVain;
        inVain.how = RunEnd::Aborted;
        if (!QTest::qWaitFor([&] { return ended.count() > 0; }, kPatienceMs)) return inVain;
        return ended.at(0)[0].value<RunEnded>();
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void aForkHasThePastOfItsParentAndGoesItsOwnWay() {
        const auto window = open();
        const RunEnded first = learn(*window);
        QVERIFY2(first.how == RunEnd::Finished, first.error.c_str());
        const RunRecord parent = readRun(table_, first.folder);
        window->state().figures.cursor.pin(170);
        window->findChild<QAction*>("forkHere")->trigger();
        QTRY_VERIFY(window->time()->forks()->waits());
        const std::int64_t at = window->time()->forks()->at();
        QVERIFY(at > 0 && at <= 170);

        // Settings that must not change are named, and the fork can still be begun.
        ExperimentDraft* draft = window->controller()->draft();
        draft->set("stream.sessions", std::int64_t{3});
        const RunEnded refused = learn(*window);
        QVERIFY(refused.how == RunEnd::Failed);
        QVERIFY2(window->messages()->text().contains("Sessions was 2 and is 3"),
                 qPrintable(window->messages()->text()));
        QVERIFY(window->time()->forks()->waits());
        draft->set("stream.sessions", std::int64_t{2});
        draft->set("mask.name", std::string("none"));
        const RunEnded second = learn(*window);
        QVERIFY2(second.how == RunEnd::Finished, second.error.c_str());
        QVERIFY(!window->time()->forks()->waits());

        const RunRecord fork = readRun(table_, second.folder);
        QCOMPARE(fork.parent.string(), fs::path(first.folder).string());
        QCOMPARE(fork.forked_at, at);
        QCOMPARE(fork.experiment.mask.name, std::string("none"));
        QCOMPARE(fork.anytime.size(), parent.anytime.size());
        bool differs = false;
        for (std::size_t i = 0; i < fork.anytime.size(); ++i) {
            const bool same = fork.anytime[i].loss == parent.anytime[i].loss;
            QVERIFY(same || fork.anytime[i].samples_seen > at);
            differs = differs || !same;
        }
        QVERIFY(differs);
    }

    void aRunPausesAtItsSessionsEndAndTakesAChangeOver() {
        const auto window = open();
        RunController* controller = window->controller();
        QSignalSpy ended(controller->bridge(), &RunBridge::ended);
        controller->startOrResume();
        controller->pauseWhen({.session_end = true});
        QTRY_VERIFY_WITH_TIMEOUT(controller->state() == RunState::Paused, kPatienceMs);
        QCOMPARE(window->messages()->text(), QString("Session 1 has ended."));
        controller->draft()->set("mask.name", std::string("none"));
        QAction* change = window->findChild<QAction*>("changeRun");
        QVERIFY(change->isEnabled());
        change->trigger();
        controller->startOrResume();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kPatienceMs);
        const auto event = ended.at(0)[0].value<RunEnded>();
        QVERIFY2(event.how == RunEnd::Finished, event.error.c_str());
        const RunRecord record = readRun(table_, event.folder);
        const std::vector<LiveChange> changes = recordedChanges(event.folder);
        QCOMPARE(changes.size(), std::size_t{1});
        QVERIFY(changes[0] == (LiveChange{"mask.name", "none", record.session_starts.at(1)}));
    }
};

PALIMPSEST_TEST(TestForkLearn)

}  // namespace tst_fork_learn

#include "tst_fork_learn.moc"
