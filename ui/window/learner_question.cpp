// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/learner_question.h"

#include <QFontDatabase>
#include <QGridLayout>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>
#include <climits>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/learner/learner_permit.h"
#include "engine/support/error.h"
#include "engine/support/text.h"
#include "ui/state/run_controller.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

/// Lines of a command that are seen at once; the others are reached by scrolling.
constexpr int kSeenLines = 4;
constexpr int kCommandWidth = 440;
constexpr int kPadding = 4;  // of the field, as in window.qss

/// All of it, however long: the end of a command may be what matters. A word that would be cut off as a sentence is
/// made plain by pieces.
QString lineOf(const LearnerCommand& command) {
    constexpr std::size_t kPiece = 1000;
    const std::string line = commandLine(command.words);
    QString shown;
    for (std::size_t from = 0; from < line.size();) {
        std::size_t end = std::min(from + kPiece, line.size());
        // Not within a character of several bytes.
        while (end < line.size() && end > from + kPiece - 4 && (static_cast<unsigned char>(line[end]) & 0xc0U) == 0x80)
            --end;
        shown += QString::fromStdString(plainSentence(line.substr(from, end - from)));
        from = end;
    }
    return shown;
}

/// Read-only, so that nothing of the command is hidden and the buttons stay on the screen.
QPlainTextEdit* commandField(const LearnerCommand& command) {
    auto* field = new QPlainTextEdit(lineOf(command));
    field->setObjectName("learnerCommand");
    field->setAccessibleName(LearnerQuestion::tr("The program with its arguments"));
    field->setReadOnly(true);
    field->setTabChangesFocus(true);
    field->setWordWrapMode(QTextOption::WrapAnywhere);
    field->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    const int around = 2 * (field->frameWidth() + kPadding + static_cast<int>(field->document()->documentMargin()));
    const int width = scaled(kCommandWidth);
    field->setMinimumWidth(width);
    // Each line may leave room for a character that did not fit.
    const int room = std::max(1, width - around - field->fontMetrics().maxWidth());
    const QString command_line = field->toPlainText();
    // Longer ones need no measuring, which would take a while.
    const int length = command_line.size() < 4000 ? field->fontMetrics().horizontalAdvance(command_line) : INT_MAX / 2;
    const int lines = std::clamp(length / room + 1, 1, kSeenLines);
    field->setFixedHeight(field->fontMetrics().lineSpacing() * lines + around);
    // All of it is seen.
    if (lines < kSeenLines) field->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return field;
}

/// Below the words that introduce it: a row of its own in the box's grid, which is known to be one since Qt 4.
void placeCommand(QMessageBox& box, QWidget* field) {
    auto* grid = qobject_cast<QGridLayout*>(box.layout());
    auto* text = box.findChild<QWidget*>("qt_msgbox_label");
    const int at = grid != nullptr && text != nullptr ? grid->indexOf(text) : -1;
    if (at < 0) {
        field->setParent(&box);
        box.layout()->addWidget(field);
        return;
    }
    int row = 0, column = 0, rows = 0, columns = 0;
    grid->getItemPosition(at, &row, &column, &rows, &columns);
    auto* both = new QWidget(&box);
    auto* column_of_both = new QVBoxLayout(both);
    column_of_both->setContentsMargins(0, 0, 0, 0);
    grid->removeWidget(text);
    column_of_both->addWidget(text);
    text->show();  // its new parent has hidden it
    column_of_both->addWidget(field);
    // The box measures what is nested in it by this alone.
    both->setMinimumSize(field->minimumWidth(), both->sizeHint().height());
    grid->addWidget(both, row, column, rows, columns);
}

}  // namespace

LearnerQuestion::LearnerQuestion(RunController* controller, QWidget* window)
    : QObject(window), controller_(controller), window_(window) {
    connect(controller, &RunController::learnerRefused, this, [this, controller](const LearnerCommand& command) {
        ask(command, Purpose::Run, [controller] { controller->start(Launch(controller->launch())); });
    });
}

void LearnerQuestion::askToDescribe(const LearnerCommand& command) {
    ask(command, Purpose::Describe, [] {});
}

QString LearnerQuestion::changeText(const std::vector<std::string>& changed) {
    QStringList names;
    for (const std::string& path : changed)
        names << QString::fromStdString(shortLine(std::filesystem::path(path).filename().string()));
    if (names.isEmpty()) return {};
    return names.size() == 1
               ? tr("The file %1 has changed since you allowed this program.").arg(names.front())
               : tr("The files %1 have changed since you allowed this program.").arg(names.join(QStringLiteral(", ")));
}

bool LearnerQuestion::askToQueue(const LearnerCommand& command, const std::function<void()>& then) {
    return ask(command, Purpose::Queue, then);
}

bool LearnerQuestion::ask(const LearnerCommand& command, Purpose purpose, const std::function<void()>& then) {
    if (question_ && question_->isVisible()) return false;
    const bool toRun = purpose == Purpose::Run, toQueue = purpose == Purpose::Queue;
    QString why = purpose == Purpose::Describe ? tr("To say which options it has, this program has to be started:")
                                               : tr("This experiment learns with a program of its own:");
    const QString change = changeText(changedSinceAllowed(command));
    if (!change.isEmpty())
        why = QStringLiteral("<b>") + change.toHtmlEscaped() + QStringLiteral("</b> ") + why.toHtmlEscaped();
    question_ = new QMessageBox(QMessageBox::Warning, tr("Start this program?"), why, QMessageBox::NoButton, window_);
    question_->setObjectName("learnerQuestion");
    question_->setAttribute(Qt::WA_DeleteOnClose);
    question_->setTextFormat(change.isEmpty() ? Qt::PlainText : Qt::RichText);
    const QString duration =
        toQueue ? tr("Runs of the queue may begin when nobody is there to be asked, so they need it for good: “always” "
                     "holds until one of the files named above changes.")
                : tr("“Once” holds until you close Palimpsest, “always” until one of the files named above changes.");
    question_->setInformativeText(
        tr("It may do whatever you may do on this computer: read, change and send your files. Start it only if you "
           "know where it comes from.\n\n%1 Palimpsest then starts it for runs, and to show its options.")
            .arg(duration));
    placeCommand(*question_, commandField(command));
    // One role for all: styles order buttons by their roles, and only those of one role as they come.
    constexpr auto kRole = QMessageBox::ActionRole;
    QPushButton* never = question_->addButton(tr("Do not start it"), kRole);
    QPushButton* once = toQueue ? nullptr : question_->addButton(tr("Start it once"), kRole);
    QPushButton* always = question_->addButton(tr("Always start it"), kRole);
    never->setObjectName("doNotStartLearnerButton");
    if (once) once->setObjectName("startLearnerOnceButton");
    always->setObjectName("alwaysStartLearnerButton");
    question_->setDefaultButton(never);
    question_->setEscapeButton(never);
    if (toRun) connect(question_, &QMessageBox::finished, this, [this] { Q_EMIT waits(false); });
    if (once) connect(once, &QPushButton::clicked, this, [=, this] { allow(command, false, purpose, then); });
    connect(always, &QPushButton::clicked, this, [=, this] { allow(command, true, purpose, then); });
    question_->open();
    if (!toRun) return true;
    Q_EMIT asked();
    Q_EMIT waits(true);
    return true;
}

void LearnerQuestion::allow(const LearnerCommand& command, bool forGood, Purpose purpose,
                            const std::function<void()>& then) {
    allowLearnerOnce(command);
    bool enough = true;
    try {
        if (forGood) rememberLearner(command);
    } catch (const Error& error) {
        Q_EMIT controller_->noted(QString::fromUtf8(error.what()), QString::fromStdString(error.hint()),
                                  RunController::Note::Refused);
        enough = purpose != Purpose::Queue;
    }
    if (enough) then();
    Q_EMIT allowed();
}

}  // namespace palimpsest
