// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_log.h"

#include <algorithm>
#include <cmath>

#include "ui/style/text_style.h"

namespace palimpsest {

double nextMean(double before, double value) {
    constexpr double kWeight = 0.06;  // of a new value
    return before + kWeight * (value - before);
}

AdaptationLog::AdaptationLog(QObject* parent) : QAbstractTableModel(parent) {}

void AdaptationLog::restart(bool other) {
    beginResetModel();
    reports_.clear();
    other_ = other;
    endResetModel();
}

void AdaptationLog::keepUpTo(std::int64_t step) {
    beginResetModel();
    const auto after = std::upper_bound(reports_.begin(), reports_.end(), step,
                                        [](std::int64_t at, const AdaptationProgress& row) { return at < row.step; });
    reports_.erase(after, reports_.end());
    endResetModel();
}

qsizetype AdaptationLog::nearest(double step) const {
    if (reports_.isEmpty()) return -1;
    auto at = std::lower_bound(reports_.begin(), reports_.end(), step, [](const AdaptationProgress& row, double to) {
        return static_cast<double>(row.step) < to;
    });
    if (at == reports_.end() ||
        (at != reports_.begin() && step - static_cast<double>((at - 1)->step) < static_cast<double>(at->step) - step))
        --at;
    return at - reports_.begin();
}

QString adaptationCsv(const QVector<AdaptationProgress>& reports, bool other) {
    const auto number = [](double value) { return std::isfinite(value) ? QString::number(value, 'g', 10) : QString(); };
    QString text = "step,epoch,images,loss,perturbing_loss,batch_accuracy\n";
    for (const AdaptationProgress& row : reports)
        text += QStringLiteral("%1,%2,%3,%4,%5,%6\n")
                    .arg(QString::number(row.step), QString::number(row.epoch), QString::number(row.samples_seen),
                         number(row.loss), other ? number(row.other_loss) : QString(), number(row.accuracy));
    return text;
}

void AdaptationLog::append(const QVector<AdaptationProgress>& reports) {
    if (reports.isEmpty()) return;
    const int first = static_cast<int>(reports_.size());
    beginInsertRows({}, first, first + static_cast<int>(reports.size()) - 1);
    reports_ += reports;
    endInsertRows();
}

int AdaptationLog::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(reports_.size());
}

int AdaptationLog::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant AdaptationLog::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= reports_.size()) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const AdaptationProgress& report = reports_[index.row()];
    switch (index.column()) {
        case Step:
            return countText(report.step);
        case Epoch:
            return countText(report.epoch);
        case Images:
            return countText(report.samples_seen);
        case Loss:
            return lossText(report.loss);
        case OtherLoss:
            return other_ ? lossText(report.other_loss) : QString();
        case Accuracy:
            return percentText(report.accuracy) + " %";
        default:
            return {};
    }
}

QVariant AdaptationLog::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Step:
            return tr("Step");
        case Epoch:
            return tr("Epoch");
        case Images:
            return tr("Images");
        case Loss:
            return tr("Loss");
        case OtherLoss:
            return tr("Perturbing pass");
        case Accuracy:
            return tr("Batch accuracy");
        default:
            return {};
    }
}

}  // namespace palimpsest
