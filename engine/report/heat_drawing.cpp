// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "engine/report/figure_drawing.h"
#include "engine/report/number_text.h"

namespace palimpsest::report {
namespace {

constexpr double kMostLeft = 130;
constexpr double kCaptions = 36;  // of the columns
constexpr double kGap = 3;
constexpr double kNameGap = 10;
/// The text on the strongest cell stays readable in dark ink on light ground and in light ink on dark ground.
constexpr double kStrongest = 0.62;

/// Left of the cells: where there is little room, no more than the rows' names need.
double nameColumn(Canvas& canvas, const HeatFigure& figure, const FigureStyle& style, const TextStyle& row) {
    if (style.legend == LegendPlace::Beside) return kMostLeft;
    double widest = 0;
    for (const std::string& name : figure.rows) widest = std::max(widest, canvas.textWidth(name, row));
    return std::min(kMostLeft, widest + style.edge + kNameGap);
}

double cellWidth(const HeatFigure& figure, double room) {
    return std::min(114.0, room / static_cast<double>(std::max<std::size_t>(1, figure.columns.size())));
}

double cellHeight(const HeatFigure& figure) {
    return std::clamp(320.0 / static_cast<double>(std::max<std::size_t>(1, figure.rows.size())), 14.0, 40.0);
}

}  // namespace

double heatMapHeight(const HeatFigure& figure, const FigureStyle& style) {
    return style.head() + kCaptions + static_cast<double>(figure.rows.size()) * cellHeight(figure) + style.edge;
}

void drawHeatMap(Canvas& canvas, const HeatFigure& figure, const FigureStyle& style) {
    const TextStyle column{10, false, Ink::Quiet, Anchor::Middle};
    const TextStyle row{10, false, Ink::Quiet, Anchor::End};
    const double start = nameColumn(canvas, figure, style, row);
    const double top_edge = style.head() + kCaptions;
    const double width = cellWidth(figure, style.width - start - style.edge);
    const double height = cellHeight(figure);
    const TextStyle value{std::min(11.5, height * 0.7), false, Ink::Text, Anchor::Middle};
    TextStyle caption = column;
    caption.anchor = Anchor::Start;
    canvas.text({start, top_edge - 22}, figure.column_caption, caption);

    // Names that would run into each other stand at every n-th row or column.
    const auto step = [](double needed, double room) { return std::max(1, static_cast<int>(needed / room + 0.999)); };
    double widest = 0;
    for (const std::string& name : figure.columns) {
        widest = std::max(widest, canvas.textWidth(name, column));
    }
    const auto columnStep = static_cast<std::size_t>(step(widest + 6, width));
    const auto rowStep = static_cast<std::size_t>(step(13, height));
    const bool numbers = canvas.textWidth("100.0", value) + 6 <= width;

    for (std::size_t c = 0; c < figure.columns.size(); c += columnStep) {
        canvas.text({start + (static_cast<double>(c) + 0.5) * width, top_edge - 7}, figure.columns[c], column);
    }
    for (std::size_t r = 0; r < figure.rows.size(); ++r) {
        const double top = top_edge + static_cast<double>(r) * height;
        const double gap = std::min(kGap, width / 6);
        const double middle = top + (height - gap) / 2 + 4;
        if (r % rowStep == 0) {
            canvas.text({start - kNameGap, middle}, figure.rows[r], row);
        }
        for (std::size_t c = 0; c < figure.columns.size(); ++c) {
            const std::optional<double>& cell = figure.values[r][c];
            if (!cell) {
                continue;
            }
            const double left = start + static_cast<double>(c) * width;
            const std::array corners{Point{left, top}, Point{left + width - gap, top},
                                     Point{left + width - gap, top + height - gap}, Point{left, top + height - gap}};
            canvas.polygon(corners, {Ink::Accent, 0.05 + (kStrongest - 0.05) * std::clamp(*cell / 100, 0.0, 1.0)},
                           std::nullopt);
            if (numbers) {
                canvas.text({left + (width - gap) / 2, middle}, fixedText(*cell, 1), value);
            }
        }
    }
}

}  // namespace palimpsest::report
