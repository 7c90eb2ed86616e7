// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/palette_delegate.h"

#include <QPainter>

#include "ui/commands/palette_model.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/row_background.h"

namespace palimpsest {
namespace {

constexpr int kRowHeight = 30;
constexpr int kPad = 12;
constexpr int kKeyPad = 7;

/// The keys at the right end of `line`; returns what is left of it.
QRectF drawKeys(QPainter& painter, const QRectF& line, const QString& keys, const QFont& font, const Theme& theme) {
    if (keys.isEmpty()) return line;
    painter.setFont(textFont(font, text_size::kCaption, QFont::Medium));
    const double width = painter.fontMetrics().horizontalAdvance(keys) + 2 * kKeyPad;
    const double height = painter.fontMetrics().height() + 4;
    const QRectF cap(line.right() - width, line.center().y() - height / 2, width, height);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(theme.quiet);
    painter.drawText(cap, Qt::AlignCenter, keys);
    return line.adjusted(0, 0, -width - 10, 0);
}

QRectF drawGroup(QPainter& painter, const QRectF& line, const QString& group, const QFont& font, const Theme& theme) {
    painter.setFont(textFont(font, text_size::kCaption));
    painter.setPen(theme.quiet);
    const double width = painter.fontMetrics().horizontalAdvance(group);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, group);
    return line.adjusted(0, 0, -width - 12, 0);
}

/// Letter by letter where some were found, so that those stand out.
void drawTitle(QPainter& painter, const QRectF& line, const QString& title, const QList<int>& places, const QFont& font,
               const QColor& text, const QColor& found) {
    const QFont plain = textFont(font, text_size::kText), bold = textFont(font, text_size::kText, QFont::DemiBold);
    painter.save();
    painter.setClipRect(line);
    double x = line.left();
    for (qsizetype i = 0; i < title.size();) {
        const bool marked = places.contains(static_cast<int>(i));
        qsizetype end = i + 1;
        while (end < title.size() && places.contains(static_cast<int>(end)) == marked) ++end;
        const QString part = title.mid(i, end - i);
        painter.setFont(marked ? bold : plain);
        painter.setPen(marked ? found : text);
        painter.drawText(QRectF(x, line.top(), line.width(), line.height()), Qt::AlignLeft | Qt::AlignVCenter, part);
        x += QFontMetricsF(painter.font()).horizontalAdvance(part);
        i = end;
    }
    painter.restore();
}

}  // namespace

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintRowGround(*painter, QRectF(option.rect).adjusted(4, 1, -4, -1), option);
    QRectF line = QRectF(option.rect).adjusted(kPad, 0, -kPad, 0);
    line = drawKeys(*painter, line, index.data(PaletteModel::KeysRole).toString(), option.font, theme);
    line = drawGroup(*painter, line, index.data(PaletteModel::GroupRole).toString(), option.font, theme);
    const double side = scaled(16.0);
    const QRectF sign(line.left(), line.center().y() - side / 2, side, side);
    line.setLeft(sign.right() + kPad);
    const bool refused = !index.data(PaletteModel::RefusalRole).toString().isEmpty();
    index.data(Qt::DecorationRole)
        .value<QIcon>()
        .paint(painter, sign.toRect(), Qt::AlignCenter, refused ? QIcon::Disabled : QIcon::Normal);
    drawTitle(*painter, line, index.data().toString(), index.data(PaletteModel::PlacesRole).value<QList<int>>(),
              option.font, refused ? theme.quiet : theme.text, refused ? theme.quiet : theme.accent);
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {scaled(200), scaled(kRowHeight)};
}

}  // namespace palimpsest
