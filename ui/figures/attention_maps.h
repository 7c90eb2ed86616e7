// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <memory>
#include <vector>

#include "engine/run/attention.h"
#include "ui/widgets/tip_widget.h"

namespace palimpsest {

/// Where a network looks in one image: the image, and a small map of heat for each block over the image's patches, a
/// row without prompts and one with them, all on one scale; below them bars of what the prompts get. A single row goes
/// on in further lines where that makes its maps larger. The arrow keys go from map to map.
class AttentionMaps : public TipWidget {
    Q_OBJECT
public:
    explicit AttentionMaps(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setAttention(std::shared_ptr<const ImageAttention> attention);
    const std::shared_ptr<const ImageAttention>& attention() const { return attention_; }

    int rows() const;
    int blocks() const;
    /// The map of a block, from 0; row 0 is without prompts, 1 with them.
    QRectF mapRect(int row, int block) const;
    QRectF barRect(int block) const;
    /// What stands in a map, in words.
    QString mapText(int row, int block) const;
    QString textAt(const QPoint& point) const override;
    int currentRow() const { return row_; }
    int currentBlock() const { return block_; }
    /// The largest share of any patch, the end of the scale.
    double largest() const { return largest_; }

    QSize sizeHint() const override { return {900, 320}; }
    QSize minimumSizeHint() const override { return {520, 220}; }

Q_SIGNALS:
    /// Another map is the current one, or what it shows has changed.
    void currentChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    const std::vector<BlockAttention>& blocksOf(int row) const;
    QString rowName(int row) const;
    /// Side of the large picture, left edge of the first map, side of a map, and of a map with its gap.
    int pictureSide() const;
    int left() const;
    int mapSide() const;
    int pitch() const;
    int pitchOf(int columns) const;
    /// Maps side by side: all blocks, or of a single row as many as make the maps largest, the others below them.
    int columns() const;
    int top(int row) const;
    void go(int row, int block);
    /// To the map in the line above or below.
    void goLine(int by);
    /// Row and block of the map there; -1: there is none.
    std::pair<int, int> mapAt(const QPointF& point) const;
    void paintScale(QPainter& painter) const;

    std::shared_ptr<const ImageAttention> attention_;
    QImage picture_;
    std::vector<std::vector<QImage>> heat_;  ///< a pixel a patch, by row and block
    double largest_ = 0;
    int row_ = 0, block_ = 0;
};

}  // namespace palimpsest
