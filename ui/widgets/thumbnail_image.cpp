// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/thumbnail_image.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace palimpsest {

QImage thumbnailImage(const Thumbnail& thumbnail) {
    const auto side = static_cast<std::size_t>(std::max(thumbnail.size, 0));
    if (side == 0 || thumbnail.rgb.size() != side * side * 3) return {};
    // The conversion detaches from the event's memory.
    const QImage view(thumbnail.rgb.data(), thumbnail.size, thumbnail.size, thumbnail.size * 3, QImage::Format_RGB888);
    return view.convertToFormat(QImage::Format_RGB32);
}

QImage roundedImage(const QImage& image, int side, double ratio) {
    QImage result = image.scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                        .convertToFormat(QImage::Format_ARGB32_Premultiplied);
    QPainterPath corners;
    corners.addRect(result.rect());
    corners.addRoundedRect(result.rect(), kThumbnailCorner * ratio, kThumbnailCorner * ratio);
    QPainter painter(&result);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setCompositionMode(QPainter::CompositionMode_Clear);
    painter.fillPath(corners, Qt::black);  // odd-even: what lies outside the rounded square
    painter.end();
    result.setDevicePixelRatio(ratio);
    return result;
}

}  // namespace palimpsest
