// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/library/run_row.h"

namespace palimpsest {

/// A search over runs. Every word must occur in name, settings, state, tags or note; `tag:x` asks for a tag that begins
/// so, `method:l2p` (also name, mask, prompts, data, state, note) for that column alone, and a minus before any of them
/// for its opposite. "Several words" in double quotes are one. Capitals of the Latin alphabet make no difference.
///
/// `seed`, `images`, `memory` and the keys of the listed metrics (`a_auc`, in per cent) take a number, `date` the day
/// on which a run ended, or began where it has no end, as lists show it: 2026-11-28, 2026-11 or 2026. Both take `>3`,
/// `>=3`, `<3`, `<=3` and `1..5`, too.
class RunQuery {
public:
    /// Smallest and largest value, as written; empty: no bound.
    struct Range {
        std::string low, high;
        bool without_low = false, without_high = false;  ///< the bound itself is left out
    };
    struct Term {
        std::string field;  ///< empty: any
        std::string word;   ///< small letters
        bool opposite = false;
        Range range;            ///< of fields with numbers or days
        std::string written;    ///< as it stands in the search
        std::size_t place = 0;  ///< where it begins there, in bytes
        std::string problem;    ///< one sentence where it cannot be understood, and so matches no run
    };

    RunQuery() = default;
    explicit RunQuery(std::string_view text);

    bool empty() const { return terms_.empty(); }
    bool matches(const RunRow& row) const;
    const std::vector<Term>& terms() const { return terms_; }

private:
    static bool holds(const Term& term, const RunRow& row);

    std::vector<Term> terms_;
};

}  // namespace palimpsest
