// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/picture_delegate.h"

#include <QPainter>

#include "ui/widgets/picture_grid_model.h"
#include "ui/widgets/picture_loader.h"
#include "ui/widgets/thumbnail_image.h"

namespace palimpsest {
namespace {

constexpr int kUnderline = 3;

}  // namespace

PictureDelegate::PictureDelegate(PictureLoader* pictures, QObject* parent)
    : QStyledItemDelegate(parent), pictures_(pictures) {}

QSize PictureDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return kCell;
}

void PictureDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    painter->save();
    const QRect place(option.rect.left() + (option.rect.width() - kSide) / 2, option.rect.top() + 3, kSide, kSide);
    const QImage* picture = pictures_->picture(
        {index.data(PictureGridModel::SampleRole).toLongLong(), index.data(PictureGridModel::LabelRole).toInt()});
    if (picture && !picture->isNull()) {
        painter->drawImage(place.topLeft(), *picture);
    } else {
        painter->setRenderHint(QPainter::Antialiasing);
        // On its way: a ground. Nothing to come: its outline alone.
        painter->setPen(picture ? QPen(theme.line, 1) : QPen(Qt::NoPen));
        painter->setBrush(picture ? QBrush(Qt::NoBrush) : QBrush(theme.raised));
        painter->drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), kThumbnailCorner, kThumbnailCorner);
    }
    painter->fillRect(place.left(), place.bottom() + 2, kSide, kUnderline,
                      barColour(theme, static_cast<ClassKind>(index.data(PictureGridModel::KindRole).toInt())));
    // Tab comes to the first image without choosing it.
    const bool current = option.state & (QStyle::State_Selected | QStyle::State_HasFocus);
    if (current || option.state & QStyle::State_MouseOver) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(current ? theme.accent : theme.quiet, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(place).adjusted(-1, -1, 1, 1), kThumbnailCorner, kThumbnailCorner);
    }
    painter->restore();
}

}  // namespace palimpsest
