// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/stream_compare.h"

#include <algorithm>

#include "engine/support/format.h"

namespace palimpsest {

namespace {

using List = std::vector<std::int64_t>;

/// The samples in ascending order, each once.
List distinct(List samples) {
    std::sort(samples.begin(), samples.end());
    samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
    return samples;
}

List allSamples(const StreamPlan& plan) {
    List all;
    all.reserve(static_cast<std::size_t>(plan.totalSamples()));
    for (const List& session : plan.sessions) all.insert(all.end(), session.begin(), session.end());
    return all;
}

Overlap overlapOf(const List& first, const List& second) {
    Overlap overlap;
    auto a = first.begin();
    auto b = second.begin();
    while (a != first.end() && b != second.end()) {
        if (*a == *b) {
            ++overlap.shared;
            ++a;
            ++b;
        } else if (*a < *b) {
            ++a;
        } else {
            ++b;
        }
    }
    overlap.only_first = static_cast<std::int64_t>(first.size()) - overlap.shared;
    overlap.only_second = static_cast<std::int64_t>(second.size()) - overlap.shared;
    return overlap;
}

bool sameData(const StreamSide& first, const StreamSide& second) {
    const std::size_t common = std::min(first.labels.size(), second.labels.size());
    return first.data == second.data && first.plan.settings.classes == second.plan.settings.classes &&
           std::equal(first.labels.begin(), first.labels.begin() + static_cast<std::ptrdiff_t>(common),
                      second.labels.begin());
}

/// Compares multisets: a repeated sample must be repeated in both.
bool sameSorted(List first, List second) {
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    return first == second;
}

Sameness samenessOf(const StreamPlan& first, const StreamPlan& second) {
    if (first.sessions == second.sessions) return Sameness::Identical;
    if (first.sessions.size() == second.sessions.size() &&
        std::equal(first.sessions.begin(), first.sessions.end(), second.sessions.begin(), sameSorted))
        return Sameness::SameSessions;
    return sameSorted(allSamples(first), allSamples(second)) ? Sameness::SameSamples : Sameness::Different;
}

}  // namespace

double Overlap::jaccard() const {
    const std::int64_t all = shared + only_first + only_second;
    return all == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(all);
}

bool ClassTiming::differs() const {
    return first.first_session != second.first_session || first.last_session != second.last_session ||
           first.first_position != second.first_position;
}

StreamComparison compareStreams(const StreamSide& first, const StreamSide& second) {
    StreamComparison comparison;
    comparison.first = first.plan.fingerprint();
    comparison.second = second.plan.fingerprint();
    if (!sameData(first, second)) {
        comparison.sameness = Sameness::OtherData;
        return comparison;
    }
    comparison.sameness = samenessOf(first.plan, second.plan);
    comparison.samples = overlapOf(distinct(allSamples(first.plan)), distinct(allSamples(second.plan)));
    const std::size_t sessions = std::max(first.plan.sessions.size(), second.plan.sessions.size());
    const auto samplesOf = [](const StreamPlan& plan, std::size_t j) {
        return j < plan.sessions.size() ? distinct(plan.sessions[j]) : List();
    };
    for (std::size_t j = 0; j < sessions; ++j)
        comparison.sessions.push_back(overlapOf(samplesOf(first.plan, j), samplesOf(second.plan, j)));

    const std::vector<ClassAppearance> a = streamStatistics(first.plan, first.labels).classes;
    const std::vector<ClassAppearance> b = streamStatistics(second.plan, second.labels).classes;
    for (std::size_t c = 0; c < a.size(); ++c) comparison.classes.push_back({static_cast<std::int64_t>(c), a[c], b[c]});
    return comparison;
}

std::string sentenceOf(const StreamComparison& comparison) {
    switch (comparison.sameness) {
        case Sameness::Identical:
            return "The same stream: the same samples in the same sessions, in the same order.";
        case Sameness::SameSessions:
            return "The same samples in each session, in another order.";
        case Sameness::SameSamples:
            return "The same samples, in other sessions.";
        case Sameness::OtherData:
            return "Streams of different data, so their samples cannot be compared.";
        case Sameness::Different:
            break;
    }
    const Overlap& samples = comparison.samples;
    if (samples.only_first + samples.only_second == 0) return "The same samples, but not equally often.";
    return "Different samples: " + grouped(samples.shared) + " in both, " + grouped(samples.only_first) +
           " in the first alone, " + grouped(samples.only_second) + " in the second alone.";
}

std::optional<BatchApart> firstBatchApart(const StreamPlan& first, const StreamPlan& second, std::int64_t batchSize) {
    BatchApart place;
    const std::size_t sessions = std::max(first.sessions.size(), second.sessions.size());
    for (std::size_t session = 0; session < sessions; ++session) {
        static const std::vector<std::int64_t> kNone;
        const auto& one = session < first.sessions.size() ? first.sessions[session] : kNone;
        const auto& other = session < second.sessions.size() ? second.sessions[session] : kNone;
        const auto [a, b] = std::ranges::mismatch(one, other);
        const auto alike = a - one.begin();
        place.session = static_cast<std::int64_t>(session);
        if (a != one.end() || b != other.end()) {
            place.batch += alike / batchSize + 1;
            place.samples_seen += alike / batchSize * batchSize;
            return place;
        }
        place.batch += (alike + batchSize - 1) / batchSize;
        place.samples_seen += alike;
    }
    return std::nullopt;
}

}  // namespace palimpsest
