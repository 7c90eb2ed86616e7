// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/classified_images_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/run/dataset_service.h"
#include "ui/state/engine_text.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/picture_grid.h"
#include "ui/widgets/picture_loader.h"

namespace palimpsest {

ClassifiedImagesDialog::ClassifiedImagesDialog(std::shared_ptr<const DatasetService> service, QWidget* parent)
    : QDialog(parent),
      pictures_(new PictureLoader(std::move(service), this)),
      images_(new PictureGridModel(this)),
      grid_(makePictureGrid(images_, new PictureDelegate(pictures_, this))) {
    setObjectName("testImagesDialog");
    setWindowTitle(tr("Test images"));
    setModal(false);
    resize(560, 420);
    images_->setTest();
    grid_->setObjectName("testImagesGrid");
    grid_->setAccessibleName(tr("Test images of the cell"));
    grid_->setToolTip(tr("The test images behind the cell; rest the mouse on one to read what it is"));
    heading_ = makeTextLabel(text_size::kTitle, QFont::DemiBold, false);
    heading_->setObjectName("testImagesHeading");
    current_ = makeTextLabel(text_size::kText, QFont::Normal, true);
    current_->setObjectName("testImagesCurrent");
    keepLines(current_, 2);
    auto* column = new QVBoxLayout(this);
    column->addWidget(heading_);
    column->addWidget(grid_, 1);
    pin_ = makeLink(QStringLiteral("pinTestImage"), tr("Pin"),
                    tr("Follow this image: what it is taken for at every evaluation, in the list of forgotten images"));
    auto* row = new QHBoxLayout;
    row->addWidget(current_, 1);
    row->addWidget(pin_, 0, Qt::AlignTop);
    column->addLayout(row);
    connect(pin_, &QToolButton::clicked, this, [this] {
        const QModelIndex index = grid_->currentIndex();
        if (index.isValid()) Q_EMIT pinAsked(index.data(PictureGridModel::SampleRole).toLongLong());
    });
    connect(pictures_, &PictureLoader::arrived, grid_->viewport(), qOverload<>(&QWidget::update));
    connect(pictures_, &PictureLoader::arrived, this, &ClassifiedImagesDialog::showState);
    connect(grid_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ClassifiedImagesDialog::showState);
}

void ClassifiedImagesDialog::showImages(const Experiment& experiment, const ClassNames& words, const QString& heading,
                                        std::vector<KeptSample> samples) {
    const bool many = samples.size() > PictureGridModel::kMostShown;
    heading_->setText(many ? tr("%1; here the first %2").arg(heading, countText(PictureGridModel::kMostShown))
                           : heading);
    pictures_->setSource(experiment, PictureDelegate::kSide, devicePixelRatioF(), PictureLoader::Part::Test);
    pictures_->retry();
    images_->setMemory(words, std::move(samples), PictureClassModel::kAll);
    grid_->scrollToTop();
    showState();
    show();
    raise();
    activateWindow();
    grid_->setFocus();
}

void ClassifiedImagesDialog::showState() {
    pin_->setEnabled(grid_->currentIndex().isValid());
    const auto& failure = pictures_->failure();
    current_->setText(failure ? oneText(*failure) : grid_->currentIndex().data(Qt::AccessibleTextRole).toString());
}

}  // namespace palimpsest
