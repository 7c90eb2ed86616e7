// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/support/random.h"

namespace palimpsest {

/// Reservoir of training-set positions (MISA, methods/er_baseline.py, update_memory).
class ReplayMemory {
public:
    /// Draws a whole number in 0..n-1.
    using Draw = std::function<std::int64_t(std::int64_t n)>;

    explicit ReplayMemory(std::int64_t capacity) : capacity_(capacity) {}

    /// Offers the samples of one stream batch, once its own replay is drawn. All decisions are made before any write, so in the
    /// batch that fills the memory the samples beyond capacity overwrite the last slot, one after another, as published.
    void offer(const std::vector<std::int64_t>& samples, const Draw& draw);
    /// Up to `count` stored samples, uniformly without replacement; one draw a sample, however large the memory.
    std::vector<std::int64_t> draw(std::int64_t count, Random& random) const;

    const std::vector<std::int64_t>& samples() const { return samples_; }
    std::int64_t capacity() const { return capacity_; }

private:
    std::int64_t capacity_;
    std::int64_t seen_ = 0;
    std::vector<std::int64_t> samples_;
};

}  // namespace palimpsest
