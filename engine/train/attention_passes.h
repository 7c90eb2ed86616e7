// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/method.h"
#include "engine/run/attention.h"

namespace palimpsest {

/// Fills in what a method's network gives to one image [1, 3, H, W]: with, without, chosen, side, learned,
/// answers_from_prompts. No gradient. Throws Error(Input) where the method answers without any network.
void recordAttention(Method& method, const Tensor& image, ImageAttention& attention);

}  // namespace palimpsest
