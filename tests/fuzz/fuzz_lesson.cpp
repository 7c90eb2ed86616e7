// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/lesson.h"
#include "engine/lesson/lesson_run.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_lesson {
namespace {

/// Two runs with all that goals ask for.
const LessonFacts& facts() {
    static const LessonFacts kFacts = [] {
        LessonFacts made;
        for (const double accuracy : {0.25, 0.75}) {
            LessonRun run;
            run.experiment = fuzz::optionTable().defaults();
            run.accuracy = run.a_auc = run.a_last = run.forgetting = accuracy;
            run.retention = {{accuracy, 0.9}};
            made.runs.push_back(std::move(run));
        }
        return made;
    }();
    return kFacts;
}

}  // namespace

FUZZ_TARGET(lesson, 400) {
    fuzz::answers([&] {
        const Lesson lesson = parseLesson(fuzz::optionTable(), input, "lesson.toml");
        fuzz::require(!lesson.steps.empty() && lesson.steps.size() <= lesson_limit::kSteps, "steps are bounded");
        lessonNotes(lesson);
        for (const LessonStep& step : lesson.steps)
            if (step.goal) step.goal->met(facts());
    });
    // The language of goals by itself, which most mutations of a whole file never reach.
    fuzz::answers([&] { Goal::parse(fuzz::optionTable(), input).met(facts()); });
}

}  // namespace palimpsest::fuzz_lesson
