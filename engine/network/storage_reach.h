// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/network/torch_pickle.h"

namespace palimpsest {

/// True if a tensor lies inside its storage of `count` elements and has no more elements than that. Safe for any
/// numbers, as long as sizes and strides are equally many and none is negative.
bool liesInside(const TorchPickle::Place& place, std::int64_t count);

}  // namespace palimpsest
