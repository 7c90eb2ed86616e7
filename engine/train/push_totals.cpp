// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/push_totals.h"

#include <algorithm>
#include <utility>

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {

void PushTotals::add(std::span<const UnitPush> pushes, std::span<const std::int64_t> besides) {
    const std::size_t units = pushes.size();
    since_.resize(std::max(since_.size(), units), 0);
    for (Sums* sums : {&batch_, &taken_}) sums->resize(std::max(sums->size(), units));
    for (std::size_t unit = 0; unit < units; ++unit) {
        const UnitPush& push = pushes[unit];
        if (push.targets > 0) since_[unit] = 0;
        if (push.hidden) continue;
        if (push.targets <= 0) since_[unit] += push.push();
        for (Sums* sums : {&batch_, &taken_}) (*sums)[unit] = (*sums)[unit].value_or(0) + push.push();
    }
    for (const std::int64_t unit : besides)
        if (static_cast<std::size_t>(unit) < since_.size()) since_[static_cast<std::size_t>(unit)] = 0;
}

std::vector<ClassPush> PushTotals::named(const Sums& sums, const std::vector<std::int32_t>& seen) const {
    std::vector<ClassPush> classes;
    if (sums.empty()) return classes;
    for (std::size_t unit = 0; unit < std::min(sums.size(), seen.size()); ++unit)
        classes.push_back({seen[unit], sums[unit], since_[unit]});
    return classes;
}

std::vector<ClassPush> PushTotals::take(const std::vector<std::int32_t>& seen) {
    return named(std::exchange(taken_, {}), seen);
}

void PushTotals::keep(StateArchive& archive) {
    if (archive.restoring() && archive.part().empty()) return;
    std::vector<bool> shown;
    std::vector<double> sums;
    for (const auto& sum : taken_) {
        shown.push_back(sum.has_value());
        sums.push_back(sum.value_or(0));
    }
    archive("shown", shown);
    archive("sums", sums);
    archive("since", since_);
    if (!archive.restoring()) return;
    taken_.clear();
    for (std::size_t unit = 0; unit < sums.size(); ++unit)
        taken_.push_back(unit < shown.size() && shown[unit] ? std::optional(sums[unit]) : std::nullopt);
    // A state from elsewhere may have fewer of these.
    since_.resize(std::max(since_.size(), taken_.size()), 0);
}

}  // namespace palimpsest
