// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/confusion.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "engine/run/run_events.h"

namespace palimpsest {

std::int64_t ConfusionCounts::images(std::size_t row) const {
    const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(row * answers.size());
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(answers.size()), std::int64_t{0});
}

ConfusionCounts countConfusion(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                               const std::vector<std::int32_t>& seen) {
    ConfusionCounts result;
    const std::size_t images = std::min(truth.size(), predictions.size());
    // Classes that were tested or answered by then, among those that came at any time.
    std::set<std::int32_t> present;
    for (std::size_t i = 0; i < images; ++i)
        if (predictions[i] != kNotTested) present.insert({truth[i], predictions[i]});
    for (const std::int32_t label : seen)
        if (present.erase(label) > 0) result.labels.push_back(label);
    const bool unnamed = present.erase(kNoClassYet) > 0;
    // A damaged file may name classes that never came.
    for (const std::int32_t label : present)
        if (label >= 0) result.labels.push_back(label);
    result.answers = result.labels;
    if (unnamed) result.answers.push_back(kNoClassYet);

    std::unordered_map<std::int32_t, std::size_t> rows, columns;
    for (const std::int32_t label : result.labels) rows.emplace(label, rows.size());
    for (const std::int32_t label : result.answers) columns.emplace(label, columns.size());
    result.counts.assign(result.labels.size() * result.answers.size(), 0);
    for (std::size_t i = 0; i < images; ++i) {
        const auto row = rows.find(truth[i]), column = columns.find(predictions[i]);
        if (row != rows.end() && column != columns.end())
            ++result.counts[row->second * result.answers.size() + column->second];
    }
    return result;
}

}  // namespace palimpsest
