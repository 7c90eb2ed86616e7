// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/shown_run.h"

#include <algorithm>

#include "engine/config/option_table.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"

namespace palimpsest {

std::int64_t ShownRunFacts::sessions() const {
    return session_starts.empty() ? experiment.stream.sessions : std::ssize(session_starts);
}

const std::vector<RetentionPoint>& RunPoints::retentionOf(std::int64_t session) const {
    static const std::vector<RetentionPoint> none;
    const auto it = retention_.find(session);
    return it == retention_.end() ? none : it->second;
}

std::optional<double> RunPoints::areaUpTo(std::int64_t samples) const {
    // As areaUnderCurve(), without going through a million numbers at each frame.
    while (area_sums_.size() < anytime_.size())
        area_sums_.push_back((area_sums_.empty() ? 0.0 : area_sums_.back()) + anytime_[area_sums_.size()].accuracy);
    const auto after = std::ranges::upper_bound(anytime_, samples, {}, &AnytimePoint::samples_seen);
    const auto count = static_cast<std::size_t>(after - anytime_.begin());
    return count > 0 ? std::optional(area_sums_[count - 1] / static_cast<double>(count)) : std::nullopt;
}

void RunPoints::addEvaluation(EvaluationKind kind, const AnytimePoint& point) {
    (kind == EvaluationKind::Anytime ? anytime_ : session_ends_).push_back(point);
    addSeen(point.samples_seen);
}

void RunPoints::addEarlyLook(const AnytimePoint& point) {
    early_.push_back(point);
    addLearned(point.samples_seen);
}

void RunPoints::addRetention(const RetentionPoint& point) {
    if (point.samples > 0) retention_[point.session].push_back(point);
}

void RunPoints::addSeen(std::int64_t samples) {
    samples_seen_ = std::max(samples_seen_, samples);
    addLearned(samples);
}

void RunPoints::addLearned(std::int64_t samples) {
    learned_ = std::max(learned_, samples);
}

bool RunPoints::append(const RunRecord& record) {
    const std::vector<AnytimePoint> ends = palimpsest::sessionEnds(record);
    if (record.anytime.size() < anytime_.size() || ends.size() < session_ends_.size() ||
        record.retention.size() < retention_read_ || record.early.size() < early_.size())
        return false;
    const auto add = [this](std::vector<AnytimePoint>& known, const std::vector<AnytimePoint>& all) {
        known.insert(known.end(), all.begin() + std::ssize(known), all.end());
        if (!known.empty()) addSeen(known.back().samples_seen);
    };
    add(anytime_, record.anytime);
    add(session_ends_, ends);
    early_.insert(early_.end(), record.early.begin() + std::ssize(early_), record.early.end());
    addLearned(record.samples_learned);
    for (; retention_read_ < record.retention.size(); ++retention_read_) {
        const RetentionPoint& point = record.retention[retention_read_];
        // Other programs do not say how many images a session is tested on.
        if (record.state == RecordedState::Imported)
            retention_[point.session].push_back(point);
        else
            addRetention(point);
    }
    return true;
}

bool ShownRun::hasWholeArea() const {
    return !inProgress() &&
           areaIsWhole(points.anytime(), facts->total_samples, facts->experiment.evaluation.every_samples);
}

std::int64_t ShownRun::reach() const {
    return hasWholeArea() ? std::max(facts->total_samples, points.samplesSeen()) : points.samplesSeen();
}

Experiment settingsAt(const OptionTable& table, const ShownRun& run, std::int64_t begin) {
    return settingsAfter(table, run.facts->experiment, run.changes, run.facts->forked_at, begin);
}

}  // namespace palimpsest
