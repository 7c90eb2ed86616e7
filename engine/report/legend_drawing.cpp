// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "engine/report/figure_drawing.h"
#include "engine/report/marker_drawing.h"

namespace palimpsest::report {
namespace {

constexpr double kRow = 14;
/// From an entry's left to its text: a piece of the line with its marker.
constexpr double kSample = 26;
constexpr double kLegendGap = 8;
constexpr double kRounding = 0.5;  // the widest entry has just the room that it takes
const TextStyle kQuiet{10, false, Ink::Quiet, Anchor::Start};

TextStyle legendNameStyle(const Series& series) {
    return {10.5, true, series.style.ink, Anchor::Start};
}

/// What stands behind the name: "73.9 %, A_AUC 74.6 %".
std::string legendDetails(const Series& series) {
    return series.value + (series.value.empty() || series.note.empty() ? "" : ", ") + series.note;
}

/// Entries in columns of one width, row by row.
struct LegendLayout {
    std::vector<const Series*> entries;
    double column = 0;
    std::size_t columns = 1;
    bool two_lines = false;  ///< details below the name: in one line even a whole row is too short

    std::size_t rows() const { return (entries.size() + columns - 1) / columns; }
    double rowHeight() const { return two_lines ? 2 * kRow - 2 : kRow; }
};

LegendLayout layoutOf(Canvas& measure, const CurveFigure& figure, const FigureStyle& style) {
    LegendLayout layout;
    if (style.legend != LegendPlace::Below) return layout;
    const double room = style.width - 2 * style.edge;
    double inline_width = 0, stacked = 0;
    for (const Series& series : figure.series) {
        if (!series.labelled || series.points.empty()) continue;
        layout.entries.push_back(&series);
        const double name = measure.textWidth(series.name, legendNameStyle(series));
        const double more = measure.textWidth(legendDetails(series), kQuiet);
        inline_width = std::max(inline_width, kSample + name + (more > 0 ? kLegendGap + more : 0));
        stacked = std::max(stacked, kSample + std::max(name, more));
    }
    layout.two_lines = inline_width > room;
    layout.column = std::min(room, layout.two_lines ? stacked : inline_width);
    layout.columns = static_cast<std::size_t>(std::max(1.0, (room + kLegendGap) / (layout.column + kLegendGap)));
    return layout;
}

}  // namespace

double legendHeight(Canvas& measure, const CurveFigure& figure, const FigureStyle& style) {
    const LegendLayout layout = layoutOf(measure, figure, style);
    return layout.entries.empty() ? 0 : static_cast<double>(layout.rows()) * layout.rowHeight() + style.edge;
}

void drawLegend(Canvas& canvas, const CurveFigure& figure, const FigureStyle& style, double top) {
    const LegendLayout layout = layoutOf(canvas, figure, style);
    for (std::size_t k = 0; k < layout.entries.size(); ++k) {
        const Series& series = *layout.entries[k];
        const double left = style.edge + static_cast<double>(k % layout.columns) * (layout.column + kLegendGap);
        const double base = top + static_cast<double>(k / layout.columns) * layout.rowHeight() + 10;
        const double middle = base - 3.5;
        canvas.line(std::array{Point{left, middle}, Point{left + kSample - 6, middle}},
                    {series.style.ink, series.style.width * style.line, series.style.opacity, series.style.dash});
        drawMarker(canvas, series.style, {left + (kSample - 6) / 2, middle}, 3.2);
        const double right = left + layout.column;
        const TextStyle named = legendNameStyle(series);
        const std::string more = legendDetails(series);
        const double beside = layout.two_lines || more.empty() ? 0 : kLegendGap + canvas.textWidth(more, kQuiet);
        const std::string name = elided(canvas, series.name, named, right - left - kSample - beside + kRounding);
        canvas.text({left + kSample, base}, name, named);
        if (more.empty()) continue;
        const Point at = layout.two_lines ? Point{left + kSample, base + kRow - 2}
                                          : Point{left + kSample + canvas.textWidth(name, named) + kLegendGap, base};
        canvas.text(at, elided(canvas, more, kQuiet, right - at.x + kRounding), kQuiet);
    }
}

}  // namespace palimpsest::report
