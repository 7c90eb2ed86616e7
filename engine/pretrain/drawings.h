// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <opencv2/core/mat.hpp>
#include <string>
#include <vector>

namespace palimpsest {

/// Label spaces of the pretraining: each has a classifier of its own on the network's feature.
enum class LabelSpace : std::uint8_t { Fractal, Contour, Character, Font, Picture };
inline constexpr std::size_t kLabelSpaces = 5;
std::string labelSpaceName(LabelSpace space);

/// Something to look at, without ground: what a training picture is composed of.
struct Drawing {
    enum class Kind : std::uint8_t {
        Dots,        ///< grey; the brightness is also what covers the ground
        Silhouette,  ///< grey; covers the ground where it is not black
        Ink,         ///< how much of each pixel ink covers
        Colours      ///< RGBA, colours times coverage
    };
    cv::Mat pixels;  ///< CV_8UC1, or CV_8UC4 for Colours; [kDrawingSide, kDrawingSide]
    Kind kind = Kind::Dots;
    bool mirrors = true;                                                ///< a mirrored one has the same labels
    std::array<std::int32_t, kLabelSpaces> labels{-1, -1, -1, -1, -1};  ///< by label space; -1: none
};
inline constexpr int kDrawingSide = 40;

/// Where drawings come from.
struct DrawingSources {
    std::int64_t fractals = 0, contours = 0, instances = 1;  ///< classes, and pictures of each
    std::filesystem::path fonts;     ///< TrueType and OpenType files in any folders below; empty: none
    std::filesystem::path pictures;  ///< a folder for each class; empty: none
    std::int64_t glyphs_a_font = 120;
    std::uint64_t seed = 1;
    int threads = 1;
};

/// All drawings of a pretraining, kept as bytes, by groups: fractals, contours, glyphs, pictures.
struct Drawings {
    std::array<std::vector<Drawing>, 4> groups;
    std::array<std::int32_t, kLabelSpaces> classes{};  ///< by label space; 0: no drawing has such labels

    bool empty() const;
};

/// Renders and reads them. Depends on the sources alone. `stopping` is called before each drawing, by any thread; once
/// it returns true, nothing is returned. Throws Error(Input) for a folder that is missing or holds nothing of use, and
/// for a picture or a font that cannot be read.
Drawings makeDrawings(
    const DrawingSources& sources, const std::function<bool()>& stopping = [] { return false; });

}  // namespace palimpsest
