// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/drawn_source.h"
#include "datasets/drawn/glyphs.h"
#include "datasets/table/random_purpose.h"

namespace palimpsest {
namespace {

char glyphOf(std::int64_t label) {
    return kGlyphs[static_cast<std::size_t>(label)];
}

}  // namespace

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
         .purpose = kRandomGlyphSample,
         // Measured over 20,000 training images of all 94 classes, seed 1.
         .mean = {0.502F, 0.502F, 0.5F},
         .deviation = {0.3F, 0.342F, 0.288F},
         .className = [](std::int64_t label) { return glyphName(glyphOf(label)); },
         .drawing = [](std::uint64_t, std::int64_t, int side) -> DrawnTable::Draw {
             return [side](std::int32_t label, Random& random) { return renderGlyph(glyphOf(label), random, side); };
         }});
}

}  // namespace palimpsest
