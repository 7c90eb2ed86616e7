// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/run/attention.h"

namespace palimpsest {

/// The maps of an image as a PNG: the picture, then the blocks side by side, those without prompts above those with
/// them, all on one scale from dark blue (0) to yellow (the largest share). Throws Error where it cannot be coded.
std::string attentionPng(const ImageAttention& attention);

}  // namespace palimpsest
