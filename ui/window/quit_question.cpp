// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/quit_question.h"

#include <QPushButton>

namespace palimpsest {

namespace {

struct Words {
    QString going_on, kept, quit, stay;
};

Words wordsOf(QuitQuestion::Work work, const QString& name) {
    const QString stop = QuitQuestion::tr("Stop and quit");
    switch (work) {
        case QuitQuestion::Work::Run:
            return {QuitQuestion::tr("“%1” is not finished.").arg(name),
                    QuitQuestion::tr("It can be stopped here; what it has learned and measured so far is kept."), stop,
                    QuitQuestion::tr("Go on learning")};
        case QuitQuestion::Work::Adaptation:
            return {QuitQuestion::tr("The initial session is not finished."),
                    QuitQuestion::tr("It can be stopped here: the prompts are kept as they are and can go on later."),
                    stop, QuitQuestion::tr("Go on learning")};
        case QuitQuestion::Work::Prompts: {
            const QString lost = QuitQuestion::tr(
                "They are lost when the program ends. Run > Initial session lets you "
                "choose another place for them.");
            const QString run = name.isEmpty() ? QString()
                                               : ' ' + QuitQuestion::tr(
                                                           "“%1” is stopped, too; what it has learned and "
                                                           "measured so far is kept.")
                                                           .arg(name);
            return {QuitQuestion::tr("The prompts of the initial session are not written yet."), lost + run,
                    QuitQuestion::tr("Quit without them"), QuitQuestion::tr("Go back")};
        }
        case QuitQuestion::Work::Fetch:
            break;
    }
    return {QuitQuestion::tr("A data set is still being fetched."),
            QuitQuestion::tr("What has arrived is kept, and the next fetch goes on from there."), stop,
            QuitQuestion::tr("Go on fetching")};
}

}  // namespace

QuitQuestion::QuitQuestion(Work work, const QString& name, QWidget* window) : QMessageBox(window), work_(work) {
    const Words words = wordsOf(work, name);
    setObjectName("quitQuestion");
    setAttribute(Qt::WA_DeleteOnClose);
    setIcon(NoIcon);
    setWindowTitle(tr("Quit Palimpsest?"));
    setText(words.going_on);
    setInformativeText(words.kept);
    QPushButton* quit = addButton(words.quit, AcceptRole);
    QPushButton* stay = addButton(words.stay, RejectRole);
    quit->setObjectName("quitButton");
    stay->setObjectName("stayButton");
    setDefaultButton(stay);
    setEscapeButton(stay);
    connect(quit, &QPushButton::clicked, this, &QuitQuestion::quitChosen);
}

}  // namespace palimpsest
