// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPixmap>
#include <functional>
#include <memory>
#include <vector>

#include "ui/class_kinds.h"
#include "ui/stream_planner.h"

class QPainter;

namespace palimpsest {

/// The cells of the stream's picture: classes down, sessions across, disjoint in orange, blurry in sky blue, the
/// stronger the more images. Many cells are painted once for each stream, size, theme and device pixel ratio; cells of
/// few pixels become plain pixels, each of the strongest cell it covers.
class StreamPicture {
public:
    /// Where a cell lies in the widget, by class and session; even steps both ways.
    using CellRect = std::function<QRectF(int label, int session)>;

    void setStream(std::shared_ptr<const PlannedStream> stream);
    /// `size`: the widget's. The same size must come with the same places of cells.
    void paint(QPainter& painter, const Theme& theme, QSize size, const CellRect& cellRect);
    /// What was painted last; null while there are so few cells that they are painted straight away.
    const QPixmap& pixmap() const { return pixmap_; }

private:
    int classes() const { return stream_ ? static_cast<int>(stream_->counts.size()) : 0; }
    int sessions() const { return stream_ ? static_cast<int>(stream_->plan.sessions.size()) : 0; }
    QColor hue(const Theme& theme, int label) const;
    void paintCells(QPainter& painter, const Theme& theme, const CellRect& cellRect) const;
    QImage plainPixels(const Theme& theme, QSize pixels, double ratio, const CellRect& cellRect) const;

    std::shared_ptr<const PlannedStream> stream_;
    std::vector<ClassKind> kinds_;    ///< by class
    std::vector<std::int64_t> most_;  ///< images of the fullest cell, by class
    QPixmap pixmap_;
    QSize size_;
    const Theme* theme_ = nullptr;
};

}  // namespace palimpsest
