// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/run/backbone_service.h"

namespace palimpsest {

/// Widely used weights that do not come with the program, with the addresses of their makers: the one table of them.
/// What depends on this computer (place, presence, a remembered checksum) is not filled in.
const std::vector<BackboneCard>& knownBackbones();

}  // namespace palimpsest
