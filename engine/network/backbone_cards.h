// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/backbone_service.h"

namespace palimpsest {

/// Weights that people use, the embedded ones first; size and checksum of those are of the file that is there.
std::vector<BackboneCard> backboneCards();

}  // namespace palimpsest
