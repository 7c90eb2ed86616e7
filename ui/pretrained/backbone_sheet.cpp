// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/backbone_sheet.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/state/key_names.h"
#include "ui/state/option_titles_in_text.h"
#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

using spacing::kMargin;
constexpr int kFactTitleWidth = 84;
constexpr int kDropHeight = 120;
constexpr const char* kWhole = "whole";  ///< property: what is copied of a label

}  // namespace

BackboneSheet::BackboneSheet(QWidget* parent)
    : QFrame(parent),
      title_(makeLabel({}, text_size::kTitle, QFont::DemiBold, false)),
      sentence_(makeWords(text_size::kText, QFont::Normal, true)),
      rows_(new QWidget),
      grid_(new QGridLayout(rows_)),
      notes_(makeWords(text_size::kText, QFont::Normal, false)) {
    setObjectName("backboneSheet");
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    title_->setObjectName("backboneTitle");
    title_->setWordWrap(true);
    sentence_->setObjectName("backboneSentence");
    notes_->setObjectName("backboneNotes");
    notes_->setAccessibleName(tr("What to know about it"));
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(6);
    grid_->setColumnStretch(1, 1);
    reading_ = new QProgressBar;
    reading_->setObjectName("backboneReading");
    reading_->setAccessibleName(tr("The file is being read"));
    reading_->setToolTip(tr("The file is being read"));
    reading_->setTextVisible(false);
    reading_->setRange(0, 0);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, kMargin, 0);
    column->setSpacing(12);
    column->addWidget(title_);
    column->addWidget(sentence_);
    column->addWidget(makeDropPlace());
    column->addWidget(reading_);
    column->addWidget(rows_);
    column->addWidget(notes_);
    column->addWidget(makeLinks());
    column->addWidget(makeFailure());
    column->addStretch(1);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(kMargin, 14, 0, 14);
    all->setSpacing(12);
    all->addWidget(makeScroll("backboneScroll", content), 1);
    all->addWidget(makeButtons());
    showInvitation();
}

QWidget* BackboneSheet::makeDropPlace() {
    auto* place = new QFrame;
    place->setObjectName("backboneDropPlace");
    place->setProperty("drop", true);
    fitToText(place, [place] { place->setFixedHeight(scaled(kDropHeight)); });
    auto* column = new QVBoxLayout(place);
    QLabel* words = makeLabel(tr("Drop a file of weights here"), text_size::kText, QFont::DemiBold, false);
    QLabel* kinds = makeLabel(tr(".safetensors, Google's .npz, or .pth, .pt and .bin of PyTorch"), text_size::kText,
                              QFont::Normal, true);
    for (QLabel* label : {words, kinds}) label->setAlignment(Qt::AlignCenter);
    column->addStretch(1);
    column->addWidget(words);
    column->addWidget(kinds);
    column->addStretch(1);
    return drop_place_ = place;
}

QWidget* BackboneSheet::makeLinks() {
    links_ = new QWidget;
    auto* column = new QVBoxLayout(links_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(makeLabel(tr("WHERE TO GET IT"), text_size::kCaption, QFont::DemiBold, true));
    address_ = makeWords(text_size::kText, QFont::Normal, false);
    address_->setObjectName("backboneAddress");
    address_->setAccessibleName(tr("Address"));
    column->addWidget(address_);
    checksum_ = makeWords(text_size::kText, QFont::Normal, true);
    checksum_->setObjectName("backboneChecksum");
    checksum_->setAccessibleName(tr("Checksum"));
    column->addWidget(checksum_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    open_ = makeButton("backboneOpenAddress", tr("Open"), tr("Open the address in the browser"));
    open_->setProperty("link", true);
    withIcon(open_, "external", &Theme::quiet);
    connect(open_, &QPushButton::clicked, this, [this] { QDesktopServices::openUrl(webPage(address_->text())); });
    copy_address_ = makeButton("backboneCopyAddress", tr("Copy address"), tr("Copy the address of the file"));
    copy_checksum_ = makeButton("backboneCopyChecksum", tr("Copy checksum"), tr("Copy the checksum of the file"));
    for (const auto& [button, label] : {std::pair(copy_address_, address_), std::pair(copy_checksum_, checksum_)}) {
        button->setProperty("link", true);
        withIcon(button, "copy", &Theme::quiet);
        connect(button, &QPushButton::clicked, this, [button = button, label = label] {
            QGuiApplication::clipboard()->setText(label->property(kWhole).toString());
            button->setText(tr("Copied"));
        });
    }
    for (QPushButton* button : {open_, copy_address_, copy_checksum_}) row->addWidget(button);
    row->addStretch(1);
    column->addLayout(row);
    return links_;
}

QWidget* BackboneSheet::makeFailure() {
    auto* frame = new QFrame;
    frame->setObjectName("backboneFailure");
    frame->setProperty("messageLook", true);
    frame->setAccessibleName(tr("What is wrong with the file"));
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(2);
    message_ = makeWords(text_size::kText, QFont::DemiBold, false);
    message_->setObjectName("backboneMessage");
    hint_ = makeWords(text_size::kText, QFont::Normal, true);
    hint_->setObjectName("backboneHint");
    column->addWidget(message_);
    column->addWidget(hint_);
    return failure_ = frame;
}

QWidget* BackboneSheet::makeButtons() {
    use_ = makeButton("backboneUse", tr("Use it"),
                      KeyNames::instance().filled(tr("Let the experiment take this backbone; {undo} takes that back")));
    use_->setProperty("primary", true);
    withIcon(use_, "check", &Theme::on_accent);
    choose_ = makeButton("backboneChoose", tr("Choose file …"), tr("Choose a file of weights on this computer"));
    withIcon(choose_, "open");
    connect(use_, &QPushButton::clicked, this, &BackboneSheet::useAsked);
    connect(choose_, &QPushButton::clicked, this, &BackboneSheet::chooseAsked);
    auto* buttons = new QWidget;
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, kMargin, 0);
    row->setSpacing(8);
    row->addWidget(use_);
    row->addWidget(choose_);
    row->addStretch(1);
    return buttons;
}

void BackboneSheet::begin(const QString& title, const QString& sentence) {
    setAccessibleName(title);
    title_->setText(title);
    sentence_->setText(sentence);
    sentence_->setVisible(!sentence.isEmpty());
    drop_place_->hide();
    reading_->hide();
    links_->hide();
    failure_->hide();
    showRows({});
    showNotes({});
}

void BackboneSheet::showInvitation() {
    begin(tr("A file of your own"),
          tr("Give the weights of a vision transformer, and read here what they are before an experiment takes them."));
    drop_place_->show();
    offer(false, false, tr("Choose file …"));
}

void BackboneSheet::showReading(const QString& file) {
    begin(QFileInfo(file).fileName(), tr("Looking into the file …"));
    reading_->show();
    offer(false, false, tr("Choose another …"));
}

void BackboneSheet::showFacts(const BackboneFacts& facts, const BackboneCard* known, bool in_use) {
    begin(QFileInfo(QString::fromStdString(facts.file.string())).fileName(), sentenceOf(facts));
    showRows(rowsOf(facts, known));
    showNotes(facts.notes);
    offer(true, in_use, tr("Choose another …"));
}

void BackboneSheet::showFailure(const QString& file, const Failure& failure) {
    begin(QFileInfo(file).fileName(), tr("The experiment cannot take this file."));
    showRefusal(failure);
    offer(false, false, tr("Choose another …"));
}

void BackboneSheet::showCard(const BackboneCard& card, bool in_use) {
    begin(QString::fromStdString(card.title), QString::fromStdString(card.summary));
    showRows(rowsOf(card));
    showLinks(card);
    offer(card.embedded, in_use, card.embedded ? QString() : tr("I have the file …"));
}

void BackboneSheet::showRefusal(const Failure& failure) {
    const Failure told = plainWords(failure);
    message_->setText(told.message);
    hint_->setText(told.hint);
    hint_->setVisible(!told.hint.isEmpty());
    failure_->setAccessibleDescription(told.message + ' ' + told.hint);
    failure_->show();
}

void BackboneSheet::setDropping(bool dropping) {
    drop_place_->setProperty("over", dropping);
    drop_place_->style()->unpolish(drop_place_);
    drop_place_->style()->polish(drop_place_);
}

void BackboneSheet::showRows(const QList<FactRow>& rows) {
    while (QLayoutItem* item = grid_->takeAt(0)) {
        // It may be asked for while one of its own labels is at work.
        item->widget()->hide();
        item->widget()->setObjectName({});
        item->widget()->deleteLater();
        delete item;
    }
    int at = 0;
    for (const FactRow& row : rows) {
        QLabel* title = makeLabel(row.title, text_size::kText, QFont::Normal, true);
        fitToText(title, [title] { title->setFixedWidth(scaled(kFactTitleWidth)); });
        QLabel* value = makeWords(text_size::kText, QFont::Normal, false);
        value->setText(row.value);
        value->setObjectName("backboneFact." + row.name);
        value->setAccessibleName(row.title);
        grid_->addWidget(title, at, 0, Qt::AlignTop);
        grid_->addWidget(value, at++, 1);
    }
    rows_->setVisible(!rows.isEmpty());
}

void BackboneSheet::showNotes(const std::vector<std::string>& notes) {
    QStringList lines;
    for (const std::string& note : notes) lines.append(QStringLiteral("• ") + QString::fromStdString(note));
    notes_->setText(lines.join('\n'));
    notes_->setVisible(!lines.isEmpty());
}

void BackboneSheet::showLinks(const BackboneCard& card) {
    const QString address = QString::fromStdString(card.address), checksum = QString::fromStdString(card.checksum);
    address_->setText(address);
    address_->setProperty(kWhole, address);
    // 64 digits without a space do not fit; whoever wants them all copies them.
    checksum_->setText(checksum.size() > 40 ? checksum.left(24) + QStringLiteral(" … ") + checksum.right(8) : checksum);
    checksum_->setToolTip(checksum);
    checksum_->setProperty(kWhole, checksum);
    checksum_->setVisible(!checksum.isEmpty());
    open_->setVisible(webPage(address).isValid());
    copy_address_->setText(tr("Copy address"));
    copy_checksum_->setText(tr("Copy checksum"));
    copy_checksum_->setVisible(!checksum.isEmpty());
    links_->setVisible(!address.isEmpty());
}

void BackboneSheet::offer(bool use, bool in_use, const QString& choose) {
    use_->setVisible(use);
    use_->setEnabled(!in_use);
    use_->setText(in_use ? tr("In use") : tr("Use it"));
    use_->setAccessibleName(use_->text());
    choose_->setVisible(!choose.isEmpty());
    if (choose.isEmpty()) return;
    choose_->setText(choose);
    choose_->setAccessibleName(choose);
    // The filled button is the next sensible action.
    choose_->setProperty("primary", !use);
    choose_->style()->unpolish(choose_);
    choose_->style()->polish(choose_);
}

void BackboneSheet::actPrimary() {
    if (!use_->isHidden()) {
        if (use_->isEnabled()) use_->click();
    } else if (!choose_->isHidden()) {
        choose_->click();
    }
}

}  // namespace palimpsest
