// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// What a run keeps of images in memory, at most. Estimates of a run's memory read it, too, so it needs no LibTorch.

namespace palimpsest {

/// Test pictures, in bytes: all of them are kept, or none where they need more.
inline constexpr std::int64_t kPicturesRoom = std::int64_t{1} << 30;
/// Features of past training images, in bytes.
inline constexpr std::int64_t kFeaturesRoom = std::int64_t{256} << 20;

}  // namespace palimpsest
