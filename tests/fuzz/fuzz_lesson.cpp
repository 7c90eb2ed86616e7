// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

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

void judge(const Goal& goal) {
    fuzz::requireLine(goal.text());
    fuzz::require(goal.text().find('`') == std::string::npos, "a goal ends the code that it is shown as");
    goal.met(facts());
}

}  // namespace

FUZZ_TARGET(lesson, 400) {
    fuzz::answers([&] {
        const Lesson lesson = parseLesson(fuzz::optionTable(), input, "lesson.toml");
        fuzz::require(!lesson.steps.empty() && lesson.steps.size() <= lesson_limit::kSteps, "steps are bounded");
        // Texts of several lines are lines, too.
        const auto requireText = [](const std::string& text) {
            for (std::size_t begin = 0; begin <= text.size();) {
                const std::size_t end = std::min(text.find('\n', begin), text.size());
                fuzz::requireLine(std::string_view(text).substr(begin, end - begin));
                begin = end + 1;
            }
        };
        fuzz::requireLine(lesson.title);
        fuzz::requireLine(lesson.summary);
        fuzz::requireLines(lessonNotes(lesson));
        for (const LessonStep& step : lesson.steps) {
            fuzz::requireLine(step.heading);
            fuzz::requireLine(step.point);
            requireText(step.text);
            requireText(step.hint);
            if (step.goal) judge(*step.goal);
        }
    });
    // The language of goals by itself, which most mutations of a whole file never reach.
    fuzz::answers([&] { judge(Goal::parse(fuzz::optionTable(), input)); });
}

}  // namespace palimpsest::fuzz_lesson
