// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/prompt_homes.h"

#include <algorithm>

#include "engine/checkpoint/state_archive.h"
#include "engine/support/error.h"

namespace palimpsest {

void PromptHomes::learn(std::span<const std::int64_t> units, std::span<const std::int64_t> selected) {
    if (lost_ || pool_ <= 0 || units.empty() || selected.empty() || selected.size() % units.size() != 0) return;
    const std::size_t each = selected.size() / units.size();
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::int64_t prompt = selected[i * each];
        if (units[i] < 0 || prompt < 0 || prompt >= pool_) continue;
        const auto place = static_cast<std::size_t>(units[i] * pool_ + prompt);
        if (place >= counts_.size()) counts_.resize(static_cast<std::size_t>((units[i] + 1) * pool_), 0);
        ++counts_[place];
    }
}

std::int64_t PromptHomes::homeOf(std::int64_t unit) const {
    if (unit < 0 || (unit + 1) * pool_ > std::ssize(counts_)) return -1;
    const auto first = counts_.begin() + unit * pool_;
    const auto most = std::max_element(first, first + pool_);
    return *most > 0 ? most - first : -1;
}

std::optional<double> PromptHomes::accuracy(std::span<const std::int64_t> units,
                                            std::span<const std::int64_t> chosen) const {
    if (lost_ || pool_ <= 0 || chosen.size() != units.size()) return std::nullopt;
    std::int64_t right = 0, known = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::int64_t home = homeOf(units[i]);
        known += home >= 0 ? 1 : 0;
        right += home >= 0 && home == chosen[i] ? 1 : 0;
    }
    if (known == 0) return std::nullopt;
    return static_cast<double>(right) / static_cast<double>(known);
}

void PromptHomes::keep(StateArchive& archive) {
    if (pool_ <= 0) return;
    if (archive.restoring()) lost_ = archive.part().empty();
    if (lost_) return;
    std::vector<std::int64_t> pool{pool_};
    archive("pool", pool);
    archive("counts", counts_);
    const bool sound = pool == std::vector{pool_} && std::ssize(counts_) % pool_ == 0 &&
                       std::all_of(counts_.begin(), counts_.end(), [](std::int64_t count) { return count >= 0; });
    if (!sound)
        throw inputError("The saved counts of which prompt learned which class do not fit the pool.",
                         "Resume from another checkpoint.");
}

}  // namespace palimpsest
