// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/stream_statistics.h"

#include <algorithm>
#include <cmath>

namespace palimpsest {

Balance balanceOf(std::span<const std::int64_t> classCounts, std::span<const ClassHome> homes) {
    Balance balance;
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::int64_t disjoint = 0;
    std::int64_t blurry = 0;
    for (std::size_t c = 0; c < classCounts.size(); ++c) {
        const std::int64_t count = classCounts[c];
        if (count == 0) continue;
        least = balance.classes == 0 ? count : std::min(least, count);
        most = std::max(most, count);
        ++balance.classes;
        balance.samples += count;
        if (homes[c].session >= 0) (homes[c].blurry ? blurry : disjoint) += count;
    }
    if (balance.samples == 0) return balance;

    const auto total = static_cast<double>(balance.samples);
    double entropy = 0;
    for (const std::int64_t count : classCounts) {
        if (count == 0) continue;
        const double share = static_cast<double>(count) / total;
        entropy -= share * std::log(share);
    }
    balance.imbalance = static_cast<double>(most) / static_cast<double>(least);
    if (balance.classes > 1) balance.evenness = entropy / std::log(static_cast<double>(balance.classes));
    balance.effective_classes = std::exp(entropy);
    balance.disjoint_share = static_cast<double>(disjoint) / total;
    balance.blurry_share = static_cast<double>(blurry) / total;
    return balance;
}

StreamStatistics streamStatistics(const StreamPlan& plan, std::span<const std::int32_t> labels) {
    StreamStatistics statistics;
    const std::vector<ClassHome> homes = classHomes(plan);
    statistics.classes.resize(homes.size());
    for (std::size_t c = 0; c < homes.size(); ++c) statistics.classes[c].home = homes[c];

    std::vector<std::int64_t> all(homes.size(), 0);
    std::vector<std::int64_t> counts(homes.size());
    std::int64_t position = 0;
    for (std::size_t j = 0; j < plan.sessions.size(); ++j) {
        const auto session = static_cast<std::int64_t>(j);
        std::fill(counts.begin(), counts.end(), 0);
        for (const std::int64_t sample : plan.sessions[j]) {
            const auto c = static_cast<std::size_t>(labels[static_cast<std::size_t>(sample)]);
            ClassAppearance& seen = statistics.classes[c];
            if (seen.first_session < 0) {
                seen.first_session = session;
                seen.first_position = position;
            }
            if (counts[c]++ == 0) ++seen.sessions;
            seen.last_session = session;
            seen.last_position = position++;
        }
        statistics.sessions.push_back(balanceOf(counts, homes));
        for (std::size_t c = 0; c < counts.size(); ++c) all[c] += counts[c];
    }
    for (std::size_t c = 0; c < all.size(); ++c) statistics.classes[c].samples = all[c];
    statistics.whole = balanceOf(all, homes);
    return statistics;
}

double StreamStatistics::meanEffectiveClasses() const {
    double sum = 0;
    std::int64_t count = 0;
    for (const Balance& session : sessions) {
        if (session.samples == 0) continue;
        sum += session.effective_classes;
        ++count;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

std::optional<double> StreamStatistics::worstImbalance() const {
    std::optional<double> worst;
    for (const Balance& session : sessions)
        if (session.imbalance) worst = std::max(worst.value_or(0), *session.imbalance);
    return worst;
}

}  // namespace palimpsest
