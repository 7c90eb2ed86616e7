// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/palette.h"

namespace palimpsest::report {
namespace {

struct InkRow {
    Ink ink;
    const char* name;
    const char* light;
    const char* dark;
};

constexpr std::array<InkRow, kInks.size()> kTable{{
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

const InkRow& row(Ink ink) {
    return kTable[static_cast<std::size_t>(ink)];
}

}  // namespace

const char* lightColour(Ink ink) {
    return row(ink).light;
}
const char* darkColour(Ink ink) {
    return row(ink).dark;
}
const char* variableName(Ink ink) {
    return row(ink).name;
}

SeriesStyle seriesStyle(std::size_t index) {
    constexpr std::array kColours{Ink::Series1, Ink::Series2, Ink::Series3, Ink::Series4, Ink::Series5};
    constexpr std::array kMarkers{Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Cross};
    static const std::array<std::vector<double>, 5> kDashes{{{}, {7, 3}, {2, 2.5}, {9, 3, 2, 3}, {9, 3, 2, 3, 2, 3}}};
    // Each turn through the colours shifts the dashes, so that no pair comes back within the first 20.
    const std::size_t turn = index / kColours.size();
    return {kColours[index % kColours.size()], kMarkers[(index + turn) % kMarkers.size()],
            kDashes[(index + turn) % kDashes.size()], 1.8, 1};
}

}  // namespace palimpsest::report
