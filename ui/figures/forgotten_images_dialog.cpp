// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/forgotten_images_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <ranges>
#include <utility>

#include "engine/run/dataset_service.h"
#include "ui/figures/life_lines.h"
#include "ui/state/engine_text.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/picture_grid.h"
#include "ui/widgets/picture_loader.h"

namespace palimpsest {
namespace {

constexpr QSize kForgottenSize{620, 600};

/// Why nothing is forgotten at a moment, and where something may be.
QString nothingWords(const ImageLives& lives, std::size_t moment) {
    const std::size_t count = lives.moments.size();
    if (moment >= 1 && moment < count) {
        const QString words = ForgottenImagesDialog::tr("No test image that was right before is wrong here.");
        return moment + 1 == count
                   ? words
                   : ForgottenImagesDialog::tr("%1 Move the time line to the right to see later moments.").arg(words);
    }
    if (count < 2) return ForgottenImagesDialog::tr("Nothing can be forgotten before the second evaluation.");
    return ForgottenImagesDialog::tr(
               "Move the time line to the right: nothing can be forgotten before the second evaluation, at %1 images.")
        .arg(countText(lives.moments[1]));
}

}  // namespace

void ForgottenImageModel::setImages(const ClassNames& classes, std::vector<ForgottenImage> images) {
    if (classes == classes_ && images == images_) return;
    beginResetModel();
    classes_ = classes;
    images_ = std::move(images);
    endResetModel();
}

int ForgottenImageModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(std::min(images_.size(), PictureGridModel::kMostShown));
}

QVariant ForgottenImageModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const ForgottenImage& image = images_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return image.answer < 0 ? tr("%1, right until %2 images, now taken for a class that has not come yet")
                                          .arg(classes_.text(image.label), countText(image.right_until))
                                    : tr("%1, right until %2 images, now taken for %3")
                                          .arg(classes_.text(image.label), countText(image.right_until),
                                               classes_.name(image.answer));
        case PictureGridModel::LabelRole:
            return image.label;
        case PictureGridModel::SampleRole:
            return static_cast<qlonglong>(image.image);
        case PictureGridModel::KindRole:
            return static_cast<int>(classes_.kind(image.label));
        default:
            return {};
    }
}

ForgottenImagesDialog::ForgottenImagesDialog(std::shared_ptr<const DatasetService> service, QWidget* parent)
    : QDialog(parent),
      pictures_(new PictureLoader(std::move(service), this)),
      images_(new ForgottenImageModel(this)),
      parts_(new QStackedWidget),
      heading_(makeTextLabel(text_size::kTitle, QFont::DemiBold, false)),
      nothing_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      current_words_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      grid_(makePictureGrid(images_, new PictureDelegate(pictures_, this))),
      pin_(makeButton(QStringLiteral("pinImage"), tr("Pin"),
                      tr("Keep this image's life below, whatever moment or run is shown"))),
      attention_(makeButton(QStringLiteral("imageAttention"), tr("Attention …"),
                            tr("Where the network looks in this image, or in the one that was pinned last"))),
      lines_(new LifeLines(pictures_)) {
    setObjectName("forgottenDialog");
    setModal(false);
    resize(kForgottenSize);
    grid_->setObjectName("forgottenGrid");
    grid_->setAccessibleName(tr("Images that were right once and are wrong now"));
    grid_->setToolTip(
        tr("Right once, wrong now, the newest first; rest the mouse on an image to read what it is taken "
           "for, click it to see its life"));
    heading_->setObjectName("forgottenHeading");
    nothing_->setObjectName("forgottenNothing");
    nothing_->setAlignment(Qt::AlignCenter);
    current_words_->setObjectName("forgottenCurrent");
    keepLines(current_words_, 2);
    withIcon(pin_, QStringLiteral("pin"));
    pin_->setCheckable(true);
    pin_->setEnabled(false);
    parts_->addWidget(nothing_);
    parts_->addWidget(grid_);
    QPushButton* close = makeButton("forgottenClose", tr("Close"), tr("Close; pinned images stay pinned"));

    auto* row = new QHBoxLayout;
    row->addWidget(current_words_, 1);
    row->addWidget(attention_, 0, Qt::AlignTop);
    row->addWidget(pin_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->addWidget(heading_);
    column->addWidget(parts_, 1);
    column->addLayout(row);
    column->addWidget(lines_);
    column->addWidget(close, 0, Qt::AlignRight);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(pictures_, &PictureLoader::arrived, grid_->viewport(), qOverload<>(&QWidget::update));
    connect(pictures_, &PictureLoader::arrived, this, &ForgottenImagesDialog::describeCurrent);
    connect(grid_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ForgottenImagesDialog::showLives);
    connect(pin_, &QPushButton::clicked, this, [this](bool on) {
        if (current() >= 0) return pin(current(), on);
        pinned_.clear();
        showLives();
    });
    connect(attention_, &QPushButton::clicked, this, [this] {
        const std::int64_t image = current() < 0 && !pinned_.empty() ? pinned_.back() : current();
        if (image >= 0) Q_EMIT attentionAsked(image);
    });
    connect(lines_, &LifeLines::unpinAsked, this, [this](std::int64_t image) { pin(image, false); });
    showNothing({});
}

std::int64_t ForgottenImagesDialog::current() const {
    const QModelIndex index = grid_->currentIndex();
    return index.isValid() ? index.data(PictureGridModel::SampleRole).toLongLong() : -1;
}

void ForgottenImagesDialog::pin(std::int64_t image, bool pinned) {
    const auto found = std::ranges::find(pinned_, image);
    if (pinned == (found != pinned_.end()) || image < 0) return;
    if (!pinned)
        pinned_.erase(found);
    else
        pinned_.push_back(image);
    // The oldest gives way.
    if (pinned_.size() > kMostPinned) pinned_.erase(pinned_.begin());
    showLives();
}

void ForgottenImagesDialog::retryPictures() {
    pictures_->retry();
}

void ForgottenImagesDialog::forgetPictures() {
    pictures_->forget();
}

void ForgottenImagesDialog::showNothing(const QString& sentence) {
    shown_ = {};
    setWindowTitle(tr("Forgotten images"));
    heading_->clear();
    nothing_->setText(sentence);
    parts_->setCurrentWidget(nothing_);
    images_->setImages({}, {});
    showLives();
}

void ForgottenImagesDialog::showImages(const ForgottenShown& shown) {
    const std::int64_t chosen = current();
    shown_ = shown;
    const ImageLives& lives = *shown_.lives;
    // A place in another test set is another image.
    if (pinned_of_ && *pinned_of_ != *lives.truth) pinned_.clear();
    pinned_of_ = lives.truth;
    if (top_of_ && !std::ranges::equal(top_of_->moments, lives.moments | std::views::take(top_of_->moments.size())))
        top_.clear();
    setWindowTitle(tr("Forgotten images of %1").arg(shown_.title));
    pictures_->setSource(shown_.experiment, PictureDelegate::kSide, devicePixelRatioF(), PictureLoader::Part::Test);
    std::vector<ForgottenImage> images = std::exchange(shown_.images, {});
    const auto count = std::ssize(images);
    QStringList words{shown_.moment < lives.moments.size()
                          ? tr("After %1 images").arg(countText(lives.moments[shown_.moment]))
                          : tr("Before the first evaluation")};
    if (count > 0)
        words.append(tr("right once and wrong now: %1 of %2 test images")
                         .arg(countText(count), countText(static_cast<qint64>(lives.images()))));
    if (count > static_cast<qint64>(PictureGridModel::kMostShown))
        words.append(tr("here the first %1").arg(countText(PictureGridModel::kMostShown)));
    if (lives.left_out > 0)
        words.append(tr("evaluations left out: %1").arg(countText(static_cast<qint64>(lives.left_out))));
    heading_->setText(words.join(QStringLiteral(" · ")));
    nothing_->setText(nothingWords(lives, shown_.moment));
    parts_->setCurrentWidget(count > 0 ? static_cast<QWidget*>(grid_) : nothing_);
    const auto found = std::ranges::find(images, chosen, &ForgottenImage::image);
    const auto row = found == images.end() ? 0 : static_cast<int>(found - images.begin());
    {
        const QSignalBlocker quiet(grid_->selectionModel());
        images_->setImages(shown_.classes, std::move(images));
        grid_->setCurrentIndex(images_->index(row < images_->rowCount() ? row : 0));
    }
    grid_->viewport()->update();
    showLives();
}

void ForgottenImagesDialog::setTopClasses(const std::shared_ptr<const ImageLives>& lives,
                                          const std::vector<std::int64_t>& images, const ImageTopClasses& top) {
    if (lives != shown_.lives || top.size() != images.size()) return;
    top_.clear();
    top_of_ = lives;
    for (std::size_t row = 0; row < images.size(); ++row) top_[images[row]] = top[row];
    showLives();
}

void ForgottenImagesDialog::showLives() {
    const std::int64_t now = current();
    std::vector<LifeLines::Life> lives;
    std::vector<std::int64_t> shown;
    bool known = top_of_ == shown_.lives;
    const auto add = [&](std::int64_t image, bool pinned) {
        const auto place = static_cast<std::size_t>(image);
        if (!shown_.lives || image < 0 || place >= shown_.lives->images()) return;
        LifeLines::Life life{{image, (*shown_.lives->truth)[place]}, {}, pinned};
        for (std::size_t moment = 0; moment < shown_.lives->moments.size(); ++moment)
            life.answers.push_back(shown_.lives->answer(moment, place));
        // Until those of a new evaluation are read, the earlier ones stay.
        if (const auto found = top_.find(image); found != top_.end())
            life.top = found->second;
        else
            known = false;
        lives.push_back(std::move(life));
        shown.push_back(image);
    };
    for (const std::int64_t image : pinned_) add(image, true);
    const bool is_pinned = std::ranges::find(pinned_, now) != pinned_.end();
    if (!is_pinned) add(now, false);
    {
        const QSignalBlocker quiet(pin_);
        const bool all = now < 0 && !pinned_.empty();
        pin_->setEnabled(now >= 0 || all);
        pin_->setChecked(is_pinned);
        pin_->setText(all ? tr("Unpin all") : is_pinned ? tr("Unpin") : tr("Pin"));
        pin_->setToolTip(all || is_pinned ? tr("Let the life go that is kept below")
                                          : tr("Keep this image's life below, whatever moment or run is shown"));
    }
    attention_->setEnabled(!lives.empty());
    lines_->setVisible(!lives.empty());
    lines_->setLives(shown_.classes, shown_.lives ? shown_.lives->moments : std::vector<std::int64_t>(), shown_.moment,
                     std::move(lives));
    describeCurrent();
    if (!known && !shown.empty()) Q_EMIT topClassesAsked(shown_.lives, shown);
}

void ForgottenImagesDialog::describeCurrent() {
    const auto& failure = pictures_->failure();
    const QString words = grid_->currentIndex().data(Qt::AccessibleTextRole).toString();
    const auto life =
        std::ranges::find(lines_->lives(), current(), [](const LifeLines::Life& one) { return one.image.sample; });
    const QString top = life == lines_->lives().end()
                            ? QString()
                            : lines_->topText(static_cast<std::size_t>(life - lines_->lives().begin()), shown_.moment);
    current_words_->setText(failure ? oneText(*failure) : top.isEmpty() ? words : tr("%1: %2").arg(words, top));
}

}  // namespace palimpsest
