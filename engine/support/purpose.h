// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace palimpsest::purpose {

// One generator a purpose, all from the experiment's seed, so that no part of a run disturbs another's numbers.
inline constexpr std::uint64_t kHead = 2;
inline constexpr std::uint64_t kPrompts = 3;
inline constexpr std::uint64_t kAugment = 4;
inline constexpr std::uint64_t kMemory = 5;
inline constexpr std::uint64_t kReplay = 6;
inline constexpr std::uint64_t kLoadTrain = 7;
inline constexpr std::uint64_t kLoadTest = 8;
inline constexpr std::uint64_t kCutMix = 9;
inline constexpr std::uint64_t kAugmenter = 10;
// Out-of-distribution images of initial session adaptation: which classes, their order, whether to draw again, the
// random crops of loading, the augmentation.
inline constexpr std::uint64_t kOtherClasses = 20;
inline constexpr std::uint64_t kOtherOrder = 21;
inline constexpr std::uint64_t kOtherResample = 22;
inline constexpr std::uint64_t kLoadOther = 23;
inline constexpr std::uint64_t kOtherAugment = 24;
inline constexpr std::uint64_t kAugmentPast = 30;
inline constexpr std::uint64_t kSessionWork = 31;

}  // namespace palimpsest::purpose
