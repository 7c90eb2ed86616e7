// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/dataset_details.h"

#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/support/own_drawings.h"
#include "ui/datasets/dataset_text.h"
#include "ui/state/engine_text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
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
    : FactSheet({"datasetDetails", "datasetTitle", {}, "datasetDetailsScroll"}, kFactTitleWidth, parent),
      homepage_(makePageButton("datasetHomepage", {}, tr("Open its page in the browser"),
                               [this] { return QString::fromStdString(card_.homepage); })),
      missing_(makeTextLabel(text_size::kText, QFont::Normal, false)) {
    homepage_->setProperty("flush", true);
    homepage_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    missing_->setObjectName("datasetMissing");
    setFacts(metricFacts({}));
    addLine(homepage_);
    addPart(facts());
    addPart(makeCitation());
    addPart(missing_);
    addFooter(makeProgress());
    makeButtons();
    setFetch(std::nullopt);
}

QWidget* DatasetDetails::makeCitation() {
    citation_box_ = new QWidget;
    auto* column = new QVBoxLayout(citation_box_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* header = new QHBoxLayout;
    header->addWidget(makeLabel(tr("TO CITE"), text_size::kCaption, QFont::DemiBold, true), 1);
    copy_ = makeCopyButton("datasetCopyCitation", tr("Copy"), tr("Copy the citation"),
                           [this] { return QString::fromStdString(card_.citation); });
    header->addWidget(copy_);
    column->addLayout(header);
    citation_ = makeTextLabel(text_size::kText, QFont::Normal, false);
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

void DatasetDetails::makeButtons() {
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
    connect(fetch_, &QPushButton::clicked, this, &DatasetDetails::fetchRequested);
    connect(use_, &QPushButton::clicked, this, &DatasetDetails::useRequested);
    connect(cancel_, &QPushButton::clicked, this, &DatasetDetails::cancelRequested);
    auto* menu = new QMenu(have_);
    QAction* file = menu->addAction(tr("The &file …"), this, &DatasetDetails::haveFileRequested);
    file->setObjectName("datasetHaveFile");
    QAction* folder = menu->addAction(tr("A f&older with the files …"), this, &DatasetDetails::haveFolderRequested);
    folder->setObjectName("datasetHaveFolder");
    have_->setMenu(menu);
    have_->setProperty("menuLook", true);
    addButtons({use_, fetch_, cancel_, have_}, {use_, fetch_});
}

QList<FactRow> DatasetDetails::metricFacts(const DatasetCard& card) {
    const bool wanted = !card.present && !card.procedural;
    return {
        {"datasetClasses", tr("Classes"), card.classes > 0 ? countText(card.classes) : QString()},
        {"datasetImages", tr("Images"),
         card.train > 0 && card.test > 0
             ? tr("%1 to learn from, %2 to test with").arg(countText(card.train), countText(card.test))
             : QString()},
        {"datasetSizeToFetch", tr("To fetch"), wanted && card.bytes > 0 ? bytesText(card.bytes) : QString()},
        {"datasetLicence", tr("Licence"), QString::fromStdString(card.licence)},
        {"datasetOrigin", tr("Made by"), withOptionTitles(card.origin)},
        {"datasetFolder", tr("Folder"),
         card.procedural ? tr("none: the program draws the images") : QString::fromStdString(card.folder)},
    };
}

void DatasetDetails::setCard(const DatasetCard& card, bool in_use) {
    if (card.name != card_.name) copy_->setText(tr("Copy"));
    card_ = card;
    in_use_ = in_use;
    setHeading(QString::fromStdString(card.title), QString::fromStdString(card.summary));
    setFacts(metricFacts(card));
    const QUrl page = webPage(QString::fromStdString(card.homepage));
    homepage_->setText(page.toDisplayString());
    homepage_->setAccessibleName(tr("Homepage %1").arg(page.toDisplayString()));
    homepage_->setVisible(page.isValid() && !page.isEmpty());
    citation_->setText(QString::fromStdString(card.citation));
    citation_box_->setVisible(!card.citation.empty());
    missing_->setText(withOptionTitles(card.missing));
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
        // A fetch of unknown length has a busy bar.
        bar_->setRange(0, going && share < 0 ? 0 : kBarSteps);
        bar_->setValue(share < 0 ? 0 : static_cast<int>(share * kBarSteps));
        cancel_->setEnabled(fetch->stage != Stage::Stopping);
    }
    refreshButtons();
}

void DatasetDetails::refreshButtons() {
    const bool drawn = card_.name == kOwnDrawings;
    const bool own = drawn || card_.name == "folder";
    missing_->setVisible(!fetching_ && !card_.present && !card_.missing.empty());
    cancel_->setVisible(fetching_);
    fetch_->setVisible(!fetching_ && !card_.present && card_.fetchable);
    have_->setVisible(!fetching_ && !card_.present && !card_.procedural && card_.takes_files);
    use_->setVisible(!fetching_ && card_.present);
    use_->setEnabled(own || !in_use_);
    use_->setText(drawn ? tr("Draw a class …")
                  : own ? tr("Open image folder …")
                        : (in_use_ ? tr("In use") : tr("Use in the experiment")));
    use_->setAccessibleName(use_->text());
}

}  // namespace palimpsest
