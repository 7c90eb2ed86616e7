// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure_table.h"

#include <cmath>
#include <map>

#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

constexpr const char* kNothing = "–";

std::string cell(const FigurePoint& point) {
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
            row[k] = cell(point);
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
    for (const std::string& column : figure.columns) {
        table.head.push_back(figure.column_word.empty() ? column : figure.column_word + ' ' + column);
    }
    for (std::size_t r = 0; r < figure.rows.size(); ++r) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(figure.rows[r]);
        for (const std::optional<double>& value : figure.values[r]) {
            row.push_back(value ? fixedText(*value, figure.decimals) : kNothing);
        }
    }
    return table;
}

}  // namespace

FigureTable figureTable(const Figure& figure) {
    return std::visit([](const auto& content) { return tableOf(content); }, figure.content);
}

}  // namespace palimpsest::report
