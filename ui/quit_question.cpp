// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/quit_question.h"

#include <QPushButton>

namespace palimpsest {

QuitQuestion::QuitQuestion(const QString& run, QWidget* window) : QMessageBox(window) {
    setObjectName("quitQuestion");
    setAttribute(Qt::WA_DeleteOnClose);
    setIcon(NoIcon);
    setWindowTitle(tr("Quit Palimpsest?"));
    setText(run.isEmpty() ? tr("A data set is still being fetched.") : tr("“%1” is still learning.").arg(run));
    setInformativeText(run.isEmpty() ? tr("What has arrived is kept, and the next fetch goes on from there.")
                                     : tr("It can be stopped here; what it has learned and measured so far is kept."));
    QPushButton* quit = addButton(tr("Stop and quit"), AcceptRole);
    QPushButton* stay = addButton(run.isEmpty() ? tr("Go on fetching") : tr("Go on learning"), RejectRole);
    quit->setObjectName("quitButton");
    stay->setObjectName("stayButton");
    setDefaultButton(stay);
    setEscapeButton(stay);
    connect(quit, &QPushButton::clicked, this, &QuitQuestion::quitChosen);
}

}  // namespace palimpsest
