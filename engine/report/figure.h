// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/report/canvas.h"

namespace palimpsest::report {

// Content of a figure, without how it is drawn. Accuracies are in per cent.

enum class Marker { None, Circle, Square, Triangle, Diamond, Cross };

/// Look of one series beside the others: it differs by colour, and by dash and marker where there is no colour.
struct SeriesStyle {
    Ink ink = Ink::Series1;
    Marker marker = Marker::Circle;
    std::vector<double> dash;
    double width = 1.8;
    double opacity = 1;
};
/// The first 20 differ in colour and dash; the first five differ in any one of colour, dash and marker.
SeriesStyle seriesStyle(std::size_t index);

struct FigurePoint {
    double x = 0;
    double y = 0;
    double deviation = 0;
    std::int64_t count = 1;  ///< of values that it is the mean of
};

struct Series {
    std::string name;
    std::string value;  ///< beside the name: where the curve ends; may be empty
    std::string note;   ///< second, quieter line of the label; may be empty
    std::vector<FigurePoint> points;
    std::vector<std::vector<Point>> members;  ///< thin lines of the single seeds; may be empty
    SeriesStyle style;
    bool band = false;  ///< shade mean ± deviation; of a single point a whisker
    bool area = false;  ///< shade down to zero
    bool labelled = true;
    int rank = 0;                   ///< labels of the highest ranks give way first
    std::size_t whole_count = 0;    ///< of the beginning of a curve: how many points all of it has
    bool interpolated_end = false;  ///< its last point lies between two that were measured
};

struct Tick {
    double at = 0;
    std::string text;
};

struct Axis {
    double low = 0;
    double high = 1;
    std::vector<Tick> ticks;
    std::string caption;
    bool grid = false;
};

/// A session's first image: its name stands above the plot, the brief name where there is little room.
struct Border {
    double at = 0;
    std::string name;
    std::string brief;
};

struct CurveFigure {
    Axis x;
    Axis y;
    std::vector<Series> series;  ///< the first is the main one: drawn last, on top
    std::vector<Border> borders;
    std::string empty;            ///< what to say while there is no point
    std::optional<double> until;  ///< only what lies up to here is drawn, and the rest keeps its room
};

/// Range of the x axis that the points of a figure cover.
struct Extent {
    double first = 0, last = 0;
};
/// The extent of all curves; nothing for a figure without points.
std::optional<Extent> extentOf(const CurveFigure& figure);
/// The figure up to `until`, a place on the x axis. A curve that goes on beyond it ends there, between two of its
/// points, and its label shows the last measured value instead of the final one.
CurveFigure cutAt(const CurveFigure& figure, double until);

struct HeatFigure {
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    std::vector<std::vector<std::optional<double>>> values;  ///< [rows][columns]
    std::string column_caption;
    std::string scale;         ///< what the colours mean, with its unit: "accuracy, %"; stands beside their scale
    double top = 100;          ///< where the colours end
    int decimals = 1;          ///< of the numbers in the cells, and none where there is little room
    bool quiet_zero = false;   ///< a cell of 0 needs no number
    bool all_columns = false;  ///< their names are turned rather than left out where they do not fit
    bool two_sided = false;    ///< colours go from -top to top, by the square root of a value
    std::string column_word;   ///< before a column's name in a table: "session"; may be empty
};

/// The colour of a cell: an ink, and how strong it is.
struct HeatColour {
    Ink ink = Ink::Accent;
    double share = 0;  ///< 0 to 1
};
HeatColour heatColour(const HeatFigure& figure, double value);
/// The same along its scale, of which `place` is 0 at the beginning and 1 at the end.
HeatColour heatColourAt(const HeatFigure& figure, double place);
/// The number at the beginning of the scale.
std::string heatScaleStart(const HeatFigure& figure);

struct Figure {
    std::string file;  ///< file name without ending
    std::string title;
    std::string subtitle;     ///< unit, what is averaged
    std::string description;  ///< for a reader who cannot see it
    std::variant<CurveFigure, HeatFigure> content;
};

/// An axis from 0 with round steps, at most `most` of them. Steps of thousands and millions are written 2k, 1.5M.
Axis roundAxis(double high, int most);
/// End of an axis of per cent on which everything up to `largest` is seen: one of a few round numbers, 20 at least.
double percentCeiling(double largest);
/// 0 to percentCeiling().
Axis percentAxis(double largest);

/// The numbers of a figure, for readers who cannot see it or want them exactly.
struct FigureTable {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;  ///< the first cell of a row names it
};
FigureTable figureTable(const Figure& figure);

}  // namespace palimpsest::report
