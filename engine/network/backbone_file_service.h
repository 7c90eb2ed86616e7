// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/run/backbone_service.h"

namespace palimpsest {

/// Backbones that people use, and what a file of weights is.
std::unique_ptr<BackboneService> makeBackboneService();

}  // namespace palimpsest
