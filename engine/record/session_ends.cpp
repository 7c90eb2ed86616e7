// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/session_ends.h"

#include <map>

namespace palimpsest {

std::int64_t samplesAtEndOf(const RunRecord& record, std::int64_t session) {
    const auto next = static_cast<std::size_t>(session) + 1;
    return next < record.session_starts.size() ? record.session_starts[next] : record.total_samples;
}

std::vector<AnytimePoint> sessionEnds(const RunRecord& record) {
    if (record.experiment.evaluation.session_data == "disjoint") return {};
    struct Sum {
        double correct = 0;
        std::int64_t samples = 0;
        bool whole = false;
    };
    std::map<std::int64_t, Sum> sums;
    auto at = sums.end();
    for (const RetentionPoint& point : record.retention) {
        if (at == sums.end() || at->first != point.after_session) at = sums.try_emplace(point.after_session).first;
        at->second.correct += point.accuracy * static_cast<double>(point.samples);
        at->second.samples += point.samples;
        at->second.whole = at->second.whole || point.session == point.after_session;
    }
    std::vector<AnytimePoint> ends;
    for (const auto& [session, sum] : sums) {
        if (sum.samples == 0 || !sum.whole) continue;
        AnytimePoint point;
        point.session = session;
        point.samples_seen = samplesAtEndOf(record, session);
        point.accuracy = sum.correct / static_cast<double>(sum.samples);
        ends.push_back(point);
    }
    return ends;
}

}  // namespace palimpsest
