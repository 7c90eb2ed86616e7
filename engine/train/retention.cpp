// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/retention.h"

namespace palimpsest {

Retention::Retention(const StreamPlan& plan, const std::string& sessionData)
    : disjoint_only_(sessionData == "disjoint"), sessions_(static_cast<std::int64_t>(plan.sessions.size())) {
    if (!disjoint_only_) return;
    for (std::size_t s = 0; s < plan.disjoint_classes.size(); ++s)
        for (const std::int64_t label : plan.disjoint_classes[s])
            session_of_class_.emplace(static_cast<std::int32_t>(label), static_cast<std::int64_t>(s));
}

void Retention::expose(const std::vector<std::int32_t>& exposed, std::int64_t session) {
    if (disjoint_only_) return;
    for (std::size_t unit = session_of_class_.size(); unit < exposed.size(); ++unit)
        session_of_class_.emplace(exposed[unit], session);
}

std::vector<SessionAccuracy> Retention::addRow(std::int64_t session, const std::vector<std::int32_t>& exposed,
                                               const std::vector<Hits>& units) {
    std::vector<Hits> hits(static_cast<std::size_t>(sessions_));
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        const auto found = session_of_class_.find(exposed[unit]);
        if (found == session_of_class_.end() || found->second > session) continue;
        hits[static_cast<std::size_t>(found->second)].correct += units[unit].correct;
        hits[static_cast<std::size_t>(found->second)].samples += units[unit].samples;
    }
    std::vector<SessionAccuracy> row;
    std::vector<std::optional<double>> r(static_cast<std::size_t>(sessions_));
    for (std::int64_t s = 0; s <= session; ++s) {
        const Hits& h = hits[static_cast<std::size_t>(s)];
        const double accuracy =
            h.samples > 0 ? static_cast<double>(h.correct) / static_cast<double>(h.samples) : 0;
        if (h.samples > 0) r[static_cast<std::size_t>(s)] = accuracy;
        row.push_back({s, accuracy, h.samples});
    }
    matrix_.push_back(std::move(r));
    return row;
}

}  // namespace palimpsest
