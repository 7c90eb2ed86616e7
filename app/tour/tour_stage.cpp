// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tour/tour_stage.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTimer>
#include <algorithm>
#include <cstdio>

#include "engine/support/error.h"
#include "ui/state/run_controller.h"
#include "ui/window/main_window.h"

namespace palimpsest {
namespace {

constexpr int kPatienceMs = 30 * 60 * 1000;
constexpr int kSettleMs = 400;
constexpr double kMidRun = 0.4;
// Numbers of a shortened run: points of the anytime curve, few or many; training images for each point if there are
// many; test images for each training image; and most test images.
constexpr std::int64_t kFewPoints = 12;
constexpr std::int64_t kManyPoints = 40;
constexpr std::int64_t kImagesAPoint = 80;
constexpr std::int64_t kTested = 5;
constexpr std::int64_t kTestedAtMost = 1000;

}  // namespace

TourStage::TourStage(MainWindow& window, const TourPlan& plan) : window_(window), plan_(plan) {
    QObject::connect(run()->bridge(), &RunBridge::progressed, &window_, [this](const Progress& progress) {
        if (progress.total_samples > 0)
            share_ = static_cast<double>(progress.samples_seen) / static_cast<double>(progress.total_samples);
    });
    QObject::connect(run(), &RunController::failed, &window_,
                     [this](const QString& message, const QString& hint) { failure_ = message + " " + hint; });
}

RunController* TourStage::run() const {
    return window_.controller();
}

void TourStage::waitFor(const std::function<bool()>& done, const char* what) const {
    QElapsedTimer clock;
    clock.start();
    while (!done()) {
        if (!failure_.isEmpty()) throw runError("The run failed during the tour: " + failure_.toStdString());
        if (clock.elapsed() > kPatienceMs) throw runError(std::string("The tour waited in vain for ") + what + ".");
        pause(10);
    }
}

void TourStage::pause(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

void TourStage::settle() {
    pause(kSettleMs);
}

void TourStage::press(QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers) {
    widget->setFocus(Qt::TabFocusReason);
    QKeyEvent event(QEvent::KeyPress, key, modifiers);
    QApplication::sendEvent(widget, &event);
}

void TourStage::mouse(QWidget* widget, QEvent::Type type, const QPointF& at, Qt::MouseButtons buttons) {
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, widget->mapToGlobal(at), button, buttons, Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
}

void TourStage::open(const QString& what) {
    bool opened = false;
    const auto link = QObject::connect(&window_, &MainWindow::opened, &window_, [&opened] { opened = true; });
    window_.open(what);
    waitFor([&] { return opened; }, "a preset");
    QObject::disconnect(link);
}

void TourStage::learn(const QString& preset, const QString& midway, const std::function<void()>& change) {
    open(preset);
    if (change) change();
    if (plan_.train_limit > 0) {
        run()->draft()->set("stream.train_limit", plan_.train_limit);
        const std::int64_t points = std::clamp(plan_.train_limit / kImagesAPoint, kFewPoints, kManyPoints);
        run()->draft()->set("stream.test_limit", std::min(kTested * plan_.train_limit, kTestedAtMost));
        run()->draft()->set("evaluation.every_samples", std::max<std::int64_t>(1, plan_.train_limit / points));
    }
    runThrough(midway);
    std::printf("%s: the longest stall of the window was %.1f ms\n", qPrintable(preset),
                static_cast<double>(longest_.count()) / 1000);
}

void TourStage::runThrough(const QString& midway, const std::function<void()>& before,
                           const std::function<void()>& after) {
    share_ = 0;
    longest_ = {};
    watchdog_.reset();
    run()->startOrResume();
    waitFor([&] { return share_ >= kMidRun || !run()->busy(); }, "the middle of a run");
    if (before) {
        before();
        pause(0);
    }
    picture(midway, false);
    if (after) after();
    waitFor([&] { return !run()->busy(); }, "the end of a run");
    noteStall();
}

/// Excludes the stall of taking a picture, which users never experience.
void TourStage::noteStall() {
    longest_ = std::max(longest_, watchdog_.longestStall());
}

void TourStage::pictures(const QString& name, QWidget* of) {
    const QSize size = of->size();
    picture(name + "-dark", true, of);
    window_.setAppearance(Appearance::Light);
    picture(name + "-light", true, of);
    window_.setAppearance(Appearance::Projector);
    picture(name + "-projector", true, of);
    window_.setAppearance(Appearance::Dark);
    pause(0);
    // Large text may have made it larger.
    of->resize(size);
}

void TourStage::picture(const QString& name, bool settled, QWidget* of) {
    if (settled) settle();
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

}  // namespace palimpsest
