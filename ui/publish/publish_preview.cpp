// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/publish/publish_preview.h"

#include <QPainter>

#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kMargin = 14;

}  // namespace

PublishPreview::PublishPreview(QWidget* parent) : QWidget(parent) {
    setObjectName("publishPreview");
    setAccessibleName(tr("Preview of the figure"));
    setToolTip(tr("The figure as it will stand in the file"));
    setMinimumSize(320, 240);
}

void PublishPreview::setPicture(const QImage& picture) {
    picture_ = picture;
    update();
}

QSize PublishPreview::sizeHint() const {
    return {560, 420};
}

void PublishPreview::paintEvent(QPaintEvent*) {
    if (picture_.isNull()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const QRectF room = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const QSizeF size = QSizeF(picture_.size()).scaled(room.size(), Qt::KeepAspectRatio);
    const QRectF place(room.center() - QPointF(size.width(), size.height()) / 2, size);
    const QRectF paper = place.adjusted(-8, -8, 8, 8);
    painter.setPen(Theme::of(this).line);
    painter.setBrush(Qt::white);
    painter.drawRect(paper);
    painter.drawImage(place, picture_);
}

}  // namespace palimpsest
