// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory/logit_memory.h"

#include <map>

#include "engine/checkpoint/state_archive.h"
#include "engine/network/device_copies.h"
#include "engine/support/error.h"

namespace palimpsest {

void LogitMemory::offer(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& units,
                        const Draw& draw) {
    written_.assign(samples.size(), -1);
    if (capacity_ <= 0) return;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::int64_t slot = full() ? draw(offered_ + 1) : static_cast<std::int64_t>(samples_.size());
        ++offered_;
        if (slot >= capacity_) continue;
        if (slot == static_cast<std::int64_t>(samples_.size())) {
            samples_.push_back(samples[i]);
            units_.push_back(units[i]);
        } else {
            samples_[static_cast<std::size_t>(slot)] = samples[i];
            units_[static_cast<std::size_t>(slot)] = units[i];
        }
        written_[i] = slot;
    }
}

void LogitMemory::replace(const std::vector<std::int64_t>&, const std::vector<std::int64_t>&) {
    throw runError("A memory with logits cannot take other samples without theirs.");
}

void LogitMemory::keep(StateArchive& archive) {
    SampleMemory::keep(archive);
    archive("offered", offered_);
    archive("units", units_);
    archive("logits", logits_);
    units_.resize(samples_.size());
    logits_ = withRows(logits_, capacity_);
}

void LogitMemory::store(const Tensor& logits) {
    // A slot may have been written twice: the later sample stays.
    std::map<std::int64_t, std::int64_t> rowOfSlot;
    for (std::size_t i = 0; i < written_.size(); ++i)
        if (written_[i] >= 0) rowOfSlot[written_[i]] = static_cast<std::int64_t>(i);
    if (rowOfSlot.empty()) return;
    std::vector<std::int64_t> slots, rows;
    for (const auto& [slot, row] : rowOfSlot) {
        slots.push_back(slot);
        rows.push_back(row);
    }
    if (!logits_.defined()) logits_ = at::zeros({capacity_, classes_}, logits.options());
    const auto device = logits.device();
    logits_.index_copy_(0, indexOn(slots, device), logits.detach().index_select(0, indexOn(rows, device)));
}

Tensor LogitMemory::logits(const std::vector<std::int64_t>& slots) const {
    return logits_.index_select(0, indexOn(slots, logits_.device()));
}

}  // namespace palimpsest
