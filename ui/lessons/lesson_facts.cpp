// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_facts.h"

#include "engine/lesson/lesson_run.h"
#include "ui/state/guess_book.h"
#include "ui/state/run_set.h"

namespace palimpsest {

LessonFacts lessonFacts(const RunSet& runs, const QStringList& ids, const GuessBook& guesses) {
    LessonFacts facts;
    facts.guess_drawn = !guesses.next().empty();
    for (const QString& id : ids) {
        const ShownRun* shown = runs.find(id);
        if (!shown) continue;
        std::vector<RetentionPoint> retention;
        for (const auto& [session, points] : shown->points.retention())
            retention.insert(retention.end(), points.begin(), points.end());
        LessonRun run = lessonRun(shown->facts->experiment, shown->points.anytime(), retention);
        run.finished = shown->finished;
        run.guessed = !guesses.of(id).empty();
        facts.guess_drawn = facts.guess_drawn || run.guessed;
        facts.runs.push_back(std::move(run));
    }
    return facts;
}

}  // namespace palimpsest
