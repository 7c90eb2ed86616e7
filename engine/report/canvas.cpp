// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/canvas.h"

namespace palimpsest::report {

namespace {

struct InkRow {
    Ink ink;
    const char* name;
    const char* light;
    const char* dark;
};

constexpr std::array<InkRow, kInks.size()> kInkRows{{
    {Ink::Panel, "--panel", "#ffffff", "#1d2027"},
    {Ink::Line, "--line", "#dfe3e8", "#2b2f39"},
    {Ink::Text, "--text", "#1b1f27", "#e7eaf0"},
    {Ink::Quiet, "--quiet", "#5b6472", "#9aa3b2"},
    {Ink::Accent, "--accent", "#0b6bcb", "#4ea1ff"},
    {Ink::Series1, "--series-1", "#0072b2", "#56b4e9"},
    {Ink::Series2, "--series-2", "#d55e00", "#f28e5c"},
    {Ink::Series3, "--series-3", "#009e73", "#3fc79a"},
    {Ink::Series4, "--series-4", "#cc79a7", "#e29cc4"},
    {Ink::Series5, "--series-5", "#8a6d00", "#e0c14a"},
}};

const InkRow& inkRow(Ink ink) {
    return kInkRows[static_cast<std::size_t>(ink)];
}

}  // namespace

const char* lightColour(Ink ink) {
    return inkRow(ink).light;
}
const char* darkColour(Ink ink) {
    return inkRow(ink).dark;
}
const char* variableName(Ink ink) {
    return inkRow(ink).name;
}

std::string elided(Canvas& canvas, const std::string& text, const CanvasTextStyle& style, double width) {
    if (canvas.textWidth(text, style) <= width) return text;
    std::string kept = text;
    while (!kept.empty()) {
        // A UTF-8 character is taken away whole: continuation bytes are 10xxxxxx.
        while (kept.size() > 1 && (static_cast<unsigned char>(kept.back()) & 0xC0U) == 0x80U) kept.pop_back();
        kept.pop_back();
        while (kept.ends_with(' ')) kept.pop_back();
        if (canvas.textWidth(kept + "…", style) <= width) break;
    }
    return kept + "…";
}

}  // namespace palimpsest::report
