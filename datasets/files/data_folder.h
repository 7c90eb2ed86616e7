// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace palimpsest {

/// Default folder of data sets: $PALIMPSEST_DATA, or XDG_DATA_HOME/palimpsest/data.
std::filesystem::path dataFolder();

}  // namespace palimpsest
