// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "engine/support/format.h"

namespace palimpsest::report {

namespace {

/// The smallest of 1, 2, 2.5, 5 times a power of ten that needs at most `most` steps.
double roundStep(double range, int most) {
    const double rough = range / most;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    constexpr std::array kSteps{1.0, 2.0, 2.5, 5.0, 10.0};
    const auto fits = [&](double step) { return step * power >= rough * (1 - 1e-9); };
    const auto* found = std::find_if(kSteps.begin(), kSteps.end(), fits);
    return (found == kSteps.end() ? kSteps.back() : *found) * power;
}

std::string tickText(double value, double step) {
    if (value == 0) return "0";
    if (step >= 500'000) return trimmedText(value / 1e6, 3) + "M";
    return step >= 500 ? trimmedText(value / 1e3, 3) + "k" : trimmedText(value, 3);
}

constexpr const char* kNothing = "–";

std::string cellText(const FigurePoint& point) {
    const std::string mean = fixedText(point.y, 1);
    // A mean has a spread, shaded or not; a single value has none beside means of several.
    return point.count > 1 || point.deviation > 0 ? mean + " ± " + fixedText(point.deviation, 1) : mean;
}

FigureTable tableOf(const CurveFigure& figure) {
    FigureTable table;
    table.head.push_back(figure.x.caption);
    std::map<std::int64_t, std::vector<std::string>> rows;
    for (std::size_t k = 0; k < figure.series.size(); ++k) {
        const Series& series = figure.series[k];
        table.head.push_back(series.name);
        for (const FigurePoint& point : series.points) {
            auto& row = rows[std::llround(point.x)];
            row.resize(figure.series.size(), kNothing);
            row[k] = cellText(point);
        }
    }
    for (auto& [x, cells] : rows) {
        cells.insert(cells.begin(), grouped(x));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

FigureTable tableOf(const HeatFigure& figure) {
    FigureTable table;
    table.head.emplace_back("");
    for (const std::string& column : figure.columns)
        table.head.push_back(figure.column_word.empty() ? column : figure.column_word + ' ' + column);
    for (std::size_t r = 0; r < figure.rows.size(); ++r) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(figure.rows[r]);
        for (const std::optional<double>& value : figure.values[r])
            row.push_back(value ? fixedText(*value, figure.decimals) : kNothing);
    }
    return table;
}

/// The value of another point, written as that of the last one is: "73.9 %", "73.9 ± 1.2 %", "0.532"; empty where that
/// is empty.
std::string valueLike(const std::string& example, const FigurePoint& point) {
    constexpr std::string_view kUnit = " %", kSpread = " ± ";
    if (example.empty()) return {};
    const std::size_t stop = example.find('.');
    const std::size_t end = stop == std::string::npos ? stop : example.find_first_not_of("0123456789", stop + 1);
    const int decimals = stop == std::string::npos ? 0 : static_cast<int>(std::min(end, example.size()) - stop) - 1;
    std::string text = fixedText(point.y, decimals);
    if (example.find(kSpread) != std::string::npos) text += std::string(kSpread) + fixedText(point.deviation, decimals);
    return example.ends_with(kUnit) ? text + std::string(kUnit) : text;
}

}  // namespace

HeatColour heatColour(const HeatFigure& figure, double value) {
    const double share = std::clamp(value / figure.top, -1.0, 1.0);
    if (!figure.two_sided) return {Ink::Accent, std::max(0.0, share)};
    return {share < 0 ? Ink::Series4 : Ink::Series3, std::sqrt(std::abs(share))};
}

HeatColour heatColourAt(const HeatFigure& figure, double place) {
    if (!figure.two_sided) return heatColour(figure, place * figure.top);
    const double root = 2 * place - 1;
    return heatColour(figure, std::copysign(root * root, root) * figure.top);
}

std::string heatScaleStart(const HeatFigure& figure) {
    return figure.two_sided ? "−" + trimmedText(figure.top, 1) : "0";
}

SeriesStyle seriesStyle(std::size_t index) {
    constexpr std::array kColours{Ink::Series1, Ink::Series2, Ink::Series3, Ink::Series4, Ink::Series5};
    constexpr std::array kMarkers{Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Cross};
    static const std::array<std::vector<double>, 5> kDashes{{{}, {7, 3}, {2, 2.5}, {9, 3, 2, 3}, {9, 3, 2, 3, 2, 3}}};
    // Each turn through the colours shifts the dashes, so that no pair comes back within the first 20.
    const std::size_t turn = index / kColours.size();
    return {kColours[index % kColours.size()], kMarkers[(index + turn) % kMarkers.size()],
            kDashes[(index + turn) % kDashes.size()], 1.8, 1};
}

Axis roundAxis(double high, int most) {
    Axis axis;
    axis.high = high > 0 ? high : 1;
    const double step = roundStep(axis.high, most);
    for (int k = 0; k * step <= axis.high * (1 + 1e-9); ++k) axis.ticks.push_back({k * step, tickText(k * step, step)});
    return axis;
}

double percentCeiling(double largest) {
    constexpr double kHeadroom = 1.05;
    for (const double end : {20, 30, 40, 50, 60, 80})
        if (kHeadroom * largest <= end) return end;
    return 100;
}

Axis percentAxis(double largest) {
    Axis axis = roundAxis(percentCeiling(largest), 5);
    axis.grid = true;
    return axis;
}

FigureTable figureTable(const Figure& figure) {
    return std::visit([](const auto& content) { return tableOf(content); }, figure.content);
}

std::optional<Extent> extentOf(const CurveFigure& figure) {
    std::optional<Extent> extent;
    for (const Series& series : figure.series) {
        if (series.points.empty()) continue;
        const double first = series.points.front().x, last = series.points.back().x;
        extent = extent ? Extent{std::min(extent->first, first), std::max(extent->last, last)} : Extent{first, last};
    }
    return extent;
}

CurveFigure cutAt(const CurveFigure& figure, double until) {
    CurveFigure cut = figure;
    cut.empty.clear();
    const auto isLater = [until](const auto& point) { return point.x > until; };
    for (Series& series : cut.series) {
        series.whole_count = series.points.size();
        for (std::vector<Point>& member : series.members) {
            const auto later = std::ranges::find_if(member, isLater);
            if (later == member.begin() || later == member.end()) {
                member.erase(later, member.end());
                continue;
            }
            const Point last = *(later - 1), next = *later;
            member.erase(later, member.end());
            member.push_back({until, last.y + (until - last.x) / (next.x - last.x) * (next.y - last.y)});
        }
        const auto later = std::ranges::find_if(series.points, isLater);
        if (later == series.points.end()) continue;
        const FigurePoint next = *later;
        series.points.erase(later, series.points.end());
        series.note.clear();
        if (series.points.empty()) {
            series.value.clear();
            continue;
        }
        const FigurePoint last = series.points.back();
        series.value = valueLike(series.value, last);
        series.interpolated_end = true;
        const double share = (until - last.x) / (next.x - last.x);
        series.points.push_back({until, last.y + share * (next.y - last.y),
                                 last.deviation + share * (next.deviation - last.deviation), last.count});
    }
    return cut;
}

}  // namespace palimpsest::report
