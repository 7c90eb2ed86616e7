// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/support/random.h"

namespace palimpsest {

/// Fills with normal values that were drawn anew until they were at most two standard deviations from zero. The number
/// of threads changes neither the values nor where the generator stands afterwards.
void drawTruncatedNormal(std::span<float> values, Random& random, double deviation, int threads);

}  // namespace palimpsest
