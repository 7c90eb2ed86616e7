// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/prompt_file.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>
#include <cstring>

#include "engine/support/text.h"
#include "ui/pretrained/adaptation_job.h"
#include "ui/state/typed_path.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

constexpr const char* kEnding = ".safetensors";

bool taken(const QString& file) {
    return QFileInfo::exists(file) || QFileInfo::exists(AdaptationJob::stateFileOf(file));
}

}  // namespace

QString promptFile(const QString& text, const QString& folder) {
    const QString file = absolutePath(text, folder);
    return file.endsWith(kEnding) ? file : file + kEnding;
}

QString usualPromptFile(const QString& folder, const QString& kind, const std::string& experiment) {
    const std::string words = kind.toStdString() + ' ' + experiment + " prompts";
    return QDir(folder).filePath(QString::fromStdString(slug(words, 60)) + kEnding);
}

QString freeFile(const QString& file) {
    if (!taken(file)) return file;
    QString stem = file.endsWith(kEnding) ? file.chopped(static_cast<qsizetype>(std::strlen(kEnding))) : file;
    // A number from before is counted on.
    static const QRegularExpression counted(QStringLiteral("-([1-9]\\d{0,2})$"));
    int number = 1;
    if (const auto match = counted.match(stem); match.hasMatch()) {
        number = match.captured(1).toInt();
        stem.chop(match.capturedLength());
    }
    QString next;
    do next = stem + '-' + QString::number(++number) + kEnding;
    while (taken(next));
    return next;
}

AdaptationPlaceBox::AdaptationPlaceBox(const QString& folder, QWidget* parent)
    : QWidget(parent),
      folder_(folder),
      place_(new QLineEdit),
      note_(makeTextLabel(text_size::kCaption, QFont::Normal, true)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kClose);
    QLabel* title = makeLabel(tr("THE PROMPTS GO TO"), text_size::kCaption, QFont::DemiBold, true);
    place_->setObjectName("adaptationFile");
    place_->setAccessibleName(tr("File of the prompts"));
    place_->setToolTip(tr("The file that the learned prompts are written to (.safetensors)"));
    title->setBuddy(place_);
    connect(place_, &QLineEdit::textEdited, this, [this](const QString& text) { own_ = !text.trimmed().isEmpty(); });
    connect(place_, &QLineEdit::textChanged, this, [this](const QString& text) {
        // A path longer than the field shows its end; the tool tip has all of it.
        if (!place_->hasFocus()) place_->end(false);
        place_->setToolTip(tr("The file that the learned prompts are written to (.safetensors): %1")
                               .arg(text.isEmpty() ? usual_ : text));
        Q_EMIT changed();
    });
    auto* choose = new QToolButton;
    choose->setObjectName("adaptationChooseFile");
    withIcon(choose, "open");
    choose->setAccessibleName(tr("Choose the file of the prompts"));
    choose->setToolTip(tr("Choose where the prompts are written"));
    choose->setFocusPolicy(Qt::TabFocus);
    connect(choose, &QToolButton::clicked, this, &AdaptationPlaceBox::askForFile);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kClose);
    row->addWidget(place_, 1);
    row->addWidget(choose);
    note_->setObjectName("adaptationFileNote");
    column->addWidget(title);
    column->addLayout(row);
    column->addWidget(note_);
}

QString AdaptationPlaceBox::file() const {
    const QString text = place_->text().trimmed();
    return promptFile(text.isEmpty() ? usual_ : text, folder_);
}

void AdaptationPlaceBox::choose(const QString& file) {
    own_ = true;
    setFile(file);
}

void AdaptationPlaceBox::setFile(const QString& file) {
    place_->setText(file);
}

void AdaptationPlaceBox::setUsual(const QString& file) {
    if (file == usual_) return;
    usual_ = file;
    place_->setPlaceholderText(file);
    if (!own_) setFile(file);
}

void AdaptationPlaceBox::setNote(const QString& words) {
    note_->setText(words);
    note_->setVisible(!words.isEmpty());
}

QFileDialog* AdaptationPlaceBox::makeFileDialog(const QString& file, QWidget* parent) {
    // The proposed folder need not be there yet.
    QString folder = QFileInfo(file).path();
    while (!QFileInfo(folder).isDir() && folder != QFileInfo(folder).path()) folder = QFileInfo(folder).path();
    auto* dialog = new QFileDialog(parent, tr("Where the prompts are written"), folder, tr("Prompts (*.safetensors)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix("safetensors");
    dialog->selectFile(QFileInfo(file).fileName());
    return dialog;
}

void AdaptationPlaceBox::askForFile() {
    QFileDialog* dialog = makeFileDialog(file(), window());
    dialog->setObjectName("adaptationFileDialog");
    // Nothing is overwritten: a fresh start uses a free name, and a stopped adaptation goes on.
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    connect(dialog, &QFileDialog::fileSelected, this, &AdaptationPlaceBox::choose);
    dialog->show();
}

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

void UnwrittenPrompts::confirmLoss(const std::function<void()>& action) {
    if (!controller_->unwritten()) {
        action();
        return;
    }
    auto* question = new QMessageBox(QMessageBox::NoIcon, tr("Start without the prompts?"),
                                     tr("The prompts of the last initial session are not written yet."),
                                     QMessageBox::NoButton, window_);
    question->setObjectName("losePromptsQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("They are lost when another one starts."));
    alignTexts(question);
    QPushButton* lose = question->addButton(tr("Start without them"), QMessageBox::DestructiveRole);
    QPushButton* keep = question->addButton(tr("Choose another place …"), QMessageBox::AcceptRole);
    QPushButton* back = question->addButton(tr("Go back"), QMessageBox::RejectRole);
    lose->setObjectName("losePromptsButton");
    keep->setObjectName("keepPromptsButton");
    question->setDefaultButton(keep);
    question->setEscapeButton(back);
    connect(lose, &QPushButton::clicked, this, action);
    connect(keep, &QPushButton::clicked, this, &UnwrittenPrompts::askForPlace);
    question->open();
}

}  // namespace palimpsest
