// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace palimpsest {

/// The `purpose` of each generator of this folder, so that no two sequences of numbers coincide.
enum DatasetRandomPurpose : std::uint64_t {
    kRandomFractalClass = 0xd5'0001,
    kRandomFractalInstance,
    kRandomContourClass,
    kRandomContourInstance,
    kRandomFractalSample,
    kRandomShapeSample,
    kRandomGlyphSample,
    kRandomFormulaSample,
};

}  // namespace palimpsest
