// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/lesson.h"
#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/config/experiment_file.h"
#include "engine/lesson/lesson_run.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

struct LessonArguments {
    std::string file;
    std::vector<std::string> files, runs;
    std::int64_t step = 0;
    bool json = false;
};

Json summed(const fs::path& file, const Lesson& lesson) {
    return {{"file", file.string()},     {"title", lesson.title},        {"summary", lesson.summary},
            {"minutes", lesson.minutes}, {"steps", lesson.steps.size()}, {"goals", lesson.goals()}};
}

int listLessons(const OptionTable& table, const LessonArguments& given) {
    bool whole = true;
    std::vector<std::pair<std::string, std::string>> rows;
    for (const LessonFile& each : lessonFiles(given.file)) {
        try {
            const Lesson lesson = readLesson(table, each.file);
            if (given.json)
                printLine(summed(each.file, lesson));
            else
                rows.emplace_back(each.name, lesson.title + (lesson.title.ends_with('?') ? " " : ". ") +
                                                 lesson.summary + " " +
                                                 counted(std::ssize(lesson.steps), "step", "steps") + ", about " +
                                                 counted(lesson.minutes, "minute", "minutes"));
        } catch (const Error& error) {
            whole = false;
            std::cerr << "palimpsest-cli: " << error.sentence() << "\n";
        }
    }
    if (!given.json) std::cout << twoColumns(rows);
    return whole ? 0 : 2;
}

void printStep(const LessonStep& step, std::size_t number, std::size_t steps) {
    std::cout << "\n" << number << " of " << steps << ". " << step.heading << "\n\n" << wrapped(step.text, 2) << "\n";
    if (!step.point.empty()) std::cout << "  Points at   " << step.point << "\n";
    if (step.experiment) std::cout << "  Experiment  " << step.experiment->name << "\n";
    if (step.goal) std::cout << "  Goal        " << step.goal->text() << "\n";
    if (!step.hint.empty()) std::cout << "  Hint        " << plainSentence(step.hint) << "\n";
}

int showLesson(const OptionTable& table, const LessonArguments& given) {
    const fs::path file = findLesson(given.file);
    const Lesson lesson = readLesson(table, file);
    if (given.json) {
        Json all = summed(file, lesson);
        Json steps = Json::array();
        for (const LessonStep& step : lesson.steps)
            steps.push_back({{"heading", step.heading},
                             {"text", step.text},
                             {"point", orNull(step.point)},
                             {"experiment", step.experiment ? Json(step.experiment->name) : Json(nullptr)},
                             {"goal", step.goal ? Json(step.goal->text()) : Json(nullptr)},
                             {"hint", orNull(step.hint)}});
        all["steps"] = steps;
        printLine(all);
        return 0;
    }
    std::cout << lesson.title << "\n"
              << lesson.summary << " About " << counted(lesson.minutes, "minute", "minutes") << ".\n";
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) printStep(lesson.steps[i], i + 1, lesson.steps.size());
    return 0;
}

int checkLessons(const OptionTable& table, const LessonArguments& given) {
    bool sound = true;
    for (const std::string& name : given.files) {
        std::string fault;
        std::vector<std::string> notes;
        std::optional<Lesson> lesson;
        const fs::path file = findLesson(name);
        try {
            lesson = readLesson(table, file);
            notes = lessonNotes(*lesson);
        } catch (const Error& error) {
            sound = false;
            fault = error.sentence();
        }
        if (given.json) {
            printLine({{"file", file.string()}, {"sound", fault.empty()}, {"fault", orNull(fault)}, {"notes", notes}});
            continue;
        }
        if (!fault.empty()) {
            std::cout << fault << "\n";
            continue;
        }
        std::cout << plainSentence(file.string()) << ": sound, " << counted(std::ssize(lesson->steps), "step", "steps")
                  << ", " << counted(static_cast<std::int64_t>(lesson->goals()), "goal", "goals") << "\n";
        for (const std::string& note : notes) std::cout << "    Note: " << plainSentence(note) << "\n";
    }
    return sound ? 0 : 2;
}

/// Runs that are named, and those in folders of runs.
std::vector<fs::path> runsNamed(const std::vector<std::string>& named) {
    std::vector<fs::path> runs;
    for (const std::string& one : named) {
        if (readRunState(one) != RecordedState::None) {
            runs.emplace_back(one);
            continue;
        }
        std::vector<fs::path> below = findRuns(one);
        if (below.empty())
            throw inputError(one + " is neither a run nor a folder of runs.", "A run folder holds a file run.json.");
        runs.insert(runs.end(), below.begin(), below.end());
    }
    return runs;
}

int judgeGoals(const OptionTable& table, const LessonArguments& given) {
    const Lesson lesson = readLesson(table, findLesson(given.file));
    LessonFacts facts;
    for (const fs::path& run : runsNamed(given.runs)) {
        facts.runs.push_back(lessonRun(table, run));
        facts.guess_drawn = facts.guess_drawn || facts.runs.back().guessed;
    }
    bool all = true;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        if (!step.goal) continue;
        const bool met = step.goal->met(facts);
        all = all && met;
        if (given.json)
            printLine({{"step", i + 1}, {"heading", step.heading}, {"goal", step.goal->text()}, {"met", met}});
        else
            std::cout << (met ? "met      " : "not met  ") << i + 1 << "  " << step.heading << ": " << step.goal->text()
                      << "\n";
    }
    return all ? 0 : 1;
}

int printExperiment(const OptionTable& table, const LessonArguments& given) {
    const Lesson lesson = readLesson(table, findLesson(given.file));
    if (given.step < 1 || given.step > std::ssize(lesson.steps))
        throw inputError("The lesson has no step " + grouped(given.step) + ".",
                         "Its steps are 1 to " + grouped(std::ssize(lesson.steps)) + ".");
    const LessonStep& step = lesson.steps[static_cast<std::size_t>(given.step - 1)];
    if (!step.experiment)
        throw inputError("Step " + grouped(given.step) + " has no experiment.", "It goes on with the one before.");
    std::cout << formatExperiment(table, *step.experiment);
    return 0;
}

int listPlaces(const LessonArguments& given) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const LessonPlace& place : lessonPlaces()) {
        if (given.json)
            printLine({{"name", place.name}, {"words", place.words}});
        else
            rows.emplace_back(place.name, place.words);
    }
    if (!given.json)
        std::cout << twoColumns(rows) << "\nThe key of any option, such as mask.name, points at its field.\n";
    return 0;
}

}  // namespace

void addLesson(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<LessonArguments>();
    CLI::App* command = app.add_subcommand("lesson", "List lessons, check those you write, and judge goals by runs");
    command->require_subcommand(1);
    const auto json = [&](CLI::App* verb, const char* words) { verb->add_flag("--json", given->json, words); };

    CLI::App* list = command->add_subcommand("list", "List the lessons that come with the program, or of a folder");
    list->add_option("folder", given->file, "Folder of lessons; without it, those of the program")->type_name("FOLDER");
    json(list, "Print one JSON object a lesson");

    CLI::App* show = command->add_subcommand("show", "Print a lesson as text");
    show->add_option("lesson", given->file, "A file, or the name of a lesson")->type_name("LESSON")->required();
    json(show, "Print one JSON object");

    CLI::App* check = command->add_subcommand("check", "Name every fault of lessons with its line");
    check->add_option("lessons", given->files, "Files, or names of lessons")->type_name("LESSON...")->required();
    json(check, "Print one JSON object a lesson");
    check->footer("Exit codes: 0 all are sound; 2 one has a fault.");

    CLI::App* goals = command->add_subcommand("goals", "Say which goals of a lesson some runs reach");
    goals->add_option("lesson", given->file, "A file, or the name of a lesson")->type_name("LESSON")->required();
    goals->add_option("runs", given->runs, "Run folders, or folders of runs; none: what is reached before any run")
        ->type_name("RUN|FOLDER...");
    json(goals, "Print one JSON object a goal");
    goals->footer("Exit codes: 0 all are reached; 1 one is not; 2 wrong input.");

    CLI::App* experiment =
        command->add_subcommand("experiment", "Print the experiment that a step sets up, as a file for `run`");
    experiment->add_option("lesson", given->file, "A file, or the name of a lesson")->type_name("LESSON")->required();
    experiment->add_option("step", given->step, "Number of the step, from 1")->type_name("N")->required();

    CLI::App* places = command->add_subcommand("places", "List what a step may point at");
    json(places, "Print one JSON object a place");

    shell.onChosen(*command, [&shell, given, show, check, goals, experiment, places] {
        if (places->parsed()) return listPlaces(*given);
        if (experiment->parsed()) return printExperiment(shell.table(), *given);
        if (goals->parsed()) return judgeGoals(shell.table(), *given);
        if (check->parsed()) return checkLessons(shell.table(), *given);
        if (show->parsed()) return showLesson(shell.table(), *given);
        return listLessons(shell.table(), *given);
    });
}

}  // namespace palimpsest
