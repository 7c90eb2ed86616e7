// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/marker_drawing.h"

#include <array>

namespace palimpsest::report {

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

}  // namespace palimpsest::report
