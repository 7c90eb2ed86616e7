// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/support/append_file.h"
#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

constexpr std::size_t kMostLossPoints = 600;  // of a drawn line
constexpr std::size_t kMostParts = 40;        // of the images, each with a mean
constexpr std::size_t kBatchesAPart = 2;      // at least, on average; else seeds take turns in them

/// Lowest and highest of each stretch, so that no peak is lost.
std::vector<Point> drawnPoints(const PointSeries& points) {
    std::vector<Point> drawn;
    const std::size_t stretch = (points.size() - 1) / (kMostLossPoints / 2) + 1;
    for (std::size_t begin = 0; begin < points.size(); begin += stretch) {
        std::optional<std::size_t> low, high;
        for (std::size_t i = begin; i < std::min(points.size(), begin + stretch); ++i) {
            if (!std::isfinite(points.y(i))) continue;
            if (!low || points.y(i) < points.y(*low)) low = i;
            if (!high || points.y(i) > points.y(*high)) high = i;
        }
        if (!low) continue;
        for (const std::size_t i : {std::min(*low, *high), std::max(*low, *high)})
            drawn.push_back({points.x(i), points.y(i)});
        if (*low == *high) drawn.pop_back();
    }
    return drawn;
}

std::size_t batchesOf(const PointSeries& points) {
    std::size_t batches = 0;
    for (std::size_t i = 0; i < points.size(); ++i) batches += i == 0 || points.x(i) != points.x(i - 1);
    return batches;
}

/// Number of parts: as many as the shortest run fills.
std::size_t partsFor(const std::vector<std::vector<PointSeries>>& losses) {
    std::size_t parts = kMostParts;
    for (const auto& runs : losses)
        for (const PointSeries& points : runs) parts = std::min(parts, batchesOf(points) / kBatchesAPart);
    return std::max<std::size_t>(1, parts);
}

/// Mean loss by part of `whole` images; absent where no update was made.
std::vector<std::optional<double>> partMeans(const PointSeries& points, double whole, std::size_t parts) {
    std::vector<double> sums(parts);
    std::vector<std::size_t> counts(parts);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!std::isfinite(points.y(i))) continue;
        const auto part = static_cast<std::size_t>(std::max(0.0, points.x(i) / whole * static_cast<double>(parts)));
        sums[std::min(part, parts - 1)] += points.y(i);
        ++counts[std::min(part, parts - 1)];
    }
    std::vector<std::optional<double>> means(parts);
    for (std::size_t part = 0; part < parts; ++part)
        if (counts[part] > 0) means[part] = sums[part] / static_cast<double>(counts[part]);
    return means;
}

/// Mean wherever all the runs have a value, so that the line has one N.
std::vector<FigurePoint> meanOf(const std::vector<PointSeries>& runs, double whole, std::size_t parts) {
    std::vector<std::vector<std::optional<double>>> all;
    for (const PointSeries& points : runs) all.push_back(partMeans(points, whole, parts));
    std::vector<FigurePoint> mean;
    for (std::size_t part = 0; part < parts; ++part) {
        double sum = 0;
        std::int64_t count = 0;
        for (const auto& values : all) {
            if (!values[part]) continue;
            sum += *values[part];
            ++count;
        }
        if (count < std::ssize(all)) continue;
        const double middle = (static_cast<double>(part) + 0.5) * whole / static_cast<double>(parts);
        mean.push_back({middle, sum / static_cast<double>(count), 0, count});
    }
    return mean;
}

CurveFigure lossAxes(double last, double largest) {
    CurveFigure curves;
    curves.empty = "No finite loss";
    curves.x = roundAxis(last, 8);
    curves.x.caption = "images seen";
    curves.y = roundAxis(largest * 1.05, 5);
    curves.y.caption = "loss";
    curves.y.grid = true;
    return curves;
}

double highest(const std::vector<Point>& points) {
    double most = 0;
    for (const Point& point : points) most = std::max(most, point.y);
    return most;
}

}  // namespace

std::optional<MeasuredFigure> lossFigure(const RunHistory& history) {
    const PointSeries& points = history.loss;
    if (points.empty()) return {};
    std::string csv = "samples_seen,loss\n";
    for (std::size_t i = 0; i < points.size(); ++i)
        csv += shortestDigits(points.x(i)) + "," + shortestDigits(points.y(i)) + "\n";
    Series series;
    series.name = "loss";
    series.style = seriesStyle(0);
    series.style.ink = Ink::Accent;
    series.style.marker = Marker::None;
    series.labelled = false;
    const std::vector<Point> drawn = drawnPoints(points);
    for (const Point& point : drawn) series.points.push_back({point.x, point.y, 0});
    CurveFigure curves = lossAxes(points.x(points.size() - 1), highest(drawn));
    curves.series.push_back(std::move(series));
    return MeasuredFigure{
        {"loss", "Loss", "of every update", "Loss of every update against images seen.", std::move(curves)}, csv};
}

std::optional<MeasuredFigure> lossFigure(const ReportedRuns& runs) {
    std::vector<std::vector<PointSeries>> losses;
    std::string csv = "experiment,seed,samples_seen,loss\n";
    double last = 0;
    bool any = false;
    for (const RunGroup& group : runs.groups) {
        std::vector<PointSeries>& own = losses.emplace_back();
        for (const RunRecord& run : group.runs) {
            PointSeries points = readHistory(run.folder, run.class_names.size()).loss;
            if (points.empty()) continue;
            any = true;
            last = std::max(last, points.x(points.size() - 1));
            const std::string begin = tableCell(group.name) + "," + std::to_string(run.experiment.seed) + ",";
            for (std::size_t i = 0; i < points.size(); ++i)
                csv += begin + shortestDigits(points.x(i)) + "," + shortestDigits(points.y(i)) + "\n";
            own.push_back(std::move(points));
        }
    }
    if (!any) return {};
    std::vector<Series> all;
    double largest = 0;
    const std::size_t parts = partsFor(losses);
    const bool means = std::any_of(losses.begin(), losses.end(), [](const auto& each) { return each.size() > 1; });
    for (std::size_t k = 0; k < losses.size(); ++k) {
        if (losses[k].empty()) continue;
        Series series;
        series.name = runs.groups[k].name;
        series.style = seriesStyle(k);
        series.style.marker = Marker::None;
        series.rank = static_cast<int>(k);
        series.points = meanOf(losses[k], last, parts);
        for (const PointSeries& points : losses[k]) {
            series.members.push_back(drawnPoints(points));
            largest = std::max(largest, highest(series.members.back()));
        }
        if (!series.points.empty()) series.value = fixedText(series.points.back().y, 3);
        if (means) series.note = "N = " + std::to_string(losses[k].size());
        all.push_back(std::move(series));
    }
    CurveFigure curves = lossAxes(last, largest);
    curves.series = std::move(all);
    return MeasuredFigure{
        {"loss", "Loss", "of every update, and its mean over 1/" + std::to_string(parts) + " of the images",
         "Loss of every update against images seen, a thin line a run, and each experiment's mean.", std::move(curves)},
        csv};
}

}  // namespace palimpsest::report
