// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_map>

#include "engine/metrics/metrics.h"
#include "engine/run/run_events.h"
#include "engine/stream/stream_plan.h"

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

}  // namespace palimpsest
