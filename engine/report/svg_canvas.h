// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/report/cairo_canvas.h"

namespace palimpsest::report {

/// A file of its own with light colours, or a part of a page that follows the page's colours.
enum class SvgUse { File, Page };

/// Writes SVG with real text (cairo's own SVG turns text into outlines, which nobody can search, edit or read aloud).
class SvgCanvas : public Canvas {
public:
    explicit SvgCanvas(SvgUse use) : use_(use) {}

    void line(std::span<const Point> points, const Stroke& stroke) override;
    void polygon(std::span<const Point> points, const Fill& fill, const std::optional<Stroke>& outline) override;
    void circle(Point centre, double radius, const Fill& fill, const std::optional<Stroke>& outline) override;
    void text(Point at, const std::string& text, const CanvasTextStyle& style) override;
    double textWidth(const std::string& text, const CanvasTextStyle& style) override;

    /// The whole picture. `points`: of paper a unit takes in a file; 0: it is a pixel. `description` is for screen
    /// readers.
    std::string document(double width, double height, double points, const std::string& title,
                         const std::string& description) const;

private:
    std::string paint(Ink ink) const;
    std::string strokeStyle(const Stroke& stroke) const;
    std::string fillStyle(const Fill& fill, const std::optional<Stroke>& outline) const;

    SvgUse use_;
    CairoCanvas measure_;
    std::string body_;
};

}  // namespace palimpsest::report
