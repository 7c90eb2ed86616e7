// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pretrain/font_drawings.h"

#include <ft2build.h>

#include <algorithm>
#include <map>
#include <memory>
#include <opencv2/imgproc.hpp>

#include "engine/pretrain/files_below.h"
#include "engine/support/error.h"
#include "engine/support/random.h"
#include FT_FREETYPE_H

namespace palimpsest {
namespace {

constexpr std::uint64_t kChoice = 14;
/// Fonts that must have a character, and drawings that a font must have.
constexpr std::int64_t kFewestFonts = 6, kFewestGlyphs = 20;
/// Pixels an em, the longest side of a drawn glyph, and the least one that is not a mere dot.
constexpr int kEm = 42, kLongest = 36, kShortest = 9;

struct Library {
    Library() {
        if (FT_Init_FreeType(&handle) != 0) throw runError("FreeType could not be started.", "Install it again.");
    }
    ~Library() { FT_Done_FreeType(handle); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    FT_Library handle = nullptr;
};

using Face = std::unique_ptr<std::remove_pointer_t<FT_Face>, decltype(&FT_Done_Face)>;

/// Null for a file that FreeType does not take; packages have some.
Face openFace(const Library& library, const std::filesystem::path& file) {
    FT_Face face = nullptr;
    if (FT_New_Face(library.handle, file.c_str(), 0, &face) != 0) face = nullptr;
    return {face, FT_Done_Face};
}

bool suits(FT_ULong character) {
    const auto in = [&](FT_ULong first, FT_ULong last) { return character >= first && character <= last; };
    // Every sixteenth ideograph and Hangul syllable: they would be nine characters out of ten.
    if (in(0x3400, 0x9fff) || in(0xac00, 0xd7a3) || in(0x20000, 0x3ffff)) return character % 16 == 0;
    const bool control = character < 0x21 || in(0x7f, 0xa0), marks = in(0x300, 0x36f) || in(0x2000, 0x200f);
    const bool isPrivate = in(0xe000, 0xf8ff) || character > 0xeffff;
    // Arrows, symbols and emoji are pictures of things.
    const bool pictures = in(0x2190, 0x2bff) || in(0x1f000, 0x1faff);
    return !control && !marks && !isPrivate && !pictures;
}

std::vector<FT_ULong> charactersOf(FT_Face face) {
    std::vector<FT_ULong> all;
    FT_UInt glyph = 0;
    for (FT_ULong at = FT_Get_First_Char(face, &glyph); glyph != 0; at = FT_Get_Next_Char(face, at, &glyph))
        if (suits(at)) all.push_back(at);
    return all;
}

/// The glyph in the middle of its square; empty if it has no shape.
cv::Mat drawn(FT_Face face, FT_ULong character) {
    constexpr FT_Int32 kFlags = FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP;
    FT_Set_Pixel_Sizes(face, 0, kEm);
    if (FT_Load_Char(face, character, kFlags) != 0) return {};
    const auto& size = face->glyph->metrics;
    const double longest = static_cast<double>(std::max(size.width, size.height)) / 64;
    if (longest < kShortest || longest > 20 * kLongest) return {};
    if (longest > kLongest) {
        FT_Set_Pixel_Sizes(face, 0, std::max(1U, static_cast<unsigned>(kEm * kLongest / longest)));
        if (FT_Load_Char(face, character, kFlags) != 0) return {};
    }
    if (FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0) return {};
    const FT_Bitmap& bits = face->glyph->bitmap;
    const auto rows = static_cast<int>(bits.rows), columns = static_cast<int>(bits.width);
    if (bits.pixel_mode != FT_PIXEL_MODE_GRAY || rows < 1 || columns < 1 || std::max(rows, columns) > kDrawingSide)
        return {};
    cv::Mat square(kDrawingSide, kDrawingSide, CV_8UC1, cv::Scalar(0));
    const cv::Mat ink(rows, columns, CV_8UC1, bits.buffer, static_cast<std::size_t>(bits.pitch));
    ink.copyTo(square(cv::Rect((kDrawingSide - columns) / 2, (kDrawingSide - rows) / 2, columns, rows)));
    return square;
}

std::string nameOf(FT_Face face) {
    const auto text = [](const char* name) { return std::string(name ? name : ""); };
    return text(face->family_name) + "/" + text(face->style_name);
}

}  // namespace

FontDrawings drawFonts(const std::filesystem::path& folder, std::int64_t glyphsAFont, std::uint64_t seed,
                       const std::function<bool()>& stopping) {
    const Library library;
    const std::vector<std::filesystem::path> files = filesBelow(folder, {".ttf", ".otf"});
    const auto nothing = [&] {
        return inputError(
            "No character is drawn by " + std::to_string(kFewestFonts) + " fonts below " + folder.string() + ".",
            "Give a folder with more TrueType or OpenType fonts.");
    };
    if (static_cast<std::int64_t>(files.size()) < kFewestFonts) throw nothing();

    // The same family and style may come in several formats.
    std::map<std::string, std::filesystem::path> fonts;
    std::map<FT_ULong, std::int64_t> users;
    for (const auto& file : files) {
        if (stopping()) return {};
        const Face face = openFace(library, file);
        if (!face || !FT_IS_SCALABLE(face.get()) || !fonts.emplace(nameOf(face.get()), file).second) continue;
        for (const FT_ULong character : charactersOf(face.get())) ++users[character];
    }
    std::map<FT_ULong, std::int32_t> classes;
    for (const auto& [character, count] : users)
        if (count >= kFewestFonts) classes.emplace(character, static_cast<std::int32_t>(classes.size()));

    FontDrawings result;
    result.characters = static_cast<std::int32_t>(classes.size());
    std::uint64_t number = 0;
    for (const auto& [name, file] : fonts) {
        if (stopping()) return {};
        const Face face = openFace(library, file);
        std::vector<FT_ULong> characters = charactersOf(face.get());
        std::erase_if(characters, [&](FT_ULong character) { return !classes.contains(character); });
        Random(seed, kChoice, number++).shuffle(characters);
        std::vector<Drawing> some;
        for (const FT_ULong character : characters) {
            if (static_cast<std::int64_t>(some.size()) == glyphsAFont) break;
            cv::Mat ink = drawn(face.get(), character);
            if (ink.empty()) continue;
            Drawing& drawing = some.emplace_back(Drawing{std::move(ink), Drawing::Kind::Ink, false, {}});
            drawing.labels = {-1, -1, classes[character], result.fonts, -1};
        }
        if (static_cast<std::int64_t>(some.size()) < std::min(kFewestGlyphs, glyphsAFont)) continue;
        ++result.fonts;
        std::ranges::move(some, std::back_inserter(result.drawings));
    }
    if (result.drawings.empty()) throw nothing();
    return result;
}

}  // namespace palimpsest
