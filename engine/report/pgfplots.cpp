// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/pgfplots.h"

#include <algorithm>

#include "engine/report/number_text.h"
#include "engine/report/palette.h"
#include "engine/report/tex_curves.h"
#include "engine/report/tex_text.h"

namespace palimpsest::report {
namespace {

/// Row by row as drawHeatMap() does it.
std::string heatAxis(const HeatFigure& figure, const FigureStyle& style) {
    const auto rows = static_cast<double>(figure.rows.size()), columns = static_cast<double>(figure.columns.size());
    const auto labels = [](const std::vector<std::string>& names) {
        std::string text;
        for (const std::string& name : names) text += (text.empty() ? "{" : ",{") + texText(name) + "}";
        return text;
    };
    const auto places = [](std::size_t count) {
        std::string text;
        for (std::size_t k = 0; k < count; ++k) text += (k == 0 ? "" : ",") + std::to_string(k);
        return text;
    };
    std::string text =
        "\\begin{axis}[\n  width=" + texLength(style.inches(), "in") +
        ", height=" + texLength(std::min(style.inches() * 0.75, 0.5 + 0.28 * rows), "in") +
        ",\n  xmin=-0.5, xmax=" + trimmedText(columns - 0.5, 1) + ", ymin=-0.5, ymax=" + trimmedText(rows - 0.5, 1) +
        ", y dir=reverse,\n  axis line style={draw=none}, tick style={draw=none}" + ", axis x line*=top,\n  xtick={" +
        places(figure.columns.size()) + "}, xticklabels={" + labels(figure.columns) + "},\n  ytick={" +
        places(figure.rows.size()) + "}, yticklabels={" + labels(figure.rows) +
        "},\n  tick label style={font=" + texFont(style) + "}, label style={font=" + texFont(style) + "}, xlabel={" +
        texText(figure.column_caption) + "},\n]\n";
    const bool numbers = columns * 0.33 * style.fontPoints() / 7 <= style.inches() - 1;
    for (std::size_t r = 0; r < figure.values.size(); ++r) {
        for (std::size_t c = 0; c < figure.values[r].size(); ++c) {
            const std::optional<double>& value = figure.values[r][c];
            if (!value) continue;
            const auto x = static_cast<double>(c), y = static_cast<double>(r);
            const double share = 5 + 57 * std::clamp(*value / 100, 0.0, 1.0);
            const auto corner = [&](double dx, double dy) {
                return "(axis cs:" + trimmedText(x + dx, 2) + "," + trimmedText(y + dy, 2) + ")";
            };
            text += "\\fill[palimpsestAccent!" + trimmedText(share, 1) + "] " + corner(-0.48, -0.47) + " rectangle " +
                    corner(0.48, 0.47) + ";\n";
            if (numbers) {
                text += "\\node[font=" + texFont(style) + "] at " + corner(0, 0) + " {" + fixedText(*value, 1) + "};\n";
            }
        }
    }
    return text + "\\end{axis}\n";
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
