// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/averages.h"

#include <algorithm>
#include <utility>

#include "engine/metrics/metrics.h"

namespace palimpsest::report {

namespace {

bool isKnown(const SessionSeeds& seeds) {
    return seeds.most > 0;
}

}  // namespace

std::vector<std::size_t> averagedEvaluations(std::size_t length, std::size_t most) {
    std::vector<std::size_t> evaluations;
    const std::size_t step = std::max<std::size_t>(1, length / most);
    for (std::size_t k = 0; k < length; k = k + 1 < length ? std::min(k + step, length - 1) : length)
        evaluations.push_back(k);
    return evaluations;
}

std::vector<AveragePoint> averageAnytime(const RunGroup& group) {
    std::vector<AveragePoint> points;
    if (group.runs.empty()) return points;
    std::size_t length = group.runs.front().anytime.size();
    for (const RunRecord& run : group.runs) length = std::min(length, run.anytime.size());
    std::vector<double> places(group.runs.size()), accuracies(group.runs.size());
    for (std::size_t k = 0; k < length; ++k) {
        for (std::size_t run = 0; run < group.runs.size(); ++run) {
            places[run] = static_cast<double>(group.runs[run].anytime[k].samples_seen);
            accuracies[run] = group.runs[run].anytime[k].accuracy;
        }
        points.push_back({spread(places).mean, spread(accuracies)});
    }
    return points;
}

std::vector<AveragePoint> averageReference(const RunGroup& group) {
    RunGroup reference;
    for (const RunRecord& run : group.runs) {
        RunRecord& means = reference.runs.emplace_back();
        for (const AnytimePoint& point : run.anytime) {
            if (!point.reference) break;
            means.anytime.push_back(point);
            means.anytime.back().accuracy = *point.reference;
        }
    }
    return averageAnytime(reference);
}

std::vector<std::vector<Spread>> averageRetention(const RunGroup& group) {
    std::vector<std::vector<std::vector<double>>> values;
    for (const RunRecord& run : group.runs) {
        for (const RetentionPoint& point : run.retention) {
            const bool sound = 0 <= point.session && point.session <= point.after_session &&
                               point.after_session < run.experiment.stream.sessions;
            if (!sound) continue;
            const auto row = static_cast<std::size_t>(point.after_session);
            const auto column = static_cast<std::size_t>(point.session);
            while (values.size() <= row) values.emplace_back(values.size() + 1);
            // Other programs do not say how many images a session is tested on.
            const bool tested = point.samples > 0 || run.state == RecordedState::Imported;
            if (tested) values[row][column].push_back(point.accuracy);
        }
    }
    std::vector<std::vector<Spread>> result;
    for (const auto& row : values) {
        std::vector<Spread>& averages = result.emplace_back();
        for (const auto& cell : row) averages.push_back(cell.empty() ? Spread{} : spread(cell));
    }
    return result;
}

Spread averageMetric(const RunGroup& group, const Metric& metric) {
    std::vector<double> values;
    for (const RunRecord& run : group.runs)
        if (const std::optional<double> value = run.summary.*(metric.value)) values.push_back(*value);
    return values.empty() ? Spread{} : spread(values);
}

std::vector<const Metric*> tabledMetrics(const std::vector<RunGroup>& groups) {
    std::vector<const Metric*> tabled;
    for (const Metric& metric : metrics())
        if (metric.family != MetricFamily::Own ||
            std::ranges::any_of(groups, [&](const RunGroup& group) { return averageMetric(group, metric).count > 0; }))
            tabled.push_back(&metric);
    return tabled;
}

std::string fewerMark(std::int64_t count, std::int64_t of) {
    return count > 0 && count < of ? " [" + std::to_string(count) + "]" : "";
}

std::string seedsText(const std::set<std::int64_t>& counts) {
    if (counts.empty() || *counts.rbegin() < 2) return {};
    std::string text;
    for (const std::int64_t count : counts)
        text += (text.empty() ? "" : count == *counts.rbegin() ? " or " : ", ") + std::to_string(count);
    return text + " seeds";
}

std::vector<SessionSeeds> seedsOfSessions(const std::vector<std::vector<Spread>>& retention) {
    std::vector<SessionSeeds> sessions(retention.size());
    for (const std::vector<Spread>& row : retention) {
        for (std::size_t session = 0; session < row.size(); ++session) {
            const std::int64_t count = row[session].count;
            if (count == 0) continue;
            SessionSeeds& own = sessions[session];
            own.least = own.most == 0 ? count : std::min(own.least, count);
            own.most = std::max(own.most, count);
        }
    }
    return sessions;
}

std::string seedsText(const SessionSeeds& seeds) {
    const std::string most = std::to_string(seeds.most);
    return seeds.least == seeds.most ? most : std::to_string(seeds.least) + " to " + most;
}

SessionSeeds usualSeeds(const std::vector<SessionSeeds>& sessions) {
    SessionSeeds usual;
    bool alike = true;
    for (const SessionSeeds& own : sessions) {
        if (!isKnown(own)) continue;
        alike = alike && (!isKnown(usual) || own == usual);
        if (own.most > usual.most) usual = own;
    }
    return alike ? usual : SessionSeeds{usual.most, usual.most};
}

std::string seedsText(const std::vector<SessionSeeds>& sessions) {
    const SessionSeeds usual = usualSeeds(sessions);
    if (usual.most < 2) return {};
    std::vector<std::pair<SessionSeeds, std::vector<std::size_t>>> others;
    for (std::size_t session = 0; session < sessions.size(); ++session) {
        if (!isKnown(sessions[session]) || sessions[session] == usual) continue;
        const auto same = std::find_if(others.begin(), others.end(),
                                       [&](const auto& other) { return other.first == sessions[session]; });
        if (same == others.end())
            others.push_back({sessions[session], {session}});
        else
            same->second.push_back(session);
    }
    std::string exceptions;
    for (const auto& [seeds, list] : others)
        exceptions += (exceptions.empty() ? "" : "; ") + sessionList(list) + ": " + seedsText(seeds);
    return seedsText(usual) + " seeds" + (exceptions.empty() ? "" : " (" + exceptions + ")");
}

}  // namespace palimpsest::report
