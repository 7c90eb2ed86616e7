// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/memory_dialog.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/run/dataset_service.h"
#include "ui/state/engine_text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/picture_grid.h"
#include "ui/widgets/picture_loader.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kTextHeight = 18;
constexpr int kBarHeight = 4;
constexpr int kClassPad = 8, kAbove = 4, kBelow = 6;
constexpr double kLeastClassBar = 2;

using spacing::kGap;
constexpr int kListWidth = 250;
constexpr int kSentenceWidth = 420;

/// Gives way before the dialog would have to grow.
void letGiveWay(QLabel* label) {
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

}  // namespace

QSize MemoryClassDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {200, scaled(kTextHeight) + kBarHeight + kAbove + kBelow};
}

void MemoryClassDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF row = QRectF(option.rect).adjusted(0, 1, 0, -1);
    paintRowGround(*painter, row, option);

    const QVariant share = index.data(PictureClassModel::ShareRole);
    painter->setFont(textFont(option.font, text_size::kText, share.isValid() ? QFont::Normal : QFont::DemiBold));
    painter->setPen(theme.text);
    const QString count = countText(index.data(PictureClassModel::CountRole).toLongLong());
    const double countWidth = std::ceil(painter->fontMetrics().horizontalAdvance(count));
    const QRectF line(row.left() + kClassPad, row.top() + kAbove - 1, row.width() - 2 * kClassPad, scaled(kTextHeight));
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, count);
    const QRectF words = line.adjusted(0, 0, -countWidth - kClassPad, 0);
    painter->drawText(
        words, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, static_cast<int>(words.width())));
    if (share.isValid()) {
        QRectF bar(line.left(), line.bottom() + 1, line.width(), kBarHeight);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.line);
        painter->drawRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
        if (share.toDouble() > 0) {
            // A single image still shows that it is there.
            bar.setWidth(std::max(kLeastClassBar, share.toDouble() * bar.width()));
            painter->setBrush(
                barColour(theme, static_cast<ClassKind>(index.data(PictureClassModel::KindRole).toInt())));
            painter->drawRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
        }
    }
    paintRowFocus(*painter, row, option);
    painter->restore();
}

MemoryClassList::MemoryClassList(QWidget* parent) : QListView(parent) {
    setObjectName("memoryClasses");
    setAccessibleName(tr("How many images are kept of each class"));
    setToolTip(tr("Choose a class to see its images alone; choose it again to see all"));
    setSelectionMode(QAbstractItemView::SingleSelection);
}

void MemoryClassList::setModel(QAbstractItemModel* model) {
    QListView::setModel(model);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { Q_EMIT classChosen(chosen()); });
}

int MemoryClassList::chosen() const {
    const QModelIndex current = currentIndex();
    return current.isValid() ? current.data(PictureClassModel::LabelRole).toInt() : PictureClassModel::kAll;
}

void MemoryClassList::choose(int label) {
    setCurrentIndex(static_cast<PictureClassModel*>(model())->indexOf(label));
}

void MemoryClassList::mousePressEvent(QMouseEvent* event) {
    pressed_ = chosen();
    on_chosen_ = event->button() == Qt::LeftButton && pressed_ != PictureClassModel::kAll &&
                 indexAt(event->pos()) == currentIndex();
    QListView::mousePressEvent(event);
}

void MemoryClassList::mouseReleaseEvent(QMouseEvent* event) {
    QListView::mouseReleaseEvent(event);
    if (std::exchange(on_chosen_, false) && chosen() == pressed_ && indexAt(event->pos()) == currentIndex())
        choose(PictureClassModel::kAll);
}

void MemoryClassList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && chosen() != PictureClassModel::kAll) return choose(PictureClassModel::kAll);
    QListView::keyPressEvent(event);
}

MemoryDialog::MemoryDialog(std::shared_ptr<const DatasetService> service, QWidget* parent)
    : QDialog(parent),
      pictures_(new PictureLoader(std::move(service), this)),
      classes_(new PictureClassModel(this)),
      images_(new PictureGridModel(this)),
      pages_(new QStackedWidget) {
    setObjectName("memoryDialog");
    nameRun({});
    setModal(false);
    resize(860, 560);
    setMinimumSize(620, 380);

    nothing_ = makeTextLabel(text_size::kTitle, QFont::Normal, true);
    nothing_->setObjectName("memoryNothing");
    nothing_->setAlignment(Qt::AlignCenter);
    fitToText(nothing_, [this] { nothing_->setMaximumWidth(scaled(kSentenceWidth)); });
    auto* empty = new QWidget;
    auto* centred = new QHBoxLayout(empty);
    centred->addStretch(1);
    centred->addWidget(nothing_, 4);
    centred->addStretch(1);

    auto* content = new QWidget;
    auto* middle = new QHBoxLayout;
    middle->setSpacing(kGap);
    middle->addWidget(makeClasses());
    middle->addWidget(makeImages(), 1);
    auto* inside = new QVBoxLayout(content);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(kGap);
    inside->addWidget(makeHead());
    inside->addLayout(middle, 1);

    pages_->addWidget(empty);
    pages_->addWidget(content);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->addWidget(pages_);

    connect(pictures_, &PictureLoader::arrived, grid_->viewport(), qOverload<>(&QWidget::update));
    connect(pictures_, &PictureLoader::arrived, this, &MemoryDialog::showFailure);
    connect(list_, &MemoryClassList::classChosen, this, &MemoryDialog::showImages);
    connect(grid_->selectionModel(), &QItemSelectionModel::currentChanged, this, &MemoryDialog::describeCurrent);
    connect(images_, &PictureGridModel::dataChanged, this, &MemoryDialog::describeCurrent);
}

QWidget* MemoryDialog::makeHead() {
    places_ = makeLabel({}, text_size::kTitle, QFont::DemiBold, false);
    places_->setObjectName("memoryPlaces");
    moment_ = makeLabel({}, text_size::kText, QFont::Normal, true);
    moment_->setObjectName("memoryMoment");
    letGiveWay(moment_);
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(2, 0, 2, 0);
    row->setSpacing(kGap);
    row->addWidget(places_);
    row->addWidget(moment_, 1);
    return head;
}

QWidget* MemoryDialog::makeClasses() {
    list_ = new MemoryClassList;
    list_->setModel(classes_);
    QFrame* panel = makeCardPanel(list_, new MemoryClassDelegate, kListWidth);
    panel->setObjectName("memoryBalance");
    return panel;
}

QWidget* MemoryDialog::makeImages() {
    heading_ = makeLabel({}, text_size::kText, QFont::DemiBold, false);
    heading_->setObjectName("memoryHeading");
    letGiveWay(heading_);

    grid_ = makePictureGrid(images_, new PictureDelegate(pictures_, this));
    grid_->setObjectName("memoryGrid");
    grid_->setAccessibleName(tr("Images that are kept"));
    grid_->setToolTip(tr("The images that are kept; rest the mouse on one to read what it is"));

    unknown_ = makeTextLabel(text_size::kText, QFont::Normal, true);
    unknown_->setObjectName("memoryImagesUnknown");
    unknown_->setAlignment(Qt::AlignCenter);
    unknown_->setText(tr("A run folder says how many images of each class were kept, not which."));
    parts_ = new QStackedWidget;
    parts_->addWidget(grid_);
    parts_->addWidget(unknown_);

    current_ = makeLabel({}, text_size::kText, QFont::Normal, true);
    current_->setObjectName("memoryCurrent");
    letGiveWay(current_);

    failure_ = makeTextLabel(text_size::kText, QFont::Normal, true);
    failure_->setObjectName("memoryFailure");

    auto* panel = new QFrame;
    panel->setObjectName("memoryImages");
    panel->setProperty("panel", true);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(kGap, 8, 4, 8);
    column->setSpacing(6);
    column->addWidget(heading_);
    column->addWidget(parts_, 1);
    column->addWidget(failure_);
    column->addWidget(current_);
    return panel;
}

void MemoryDialog::showDialog() {
    show();
    raise();
    activateWindow();
    list_->setFocus();
    pictures_->retry();
}

void MemoryDialog::forgetPictures() {
    pictures_->forget();
}

void MemoryDialog::nameRun(const QString& name) {
    setWindowTitle(name.isEmpty() ? tr("Memory") : tr("Memory: %1").arg(name));
}

void MemoryDialog::showNothing(const QString& sentence) {
    nothing_->setText(sentence);
    pages_->setCurrentIndex(0);
}

void MemoryDialog::showMemory(const MemoryShown& memory) {
    const bool other = memory.run != shown_.run;
    shown_ = memory;
    pages_->setCurrentIndex(1);
    places_->setText(placesText(memory.balance, memory.capacity));
    moment_->setText(tr("after %1 · %2").arg(imagesText(memory.balance.samples_seen), memory.title));
    pictures_->setSource(memory.experiment, PictureDelegate::kSide, devicePixelRatioF());
    classes_->setMemory(memory.class_names, memory.balance);
    // Another run has other classes; and where all rows came anew, none is chosen.
    if (other || !list_->currentIndex().isValid()) list_->choose(PictureClassModel::kAll);
    showImages();
}

void MemoryDialog::showImages() {
    const QModelIndex row = classes_->indexOf(chosen());
    const QString text = row.data(Qt::AccessibleTextRole).toString();
    parts_->setCurrentWidget(shown_.images_known ? static_cast<QWidget*>(grid_) : unknown_);
    images_->setMemory(shown_.class_names, shown_.kept, chosen());
    const int seen = images_->rowCount();
    const bool all = !shown_.images_known || seen >= row.data(PictureClassModel::CountRole).toLongLong();
    heading_->setText(all ? text : tr("%1; here the first %2").arg(text, countText(seen)));
    describeCurrent();
    showFailure();
}

void MemoryDialog::showFailure() {
    const auto& failure = pictures_->failure();
    if (failure) failure_->setText(oneText(*failure));
    failure_->setVisible(failure && shown_.images_known);
}

void MemoryDialog::describeCurrent() {
    current_->setText(grid_->currentIndex().data(Qt::AccessibleTextRole).toString());
    current_->setVisible(shown_.images_known);
}

}  // namespace palimpsest
