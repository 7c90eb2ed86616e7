// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/mask_lens_model.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/colours.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kLensPad = 8, kLensAmount = 46;  // beside a cell's content; of the number
constexpr float kUsedTint = 0.10F;
constexpr double kLensBar = 0.5, kLensDot = 3, kLeastLensBar = 1.5;

QString lensAmount(double push) {
    return QLocale().toString(std::abs(push), 'f', 1);
}

/// "+4.1", "−2.0", "0.0".
QString signedLensAmount(double push) {
    if (std::abs(push) < kLeastPush) return lensAmount(0);
    return (push > 0 ? QStringLiteral("+") : QStringLiteral("−")) + lensAmount(push);
}

QColor lensColour(const QColor& ground, bool up) {
    return legible(QColor(twoSidedColour(up ? 0.7 : -0.7)), ground, kMarkContrast);
}

}  // namespace

QString lensMaskName(MaskKind mask) {
    switch (mask) {
        case MaskKind::None:
            return MaskLensModel::tr("No mask");
        case MaskKind::Seen:
            return MaskLensModel::tr("Seen mask");
        case MaskKind::Batch:
            return MaskLensModel::tr("Batch mask");
        case MaskKind::Session:
            return MaskLensModel::tr("Session mask");
        case MaskKind::Learnable:
            break;
    }
    return {};
}

void MaskLensModel::setLens(const ClassNames& classes, const MaskLens& lens, bool keepScale) {
    beginResetModel();
    classes_ = classes;
    lens_ = lens;
    order_.clear();
    if (!keepScale) up_ = down_ = 0;
    in_batch_ = 0;
    if (!lens_.views.empty()) {
        const std::vector<ClassPush>& pushes = lens_.views.front().pushes;
        for (std::int64_t place = 0; place < std::ssize(pushes); ++place) order_.push_back(place);
        const auto pushOf = [&](std::int64_t place) { return pushes[static_cast<std::size_t>(place)]; };
        const auto others = std::ranges::stable_partition(order_, [&](std::int64_t place) {
            return std::ranges::find(lens_.batch, pushOf(place).label) != lens_.batch.end();
        });
        in_batch_ = static_cast<int>(others.begin() - order_.begin());
        std::ranges::stable_sort(others, {}, [&](std::int64_t place) { return pushOf(place).push.value_or(0); });
        if (std::ranges::any_of(lens_.views, [](const MaskView& view) { return view.unnamed > 0; }))
            order_.insert(order_.begin() + in_batch_, kUnnamed);
        for (std::size_t view = 0; view < lens_.views.size(); ++view)
            for (int row = 0; row < rowCount(); ++row) {
                const double push = pushAt(row, view).value_or(0);
                up_ = std::max(up_, push);
                down_ = std::max(down_, -push);
            }
    }
    endResetModel();
}

void MaskLensModel::clear() {
    setLens({}, {}, false);
}

QString MaskLensModel::scaleText() const {
    if (lens_.views.empty()) return {};
    return tr("Pushes are counted in images: 1 is the most that one image of the batch can do to a class. Bars go from "
              "%1 "
              "down to %2 up, under all masks and for every batch that is shown here of this run.")
        .arg(lensAmount(down_), lensAmount(up_));
}

int MaskLensModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int MaskLensModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(std::size(kLensMasks));
}

std::optional<double> MaskLensModel::pushAt(int row, std::size_t view) const {
    const MaskView& through = lens_.views[view];
    if (isUnnamed(row)) return through.unnamed > 0 ? std::optional(through.unnamed_push) : std::nullopt;
    return through.pushes[static_cast<std::size_t>(placeOf(row))].push;
}

QString MaskLensModel::nameOf(int row) const {
    if (!isUnnamed(row)) return classes_.name(labelOf(row));
    std::int64_t outputs = 0;
    for (const MaskView& view : lens_.views) outputs = std::max(outputs, view.unnamed);
    return outputs == 1 ? tr("One output without a class") : tr("%1 outputs without a class").arg(countText(outputs));
}

QString MaskLensModel::told(int row, std::size_t view) const {
    const std::optional<double> push = pushAt(row, view);
    const QString name = nameOf(row), mask = lensMaskName(lens_.views[view].mask);
    // In one go: a class may be called "%2".
    if (!push) return tr("%1, %2: hidden, so nothing pushes it").arg(name, mask);
    if (std::abs(*push) < kLeastPush) return tr("%1, %2: hardly pushed").arg(name, mask);
    return *push > 0 ? tr("%1, %2: pulled up by %3").arg(name, mask, lensAmount(*push))
                     : tr("%1, %2: pushed down by %3").arg(name, mask, lensAmount(*push));
}

QVariant MaskLensModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const int row = index.row();
    if (role == KindRole) return static_cast<int>(isUnnamed(row) ? ClassKind::Unknown : classes_.kind(labelOf(row)));
    if (role == InBatchRole) return inBatch(row);
    if (role == UsedRole)
        return index.column() > 0 && lens_.views[static_cast<std::size_t>(index.column() - 1)].mask == lens_.used;
    if (index.column() == 0) {
        switch (role) {
            case Qt::DisplayRole:
                return nameOf(row);
            case Qt::AccessibleTextRole:
            case Qt::ToolTipRole:
                if (isUnnamed(row))
                    return tr("%1: the network has an output for every class of the stream, and these wait for theirs")
                        .arg(nameOf(row));
                return inBatch(row) ? tr("%1, in this batch").arg(nameOf(row))
                                    : tr("%1, not in this batch").arg(nameOf(row));
            default:
                return {};
        }
    }
    const auto view = static_cast<std::size_t>(index.column() - 1);
    const std::optional<double> push = pushAt(row, view);
    switch (role) {
        case Qt::DisplayRole:
            return push ? signedLensAmount(*push) : tr("hidden");
        case PushRole:
            return push ? QVariant(*push) : QVariant();
        case Qt::AccessibleTextRole:
        case Qt::ToolTipRole:
            return told(row, view);
        default:
            return {};
    }
}

QVariant MaskLensModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical || lens_.views.empty() || section < 0 || section >= columnCount()) return {};
    if (section == 0) {
        if (role == Qt::DisplayRole) return tr("Class\npush in images");
        if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
        if (role == Qt::ToolTipRole) return tr("Classes of this batch first, in bold");
        return {};
    }
    const MaskView& view = lens_.views[static_cast<std::size_t>(section - 1)];
    const bool used = view.mask == lens_.used;
    const QString name = used ? tr("%1 · the run’s").arg(lensMaskName(view.mask)) : lensMaskName(view.mask);
    const QString loss = lossText(view.loss), right = percentText(view.accuracy);
    const PushedOthers others = pushedOthers(lens_, view.mask);
    const QString pushed = others.count() == 0 ? tr("no other is pushed down")
                           : others.count() == 1
                               ? tr("1 other down by %1").arg(lensAmount(others.push))
                               : tr("%1 others down by %2").arg(countText(others.count()), lensAmount(others.push));
    switch (role) {
        case Qt::DisplayRole:
            return tr("%1\nloss %2 · %3 % right\n%4").arg(name, loss, right, pushed);
        case Qt::AccessibleTextRole:
            return tr("%1: loss %2, %3 % right, %4").arg(name, loss, right, pushed);
        case Qt::ToolTipRole:
            return tr("%1: on the images of this batch the cross-entropy is %2, and %3 % are answered rightly among "
                      "the "
                      "classes it lets through")
                .arg(name, loss, right);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

QRectF MaskLensDelegate::barRect(const QRectF& cell, double push) const {
    const QRectF area = cell.adjusted(kLensPad, 0, -kLensPad - scaled(kLensAmount), 0);
    const double up = model_->up(), down = model_->down(), sum = up + down;
    if (sum <= 0 || area.width() <= 0) return {area.left(), cell.center().y(), 0, 0};
    const double zero = area.left() + area.width() * down / sum;
    const double length = std::max(kLeastLensBar, std::abs(push) / sum * area.width());
    const double high = cell.height() * kLensBar;
    return {push > 0 ? zero : zero - length, cell.center().y() - high / 2, length, high};
}

void MaskLensDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF cell(option.rect);
    if (index.data(MaskLensModel::UsedRole).toBool()) {
        QColor tint = theme.accent;
        tint.setAlphaF(kUsedTint);
        painter->fillRect(cell, tint);
    }
    paintRowGround(*painter, cell, option);
    const bool inBatch = index.data(MaskLensModel::InBatchRole).toBool();
    const QString words = index.data().toString();
    if (index.column() == 0) {
        const double dot = scaled(kLensDot);
        painter->setPen(Qt::NoPen);
        painter->setBrush(barColour(theme, static_cast<ClassKind>(index.data(MaskLensModel::KindRole).toInt())));
        painter->drawEllipse(QPointF(cell.left() + kLensPad + dot, cell.center().y()), dot, dot);
        painter->setFont(textFont(option.font, text_size::kText, inBatch ? QFont::DemiBold : QFont::Normal));
        painter->setPen(inBatch ? theme.text : theme.quiet);
        const QRectF room = cell.adjusted(2 * kLensPad + 2 * dot, 0, -kLensPad, 0);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(room.width())));
    } else {
        const QVariant push = index.data(MaskLensModel::PushRole);
        const QRectF line = barRect(cell, 0);
        const double zero = line.right();
        painter->setPen(QPen(theme.line, theme.weight));
        painter->drawLine(QPointF(zero, cell.top()), QPointF(zero, cell.bottom()));
        painter->setPen(Qt::NoPen);
        if (!push.isValid()) {
            painter->setBrush(theme.quiet);
            painter->drawEllipse(QPointF(zero, cell.center().y()), scaled(kLensDot) / 1.5, scaled(kLensDot) / 1.5);
        } else if (std::abs(push.toDouble()) >= kLeastPush) {
            painter->setBrush(lensColour(theme.panel, push.toDouble() > 0));
            painter->drawRect(barRect(cell, push.toDouble()));
        }
        painter->setFont(textFont(option.font, text_size::kText));
        painter->setPen(push.isValid() ? theme.text : theme.quiet);
        painter->drawText(cell.adjusted(0, 0, -kLensPad, 0), Qt::AlignRight | Qt::AlignVCenter, words);
    }
    paintRowFocus(*painter, cell, option);
    painter->restore();
}

}  // namespace palimpsest
