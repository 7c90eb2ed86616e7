// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/run/run_events.h"

namespace palimpsest {

/// Bytes of a JPEG file with the images side by side, each `side` pixels wide and high; grey where one has size 0;
/// empty where it cannot be made.
std::string pictureRow(const std::vector<Thumbnail>& images, int side);

}  // namespace palimpsest
