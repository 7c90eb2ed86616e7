// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tour/tour.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QLineEdit>
#include <QListView>
#include <QMouseEvent>
#include <QUndoStack>
#include <algorithm>
#include <cstdio>
#include <functional>

#include "app/tour/tour_stage.h"
#include "app/tour/view_scenes.h"
#include "engine/support/error.h"
#include "ui/commands/command_palette.h"
#include "ui/commands/shortcuts_dialog.h"
#include "ui/datasets/dataset_dialog.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/option_form.h"
#include "ui/now/memory_dialog.h"
#include "ui/plots/metric_chip.h"
#include "ui/pretrained/adaptation_controller.h"
#include "ui/pretrained/adaptation_dialog.h"
#include "ui/pretrained/adaptation_job.h"
#include "ui/pretrained/backbone_dialog.h"
#include "ui/publish/publish_dialog.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/state/stream_planner.h"
#include "ui/stream/class_hover.h"
#include "ui/stream/stream_preview.h"
#include "ui/timeline/fork_controller.h"
#include "ui/timeline/player_controller.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/picture_loader.h"
#include "ui/window/curves_view.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/lane_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/time_controller.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kSteps = 30;    // of the initial session shown
constexpr std::int64_t kPlaces = 200;  // of the memory shown

constexpr std::int64_t kMoment = 2;  // moment shown: the run's images divided by this
constexpr int kReplayMs = 2500;      // replay before its picture

class Tour : public TourStage {
public:
    using TourStage::TourStage;

    void show() {
        window_.setAppearance(Appearance::Dark);
        auto* preview = window_.findChild<StreamPreview*>("streamPreview");
        waitFor([&] { return preview->stream() != nullptr; }, "the picture of the stream");
        pictures("1-empty", &window_);

        learn("no-mask", "2-running-dark");
        picture("3-finished-dark");
        learn("default", "4-comparing-live-dark");
        pictures("5-comparing", &window_);
        showWholeScreen();

        showCurves();
        showCard();

        window_.experimentPanel()->form()->setExpertShown(true);
        picture("6-settings-dark");
        window_.experimentPanel()->form()->setExpertShown(false);
        open("no-such-preset");
        picture("7-message-dark");
        window_.messages()->dismissAll();
        showClass(preview);
        showEdits(preview);
        showPublish();
        showLibrary();
        showDatasets();
        showBackbones();
        showInitialSession();
        showMemory();
        showShell();
        showLanes();
    }

private:
    /// Shows the curves alone, as in a talk.
    void showWholeScreen() {
        auto* sides = window_.action(Command::SidePanels);
        sides->trigger();
        window_.setAppearance(Appearance::Projector);
        picture("5-comparing-alone-projector");
        window_.setAppearance(Appearance::Dark);
        sides->trigger();
    }

    /// Shows the meaning of A_AUC, with the run's values.
    void showCard() {
        auto* chip = window_.findChild<MetricChip*>();
        press(chip, Qt::Key_Return);
        pictures("23-card", &window_);
        press(chip, Qt::Key_Escape);
    }

    /// The session with the most images of a class.
    static int homeOf(StreamPreview* preview, std::size_t row) {
        const std::vector<std::int64_t>& counts = preview->stream()->counts[row];
        return static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    }

    /// Shows a class being moved to another session, and the list of edits.
    void showEdits(StreamPreview* preview) {
        const int home = homeOf(preview, 0);
        const QPointF from = preview->cellRect(0, home).center();
        const QPointF to = preview->cellRect(0, home >= 2 ? home - 2 : home + 2).center();
        mouse(preview, QEvent::MouseButtonPress, from, Qt::LeftButton);
        for (const double share : {0.3, 0.7, 1.0})
            mouse(preview, QEvent::MouseMove, from + share * (to - from), Qt::LeftButton);
        picture("24-stream-drag-dark");
        mouse(preview, QEvent::MouseButtonRelease, to, Qt::NoButton);
        pictures("24-stream-edited", &window_);
        run()->draft()->undoStack()->undo();
    }

    void showPublish() {
        window_.action(Command::ExportFigure)->trigger();
        auto* dialog = window_.findChild<PublishDialog*>();
        auto* save = dialog->findChild<QAbstractButton*>("savePiece");
        waitFor([&] { return save->isEnabled(); }, "the figure to export");
        pictures("25-publish", dialog);
        dialog->close();
    }

    /// Shows the runs of the tour and a second seed, grouped.
    void showLibrary() {
        learn("default", "26-second-seed-dark", [this] { run()->draft()->set("seed", std::int64_t{2}); });
        auto* grouping = window_.findChild<QAbstractButton*>("runsGrouping");
        grouping->click();
        pictures("26-library-grouped", &window_);
        grouping->click();
    }

    /// Shows every page of the curves but the first, which earlier pictures show.
    void showCurves() {
        CurvesView* curves = window_.curvesView();
        const std::pair<CurvesView::Page, const char*> pages[] = {{CurvesView::kClasses, "14-classes"},
                                                                  {CurvesView::kSessions, "15-sessions"},
                                                                  {CurvesView::kConfusion, "16-confusion"},
                                                                  {CurvesView::kLoss, "17-loss"},
                                                                  {CurvesView::kPrompts, "18-prompts"}};
        for (const auto& [page, name] : pages) {
            curves->showPage(page);
            pictures(name, &window_);
        }
        curves->showPage(CurvesView::kAccuracy);
    }

    /// Shows the mouse over a class of the stream.
    void showClass(StreamPreview* preview) {
        waitFor([&] { return preview->stream() != nullptr; }, "the picture of the stream");
        const QPointF point = preview->cellRect(2, homeOf(preview, 2)).center();
        QMouseEvent move(QEvent::MouseMove, point, preview->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(preview, &move);
        auto* tip = window_.findChild<ClassTip*>("classTip");
        waitFor([&] { return tip->isVisible() && tip->pictureCount() > 0; }, "the pictures of a class");
        picture("8-class-dark");
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(preview, &leave);
    }

    void showDatasets() {
        DatasetController* controller = window_.datasets();
        controller->showDialog();
        auto* dialog = window_.findChild<DatasetDialog*>("datasetDialog");
        waitFor([&] { return !controller->library()->cards().empty(); }, "the data sets");
        const auto& cards = controller->library()->cards();
        const auto missing =
            std::find_if(cards.begin(), cards.end(), [](const DatasetCard& card) { return !card.present; });
        if (missing != cards.end()) dialog->showDataset(QString::fromStdString(missing->name));
        pictures("9-datasets", dialog);
        dialog->close();
    }

    void showBackbones() {
        auto* action = window_.action(Command::Backbone);
        if (!action->isEnabled()) return;
        action->trigger();
        auto* dialog = window_.findChild<BackboneDialog*>("backboneDialog");
        auto* list = dialog->findChild<QListView*>("backboneList");
        waitFor([&] { return list->model()->rowCount() > 1; }, "the backbones");
        pictures("10-backbone", dialog);
        list->setCurrentIndex(list->model()->index(list->model()->rowCount() - 1, 0));
        picture("10-backbone-known-dark", true, dialog);
        dialog->close();
    }

    /// Shows some steps of an initial session, which is then stopped.
    void showInitialSession() {
        AdaptationController* controller = window_.adaptation();
        if (!controller->available()) return;
        controller->showDialog();
        auto* dialog = window_.findChild<AdaptationDialog*>("adaptationDialog");
        picture("11-initial-session-empty-dark", true, dialog);
        dialog->findChild<QAbstractButton*>("adaptationStart")->click();
        const AdaptationJob* session = controller->controller();
        waitFor([&] { return !session->busy() || (session->progress() && session->progress()->step >= kSteps); },
                "the initial session");
        requireLearning(*session);
        pictures("11-initial-session", dialog);
        controller->controller()->stop();
        waitFor([&] { return !session->busy(); }, "the end of the initial session");
        requireLearning(*session);
        picture("11-initial-session-stopped-dark", true, dialog);
        dialog->close();
    }

    /// Shows a run with a memory and its content: of all classes and of one.
    void showMemory() {
        learn("default", "12-replaying-dark", [this] { run()->draft()->set("memory.size", kPlaces); });
        window_.curvesView()->showPage(CurvesView::kMemory);
        picture("19-memory-balance-dark");
        window_.curvesView()->showPage(CurvesView::kAccuracy);
        window_.action(Command::Memory)->trigger();
        auto* dialog = window_.findChild<MemoryDialog*>("memoryDialog");
        const auto* images = dialog->findChild<PictureLoader*>();
        const auto settled = [&] {
            settle();  // drawing requests more data
            return images->idle();
        };
        waitFor(settled, "the images of the memory");
        pictures("13-memory", dialog);
        auto* classes = dialog->findChild<MemoryClassList*>("memoryClasses");
        classes->setCurrentIndex(classes->model()->index(2, 0));
        waitFor(settled, "the images of a class");
        picture("13-memory-class-dark", true, dialog);
        dialog->close();
    }

    /// Shows the start page, the command palette and the keys.
    void showShell() {
        window_.showWelcome();
        pictures("20-welcome", &window_);
        window_.findChild<QAbstractButton*>("welcomeLeave")->click();
        window_.action(Command::FindAnything)->trigger();
        auto* search = window_.findChild<QLineEdit*>("paletteSearch");
        pictures("21-palette", &window_);
        search->setText("learn");
        picture("21-palette-search-dark");
        window_.findChild<CommandPalette*>()->hide();
        window_.action(Command::Shortcuts)->trigger();
        auto* shortcuts = window_.findChild<ShortcutsDialog*>();
        shortcuts->choose(window_.action(Command::ExportFigure));
        pictures("22-shortcuts", shortcuts);
        shortcuts->close();
    }

    /// Shows two lanes that differ in their mask.
    void showLanes() {
        LaneDraft* lanes = &window_.state().lane_b;
        learn("default", "27-lanes-live-dark", [lanes] {
            lanes->setOn(true);
            lanes->set("mask.name", std::string("none"));
        });
        pictures("27-lanes", &window_);
        lanes->setOn(false);
    }

    static void requireLearning(const AdaptationJob& session) {
        const auto& end = session.end();
        if (end && end->how == AdaptationEnded::How::Failed)
            throw runError("The initial session failed during the tour: " + end->error, end->hint);
        if (!session.started()) throw runError("The initial session did not start during the tour.");
    }
};

/// Scenes about a run's time: a selected moment, a fork that is changed during its run, the branches, and a replay.
/// They need a finished selected run.
class TimeScenes : public TourStage {
public:
    using TourStage::TourStage;

    void show() {
        showMoment();
        showFork();
        showBranches();
        showReplay();
        window_.state().figures.cursor.pin(std::nullopt);
    }

private:
    void showMoment() {
        const ShownRun* run = window_.curves()->selected();
        window_.state().figures.cursor.pin(run->facts->total_samples / kMoment);
        pictures("28-moment", &window_);
    }

    /// Shows a fork with another mask than its parent, whose learning rate is changed while it runs.
    void showFork() {
        window_.action(Command::ForkHere)->trigger();
        waitFor([this] { return window_.time()->forks()->waits(); }, "the fork");
        run()->draft()->set("mask.name", std::string("none"));
        pictures("29-fork", &window_);
        runThrough(
            "30-live-dark", [this] { run()->draft()->set("training.learning_rate", 0.02); },
            [this] { window_.action(Command::ChangeRun)->trigger(); });
        pictures("31-branched", &window_);
    }

    void showBranches() {
        window_.action(Command::Branches)->trigger();
        QDialog* dialog = nullptr;
        waitFor([&] { return (dialog = window_.findChild<QDialog*>("branchesDialog")) && dialog->isVisible(); },
                "the branches");
        pictures("32-branches", dialog);
        dialog->close();
    }

    void showReplay() {
        window_.time()->player()->setSpeed(2);  // slow enough for the picture
        window_.action(Command::ReplayRun)->trigger();
        waitFor([this] { return run()->replaying(); }, "the replay");
        pause(kReplayMs);
        picture("33-replay-dark", false);
        run()->stop();
        waitFor([this] { return !run()->busy(); }, "the end of the replay");
    }
};

}  // namespace

int runTour(MainWindow& window, const TourPlan& plan) {
    try {
        if (!QDir().mkpath(plan.folder))
            throw inputError("The folder " + plan.folder.toStdString() + " cannot be made.", "Choose another one.");
        Tour(window, plan).show();
        TimeScenes(window, plan).show();
        ViewScenes(window, plan).show();
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.sentence().c_str());
        return error.kind() == ErrorKind::Input ? 2 : 1;
    }
}

}  // namespace palimpsest
