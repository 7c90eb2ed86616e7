// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/run/backbone_service.h"

namespace palimpsest {

/// Lists well-known backbones and inspects files of weights.
std::unique_ptr<BackboneService> makeBackboneService();

}  // namespace palimpsest
