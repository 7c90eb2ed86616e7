// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

namespace palimpsest {

/// Content of a time track, over the images seen by a run; all lists ascend.
struct TimeTrackContent {
    using Moment = std::optional<std::int64_t>;
    struct Change {
        std::int64_t at = 0;
        QString text;
        bool operator==(const Change&) const = default;
    };
    std::int64_t total = 0;  ///< 0: there is no run
    std::int64_t seen = 0;
    std::vector<std::int64_t> starts;       ///< of the sessions
    std::vector<std::int64_t> evaluations;  ///< where the run was looked at
    std::vector<std::int64_t> checkpoints;
    std::vector<Change> changes;
    bool operator==(const TimeTrackContent&) const = default;

    /// The evaluation nearest to so many images; nothing: there is none.
    Moment nearest(std::int64_t samples) const;
    /// The evaluation before (−1) or after (1) the chosen one; not chosen: it stands at the newest.
    Moment stepped(Moment chosen, int direction) const;
    /// The first evaluation of the session before or after.
    Moment sessionStepped(Moment chosen, int direction) const;
};

}  // namespace palimpsest
