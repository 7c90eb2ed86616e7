// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/dataset_list_model.h"

#include <cmath>

#include "ui/datasets/dataset_library.h"
#include "ui/datasets/dataset_text.h"

namespace palimpsest {

DatasetListModel::DatasetListModel(DatasetLibrary* shelf, QObject* parent) : QAbstractListModel(parent), shelf_(shelf) {
    connect(shelf_, &DatasetLibrary::cardsChanged, this, &DatasetListModel::readAgain);
    connect(shelf_, &DatasetLibrary::fetchMoved, this, &DatasetListModel::touch);
    connect(shelf_, &DatasetLibrary::fetchEnded, this, &DatasetListModel::touch);
    readAgain();
}

void DatasetListModel::readAgain() {
    QStringList names;
    for (const DatasetCard& card : shelf_->cards()) names.append(QString::fromStdString(card.name));
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
    if (const auto fetch = shelf_->fetchOf(name)) {
        const double share = shareOf(fetch->progress);
        if (fetch->stage == DatasetLibrary::Stage::Waiting) return tr("waiting");
        if (fetch->stage == DatasetLibrary::Stage::Stopping) return tr("stopping");
        return share < 0 ? tr("fetching") : tr("%1 %").arg(std::floor(100 * share));
    }
    const DatasetCard* card = shelf_->find(name);
    return card && card->present ? tr("here") : tr("missing");
}

QVariant DatasetListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= names_.size()) return {};
    const QString& name = names_[index.row()];
    const DatasetCard* card = shelf_->find(name);
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
            if (const auto fetch = shelf_->fetchOf(name)) return shareOf(fetch->progress);
            return {};
        case Qt::AccessibleTextRole:
            return tr("%1, %2").arg(QString::fromStdString(card->title), badge(name));
        case Qt::AccessibleDescriptionRole:
            return tr("%1 %2").arg(QString::fromStdString(card->summary), factsText(*card));
        default:
            return {};
    }
}

}  // namespace palimpsest
