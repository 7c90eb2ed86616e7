// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/glyphs.h"

#include "datasets/drawn/drawn_source.h"

#include "engine/support/random.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace palimpsest {
namespace {

/// Factor by which strokes are drawn larger before averaging. Large pictures need less, as strokes have smooth edges.
int oversampling(int side) {
    return side > 64 ? 2 : 4;
}

/// Margin at each edge, as a share of the picture.
constexpr double kGlyphMargin = 0.02;

struct Face {
    int font;
    bool strokes;  ///< made of single strokes, which stay legible with a broad pen
};
constexpr std::array<Face, 12> kFaces{{{cv::FONT_HERSHEY_SIMPLEX, true},
                                       {cv::FONT_HERSHEY_PLAIN, true},
                                       {cv::FONT_HERSHEY_PLAIN | cv::FONT_ITALIC, true},
                                       {cv::FONT_HERSHEY_DUPLEX, false},
                                       {cv::FONT_HERSHEY_COMPLEX, false},
                                       {cv::FONT_HERSHEY_COMPLEX | cv::FONT_ITALIC, false},
                                       {cv::FONT_HERSHEY_TRIPLEX, false},
                                       {cv::FONT_HERSHEY_TRIPLEX | cv::FONT_ITALIC, false},
                                       {cv::FONT_HERSHEY_COMPLEX_SMALL, false},
                                       {cv::FONT_HERSHEY_COMPLEX_SMALL | cv::FONT_ITALIC, false},
                                       {cv::FONT_HERSHEY_SCRIPT_SIMPLEX, true},
                                       {cv::FONT_HERSHEY_SCRIPT_COMPLEX, false}}};

/// True for faces in which a character can hardly be told from another: "I" is "l" without serifs, and nearly so with
/// upright ones; handwritten "F" is "T", "Q" is "2", "l" is "t", and "Z", "y" and "z" are "g"; the "O" of book faces is
/// a zero. The plain tilde floats above the line.
bool isMistakable(char glyph, int font) {
    const bool italic = (font & cv::FONT_ITALIC) != 0;
    const int face = font & ~cv::FONT_ITALIC;
    const bool sans =
        face == cv::FONT_HERSHEY_SIMPLEX || face == cv::FONT_HERSHEY_PLAIN || face == cv::FONT_HERSHEY_DUPLEX;
    const bool script = face == cv::FONT_HERSHEY_SCRIPT_SIMPLEX || face == cv::FONT_HERSHEY_SCRIPT_COMPLEX;
    const bool book = face == cv::FONT_HERSHEY_COMPLEX || face == cv::FONT_HERSHEY_TRIPLEX;
    const bool serifs = book || face == cv::FONT_HERSHEY_COMPLEX_SMALL;
    switch (glyph) {
        case 'I':
            return sans;
        case 'l':
            return (serifs && !italic) || face == cv::FONT_HERSHEY_SCRIPT_COMPLEX;
        case 'O':
            return book || (serifs && italic);
        case 'F':
        case 'Q':
        case 'Z':
        case 'y':
        case 'z':
            return script;
        case '~':
            return face == cv::FONT_HERSHEY_PLAIN;
        default:
            return false;
    }
}

std::array<double, 3> colour(Random& random) {
    std::array<double, 3> rgb{};
    for (double& part : rgb) part = random.uniform(0, 255);
    return rgb;
}

/// Smallest upright box around a parallelogram, relative to the fixed point of the map.
struct Box {
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
};

Box boxOf(const cv::Rect2d& ink, const cv::Matx22d& map) {
    Box box;
    for (const double x : {ink.x, ink.x + ink.width})
        for (const double y : {ink.y, ink.y + ink.height}) {
            const cv::Vec2d to = map * cv::Vec2d(x, y);
            box = {std::min(box.left, to[0]), std::min(box.top, to[1]), std::max(box.right, to[0]),
                   std::max(box.bottom, to[1])};
        }
    return box;
}

/// Rotation after slant after stretch; y points down.
cv::Matx22d mapOf(const GlyphStyle& style) {
    const double c = std::cos(style.turn);
    const double s = std::sin(style.turn);
    return cv::Matx22d(c, -s, s, c) * cv::Matx22d(style.width, -style.slant, 0, 1);
}

/// Paper with a slope and waves, and noise everywhere; 0..255.
struct Ground {
    explicit Ground(Random& random)
        : slope_x(random.uniform(-8, 8)),
          slope_y(random.uniform(-8, 8)),
          wave(random.uniform(0, 8)),
          wave_x(random.uniform(-25, 25)),
          wave_y(random.uniform(-25, 25)),
          phase(random.uniform(0, 2 * CV_PI)),
          noise(random.uniform(2, 14)) {}

    /// Brightness at x and y from -0.5 to 0.5.
    double at(double x, double y) const {
        return 2 * (slope_x * x + slope_y * y) + wave * std::sin(wave_x * x + wave_y * y + phase);
    }

    double slope_x, slope_y, wave, wave_x, wave_y, phase, noise;
};

constexpr std::string_view kOthers = kGlyphs.substr(62);
constexpr std::array<const char*, kOthers.size()> kOtherNames{"exclamation mark",
                                                              "quotation mark",
                                                              "number sign",
                                                              "dollar sign",
                                                              "percent sign",
                                                              "ampersand",
                                                              "apostrophe",
                                                              "left round bracket",
                                                              "right round bracket",
                                                              "asterisk",
                                                              "plus sign",
                                                              "comma",
                                                              "hyphen",
                                                              "full stop",
                                                              "slash",
                                                              "colon",
                                                              "semicolon",
                                                              "less-than sign",
                                                              "equals sign",
                                                              "greater-than sign",
                                                              "question mark",
                                                              "at sign",
                                                              "left square bracket",
                                                              "backslash",
                                                              "right square bracket",
                                                              "caret",
                                                              "underscore",
                                                              "backtick",
                                                              "left brace",
                                                              "vertical bar",
                                                              "right brace",
                                                              "tilde"};

char glyphOf(std::int64_t label) {
    return kGlyphs[static_cast<std::size_t>(label)];
}

}  // namespace

std::string glyphName(char glyph) {
    const std::string one(1, glyph);
    if (glyph >= '0' && glyph <= '9') return "digit " + one;
    if (glyph >= 'A' && glyph <= 'Z') return "capital " + one;
    if (glyph >= 'a' && glyph <= 'z') return "small " + one;
    return kOtherNames.at(kOthers.find(glyph));
}

double brightnessOf(const std::array<double, 3>& rgb) {
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
}

GlyphStyle glyphStyle(char glyph, Random& random) {
    GlyphStyle style;
    Face face{};
    do face = kFaces[random.below(kFaces.size())];
    while (isMistakable(glyph, face.font));
    style.face = face.font;
    // In every face a small letter is at least a third lower than its capital, so the tallest stays below the lowest.
    style.height = random.uniform(0.48, 0.57);
    style.weight = random.uniform(0.05, face.strokes ? 0.16 : 0.09);
    style.width = random.uniform(0.92, 1.06);
    style.slant = random.uniform(-0.12, 0.15);
    style.turn = random.uniform(-0.12, 0.12);
    style.x = random.uniform(-1, 1);
    style.base = random.uniform(0.26, 0.33);
    do {
        style.ink = colour(random);
        style.paper = colour(random);
    } while (std::abs(brightnessOf(style.ink) - brightnessOf(style.paper)) < kGlyphContrast);
    return style;
}

cv::Mat glyphCoverage(char glyph, const GlyphStyle& style, int side) {
    const int large = side * oversampling(side);
    const double capital = style.height * large;
    const int pen = std::max(1, cvRound(style.weight * capital));
    // The canvas has room for the widest and deepest characters on every side of the pen's starting point.
    const cv::Point start(large / 2, large + large / 4);
    cv::Mat sheet(2 * large, 2 * large, CV_8UC1, cv::Scalar(0));
    cv::putText(sheet, std::string(1, glyph), start, style.face,
                cv::getFontScaleFromHeight(style.face, cvRound(capital)), cv::Scalar(255), pen, cv::LINE_AA);
    const cv::Rect found = cv::boundingRect(sheet);
    // The anchor lies on the base line, below or above the middle of the ink.
    const cv::Point2d anchor(found.x + found.width / 2.0, start.y);
    const cv::Rect2d ink(found.x - anchor.x, found.y - anchor.y, found.width, found.height);
    cv::Matx22d map = mapOf(style);
    const Box loose = boxOf(ink, map);
    const double usable = large * (1 - 2 * kGlyphMargin);
    map = cv::Matx22d(std::min(1.0, usable / (loose.right - loose.left)), 0, 0,
                      std::min(1.0, usable / (loose.bottom - loose.top))) *
          map;
    const Box box = boxOf(ink, map);
    const double room = (usable - (box.right - box.left)) / 2;
    const double x = large / 2.0 - (box.left + box.right) / 2 + style.x * std::min(std::max(0.0, room), 0.1 * large);
    const double lowest = large * (1 - kGlyphMargin) - box.bottom;
    const double y = std::max(large * kGlyphMargin - box.top, std::min(lowest, large * (1 - style.base)));
    const cv::Matx23d place(map(0, 0), map(0, 1), x - map(0, 0) * anchor.x - map(0, 1) * anchor.y,  //
                            map(1, 0), map(1, 1), y - map(1, 0) * anchor.x - map(1, 1) * anchor.y);
    cv::Mat canvas;
    cv::warpAffine(sheet, canvas, place, {large, large}, cv::INTER_LINEAR);
    cv::Mat small;
    cv::resize(canvas, small, {side, side}, 0, 0, cv::INTER_AREA);
    small.convertTo(small, CV_32FC1, 1 / 255.0);
    return small;
}

cv::Mat renderGlyph(char glyph, Random& random, int side) {
    const GlyphStyle style = glyphStyle(glyph, random);
    const cv::Mat covered = glyphCoverage(glyph, style, side);
    const Ground ground(random);
    cv::Mat picture(side, side, CV_8UC3);
    for (int row = 0; row < side; ++row) {
        const double y = (row + 0.5) / side - 0.5;
        for (int column = 0; column < side; ++column) {
            const double share = covered.at<float>(row, column);
            const double uneven = ground.at((column + 0.5) / side - 0.5, y);
            auto& pixel = picture.at<cv::Vec3b>(row, column);
            for (std::size_t k = 0; k < 3; ++k)
                pixel[static_cast<int>(k)] =
                    cv::saturate_cast<std::uint8_t>(share * style.ink[k] + (1 - share) * (style.paper[k] + uneven) +
                                                    random.uniform(-ground.noise, ground.noise));
        }
    }
    return picture;
}

DatasetSource glyphSource() {
    return drawnSource(
        {.info = {.name = "glyphs",
                  .title = "Glyphs",
                  .summary = "Digits, letters and signs in many hands and colours, 32 by 32 pixels, up to 94 classes.",
                  .origin = "Drawn by Palimpsest with the Hershey fonts; nothing to download",
                  .licence = "No rights attached: made by formula",
                  .classes = 62,
                  .most_classes = static_cast<std::int64_t>(kGlyphs.size())},
         .train_each = 500,
         .test_each = 100,
         .purpose = purpose::kGlyphSample,
         // Measured over 20,000 training images of all 94 classes, seed 1.
         .statistics = {{0.502F, 0.502F, 0.5F}, {0.3F, 0.342F, 0.288F}},
         .className = [](std::int64_t label) { return glyphName(glyphOf(label)); },
         .drawing = [](std::uint64_t, std::int64_t, int side) -> DrawnTable::Draw {
             return [side](std::int32_t label, Random& random) { return renderGlyph(glyphOf(label), random, side); };
         }});
}

}  // namespace palimpsest
