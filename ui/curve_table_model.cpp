// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/curve_table_model.h"

#include <algorithm>

#include "ui/curve_store.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

bool before(const std::pair<qint64, double>& value, qint64 place) {
    return value.first < place;
}

}  // namespace

CurveTableModel::CurveTableModel(const CurveStore* store, CurveKind kind, QObject* parent)
    : FigureTable(parent), store_(store), kind_(kind) {
    refresh();
}

bool CurveTableModel::Column::sameCurve(const Column& other) const {
    return heading == other.heading && run == other.run && generation == other.generation && session == other.session &&
           session_ends == other.session_ends;
}

void CurveTableModel::Column::put(qint64 place, double value) {
    const auto at = values.empty() || values.back().first < place
                        ? values.end()
                        : std::lower_bound(values.begin(), values.end(), place, before);
    if (at != values.end() && at->first == place)
        at->second = value;
    else
        values.insert(at, {place, value});
}

std::vector<CurveTableModel::Column> CurveTableModel::columns() const {
    std::vector<Column> list;
    for (const RunCurves* run : store_->visibleRuns()) {
        const QString label = store_->label(run->id);
        Column column;
        column.run = run->id;
        column.generation = run->generation;
        if (kind_ == CurveKind::Anytime) {
            column.heading = label;
            list.push_back(column);
            if (!run->primary || run->session_ends.empty()) continue;
            column.session_ends = true;
            column.heading = tr("End of session");
            list.push_back(column);
            continue;
        }
        const std::int64_t sessions = run->primary ? run->sessions() : std::min<std::int64_t>(1, run->sessions());
        for (; column.session < sessions; ++column.session) {
            column.heading = run->primary ? tr("Session %1").arg(column.session + 1)
                                          : QStringLiteral("%1, session %2").arg(label).arg(column.session + 1);
            list.push_back(column);
        }
    }
    return list;
}

const std::vector<AnytimePoint>& CurveTableModel::pointsOf(const RunCurves& run, const Column& column) {
    return column.session_ends ? run.session_ends : run.anytime;
}

std::vector<qint64> CurveTableModel::takePoints() {
    std::vector<qint64> fresh;
    const auto take = [&](Column& column, qint64 place, double value) {
        column.put(place, value);
        if (!std::binary_search(places_.begin(), places_.end(), place)) fresh.push_back(place);
    };
    for (Column& column : columns_) {
        const RunCurves* run = store_->find(column.run);
        if (kind_ == CurveKind::Anytime) {
            const std::vector<AnytimePoint>& points = pointsOf(*run, column);
            for (; column.taken < points.size(); ++column.taken)
                take(column, points[column.taken].samples_seen, points[column.taken].accuracy);
        } else {
            const std::vector<RetentionPoint>& points = run->retentionOf(column.session);
            for (; column.taken < points.size(); ++column.taken)
                take(column, points[column.taken].after_session, points[column.taken].accuracy);
        }
    }
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    return fresh;
}

void CurveTableModel::refresh() {
    std::vector<Column> wanted = columns();
    const bool same = std::equal(wanted.begin(), wanted.end(), columns_.begin(), columns_.end(),
                                 [](const Column& a, const Column& b) { return a.sameCurve(b); });
    if (!same) {
        beginResetModel();
        columns_ = std::move(wanted);
        places_.clear();
        places_ = takePoints();
        endResetModel();
        return;
    }
    const std::vector<qint64> fresh = takePoints();
    const int rows = rowCount(), more = static_cast<int>(fresh.size());
    if (rows > 0 && more > 0 && fresh.front() < places_.back()) {
        beginResetModel();
        places_.insert(places_.end(), fresh.begin(), fresh.end());
        std::inplace_merge(places_.begin(), places_.begin() + rows, places_.end());
        endResetModel();
        return;
    }
    if (more > 0) {
        beginInsertRows({}, rows, rows + more - 1);
        places_.insert(places_.end(), fresh.begin(), fresh.end());
        endInsertRows();
    }
    if (rows > 0) Q_EMIT dataChanged(index(0, 1), index(rows - 1, columnCount() - 1));
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
    const auto it = std::lower_bound(values.begin(), values.end(), place, before);
    return it == values.end() || it->first != place ? QString() : percentText(it->second) + QStringLiteral(" %");
}

QVariant CurveTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (section == 0)
        return kind_ == CurveKind::Anytime ? QStringLiteral("Images seen") : QStringLiteral("After session");
    return columns_[static_cast<std::size_t>(section) - 1].heading;
}

}  // namespace palimpsest
