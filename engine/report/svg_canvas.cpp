// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/svg_canvas.h"

#include "engine/report/canvas.h"
#include "engine/report/markup.h"
#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

/// A hundredth of a pixel is enough.
std::string coordinate(double value) {
    return trimmedText(value, 2);
}

std::string pointList(std::span<const Point> points) {
    std::string text;
    for (const Point& point : points)
        text += (text.empty() ? "" : " ") + coordinate(point.x) + "," + coordinate(point.y);
    return text;
}

}  // namespace

void SvgCanvas::line(std::span<const Point> points, const Stroke& stroke) {
    body_ += "<polyline points=\"" + pointList(points) + "\" style=\"fill:none;" + strokeStyle(stroke) + "\"/>\n";
}

void SvgCanvas::polygon(std::span<const Point> points, const Fill& fill, const std::optional<Stroke>& outline) {
    body_ += "<polygon points=\"" + pointList(points) + "\" style=\"" + fillStyle(fill, outline) + "\"/>\n";
}

void SvgCanvas::circle(Point centre, double radius, const Fill& fill, const std::optional<Stroke>& outline) {
    body_ += "<circle cx=\"" + coordinate(centre.x) + "\" cy=\"" + coordinate(centre.y) + "\" r=\"" +
             coordinate(radius) + "\" style=\"" + fillStyle(fill, outline) + "\"/>\n";
}

void SvgCanvas::text(Point at, const std::string& text, const CanvasTextStyle& style) {
    body_ += "<text x=\"" + coordinate(at.x) + "\" y=\"" + coordinate(at.y) + "\" style=\"fill:" + paint(style.ink) +
             ";font-size:" + coordinate(style.size) + "px";
    body_ += style.bold ? ";font-weight:bold" : "";
    if (style.anchor != Anchor::Start)
        body_ += style.anchor == Anchor::Middle ? ";text-anchor:middle" : ";text-anchor:end";
    body_ += '"';
    if (style.upwards) body_ += " transform=\"rotate(-90 " + coordinate(at.x) + " " + coordinate(at.y) + ")\"";
    body_ += ">" + escapeMarkup(text) + "</text>\n";
}

double SvgCanvas::textWidth(const std::string& text, const CanvasTextStyle& style) {
    return measure_.textWidth(text, style);
}

std::string SvgCanvas::document(double width, double height, double points, const std::string& title,
                                const std::string& description) const {
    const auto length = [&](double units) {
        return points > 0 ? coordinate(units * points) + "pt" : coordinate(units);
    };
    const std::string w = coordinate(width);
    const std::string h = coordinate(height);
    std::string text = use_ == SvgUse::File ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" : "";
    text += "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + w + " " + h + "\"";
    text += use_ == SvgUse::File ? " width=\"" + length(width) + "\" height=\"" + length(height) + "\"" : std::string();
    text += " role=\"img\" aria-label=\"" + escapeMarkup(title + ". " + description) +
            "\" font-family=\"Inter, 'DejaVu Sans', sans-serif\" stroke-linejoin=\"round\">\n";
    if (use_ == SvgUse::File)
        text += "<title>" + escapeMarkup(title) + "</title>\n<desc>" + escapeMarkup(description) + "</desc>\n";
    return text + body_ + "</svg>\n";
}

std::string SvgCanvas::paint(Ink ink) const {
    return use_ == SvgUse::File ? lightColour(ink) : std::string("var(") + variableName(ink) + ")";
}

std::string SvgCanvas::strokeStyle(const Stroke& stroke) const {
    std::string style = "stroke:" + paint(stroke.ink) + ";stroke-width:" + coordinate(stroke.width);
    if (stroke.opacity < 1) style += ";stroke-opacity:" + coordinate(stroke.opacity);
    if (!stroke.dash.empty()) {
        style += ";stroke-dasharray:";
        for (std::size_t i = 0; i < stroke.dash.size(); ++i) style += (i > 0 ? "," : "") + coordinate(stroke.dash[i]);
    }
    return style;
}

std::string SvgCanvas::fillStyle(const Fill& fill, const std::optional<Stroke>& outline) const {
    std::string style = "fill:" + paint(fill.ink);
    if (fill.opacity < 1) style += ";fill-opacity:" + coordinate(fill.opacity);
    return outline ? style + ";" + strokeStyle(*outline) : style;
}

}  // namespace palimpsest::report
