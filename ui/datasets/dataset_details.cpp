// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/dataset_details.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/datasets/dataset_text.h"
#include "ui/state/option_titles_in_text.h"
#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

using spacing::kMargin;
constexpr int kBarSteps = 1000;
constexpr int kFactTitleWidth = 76;

}  // namespace

DatasetDetails::DatasetDetails(QWidget* parent)
    : QFrame(parent),
      title_(makeLabel({}, text_size::kTitle, QFont::DemiBold, false)),
      summary_(makeWords(text_size::kText, QFont::Normal, true)),
      missing_(makeWords(text_size::kText, QFont::Normal, false)) {
    setObjectName("datasetDetails");
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    title_->setObjectName("datasetTitle");
    missing_->setObjectName("datasetMissing");

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, kMargin, 0);
    column->setSpacing(12);
    column->addWidget(title_);
    column->addWidget(summary_);
    column->addWidget(makeFacts());
    column->addWidget(makeCitation());
    column->addWidget(missing_);
    column->addStretch(1);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(kMargin, 14, 0, 14);
    all->setSpacing(12);
    all->addWidget(makeScroll("datasetDetailsScroll", content), 1);
    all->addWidget(makeProgress());
    all->addWidget(makeButtons());
    setFetch(std::nullopt);
}

QLabel* DatasetDetails::addFact(QGridLayout* grid, const QString& name, const QString& title) {
    const int row = grid->rowCount();
    QLabel* caption = makeLabel(title, text_size::kText, QFont::Normal, true);
    fitToText(caption, [caption] { caption->setFixedWidth(scaled(kFactTitleWidth)); });
    QLabel* value = makeWords(text_size::kText, QFont::Normal, false);
    value->setObjectName(name);
    value->setAccessibleName(title);
    caption->setBuddy(value);
    grid->addWidget(caption, row, 0, Qt::AlignTop);
    grid->addWidget(value, row, 1);
    return value;
}

QWidget* DatasetDetails::makeFacts() {
    auto* facts = new QWidget;
    auto* grid = new QGridLayout(facts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    classes_ = addFact(grid, "datasetClasses", tr("Classes"));
    images_ = addFact(grid, "datasetImages", tr("Images"));
    size_ = addFact(grid, "datasetSizeToFetch", tr("To fetch"));
    licence_ = addFact(grid, "datasetLicence", tr("Licence"));
    origin_ = addFact(grid, "datasetOrigin", tr("Made by"));
    folder_ = addFact(grid, "datasetFolder", tr("Folder"));
    homepage_ = makeButton("datasetHomepage", {}, tr("Open its page in the browser"));
    homepage_->setProperty("link", true);
    homepage_->setProperty("flush", true);
    withIcon(homepage_, "external", &Theme::quiet);
    homepage_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(homepage_, &QPushButton::clicked, this, &DatasetDetails::openHomepage);
    grid->addWidget(homepage_, grid->rowCount(), 0, 1, 2);
    return facts;
}

QWidget* DatasetDetails::makeCitation() {
    citation_box_ = new QWidget;
    auto* column = new QVBoxLayout(citation_box_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* header = new QHBoxLayout;
    header->addWidget(makeLabel(tr("TO CITE"), text_size::kCaption, QFont::DemiBold, true), 1);
    copy_ = makeButton("datasetCopyCitation", tr("Copy"), tr("Copy the citation"));
    copy_->setProperty("link", true);
    withIcon(copy_, "copy", &Theme::quiet);
    connect(copy_, &QPushButton::clicked, this, &DatasetDetails::copyCitation);
    header->addWidget(copy_);
    column->addLayout(header);
    citation_ = makeWords(text_size::kText, QFont::Normal, false);
    citation_->setObjectName("datasetCitation");
    citation_->setAccessibleName(tr("Citation"));
    column->addWidget(citation_);
    return citation_box_;
}

QWidget* DatasetDetails::makeProgress() {
    progress_box_ = new QWidget;
    auto* column = new QVBoxLayout(progress_box_);
    column->setContentsMargins(0, 0, kMargin, 0);
    column->setSpacing(6);
    auto* row = new QHBoxLayout;
    step_ = makeLabel({}, text_size::kText, QFont::DemiBold, false);
    step_->setObjectName("fetchStep");
    step_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pace_ = makeLabel({}, text_size::kText, QFont::Normal, true);
    pace_->setObjectName("fetchPace");
    row->addWidget(step_, 1);
    row->addWidget(pace_);
    column->addLayout(row);
    bar_ = new QProgressBar;
    bar_->setObjectName("fetchBar");
    bar_->setAccessibleName(tr("Progress of the fetch"));
    bar_->setToolTip(tr("How much of this file has come"));
    bar_->setTextVisible(false);
    column->addWidget(bar_);
    return progress_box_;
}

QWidget* DatasetDetails::makeButtons() {
    fetch_ = makeButton("datasetFetch", tr("Fetch"), tr("Download what is missing, check and unpack it"));
    fetch_->setProperty("primary", true);
    use_ = makeButton("datasetUse", tr("Use in the experiment"), tr("Let the experiment stream this data set"));
    use_->setProperty("primary", true);
    have_ = makeButton("datasetHave", tr("I already have it"),
                       tr("Take the files from this computer instead of fetching them"));
    cancel_ = makeButton("datasetCancel", tr("Cancel"),
                         tr("Stop fetching; what has come is kept, and the next fetch goes on from it"));
    withIcon(fetch_, "import", &Theme::on_accent);
    withIcon(use_, "check", &Theme::on_accent);
    withIcon(have_, "folder");
    withIcon(cancel_, "stop");
    connect(fetch_, &QPushButton::clicked, this, &DatasetDetails::fetchAsked);
    connect(use_, &QPushButton::clicked, this, &DatasetDetails::useAsked);
    connect(cancel_, &QPushButton::clicked, this, &DatasetDetails::cancelAsked);
    auto* menu = new QMenu(have_);
    QAction* file = menu->addAction(tr("The &file …"), this, &DatasetDetails::haveFileAsked);
    file->setObjectName("datasetHaveFile");
    QAction* folder = menu->addAction(tr("A f&older with the files …"), this, &DatasetDetails::haveFolderAsked);
    folder->setObjectName("datasetHaveFolder");
    have_->setMenu(menu);
    have_->setProperty("menuLook", true);

    auto* buttons = new QWidget;
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, kMargin, 0);
    row->setSpacing(8);
    for (QPushButton* button : {use_, fetch_, cancel_, have_}) row->addWidget(button);
    row->addStretch(1);
    return buttons;
}

void DatasetDetails::showFact(QLabel* value, const QString& text) {
    auto* grid = static_cast<QGridLayout*>(value->parentWidget()->layout());
    int row = 0, column = 0, rows = 0, columns = 0;
    grid->getItemPosition(grid->indexOf(value), &row, &column, &rows, &columns);
    value->setText(text);
    value->setVisible(!text.isEmpty());
    grid->itemAtPosition(row, 0)->widget()->setVisible(!text.isEmpty());
}

void DatasetDetails::setCard(const DatasetCard& card, bool in_use) {
    if (card.name != card_.name) copy_->setText(tr("Copy"));
    card_ = card;
    in_use_ = in_use;
    const QString title = QString::fromStdString(card.title);
    setAccessibleName(title);
    title_->setText(title);
    summary_->setText(QString::fromStdString(card.summary));
    showFact(classes_, card.classes > 0 ? countText(card.classes) : QString());
    showFact(images_, card.train > 0 && card.test > 0
                          ? tr("%1 to learn from, %2 to test with").arg(countText(card.train), countText(card.test))
                          : QString());
    const bool wanted = !card.present && !card.procedural;
    showFact(size_, wanted && card.bytes > 0 ? bytesText(card.bytes) : QString());
    showFact(licence_, QString::fromStdString(card.licence));
    showFact(origin_, plainWords(card.origin));
    showFact(folder_, card.procedural ? tr("none: the program draws the images") : QString::fromStdString(card.folder));
    const QUrl page = webPage(QString::fromStdString(card.homepage));
    homepage_->setText(page.toDisplayString());
    homepage_->setAccessibleName(tr("Homepage %1").arg(page.toDisplayString()));
    homepage_->setVisible(page.isValid() && !page.isEmpty());
    citation_->setText(QString::fromStdString(card.citation));
    citation_box_->setVisible(!card.citation.empty());
    missing_->setText(plainWords(card.missing));
    refreshButtons();
}

void DatasetDetails::setFetch(const std::optional<DatasetLibrary::Fetch>& fetch) {
    fetching_ = fetch.has_value();
    progress_box_->setVisible(fetching_);
    if (fetch) {
        using Stage = DatasetLibrary::Stage;
        const DatasetProgress& progress = fetch->progress;
        const QString step = QString::fromStdString(progress.step), file = QString::fromStdString(progress.file);
        const bool going = fetch->stage == Stage::Going && !step.isEmpty();
        const double share = shareOf(progress);
        step_->setText(fetch->stage == Stage::Waiting    ? tr("Waiting for other fetches …")
                       : fetch->stage == Stage::Stopping ? tr("Stopping …")
                       : going                           ? tr("%1 %2").arg(step, file).trimmed()
                                                         : tr("Connecting …"));
        step_->setToolTip(file);
        pace_->setText(going ? paceText(progress) : QString());
        // Without a length the bar only tells that something goes on.
        bar_->setRange(0, going && share < 0 ? 0 : kBarSteps);
        bar_->setValue(share < 0 ? 0 : static_cast<int>(share * kBarSteps));
        cancel_->setEnabled(fetch->stage != Stage::Stopping);
    }
    refreshButtons();
}

void DatasetDetails::refreshButtons() {
    const bool own = card_.name == "folder";
    missing_->setVisible(!fetching_ && !card_.present && !card_.missing.empty());
    cancel_->setVisible(fetching_);
    fetch_->setVisible(!fetching_ && !card_.present && card_.fetchable);
    have_->setVisible(!fetching_ && !card_.present && !card_.procedural && card_.takes_files);
    use_->setVisible(!fetching_ && card_.present);
    use_->setEnabled(own || !in_use_);
    use_->setText(own ? tr("Open image folder …") : (in_use_ ? tr("In use") : tr("Use in the experiment")));
    use_->setAccessibleName(use_->text());
}

void DatasetDetails::actPrimary() {
    for (QPushButton* button : {use_, fetch_})
        if (!button->isHidden() && button->isEnabled()) button->click();
}

void DatasetDetails::openHomepage() {
    QDesktopServices::openUrl(webPage(QString::fromStdString(card_.homepage)));
}

void DatasetDetails::copyCitation() {
    QGuiApplication::clipboard()->setText(QString::fromStdString(card_.citation));
    copy_->setText(tr("Copied"));
}

}  // namespace palimpsest
