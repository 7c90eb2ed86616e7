// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/lesson.h"

#include <algorithm>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/config/toml_values.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLessonHint = "The guide's page on lessons shows how one is written.";
constexpr std::size_t kMostFiles = 500;  // of a folder

fs::path presetFile(const std::string& name) {
    return resourceFolder() / "presets" / (name + ".toml");
}

/// A name alone, which leads to no other folder.
bool isPreset(const std::string& name) {
    static constexpr std::string_view kNamed = "abcdefghijklmnopqrstuvwxyz0123456789-/";
    std::error_code ignored;
    return !name.empty() && name.size() < lesson_limit::kLine && name.front() != '/' &&
           name.find_first_not_of(kNamed) == std::string::npos && fs::is_regular_file(presetFile(name), ignored);
}

/// Reads one parsed file and gathers every problem instead of stopping at the first.
class LessonReader {
public:
    LessonReader(const OptionTable& table, std::vector<TomlProblem>& problems)
        : table_(table), problems_(problems), base_(table.defaults()) {}

    Lesson read(const toml::table& file) {
        static const std::vector<std::string> kKeys = {"title", "summary", "minutes", "base", "set", "step"};
        const toml::node* steps = nullptr;
        readBase(file);
        for (const auto& [key, node] : file) {
            const std::string name(key.str());
            if (name == "title")
                readLine(name, node, lineOf(key), lesson_.title);
            else if (name == "summary")
                readLine(name, node, lineOf(key), lesson_.summary);
            else if (name == "minutes")
                readMinutes(node, lineOf(key));
            else if (name == "step")
                steps = &node;
            else if (name != "base" && name != "set")
                problem(lineOf(key), "unknown key " + name + didYouMean(nearestWord(name, kKeys)));
        }
        for (const char* needed : {"title", "summary", "minutes"})
            if (!file.contains(needed)) problem(1, std::string("there is no ") + needed);
        const toml::array* list = steps ? steps->as_array() : nullptr;
        if (!list || list->empty() || !std::ranges::all_of(*list, [](const toml::node& n) { return n.is_table(); }))
            problem(steps ? steps->source().begin.line : 1, "there are no steps; one is written [[step]]");
        else if (list->size() > lesson_limit::kSteps)
            problem(list->source().begin.line,
                    "there are more than " + std::to_string(lesson_limit::kSteps) + " steps");
        else
            for (const toml::node& step : *list) readStep(*step.as_table());
        return std::move(lesson_);
    }

private:
    static std::uint32_t lineOf(const toml::key& key) { return key.source().begin.line; }
    void problem(std::uint32_t line, std::string sentence) { addProblem(problems_, line, std::move(sentence)); }

    void readLine(const std::string& name, const toml::node& node, std::uint32_t line, std::string& text) {
        const auto* given = node.as_string();
        if (!given || given->get().find_first_not_of(' ') == std::string::npos || !isPlainLine(given->get()) ||
            given->get().size() > lesson_limit::kLine)
            problem(line,
                    name + " must be a line of text of at most " + std::to_string(lesson_limit::kLine) + " characters");
        else
            text = given->get();
    }

    /// Several lines, each of them plain.
    void readText(const std::string& name, const toml::node& node, std::uint32_t line, std::string& text) {
        const auto* given = node.as_string();
        if (!given || given->get().find_first_not_of(" \n") == std::string::npos) {
            problem(line, name + " must be a text");
            return;
        }
        const std::string& all = given->get();
        if (all.size() > lesson_limit::kText) {
            problem(line, name + " is longer than " + std::to_string(lesson_limit::kText) + " characters");
            return;
        }
        for (std::size_t begin = 0; begin <= all.size();) {
            const std::size_t end = std::min(all.find('\n', begin), all.size());
            if (!isPlainLine(std::string_view(all).substr(begin, end - begin))) {
                problem(line, name + " holds characters that cannot be shown");
                return;
            }
            begin = end + 1;
        }
        const std::size_t first = all.find_first_not_of('\n'), last = all.find_last_not_of(" \n");
        text = all.substr(first, last + 1 - first);
        if (text.find("![") != std::string::npos || text.find('<') != std::string::npos)
            problem(line, name + " may hold neither pictures nor HTML");
    }

    void readMinutes(const toml::node& node, std::uint32_t line) {
        const auto* whole = node.as_integer();
        if (!whole || whole->get() < 1 || whole->get() > 600)
            problem(line, "minutes must be a whole number from 1 to 600");
        else
            lesson_.minutes = whole->get();
    }

    void readBase(const toml::table& file) {
        std::string base = "default";
        if (const toml::node* node = file.get("base")) {
            base = node->value_or(std::string());
            if (!isPreset(base)) {
                std::vector<std::string> names;
                for (const Preset& preset : listPresets()) names.push_back(preset.name);
                problem(node->source().begin.line, "base must be the name of a preset, and none is called \"" +
                                                       shortLine(base) + "\"" + didYouMean(nearestWord(base, names)));
                base = "default";
            }
        }
        base_ = readExperiment(table_, presetFile(base));
        if (const toml::node* set = file.get("set")) change(base_, "set", *set, set->source().begin.line);
    }

    /// Options as "mask.name" = "none", or in tables of their sections.
    void change(Experiment& experiment, const std::string& where, const toml::node& node, std::uint32_t line) {
        const toml::table* options = node.as_table();
        if (!options) {
            problem(line, where + " must be a table of options such as { \"mask.name\" = \"none\" }");
            return;
        }
        std::size_t count = options->size();
        for (const auto& [key, value] : *options)
            if (const toml::table* section = value.as_table()) count += section->size();
        if (count > lesson_limit::kSettings) {
            problem(line, where + " has more than " + std::to_string(lesson_limit::kSettings) + " options");
            return;
        }
        for (const auto& [key, value] : *options) {
            const std::string name(key.str());
            if (const toml::table* section = value.as_table())
                for (const auto& [leaf, inner] : *section)
                    changeOne(experiment, where, name + "." + std::string(leaf.str()), inner, lineOf(leaf));
            else
                changeOne(experiment, where, name, value, lineOf(key));
        }
    }

    void changeOne(Experiment& experiment, const std::string& where, const std::string& key, const toml::node& node,
                   std::uint32_t line) {
        const Option* option = table_.find(key);
        if (!option) {
            problem(line, where + ": unknown option " + key + didYouMean(table_.nearest(key)));
            return;
        }
        const std::optional<OptionValue> value = optionValue(node);
        if (!value) {
            problem(line, where + ": " + key + " must be a single value");
            return;
        }
        try {
            table_.set(experiment, *option, *value);
        } catch (const Error& error) {
            problem(line, where + ": " + withoutStop(error.sentence()));
        }
    }

    void readStep(const toml::table& table) {
        static const std::vector<std::string> kKeys = {"heading", "text", "point", "experiment", "goal", "hint"};
        LessonStep step;
        step.line = table.source().begin.line;
        for (const auto& [key, node] : table) {
            const std::string name(key.str());
            const std::uint32_t line = lineOf(key);
            if (name == "heading")
                readLine(name, node, line, step.heading);
            else if (name == "text")
                readText(name, node, line, step.text);
            else if (name == "hint")
                readText(name, node, line, step.hint);
            else if (name == "point")
                readPoint(node, line, step.point);
            else if (name == "experiment")
                readExperimentOf(step, node, line);
            else if (name == "goal")
                readGoal(step, node, line);
            else
                problem(line, "unknown key " + name + didYouMean(nearestWord(name, kKeys)));
        }
        for (const char* needed : {"heading", "text"})
            if (!table.contains(needed)) problem(step.line, std::string("a step has no ") + needed);
        lesson_.steps.push_back(std::move(step));
    }

    void readPoint(const toml::node& node, std::uint32_t line, std::string& point) {
        readLine("point", node, line, point);
        if (point.empty() || table_.find(point)) return;
        std::vector<std::string> names;
        for (const LessonPlace& place : lessonPlaces()) names.emplace_back(place.name);
        if (std::ranges::find(names, point) != names.end()) return;
        std::string near = nearestWord(point, names);
        if (near.empty()) near = table_.nearest(point);
        problem(line, "point: there is no place, command or option \"" + shortLine(point) + "\"" +
                          (near.empty() ? "; `palimpsest-cli lesson places` lists them" : didYouMean(near)));
        point.clear();
    }

    void readExperimentOf(LessonStep& step, const toml::node& node, std::uint32_t line) {
        step.experiment = base_;
        const std::size_t before = problems_.size();
        change(*step.experiment, "experiment", node, line);
        // Told of values that are each allowed, but not together.
        if (problems_.size() == before)
            for (const std::string& sentence : table_.problems(*step.experiment))
                problem(line, "experiment: " + withoutStop(sentence));
    }

    void readGoal(LessonStep& step, const toml::node& node, std::uint32_t line) {
        const auto* text = node.as_string();
        if (!text) {
            problem(line, "goal must be a text such as 'retention(1) > 50'");
            return;
        }
        try {
            step.goal = Goal::parse(table_, text->get());
        } catch (const Error& error) {
            problem(line, "goal: " + withoutStop(error.what()));
        }
    }

    const OptionTable& table_;
    std::vector<TomlProblem>& problems_;
    Experiment base_;
    Lesson lesson_;
};

std::int64_t countWords(std::string_view text) {
    std::int64_t words = 0;
    bool within = false;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n';
        if (!blank && !within) ++words;
        within = !blank;
    }
    return words;
}

fs::path lessonFolder() {
    return resourceFolder() / "lessons";
}

/// "blurry-borders" of "03-blurry-borders".
std::string_view withoutNumber(std::string_view name) {
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    return digits > 0 && digits < name.size() && name[digits] == '-' ? name.substr(digits + 1) : name;
}

}  // namespace

std::size_t Lesson::goals() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(steps, [](const LessonStep& step) { return step.goal.has_value(); }));
}

Lesson parseLesson(const OptionTable& table, std::string_view toml, const std::string& origin) {
    const toml::table file = parsedToml(toml, origin);
    std::vector<TomlProblem> problems;
    Lesson lesson;
    try {
        lesson = LessonReader(table, problems).read(file);
    } catch (const TooManyProblems&) {
        // The first ones are said.
    }
    throwProblems(origin, std::move(problems), kLessonHint);
    return lesson;
}

Lesson readLesson(const OptionTable& table, const fs::path& file) {
    return parseLesson(table, readTextFile(file, FilePlace::Named, lesson_limit::kBytes), file.string());
}

std::int64_t wordsIn(const LessonStep& step) {
    return countWords(step.text);
}

std::vector<std::string> lessonNotes(const Lesson& lesson) {
    std::vector<std::string> notes;
    const auto note = [&](const LessonStep& step, const std::string& sentence) {
        notes.push_back("line " + std::to_string(step.line) + ": \"" + step.heading + "\" " + sentence);
    };
    for (const LessonStep& step : lesson.steps) {
        if (const std::int64_t words = wordsIn(step); words > lesson_limit::kWords)
            note(step, "has " + std::to_string(words) + " words; up to " + std::to_string(lesson_limit::kWords) +
                           " are read while a run goes on");
        if (!step.hint.empty() && !step.goal) note(step, "has a hint, which is shown only beside a goal");
    }
    if (!lesson.steps.empty() && lesson.goals() == 0)
        notes.push_back("line 1: no step has a goal, so the lesson is never finished");
    return notes;
}

const std::vector<LessonPlace>& lessonPlaces() {
    static const std::vector<LessonPlace> kPlaces = {
        {"startRun", "Start, F5"},
        {"pauseRun", "Pause, Space"},
        {"stepRun", "Learn one batch, Right"},
        {"stopRun", "Stop and keep, Shift+F5"},
        {"guessFirst", "Guess first, Ctrl+G"},
        {"compareLanes", "Compare side by side, Ctrl+L"},
        {"forkHere", "Fork here, Ctrl+B"},
        {"replayRun", "Replay the selected run, Ctrl+R"},
        {"memory", "The window of the memory"},
        {"forgottenImages", "The window of forgotten images"},
        {"trust", "Can this be trusted?"},
        {"experimentPanel", "The panel of the experiment"},
        {"presetChooser", "The list of presets"},
        {"streamPreview", "The picture of the stream"},
        {"seedDice", "The dice beside the seed"},
        {"anytimePlot", "The figure of anytime accuracy"},
        {"retentionPlot", "The figure of retention"},
        {"curvesView", "The figures"},
        {"curvesPage1", "The page of accuracy and retention"},
        {"curvesPage2", "The page of classes"},
        {"curvesPage3", "The page of sessions"},
        {"curvesPage4", "The page of confusions"},
        {"curvesPage5", "The page of the loss"},
        {"curvesPage6", "The page of prompts"},
        {"curvesPage7", "The page of the memory"},
        {"curvesPage8", "The page of pushes"},
        {"nowPanel", "Now: what is being learned"},
        {"pushBars", "The pushes of the present batch, in Now"},
        {"maskChips", "The classes that compete, in Now"},
        {"runsPanel", "The list of runs"},
        {"timeLine", "The time line below the figures"},
    };
    return kPlaces;
}

std::vector<LessonFile> lessonFiles(const fs::path& folder) {
    std::vector<LessonFile> files;
    for (const fs::path& entry : folderEntries(folder.empty() ? lessonFolder() : folder)) {
        if (entry.extension() != ".toml") continue;
        if (files.size() == kMostFiles)
            throw inputError(folder.string() + " holds more than " + std::to_string(kMostFiles) + " lessons.",
                             "Name a folder of fewer.");
        files.push_back({plainLine(entry.stem().string()), entry});
    }
    std::ranges::sort(files, {}, &LessonFile::name);
    return files;
}

fs::path findLesson(const std::string& fileOrName) {
    std::error_code ignored;
    if (fs::is_regular_file(fileOrName, ignored)) return fileOrName;
    std::vector<std::string> names;
    for (const LessonFile& lesson : lessonFiles()) {
        if (lesson.name == fileOrName || withoutNumber(lesson.name) == fileOrName) return lesson.file;
        names.emplace_back(withoutNumber(lesson.name));
    }
    const std::string near = nearestWord(fileOrName, names);
    throw inputError(
        "There is no lesson or file called \"" + fileOrName + "\".",
        (near.empty() ? "" : "Did you mean " + near + "? ") + "The lessons are " + enumeration(names) + ".");
}

}  // namespace palimpsest
