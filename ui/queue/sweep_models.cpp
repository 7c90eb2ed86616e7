// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/sweep_models.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <string>
#include <utility>

#include "engine/report/comparison.h"
#include "engine/support/format.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kCellMargin = 4, kCurveWidth = 1.4;

QString worded(const std::string& text) {
    return QString::fromStdString(text);
}

}  // namespace

std::vector<std::size_t> SweepRunsModel::shown() const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; sweep_ && i < sweep_->runs.size(); ++i)
        if (!line_ || sweep_->runs[i].line == *line_) rows.push_back(i);
    return rows;
}

void SweepRunsModel::setSweep(const WatchedSweepPtr& sweep) {
    const WatchedSweepPtr before = std::exchange(sweep_, sweep);
    if (before && sweep) {
        // Whoever watches has compared it on its own thread.
        const bool next = sweep->look > 0 && sweep->look == before->look + 1;
        if (next ? sweep->same_rows : sameRows(*before, *sweep))
            return announce(next ? sweep->changed : changedRuns(*before, *sweep));
    }
    beginResetModel();
    rows_ = shown();
    endResetModel();
}

void SweepRunsModel::announce(const std::vector<std::size_t>& changed) {
    // A view looks at every row that is said to have changed.
    int first = -1, last = -1;
    const auto tell = [&] {
        if (first >= 0) Q_EMIT dataChanged(index(first, 0), index(last, kColumns - 1));
    };
    for (const std::size_t place : changed) {
        const auto found = std::ranges::lower_bound(rows_, place);
        if (found == rows_.end() || *found != place) continue;
        const auto row = static_cast<int>(found - rows_.begin());
        if (row != last + 1 || first < 0) {
            tell();
            first = row;
        }
        last = row;
    }
    tell();
}

void SweepRunsModel::setLine(std::optional<std::size_t> line) {
    if (line == line_) return;
    beginResetModel();
    line_ = line;
    rows_ = shown();
    endResetModel();
}

int SweepRunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SweepRunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

const report::WatchedRun* SweepRunsModel::run(int row) const {
    const auto place = static_cast<std::size_t>(row);
    return row >= 0 && place < rows_.size() && rows_[place] < sweep_->runs.size() ? &sweep_->runs[rows_[place]]
                                                                                  : nullptr;
}

int SweepRunsModel::longest(Column column) const {
    const auto digits = [&](std::size_t place) {
        const report::WatchedRun& one = sweep_->runs[place];
        return std::to_string(column == kSeed ? one.seed : one.number).size();
    };
    return static_cast<int>(std::ranges::max_element(rows_, {}, digits) - rows_.begin());
}

QVariant SweepRunsModel::data(const QModelIndex& index, int role) const {
    const report::WatchedRun* one = index.isValid() ? run(index.row()) : nullptr;
    if (!one) return {};
    if (role == CurveRole) return QVariant::fromValue(one->curve);
    if (role == FolderRole)
        return one->folder.empty() ? QString() : worded((sweep_->folder / "runs" / one->folder).string());
    // A list that somebody wrote may name rows that it does not have.
    const std::string line = one->line < sweep_->lines.size() ? sweep_->lines[one->line] : std::string();
    if (role == Qt::ToolTipRole) return tr("%1, seed %2: %3").arg(worded(line)).arg(one->seed).arg(worded(one->words));
    if (role == Qt::TextAlignmentRole && isNumber(index.column())) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && index.column() == kCurve)
        return one->curve.empty() ? tr("no evaluation yet")
                                  : tr("accuracy %1 % at its last evaluation")
                                        .arg(percentText(static_cast<double>(one->curve.back())));
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    switch (index.column()) {
        case kNumber:
            return QString::number(one->number);
        case kRow:
            return worded(line);
        case kSeed:
            return QString::number(one->seed);
        case kAuc:
            return one->a_auc ? percentText(*one->a_auc) : QString();
        case kState:
            return worded(one->words);
        default:
            return {};
    }
}

QVariant SweepRunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isNumber(section))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kNumber:
            return tr("Run");
        case kRow:
            return tr("Row");
        case kSeed:
            return tr("Seed");
        case kCurve:
            return tr("Accuracy so far");
        case kAuc:
            return tr("A_AUC %");
        default:
            return tr("State");
    }
}

void SweepLinesModel::setSweep(const WatchedSweepPtr& sweep) {
    const bool same = sweep_ && sweep && sweep_->lines == sweep->lines;
    if (!same) beginResetModel();
    sweep_ = sweep;
    if (!same)
        endResetModel();
    else if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void SweepLinesModel::setMetric(std::size_t metric) {
    metric_ = metric;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int SweepLinesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !sweep_ ? 0 : static_cast<int>(sweep_->lines.size());
}

int SweepLinesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString SweepLinesModel::text(std::size_t line, int column) const {
    if (column == kName) return worded(sweep_->lines[line]);
    if (line >= sweep_->table.lines.size()) return {};
    const report::SweepTableLine& row = sweep_->table.lines[line];
    if (column == kRuns) return QString::number(row.runs);
    if (metric_ >= row.cells.size()) return {};
    const report::SweepCell& cell = row.cells[metric_];
    if (column == kValue) {
        if (cell.value.count == 0) return {};
        const QString mean = percentText(cell.value.mean);
        return cell.value.count > 1 ? tr("%1 ± %2").arg(mean, percentText(cell.value.deviation)) : mean;
    }
    if (row.baseline == line) return column == kFinding ? tr("the others are compared with it") : QString();
    const PairedEvidence& evidence = cell.comparison.evidence;
    if (evidence.difference.count == 0) {
        if (column != kFinding) return {};
        // Runs of one row measure the same numbers.
        if (row.runs > 0 && cell.value.count == 0) return tr("not measured in these runs");
        const report::SweepTableLine& baseline = sweep_->table.lines[row.baseline];
        if (baseline.runs > 0 && metric_ < baseline.cells.size() && baseline.cells[metric_].value.count == 0)
            return tr("not measured in the runs it is compared with");
        return tr("no seed that both have yet");
    }
    if (column == kDifference) return signedPercentText(evidence.difference.mean);
    if (column == kInterval) return worded(report::intervalText(evidence));
    return worded(report::findingText(*sweep_->table.metrics[metric_], evidence));
}

QVariant SweepLinesModel::data(const QModelIndex& index, int role) const {
    const auto line = static_cast<std::size_t>(index.row());
    if (!index.isValid() || !sweep_ || line >= sweep_->lines.size()) return {};
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) return text(line, index.column());
    if (role == Qt::ToolTipRole) {
        QString tip = worded(sweep_->lines[line]);
        if (line < sweep_->table.lines.size() && sweep_->table.lines[line].baseline != line)
            tip +=
                tr("\nCompared with %1, seed by seed").arg(worded(sweep_->lines[sweep_->table.lines[line].baseline]));
        if (const QString finding = text(line, kFinding); !finding.isEmpty()) tip += QLatin1Char('\n') + finding;
        return tip;
    }
    if (role == Qt::TextAlignmentRole && index.column() != kName && index.column() != kFinding)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant SweepLinesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section != kName && section != kFinding)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kName:
            return tr("Row");
        case kRuns:
            return tr("Finished");
        case kValue:
            return tr("Mean ± std %");
        case kDifference:
            return tr("Difference");
        case kInterval:
            return tr("95 % interval");
        default:
            return tr("Finding so far");
    }
}

QSize CurveDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index).expandedTo({0, scaled(kCurveHeight)});
}

void CurveDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const auto curve = index.data(SweepRunsModel::CurveRole).value<std::vector<float>>();
    if (curve.empty()) return;
    const QRectF room = QRectF(option.rect).adjusted(kCellMargin, kCellMargin, -kCellMargin, -kCellMargin);
    const Theme& theme = Theme::of(option.palette);
    const auto y = [&](float accuracy) {
        return room.bottom() - std::clamp(static_cast<double>(accuracy), 0.0, 1.0) * room.height();
    };
    QPolygonF line;
    for (std::size_t i = 0; i < curve.size(); ++i)
        line.append(
            {room.left() +
                 (curve.size() < 2 ? 0 : room.width() * static_cast<double>(i) / static_cast<double>(curve.size() - 1)),
             y(curve[i])});
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(theme.accent, kCurveWidth));
    if (line.size() > 1)
        painter->drawPolyline(line);
    else
        painter->drawEllipse(line.constFirst(), 1.5, 1.5);
    painter->restore();
}

}  // namespace palimpsest
