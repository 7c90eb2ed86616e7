// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_controller.h"

#include <QToolButton>

#include "ui/pretrained/adaptation_job.h"
#include "ui/pretrained/adaptation_dialog.h"
#include "ui/pretrained/adaptation_note.h"
#include "ui/state/adaptation_options.h"
#include "ui/pretrained/adaptation_plot.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/unreadable_images_note.h"
#include "ui/widgets/message_bar.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/state/run_controller.h"

namespace palimpsest {

AdaptationDesk::AdaptationDesk(AdaptFunction function, RunController* runs, OptionForm* form, MessageBar* messages,
                               const QString& folder, QWidget* window)
    : QObject(window),
      runs_(runs),
      messages_(messages),
      folder_(folder),
      window_(window),
      controller_(new AdaptationController(std::move(function), runs, this)),
      note_(new AdaptationNote(controller_)) {
    connect(note_, &QToolButton::clicked, this, &AdaptationDesk::showDialog);
    // Before the dialog's own words of the end, which then stand in front.
    auto* left_out = new LeftOutNote([this] { return dialogShown() ? dialog_->messages() : messages_; },
                                     {tr("The initial session goes on without it, and without any other that cannot be "
                                         "read."),
                                      tr("The prompts have learned from the others.")},
                                     this);
    connect(controller_->bridge(), &AdaptationBridge::started, left_out, &LeftOutNote::begin);
    connect(controller_->bridge(), &AdaptationBridge::imageLeftOut, left_out, &LeftOutNote::add);
    connect(controller_->bridge(), &AdaptationBridge::warned, this, [this](const QString& text) {
        (dialogShown() ? dialog_->messages() : messages_)->showMessage(MessageBar::Kind::Note, text);
    });
    connect(controller_, &AdaptationController::ended, left_out, &LeftOutNote::end);
    connect(controller_, &AdaptationController::ended, this, &AdaptationDesk::tellEnd);
    connect(controller_, &AdaptationController::failed, this, [this](const QString& message, const QString& hint) {
        // In front of the person's eyes the dialog says it.
        if (!dialogShown())
            messages_->showMessage(MessageBar::Kind::Error, message, hint, {tr("Show"), [this] { showDialog(); }});
    });
    if (available()) addButton(form);
}

AdaptationDesk::~AdaptationDesk() {
    delete dialog_;
}

bool AdaptationDesk::available() const {
    return controller_->available();
}
bool AdaptationDesk::busy() const {
    return controller_->busy();
}
bool AdaptationDesk::dialogShown() const {
    return dialog_ && dialog_->isVisible();
}

void AdaptationDesk::addButton(OptionForm* form) {
    OptionEditor* editor = form->editorOf(kPromptsKey);
    if (!editor) return;
    auto* button = new QToolButton;
    button->setObjectName("learnPrompts");
    withIcon(button, "prompts");
    button->setAccessibleName(tr("Learn initial prompts"));
    button->setToolTip(tr("Let prompts learn on other data before the stream begins"));
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, &AdaptationDesk::showDialog);
    editor->addBeside(button);
}

void AdaptationDesk::showDialog() {
    if (!available()) return;
    if (!dialog_) {
        dialog_ = new AdaptationDialog(controller_, runs_->draft(), folder_, window_);
        connect(dialog_, &AdaptationDialog::useAsked, this, &AdaptationDesk::use);
        connect(dialog_, &AdaptationDialog::exportAsked, this, [this] { Q_EMIT exportAsked(dialog_->plot()->log()); });
    }
    dialog_->showDialog();
}

void AdaptationDesk::closeDialog() {
    if (dialog_) dialog_->close();
}

void AdaptationDesk::use(const QString& file) {
    runs_->draft()->set(kPromptsKey, file.toStdString());
}

void AdaptationDesk::tellEnd() {
    const AdaptationEnded& end = *controller_->end();
    if (dialogShown() || end.how != AdaptationEnded::How::Finished) return;
    messages_->showMessage(
        MessageBar::Kind::Done, tr("The initial session has finished."),
        tr("Its prompts are in %1.").arg(QString::fromStdString(end.file.string())),
        {tr("Use these prompts"), [this, file = QString::fromStdString(end.file.string())] { use(file); }});
}

}  // namespace palimpsest
