// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/matrix_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/state/key_names.h"
#include "ui/style/colours.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kMostClassNameWidth = 110;
constexpr double kMostCell = 96, kWidest = 2.2;  // of a cell: pixels, and width to height

/// Whole pixels in which the widest of these stands uncut: of half a pixel too few a letter is lost.
int widthOf(const QStringList& names, const QFontMetricsF& metrics) {
    double widest = 0;
    for (const QString& name : names) widest = std::max(widest, metrics.horizontalAdvance(name));
    return static_cast<int>(std::ceil(widest)) + 1;
}

constexpr double kLined = 10;  // pixels; smaller cells touch

QFont captionFont(const QWidget& widget) {
    return textFont(widget.font(), text_size::kCaption);
}

}  // namespace

/// Places of the cells of a drawn matrix, and of the names beside and above them.
struct MatrixLayout {
    /// In a picture of this size; `caption`: the names are written in.
    MatrixLayout(const MatrixContent& content, const QSizeF& size, const QFont& caption);

    /// Pixels between what stands beside each other.
    static constexpr double kGap = 6;
    /// "is ↓", above the names of the rows.
    static QString rowTitle(const MatrixContent& content);

    QRectF cell(int row, int column) const;
    /// Row and column; both are those of a cell.
    std::optional<std::pair<int, int>> cellAt(const QPointF& point) const;

    int rows = 0, columns = 0;
    QRectF cells;
    double pitch_x = 1, pitch_y = 1;
    int name_width = 0;
    double right = 0;  ///< where there is no more room
};

/// Name of a row or a column that has room for it.
struct MatrixName {
    QRectF place;
    Qt::Alignment align;
    QString text;
};
/// Rows first, then columns.
std::vector<MatrixName> matrixNames(const MatrixContent& content, const MatrixLayout& layout, const QFont& caption);

MatrixLayout::MatrixLayout(const MatrixContent& content, const QSizeF& size, const QFont& caption)
    : rows(static_cast<int>(content.rows.size())), columns(static_cast<int>(content.columns.size())) {
    const QFontMetricsF metrics(caption);
    name_width = std::min(widthOf(content.rows, metrics), scaled(kMostClassNameWidth));
    // The title of the rows stands above their names, whole.
    name_width = std::max(name_width, widthOf({rowTitle(content)}, metrics));
    const double top = 2 * std::ceil(metrics.height()) + 2 * kGap, left = name_width + 2 * kGap;
    const double down = std::max(1, rows), across = std::max(1, columns);
    pitch_y = std::min(scaled(kMostCell) * 0.6, (size.height() - top - kGap) / down);
    pitch_x = std::min({scaled(kMostCell), (size.width() - left - kGap) / across, pitch_y * kWidest});
    right = size.width();
    cells = QRectF(left, top, pitch_x * across, pitch_y * down);
}

QString MatrixLayout::rowTitle(const MatrixContent& content) {
    return content.row_title + QStringLiteral(" ↓");
}

QRectF MatrixLayout::cell(int row, int column) const {
    return {cells.left() + column * pitch_x, cells.top() + row * pitch_y, pitch_x, pitch_y};
}

std::optional<std::pair<int, int>> MatrixLayout::cellAt(const QPointF& point) const {
    if (rows == 0 || columns == 0 || !cells.contains(point)) return std::nullopt;
    return std::pair(std::min(static_cast<int>((point.y() - cells.top()) / pitch_y), rows - 1),
                     std::min(static_cast<int>((point.x() - cells.left()) / pitch_x), columns - 1));
}

std::vector<MatrixName> matrixNames(const MatrixContent& content, const MatrixLayout& layout, const QFont& caption) {
    const QFontMetricsF metrics(caption);
    constexpr double kGap = MatrixLayout::kGap;
    const double high = std::ceil(metrics.height());
    std::vector<MatrixName> names;
    const int row_step = std::max(1, static_cast<int>(std::ceil(high / layout.pitch_y)));
    // A name is written whole beside the middle of its row, however low that is.
    const double name_high = std::max(high, layout.pitch_y);
    for (int row = 0; row < layout.rows; row += row_step)
        names.push_back({QRectF(kGap, layout.cells.top() + (row + 0.5) * layout.pitch_y - name_high / 2,
                                layout.name_width, name_high),
                         Qt::AlignRight, metrics.elidedText(content.rows[row], Qt::ElideRight, layout.name_width)});
    // Names of columns stand where they fit beside each other, else only so many of them.
    const double room = std::min(widthOf(content.columns, metrics), scaled(kMostClassNameWidth)) + kGap;
    const int column_step = std::max(1, static_cast<int>(std::ceil(room / layout.pitch_x - 0.01)));
    for (int column = 0; column < layout.columns; column += column_step) {
        const double left = layout.cells.left() + column * layout.pitch_x + (column_step == 1 ? 0 : 1);
        const double wide = layout.pitch_x * column_step - 2;
        const QString name = metrics.elidedText(content.columns[column], Qt::ElideRight, wide);
        // Beyond the last column there may be less.
        if (column > 0 && left + metrics.horizontalAdvance(name) > layout.right) continue;
        names.push_back(
            {QRectF(left, high + kGap, wide, high), column_step == 1 ? Qt::AlignHCenter : Qt::AlignLeft, name});
    }
    return names;
}

MatrixCanvas::MatrixCanvas(QWidget* parent) : TipWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&KeyNames::instance(), &KeyNames::changed, this, qOverload<>(&QWidget::update));
}

void MatrixCanvas::setContent(const MatrixContent& content) {
    if (content == content_) return;
    content_ = content;
    if (current_ && (current_->row >= content_.rows.size() || current_->column >= content_.columns.size()))
        current_.reset();
    Q_EMIT currentChanged();
    update();
}

QString MatrixCanvas::invitation() const {
    return KeyNames::instance().filled(invitation_);
}

void MatrixCanvas::setInvitation(const QString& text) {
    if (text == invitation_) return;
    invitation_ = text;
    update();
}

void MatrixCanvas::setMarkedRow(int row) {
    if (row == marked_row_) return;
    marked_row_ = row;
    update();
}

MatrixLayout MatrixCanvas::layoutFor(const QSize& size) const {
    return MatrixLayout(content_, size, captionFont(*this));
}

QRectF MatrixCanvas::cellRect(int row, int column) const {
    return layoutFor(size()).cell(row, column);
}

std::optional<MatrixCanvas::Cell> MatrixCanvas::cellAt(const QPointF& point) const {
    const auto cell = layoutFor(size()).cellAt(point);
    return cell ? std::optional(Cell{cell->first, cell->second}) : std::nullopt;
}

bool MatrixCanvas::canChoose(const Cell& cell) const {
    return !images_needed_ || content_.counts.empty() || content_.counts[content_.place(cell.row, cell.column)] > 0;
}

QString MatrixCanvas::textOf(const Cell& cell) const {
    const double share = content_.share(cell.row, cell.column);
    const QString value = std::isnan(share) ? tr("not measured") : percentText(share) + QStringLiteral(" %");
    // In one go: a class may be called "%2".
    const QString text = QStringLiteral("%1 %2, %3 %4: %5")
                             .arg(content_.row_title, content_.rows[cell.row], content_.column_title,
                                  content_.columns[cell.column], value);
    if (content_.counts.empty()) return text;
    if (!canChoose(cell)) return text + tr(", no image was classified so");
    const std::int64_t count = content_.counts[content_.place(cell.row, cell.column)];
    return text + (count == 1 ? tr(", 1 image") : tr(", %1 images").arg(countText(count)));
}

QString MatrixCanvas::textAt(const QPoint& point) const {
    const auto cell = cellAt(point);
    return cell ? textOf(*cell) : QString();
}

void MatrixCanvas::setCurrent(std::optional<Cell> cell) {
    if (cell == current_) return;
    current_ = cell;
    setAccessibleDescription(cell ? textOf(*cell) : QString());
    Q_EMIT currentChanged();
    update();
}

bool MatrixCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Left and Right walk here if the user came by keyboard; after a click they steer the run, and walk with
        // Shift.
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool sideways = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right;
        const Qt::KeyboardModifiers held = key->modifiers() & ~Qt::KeypadModifier;
        if (sideways && (held == Qt::ShiftModifier || (held == Qt::NoModifier && tabbed_))) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) update();
    return TipWidget::event(event);
}

void MatrixCanvas::focusInEvent(QFocusEvent* event) {
    const bool by_window = event->reason() == Qt::ActiveWindowFocusReason || event->reason() == Qt::PopupFocusReason;
    if (!by_window) tabbed_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    TipWidget::focusInEvent(event);
}

void MatrixCanvas::keyPressEvent(QKeyEvent* event) {
    const int rows = static_cast<int>(content_.rows.size()), columns = static_cast<int>(content_.columns.size());
    const auto walk = [&](int down, int right) {
        Cell cell = current_.value_or(Cell{-down > 0 ? rows : 0, 0});
        if (current_) cell = {cell.row + down, cell.column + right};
        setCurrent(Cell{std::clamp(cell.row, 0, rows - 1), std::clamp(cell.column, 0, columns - 1)});
    };
    if (content_.empty() || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return TipWidget::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_Up:
            return walk(-1, 0);
        case Qt::Key_Down:
            return walk(1, 0);
        case Qt::Key_Left:
            return walk(0, -1);
        case Qt::Key_Right:
            return walk(0, 1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (current_ && canChoose(*current_)) Q_EMIT chosen(current_->row, current_->column);
            return;
        case Qt::Key_Escape:
            if (current_) return setCurrent(std::nullopt);
            break;
        default:
            break;
    }
    TipWidget::keyPressEvent(event);
}

void MatrixCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    tabbed_ = false;  // also where it had the focus before
    const auto cell = cellAt(event->position());
    if (event->button() != Qt::LeftButton || !cell) return;
    setCurrent(cell);
    if (canChoose(*cell)) Q_EMIT chosen(cell->row, cell->column);
}

void MatrixCanvas::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    setCurrent(cell);
    if (cell && canChoose(*cell))
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
}

void MatrixCanvas::focusOutEvent(QFocusEvent* event) {
    TipWidget::focusOutEvent(event);
    update();
}

void MatrixCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(this);
    draw(painter, size(), theme);
    if (current_ && !content_.empty()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        // A cell that can only be read invites nobody to press it.
        painter.setPen(canChoose(*current_) ? QPen(theme.text, 2 * theme.weight) : QPen(theme.quiet, theme.weight));
        painter.drawRect(cellRect(current_->row, current_->column));
    }
    if (hasFocus()) paintFocusRing(painter, rect(), theme);
}

void MatrixCanvas::draw(QPainter& painter, const QSize& size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.panel);
    if (content_.empty()) {
        drawEmptyState(painter, QRectF(QPointF(), size), font(), theme, invitation_);
        return;
    }
    const MatrixLayout layout = layoutFor(size);
    drawCells(painter, layout, theme);
    drawNames(painter, layout, theme);
    if (marked_row_ >= 0 && marked_row_ < content_.rows.size()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2 * theme.weight));
        painter.drawRect(QRectF(layout.cells.left() - 1, layout.cells.top() + marked_row_ * layout.pitch_y - 1,
                                layout.cells.width() + 2, layout.pitch_y + 2));
    }
}

void MatrixCanvas::drawCells(QPainter& painter, const MatrixLayout& layout, const Theme& theme) const {
    const QFont numbers = textFont(font(), text_size::kText);
    const QFontMetrics metrics(numbers);
    const bool written = metrics.horizontalAdvance("100") + 6 < layout.pitch_x && metrics.height() < layout.pitch_y;
    const double line = layout.pitch_x >= kLined && layout.pitch_y >= kLined ? 1 : 0;
    painter.setFont(numbers);
    // No more cells are drawn than there are pixels, even of a thousand classes.
    const int row_step = std::max(1, static_cast<int>(1 / layout.pitch_y));
    const int column_step = std::max(1, static_cast<int>(1 / layout.pitch_x));
    for (int row = 0; row < content_.rows.size(); row += row_step) {
        for (int column = 0; column < content_.columns.size(); column += column_step) {
            const double share = content_.share(row, column);
            const QRectF cell(layout.cells.left() + column * layout.pitch_x, layout.cells.top() + row * layout.pitch_y,
                              std::max(1.0, layout.pitch_x - line), std::max(1.0, layout.pitch_y - line));
            const bool known = !std::isnan(share);
            painter.fillRect(cell, known ? QColor(heatColour(share)) : theme.raised);
            if (!written || !known) continue;
            painter.setPen(textOnHeat(share));
            painter.drawText(cell, Qt::AlignCenter, QString::number(std::lround(share * 100)));
        }
    }
}

QStringList MatrixCanvas::namesWritten() const {
    QStringList texts;
    for (const MatrixName& name : matrixNames(content_, layoutFor(size()), captionFont(*this))) texts.append(name.text);
    return texts;
}

void MatrixCanvas::drawNames(QPainter& painter, const MatrixLayout& layout, const Theme& theme) const {
    const QFont font = captionFont(*this);
    painter.setFont(font);
    painter.setPen(theme.quiet);
    const double high = std::ceil(QFontMetricsF(font).height());
    painter.drawText(QRectF(layout.cells.left(), 0, std::max(layout.cells.width(), 220.0), high),
                     Qt::AlignLeft | Qt::AlignVCenter, content_.column_title + QStringLiteral(" →"));
    painter.drawText(QRectF(0, high + MatrixLayout::kGap, layout.cells.left() - MatrixLayout::kGap, high),
                     Qt::AlignRight | Qt::AlignVCenter, MatrixLayout::rowTitle(content_));
    for (const MatrixName& name : matrixNames(content_, layout, font))
        painter.drawText(name.place, static_cast<int>(name.align | Qt::AlignVCenter), name.text);
}

}  // namespace palimpsest
