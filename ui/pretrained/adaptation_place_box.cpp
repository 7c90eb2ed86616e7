// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_place_box.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/pretrained/prompt_file.h"
#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {

AdaptationPlaceBox::AdaptationPlaceBox(const QString& folder, QWidget* parent)
    : QWidget(parent),
      folder_(folder),
      place_(new QLineEdit),
      note_(makeWords(text_size::kCaption, QFont::Normal, true)) {
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
        // Where the path is longer than the field, its end says more; the tool tip says all of it.
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
    // Nothing is overwritten: a fresh start takes a free name, and what was stopped goes on.
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    connect(dialog, &QFileDialog::fileSelected, this, &AdaptationPlaceBox::choose);
    dialog->show();
}

}  // namespace palimpsest
