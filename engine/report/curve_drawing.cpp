// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/report/label_layout.h"

namespace palimpsest::report {

namespace {

/// Draws the marker of a series, filled with the ground so that curves below it stay readable.
void drawMarker(Canvas& canvas, const SeriesStyle& style, Point centre, double radius) {
    const Fill fill{Ink::Panel, 1};
    const Stroke outline{style.ink, 1.5, 1, {}};
    const auto at = [&](double dx, double dy) { return Point{centre.x + dx * radius, centre.y + dy * radius}; };
    switch (style.marker) {
        case Marker::None:
            break;
        case Marker::Circle:
            canvas.circle(centre, radius, fill, outline);
            break;
        case Marker::Square:
            canvas.polygon(std::array{at(-.9, -.9), at(.9, -.9), at(.9, .9), at(-.9, .9)}, fill, outline);
            break;
        case Marker::Triangle:
            canvas.polygon(std::array{at(0, -1.15), at(1.1, .85), at(-1.1, .85)}, fill, outline);
            break;
        case Marker::Diamond:
            canvas.polygon(std::array{at(0, -1.25), at(1.25, 0), at(0, 1.25), at(-1.25, 0)}, fill, outline);
            break;
        case Marker::Cross:
            canvas.line(std::array{at(-.9, -.9), at(.9, .9)}, {style.ink, 1.8, 1, {}});
            canvas.line(std::array{at(-.9, .9), at(.9, -.9)}, {style.ink, 1.8, 1, {}});
            break;
    }
}

constexpr double kRow = 14;
/// Width of the sample in front of an entry's text: a piece of the line with its marker.
constexpr double kSample = 26;
constexpr double kLegendGap = 8;
constexpr double kRounding = 0.5;  // the widest entry has just the room that it takes
const CanvasTextStyle kQuiet{10, false, Ink::Quiet, Anchor::Start};

CanvasTextStyle legendNameStyle(const Series& series) {
    return {10.5, true, series.style.ink, Anchor::Start};
}

/// Text behind the name: "73.9 %, A_AUC 74.6 %".
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

const CanvasTextStyle kTickStyle{10, false, Ink::Quiet, Anchor::Middle};
const CanvasTextStyle kNoteStyle{10, false, Ink::Quiet, Anchor::Start};
constexpr double kNameSize = 11.5;
constexpr double kNameHeight = 15;
constexpr double kNoteHeight = 13;
/// Distance from the plot to a label's text: room for the leader and the marker that stands for the curve.
constexpr double kLabelIndent = 34;
constexpr double kMostMarkers = 13;
/// Room for the numbers beside the y axis.
constexpr double kTickRoom = 30;
/// Gap between a name and its value.
constexpr double kValueGap = 6;
/// Height of the line that names the unit of the y axis.
constexpr double kCaptionHeight = 15;

CanvasTextStyle nameStyle(const Series& series) {
    return {kNameSize, true, series.style.ink, Anchor::Start};
}
CanvasTextStyle valueStyle(const Series& series) {
    return {kNameSize, false, series.style.ink, Anchor::Start};
}

double valueRoom(Canvas& canvas, const Series& series) {
    return series.value.empty() ? 0 : kValueGap + canvas.textWidth(series.value, valueStyle(series));
}

/// Maps data to the canvas.
struct Frame {
    const CurveFigure& figure;
    const FigureStyle& style;
    double left = 0, top = 0, right = 0, bottom = 0;

    double x(double value) const {
        return left + (value - figure.x.low) / (figure.x.high - figure.x.low) * (right - left);
    }
    double y(double value) const {
        const double share = (value - figure.y.low) / (figure.y.high - figure.y.low);
        return bottom - std::clamp(share, 0.0, 1.0) * (bottom - top);
    }
    Point at(const FigurePoint& point) const { return {x(point.x), y(point.y)}; }
};

/// Width of the column of labels beside the plot, wide enough for the longest but never half the figure.
double labelColumn(Canvas& canvas, const CurveFigure& figure, const FigureStyle& style) {
    if (style.legend != LegendPlace::Beside) return 0;
    double widest = 0;
    for (const Series& series : figure.series) {
        if (series.labelled) {
            double room = valueRoom(canvas, series);
            // A value on the way may be wider than that at the end.
            if (figure.until && room > 0)
                room = std::max(room, kValueGap + canvas.textWidth(series.value.ends_with("%") ? "100.0 %" : "88.888",
                                                                   valueStyle(series)));
            const double first = canvas.textWidth(series.name, nameStyle(series)) + room;
            widest = std::max({widest, first, canvas.textWidth(series.note, kNoteStyle)});
        }
    }
    // A pixel to spare, so that the widest itself is not cut.
    return figure.series.empty() ? 0 : std::min(widest + 1, style.width * 0.34) + kLabelIndent;
}

void drawAxes(Canvas& canvas, const Frame& frame) {
    for (const Tick& tick : frame.figure.y.ticks) {
        const double y = frame.y(tick.at);
        canvas.line(std::array{Point{frame.left, y}, Point{frame.right, y}}, {Ink::Line, 1, 1, {}});
        CanvasTextStyle style = kTickStyle;
        style.anchor = Anchor::End;
        canvas.text({frame.left - 8, y + 3.5}, tick.text, style);
    }
    for (const Tick& tick : frame.figure.x.ticks) {
        const double x = frame.x(tick.at);
        if (frame.figure.x.grid)
            canvas.line(std::array{Point{x, frame.top}, Point{x, frame.bottom}}, {Ink::Line, 1, 1, {}});
        canvas.text({x, frame.bottom + 16}, tick.text, kTickStyle);
    }
    CanvasTextStyle caption = kTickStyle;
    caption.anchor = Anchor::End;
    canvas.text({frame.right, frame.bottom + 32}, frame.figure.x.caption, caption);
    // Without a subtitle, the axis names its own unit above it, in upright text.
    caption.anchor = Anchor::Start;
    if (!frame.style.headed && !frame.figure.y.caption.empty())
        canvas.text({frame.style.edge, kCaptionHeight - 4}, frame.figure.y.caption, caption);
}

void drawBorders(Canvas& canvas, const Frame& frame) {
    const std::vector<Border>& borders = frame.figure.borders;
    CanvasTextStyle style = kTickStyle;
    style.anchor = Anchor::Start;
    for (std::size_t k = 0; k < borders.size(); ++k) {
        const double x = frame.x(borders[k].at);
        const double room = (k + 1 < borders.size() ? frame.x(borders[k + 1].at) : frame.right) - x - 8;
        if (k > 0)
            canvas.line(std::array{Point{x, frame.top - 14}, Point{x, frame.bottom}}, {Ink::Quiet, 0.8, 0.7, {3, 3}});
        if (canvas.textWidth(borders[k].name, style) <= room)
            canvas.text({x + 4, frame.top - 5}, borders[k].name, style);
        else if (canvas.textWidth(borders[k].brief, style) <= room)
            canvas.text({x + 4, frame.top - 5}, borders[k].brief, style);
    }
}

void shade(Canvas& canvas, const Frame& frame, const Series& series) {
    std::vector<Point> outline;
    for (const FigurePoint& point : series.points)
        outline.push_back({frame.x(point.x), frame.y(point.y + (series.band ? point.deviation : 0))});
    for (auto point = series.points.rbegin(); point != series.points.rend(); ++point)
        outline.push_back({frame.x(point->x), frame.y(series.band ? point->y - point->deviation : frame.figure.y.low)});
    canvas.polygon(outline, {series.style.ink, series.band ? 0.16 : 0.12}, std::nullopt);
}

void drawSeries(Canvas& canvas, const Frame& frame, const Series& series, std::size_t index) {
    for (const std::vector<Point>& member : series.members) {
        std::vector<Point> line;
        line.reserve(member.size());
        for (const Point& point : member) line.push_back({frame.x(point.x), frame.y(point.y)});
        canvas.line(line, {series.style.ink, 0.8, 0.35, {}});
    }
    std::vector<Point> line;
    line.reserve(series.points.size());
    for (const FigurePoint& point : series.points) line.push_back(frame.at(point));
    const double width = series.style.width * frame.style.line;
    canvas.line(line, {series.style.ink, width, series.style.opacity, series.style.dash});
    // A marker on every n-th point, shifted from series to series so that those of neighbours do not hide each other.
    const std::size_t all = std::max(series.whole_count, line.size()),
                      measured = line.size() - (series.interpolated_end ? 1 : 0);
    const auto every = static_cast<std::size_t>(std::ceil(static_cast<double>(all) / kMostMarkers));
    for (std::size_t k = every > 1 ? (every - 1 + index * 2) % every : 0; k < measured; k += every)
        drawMarker(canvas, series.style, line[k], width + 1.8 * frame.style.line);
}

/// The counterpart of a curve's band for a single point.
void drawWhisker(Canvas& canvas, const Frame& frame, const Series& series) {
    constexpr double kCap = 5;
    const FigurePoint& point = series.points.front();
    const double x = frame.x(point.x);
    const double high = frame.y(point.y + point.deviation), low = frame.y(point.y - point.deviation);
    const Stroke stroke{series.style.ink, 1.4, 1, {}};
    canvas.line(std::array{Point{x, high}, Point{x, low}}, stroke);
    for (const double y : {high, low}) canvas.line(std::array{Point{x - kCap, y}, Point{x + kCap, y}}, stroke);
}

void drawLabel(Canvas& canvas, const Frame& frame, const Series& series, double middle) {
    drawMarker(canvas, series.style, {frame.right + 23, middle}, 3.6);
    const double left = frame.right + kLabelIndent;
    const double room = frame.style.width - frame.style.edge / 2 - left;
    const CanvasTextStyle style = nameStyle(series);
    const std::string name = elided(canvas, series.name, style, room - valueRoom(canvas, series));
    canvas.text({left, middle + 4}, name, style);
    if (!series.value.empty())
        canvas.text({left + canvas.textWidth(name, style) + kValueGap, middle + 4}, series.value, valueStyle(series));
    if (!series.note.empty())
        canvas.text({left, middle + 4 + kNoteHeight}, elided(canvas, series.note, kNoteStyle, room), kNoteStyle);
}

/// A label with the height of the middle of its first line, which is placed near the end of the curve.
struct Label {
    const Series* series = nullptr;
    double middle = 0;
};

std::vector<Label> placeAll(const Frame& frame) {
    std::vector<Label> labels;
    if (frame.style.legend != LegendPlace::Beside) return labels;
    std::vector<LabelRequest> requests;
    for (const Series& series : frame.figure.series) {
        if (series.labelled && !series.points.empty()) {
            const double note = series.note.empty() ? 0 : kNoteHeight;
            labels.push_back({&series, note / 2});
            requests.push_back({frame.at(series.points.back()).y + note / 2, kNameHeight + note, series.rank});
        }
    }
    const auto places = placeLabels(requests, frame.top - 8, frame.bottom + 6, 3);
    for (std::size_t k = 0; k < labels.size(); ++k)
        if (places[k])
            labels[k].middle = *places[k] - labels[k].middle;
        else
            labels[k].series = nullptr;
    std::erase_if(labels, [](const Label& label) { return label.series == nullptr; });
    return labels;
}

void drawLeader(Canvas& canvas, const Frame& frame, const Label& label) {
    const Point end = frame.at(label.series->points.back());
    canvas.line(std::array{end, Point{std::max(end.x, frame.right + 6), end.y}, Point{frame.right + 17, label.middle}},
                {label.series->style.ink, 0.8, 0.6, {1.5, 2}});
}

}  // namespace

double legendHeight(Canvas& measure, const CurveFigure& figure, const FigureStyle& style) {
    const LegendLayout layout = layoutOf(measure, figure, style);
    return layout.entries.empty() ? 0 : static_cast<double>(layout.rows()) * layout.rowHeight() + style.edge;
}

void drawLegend(Canvas& canvas, const CurveFigure& figure, const FigureStyle& style, double top) {
    const LegendLayout layout = layoutOf(canvas, figure, style);
    const CurveFigure shown = figure.until ? cutAt(figure, *figure.until) : figure;
    for (std::size_t k = 0; k < layout.entries.size(); ++k) {
        // The layout is that of all of it; a curve that has not begun has an empty place.
        const Series& series = shown.series[static_cast<std::size_t>(layout.entries[k] - figure.series.data())];
        if (series.points.empty()) continue;
        const double left = style.edge + static_cast<double>(k % layout.columns) * (layout.column + kLegendGap);
        const double base = top + static_cast<double>(k / layout.columns) * layout.rowHeight() + 10;
        const double middle = base - 3.5;
        canvas.line(std::array{Point{left, middle}, Point{left + kSample - 6, middle}},
                    {series.style.ink, series.style.width * style.line, series.style.opacity, series.style.dash});
        drawMarker(canvas, series.style, {left + (kSample - 6) / 2, middle}, 3.2);
        const double right = left + layout.column;
        const CanvasTextStyle named = legendNameStyle(series);
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

void drawCurves(Canvas& canvas, const CurveFigure& whole, const FigureStyle& style) {
    const double column = labelColumn(canvas, whole, style);
    const CurveFigure figure = whole.until ? cutAt(whole, *whole.until) : whole;
    const double unit = style.headed || figure.y.caption.empty() ? 0 : kCaptionHeight;
    // The last tick label reaches over the end of the axis.
    const double last = figure.x.ticks.empty() ? 0 : canvas.textWidth(figure.x.ticks.back().text, kTickStyle) / 2;
    const double right = column > 0 ? column + style.edge / 2 : std::max(style.edge, last + 2);
    const Frame frame{figure,
                      style,
                      style.edge + kTickRoom,
                      style.head() + unit + (style.headed || !figure.borders.empty() ? 22 : 8),
                      style.width - std::max(style.edge, right),
                      style.height - 44};
    drawAxes(canvas, frame);
    drawBorders(canvas, frame);
    const bool empty = std::all_of(figure.series.begin(), figure.series.end(),
                                   [](const Series& series) { return series.points.empty(); });
    if (empty) {
        canvas.text({(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2}, figure.empty,
                    {12, false, Ink::Quiet, Anchor::Middle});
        return;
    }
    for (const Series& series : figure.series)
        if ((series.band || series.area) && series.points.size() > 1)
            shade(canvas, frame, series);
        else if (series.band && series.points.size() == 1)
            drawWhisker(canvas, frame, series);
    const std::vector<Label> labels = placeAll(frame);
    for (const Label& label : labels) drawLeader(canvas, frame, label);
    for (std::size_t k = figure.series.size(); k-- > 0;) drawSeries(canvas, frame, figure.series[k], k);
    for (const Label& label : labels) drawLabel(canvas, frame, *label.series, label.middle);
}

}  // namespace palimpsest::report
