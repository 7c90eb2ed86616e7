// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pretrain/drawings.h"

namespace palimpsest {

struct FontDrawings {
    std::vector<Drawing> drawings;
    std::int32_t characters = 0, fonts = 0;  ///< classes
};

/// Draws characters of all outline fonts below a folder: at most `glyphsAFont` of each, in a random choice. A character
/// is a class if several fonts draw it, a font is one by its family and style; letters keep their relative sizes.
/// Bitmap fonts, private characters, marks without a shape of their own, and most ideographs are left out. Throws
/// Error(Input).
FontDrawings drawFonts(const std::filesystem::path& folder, std::int64_t glyphsAFont, std::uint64_t seed,
                       const std::function<bool()>& stopping);

}  // namespace palimpsest
