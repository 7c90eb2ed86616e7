// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QWidget>
#include <optional>

#include "ui/plots/grid_content.h"
#include "ui/widgets/tip_widget.h"

namespace palimpsest {

struct MatrixLayout;
struct Theme;

/// Draws a matrix as coloured cells with their numbers where there is room. The arrow keys walk from cell to cell,
/// Return or a click chooses one that can be chosen.
class MatrixCanvas : public TipWidget {
    Q_OBJECT
public:
    explicit MatrixCanvas(QWidget* parent = nullptr);

    void setContent(const MatrixContent& content);
    const MatrixContent& content() const { return content_; }
    /// Says in its middle why there is nothing; "|F5|" is drawn as a key.
    void setInvitation(const QString& text);
    /// With the keys that its commands have now.
    QString invitation() const;
    /// A row that the shared cursor points at; -1: none.
    void setMarkedRow(int row);
    int markedRow() const { return marked_row_; }
    /// Only cells with images behind them can be chosen; the others say that they have none.
    void setImagesNeeded(bool needed) { images_needed_ = needed; }

    struct Cell {
        int row = 0, column = 0;
        bool operator==(const Cell&) const = default;
    };
    std::optional<Cell> current() const { return current_; }
    bool canChoose(const Cell& cell) const;
    QRectF cellRect(int row, int column) const;
    /// "Trouser answered as Dress: 4.2 %, 42 images"
    QString textOf(const Cell& cell) const;
    QString textAt(const QPoint& point) const override;
    /// Names of rows, then of columns, as they are written: those that have room.
    QStringList namesWritten() const;
    /// As it stands, in these colours and this size.
    void draw(QPainter& painter, const QSize& size, const Theme& theme) const;

    QSize sizeHint() const override { return {400, 360}; }
    QSize minimumSizeHint() const override { return {180, 120}; }

Q_SIGNALS:
    void chosen(int row, int column);
    void currentChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override { setCurrent(std::nullopt); }
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    MatrixLayout layoutFor(const QSize& size) const;
    std::optional<Cell> cellAt(const QPointF& point) const;
    void drawCells(QPainter& painter, const MatrixLayout& layout, const Theme& theme) const;
    void drawNames(QPainter& painter, const MatrixLayout& layout, const Theme& theme) const;
    void setCurrent(std::optional<Cell> cell);

    MatrixContent content_;
    QString invitation_;
    std::optional<Cell> current_;
    int marked_row_ = -1;
    bool images_needed_ = false;
    bool tabbed_ = false;  ///< the user came by keyboard
};

}  // namespace palimpsest
