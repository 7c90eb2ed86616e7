// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/learner_question.h"

#include <QMessageBox>
#include <QPushButton>
#include <string>
#include <string_view>

#include "engine/learner/learner_permit.h"
#include "engine/support/error.h"
#include "engine/support/text.h"
#include "ui/state/run_controller.h"

namespace palimpsest {
namespace {

/// Bytes of a command that are shown: more would push the buttons off the screen.
constexpr std::size_t kShownCommand = 600;

/// In quotes only where a shell would need them.
std::string shownWord(const std::string& word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+,@%-";
    return word.empty() || word.find_first_not_of(kPlain) != std::string::npos ? shellQuoted(word) : word;
}

QString lineOf(const LearnerCommand& command) {
    std::string line;
    for (const std::string& word : command.words) line += (line.empty() ? "" : " ") + shownWord(word);
    const bool whole = line.size() <= kShownCommand;
    return QString::fromStdString(plainSentence(line.substr(0, kShownCommand))) +
           (whole ? QString() : QStringLiteral(" …"));
}

}  // namespace

LearnerQuestion::LearnerQuestion(RunController* controller, QWidget* window)
    : QObject(window), controller_(controller), window_(window) {
    connect(controller, &RunController::learnerRefused, this,
            [this](const LearnerCommand& command) { ask(command, true); });
}

void LearnerQuestion::askToDescribe(const LearnerCommand& command) {
    ask(command, false);
}

void LearnerQuestion::ask(const LearnerCommand& command, bool toRun) {
    if (question_ && question_->isVisible()) return;
    const QString why = toRun ? tr("This experiment learns with a program of its own:")
                              : tr("To say which options it has, this program has to be started:");
    // Not in the informative text, which has no plain format.
    question_ = new QMessageBox(QMessageBox::Warning, tr("Start this program?"), why + "\n\n" + lineOf(command),
                                QMessageBox::NoButton, window_);
    question_->setObjectName("learnerQuestion");
    question_->setAttribute(Qt::WA_DeleteOnClose);
    question_->setTextFormat(Qt::PlainText);
    question_->setInformativeText(
        tr("It may do whatever you may do on this computer: read, change and send your files. Start it only if you "
           "know where it comes from.\n\n“Once” holds until you close Palimpsest, “always” until one of the files "
           "named above changes. Palimpsest then starts it for runs, and to show its options."));
    QPushButton* once = question_->addButton(tr("Start it once"), QMessageBox::AcceptRole);
    QPushButton* always = question_->addButton(tr("Always start it"), QMessageBox::AcceptRole);
    QPushButton* never = question_->addButton(tr("Do not start it"), QMessageBox::RejectRole);
    once->setObjectName("startLearnerOnceButton");
    always->setObjectName("alwaysStartLearnerButton");
    question_->setDefaultButton(never);
    question_->setEscapeButton(never);
    connect(once, &QPushButton::clicked, this, [=, this] { allow(command, false, toRun); });
    connect(always, &QPushButton::clicked, this, [=, this] { allow(command, true, toRun); });
    question_->open();
    Q_EMIT asked();
}

void LearnerQuestion::allow(const LearnerCommand& command, bool forGood, bool toRun) {
    allowLearnerOnce(command);
    try {
        if (forGood) rememberLearner(command);
    } catch (const Error& error) {
        Q_EMIT controller_->noted(QString::fromUtf8(error.what()), QString::fromStdString(error.hint()),
                                  RunController::Note::Refused);
    }
    if (toRun) controller_->start(Launch(controller_->launch()));
    Q_EMIT allowed();
}

}  // namespace palimpsest
