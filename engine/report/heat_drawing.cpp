// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure_drawing.h"

#include <algorithm>
#include <array>

#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

constexpr double kMostLeft = 130;
constexpr double kCaption = 22;      // of the columns' caption, from the cells' top, without their names
constexpr double kNames = 14;        // of names that lie
constexpr double kMostUpwards = 96;  // of names that stand
constexpr double kGap = 3;
constexpr double kNameGap = 10;
constexpr double kScaleRoom = 34;  // below the cells
constexpr double kScaleWidth = 96, kScaleHeight = 8;
constexpr int kScaleSteps = 24;
/// The text on the strongest cell stays readable in dark ink on light ground and in light ink on dark ground.
constexpr double kFaintest = 0.05, kStrongest = 0.62;

constexpr CanvasTextStyle kName{10, false, Ink::Quiet, Anchor::Middle};

double strength(double share) {
    return kFaintest + (kStrongest - kFaintest) * std::clamp(share, 0.0, 1.0);
}

double widestOf(Canvas& canvas, const std::vector<std::string>& names, const CanvasTextStyle& style) {
    double widest = 0;
    for (const std::string& name : names) widest = std::max(widest, canvas.textWidth(name, style));
    return widest;
}

/// Left of the cells: where there is little room, no more than the rows' names need.
double nameColumn(Canvas& canvas, const HeatFigure& figure, const FigureStyle& style) {
    if (style.legend == LegendPlace::Beside) return kMostLeft;
    return std::min(kMostLeft, widestOf(canvas, figure.rows, kName) + style.edge + kNameGap);
}

double cellHeight(const HeatFigure& figure) {
    return std::clamp(320.0 / static_cast<double>(std::max<std::size_t>(1, figure.rows.size())), 14.0, 40.0);
}

/// Positions of all parts of a heat map.
struct Layout {
    double left = 0, top = 0;      ///< of the cells
    double width = 0, height = 0;  ///< of one
    double widest = 0;             ///< of the columns' names
    bool upwards = false;

    Layout(Canvas& canvas, const HeatFigure& figure, const FigureStyle& style) {
        left = nameColumn(canvas, figure, style);
        const auto columns = static_cast<double>(std::max<std::size_t>(1, figure.columns.size()));
        width = std::min(114.0, (style.width - left - style.edge) / columns);
        height = cellHeight(figure);
        widest = widestOf(canvas, figure.columns, kName);
        upwards = figure.all_columns && widest + 6 > width;
        top = style.head() + kCaption + (upwards ? std::min(kMostUpwards, widest) + 2 : kNames);
    }
};

void drawScale(Canvas& canvas, const HeatFigure& figure, const FigureStyle& style, const Layout& layout) {
    const double bottom = layout.top + static_cast<double>(figure.rows.size()) * layout.height + kScaleRoom - 10;
    CanvasTextStyle label = kName;
    label.anchor = Anchor::Start;
    const std::string start = heatScaleStart(figure), top = trimmedText(figure.top, 1);
    const double strip = canvas.textWidth(start + top, label) + kScaleWidth + 8;
    const std::string title = elided(canvas, figure.scale, label, style.width - 2 * style.edge - strip - kNameGap);
    // Under the cells, or as far to the left as the words need.
    const double whole = canvas.textWidth(title, label) + kNameGap + strip;
    double x = std::max(style.edge, std::min(layout.left, style.width - style.edge - whole));
    const auto write = [&](const std::string& text) {
        canvas.text({x, bottom}, text, label);
        x += canvas.textWidth(text, label);
    };
    write(title);
    x += kNameGap;
    write(start);
    x += 4;
    const double step = kScaleWidth / kScaleSteps;
    for (int k = 0; k < kScaleSteps; ++k) {
        const double from = x + k * step, to = from + step, high = bottom - kScaleHeight;
        const std::array corners{Point{from, high}, Point{to, high}, Point{to, bottom}, Point{from, bottom}};
        const auto [ink, share] = heatColourAt(figure, (k + 0.5) / kScaleSteps);
        canvas.polygon(corners, {ink, strength(share)}, std::nullopt);
    }
    x += kScaleWidth + 4;
    write(top);
}

}  // namespace

double heatMapHeight(Canvas& measure, const HeatFigure& figure, const FigureStyle& style) {
    const Layout layout(measure, figure, style);
    return layout.top + static_cast<double>(figure.rows.size()) * layout.height +
           (figure.scale.empty() ? 0 : kScaleRoom) + style.edge;
}

void drawHeatMap(Canvas& canvas, const HeatFigure& figure, const FigureStyle& style) {
    const Layout layout(canvas, figure, style);
    const auto [start, top_edge, width, height, widest, upwards] = layout;
    CanvasTextStyle column = kName, row = kName, caption = kName;
    row.anchor = Anchor::End;
    caption.anchor = Anchor::Start;
    const CanvasTextStyle value{std::min(11.5, height * 0.7), false, Ink::Text, Anchor::Middle};
    canvas.text({start, style.head() + kCaption - 8}, figure.column_caption, caption);

    // Names that would run into each other stand at every n-th row or column.
    const auto step = [](double needed, double room) { return std::max(1, static_cast<int>(needed / room + 0.999)); };
    const auto columnStep = static_cast<std::size_t>(step(upwards ? 12 : widest + 6, width));
    const auto rowStep = static_cast<std::size_t>(step(13, height));
    const auto fits = [&](int decimals) {
        return canvas.textWidth((figure.two_sided ? "−" : "") + fixedText(figure.top, decimals), value) + 6 <= width;
    };
    const int decimals = fits(figure.decimals) ? figure.decimals : fits(0) ? 0 : -1;  // -1: no numbers

    if (upwards) {
        column.anchor = Anchor::Start;
        column.upwards = true;
    }
    for (std::size_t c = 0; c < figure.columns.size(); c += columnStep) {
        const double middle = start + (static_cast<double>(c) + 0.5) * width;
        if (upwards)
            canvas.text({middle + 3, top_edge - 5}, elided(canvas, figure.columns[c], kName, kMostUpwards), column);
        else
            canvas.text({middle, top_edge - 7}, figure.columns[c], column);
    }
    for (std::size_t r = 0; r < figure.rows.size(); ++r) {
        const double top = top_edge + static_cast<double>(r) * height;
        const double gap = std::min(kGap, width / 6);
        const double middle = top + (height - gap) / 2 + 4;
        if (r % rowStep == 0)
            canvas.text({start - kNameGap, middle}, elided(canvas, figure.rows[r], kName, start - kNameGap - 2), row);
        for (std::size_t c = 0; c < figure.columns.size(); ++c) {
            const std::optional<double>& cell = figure.values[r][c];
            if (!cell) continue;
            const double left = start + static_cast<double>(c) * width;
            const std::array corners{Point{left, top}, Point{left + width - gap, top},
                                     Point{left + width - gap, top + height - gap}, Point{left, top + height - gap}};
            const auto [ink, share] = heatColour(figure, *cell);
            canvas.polygon(corners, {ink, strength(share)}, std::nullopt);
            if (decimals < 0 || (figure.quiet_zero && *cell == 0)) continue;
            canvas.text({left + (width - gap) / 2, middle}, fixedText(*cell, decimals), value);
        }
    }
    if (!figure.scale.empty()) drawScale(canvas, figure, style, layout);
}

}  // namespace palimpsest::report
