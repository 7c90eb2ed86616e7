// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/canvas.h"

namespace palimpsest::report {

std::string elided(Canvas& canvas, const std::string& text, const TextStyle& style, double width) {
    if (canvas.textWidth(text, style) <= width) {
        return text;
    }
    std::string kept = text;
    while (!kept.empty()) {
        // A UTF-8 character is taken away whole: continuation bytes are 10xxxxxx.
        while (kept.size() > 1 && (static_cast<unsigned char>(kept.back()) & 0xC0U) == 0x80U) {
            kept.pop_back();
        }
        kept.pop_back();
        while (kept.ends_with(' ')) {
            kept.pop_back();
        }
        if (canvas.textWidth(kept + "…", style) <= width) {
            break;
        }
    }
    return kept + "…";
}

}  // namespace palimpsest::report
