// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/backbone_sheet.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStringList>
#include <QStyle>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/datasets/dataset_text.h"
#include "ui/state/engine_text.h"
#include "ui/state/key_names.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr qint64 kMillion = 1'000'000;

QString tr(const char* text) {
    return QCoreApplication::translate("BackboneText", text);
}

QString words(const std::string& text) {
    return QString::fromStdString(text);
}

QString networkText(const BackboneFacts& facts) {
    QStringList parts;
    if (facts.depth > 0) parts.append(facts.depth == 1 ? tr("1 block") : tr("%1 blocks").arg(facts.depth));
    if (facts.heads > 0) parts.append(facts.heads == 1 ? tr("1 head") : tr("%1 heads").arg(facts.heads));
    if (facts.width > 0) parts.append(tr("width %1").arg(facts.width));
    if (facts.patch_size > 0) parts.append(tr("patches of %1 pixels").arg(facts.patch_size));
    return parts.join(", ");
}

QString clipText(const BackboneFacts& facts) {
    QStringList parts;
    if (facts.pre_norm) parts.append(tr("a layer norm before the first block"));
    if (facts.quick_gelu) parts.append(tr("quick GELU"));
    return parts.join(", ");
}

/// Rows with a value, under the object names of the sheet.
QList<FactRow> filled(QList<FactRow> rows) {
    rows.removeIf([](const FactRow& row) { return row.value.isEmpty(); });
    for (FactRow& row : rows) row.name.prepend("backboneFact.");
    return rows;
}

using spacing::kMargin;
constexpr int kFactTitleWidth = 84;
constexpr int kDropHeight = 120;
constexpr int kFetchBarSteps = 1000;
constexpr const char* kWhole = "whole";  ///< property: what is copied of a label

}  // namespace

QString parametersText(qint64 parameters) {
    if (parameters < kMillion) return countText(parameters);
    const double millions = static_cast<double>(parameters) / kMillion;
    return tr("%1 million (%2)").arg(millions, 0, 'f', millions < 99.95 ? 1 : 0).arg(countText(parameters));
}

QString sentenceOf(const BackboneFacts& facts) {
    return tr("%1, kept as %2, with the tensor names of %3.")
        .arg(words(facts.title), words(facts.format), words(facts.layout));
}

QList<FactRow> rowsOf(const BackboneFacts& facts, const BackboneCard* known) {
    const qint64 side = facts.image_size;
    return filled({
        {"file", tr("File"), QDir::toNativeSeparators(words(facts.file.string()))},
        {"known", tr("Known as"),
         known ? tr("%1; its checksum agrees").arg(words(known->title)) : words(facts.known_as)},
        {"format", tr("Format"), words(facts.format)},
        {"names", tr("Names"), words(facts.layout)},
        {"images", tr("Images"), side > 0 ? tr("%1 × %1 pixels").arg(side) : QString()},
        {"network", tr("Network"), networkText(facts)},
        {"parameters", tr("Parameters"), facts.parameters > 0 ? parametersText(facts.parameters) : QString()},
        {"size", tr("Size"), facts.bytes > 0 ? bytesText(facts.bytes) : QString()},
        {"head", tr("Head"),
         facts.head_classes > 0 ? tr("that of %1 classes is left out").arg(countText(facts.head_classes)) : QString()},
        {"clip", tr("As in CLIP"), clipText(facts)},
    });
}

QList<FactRow> rowsOf(const BackboneCard& card) {
    QString file = words(card.file);
    if (card.bytes > 0) file += (file.isEmpty() ? "" : ", ") + bytesText(card.bytes);
    return filled({
        {"user", tr("In the paper"), words(card.user)},
        {"origin", tr("Made by"), words(card.origin)},
        {"licence", tr("Licence"), words(card.licence)},
        {"file", tr("File"), file},
    });
}

QString factsText(const BackboneCard& card) {
    QStringList parts;
    if (card.bytes > 0) parts.append(bytesText(card.bytes));
    if (!card.licence.empty()) parts.append(words(card.licence));
    return parts.join(QStringLiteral(" · "));
}

BackboneSheet::BackboneSheet(QWidget* parent)
    : FactSheet({"backboneSheet", "backboneTitle", "backboneSentence", "backboneScroll"}, kFactTitleWidth, parent),
      reading_(new QProgressBar),
      notes_(makeTextLabel(text_size::kText, QFont::Normal, false)) {
    title()->setWordWrap(true);
    notes_->setObjectName("backboneNotes");
    notes_->setAccessibleName(tr("What to know about it"));
    reading_->setObjectName("backboneReading");
    reading_->setAccessibleName(tr("The file is being read"));
    reading_->setToolTip(tr("The file is being read"));
    reading_->setTextVisible(false);
    reading_->setRange(0, 0);
    addPart(makeDropPlace());
    addPart(reading_);
    addPart(facts());
    addPart(notes_);
    addPart(makeLinks());
    addPart(makeConsent());
    addPart(makeProgress());
    addPart(makeFailure());
    makeButtons();
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
    address_ = makeTextLabel(text_size::kText, QFont::Normal, false);
    address_->setObjectName("backboneAddress");
    address_->setAccessibleName(tr("Address"));
    column->addWidget(address_);
    checksum_ = makeTextLabel(text_size::kText, QFont::Normal, true);
    checksum_->setObjectName("backboneChecksum");
    checksum_->setAccessibleName(tr("Checksum"));
    column->addWidget(checksum_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    const auto whole = [](const QLabel* label) { return [label] { return label->property(kWhole).toString(); }; };
    open_ = makePageButton("backboneOpenAddress", tr("Open"), tr("Open the address in the browser"),
                           [this] { return address_->text(); });
    copy_address_ =
        makeCopyButton("backboneCopyAddress", tr("Copy address"), tr("Copy the address of the file"), whole(address_));
    copy_checksum_ = makeCopyButton("backboneCopyChecksum", tr("Copy checksum"), tr("Copy the checksum of the file"),
                                    whole(checksum_));
    for (QPushButton* button : {open_, copy_address_, copy_checksum_}) row->addWidget(button);
    row->addStretch(1);
    column->addLayout(row);
    return links_;
}

QWidget* BackboneSheet::makeFailure() {
    auto* frame = new QFrame;
    frame->setObjectName("backboneFailure");
    frame->setProperty("messageLook", true);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(2);
    message_ = makeTextLabel(text_size::kText, QFont::DemiBold, false);
    message_->setObjectName("backboneMessage");
    hint_ = makeTextLabel(text_size::kText, QFont::Normal, true);
    hint_->setObjectName("backboneHint");
    column->addWidget(message_);
    column->addWidget(hint_);
    return failure_ = frame;
}

QWidget* BackboneSheet::makeConsent() {
    auto* frame = new QFrame;
    frame->setObjectName("backboneConsent");
    frame->setProperty("messageLook", true);
    frame->setProperty("kind", "note");
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(6);
    consent_words_ = makeTextLabel(text_size::kText, QFont::Normal, false);
    consent_words_->setObjectName("backboneConsentWords");
    consent_words_->setWordWrap(true);
    column->addWidget(consent_words_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    agree_ = makeButton("backboneAgree", tr("Agree and fetch"), tr("Download the file under its licence"));
    agree_->setProperty("primary", true);
    QPushButton* later = makeButton("backboneNotNow", tr("Not now"), tr("Fetch nothing"));
    connect(agree_, &QPushButton::clicked, this, &BackboneSheet::fetchAgreed);
    connect(later, &QPushButton::clicked, this, [this] {
        consent_->hide();
        fetch_->show();
        fetch_->setFocus();
    });
    row->addWidget(agree_);
    row->addWidget(later);
    row->addStretch(1);
    column->addLayout(row);
    return consent_ = frame;
}

QWidget* BackboneSheet::makeProgress() {
    progress_ = new QWidget;
    auto* column = new QVBoxLayout(progress_);
    column->setContentsMargins(0, 0, kMargin, 0);
    column->setSpacing(6);
    auto* row = new QHBoxLayout;
    step_ = makeLabel({}, text_size::kText, QFont::DemiBold, false);
    step_->setObjectName("backboneFetchStep");
    step_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pace_ = makeLabel({}, text_size::kText, QFont::Normal, true);
    pace_->setObjectName("backboneFetchPace");
    row->addWidget(step_, 1);
    row->addWidget(pace_);
    column->addLayout(row);
    bar_ = new QProgressBar;
    bar_->setObjectName("backboneFetchBar");
    bar_->setAccessibleName(tr("Progress of the fetch"));
    bar_->setToolTip(tr("How much of this file has come"));
    bar_->setTextVisible(false);
    column->addWidget(bar_);
    return progress_;
}

void BackboneSheet::fillConsent() {
    const QString host = QUrl(words(card_.urls.empty() ? card_.address : card_.urls.front())).host();
    const QString size = card_.bytes > 0 ? tr("Size: %1.").arg(bytesText(card_.bytes))
                                         : tr("Its size is not published; files of this kind have 20 MB to 1 GB.");
    const QString mirror = words(source_.mirror);
    if (source_.offline)
        consent_words_->setText(
            tr("%1, under the licence %2, is only checked where it is here: nothing is asked of the "
               "network.")
                .arg(words(card_.file), words(card_.licence)));
    else
        consent_words_->setText(tr("%1 is fetched from %2, under the licence %3. %4")
                                    .arg(words(card_.file),
                                         mirror.isEmpty() ? host : tr("%1, or else from %2").arg(mirror, host),
                                         words(card_.licence), size));
}

void BackboneSheet::askForConsent() {
    fillConsent();
    consent_->show();
    fetch_->hide();
    agree_->setFocus();
}

void BackboneSheet::setSource(const FetchOrigin& source) {
    source_ = source;
    // The question may be open.
    fillConsent();
}

void BackboneSheet::showProgress(const DatasetProgress& progress) {
    const QString step = words(progress.step), file = words(progress.file);
    const double share = shareOf(progress);
    progress_->show();
    failure_->hide();
    consent_->hide();
    step_->setText(step.isEmpty() ? tr("Connecting …") : tr("%1 %2").arg(step, file).trimmed());
    step_->setToolTip(file);
    pace_->setText(paceText(progress));
    // A fetch of unknown length has a busy bar.
    bar_->setRange(0, share < 0 ? 0 : kFetchBarSteps);
    bar_->setValue(share < 0 ? 0 : static_cast<int>(share * kFetchBarSteps));
    offer(false, false, {});
    cancel_->show();
}

void BackboneSheet::makeButtons() {
    use_ = makeButton("backboneUse", tr("Use it"),
                      KeyNames::instance().filled(tr("Let the experiment take this backbone; {undo} takes that back")));
    use_->setProperty("primary", true);
    withIcon(use_, "check", &Theme::on_accent);
    choose_ = makeButton("backboneChoose", tr("Choose file …"), tr("Choose a file of weights on this computer"));
    fetch_ = makeButton("backboneFetch", tr("Fetch …"), tr("Download its file and check it, once you have agreed"));
    fetch_->setProperty("primary", true);
    withIcon(fetch_, "import", &Theme::on_accent);
    cancel_ = makeButton("backboneFetchCancel", tr("Cancel"),
                         tr("Stop fetching; what has come is kept, and the next fetch goes on from it"));
    withIcon(cancel_, "stop");
    connect(fetch_, &QPushButton::clicked, this, &BackboneSheet::askForConsent);
    connect(cancel_, &QPushButton::clicked, this, &BackboneSheet::fetchStopAsked);
    connect(use_, &QPushButton::clicked, this, &BackboneSheet::useRequested);
    connect(choose_, &QPushButton::clicked, this, &BackboneSheet::chooseAsked);
    addButtons({use_, fetch_, choose_, cancel_}, {use_, fetch_, choose_});
}

void BackboneSheet::begin(const QString& title, const QString& sentence) {
    setHeading(title, sentence);
    drop_place_->hide();
    reading_->hide();
    links_->hide();
    consent_->hide();
    progress_->hide();
    failure_->hide();
    setFacts({});
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
    setFacts(rowsOf(facts, known));
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
    setFacts(rowsOf(card));
    showLinks(card);
    card_ = card;
    const bool here = card.embedded || card.present;
    offer(here, in_use, here ? QString() : tr("I have the file …"), !here && !card.urls.empty());
}

void BackboneSheet::showRefusal(const Failure& failure) {
    showMessage("error", tr("What is wrong with the file"), withOptionTitles(failure));
}

void BackboneSheet::showStopped(bool came) {
    if (!came) return showMessage("info", tr("What became of the fetch"), {tr("Stopped before anything came."), {}});
    showMessage("info", tr("What became of the fetch"),
                {tr("Stopped."), tr("What has come is kept, and the next fetch goes on from there.")});
}

bool BackboneSheet::holdsFocus() const {
    const QWidget* focused = window()->focusWidget();
    return focused && isAncestorOf(focused);
}

void BackboneSheet::focusButton() {
    for (QPushButton* button : {cancel_, fetch_, use_, choose_}) {
        if (!button->isVisibleTo(this) || !button->isEnabled()) continue;
        button->setFocus();
        return;
    }
}

void BackboneSheet::showMessage(const char* kind, const QString& name, const Failure& words) {
    message_->setText(words.message);
    hint_->setText(words.hint);
    hint_->setVisible(!words.hint.isEmpty());
    failure_->setAccessibleName(name);
    failure_->setAccessibleDescription(oneText(words));
    failure_->setProperty("kind", kind);
    restyle(failure_);
    failure_->show();
}

void BackboneSheet::setDropping(bool dropping) {
    drop_place_->setProperty("over", dropping);
    restyle(drop_place_);
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
    // 64 digits without a space do not fit; the button copies all of them.
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

void BackboneSheet::offer(bool use, bool in_use, const QString& choose, bool fetch) {
    fetch_->setVisible(fetch);
    cancel_->hide();
    use_->setVisible(use);
    use_->setEnabled(!in_use);
    use_->setText(in_use ? tr("In use") : tr("Use it"));
    use_->setAccessibleName(use_->text());
    choose_->setVisible(!choose.isEmpty());
    if (choose.isEmpty()) return;
    choose_->setText(choose);
    choose_->setAccessibleName(choose);
    // The filled button is the next sensible action.
    const bool next = !use && !fetch;
    choose_->setProperty("primary", next);
    withIcon(choose_, "open", next ? &Theme::on_accent : &Theme::text);
    restyle(choose_);
}

}  // namespace palimpsest
