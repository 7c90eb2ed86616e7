// SPDX-License-Identifier: GPL-3.0-or-later
// A module with the mark of this build's learning engine that needs what no program of it has.
#include "engine/support/module_stamp.h"

namespace palimpsest {
void nobodyHasThis();
}

extern "C" [[gnu::visibility("default")]] const void* palimpsestEngine() {
    palimpsest::nobodyHasThis();
    return PALIMPSEST_ENGINE_MARK PALIMPSEST_MODULE_STAMP " ";
}
