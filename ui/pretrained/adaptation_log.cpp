// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_log.h"

#include <algorithm>
#include <cmath>

#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

/// Losses are of any size, so the axis is not one of per cent.
constexpr int kLossSteps = 5;
constexpr int kStepSteps = 8;

void addMeanPoint(report::Series& series, std::int64_t step, double loss) {
    if (!std::isfinite(loss)) return;
    const double before = series.points.empty() ? loss : series.points.back().y;
    series.points.push_back({static_cast<double>(step), nextMean(before, loss), 0});
}

report::CurveFigure curvesOf(const QVector<AdaptationProgress>& reports, bool other) {
    report::CurveFigure curves;
    curves.empty = "No step yet";
    report::Series mean, second;
    mean.name = "loss, running mean";
    mean.style = {report::Ink::Accent, report::Marker::None, {}, 2.2, 1};
    second.name = "perturbing pass";
    second.style = {report::Ink::Quiet, report::Marker::None, {4, 3}, 1.5, 1};
    second.rank = 1;
    std::vector<report::Point>& raw = mean.members.emplace_back();
    for (const AdaptationProgress& report : reports) {
        if (std::isfinite(report.loss)) raw.push_back({static_cast<double>(report.step), report.loss});
        addMeanPoint(mean, report.step, report.loss);
        if (other) addMeanPoint(second, report.step, report.other_loss);
    }
    // The range is that of the means: a lone spike would press the curves flat.
    double highest = 0, lowest = 0;
    for (const report::Series* series : {&mean, &second}) {
        for (const report::FigurePoint& point : series->points) {
            highest = std::max(highest, point.y);
            lowest = std::min(lowest, point.y);
        }
    }
    for (report::Point& point : raw) point.y = std::clamp(point.y, lowest, highest * 1.05);
    for (report::Series* series : {&mean, &second})
        if (!series->points.empty()) series->value = lossText(series->points.back().y).toStdString();
    curves.x = report::roundAxis(reports.isEmpty() ? 1 : static_cast<double>(reports.last().step), kStepSteps);
    curves.x.caption = "steps";
    curves.y = report::roundAxis(highest * 1.05, kLossSteps);
    curves.y.low = lowest;
    curves.y.caption = "loss";
    curves.y.grid = true;
    curves.series.push_back(std::move(mean));
    if (other) curves.series.push_back(std::move(second));
    return curves;
}

}  // namespace

double nextMean(double before, double value) {
    constexpr double kWeight = 0.06;  // of a new value
    return before + kWeight * (value - before);
}

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

QString AdaptationLog::cellText(int row, int column) const {
    const AdaptationProgress& report = reports_[row];
    switch (column) {
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
        default:
            return percentText(report.accuracy) + " %";
    }
}

QString AdaptationLog::heading(int column) const {
    return QStringList{tr("Step"), tr("Epoch"), tr("Images"), tr("Loss"), tr("Perturbing pass"), tr("Batch accuracy")}
        .value(column);
}

report::Publication adaptationPublication(const QVector<AdaptationProgress>& reports, bool other) {
    report::Piece piece;
    piece.file = piece.csv_file = "loss";
    piece.title = "Loss of the initial session";
    piece.caption =
        "Loss while the prompts learn in the initial session, against steps: each report faint, the running "
        "mean strong" +
        std::string(other ? ", the running mean of the perturbing pass dashed." : ".");
    piece.created = "2000-01-01T00:00:00Z";  // it has no run whose date it could bear
    piece.csv = adaptationCsv(reports, other).toStdString();
    piece.figure = report::Figure{piece.file, piece.title, "running mean", piece.caption, curvesOf(reports, other)};
    report::Publication all;
    all.pieces.push_back(std::move(piece));
    return all;
}

}  // namespace palimpsest
