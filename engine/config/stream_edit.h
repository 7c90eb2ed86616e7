// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace palimpsest {

/// A change made by hand to a planned stream: images of one class go to another session. Sessions count from 0 here,
/// from 1 where it is written; classes count from 0 in both.
struct StreamEdit {
    static constexpr std::int64_t kEverySession = -1;

    std::int64_t label = 0;
    std::int64_t from = kEverySession;  ///< the session that gives them up, or every session
    std::int64_t to = 0;

    bool operator==(const StreamEdit&) const = default;
};

/// "class 3 to session 2", or "class 3 from session 1 to session 2".
std::string toText(const StreamEdit& edit);
/// As an experiment lists them, with semicolons between; empty for none. editList() reads it back.
std::string toText(const std::vector<StreamEdit>& edits);
/// Throws Error(Input), one sentence that names stream.edits and what it cannot read.
std::vector<StreamEdit> editList(const std::string& text);

/// The list with one more edit. An edit of the whole class makes earlier edits of that class moot, so they go;
/// `drawnSession`, where the class was before any edit, needs no edit to be reached (-1: not known).
std::vector<StreamEdit> withEdit(std::vector<StreamEdit> edits, const StreamEdit& edit, std::int64_t drawnSession = -1);

}  // namespace palimpsest
