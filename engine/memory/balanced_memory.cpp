// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory/balanced_memory.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {
namespace {

double meanOf(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

void BalancedMemory::count(std::int64_t unit, std::int64_t change) {
    if (unit >= static_cast<std::int64_t>(counts_.size())) counts_.resize(static_cast<std::size_t>(unit) + 1, 0);
    counts_[static_cast<std::size_t>(unit)] += change;
}

double BalancedMemory::meanOfClass(std::int64_t unit, std::size_t except, double otherwise) const {
    double sum = 0;
    std::int64_t others = 0;
    for (std::size_t slot = 0; slot < units_.size(); ++slot)
        if (units_[slot] == unit && slot != except) {
            sum += importance_[slot];
            ++others;
        }
    return others > 0 ? sum / static_cast<double>(others) : otherwise;
}

std::int64_t BalancedMemory::leaving(std::int64_t newcomer, const Draw& draw) const {
    std::vector<std::int64_t> frequency = counts_;
    ++frequency[static_cast<std::size_t>(newcomer)];
    const std::int64_t largest = std::max_element(frequency.begin(), frequency.end()) - frequency.begin();
    std::vector<std::int64_t> members;
    for (std::size_t slot = 0; slot < units_.size(); ++slot)
        if (units_[slot] == largest) members.push_back(static_cast<std::int64_t>(slot));
    // No class has more than one sample, and the newcomer's, without any, came before the others: one of any class
    // leaves.
    if (members.empty()) {
        members.resize(units_.size());
        std::iota(members.begin(), members.end(), std::int64_t{0});
    }
    if (leaves_ == Leaves::Random)
        return members[static_cast<std::size_t>(draw(static_cast<std::int64_t>(members.size())))];
    return *std::min_element(members.begin(), members.end(), [&](std::int64_t a, std::int64_t b) {
        return importance_[static_cast<std::size_t>(a)] < importance_[static_cast<std::size_t>(b)];
    });
}

void BalancedMemory::offer(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& units,
                           const Draw& draw) {
    written_.clear();
    if (capacity_ <= 0) return;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        count(units[i], 0);
        std::size_t slot = samples_.size();
        if (!full()) {
            samples_.push_back(samples[i]);
            units_.push_back(units[i]);
            importance_.push_back(0);
            importance_[slot] = meanOfClass(units[i], slot, 0);
        } else {
            slot = static_cast<std::size_t>(leaving(units[i], draw));
            count(units_[slot], -1);
            samples_[slot] = samples[i];
            units_[slot] = units[i];
            importance_[slot] = meanOfClass(units[i], slot, meanOf(importance_));
        }
        count(units[i], 1);
        written_.push_back(static_cast<std::int64_t>(slot));
    }
}

void BalancedMemory::replace(const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& units) {
    SampleMemory::replace(samples, units);
    units_.assign(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(samples_.size()));
    importance_.assign(samples_.size(), 0);
    std::fill(counts_.begin(), counts_.end(), 0);
    for (const std::int64_t unit : units_) count(unit, 1);
}

void BalancedMemory::keep(StateArchive& archive) {
    SampleMemory::keep(archive);
    archive("units", units_);
    archive("counts", counts_);
    archive("importance", importance_);
    if (units_.size() == samples_.size()) return;
    units_.resize(samples_.size());
    importance_.resize(samples_.size());
    std::fill(counts_.begin(), counts_.end(), 0);
    for (const std::int64_t unit : units_) count(unit, 1);
}

void updateImportance(std::vector<double>& importance, std::span<const double> before, std::span<const double> now,
                      std::span<const std::int64_t> replayed, std::span<const std::int64_t> rewritten) {
    if (replayed.empty()) return;
    double change = 0;
    std::int64_t measured = 0;
    for (std::size_t slot = 0; slot < std::min(before.size(), now.size()); ++slot) {
        if (std::find(rewritten.begin(), rewritten.end(), static_cast<std::int64_t>(slot)) != rewritten.end()) continue;
        change += now[slot] - before[slot];
        ++measured;
    }
    if (measured == 0) return;
    constexpr double kKept = 0.9;
    const double number = static_cast<double>(replayed.size());
    double sum = 0;
    for (const std::int64_t slot : replayed) sum += importance[static_cast<std::size_t>(slot)];
    const double difference = change / static_cast<double>(measured) - sum / number / number;
    for (const std::int64_t slot : replayed) importance[static_cast<std::size_t>(slot)] -= (1 - kKept) * difference;
}

double voteUncertainty(std::span<const std::int64_t> votes) {
    std::map<std::int64_t, std::int64_t> counts;
    std::int64_t most = 0;
    for (const std::int64_t vote : votes) most = std::max(most, ++counts[vote]);
    return votes.empty() ? 0 : 1 - static_cast<double>(most) / static_cast<double>(votes.size());
}

std::vector<std::int64_t> spreadByUncertainty(const std::vector<UncertainSample>& candidates, std::int64_t capacity,
                                              std::int64_t classes, const SampleMemory::Draw& draw) {
    std::vector<std::int64_t> chosen;
    if (capacity <= 0 || classes <= 0) return chosen;
    const std::int64_t each = capacity / classes;
    std::vector<bool> is_chosen(candidates.size(), false);
    const auto choose = [&](std::int64_t position) {
        chosen.push_back(position);
        is_chosen[static_cast<std::size_t>(position)] = true;
    };
    for (std::int64_t unit = 0; unit < classes && each > 0; ++unit) {
        std::vector<std::int64_t> members;
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if (candidates[i].unit == unit) members.push_back(static_cast<std::int64_t>(i));
        const std::int64_t held = static_cast<std::int64_t>(members.size());
        if (held > each)
            std::stable_sort(members.begin(), members.end(), [&](std::int64_t a, std::int64_t b) {
                return candidates[static_cast<std::size_t>(a)].uncertainty <
                       candidates[static_cast<std::size_t>(b)].uncertainty;
            });
        const std::int64_t step = std::max<std::int64_t>(1, held / each);
        for (std::int64_t i = 0, given = 0; i < held && given < each; i += step, ++given)
            choose(members[static_cast<std::size_t>(i)]);
    }
    std::vector<std::int64_t> others;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (!is_chosen[i]) others.push_back(static_cast<std::int64_t>(i));
    while (static_cast<std::int64_t>(chosen.size()) < capacity && !others.empty()) {
        const auto at = static_cast<std::size_t>(draw(static_cast<std::int64_t>(others.size())));
        choose(others[at]);
        others[at] = others.back();
        others.pop_back();
    }
    return chosen;
}

}  // namespace palimpsest
