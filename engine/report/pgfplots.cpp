// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure_drawing.h"

#include <algorithm>
#include <cmath>

#include "engine/report/canvas.h"
#include "engine/report/markup.h"
#include "engine/support/format.h"

namespace palimpsest::report {

namespace {

constexpr double kMostMarks = 13;

/// Points of a curve beyond which a file has only every n-th, so that TeX's memory lasts.
constexpr std::size_t kMostTitle = 80;  // characters
constexpr std::size_t kMostTexPoints = 500;

/// "palimpsestSeries1".
std::string texColour(Ink ink) {
    const std::string variable = variableName(ink);  // "--series-1"
    std::string name = "palimpsest";
    bool capital = true;
    for (const char c : variable.substr(2)) {
        if (c == '-') {
            capital = true;
            continue;
        }
        name += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        capital = false;
    }
    return name;
}

/// Value of the colour without the sign in front.
std::string texHex(Ink ink) {
    std::string hex = lightColour(ink) + 1;
    for (char& c : hex) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    return hex;
}

/// The size of tick labels, which the drawing has too.
std::string texFont(const FigureStyle& style) {
    const double size = style.fontPoints();
    return "\\fontsize{" + trimmedText(size, 1) + "}{" + trimmedText(size * 1.2, 1) + "}\\selectfont";
}

/// "3.3in".
std::string texLength(double value, const char* unit) {
    return trimmedText(value, 2) + unit;
}

std::string number(double value) {
    return trimmedText(value, 4);
}

std::string pair(double x, double y) {
    return "(" + number(x) + "," + number(y) + ")";
}

std::string points(double units, const FigureStyle& style) {
    return texLength(units * style.point, "pt");
}

std::string axisPlace(double x, double y) {
    return "(axis cs:" + number(x) + "," + number(y) + ")";
}

/// Every n-th place of so many, the last always.
std::vector<std::size_t> kept(std::size_t count) {
    const std::size_t step = (count + kMostTexPoints - 1) / kMostTexPoints;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < count; k += step) places.push_back(k);
    if (!places.empty() && places.back() + 1 != count) places.push_back(count - 1);
    return places;
}

const char* markOf(Marker marker) {
    switch (marker) {
        case Marker::Circle:
            return "*";
        case Marker::Square:
            return "square*";
        case Marker::Triangle:
            return "triangle*";
        case Marker::Diamond:
            return "diamond*";
        case Marker::Cross:
            return "x";
        case Marker::None:
            break;
    }
    return "none";
}

std::string dashOf(const Series& series, const FigureStyle& style) {
    if (series.style.dash.empty()) return "solid";
    std::string text = "dash pattern=";
    for (std::size_t k = 0; k < series.style.dash.size(); ++k)
        text += std::string(k == 0 ? "" : " ") + (k % 2 == 0 ? "on " : "off ") + points(series.style.dash[k], style);
    return text;
}

/// Beyond the axis nothing is drawn, a band is cut.
double inside(const CurveFigure& figure, double y) {
    return std::clamp(y, figure.y.low, figure.y.high);
}

std::string shadeOf(const CurveFigure& figure, const Series& series, const FigureStyle& style) {
    if (series.points.empty() || (!series.band && !series.area)) return {};
    const std::string colour = texColour(series.style.ink);
    if (series.points.size() == 1) {
        if (!series.band) return {};
        const FigurePoint& point = series.points.front();
        return "\\draw[" + colour + ", line width=" + points(1.4, style) + ", |-|] " +
               axisPlace(point.x, inside(figure, point.y - point.deviation)) + " -- " +
               axisPlace(point.x, inside(figure, point.y + point.deviation)) + ";\n";
    }
    const std::vector<std::size_t> places = kept(series.points.size());
    std::string text = "\\addplot[draw=none, fill=" + colour + ", fill opacity=" + (series.band ? "0.16" : "0.12") +
                       ", forget plot] coordinates {";
    for (const std::size_t k : places) {
        const FigurePoint& point = series.points[k];
        text += pair(point.x, inside(figure, point.y + (series.band ? point.deviation : 0)));
    }
    for (auto k = places.rbegin(); k != places.rend(); ++k) {
        const FigurePoint& point = series.points[*k];
        text += pair(point.x, inside(figure, series.band ? point.y - point.deviation : figure.y.low));
    }
    return text + "} -- cycle;\n";
}

std::string membersOf(const CurveFigure& figure, const Series& series, const FigureStyle& style) {
    std::string text;
    for (const std::vector<Point>& line : series.members) {
        text += "\\addplot[" + texColour(series.style.ink) + ", opacity=0.35, line width=" + points(0.8, style) +
                ", no marks, forget plot] coordinates {";
        for (const std::size_t k : kept(line.size())) text += pair(line[k].x, inside(figure, line[k].y));
        text += "};\n";
    }
    return text;
}

/// Beside the plot a note stands in a line of its own, since there is little room.
std::string legendText(const Series& series, const std::string& name, const FigureStyle& style) {
    std::string text = texText(name + (series.value.empty() ? "" : ", " + series.value));
    if (series.note.empty()) return text;
    return text + (style.legend == LegendPlace::Beside ? "\\\\" : ", ") + texText(series.note);
}

/// `name`: of the legend.
std::string curveOf(const CurveFigure& figure, const Series& series, const std::string& name,
                    const FigureStyle& style) {
    const std::vector<std::size_t> places = kept(series.points.size());
    const double width = series.style.width * style.line;
    std::string text;
    if (places.size() < series.points.size())
        text += texComment(std::to_string(places.size()) + " of " + std::to_string(series.points.size()) + " points");
    text += "\\addplot[" + texColour(series.style.ink) + ", line width=" + points(width, style) + ", " +
            dashOf(series, style) + (series.style.opacity < 1 ? ", opacity=" + number(series.style.opacity) : "") +
            ", mark=" + markOf(series.style.marker);
    if (series.style.marker != Marker::None) {
        const double every = std::ceil(static_cast<double>(places.size()) / kMostMarks);
        text += ", mark size=" + points(width + 1.8 * style.line, style) +
                ", mark repeat=" + number(std::max(1.0, every)) +
                ", mark options={solid, fill=palimpsestPanel, line width=" + points(1.5, style) + "}";
    }
    text += std::string(series.labelled ? "" : ", forget plot") + "] coordinates {";
    for (const std::size_t k : places) text += pair(series.points[k].x, inside(figure, series.points[k].y));
    text += "};\n";
    return series.labelled ? text + "\\addlegendentry{" + legendText(series, name, style) + "}\n" : text;
}

std::string bordersOf(const CurveFigure& figure, const FigureStyle& style, double inches) {
    std::string text;
    for (std::size_t k = 0; k < figure.borders.size(); ++k) {
        const Border& border = figure.borders[k];
        const double next = k + 1 < figure.borders.size() ? figure.borders[k + 1].at : figure.x.high;
        if (k > 0) {
            text += "\\draw[palimpsestQuiet, opacity=0.7, line width=" + points(0.8, style) + ", dash pattern=on " +
                    points(3, style) + " off " + points(3, style) + "] " + axisPlace(border.at, figure.y.low) + " -- " +
                    axisPlace(border.at, figure.y.high) + ";\n";
        }
        // A letter is about half as wide as it is high.
        const double room = (next - border.at) / (figure.x.high - figure.x.low) * inches * 72;
        const auto fits = [&](const std::string& name) {
            return static_cast<double>(name.size() + 1) * style.fontPoints() * 0.5 <= room;
        };
        const std::string& name = fits(border.name) ? border.name : border.brief;
        if (!fits(name)) continue;
        text += "\\node[palimpsestQuiet, anchor=south west, inner sep=1pt, font=" + texFont(style) + "] at " +
                axisPlace(border.at, figure.y.high) + " {" + texText(name) + "};\n";
    }
    return text;
}

std::string ticks(const char* axis, const Axis& of) {
    std::string at, names;
    for (const Tick& tick : of.ticks) {
        at += (at.empty() ? "" : ",") + number(tick.at);
        names += (names.empty() ? "{" : ",{") + texText(tick.text) + "}";
    }
    const std::string name = axis;
    return "  " + name + "min=" + number(of.low) + ", " + name + "max=" + number(of.high) + ", " + name + "tick={" +
           at + "}, " + name + "ticklabels={" + names + "}, " + name + "label={" + texText(of.caption) + "}" +
           (of.grid ? ", " + name + "majorgrids" : "") + ",\n";
}

std::string curveAxis(const CurveFigure& figure, const FigureStyle& style) {
    const bool below = style.legend == LegendPlace::Below;
    const double inches = style.inches() * (below ? 1 : 0.66);
    std::string text = "\\begin{axis}[\n  width=" + texLength(inches, "in") +
                       ", height=" + texLength((style.height - style.head()) * style.point / 72, "in") +
                       ", clip=false,\n" + ticks("x", figure.x) + ticks("y", figure.y) +
                       "  scaled ticks=false, axis lines=left, axis line style={-, palimpsestQuiet}, "
                       "grid style={palimpsestLine}, tick align=outside,\n  tick label style={font=" +
                       texFont(style) + "}, label style={font=" + texFont(style) +
                       "},\n  legend style={draw=none, fill=none, "
                       "font=" +
                       texFont(style) + ", cells={anchor=west, align=left}, " +
                       (below ? "at={(0.5,-0.28)}, anchor=north}" : "at={(1.02,1)}, anchor=north west}") +
                       ", reverse legend,\n]\n";
    text += bordersOf(figure, style, inches - 0.6);
    const bool empty = std::all_of(figure.series.begin(), figure.series.end(),
                                   [](const Series& series) { return series.points.empty(); });
    if (empty) {
        return text + "\\node[palimpsestQuiet, font=" + texFont(style) + "] at (rel axis cs:0.5,0.5) {" +
               texText(figure.empty) + "};\n\\end{axis}\n";
    }
    for (const Series& series : figure.series) text += shadeOf(figure, series, style);
    std::vector<std::string> names;
    for (const Series& series : figure.series) names.push_back(series.name);
    const std::map<std::string, std::string> shown = texNames(names);
    // The first is the main one: drawn last, on top.
    for (auto series = figure.series.rbegin(); series != figure.series.rend(); ++series) {
        if (series->points.empty()) continue;
        text += membersOf(figure, *series, style) + curveOf(figure, *series, shown.at(series->name), style);
    }
    return text + "\\end{axis}\n";
}

double shareOf(double fraction) {
    return 5 + 57 * std::clamp(fraction, 0.0, 1.0);
}

/// Key of the colours, below the cells.
std::string heatScale(const HeatFigure& figure, const FigureStyle& style) {
    constexpr int kSteps = 12;
    constexpr double kWidth = 0.9;  // inches
    const std::string node = "\\node[font=" + texFont(style) + ", inner sep=2pt, anchor=";
    std::string text = "\\begin{scope}[shift={(current axis.below south west)}, yshift=-10pt]\n";
    for (int k = 0; k < kSteps; ++k) {
        const auto [ink, share] = heatColourAt(figure, (k + 0.5) / kSteps);
        text += "\\fill[" + texColour(ink) + "!" + trimmedText(shareOf(share), 1) + "] (" +
                texLength(kWidth / kSteps * k, "in") + ",0pt) rectangle (" +
                texLength(kWidth / kSteps * (k + 1), "in") + ",6pt);\n";
    }
    text += node + "east] at (0pt,3pt) {" + texText(heatScaleStart(figure)) + "};\n" + node + "west] at (" +
            texLength(kWidth, "in") + ",3pt) {" + trimmedText(figure.top, 1) + "\\quad " + texText(figure.scale) +
            "};\n";
    return text + "\\end{scope}\n";
}

/// Row by row as drawHeatMap() does it.
std::string heatAxis(const HeatFigure& figure, const FigureStyle& style) {
    const auto rows = static_cast<double>(figure.rows.size()), columns = static_cast<double>(figure.columns.size());
    const auto labels = [](const std::vector<std::string>& names, std::size_t step) {
        std::string text;
        for (std::size_t k = 0; k < names.size(); k += step)
            text += (text.empty() ? "{" : ",{") + texText(names[k]) + "}";
        return text;
    };
    const auto places = [](std::size_t count, std::size_t step) {
        std::string text;
        for (std::size_t k = 0; k < count; k += step) text += (k == 0 ? "" : ",") + std::to_string(k);
        return text;
    };
    // A letter of 7 points is about 0.05 inches wide.
    std::size_t longest = 0;
    for (const std::string& name : figure.columns) longest = std::max(longest, name.size());
    const double column = (style.inches() - 1) / std::max(1.0, columns), name = static_cast<double>(longest) * 0.05;
    const bool upwards = figure.all_columns && name > column;
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil((upwards ? 0.1 : name + 0.05) / column)));
    std::string text = "\\begin{axis}[\n  width=" + texLength(style.inches(), "in") +
                       ", height=" + texLength(std::min(style.inches() * 0.75, 0.5 + 0.28 * rows), "in") +
                       ",\n  xmin=-0.5, xmax=" + trimmedText(columns - 0.5, 1) +
                       ", ymin=-0.5, ymax=" + trimmedText(rows - 0.5, 1) +
                       ", y dir=reverse,\n  axis line style={draw=none}, tick style={draw=none}" +
                       ", axis x line*=top,\n  xtick={" + places(figure.columns.size(), step) + "}, xticklabels={" +
                       labels(figure.columns, step) + "},\n  ytick={" + places(figure.rows.size(), 1) +
                       "}, yticklabels={" + labels(figure.rows, 1) + "},\n  tick label style={font=" + texFont(style) +
                       "}, label style={font=" + texFont(style) + "}, xlabel={" + texText(figure.column_caption) +
                       "},\n" + (upwards ? "  xticklabel style={rotate=90, anchor=west},\n" : "") + "]\n";
    const double room = column * 7 / style.fontPoints();  // of a cell, in inches of 7 points
    const int decimals = room >= 0.23 + 0.1 * figure.decimals ? figure.decimals : room >= 0.2 ? 0 : -1;
    for (std::size_t r = 0; r < figure.values.size(); ++r) {
        for (std::size_t c = 0; c < figure.values[r].size(); ++c) {
            const std::optional<double>& value = figure.values[r][c];
            if (!value) continue;
            const auto x = static_cast<double>(c), y = static_cast<double>(r);
            const auto [ink, share] = heatColour(figure, *value);
            const auto corner = [&](double dx, double dy) {
                return "(axis cs:" + trimmedText(x + dx, 2) + "," + trimmedText(y + dy, 2) + ")";
            };
            text += "\\fill[" + texColour(ink) + "!" + trimmedText(shareOf(share), 1) + "] " + corner(-0.48, -0.47) +
                    " rectangle " + corner(0.48, 0.47) + ";\n";
            if (decimals >= 0 && !(figure.quiet_zero && *value == 0)) {
                text += "\\node[font=" + texFont(style) + "] at " + corner(0, 0) + " {" + fixedText(*value, decimals) +
                        "};\n";
            }
        }
    }
    text += "\\end{axis}\n";
    return figure.scale.empty() ? text : text + heatScale(figure, style);
}

}  // namespace

std::string figureTikz(const Figure& figure, const FigureStyle& style, const std::string& caption) {
    std::string text = texComment(figure.title) + texComment(caption) +
                       "% Needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.16}.\n\\begin{tikzpicture}\n";
    for (const Ink ink : kInks) text += "\\definecolor{" + texColour(ink) + "}{HTML}{" + texHex(ink) + "}\n";
    if (style.headed) {
        text += "\\pgfplotsset{every axis/.append style={title={" + texText(shortName(figure.title, kMostTitle)) +
                ": " + texText(figure.subtitle) + "}, title style={font=" + texFont(style) + ", align=left}}}\n";
    }
    const auto* heat = std::get_if<HeatFigure>(&figure.content);
    text += heat ? heatAxis(*heat, style) : curveAxis(std::get<CurveFigure>(figure.content), style);
    return text + "\\end{tikzpicture}\n";
}

std::string figureTex(const Figure& figure, const FigureStyle& style, const std::string& caption) {
    return "\\documentclass[border=2pt]{standalone}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
           "\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.16}\n\\begin{document}\n" +
           figureTikz(figure, style, caption) + "\\end{document}\n";
}

}  // namespace palimpsest::report
