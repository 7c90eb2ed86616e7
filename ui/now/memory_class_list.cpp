// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/memory_class_list.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/style/text_style.h"
#include "ui/widgets/picture_grid.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kTextHeight = 18;
constexpr int kBarHeight = 4;
constexpr int kClassPad = 8, kAbove = 4, kBelow = 6;
constexpr double kLeastClassBar = 2;

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

}  // namespace palimpsest
