// SPDX-License-Identifier: GPL-3.0-or-later
// A module with the mark of this build's learning engine, and nothing else of it.
#include "engine/support/module_stamp.h"

extern "C" [[gnu::visibility("default")]] const char* otherFunction() {
    return PALIMPSEST_ENGINE_MARK PALIMPSEST_MODULE_STAMP " ";
}
