// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/network/torch_pickle.h"

namespace palimpsest {

/// Does a tensor lie inside its storage of `count` elements, and have no more elements than that? Safe for any numbers,
/// as long as sizes and strides are none below 0 and equally many.
bool liesInside(const TorchPickle::Place& place, std::int64_t count);

}  // namespace palimpsest
