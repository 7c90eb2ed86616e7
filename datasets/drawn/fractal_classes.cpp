// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/fractal_classes.h"

namespace palimpsest {

const FractalSystem& FractalClasses::operator[](std::int32_t label) const {
    Slot& slot = slots_[static_cast<std::size_t>(label)];
    std::call_once(slot.once, [&] {
        slot.system = fractalClass(seed_, label);
        ++found_;
    });
    return slot.system;
}

}  // namespace palimpsest
