// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/support/random.h"

namespace palimpsest {

class StateArchive;

/// Past samples that are kept for replay, as positions in the training set, a slot each. Each kind decides for itself
/// what comes in and what leaves, from draws that are handed in, so that recorded ones can be played again.
class SampleMemory {
public:
    /// Draws a whole number in 0..n-1.
    using Draw = std::function<std::int64_t(std::int64_t n)>;

    explicit SampleMemory(std::int64_t capacity) : capacity_(capacity) {}
    virtual ~SampleMemory() = default;

    /// Offers the samples of one stream batch; units[i] is the class of samples[i], numbered by first appearance.
    virtual void offer(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& units,
                       const Draw& draw) = 0;
    /// Replaces its contents by these, in this order, as many as there is room for.
    virtual void replace(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& units);
    /// Archives everything that later decisions depend on. The saved state of a larger memory loses its last slots.
    virtual void keep(StateArchive& archive);

    /// Draws up to `count` different slots, uniformly without replacement; one draw a slot, however large the memory.
    std::vector<std::int64_t> drawSlots(std::int64_t count, Random& random) const;
    /// The samples in slots drawn like that.
    std::vector<std::int64_t> draw(std::int64_t count, Random& random) const;

    /// The samples by slot.
    const std::vector<std::int64_t>& samples() const { return samples_; }
    std::int64_t capacity() const { return capacity_; }

protected:
    bool full() const { return static_cast<std::int64_t>(samples_.size()) >= capacity_; }

    std::int64_t capacity_;
    std::vector<std::int64_t> samples_;
};

}  // namespace palimpsest
