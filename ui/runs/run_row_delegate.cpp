// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_row_delegate.h"

#include <QMouseEvent>
#include <QPainter>

#include "ui/runs/run_table_model.h"
#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kPad = 6;
constexpr int kIndent = 14;          // of a run below its heading
constexpr int kLeastBesideTag = 40;  // of a name
constexpr int kColumnGap = 12;       // between the right-aligned numbers and the words after them

QColor textColour(const Theme& theme, const QModelIndex& index) {
    if (index.column() == RunTableModel::When) {
        const QString state = index.data(RunTableModel::StateRole).toString();
        return state == QLatin1String("failed") || state == QLatin1String("crashed")   ? theme.worse
               : state == QLatin1String("running") || state == QLatin1String("paused") ? theme.accent
                                                                                       : theme.quiet;
    }
    if (const int better = index.data(RunTableModel::BetterRole).toInt())
        return better > 0 ? theme.better : theme.worse;
    return index.data(RunTableModel::SoFarRole).toBool() ? theme.quiet : theme.text;
}

/// A triangle that points down where the runs of a heading are listed.
void drawTriangle(QPainter& painter, const QRectF& box, bool open, const QColor& colour) {
    const QPointF c = box.center();
    constexpr double r = 3.5;
    const QPolygonF shape =
        open ? QPolygonF({{c.x() - r, c.y() - r / 2}, {c.x() + r, c.y() - r / 2}, {c.x(), c.y() + r}})
             : QPolygonF({{c.x() - r / 2, c.y() - r}, {c.x() + r, c.y()}, {c.x() - r / 2, c.y() + r}});
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(shape);
}

/// Draws it at the right end of the name; returns its width in pixels, 0 where the name would not be readable beside
/// it.
int drawBaselineTag(QPainter& painter, const QRect& place, const QStyleOptionViewItem& option,
                    const QModelIndex& index) {
    const int role = index.data(RunTableModel::BaselineRole).toInt();
    if (role == 0) return 0;
    const QString tag = role == 1 ? RunTableModel::tr("baseline") : RunTableModel::tr("in baseline");
    const QFont font = textFont(option.font, text_size::kCaption);
    const int wide = QFontMetrics(font).horizontalAdvance(tag);
    if (place.width() < wide + scaled(kLeastBesideTag)) return 0;
    const Theme& theme = Theme::of(option.widget);
    painter.save();
    painter.setFont(font);
    painter.setPen(role == 1 ? theme.accent : theme.quiet);
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, tag);
    painter.restore();
    return wide + kPad;
}

}  // namespace

void RunRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    const bool selected = index.data(RunTableModel::SelectedRole).toBool();
    const bool visible = index.data(RunTableModel::VisibleRole).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (selected || option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
        QColor ground = selected ? theme.accent : theme.quiet;
        const bool marked = option.state & QStyle::State_Selected;
        ground.setAlphaF(selected ? (marked ? 0.22F : 0.15F) : (marked ? 0.16F : 0.07F));
        painter->fillRect(option.rect, ground);
    }
    if (index.column() == RunTableModel::Shown) {
        const QColor colour = runColour(theme, index.data(RunTableModel::HueRole).toInt(),
                                        index.data(RunTableModel::ColourRole).value<QColor>());
        const MarkerShape shape =
            selected || !visible ? MarkerShape::Circle : markerOf(index.data(RunTableModel::StyleRole).toInt());
        const QPointF centre = QRectF(option.rect).center();
        const double radius = selected ? 5 : 4.5;
        const bool partly = index.data(RunTableModel::PartlyRole).toBool();
        drawMarker(*painter, shape, centre, radius, QPen(colour, 1.5),
                   visible && !partly ? QBrush(colour) : QBrush(Qt::NoBrush));
        if (partly) {
            painter->save();
            painter->setClipRect(QRectF(centre.x() - 2 * radius, centre.y() - 2 * radius, 2 * radius, 4 * radius));
            drawMarker(*painter, shape, centre, radius, QPen(colour, 1.5), QBrush(colour));
            painter->restore();
        }
    } else {
        const bool heading = index.data(RunTableModel::FamilyRole).toInt() > 0;
        const bool name = index.column() == RunTableModel::Name;
        const bool bold = (selected || heading) && name;
        painter->setFont(textFont(option.font, text_size::kText, bold ? QFont::DemiBold : QFont::Normal));
        painter->setPen(textColour(theme, index));
        const bool afterNumbers = index.column() == RunTableModel::When || index.column() == RunTableModel::Tags ||
                                  index.column() == RunTableModel::Note;
        const bool indented = name && (heading || index.data(RunTableModel::BelowRole).toBool());
        QRect words = option.rect.adjusted(kPad + (afterNumbers ? kColumnGap : 0) + (indented ? scaled(kIndent) : 0), 0,
                                           -kPad, 0);
        if (heading && name) {
            painter->save();
            drawTriangle(
                *painter,
                QRectF(option.rect.left() + kPad, option.rect.top(), scaled(kIndent) - 4, option.rect.height()),
                index.data(RunTableModel::OpenRole).toBool(), theme.quiet);
            painter->restore();
        }
        if (name) words.setRight(words.right() - drawBaselineTag(*painter, words, option, index));
        if (!index.data(RunTableModel::DoubtRole).toString().isEmpty()) {
            painter->save();
            painter->setPen(theme.attention);
            painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("▲"));
            painter->restore();
        }
        const auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
        painter->drawText(words, static_cast<int>(alignment),
                          painter->fontMetrics().elidedText(index.data().toString(),
                                                            name ? Qt::ElideMiddle : Qt::ElideRight, words.width()));
    }
    if (option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange)
        paintFocusRing(*painter, QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), theme, 3);
    painter->restore();
}

void RunRowDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    constexpr const char* kFilled = "filled";
    if (editor->property(kFilled).toBool()) return;
    editor->setProperty(kFilled, true);
    QStyledItemDelegate::setEditorData(editor, index);
}

bool RunRowDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) {
    if (index.column() != RunTableModel::Shown) return QStyledItemDelegate::editorEvent(event, model, option, index);
    // The whole cell is the tick box. With a key it chooses among rows and ticks none.
    if (event->type() == QEvent::MouseButtonRelease && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton &&
        !(static_cast<QMouseEvent*>(event)->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier))) {
        const bool shown = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        return model->setData(index, shown ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    }
    return event->type() == QEvent::MouseButtonDblClick;
}

}  // namespace palimpsest
