// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory/sample_memory.h"

#include <algorithm>
#include <unordered_map>

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {

void SampleMemory::replace(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>&) {
    const std::size_t room = static_cast<std::size_t>(std::max<std::int64_t>(capacity_, 0));
    samples_.assign(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(std::min(room, samples.size())));
}

void SampleMemory::keep(StateArchive& archive) {
    archive("samples", samples_);
    if (std::ssize(samples_) > capacity_)
        samples_.resize(static_cast<std::size_t>(std::max<std::int64_t>(capacity_, 0)));
}

std::vector<std::int64_t> SampleMemory::drawSlots(std::int64_t count, Random& random) const {
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
        result.push_back(static_cast<std::int64_t>(place(other)));
        swapped[other] = place(i);
    }
    return result;
}

std::vector<std::int64_t> SampleMemory::draw(std::int64_t count, Random& random) const {
    std::vector<std::int64_t> result = drawSlots(count, random);
    for (std::int64_t& entry : result) entry = samples_[static_cast<std::size_t>(entry)];
    return result;
}

}  // namespace palimpsest
