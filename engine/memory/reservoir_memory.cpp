// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory/reservoir_memory.h"

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {

void ReservoirMemory::offer(const std::vector<std::int64_t>& samples, const Draw& draw) {
    if (capacity_ <= 0) return;
    constexpr std::int64_t kAppend = -1, kDiscard = -2;
    std::vector<std::int64_t> slots;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        ++seen_;
        if (static_cast<std::int64_t>(samples_.size()) < capacity_) {
            slots.push_back(kAppend);
        } else {
            const std::int64_t slot = draw(seen_);
            slots.push_back(slot < capacity_ ? slot : kDiscard);
        }
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (slots[i] == kDiscard) continue;
        if (slots[i] >= 0)
            samples_[static_cast<std::size_t>(slots[i])] = samples[i];
        else if (static_cast<std::int64_t>(samples_.size()) < capacity_)
            samples_.push_back(samples[i]);
        else
            samples_.back() = samples[i];
    }
}

void ReservoirMemory::keep(StateArchive& archive) {
    SampleMemory::keep(archive);
    archive("seen", seen_);
}

}  // namespace palimpsest
