// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/library/run_row.h"

namespace palimpsest {

/// A search over runs. Every word must occur in name, settings, state, tags or note; `tag:x` asks for a tag that begins
/// so, `method:l2p` (also name, mask, prompts, data, state, note) for that column alone, `seed:3` for that seed, and a
/// minus before any of them for its opposite. "Several words" in double quotes are one. Capitals of the Latin alphabet
/// make no difference.
class RunQuery {
public:
    RunQuery() = default;
    explicit RunQuery(std::string_view text);

    bool empty() const { return terms_.empty(); }
    bool matches(const RunRow& row) const;

private:
    struct Term {
        std::string field;  ///< empty: any
        std::string word;   ///< small letters
        bool opposite = false;
    };
    static bool holds(const Term& term, const RunRow& row);

    std::vector<Term> terms_;
};

}  // namespace palimpsest
