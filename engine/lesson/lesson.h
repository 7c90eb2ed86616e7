// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/lesson/goal.h"

namespace palimpsest {

/// Bounds of a lesson, which may come from anybody.
namespace lesson_limit {
inline constexpr std::uint64_t kBytes = 200'000;
inline constexpr std::size_t kSteps = 30;
inline constexpr std::size_t kLine = 150;      ///< characters of a title, a heading, a hint's line
inline constexpr std::size_t kText = 3000;     ///< bytes of a step's text or hint
inline constexpr std::size_t kSettings = 100;  ///< options of one step
inline constexpr std::int64_t kWords = 80;     ///< of a step, that a narrow panel shows at once
}  // namespace lesson_limit

/// One page of a lesson: what to read, what to look at, what to do, and how one sees that it is done.
struct LessonStep {
    std::string heading;
    std::string text;                      ///< simple Markdown, without pictures and HTML
    std::string point;                     ///< what is shown on demand, see lessonPlaces(); empty: nothing
    std::optional<Experiment> experiment;  ///< whole, to be put into the form; absent: the form stays
    std::optional<Goal> goal;
    std::string hint;  ///< shown until the goal is met; may be empty
    std::uint32_t line = 0;
};

struct Lesson {
    std::string title;
    std::string summary;
    std::int64_t minutes = 0;
    std::vector<LessonStep> steps;

    /// Steps with a goal.
    std::size_t goals() const;
};

/// Reads TOML. `base` of a lesson names a preset. Throws Error(Input) that names file, line and key of every problem
/// and, for an unknown key, the nearest known one.
Lesson parseLesson(const OptionTable& table, std::string_view toml, const std::string& origin);
Lesson readLesson(const OptionTable& table, const std::filesystem::path& file);

/// Sentences on what is allowed but makes a lesson hard to follow: steps of many words, a hint without a goal, a first
/// step without anything to do. Each begins with its line.
std::vector<std::string> lessonNotes(const Lesson& lesson);
/// Words of a step's text and hint.
std::int64_t wordsIn(const LessonStep& step);

/// What a lesson may point at.
struct LessonPlace {
    const char* name;   ///< of a command or a widget of the window, or the key of an option
    const char* words;  ///< what it is, for the guide and `lesson places`
};
/// All but options, which have their keys.
const std::vector<LessonPlace>& lessonPlaces();

/// A lesson in a folder, as lists show it.
struct LessonFile {
    std::string name;  ///< "03-blurry-borders"
    std::filesystem::path file;
};
/// TOML files of a folder by name; those that come with the program where none is given. Throws Error(Input) for a
/// folder that cannot be read.
std::vector<LessonFile> lessonFiles(const std::filesystem::path& folder = {});
/// The file itself, or the lesson that comes with the program under this name, with or without its number. Throws
/// Error(Input) that names the nearest one.
std::filesystem::path findLesson(const std::string& fileOrName);

}  // namespace palimpsest
