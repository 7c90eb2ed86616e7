// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/quit_controller.h"

#include <QWidget>

#include "ui/pretrained/adaptation_controller.h"
#include "ui/pretrained/adaptation_job.h"
#include "ui/state/run_controller.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/quit_question.h"

namespace palimpsest {

QuitController::QuitController(RunController* controller, AdaptationController* adaptation, DatasetController* datasets,
                               QWidget* window)
    : controller_(controller), adaptation_(adaptation), datasets_(datasets), window_(window) {
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane)
        connect(controller_->bridge(lane), &RunBridge::ended, this, &QuitController::goOn);
    // Queued: a fetch that had not begun ends while the window is being closed.
    connect(datasets_->shelf(), &DatasetLibrary::settled, this, &QuitController::goOn, Qt::QueuedConnection);
    // Whoever chose to stop and quit stays to read that nothing was kept. What the system ends, ends.
    connect(adaptation_->controller(), &AdaptationJob::ended, this, [this](const AdaptationEnded& event) {
        if (quit_chosen_ && event.how == AdaptationEnded::How::Failed) closing_ = quit_chosen_ = false;
    });
    // Queued: whatever there is to tell of its end is told first.
    connect(
        adaptation_->controller(), &AdaptationJob::stateChanged, this,
        [this] {
            if (!adaptation_->busy()) goOn();
        },
        Qt::QueuedConnection);
}

void QuitController::goOn() {
    withdrawQuestion();
    if (closing_) window_->close();
}

bool QuitController::mayClose() {
    const bool asks = !closing_ && (busy() || promptsUnwritten());
    const bool may = !busy() && !asks;
    if (asks) ask();
    // There is nothing of it to keep.
    if (may && controller_->replaying()) controller_->stop();
    return may;
}

bool QuitController::busy() const {
    return (controller_->busy() && !controller_->replaying()) || adaptation_->busy() || datasets_->busy();
}

bool QuitController::promptsUnwritten() const {
    return adaptation_->controller()->unwritten();
}

void QuitController::ask() {
    if (!question_) {
        const Experiment* running = controller_->running();
        const auto work = promptsUnwritten()    ? QuitQuestion::Work::Prompts
                          : running             ? QuitQuestion::Work::Run
                          : adaptation_->busy() ? QuitQuestion::Work::Adaptation
                                                : QuitQuestion::Work::Fetch;
        question_ = new QuitQuestion(work, running ? QString::fromStdString(running->name) : QString(), window_);
        connect(question_, &QuitQuestion::quitChosen, this, [this] {
            quit_chosen_ = true;
            stopAll();
        });
    }
    question_->open();
}

void QuitController::withdrawQuestion() {
    if (!question_) return;
    const bool still =
        question_->work() == QuitQuestion::Work::Prompts ? promptsUnwritten() : busy() && !promptsUnwritten();
    if (!still) question_->close();
}

void QuitController::stopAndClose() {
    quit_chosen_ = false;
    stopAll();
}

void QuitController::stopAll() {
    // A run, prompts or a fetch are told to stop, and the window closes when they have.
    closing_ = true;
    if (question_) question_->close();
    controller_->stop();
    adaptation_->controller()->stop();
    adaptation_->closeDialog();
    datasets_->shelf()->cancelAll();
    if (!busy()) window_->close();
}

}  // namespace palimpsest
