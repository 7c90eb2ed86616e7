// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/quit_question.h"

#include <QPushButton>

namespace palimpsest {

namespace {

struct Words {
    QString going_on, kept, stay;
};

Words wordsOf(QuitQuestion::Work work, const QString& name) {
    switch (work) {
        case QuitQuestion::Work::Run:
            return {QuitQuestion::tr("“%1” is still learning.").arg(name),
                    QuitQuestion::tr("It can be stopped here; what it has learned and measured so far is kept."),
                    QuitQuestion::tr("Go on learning")};
        case QuitQuestion::Work::Adaptation:
            return {QuitQuestion::tr("Prompts are still learning in the initial session."),
                    QuitQuestion::tr("It can be stopped here: the prompts are kept as they are and can go on later."),
                    QuitQuestion::tr("Go on learning")};
        case QuitQuestion::Work::Fetch: break;
    }
    return {QuitQuestion::tr("A data set is still being fetched."),
            QuitQuestion::tr("What has arrived is kept, and the next fetch goes on from there."),
            QuitQuestion::tr("Go on fetching")};
}

}  // namespace

QuitQuestion::QuitQuestion(Work work, const QString& name, QWidget* window) : QMessageBox(window) {
    const Words words = wordsOf(work, name);
    setObjectName("quitQuestion");
    setAttribute(Qt::WA_DeleteOnClose);
    setIcon(NoIcon);
    setWindowTitle(tr("Quit Palimpsest?"));
    setText(words.going_on);
    setInformativeText(words.kept);
    QPushButton* quit = addButton(tr("Stop and quit"), AcceptRole);
    QPushButton* stay = addButton(words.stay, RejectRole);
    quit->setObjectName("quitButton");
    stay->setObjectName("stayButton");
    setDefaultButton(stay);
    setEscapeButton(stay);
    connect(quit, &QPushButton::clicked, this, &QuitQuestion::quitChosen);
}

}  // namespace palimpsest
