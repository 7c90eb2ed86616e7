// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/curve_table_model.h"

#include <algorithm>
#include <set>

#include "ui/curve_store.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

QString quoted(QString text) {
    return text.contains(',') || text.contains('"') ? '"' + text.replace('"', QLatin1String("\"\"")) + '"' : text;
}

}  // namespace

CurveTableModel::CurveTableModel(const CurveStore* store, CurveKind kind, QObject* parent)
    : QAbstractTableModel(parent), store_(store), kind_(kind) {
    refresh();
}

std::vector<CurveTableModel::Column> CurveTableModel::columns() const {
    std::vector<Column> list;
    for (const RunCurves* run : store_->visibleRuns()) {
        const QString label = store_->label(run->id);
        if (kind_ == CurveKind::Anytime) {
            Column column{label, label, {}};
            for (const AnytimePoint& point : run->anytime) column.values[point.samples_seen] = point.accuracy;
            list.push_back(std::move(column));
            continue;
        }
        const std::int64_t sessions = run->primary ? run->sessions() : std::min<std::int64_t>(1, run->sessions());
        for (std::int64_t session = 0; session < sessions; ++session) {
            const QString title = QStringLiteral("%1, session %2").arg(label).arg(session + 1);
            Column column{title, run->primary ? tr("Session %1").arg(session + 1) : title, {}};
            for (const RetentionPoint& point : run->retentionOf(session))
                column.values[point.after_session] = point.accuracy;
            list.push_back(std::move(column));
        }
    }
    return list;
}

void CurveTableModel::refresh() {
    std::vector<Column> fresh = columns();
    std::set<qint64> keys;
    for (const Column& column : fresh)
        for (const auto& [place, value] : column.values) keys.insert(place);
    std::vector<qint64> places(keys.begin(), keys.end());

    const bool sameColumns = std::equal(fresh.begin(), fresh.end(), columns_.begin(), columns_.end(),
                                        [](const Column& a, const Column& b) { return a.title == b.title; });
    const bool longer = places.size() >= places_.size() && std::equal(places_.begin(), places_.end(), places.begin());
    if (!sameColumns || !longer) {
        beginResetModel();
        columns_ = std::move(fresh);
        places_ = std::move(places);
        endResetModel();
        return;
    }
    const int before = rowCount(), after = static_cast<int>(places.size());
    if (after > before) beginInsertRows({}, before, after - 1);
    columns_ = std::move(fresh);
    places_ = std::move(places);
    if (after > before) endInsertRows();
    if (before > 0) Q_EMIT dataChanged(index(0, 1), index(before - 1, columnCount() - 1));
}

int CurveTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(places_.size());
}

int CurveTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size()) + 1;
}

QVariant CurveTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const qint64 place = places_[static_cast<std::size_t>(index.row())];
    if (index.column() == 0) return countText(kind_ == CurveKind::Anytime ? place : place + 1);
    const auto& values = columns_[static_cast<std::size_t>(index.column()) - 1].values;
    const auto it = values.find(place);
    return it == values.end() ? QString() : percentText(it->second) + QStringLiteral(" %");
}

QVariant CurveTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (section == 0)
        return kind_ == CurveKind::Anytime ? QStringLiteral("Images seen") : QStringLiteral("After session");
    return columns_[static_cast<std::size_t>(section) - 1].heading;
}

QString CurveTableModel::csv() const {
    QString text = kind_ == CurveKind::Anytime ? QStringLiteral("samples_seen") : QStringLiteral("after_session");
    for (const Column& column : columns_) text += ',' + quoted(column.title + " (%)");
    text += '\n';
    for (const qint64 place : places_) {
        text += QString::number(kind_ == CurveKind::Anytime ? place : place + 1);
        for (const Column& column : columns_) {
            const auto it = column.values.find(place);
            text += ',' + (it == column.values.end() ? QString() : QString::number(it->second * 100, 'g', 10));
        }
        text += '\n';
    }
    return text;
}

}  // namespace palimpsest
