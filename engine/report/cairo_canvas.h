// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/report/canvas.h"

struct _cairo;
struct _cairo_surface;

namespace palimpsest::report {

/// Draws on a cairo surface in light colours. Only its .cpp file needs cairo's headers.
class CairoCanvas : public Canvas {
public:
    /// An invisible canvas that can only measure text.
    CairoCanvas();
    /// `scale`: surface units a canvas unit. Takes the surface over.
    CairoCanvas(_cairo_surface* surface, double scale);
    ~CairoCanvas() override;
    CairoCanvas(const CairoCanvas&) = delete;
    CairoCanvas& operator=(const CairoCanvas&) = delete;

    void line(std::span<const Point> points, const Stroke& stroke) override;
    void polygon(std::span<const Point> points, const Fill& fill, const std::optional<Stroke>& outline) override;
    void circle(Point centre, double radius, const Fill& fill, const std::optional<Stroke>& outline) override;
    void text(Point at, const std::string& text, const CanvasTextStyle& style) override;
    double textWidth(const std::string& text, const CanvasTextStyle& style) override;

    /// Fills the whole surface with one ink, also the rest of a pixel that the figure covers in part.
    void cover(Ink ink);
    _cairo_surface* surface() const { return surface_; }
    /// Empty when all went well, else cairo's message.
    std::string failure() const;

private:
    void fillAndOutline(const Fill& fill, const std::optional<Stroke>& outline);
    void outline(const Stroke& stroke);
    void selectFont(const CanvasTextStyle& style);

    _cairo_surface* surface_;
    _cairo* cairo_;
};

}  // namespace palimpsest::report
