// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/door/engine_table.h"

// LibTorch comes with some 290 libraries, which take a second or two to load. So all that needs it lies in a module of
// its own, libpalimpsest-engine.so, which a program loads when something learns for the first time.

namespace palimpsest {

/// The file that engine() loads or has loaded: that of PALIMPSEST_ENGINE, or the one that belongs to the program.
std::filesystem::path engineFile();

/// The engine. The first call loads it, which takes a second or two and happens once, on whichever thread asks first;
/// a failure is tried again by the next call. Throws Error where there is no module, where the file is none or of
/// another build, and where a library that it needs is missing: ErrorKind::Input where PALIMPSEST_ENGINE names the
/// file.
const EngineTable& engine();

}  // namespace palimpsest
