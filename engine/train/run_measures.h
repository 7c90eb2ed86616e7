// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/run/run_events.h"
#include "engine/train/evaluator.h"
#include "engine/train/retention.h"

namespace palimpsest {

class StateArchive;

/// Measurements of a run's evaluations so far, and the numbers of its summary that follow from it.
class RunMeasures {
public:
    /// `sessionData`: which test images belong to a session (evaluation.session_data).
    RunMeasures(std::shared_ptr<const StreamPlan> plan, const std::string& sessionData);

    Retention& retention() { return retention_; }
    const Retention& retention() const { return retention_; }
    void add(EvaluationKind kind, const Evaluation& evaluation);
    /// Without times and memory.
    Summary summary() const;
    void keep(StateArchive& archive);

private:
    std::shared_ptr<const StreamPlan> plan_;
    Retention retention_;
    std::vector<double> anytime_, session_end_;
    std::vector<std::vector<Hits>> session_hits_;
};

}  // namespace palimpsest
