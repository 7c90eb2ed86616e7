// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/picture_grid.h"

#include <QHelpEvent>
#include <QListView>
#include <QPainter>
#include <QStringList>
#include <QToolTip>
#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/widgets/picture_loader.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostNamed = 12;

constexpr int kUnderline = 3;

}  // namespace

QString imagesText(std::int64_t count) {
    return count == 1 ? MemoryShown::tr("1 image") : MemoryShown::tr("%1 images").arg(countText(count));
}

QString placesText(const MemoryBalance& balance, std::int64_t capacity) {
    return capacity > 0 ? MemoryShown::tr("%1 of %2 places").arg(countText(balance.total()), countText(capacity))
                        : imagesText(balance.total());
}

QString balanceText(const ClassNames& names, const MemoryBalance& balance) {
    std::vector<std::pair<std::int64_t, int>> classes;
    for (std::size_t label = 0; label < balance.kept.size(); ++label)
        if (balance.kept[label]) classes.emplace_back(-*balance.kept[label], static_cast<int>(label));
    std::sort(classes.begin(), classes.end());
    QStringList parts;
    for (std::size_t i = 0; i < std::min(kMostNamed, classes.size()); ++i)
        parts.append(names.name(classes[i].second) + ' ' + countText(-classes[i].first));
    const QString named = parts.join(QStringLiteral(", "));
    if (classes.size() <= kMostNamed) return named;
    // In one go: a class may be called "%2".
    const auto more = static_cast<qint64>(classes.size() - kMostNamed);
    return MemoryShown::tr("%1 and %2 more classes").arg(named, countText(more));
}

void PictureClassModel::setMemory(const ClassNames& names, const MemoryBalance& balance) {
    std::vector<Row> rows{{kAll, balance.total()}};
    most_ = 0;
    for (std::size_t label = 0; label < balance.kept.size(); ++label) {
        if (!balance.kept[label]) continue;
        rows.push_back({static_cast<int>(label), *balance.kept[label]});
        most_ = std::max(most_, *balance.kept[label]);
    }
    const bool grown =
        rows_.size() > 1 && names == names_ && std::ranges::includes(rows, rows_, {}, &Row::label, &Row::label);
    if (!grown) {
        beginResetModel();
        names_ = names;
        rows_ = std::move(rows);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i < rows_.size() && rows_[i].label == rows[i].label) continue;
        const int row = static_cast<int>(i);
        beginInsertRows({}, row, row);
        rows_.insert(rows_.begin() + row, rows[i]);
        endInsertRows();
    }
    rows_ = std::move(rows);
    Q_EMIT dataChanged(index(0), index(static_cast<int>(rows_.size()) - 1));
}

int PictureClassModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QModelIndex PictureClassModel::indexOf(int label) const {
    const auto found = std::ranges::find(rows_, label, &Row::label);
    return index(found == rows_.end() ? 0 : static_cast<int>(found - rows_.begin()));
}

QString PictureClassModel::tip(const Row& row) const {
    const QString count = imagesText(row.count);
    if (row.label == kAll) return tr("All classes: %1").arg(count);
    const double share =
        static_cast<double>(row.count) / static_cast<double>(std::max<std::int64_t>(1, rows_[0].count));
    return tr("%1: %2, %3 % of those kept").arg(names_.text(row.label), count, percentText(share));
}

QVariant PictureClassModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return row.label == kAll ? tr("All classes") : names_.name(row.label);
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return tip(row);
        case LabelRole:
            return row.label;
        case CountRole:
            return static_cast<qlonglong>(row.count);
        case ShareRole:
            if (row.label == kAll) return {};
            return most_ > 0 ? static_cast<double>(row.count) / static_cast<double>(most_) : 0.0;
        case KindRole:
            return static_cast<int>(names_.kind(row.label));
        default:
            return {};
    }
}

void PictureGridModel::setMemory(const ClassNames& names, const KeptSamples& kept, int label) {
    const bool same_names = names == names_;
    if (same_names && label == label_ && kept.shares(kept_)) return;
    names_ = names;
    kept_ = kept;
    label_ = label;
    std::vector<KeptSample> shown;
    for (const KeptSample& sample : kept) {
        if (shown.size() == kMostShown) break;
        if (label == PictureClassModel::kAll || sample.label == label) shown.push_back(sample);
    }
    // Between two states of a full memory few places change.
    const std::size_t common = std::min(shown.size(), shown_.size());
    std::size_t first = 0, last = common;
    while (same_names && first < last && shown[first] == shown_[first]) ++first;
    while (same_names && last > first && shown[last - 1] == shown_[last - 1]) --last;
    const int before = rowCount(), now = static_cast<int>(shown.size());
    if (now > before) {
        beginInsertRows({}, before, now - 1);
        shown_ = std::move(shown);
        endInsertRows();
    } else if (now < before) {
        beginRemoveRows({}, now, before - 1);
        shown_ = std::move(shown);
        endRemoveRows();
    } else {
        shown_ = std::move(shown);
    }
    if (first < last) Q_EMIT dataChanged(index(static_cast<int>(first)), index(static_cast<int>(last) - 1));
}

int PictureGridModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant PictureGridModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const KeptSample& sample = shown_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return (test_ ? tr("%1, test image %2") : tr("%1, training image %2"))
                .arg(names_.text(sample.label), countText(sample.sample));
        case LabelRole:
            return sample.label;
        case SampleRole:
            return static_cast<qlonglong>(sample.sample);
        case KindRole:
            return static_cast<int>(names_.kind(sample.label));
        default:
            return {};
    }
}

PictureDelegate::PictureDelegate(PictureLoader* pictures, QObject* parent)
    : QStyledItemDelegate(parent), pictures_(pictures) {}

QSize PictureDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return kCell;
}

void PictureDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    painter->save();
    const QRect place(option.rect.left() + (option.rect.width() - kSide) / 2, option.rect.top() + 3, kSide, kSide);
    const QImage* picture = pictures_->picture(
        {index.data(PictureGridModel::SampleRole).toLongLong(), index.data(PictureGridModel::LabelRole).toInt()});
    if (picture && !picture->isNull()) {
        painter->drawImage(place.topLeft(), *picture);
    } else {
        painter->setRenderHint(QPainter::Antialiasing);
        // A picture that is being read has a ground, one that cannot be read its outline alone.
        painter->setPen(picture ? QPen(theme.line, 1) : QPen(Qt::NoPen));
        painter->setBrush(picture ? QBrush(Qt::NoBrush) : QBrush(theme.raised));
        painter->drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), kThumbnailCorner, kThumbnailCorner);
    }
    painter->fillRect(place.left(), place.bottom() + 2, kSide, kUnderline,
                      barColour(theme, static_cast<ClassKind>(index.data(PictureGridModel::KindRole).toInt())));
    // Tab comes to the first image without choosing it.
    const bool current = option.state & (QStyle::State_Selected | QStyle::State_HasFocus);
    if (current || option.state & QStyle::State_MouseOver) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(current ? theme.accent : theme.quiet, edgeWidth(theme) + 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(place).adjusted(-1, -1, 1, 1), kThumbnailCorner, kThumbnailCorner);
    }
    painter->restore();
}

bool PictureDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                                const QModelIndex& index) {
    const QString text = index.data(Qt::ToolTipRole).toString();
    if (event->type() != QEvent::ToolTip || text.isEmpty())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QToolTip::showText(view->viewport()->mapToGlobal(option.rect.bottomLeft()), text, view->viewport(), option.rect);
    return true;
}

QListView* makePictureGrid(QAbstractItemModel* model, QStyledItemDelegate* delegate) {
    auto* grid = new QListView;
    grid->setModel(model);
    grid->setItemDelegate(delegate);
    grid->setViewMode(QListView::IconMode);
    grid->setMovement(QListView::Static);
    grid->setResizeMode(QListView::Adjust);
    grid->setUniformItemSizes(true);
    grid->setGridSize(PictureDelegate::kCell);
    grid->setSelectionMode(QAbstractItemView::SingleSelection);
    grid->setSelectionRectVisible(false);
    grid->setFrameShape(QFrame::NoFrame);
    grid->setMouseTracking(true);
    grid->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    grid->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    grid->setEditTriggers(QAbstractItemView::NoEditTriggers);
    return grid;
}

}  // namespace palimpsest
