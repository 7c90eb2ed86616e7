// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/memory/sample_memory.h"
#include "engine/network/tensor.h"

namespace palimpsest {

/// DER++'s reservoir: with each sample its class and the logits it had when it came in (MISA, utils/buffer.py, Buffer,
/// add_data). Unlike the other reservoir it writes one sample after the other, so the last slot is like any other.
class LogitMemory : public SampleMemory {
public:
    /// `classes`: length of a row of logits.
    LogitMemory(std::int64_t capacity, std::int64_t classes) : SampleMemory(capacity), classes_(classes) {}

    /// Every sample is a new one, also when it was offered before.
    void offer(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& units,
               const Draw& draw) override;
    /// Throws Error(Run), since these samples would have no logits.
    void replace(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& units) override;
    void keep(StateArchive& archive) override;
    /// Stores the logits of the samples of the last offer(): float32 [samples, classes].
    void store(const Tensor& logits);

    /// float32 [slots, classes], on the device of what was stored.
    Tensor logits(const std::vector<std::int64_t>& slots) const;
    const std::vector<std::int64_t>& units() const { return units_; }

private:
    std::int64_t classes_, offered_ = 0;
    std::vector<std::int64_t> units_;
    std::vector<std::int64_t> written_;  // slot of each sample of the last offer; -1: not kept
    Tensor logits_;                      // [capacity, classes]
};

}  // namespace palimpsest
