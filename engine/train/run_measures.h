// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/metrics/metrics.h"
#include "engine/run/run_events.h"
#include "engine/stream/stream_plan.h"
#include "engine/train/evaluator.h"

namespace palimpsest {

class StateArchive;

/// Which test classes belong to a session, and the R matrix that follows. The paper leaves it open for blurry classes;
/// the official code uses the disjoint classes of the session alone (MISA, methods/er_baseline.py, session accuracy).
class Retention {
public:
    /// "disjoint": the session's disjoint classes; "first-exposed": all classes first seen in it.
    Retention(const StreamPlan& plan, const std::string& sessionData);

    /// Classes seen so far, after each batch of `session`.
    void expose(const std::vector<std::int32_t>& exposed, std::int64_t session);
    /// The next row of R from an evaluation's counts, `exposed[unit]` being the raw label of units[unit].
    std::vector<SessionAccuracy> addRow(std::int64_t session, const std::vector<std::int32_t>& exposed,
                                        const std::vector<Hits>& units);
    const RMatrix& matrix() const { return matrix_; }
    /// -1: of none.
    std::int64_t sessionOf(std::int32_t label) const {
        const auto found = session_of_class_.find(label);
        return found == session_of_class_.end() ? -1 : found->second;
    }
    void keep(StateArchive& archive);

private:
    bool disjoint_only_;
    std::unordered_map<std::int32_t, std::int64_t> session_of_class_;
    RMatrix matrix_;
    std::int64_t sessions_;
};

class StateArchive;

/// Measurements of a run's evaluations so far, and the numbers of its summary that follow from it.
class RunMeasures {
public:
    /// `sessionData`: which test images belong to a session (evaluation.session_data).
    RunMeasures(std::shared_ptr<const StreamPlan> plan, const std::string& sessionData);

    Retention& retention() { return retention_; }
    const Retention& retention() const { return retention_; }
    /// `router`: how often the right prompt was chosen; absent: not known.
    void add(EvaluationKind kind, const Evaluation& evaluation, std::optional<double> router = std::nullopt);
    /// Without times and memory.
    Summary summary() const;
    void keep(StateArchive& archive);

private:
    void keepShares(StateArchive& archive);

    std::shared_ptr<const StreamPlan> plan_;
    Retention retention_;
    std::vector<double> anytime_, session_end_;
    std::vector<double> reference_anytime_, reference_end_;  // of the evaluations that have one
    std::vector<std::vector<Hits>> session_hits_;
    std::optional<double> router_, agreement_;  // at the last end of a session
};

}  // namespace palimpsest
