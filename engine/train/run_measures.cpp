// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_measures.h"

#include <algorithm>
#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/metrics/metrics.h"

namespace palimpsest {

RunMeasures::RunMeasures(std::shared_ptr<const StreamPlan> plan, const std::string& sessionData)
    : plan_(std::move(plan)), retention_(*plan_, sessionData) {}

void RunMeasures::add(EvaluationKind kind, const Evaluation& evaluation) {
    if (kind == EvaluationKind::Anytime) {
        anytime_.push_back(evaluation.accuracy);
        return;
    }
    session_end_.push_back(evaluation.accuracy);
    // The official code's table has a column for every class, exposed or not.
    std::vector<Hits> hits = evaluation.units;
    hits.resize(static_cast<std::size_t>(std::max<std::int64_t>(plan_->settings.classes, 0)));
    session_hits_.push_back(std::move(hits));
}

Summary RunMeasures::summary() const {
    Summary summary;
    summary.sessions_ended = static_cast<std::int64_t>(session_end_.size());
    summary.a_auc = areaUnderCurve(anytime_);
    summary.a_last = lastAccuracy(retention_.matrix());
    summary.a_avg = averageAccuracy(session_end_);
    if (!session_end_.empty()) summary.a_last_overall = session_end_.back();
    // A session measured once cannot have been forgotten: not defined, rather than 0 or the official code's -999.
    if (session_hits_.size() > 1) {
        summary.f_last = lastForgetting(retention_.matrix());
        summary.f_last_classwise = classwiseForgetting(session_hits_);
    }
    return summary;
}

void RunMeasures::keep(StateArchive& archive) {
    archive.within("retention", [&] { retention_.keep(archive); });
    archive("anytime", anytime_);
    archive("session_end", session_end_);
    auto ends = std::ssize(session_hits_);
    archive("sessions_ended", ends);
    archive.requireRange("sessions_ended", {{ends}}, 0, std::ssize(plan_->sessions));
    session_hits_.resize(static_cast<std::size_t>(ends));
    for (std::size_t session = 0; session < session_hits_.size(); ++session) {
        std::vector<std::int64_t> numbers;
        for (const Hits& hits : session_hits_[session]) numbers.insert(numbers.end(), {hits.correct, hits.samples});
        archive("hits" + std::to_string(session), numbers);
        session_hits_[session].clear();
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
            session_hits_[session].push_back({numbers[i], numbers[i + 1]});
    }
}

}  // namespace palimpsest
