// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/metrics/metrics.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

}  // namespace

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
        const double accuracy = h.samples > 0 ? static_cast<double>(h.correct) / static_cast<double>(h.samples) : 0;
        if (h.samples > 0) r[static_cast<std::size_t>(s)] = accuracy;
        row.push_back({s, accuracy, h.samples});
    }
    matrix_.push_back(std::move(r));
    return row;
}

void Retention::keep(StateArchive& archive) {
    std::vector<std::int64_t> classes, sessions;
    for (const auto& [label, session] : session_of_class_) classes.push_back(label);
    // A hash map has no order of its own; what is saved has one.
    std::sort(classes.begin(), classes.end());
    for (const std::int64_t label : classes) sessions.push_back(session_of_class_.at(static_cast<std::int32_t>(label)));
    archive("classes", classes);
    archive("sessions", sessions);
    archive.requireRange("sessions", sessions, 0, sessions_ - 1);
    auto rows = std::ssize(matrix_);
    archive("rows", rows);
    archive.requireRange("rows", {{rows}}, 0, sessions_);
    if (archive.restoring()) {
        session_of_class_.clear();
        for (std::size_t i = 0; i < std::min(classes.size(), sessions.size()); ++i)
            session_of_class_.emplace(static_cast<std::int32_t>(classes[i]), sessions[i]);
        matrix_.assign(static_cast<std::size_t>(rows), {});
    }
    for (std::size_t i = 0; i < matrix_.size(); ++i) {
        std::vector<double> row;
        for (const auto& entry : matrix_[i]) row.push_back(entry.value_or(kAbsent));
        archive("row" + std::to_string(i), row);
        matrix_[i].clear();
        for (const double entry : row)
            matrix_[i].push_back(std::isnan(entry) ? std::nullopt : std::optional<double>(entry));
    }
}

RunMeasures::RunMeasures(std::shared_ptr<const StreamPlan> plan, const std::string& sessionData)
    : plan_(std::move(plan)), retention_(*plan_, sessionData) {}

void RunMeasures::add(EvaluationKind kind, const Evaluation& evaluation, std::optional<double> router) {
    if (evaluation.reference)
        (kind == EvaluationKind::Anytime ? reference_anytime_ : reference_end_).push_back(*evaluation.reference);
    if (kind == EvaluationKind::Anytime) {
        anytime_.push_back(evaluation.accuracy);
        return;
    }
    session_end_.push_back(evaluation.accuracy);
    router_ = router;
    agreement_ = evaluation.agreement;
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
    // Only where every evaluation has one: part of a curve is no A_AUC.
    if (reference_anytime_.size() == anytime_.size()) summary.ncm_a_auc = areaUnderCurve(reference_anytime_);
    if (!session_end_.empty() && reference_end_.size() == session_end_.size())
        summary.ncm_a_last_overall = reference_end_.back();
    summary.router_accuracy = router_;
    summary.head_agreement = agreement_;
    // A session measured once cannot have been forgotten: not defined, rather than 0 or the official code's -999.
    if (session_hits_.size() > 1) {
        summary.f_last = lastForgetting(retention_.matrix());
        summary.f_last_classwise = classwiseForgetting(session_hits_);
        summary.bwt_last = backwardTransfer(session_hits_);
    }
    return summary;
}

void RunMeasures::keepShares(StateArchive& archive) {
    // Shares are lacking in most methods and in older states.
    const bool any = router_ || agreement_;
    if (archive.restoring() ? !archive.part().contains("shares") : !any) return;
    std::vector<double> shares{router_.value_or(kAbsent), agreement_.value_or(kAbsent)};
    archive("shares", shares);
    if (shares.size() != 2)
        throw inputError("The saved shares of right prompts and of heads that agree are not two.",
                         "Resume from another checkpoint.");
    const auto known = [](double share) { return std::isnan(share) ? std::nullopt : std::optional(share); };
    router_ = known(shares[0]);
    agreement_ = known(shares[1]);
}

void RunMeasures::keep(StateArchive& archive) {
    archive.within("retention", [&] { retention_.keep(archive); });
    archive("anytime", anytime_);
    archive("session_end", session_end_);
    // Older states have none.
    if (!archive.restoring() || archive.part().contains("reference_anytime")) {
        archive("reference_anytime", reference_anytime_);
        archive("reference_end", reference_end_);
    }
    keepShares(archive);
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
