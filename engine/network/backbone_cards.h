// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/backbone_service.h"

namespace palimpsest {

/// Cards of widely used weights, the embedded ones first, whose size and checksum are those of the file that is there.
std::vector<BackboneCard> backboneCards();

}  // namespace palimpsest
