// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/cairo_canvas.h"

#include <cairo.h>

#include <cstdlib>
#include <numbers>

#include "engine/report/canvas.h"

namespace palimpsest::report {
namespace {

void setInk(cairo_t* cairo, Ink ink, double opacity) {
    const unsigned long rgb = std::strtoul(lightColour(ink) + 1, nullptr, 16);
    const auto channel = [rgb](int shift) { return static_cast<double>((rgb >> shift) & 0xFFU) / 255; };
    cairo_set_source_rgba(cairo, channel(16), channel(8), channel(0), opacity);
}

}  // namespace

CairoCanvas::CairoCanvas() : CairoCanvas(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), 1) {}

CairoCanvas::CairoCanvas(_cairo_surface* surface, double scale) : surface_(surface), cairo_(cairo_create(surface)) {
    cairo_scale(cairo_, scale, scale);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    // Widths without hinting are the same on every surface, so one layout serves all formats.
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo_, options);
    cairo_font_options_destroy(options);
}

CairoCanvas::~CairoCanvas() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
}

void CairoCanvas::cover(Ink ink) {
    setInk(cairo_, ink, 1);
    cairo_paint(cairo_);
}

void CairoCanvas::line(std::span<const Point> points, const Stroke& stroke) {
    cairo_new_path(cairo_);
    for (const Point& point : points) cairo_line_to(cairo_, point.x, point.y);
    outline(stroke);
    cairo_new_path(cairo_);
}

void CairoCanvas::polygon(std::span<const Point> points, const Fill& fill, const std::optional<Stroke>& outline) {
    cairo_new_path(cairo_);
    for (const Point& point : points) cairo_line_to(cairo_, point.x, point.y);
    cairo_close_path(cairo_);
    fillAndOutline(fill, outline);
}

void CairoCanvas::circle(Point centre, double radius, const Fill& fill, const std::optional<Stroke>& outline) {
    cairo_new_path(cairo_);
    cairo_arc(cairo_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    fillAndOutline(fill, outline);
}

void CairoCanvas::text(Point at, const std::string& text, const CanvasTextStyle& style) {
    const double width = style.anchor == Anchor::Start ? 0 : textWidth(text, style);
    const double shift = style.anchor == Anchor::Middle ? width / 2 : width;
    selectFont(style);
    setInk(cairo_, style.ink, 1);
    if (style.upwards) {
        cairo_save(cairo_);
        cairo_translate(cairo_, at.x, at.y);
        cairo_rotate(cairo_, -std::numbers::pi / 2);
        cairo_move_to(cairo_, -shift, 0);
    } else {
        cairo_move_to(cairo_, at.x - shift, at.y);
    }
    cairo_show_text(cairo_, text.c_str());
    cairo_new_path(cairo_);
    if (style.upwards) cairo_restore(cairo_);
}

double CairoCanvas::textWidth(const std::string& text, const CanvasTextStyle& style) {
    selectFont(style);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, text.c_str(), &extents);
    return extents.x_advance;
}

std::string CairoCanvas::failure() const {
    const cairo_status_t drawing = cairo_status(cairo_);
    const cairo_status_t status = drawing == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface_) : drawing;
    return status == CAIRO_STATUS_SUCCESS ? std::string() : cairo_status_to_string(status);
}

void CairoCanvas::fillAndOutline(const Fill& fill, const std::optional<Stroke>& stroke) {
    setInk(cairo_, fill.ink, fill.opacity);
    cairo_fill_preserve(cairo_);
    if (stroke) outline(*stroke);
    cairo_new_path(cairo_);
}

void CairoCanvas::outline(const Stroke& stroke) {
    setInk(cairo_, stroke.ink, stroke.opacity);
    cairo_set_line_width(cairo_, stroke.width);
    cairo_set_dash(cairo_, stroke.dash.data(), static_cast<int>(stroke.dash.size()), 0);
    cairo_stroke_preserve(cairo_);
}

void CairoCanvas::selectFont(const CanvasTextStyle& style) {
    // Fontconfig falls back to the system's sans (DejaVu on Debian) where Inter is not installed.
    cairo_select_font_face(cairo_, "Inter", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo_, style.size);
}

}  // namespace palimpsest::report
