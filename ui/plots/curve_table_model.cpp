// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_table_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/plots/seed_means.h"
#include "ui/state/run_set.h"
#include "ui/state/seed_groups.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

bool before(const std::pair<qint64, double>& value, qint64 place) {
    return value.first < place;
}

}  // namespace

CurveTableModel::CurveTableModel(const RunSet* store, CurveKind kind, QObject* parent)
    : FigureTable(parent), store_(store), kind_(kind) {
    refresh();
}

void CurveTableModel::Column::add(const ShownRun& run) {
    runs.append(run.id);
    generations.append(run.generation);
}

bool CurveTableModel::Column::sameCurve(const Column& other) const {
    return heading == other.heading && runs == other.runs && generations == other.generations &&
           source == other.source && session == other.session;
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
    for (const ShownRun* run : store_->visibleRuns()) {
        const QString label = store_->label(run->id);
        Column column;
        column.add(*run);
        if (kind_ == CurveKind::Anytime) {
            column.heading = label;
            list.push_back(column);
            if (!run->display.selected) continue;
            if (!run->points.sessionEnds().empty()) {
                column.source = Source::SessionEnds;
                column.heading = tr("End of session");
                list.push_back(column);
            }
            addMeans(list);
            continue;
        }
        const std::int64_t sessions =
            run->display.selected ? run->facts->sessions() : std::min<std::int64_t>(1, run->facts->sessions());
        for (; column.session < sessions; ++column.session) {
            column.heading = run->display.selected
                                 ? tr("Session %1").arg(column.session + 1)
                                 : tr("%1, session %2").arg(label, QString::number(column.session + 1));
            list.push_back(column);
        }
        if (run->display.selected) addRetentionMeans(list);
    }
    return list;
}

void CurveTableModel::addMeans(std::vector<Column>& list) const {
    if (band_ == CurveOptions::Band::None) return;
    for (const SeedGroup& group : seedGroups(*store_, CurveKind::Anytime)) {
        Column column;
        for (const ShownRun* run : group.runs) column.add(*run);
        column.source = Source::Mean;
        column.heading = tr("%1, mean of N = %2").arg(group.label, QString::number(group.runs.size()));
        list.push_back(column);
        column.source = Source::HalfWidth;
        column.heading = widthHeading(group.label);
        list.push_back(column);
    }
}

QString CurveTableModel::widthHeading(const QString& of) const {
    return (bandWidth(band_) == BandWidth::Error ? tr("%1, ± standard error of the mean")
                                                 : tr("%1, ± standard deviation"))
        .arg(of);
}

/// Each session that is drawn of the selected run, the first one of others.
void CurveTableModel::addRetentionMeans(std::vector<Column>& list) const {
    if (band_ == CurveOptions::Band::None) return;
    for (const SeedGroup& group : seedGroups(*store_, CurveKind::Retention)) {
        Column column;
        std::int64_t sessions = 0, stride = 1;
        for (const ShownRun* run : group.runs) {
            column.add(*run);
            sessions = std::max(sessions, run->facts->sessions());
            if (run->display.selected) stride = retentionStride(*run);
        }
        const ShownRun* selected = store_->selected();
        const bool own = selected && column.runs.contains(selected->id);
        for (column.session = 0; column.session < (own ? sessions : 1); column.session += stride) {
            const report::SessionSeeds seeds = seedsOf(retentionMean(group.runs, column.session));
            if (seeds.most == 0) continue;
            const QString name = own ? tr("Session %1").arg(column.session + 1)
                                     : tr("%1, session %2").arg(group.label, QString::number(column.session + 1));
            column.source = Source::Mean;
            column.heading = tr("%1, mean of N = %2").arg(name, QString::fromStdString(report::seedsText(seeds)));
            list.push_back(column);
            column.source = Source::HalfWidth;
            column.heading = widthHeading(name);
            list.push_back(column);
        }
    }
}

/// Anew each time: what another run measures later changes a mean that is there already.
void CurveTableModel::appendRetentionMean(Column& column, const Append& append) const {
    std::vector<const ShownRun*> runs;
    for (const QString& id : column.runs) runs.push_back(store_->find(id));
    for (const auto& [after, value] : retentionMean(runs, column.session)) {
        if (column.source == Source::Mean)
            append(column, after, value.mean);
        else if (value.count > 1)  // of a single run no deviation is known
            append(column, after, halfWidth(value, bandWidth(band_)));
    }
}

void CurveTableModel::appendAnytime(Column& column, const Append& append) const {
    const ShownRun& run = *store_->find(column.runs.front());
    const std::vector<AnytimePoint>& points =
        column.source == Source::SessionEnds ? run.points.sessionEnds() : run.points.anytime();
    for (; column.appended < points.size(); ++column.appended)
        append(column, points[column.appended].samples_seen, points[column.appended].accuracy);
}

void CurveTableModel::appendRetention(Column& column, const Append& append) const {
    const std::vector<RetentionPoint>& points = store_->find(column.runs.front())->points.retentionOf(column.session);
    for (; column.appended < points.size(); ++column.appended)
        append(column, points[column.appended].after_session, points[column.appended].accuracy);
}

/// As the figure draws it: evaluation by evaluation, as far as the shortest run goes.
void CurveTableModel::appendMean(Column& column, const Append& append) const {
    std::vector<const ShownRun*> runs;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const QString& id : column.runs) {
        runs.push_back(store_->find(id));
        least = std::min(least, runs.back()->points.anytime().size());
    }
    for (; column.appended < least; ++column.appended) {
        std::vector<double> accuracies;
        double images = 0;
        for (const ShownRun* run : runs) {
            accuracies.push_back(run->points.anytime()[column.appended].accuracy);
            images += static_cast<double>(run->points.anytime()[column.appended].samples_seen);
        }
        const Spread values = spread(accuracies);
        append(column, std::llround(images / static_cast<double>(runs.size())),
               column.source == Source::Mean ? values.mean : halfWidth(values, bandWidth(band_)));
    }
}

std::vector<qint64> CurveTableModel::appendPoints() {
    std::vector<qint64> fresh;
    const Append append = [&](Column& column, qint64 place, double value) {
        column.put(place, value);
        if (!std::binary_search(places_.begin(), places_.end(), place)) fresh.push_back(place);
    };
    for (Column& column : columns_) {
        const bool mean = column.source == Source::Mean || column.source == Source::HalfWidth;
        if (kind_ == CurveKind::Retention)
            mean ? appendRetentionMean(column, append) : appendRetention(column, append);
        else if (mean)
            appendMean(column, append);
        else
            appendAnytime(column, append);
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
        places_ = appendPoints();
        endResetModel();
        return;
    }
    const std::vector<qint64> fresh = appendPoints();
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

QString CurveTableModel::cellText(int row, int column) const {
    const qint64 place = places_[static_cast<std::size_t>(row)];
    if (column == 0) return countText(kind_ == CurveKind::Anytime ? place : place + 1);
    const auto& values = columns_[static_cast<std::size_t>(column) - 1].values;
    const auto it = std::lower_bound(values.begin(), values.end(), place, before);
    return it == values.end() || it->first != place ? QString() : percentText(it->second) + QStringLiteral(" %");
}

QString CurveTableModel::heading(int column) const {
    if (column == 0) return kind_ == CurveKind::Anytime ? tr("Images seen") : tr("After session");
    return columns_[static_cast<std::size_t>(column) - 1].heading;
}

}  // namespace palimpsest
