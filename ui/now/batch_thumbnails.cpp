// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/batch_thumbnails.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/text_style.h"
#include "ui/widgets/picture_loader.h"

namespace palimpsest {
namespace {

constexpr int kEmptyPlaces = 32;
constexpr int kMostRows = 4;
constexpr double kSmallest = 25;
constexpr int kUsualWidth = 236;
constexpr double kLargestShare = 42.0 / kUsualWidth;  // of the width
constexpr double kThumbnailGap = 3;
constexpr double kUnderline = 2.5;

}  // namespace

BatchThumbnails::BatchThumbnails(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("batchThumbnails"));
    setAccessibleName(tr("Images being learned"));
    setToolTip(tr("The batch being learned. Orange: disjoint class. Sky blue: blurry class."));
    fixHeightByWidth();
    clear();
}

void BatchThumbnails::setClasses(const QStringList& names, std::vector<ClassKind> kinds) {
    names_ = names;
    kinds_ = std::move(kinds);
    update();
}

void BatchThumbnails::setImages(const std::vector<Thumbnail>& images) {
    if (cells_.empty()) places_ = 0;
    cells_.clear();
    for (const Thumbnail& thumbnail : images) {
        if (QImage image = thumbnailImage(thumbnail); !image.isNull())
            cells_.push_back({std::move(image), thumbnail.label, {}});
    }
    const int count = static_cast<int>(cells_.size());
    if (count > places_) {
        places_ = count;
        updateGeometry();
    }
    setAccessibleDescription(tr("%1 images").arg(count));
    update();
}

void BatchThumbnails::clear() {
    cells_.clear();
    places_ = kEmptyPlaces;
    setAccessibleDescription(tr("No image yet"));
    updateGeometry();
    update();
}

void BatchThumbnails::setMostHeight(double height) {
    if (height == most_height_) return;
    most_height_ = height;
    updateGeometry();
    update();
}

BatchThumbnails::Grid BatchThumbnails::grid(int width) const {
    Grid g;
    const int fewest = std::max(1, static_cast<int>((width + kThumbnailGap) / (kLargestShare * width + kThumbnailGap)));
    const int most = std::max(fewest, static_cast<int>((width + kThumbnailGap) / (kSmallest + kThumbnailGap)));
    g.columns = std::clamp((places_ + kMostRows - 1) / kMostRows, fewest, most);
    // More columns make smaller images, until they leave room for what stands below them.
    for (;; ++g.columns) {
        g.rows = std::clamp((places_ + g.columns - 1) / g.columns, 1, kMostRows);
        g.size = (width - kThumbnailGap * (g.columns - 1)) / g.columns;
        if (g.columns >= most || g.rows * (g.size + kThumbnailGap + kUnderline + 1) <= most_height_) return g;
    }
}

/// Whole rows alone.
BatchThumbnails::Grid BatchThumbnails::shownGrid() const {
    Grid g = grid(width());
    g.rows =
        std::clamp(static_cast<int>((height() + kThumbnailGap) / (g.size + kThumbnailGap + kUnderline + 1)), 1, g.rows);
    return g;
}

QRectF BatchThumbnails::cellRect(const Grid& g, int index) const {
    const double pitch = g.size + kThumbnailGap;
    return {index % g.columns * pitch, index / g.columns * (pitch + kUnderline + 1), g.size, g.size};
}

int BatchThumbnails::heightForWidth(int width) const {
    const Grid g = grid(width);
    return static_cast<int>(std::ceil(g.rows * (g.size + kThumbnailGap + kUnderline + 1) - kThumbnailGap + 1));
}

QSize BatchThumbnails::sizeHint() const {
    return {kUsualWidth, heightForWidth(kUsualWidth)};
}

int BatchThumbnails::shownCount() const {
    const Grid g = shownGrid();
    const int room = g.rows * g.columns, count = static_cast<int>(cells_.size());
    return count <= room ? count : room - 1;
}

ClassKind BatchThumbnails::kindOf(int label) const {
    return label >= 0 && static_cast<std::size_t>(label) < kinds_.size() ? kinds_[static_cast<std::size_t>(label)]
                                                                         : ClassKind::Unknown;
}

QString BatchThumbnails::textAt(const QPoint& point) const {
    const Grid g = shownGrid();
    for (int i = 0; i < shownCount(); ++i) {
        if (!cellRect(g, i).adjusted(0, 0, 0, kUnderline + 1).contains(point)) continue;
        const int label = cells_[static_cast<std::size_t>(i)].label;
        const QString name = label < names_.size() ? names_[label] : tr("class %1").arg(label);
        const ClassKind kind = kindOf(label);
        return kind == ClassKind::Unknown ? name : tr("%1, %2 class").arg(name, QString::fromLatin1(kindText(kind)));
    }
    return {};
}

void BatchThumbnails::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Grid g = shownGrid();
    painter.setPen(Qt::NoPen);
    const int shown = shownCount(), room = g.rows * g.columns;
    painter.setOpacity(0.7);
    for (int i = static_cast<int>(cells_.size()); i < std::min(places_, room); ++i) {
        painter.setBrush(theme.raised);
        painter.drawRoundedRect(cellRect(g, i), kThumbnailCorner, kThumbnailCorner);
        painter.setBrush(theme.line);
        painter.drawRect(QRectF(cellRect(g, i).bottomLeft() + QPointF(0, 1), QSizeF(g.size, kUnderline)));
    }
    painter.setOpacity(1);
    const double ratio = devicePixelRatioF();
    const int side = static_cast<int>(std::lround(g.size * ratio));
    for (int i = 0; i < shown; ++i) {
        Cell& cell = cells_[static_cast<std::size_t>(i)];
        const QRectF rect = cellRect(g, i);
        if (cell.shown.width() != side || cell.shown.devicePixelRatio() != ratio)
            cell.shown = roundedImage(cell.image, side, ratio);
        painter.drawImage(QPointF((rect.topLeft() * ratio).toPoint()) / ratio, cell.shown);
        painter.setBrush(kindColour(theme, kindOf(cell.label)));
        painter.drawRect(QRectF(rect.bottomLeft() + QPointF(0, 1), QSizeF(rect.width(), kUnderline)));
    }
    if (static_cast<int>(cells_.size()) > shown) {
        painter.setPen(theme.quiet);
        painter.setFont(textFont(font(), text_size::kCaption));
        painter.drawText(cellRect(g, shown), Qt::AlignCenter,
                         QStringLiteral("+%1").arg(cells_.size() - static_cast<std::size_t>(shown)));
    }
}

}  // namespace palimpsest
