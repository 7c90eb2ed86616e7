// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/choice_box.h"

#include <QPainter>
#include <QStandardItemModel>
#include <QStyleOptionComboBox>
#include <QStylePainter>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kHeadingHeight = 24, kIndent = 24, kRowPad = 6, kTick = 8;

QFont headingFont(const QFont& base) {
    return textFont(base, text_size::kCaption);
}

}  // namespace

void ChoiceBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    if (currentIndex() < 0 && !placeholderText().isEmpty()) {
        option.palette.setBrush(QPalette::ButtonText, option.palette.placeholderText());
        option.currentText = placeholderText();
    }
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width());
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

FamilyListDelegate::FamilyListDelegate(QComboBox* box) : QStyledItemDelegate(box), box_(box) {}

void FamilyListDelegate::addFamily(QComboBox* box, const QString& family) {
    box->addItem(family);
    auto* items = qobject_cast<QStandardItemModel*>(box->model());
    if (items) items->item(box->count() - 1)->setFlags(Qt::NoItemFlags);
}

bool FamilyListDelegate::isFamily(const QModelIndex& index) {
    return !(index.flags() & Qt::ItemIsSelectable);
}

QSize FamilyListDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize usual = QStyledItemDelegate::sizeHint(option, index);
    if (!isFamily(index)) return usual + QSize(scaled(kIndent), 0);
    const int wide = QFontMetrics(headingFont(option.font)).horizontalAdvance(index.data().toString());
    return {wide + 2 * scaled(kRowPad), scaled(kHeadingHeight)};
}

void FamilyListDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    const QString text = index.data().toString();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QRectF line(option.rect);
    if (isFamily(index)) {
        line.adjust(scaled(kRowPad), 0, -scaled(kRowPad), -scaled(3));
        painter->setFont(headingFont(option.font));
        painter->setPen(theme.quiet);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignBottom, text);
    } else {
        // The style draws the ground, as in any other list.
        QStyleOptionViewItem ground = option;
        initStyleOption(&ground, index);
        ground.text.clear();
        const QStyle* style = option.widget->style();
        style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
        const bool in_force = index.row() == box_->currentIndex();
        if (in_force) {
            const double side = scaled(kTick), left = line.left() + (scaled(kIndent) - side) / 2;
            const double middle = line.center().y();
            painter->setPen(QPen(theme.accent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter->drawPolyline(QPolygonF{
                {left, middle}, {left + 0.38 * side, middle + 0.36 * side}, {left + side, middle - 0.4 * side}});
        }
        line.adjust(scaled(kIndent), 0, -scaled(kRowPad), 0);
        painter->setFont(ground.font);
        painter->setPen(theme.text);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(ground.font).elidedText(text, Qt::ElideRight, static_cast<int>(line.width())));
    }
    painter->restore();
}

}  // namespace palimpsest
