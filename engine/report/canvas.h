// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace palimpsest::report {

/// Colours by meaning.
enum class Ink { Panel, Line, Text, Quiet, Accent, Series1, Series2, Series3, Series4, Series5 };

inline constexpr std::array kInks{Ink::Panel,   Ink::Line,    Ink::Text,    Ink::Quiet,   Ink::Accent,
                                  Ink::Series1, Ink::Series2, Ink::Series3, Ink::Series4, Ink::Series5};

/// "#rrggbb" on a light ground (Okabe and Ito's palette, its yellow darkened for white paper) and on a dark one.
const char* lightColour(Ink ink);
const char* darkColour(Ink ink);
/// Custom property of the page's style sheet, e.g. "--series-1".
const char* variableName(Ink ink);

struct Point {
    double x = 0;
    double y = 0;
};

struct Fill {
    Ink ink = Ink::Text;
    double opacity = 1;
};

struct Stroke {
    Ink ink = Ink::Line;
    double width = 1;
    double opacity = 1;
    std::vector<double> dash;  ///< lengths of strokes and gaps; empty: solid
};

enum class Anchor { Start, Middle, End };

struct CanvasTextStyle {
    double size = 11;
    bool bold = false;
    Ink ink = Ink::Text;
    Anchor anchor = Anchor::Start;
    bool upwards = false;  ///< turned by a quarter, to be read from below; the anchor is along the text
};

/// Surface that a figure is drawn on. Units are pixels of a screen (PDF: points), the origin is the top left corner.
class Canvas {
public:
    virtual ~Canvas() = default;
    virtual void line(std::span<const Point> points, const Stroke& stroke) = 0;
    virtual void polygon(std::span<const Point> points, const Fill& fill, const std::optional<Stroke>& outline) = 0;
    virtual void circle(Point centre, double radius, const Fill& fill, const std::optional<Stroke>& outline) = 0;
    /// `at` is on the base line.
    virtual void text(Point at, const std::string& text, const CanvasTextStyle& style) = 0;
    virtual double textWidth(const std::string& text, const CanvasTextStyle& style) = 0;
};

/// The text, or as much of it as fits with an ellipsis.
std::string elided(Canvas& canvas, const std::string& text, const CanvasTextStyle& style, double width);

}  // namespace palimpsest::report
