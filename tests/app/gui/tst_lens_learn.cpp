// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "engine/api.h"
#include "engine/record/checkpoints.h"
#include "engine/record/run_folder.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/mask_lens.h"
#include "tests/support/test_program.h"
#include "ui/figures/mask_lens_dialog.h"
#include "ui/figures/mask_lens_model.h"
#include "ui/state/run_controller.h"
#include "ui/widgets/appearance.h"
#include "ui/window/main_window.h"

using namespace palimpsest;

namespace tst_lens_learn {

namespace fs = std::filesystem;

namespace {

constexpr int kPatienceMs = 280000;

}  // namespace

/// The mask lens in the real window, with the real engine.
class TestLensLearn : public QObject {
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
    static MaskLensDialog* dialogOf(const MainWindow& window) { return window.findChild<MaskLensDialog*>(); }

    /// True if the window shows what the command line shows at that moment.
    bool showsThatOf(const MaskLensDialog& dialog, const fs::path& run) const {
        const MaskLens &shown = dialog.model()->lens(), there = maskLens(table_, run, shown.samples_seen);
        if (shown.views.size() != 4 || shown.batch != there.batch || shown.samples_seen != there.samples_seen)
            return false;
        for (std::size_t i = 0; i < 4; ++i)
            if (shown.views[i].loss != there.views[i].loss || shown.views[i].pushes != there.views[i].pushes)
                return false;
        return shown.inference.has_value() == there.inference.has_value();
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void aRunThatStandsStillIsSeenThroughEveryMask() {
        std::string untouched, looked;
        for (const bool look : {false, true}) {
            const auto window = open();
            RunController* controller = window->controller();
            QSignalSpy ended(controller->bridge(), &RunBridge::ended);
            QString folder;
            connect(controller->bridge(), &RunBridge::started, this,
                    [&](const RunStarted& event) { folder = QString::fromStdString(event.folder); });
            controller->startOrResume();
            if (look) {
                window->action(Command::MaskLens)->trigger();
                QTRY_VERIFY(dialogOf(*window) && dialogOf(*window)->isVisible());
                controller->pauseOrResume();
                QTRY_VERIFY_WITH_TIMEOUT(controller->canResume(), kPatienceMs);
                QTRY_VERIFY_WITH_TIMEOUT(dialogOf(*window)->showsWeights(), kPatienceMs);
                std::int64_t seen = dialogOf(*window)->model()->lens().samples_seen;
                QCOMPARE(seen, listCheckpoints(folder.toStdString()).front());
                QVERIFY(showsThatOf(*dialogOf(*window), folder.toStdString()));
                // One batch more, and the lens is there again.
                auto* next = dialogOf(*window)->findChild<QPushButton*>("maskLensLearn");
                QVERIFY(next->isVisible());
                next->click();
                QTRY_VERIFY_WITH_TIMEOUT(
                    dialogOf(*window)->model()->lens().samples_seen > seen && dialogOf(*window)->showsWeights(),
                    kPatienceMs);
                seen = dialogOf(*window)->model()->lens().samples_seen;
                QVERIFY(showsThatOf(*dialogOf(*window), folder.toStdString()));
                QTRY_VERIFY(controller->canResume());
                controller->pauseOrResume();
                QTRY_VERIFY_WITH_TIMEOUT(ended.count() > 0 || !dialogOf(*window)->showsWeights(), kPatienceMs);
            }
            QTRY_VERIFY_WITH_TIMEOUT(ended.count() > 0, kPatienceMs);
            const RunEnded end = ended.at(0)[0].value<RunEnded>();
            QVERIFY2(end.how == RunEnd::Finished, end.error.c_str());
            (look ? looked : untouched) =
                readCheckpointRecord(checkpointDescription(end.folder, listCheckpoints(end.folder).front())).state_hash;
            if (!look) continue;
            // Behind its end: the newest checkpoint that leaves something to learn, or the chosen moment.
            QTRY_VERIFY_WITH_TIMEOUT(dialogOf(*window)->showsWeights(), kPatienceMs);
            QTRY_COMPARE_WITH_TIMEOUT(dialogOf(*window)->model()->lens().samples_seen,
                                      forkableCheckpoints(end.folder).front(), kPatienceMs);
            QVERIFY(!dialogOf(*window)->findChild<QPushButton*>("maskLensLearn")->isVisible());
            window->state().figures.cursor.pin(forkableCheckpoints(end.folder)[1] + 1);
            QTRY_COMPARE_WITH_TIMEOUT(dialogOf(*window)->model()->lens().samples_seen,
                                      forkableCheckpoints(end.folder)[1], kPatienceMs);
            QVERIFY(showsThatOf(*dialogOf(*window), end.folder));
        }
        QVERIFY(!untouched.empty());
        QCOMPARE(looked, untouched);
    }

    void aRunWithoutCheckpointsSaysWhatToDo() {
        const auto window = open();
        window->controller()->draft()->set("evaluation.checkpoints", std::int64_t{0});
        QSignalSpy ended(window->controller()->bridge(), &RunBridge::ended);
        window->controller()->startOrResume();
        QTRY_VERIFY_WITH_TIMEOUT(ended.count() > 0, kPatienceMs);
        window->action(Command::MaskLens)->trigger();
        auto* nothing = dialogOf(*window)->findChild<QLabel*>("maskLensNothing");
        QTRY_VERIFY_WITH_TIMEOUT(nothing->text().contains("keeps no checkpoints"), kPatienceMs);
        QVERIFY2(nothing->text().contains("run it again"), qPrintable(nothing->text()));
        QVERIFY(!nothing->text().contains("evaluation.checkpoints"));
    }
};

PALIMPSEST_TEST(TestLensLearn)

}  // namespace tst_lens_learn

#include "tst_lens_learn.moc"
