// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/method_declaration.h"

namespace palimpsest {

MethodDeclaration declareLinearProbe() {
    return {.choice = {"linear-probe", "Linear probe", "Frozen backbone; only the linear head learns.",
                       method_family::kHead, "Nothing.", "One pass an image, and none of it backwards.",
                       "MISA, ICLR 2025: the lower bound"},
            .cut_mix = CutMixUse::Known};
}

}  // namespace palimpsest
