// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/drawn/fractals.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace palimpsest {

/// Systems of many classes. Each is searched for on first use: a search draws many systems until one is suitable, and
/// 10,000 searches would delay opening the data set. Safe from several threads.
class FractalClasses {
public:
    FractalClasses(std::uint64_t seed, std::int64_t classes) : seed_(seed), slots_(static_cast<std::size_t>(classes)) {}

    const FractalSystem& operator[](std::int32_t label) const;
    /// Number of systems found so far.
    std::int64_t found() const { return found_; }

private:
    struct Slot {
        std::once_flag once;
        FractalSystem system;
    };

    std::uint64_t seed_;
    mutable std::vector<Slot> slots_;
    mutable std::atomic<std::int64_t> found_{0};
};

}  // namespace palimpsest
