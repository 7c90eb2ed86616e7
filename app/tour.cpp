// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tour.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QLineEdit>
#include <QListView>
#include <QMouseEvent>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "engine/support/error.h"
#include "ui/adaptation_controller.h"
#include "ui/adaptation_desk.h"
#include "ui/adaptation_dialog.h"
#include "ui/backbone_dialog.h"
#include "ui/class_tip.h"
#include "ui/command_palette.h"
#include "ui/curves_view.h"
#include "ui/dataset_desk.h"
#include "ui/dataset_dialog.h"
#include "ui/experiment_panel.h"
#include "ui/main_window.h"
#include "ui/memory_class_list.h"
#include "ui/memory_dialog.h"
#include "ui/memory_pictures.h"
#include "ui/message_bar.h"
#include "ui/option_form.h"
#include "ui/run_controller.h"
#include "ui/shortcuts_dialog.h"
#include "ui/stream_preview.h"
#include "ui/ui_watchdog.h"

namespace palimpsest {
namespace {

constexpr int kPatienceMs = 30 * 60 * 1000;
/// Lets animations and gathered replots come to rest.
constexpr int kSettleMs = 400;
constexpr double kMidRun = 0.4;
constexpr std::int64_t kSteps = 30;  // of the initial session that is shown
constexpr std::int64_t kPlaces = 200;  // of the memory that is shown
constexpr std::int64_t kPoints = 12;  // of the anytime curve of a shortened run

class Tour {
public:
    Tour(MainWindow& window, const TourPlan& plan) : window_(window), plan_(plan) {
        QObject::connect(run()->bridge(), &RunBridge::progressed, &window_, [this](const Progress& progress) {
            if (progress.total_samples > 0)
                share_ = static_cast<double>(progress.samples_seen) / static_cast<double>(progress.total_samples);
        });
        QObject::connect(run(), &RunController::failed, &window_, [this](const QString& message, const QString& hint) {
            failure_ = message + " " + hint;
        });
    }

    void take() {
        window_.setAppearance(Appearance::Dark);
        auto* preview = window_.findChild<StreamPreview*>("streamPreview");
        waitFor([&] { return preview->stream() != nullptr; }, "the picture of the stream");
        picture("1-empty-dark");
        window_.setAppearance(Appearance::Light);
        picture("1-empty-light");
        window_.setAppearance(Appearance::Dark);

        learn("no-mask", "2-running-dark");
        picture("3-finished-dark");
        learn("default", "4-comparing-live-dark");
        picture("5-comparing-dark");
        window_.setAppearance(Appearance::Light);
        picture("5-comparing-light");
        window_.setAppearance(Appearance::Dark);

        showCurves();

        window_.experimentPanel()->form()->setExpertShown(true);
        picture("6-settings-dark");
        window_.experimentPanel()->form()->setExpertShown(false);
        open("no-such-preset");
        picture("7-message-dark");
        window_.messages()->dismissAll();
        showClass(preview);
        showDatasets();
        showBackbones();
        showInitialSession();
        showMemory();
        showShell();
    }

private:
    RunController* run() { return window_.controller(); }

    void waitFor(const std::function<bool()>& done, const char* what) {
        QElapsedTimer clock;
        clock.start();
        while (!done()) {
            if (!failure_.isEmpty()) throw runError("The run failed during the tour: " + failure_.toStdString());
            if (clock.elapsed() > kPatienceMs) throw runError(std::string("The tour waited in vain for ") + what + ".");
            pause(10);
        }
    }

    static void pause(int milliseconds) {
        QEventLoop loop;
        QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
        loop.exec();
    }

    /// Every page of the curves but the first, which the pictures before show.
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

    /// The mouse rests on a class of the stream.
    void showClass(StreamPreview* preview) {
        waitFor([&] { return preview->stream() != nullptr; }, "the picture of the stream");
        const QPointF point = preview->cellRect(2, 1).center();
        QMouseEvent move(QEvent::MouseMove, point, preview->mapToGlobal(point), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(preview, &move);
        auto* tip = window_.findChild<ClassTip*>("classTip");
        waitFor([&] { return tip->isVisible() && tip->pictureCount() > 0; }, "the pictures of a class");
        picture("8-class-dark");
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(preview, &leave);
    }

    void showDatasets() {
        DatasetDesk* desk = window_.datasets();
        desk->showDialog();
        auto* dialog = window_.findChild<DatasetDialog*>("datasetDialog");
        waitFor([&] { return !desk->shelf()->cards().empty(); }, "the data sets");
        const auto& cards = desk->shelf()->cards();
        const auto missing = std::find_if(cards.begin(), cards.end(), [](const DatasetCard& card) { return !card.present; });
        if (missing != cards.end()) dialog->showDataset(QString::fromStdString(missing->name));
        pictures("9-datasets", dialog);
        dialog->close();
    }

    void showBackbones() {
        auto* action = window_.findChild<QAction*>("backbone");
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

    /// Some steps of one, which is then stopped.
    void showInitialSession() {
        AdaptationDesk* desk = window_.adaptation();
        if (!desk->available()) return;
        desk->showDialog();
        auto* dialog = window_.findChild<AdaptationDialog*>("adaptationDialog");
        picture("11-initial-session-empty-dark", true, dialog);
        dialog->findChild<QAbstractButton*>("adaptationStart")->click();
        const AdaptationController* session = desk->controller();
        waitFor([&] { return !session->busy() || (session->progress() && session->progress()->step >= kSteps); },
                "the initial session");
        requireLearning(*session);
        pictures("11-initial-session", dialog);
        desk->controller()->stop();
        waitFor([&] { return !session->busy(); }, "the end of the initial session");
        requireLearning(*session);
        picture("11-initial-session-stopped-dark", true, dialog);
        dialog->close();
    }

    /// A run with a memory, and what it keeps: of all classes and of one.
    void showMemory() {
        learn("default", "12-replaying-dark", [this] { run()->draft()->set("memory.size", kPlaces); });
        window_.curvesView()->showPage(CurvesView::kMemory);
        picture("19-memory-balance-dark");
        window_.curvesView()->showPage(CurvesView::kAccuracy);
        window_.findChild<QAction*>("memory")->trigger();
        auto* dialog = window_.findChild<MemoryDialog*>("memoryDialog");
        const auto* images = dialog->findChild<MemoryPictures*>();
        const auto settled = [&] {
            pause(kSettleMs);  // what is drawn is then asked for
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

    /// The ways in, the command palette and the keys.
    void showShell() {
        window_.showWelcome();
        pictures("20-welcome", &window_);
        window_.findChild<QAbstractButton*>("welcomeLeave")->click();
        window_.findChild<QAction*>("findAnything")->trigger();
        auto* search = window_.findChild<QLineEdit*>("paletteSearch");
        pictures("21-palette", &window_);
        search->setText("learn");
        picture("21-palette-search-dark");
        window_.findChild<CommandPalette*>()->hide();
        window_.findChild<QAction*>("shortcuts")->trigger();
        auto* shortcuts = window_.findChild<ShortcutsDialog*>();
        shortcuts->choose("exportFigure");
        pictures("22-shortcuts", shortcuts);
        shortcuts->close();
    }

    static void requireLearning(const AdaptationController& session) {
        const auto& end = session.end();
        if (end && end->how == AdaptationEnded::How::Failed)
            throw runError("The initial session failed during the tour: " + end->error, end->hint);
        if (!session.started()) throw runError("The initial session did not start during the tour.");
    }

    void open(const QString& what) {
        bool opened = false;
        const auto link =
            QObject::connect(&window_, &MainWindow::opened, &window_, [&opened] { opened = true; });
        window_.open(what);
        waitFor([&] { return opened; }, "a preset");
        QObject::disconnect(link);
    }

    /// `change`: of the preset's settings.
    void learn(const QString& preset, const QString& midway, const std::function<void()>& change = {}) {
        open(preset);
        if (change) change();
        if (plan_.train_limit > 0) {
            run()->draft()->set("stream.train_limit", plan_.train_limit);
            run()->draft()->set("evaluation.every_samples", std::max<std::int64_t>(1, plan_.train_limit / kPoints));
        }
        share_ = 0;
        longest_ = {};
        watchdog_.reset();
        run()->startOrResume();
        waitFor([&] { return share_ >= kMidRun || !run()->busy(); }, "the middle of a run");
        picture(midway, false);
        waitFor([&] { return !run()->busy(); }, "the end of a run");
        noteStall();
        std::printf("%s: the longest stall of the window was %.1f ms\n", qPrintable(preset),
                    static_cast<double>(longest_.count()) / 1000);
    }

    /// Taking a picture is a stall of its own that no person meets, so it is left out.
    void noteStall() { longest_ = std::max(longest_, watchdog_.longestStall()); }

    /// In both appearances.
    void pictures(const QString& name, QWidget* of) {
        picture(name + "-dark", true, of);
        window_.setAppearance(Appearance::Light);
        picture(name + "-light", true, of);
        window_.setAppearance(Appearance::Dark);
    }

    void picture(const QString& name, bool settle = true, QWidget* of = nullptr) {
        if (settle) pause(kSettleMs);
        noteStall();
        const QPixmap pixmap = (of ? of : &window_)->grab();
        const QString file =
            QDir(plan_.folder).filePath(QString("%1-%2x%3.png").arg(name).arg(pixmap.width()).arg(pixmap.height()));
        if (!pixmap.save(file))
            throw inputError("The picture " + file.toStdString() + " cannot be written.", "Choose another folder.");
        std::printf("%s\n", qPrintable(file));
        std::fflush(stdout);
        pause(0);
        watchdog_.reset();
    }

    MainWindow& window_;
    const TourPlan plan_;
    UiWatchdog watchdog_;
    std::chrono::microseconds longest_{};
    double share_ = 0;
    QString failure_;
};

}  // namespace

int takeTour(MainWindow& window, const TourPlan& plan) {
    try {
        if (!QDir().mkpath(plan.folder))
            throw inputError("The folder " + plan.folder.toStdString() + " cannot be made.", "Choose another one.");
        Tour(window, plan).take();
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.sentence().c_str());
        return error.kind() == ErrorKind::Input ? 2 : 1;
    }
}

}  // namespace palimpsest
