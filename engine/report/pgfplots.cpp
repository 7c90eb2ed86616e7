// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/pgfplots.h"

#include <algorithm>
#include <cmath>

#include "engine/report/palette.h"
#include "engine/report/tex_curves.h"
#include "engine/report/tex_text.h"
#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

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
        text += "\\fill[palimpsestAccent!" + trimmedText(shareOf((k + 0.5) / kSteps), 1) + "] (" +
                texLength(kWidth / kSteps * k, "in") + ",0pt) rectangle (" +
                texLength(kWidth / kSteps * (k + 1), "in") + ",6pt);\n";
    }
    text += node + "east] at (0pt,3pt) {0};\n" + node + "west] at (" + texLength(kWidth, "in") + ",3pt) {" +
            trimmedText(figure.top, 1) + "\\quad " + texText(figure.scale) + "};\n";
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
            const double share = shareOf(*value / figure.top);
            const auto corner = [&](double dx, double dy) {
                return "(axis cs:" + trimmedText(x + dx, 2) + "," + trimmedText(y + dy, 2) + ")";
            };
            text += "\\fill[palimpsestAccent!" + trimmedText(share, 1) + "] " + corner(-0.48, -0.47) + " rectangle " +
                    corner(0.48, 0.47) + ";\n";
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
        text += "\\pgfplotsset{every axis/.append style={title={" + texText(figure.title) + ": " +
                texText(figure.subtitle) + "}, title style={font=" + texFont(style) + ", align=left}}}\n";
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
