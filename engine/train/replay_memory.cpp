// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/replay_memory.h"

#include <unordered_map>

namespace palimpsest {

void ReplayMemory::offer(const std::vector<std::int64_t>& samples, const Draw& draw) {
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

std::vector<std::int64_t> ReplayMemory::draw(std::int64_t count, Random& random) const {
    // The first places of a Fisher-Yates shuffle, of which only the places that were swapped are kept.
    const std::size_t size = samples_.size();
    const std::size_t drawn = std::min(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)), size);
    std::unordered_map<std::size_t, std::size_t> swapped;
    const auto place = [&](std::size_t i) {
        const auto found = swapped.find(i);
        return found == swapped.end() ? i : found->second;
    };
    std::vector<std::int64_t> result;
    for (std::size_t i = 0; i < drawn; ++i) {
        const std::size_t other = i + static_cast<std::size_t>(random.below(size - i));
        result.push_back(samples_[place(other)]);
        swapped[other] = place(i);
    }
    return result;
}

}  // namespace palimpsest
