// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_controller.h"

#include <QToolButton>
#include <algorithm>

#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/pretrained/adaptation_dialog.h"
#include "ui/pretrained/adaptation_job.h"
#include "ui/pretrained/adaptation_plot.h"
#include "ui/state/adaptation_options.h"
#include "ui/state/run_controller.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/unreadable_images_note.h"

namespace palimpsest {

AdaptationNote::AdaptationNote(AdaptationJob* controller, QWidget* parent)
    : QToolButton(parent), controller_(controller) {
    setObjectName("adaptationNote");
    setProperty("link", true);
    setAccessibleName(tr("Initial session that goes on"));
    setToolTip(tr("Show the initial session, in which prompts are learning"));
    setFocusPolicy(Qt::TabFocus);
    connect(controller_, &AdaptationJob::stateChanged, this, &AdaptationNote::refresh);
    connect(controller_, &AdaptationJob::progressed, this, &AdaptationNote::refresh);
    hide();
}

void AdaptationNote::refresh() {
    setVisible(controller_->busy());
    if (!controller_->busy()) return;
    const auto& started = controller_->started();
    const auto& progress = controller_->progress();
    if (controller_->state() == AdaptationJob::State::Paused)
        setText(tr("Initial session paused"));
    else if (started && progress && started->total_steps > 0)
        setText(
            tr("Initial session %1 %").arg(std::min<std::int64_t>(100, 100 * progress->step / started->total_steps)));
    else
        setText(tr("Initial session …"));
    setAccessibleDescription(text());
}

AdaptationController::AdaptationController(AdaptFunction function, RunController* runs, OptionForm* form,
                                           MessageBar* messages, const QString& folder, QWidget* window)
    : QObject(window),
      runs_(runs),
      messages_(messages),
      folder_(folder),
      window_(window),
      controller_(new AdaptationJob(std::move(function), runs, this)),
      note_(new AdaptationNote(controller_)) {
    connect(note_, &QToolButton::clicked, this, &AdaptationController::showDialog);
    // Before the dialog's own message of the end, which then stands in front.
    auto* left_out =
        new UnreadableImagesNote([this] { return dialogShown() ? dialog_->messages() : messages_; },
                                 {tr("The initial session goes on without it, and without any other that cannot be "
                                     "read."),
                                  tr("The prompts have learned from the others.")},
                                 this);
    connect(controller_->bridge(), &AdaptationBridge::started, left_out, &UnreadableImagesNote::begin);
    connect(controller_->bridge(), &AdaptationBridge::imageLeftOut, left_out, &UnreadableImagesNote::add);
    connect(controller_->bridge(), &AdaptationBridge::warned, this, [this](const QString& text) {
        (dialogShown() ? dialog_->messages() : messages_)->showMessage(MessageBar::Kind::Note, text);
    });
    connect(controller_, &AdaptationJob::ended, left_out, &UnreadableImagesNote::end);
    connect(controller_, &AdaptationJob::ended, this, &AdaptationController::reportEnd);
    connect(controller_, &AdaptationJob::failed, this, [this](const QString& message, const QString& hint) {
        // In front of the user's eyes the dialog says it.
        if (!dialogShown())
            messages_->showMessage(MessageBar::Kind::Error, message, hint, {tr("Show"), [this] { showDialog(); }});
    });
    if (available()) addButton(form);
}

AdaptationController::~AdaptationController() {
    delete dialog_;
}

bool AdaptationController::available() const {
    return controller_->available();
}
bool AdaptationController::busy() const {
    return controller_->busy();
}
bool AdaptationController::dialogShown() const {
    return dialog_ && dialog_->isVisible();
}

void AdaptationController::addButton(OptionForm* form) {
    OptionEditor* editor = form->editorOf(kPromptsKey);
    if (!editor) return;
    auto* button = new QToolButton;
    button->setObjectName("learnPrompts");
    withIcon(button, "prompts");
    button->setAccessibleName(tr("Learn initial prompts"));
    button->setToolTip(tr("Let prompts learn on other data before the stream begins"));
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, &AdaptationController::showDialog);
    editor->addBeside(button);
}

void AdaptationController::showDialog() {
    if (!available()) return;
    if (!dialog_) {
        dialog_ = new AdaptationDialog(controller_, runs_->draft(), folder_, window_);
        connect(dialog_, &AdaptationDialog::useRequested, this, &AdaptationController::use);
        connect(dialog_, &AdaptationDialog::exportAsked, this, [this] { Q_EMIT exportAsked(dialog_->plot()->log()); });
    }
    dialog_->showDialog();
}

void AdaptationController::closeDialog() {
    if (dialog_) dialog_->close();
}

void AdaptationController::use(const QString& file) {
    runs_->draft()->set(kPromptsKey, file.toStdString());
}

void AdaptationController::reportEnd() {
    const AdaptationEnded& end = *controller_->end();
    if (dialogShown() || end.how != AdaptationEnded::How::Finished) return;
    messages_->showMessage(
        MessageBar::Kind::Done, tr("The initial session has finished."),
        tr("Its prompts are in %1.").arg(QString::fromStdString(end.file.string())),
        {tr("Use these prompts"), [this, file = QString::fromStdString(end.file.string())] { use(file); }});
}

}  // namespace palimpsest
