// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/own_drawings.h"
#include "engine/support/text.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_drawings_base {

/// base.txt of a folder of own drawings.
FUZZ_TARGET(drawings_base, 300) {
    fuzz::answers([&] {
        const DrawingsBase base = parseDrawingsBase(input, "base.txt");
        fuzz::require(!base.dataset.empty() && base.dataset != kOwnDrawings,
                      "own drawings that are added to themselves");
        fuzz::require(isPlainLine(base.dataset) && isPlainLine(base.root.string()), "a name that is no plain line");
        fuzz::require(base.dataset.find('/') == std::string::npos, "a name that is a path");
    });
}

}  // namespace palimpsest::fuzz_drawings_base
