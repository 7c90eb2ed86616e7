// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/unwritten_prompts.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

#include "ui/pretrained/adaptation_job.h"
#include "ui/pretrained/adaptation_place_box.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {

UnwrittenPrompts::UnwrittenPrompts(AdaptationJob* controller, MessageBar* messages, const QString& topic,
                                   QWidget* window)
    : QObject(window), controller_(controller), messages_(messages), topic_(topic), window_(window) {}

void UnwrittenPrompts::offer(const QString& message) {
    if (controller_->canKeepElsewhere())
        messages_->addAction(message, {tr("Choose another place …"), [this] { askForPlace(); }});
}

void UnwrittenPrompts::askForPlace() {
    if (!controller_->canKeepElsewhere()) return;
    QFileDialog* dialog = AdaptationPlaceBox::makeFileDialog(controller_->file(), window_);
    dialog->setObjectName("adaptationOtherPlaceDialog");
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) { controller_->keepAt(chosen); });
    connect(dialog, &QFileDialog::rejected, this, [this] {
        if (!controller_->canKeepElsewhere()) return;
        const QString message = tr("The prompts are not written yet.");
        messages_->showLatest(MessageBar::Kind::Error, topic_, message,
                              tr("They are lost when another initial session starts or the program ends."));
        offer(message);
    });
    dialog->open();
}

void UnwrittenPrompts::before(const std::function<void()>& loses) {
    if (!controller_->unwritten()) {
        loses();
        return;
    }
    auto* question = new QMessageBox(QMessageBox::NoIcon, tr("Start without the prompts?"),
                                     tr("The prompts of the last initial session are not written yet."),
                                     QMessageBox::NoButton, window_);
    question->setObjectName("losePromptsQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("They are lost when another one starts."));
    QPushButton* lose = question->addButton(tr("Start without them"), QMessageBox::DestructiveRole);
    QPushButton* keep = question->addButton(tr("Choose another place …"), QMessageBox::AcceptRole);
    QPushButton* back = question->addButton(tr("Go back"), QMessageBox::RejectRole);
    lose->setObjectName("losePromptsButton");
    keep->setObjectName("keepPromptsButton");
    question->setDefaultButton(keep);
    question->setEscapeButton(back);
    connect(lose, &QPushButton::clicked, this, loses);
    connect(keep, &QPushButton::clicked, this, &UnwrittenPrompts::askForPlace);
    question->open();
}

}  // namespace palimpsest
