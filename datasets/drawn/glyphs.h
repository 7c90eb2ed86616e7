// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <string>
#include <string_view>

namespace palimpsest {

class Random;

/// The 94 printable characters, in the order of the classes: digits, capitals, small letters, then the others.
inline constexpr std::string_view kGlyphs =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
/// Least difference of ink and paper in brightness, 0..255.
inline constexpr double kGlyphContrast = 100;

/// Style of one drawn character.
struct GlyphStyle {
    int face = 0;       ///< Hershey face of cv::putText, italic or not
    double height = 0;  ///< of a capital, share of the picture
    double weight = 0;  ///< of the pen, share of a capital's height
    double width = 1;   ///< stretch
    double slant = 0;   ///< sideways per unit upwards
    double turn = 0;    ///< radians
    double x = 0;       ///< position in the free space, -1..1
    double base = 0;    ///< height of the base line above the picture's lower edge, share of the picture
    std::array<double, 3> ink{}, paper{};  ///< RGB, 0..255
};

/// Name of a character: "digit 3", "capital A", "small a", "full stop".
std::string glyphName(char glyph);
/// Brightness of an RGB colour, on the same scale as its parts (ITU-R BT.601).
double brightnessOf(const std::array<double, 3>& rgb);
/// A random style, without the faces in which the character looks like another one.
GlyphStyle glyphStyle(char glyph, Random& random);
/// Share of each pixel that ink covers, 0..1: CV_32FC1 [side, side]. Nothing is cut off at the edges; letters keep
/// their heights, and stand on the base line unless they would not fit.
cv::Mat glyphCoverage(char glyph, const GlyphStyle& style, int side);
/// The character in a random style, on slightly uneven paper, with noise: CV_8UC3 [side, side] in RGB order.
cv::Mat renderGlyph(char glyph, Random& random, int side);

}  // namespace palimpsest
