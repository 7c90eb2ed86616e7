// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/dataset_list_model.h"

#include <QPainter>
#include <cmath>

#include "ui/datasets/dataset_library.h"
#include "ui/datasets/dataset_text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kPad = 10;
constexpr int kHeight = 68;
constexpr int kTitleHeight = 18, kLineHeight = 17, kFactsHeight = 14;
constexpr int kBadgePad = 7, kSign = 12;
constexpr double kBarHeight = 2;

/// Draws the badge at the right end of `line` and returns what is left of it.
QRectF drawBadge(QPainter& painter, const QRectF& line, const QStyleOptionViewItem& option, const QModelIndex& index,
                 const Theme& theme) {
    const bool present = index.data(DatasetListModel::PresentRole).toBool();
    const bool fetching = index.data(DatasetListModel::ShareRole).isValid();
    const QString text = index.data(DatasetListModel::BadgeRole).toString();
    const int sign = present && !fetching ? scaled(kSign) : 0;
    painter.setFont(textFont(option.font, text_size::kCaption, QFont::Medium));
    const double width = painter.fontMetrics().horizontalAdvance(text) + sign + 2 * kBadgePad;
    const QRectF pill(line.right() - width, line.top() + 0.5, width, line.height() - 2);
    painter.setPen(QPen(fetching ? theme.accent : theme.line, 1));
    painter.setBrush(present && !fetching ? QBrush(theme.raised) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    painter.setPen(fetching ? theme.accent : (present ? theme.text : theme.quiet));
    painter.drawText(pill.adjusted(sign, 0, 0, 0), Qt::AlignCenter, text);
    if (sign > 0)
        icon("check").paint(&painter, static_cast<int>(pill.left()) + kBadgePad - 3,
                            static_cast<int>(std::lround(pill.center().y() - sign / 2.0)), sign, sign);
    return line.adjusted(0, 0, -width - 8, 0);
}

}  // namespace

DatasetListModel::DatasetListModel(DatasetLibrary* library, QObject* parent)
    : QAbstractListModel(parent), library_(library) {
    connect(library_, &DatasetLibrary::cardsChanged, this, &DatasetListModel::readAgain);
    connect(library_, &DatasetLibrary::fetchMoved, this, &DatasetListModel::touch);
    connect(library_, &DatasetLibrary::fetchEnded, this, &DatasetListModel::touch);
    readAgain();
}

void DatasetListModel::readAgain() {
    QStringList names;
    for (const DatasetCard& card : library_->cards()) names.append(QString::fromStdString(card.name));
    names.removeDuplicates();
    if (names == names_) {
        if (!names_.isEmpty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(names_.size()) - 1));
        return;
    }
    beginResetModel();
    names_ = names;
    endResetModel();
}

void DatasetListModel::touch(const QString& name) {
    if (const QModelIndex row = indexOf(name); row.isValid()) Q_EMIT dataChanged(row, row);
}

int DatasetListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(names_.size());
}

QModelIndex DatasetListModel::indexOf(const QString& name) const {
    const auto row = names_.indexOf(name);
    return row < 0 ? QModelIndex() : index(static_cast<int>(row));
}

QString DatasetListModel::badge(const QString& name) const {
    if (const auto fetch = library_->fetchOf(name)) {
        const double share = shareOf(fetch->progress);
        if (fetch->stage == DatasetLibrary::Stage::Waiting) return tr("waiting");
        if (fetch->stage == DatasetLibrary::Stage::Stopping) return tr("stopping");
        return share < 0 ? tr("fetching") : tr("%1 %").arg(std::floor(100 * share));
    }
    const DatasetCard* card = library_->find(name);
    return card && card->present ? tr("here") : tr("missing");
}

QVariant DatasetListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= names_.size()) return {};
    const QString& name = names_[index.row()];
    const DatasetCard* card = library_->find(name);
    if (!card) return {};
    switch (role) {
        case NameRole:
            return name;
        case Qt::DisplayRole:
            return QString::fromStdString(card->title);
        case SummaryRole:
        case Qt::ToolTipRole:
            return QString::fromStdString(card->summary);
        case FactsRole:
            return factsText(*card);
        case BadgeRole:
            return badge(name);
        case PresentRole:
            return card->present;
        case ShareRole:
            if (const auto fetch = library_->fetchOf(name)) return shareOf(fetch->progress);
            return {};
        case Qt::AccessibleTextRole:
            return tr("%1, %2").arg(QString::fromStdString(card->title), badge(name));
        case Qt::AccessibleDescriptionRole:
            return tr("%1 %2").arg(QString::fromStdString(card->summary), factsText(*card));
        default:
            return {};
    }
}

QSize DatasetCardDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {240, scaled(kHeight)};
}

void DatasetCardDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF row = QRectF(option.rect).adjusted(0, 1, 0, -1);
    paintRowGround(*painter, row, option);

    QRectF line(row.left() + kPad, row.top() + 7, row.width() - 2 * kPad, scaled(kTitleHeight));
    const QRectF title = drawBadge(*painter, line, option, index, theme);
    const auto write = [&](const QRectF& area, int pixels, QFont::Weight weight, const QColor& colour,
                           const QString& text) {
        painter->setFont(textFont(option.font, pixels, weight));
        painter->setPen(colour);
        const int width = static_cast<int>(area.width());
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(text, Qt::ElideRight, width));
    };
    write(title, text_size::kText, QFont::DemiBold, theme.text, index.data().toString());
    line = QRectF(line.left(), line.bottom() + 1, line.width(), scaled(kLineHeight));
    write(line, text_size::kText, QFont::Normal, theme.quiet, index.data(DatasetListModel::SummaryRole).toString());
    line = QRectF(line.left(), line.bottom(), line.width(), scaled(kFactsHeight));
    write(line, text_size::kCaption, QFont::Normal, theme.quiet, index.data(DatasetListModel::FactsRole).toString());

    if (const QVariant share = index.data(DatasetListModel::ShareRole); share.isValid() && share.toDouble() >= 0) {
        painter->setPen(Qt::NoPen);
        QRectF bar(line.left(), row.bottom() - kBarHeight - 3, line.width(), kBarHeight);
        painter->setBrush(theme.line);
        painter->drawRoundedRect(bar, 1, 1);
        bar.setWidth(bar.width() * share.toDouble());
        painter->setBrush(theme.accent);
        painter->drawRoundedRect(bar, 1, 1);
    }
    paintRowFocus(*painter, row, option);
    painter->restore();
}

}  // namespace palimpsest
