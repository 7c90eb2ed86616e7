// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/augment.h"

#include <cmath>

#include "engine/support/error.h"

namespace palimpsest {

Augment augmentKind(const std::string& name) {
    if (name == "none") return Augment::None;
    if (name == "auto" || name == "crop-flip") return Augment::CropFlip;
    throw inputError("There is no augmentation \"" + name + "\".", "Choose auto, none or crop-flip.");
}

Tensor augmented(const Tensor& bytes, Augment kind, Random random) {
    if (kind == Augment::None) return bytes;
    const std::int64_t side = bytes.size(2);
    const std::int64_t pad = std::max<std::int64_t>(1, std::llround(4.0 * static_cast<double>(side) / 224.0));
    const auto top = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * pad + 1)));
    const auto left = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * pad + 1)));
    const bool mirror = random.below(2) == 1;
    Tensor moved = at::constant_pad_nd(bytes, {pad, pad, pad, pad}, 0).narrow(2, top, side).narrow(3, left, side);
    return mirror ? moved.flip(3) : moved;
}

}  // namespace palimpsest
