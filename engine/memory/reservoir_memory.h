// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/memory/sample_memory.h"

namespace palimpsest {

/// Reservoir of training-set positions (MISA, methods/er_baseline.py, update_memory).
class ReservoirMemory : public SampleMemory {
public:
    using SampleMemory::SampleMemory;

    /// Offers the samples of one stream batch, once its own replay is drawn. All decisions are made before any write,
    /// so in the batch that fills the memory the samples beyond capacity overwrite the last slot, one after another, as
    /// published.
    void offer(const std::vector<std::int64_t>& samples, const Draw& draw);
    /// The same: a reservoir does not look at classes.
    void offer(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>&, const Draw& draw) override {
        offer(samples, draw);
    }
    void keep(StateArchive& archive) override;

private:
    std::int64_t seen_ = 0;
};

}  // namespace palimpsest
