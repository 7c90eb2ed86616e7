// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace palimpsest {

class StateArchive;

/// Which prompt or expert learned which class, and from that how often the right one is chosen. The home of a class is
/// the one that most of its images had in all updates so far, replayed ones included; where several are chosen for an
/// image, the nearest counts. No published code computes it: FlyGCL gathers the steps in which a class came
/// (methods/flyprompt.py, label_to_task) without using them, and in a blurry stream nearly every class comes in nearly
/// every step, so that almost any choice would be right.
class PromptHomes {
public:
    /// `pool`: prompts to choose from; 0: none.
    explicit PromptHomes(std::int64_t pool) : pool_(pool) {}

    /// An update on samples with these units. `selected`: prompts chosen for them, the same number for each, nearest
    /// first; ignored where the two do not fit each other.
    void learn(std::span<const std::int64_t> units, std::span<const std::int64_t> selected);
    /// Share of samples for which the home of their unit was chosen. Samples without a home do not count. Absent
    /// without a pool, without samples that count, and after a restore from a state that knows nothing of the updates
    /// before.
    std::optional<double> accuracy(std::span<const std::int64_t> units, std::span<const std::int64_t> chosen) const;
    void keep(StateArchive& archive);

private:
    /// -1: none.
    std::int64_t homeOf(std::int64_t unit) const;

    std::int64_t pool_;
    std::vector<std::int64_t> counts_;  // [units, pool]
    bool lost_ = false;
};

}  // namespace palimpsest
