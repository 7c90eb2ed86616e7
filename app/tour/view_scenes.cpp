// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tour/view_scenes.h"

#include <QAbstractButton>
#include <QAction>
#include <QLineEdit>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/record/talk.h"
#include "ui/datasets/draw_class_dialog.h"
#include "ui/figures/attention_dialog.h"
#include "ui/figures/feature_map_view.h"
#include "ui/figures/forgotten_images_dialog.h"
#include "ui/figures/mask_lens_dialog.h"
#include "ui/widgets/drawing_pad.h"
#include "ui/widgets/picture_loader.h"
#include "ui/window/curves_view.h"
#include "ui/window/lesson_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/stage_controller.h"
#include "ui/window/talk_controller.h"

namespace palimpsest {
namespace {

constexpr int kPinned = 2;  // lives below the forgotten images
constexpr int kLesson = 3;  // from 0: the mask
constexpr int kScene = 3;   // of the talk, from 0
constexpr int kDrawings = 8;

/// Corners of a star of five points, each drawing a little different.
std::vector<QPointF> star(const QRectF& pad, int drawing) {
    const double turn = 0.06 * (drawing % 5 - 2), size = (0.36 + 0.012 * (drawing % 4)) * pad.width();
    std::vector<QPointF> corners;
    for (int i = 0; i <= 5; ++i) {
        const double angle = turn - std::numbers::pi / 2 + i * 4 * std::numbers::pi / 5;
        corners.push_back(pad.center() + size * QPointF(std::cos(angle), std::sin(angle)));
    }
    return corners;
}

}  // namespace

void ViewScenes::show() {
    learn("no-mask", "40-learning-dark");
    showFeatures();
    showForgotten();
    showLens();
    showAttention();
    showDrawing();
    showLesson();
    showTalk();
}

void ViewScenes::showFeatures() {
    window_.curvesView()->showPage(CurvesView::kFeatures);
    auto* view = window_.findChild<FeatureMapView*>();
    waitFor([&] { return view->shownMoment().has_value(); }, "the feature map");
    pictures("41-features", &window_);
    window_.curvesView()->showPage(CurvesView::kAccuracy);
}

void ViewScenes::showForgotten() {
    window_.action(Command::ForgottenImages)->trigger();
    auto* dialog = window_.findChild<ForgottenImagesDialog*>("forgottenDialog");
    waitFor([&] { return dialog->model()->rowCount() > kPinned; }, "the forgotten images");
    for (int row = 0; row < kPinned; ++row)
        dialog->pin(dialog->model()->images()[static_cast<std::size_t>(row)].image, true);
    const auto* images = dialog->findChild<PictureLoader*>();
    waitFor(
        [&] {
            settle();  // drawing requests more data
            return images->idle();
        },
        "the forgotten images");
    pictures("42-forgotten", dialog);
    dialog->close();
}

void ViewScenes::showLens() {
    window_.action(Command::MaskLens)->trigger();
    auto* dialog = window_.findChild<MaskLensDialog*>("maskLensDialog");
    waitFor([&] { return dialog->showsWeights(); }, "the mask lens");
    pictures("43-mask-lens", dialog);
    dialog->close();
}

void ViewScenes::showAttention() {
    window_.action(Command::Attention)->trigger();
    auto* dialog = window_.findChild<AttentionDialog*>("attentionDialog");
    waitFor([&] { return dialog->showsWeights(); }, "the attention");
    pictures("44-attention", dialog);
    dialog->close();
}

/// Draws a class as a user would, stroke by stroke.
void ViewScenes::showDrawing() {
    window_.action(Command::DrawClass)->trigger();
    DrawClassDialog* dialog = nullptr;
    waitFor([&] { return (dialog = window_.findChild<DrawClassDialog*>("drawClassDialog")) && dialog->isVisible(); },
            "the window to draw a class in");
    waitFor([&] { return !dialog->busy(); }, "the drawn classes");
    auto* pad = dialog->findChild<DrawingPad*>("drawingPad");
    dialog->findChild<QLineEdit*>("drawClassName")->setText("Star");
    for (int drawing = 0; drawing <= kDrawings; ++drawing) {
        const std::vector<QPointF> corners = star(pad->rect(), drawing);
        mouse(pad, QEvent::MouseButtonPress, corners.front(), Qt::LeftButton);
        for (const QPointF& corner : corners) mouse(pad, QEvent::MouseMove, corner, Qt::LeftButton);
        mouse(pad, QEvent::MouseButtonRelease, corners.back(), Qt::NoButton);
        if (drawing < kDrawings) dialog->nextEmpty();
    }
    pictures("45-draw-a-class", dialog);
    dialog->close();
}

void ViewScenes::showLesson() {
    window_.action(Command::Lessons)->trigger();
    LessonBook* book = window_.lessons()->book();
    waitFor([&] { return book->lessons().size() > kLesson; }, "the lessons");
    book->open(kLesson);
    pictures("46-lesson", &window_);
    book->open(-1);
}

void ViewScenes::showTalk() {
    TalkController* talk = window_.talk();
    talk->open(QString::fromStdString(shippedTalks().front().file.string()));
    waitFor([&] { return talk->book()->scenes() > kScene; }, "the talk");
    talk->findRuns();
    waitFor([&] { return talk->runs()->find(talk->book()->talk().runs.front().name) != nullptr; }, "the talk's runs");
    window_.stage()->enter(kScene);
    pause(1000);
    picture("47-stage-projector");
    window_.stage()->leave();
    pause(0);
}

}  // namespace palimpsest
