// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Accuracies on one session of a run, as fractions; absent until it has ended, and without test data.
struct LessonSession {
    std::optional<double> now;   ///< at the end of the last session that has ended
    std::optional<double> best;  ///< the highest at the end of any session so far
};

/// What is known of one run, finished or going on, as far as goals ask for it. Accuracies are fractions.
struct LessonRun {
    Experiment experiment;  ///< as it began
    std::int64_t samples = 0;
    std::int64_t sessions = 0;  ///< that have ended
    bool finished = false;
    bool guessed = false;  ///< its curves were guessed before it began
    std::optional<double> accuracy, a_auc, a_last, forgetting;
    std::vector<LessonSession> retention;  ///< by session, from 0
};

/// What goals are judged by.
struct LessonFacts {
    std::vector<LessonRun> runs;
    bool guess_drawn = false;  ///< a guess of the next run is drawn, or one of these was guessed
};

/// A condition on runs, written as "retention(1) > 50 and memory.size == 0". A comparison speaks of one run: the goal
/// is met when all of it holds for one and the same run. best(...), runs(...) and their like look at all runs. What is
/// not known yet makes a comparison neither true nor false, so `not` does not turn it into a success. The guide's page
/// "lessons" has the grammar.
class Goal {
public:
    static constexpr std::size_t kLongest = 1000;  ///< characters
    static constexpr int kDeepest = 20;            ///< brackets and `not` within one another
    static constexpr std::size_t kMostParts = 200;

    /// Throws Error(Input), one sentence that says where and what, with the nearest word for one that is not known;
    /// also for characters that a terminal or Markdown would take for more than text.
    static Goal parse(const OptionTable& table, std::string_view text);

    /// One plain line, whatever the file had.
    const std::string& text() const { return text_; }
    bool met(const LessonFacts& facts) const;

    struct Node;

private:
    std::string text_;
    std::shared_ptr<const Node> root_;
};

/// All words that a goal may use besides the keys of options, for the guide and for hints.
const std::vector<std::string>& goalWords();

}  // namespace palimpsest
