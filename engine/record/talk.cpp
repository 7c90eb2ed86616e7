// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/talk.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/config/toml_values.h"
#include "engine/record/example_runs.h"
#include "engine/record/talk_caption.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTalkHint = "The guide's page Stage explains talks.";
constexpr std::size_t kLongestRunName = 40;
constexpr std::int64_t kFarthestMoment = 1'000'000'000'000;

std::uint32_t lineOfKey(const toml::key& key) {
    return key.source().begin.line;
}

/// Characters of UTF-8.
std::size_t charactersIn(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool isRunName(std::string_view name) {
    return !name.empty() && name.size() <= kLongestRunName && std::ranges::all_of(name, [](char c) {
        const char low = asciiLower(c);
        return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

/// Below the folder of runs, or absolute: a talk of somebody else leads nowhere by "..".
bool isRunFolder(const std::string& folder) {
    return std::ranges::none_of(fs::path(folder), [](const fs::path& part) { return part == ".."; });
}

/// A preset, or a file below the folder of the talk: no other place of the computer of whoever opens it.
bool isTalkExperiment(const std::string& name) {
    const fs::path path(name);
    return !path.is_absolute() && std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

/// Preset that a word may be meant as; empty where none is near.
std::string nearestPreset(const std::string& name) {
    std::vector<std::string> presets;
    for (const Preset& preset : listPresets()) presets.push_back(preset.name);
    std::string word = fs::path(name).filename().string();
    if (word.ends_with(".toml")) word.resize(word.size() - 5);
    const std::string near = nearestWord(name, presets);
    return near.empty() ? nearestWord(word, presets) : near;
}

constexpr const char* kTalkExperiments = "the name of a preset, or a file beside the talk or below its folder";

/// Reads one parsed file into a talk and gathers every problem instead of stopping at the first.
class TalkReader {
public:
    explicit TalkReader(std::vector<TomlProblem>& problems) : problems_(problems) {}

    Talk read(const toml::table& file) {
        static const std::vector<std::string> kKeys = {"title", "minutes", "run", "scene"};
        // Scenes name runs, wherever in the file those stand.
        if (const toml::node* runs = file.get("run")) readList(*runs, "run", kMostTalkRuns, &TalkReader::readRun);
        for (const auto& [key, node] : file) {
            const std::string name(key.str());
            const std::uint32_t line = lineOfKey(key);
            if (name == "title")
                readLine(name, node, line, kLongestCaption, talk_.title);
            else if (name == "minutes")
                talk_.minutes = numberAt(name, node, line, 24 * 60.0);
            else if (name == "scene")
                readList(node, "scene", kMostScenes, &TalkReader::readScene);
            else if (name != "run")
                problem(line, "unknown key " + name + didYouMean(nearestWord(name, kKeys)));
        }
        if (talk_.title.empty() && !file.contains("title"))
            problem(1, "the talk has no title, such as title = \"Forgetting\"");
        if (!file.contains("scene")) problem(1, "the talk has no scenes, each of which begins with [[scene]]");
        return std::move(talk_);
    }

private:
    void problem(std::uint32_t line, std::string sentence) { addProblem(problems_, line, std::move(sentence)); }

    void readList(const toml::node& node, const std::string& name, std::size_t most,
                  void (TalkReader::*readOne)(const toml::table&, std::uint32_t)) {
        const std::uint32_t line = node.source().begin.line;
        const toml::array* list = node.as_array();
        if (!list || !list->is_array_of_tables())
            return problem(line, "each " + name + " begins with [[" + name + "]]");
        if (list->size() > most)
            return problem(line, "there are more than " + grouped(static_cast<std::int64_t>(most)) + " " + name + "s");
        for (const toml::node& one : *list) (this->*readOne)(*one.as_table(), one.source().begin.line);
    }

    /// False, and a problem, for anything but a line of at most so many characters.
    bool readLine(const std::string& name, const toml::node& node, std::uint32_t line, std::size_t most,
                  std::string& text) {
        const auto* given = node.as_string();
        if (!given || given->get().find_first_not_of(' ') == std::string::npos || !isPlainLine(given->get())) {
            problem(line, name + " must be a line of text");
            return false;
        }
        if (charactersIn(given->get()) > most) {
            problem(line, name + " has more than " + grouped(static_cast<std::int64_t>(most)) + " characters");
            return false;
        }
        text = given->get();
        return true;
    }

    double numberAt(const std::string& name, const toml::node& node, std::uint32_t line, double most) {
        const double number = node.is_number() ? node.value_or(0.0) : 0.0;
        if (std::isfinite(number) && number > 0 && number <= most) return number;
        problem(line, name + " must be a number above 0, up to " + trimmedText(most, 0));
        return 0;
    }

    void readFlag(const std::string& name, const toml::node& node, std::uint32_t line, bool& flag) {
        if (const auto* given = node.as_boolean())
            flag = given->get();
        else
            problem(line, name + " must be true or false");
    }

    void readRun(const toml::table& table, std::uint32_t at) {
        static const std::vector<std::string> kKeys = {"name", "recorded", "folder", "experiment", "set", "seconds"};
        TalkRun run;
        for (const auto& [key, node] : table) {
            const std::string name(key.str());
            const std::uint32_t line = lineOfKey(key);
            if (name == "name")
                readRunName(node, line, run);
            else if (name == "recorded")
                readRecorded(node, line, run);
            else if (name == "folder") {
                if (readLine(name, node, line, kLongestNote, run.folder) && !isRunFolder(run.folder))
                    problem(line, "folder must lie below the folder of runs, without \"..\", or be absolute");
            } else if (name == "experiment") {
                if (readLine(name, node, line, kLongestNote, run.experiment) && !isTalkExperiment(run.experiment))
                    problem(line, std::string("experiment must be ") + kTalkExperiments + ", without \"..\"" +
                                      didYouMean(nearestPreset(run.experiment)));
            } else if (name == "set")
                readSettings(node, line, run);
            else if (name == "seconds")
                run.seconds = numberAt(name, node, line, 1e9);
            else
                problem(line, "unknown key " + name + " of a run" + didYouMean(nearestWord(name, kKeys)));
        }
        if (!table.contains("name")) problem(at, "a run has no name, such as name = \"mask\"");
        const int places = table.contains("recorded") + table.contains("folder") + table.contains("experiment");
        if (places != 1) problem(at, "a run has one of recorded, folder and experiment");
        if (table.contains("set") && !table.contains("experiment")) problem(at, "set belongs to a run with experiment");
        talk_.runs.push_back(std::move(run));
    }

    void readRunName(const toml::node& node, std::uint32_t line, TalkRun& run) {
        run.name = node.value_or(std::string());
        if (!isRunName(run.name))
            problem(line, "the name of a run has letters, digits and hyphens, up to " +
                              grouped(static_cast<std::int64_t>(kLongestRunName)));
        else if (talk_.run(run.name))
            problem(line, "two runs have the name " + run.name);
    }

    void readRecorded(const toml::node& node, std::uint32_t line, TalkRun& run) {
        run.recorded = node.value_or(std::string());
        static const std::vector<std::string> kKnown(kDemoRuns.begin(), kDemoRuns.end());
        if (std::ranges::find(kKnown, run.recorded) != kKnown.end()) return;
        const std::string near = nearestWord(run.recorded, kKnown);
        problem(line, "no recorded run \"" + shortLine(run.recorded) + "\" comes with the program" +
                          (near.empty() ? "; there are " + enumeration(kKnown) : didYouMean(near)));
    }

    void readSettings(const toml::node& node, std::uint32_t line, TalkRun& run) {
        const toml::table* settings = node.as_table();
        if (!settings || settings->size() > 200)
            return problem(line, "set must be options with values, such as { seed = 2 }");
        for (const auto& [key, value] : *settings) {
            const std::optional<OptionValue> given = optionValue(value);
            const auto* text = given ? std::get_if<std::string>(&*given) : nullptr;
            const auto* real = given ? std::get_if<double>(&*given) : nullptr;
            if (!given || (text && !isPlainLine(*text)) || (real && !std::isfinite(*real)) || !isPlainLine(key.str()))
                problem(line, "set: " + shortLine(key.str()) + " must be a single value");
            else
                run.set.emplace_back(std::string(key.str()), *given);
        }
    }

    void readScene(const toml::table& table, std::uint32_t at) {
        static const std::vector<std::string> kKeys = {"caption", "note", "runs",      "figure", "now",
                                                       "at",      "play", "spotlight", "start"};
        TalkScene scene;
        for (const auto& [key, node] : table) {
            const std::string name(key.str());
            const std::uint32_t line = lineOfKey(key);
            if (name == "caption")
                readCaption(node, line, scene);
            else if (name == "note")
                readLine(name, node, line, kLongestNote, scene.note);
            else if (name == "runs")
                readSceneRuns(node, line, scene);
            else if (name == "figure")
                readFigure(node, line, scene);
            else if (name == "now")
                readFlag(name, node, line, scene.now);
            else if (name == "at")
                readMoment(node, line, scene);
            else if (name == "play")
                readSpeed(node, line, scene);
            else if (name == "spotlight")
                readFlag(name, node, line, scene.spotlight);
            else if (name == "start")
                readStart(node, line, scene);
            else
                problem(line, "unknown key " + name + " of a scene" + didYouMean(nearestWord(name, kKeys)));
        }
        if (!table.contains("caption")) problem(at, "a scene has no caption");
        talk_.scenes.push_back(std::move(scene));
    }

    void readCaption(const toml::node& node, std::uint32_t line, TalkScene& scene) {
        if (!readLine("caption", node, line, kLongestCaption, scene.caption)) return;
        const std::string wrong = captionProblem(talk_, scene.caption);
        if (!wrong.empty()) problem(line, wrong);
    }

    void requireRun(const std::string& name, std::uint32_t line) {
        if (talk_.run(name)) return;
        std::vector<std::string> names;
        for (const TalkRun& run : talk_.runs) names.push_back(run.name);
        problem(line, "the talk has no run \"" + shortLine(name) + "\"" + didYouMean(nearestWord(name, names)));
    }

    void readSceneRuns(const toml::node& node, std::uint32_t line, TalkScene& scene) {
        const toml::array* list = node.as_array();
        if (!list || list->empty() || list->size() > kMostSceneRuns)
            return problem(line, "runs must be a list of 1 to " + std::to_string(kMostSceneRuns) + " names of runs");
        for (const toml::node& entry : *list) {
            const std::string name = entry.value_or(std::string());
            requireRun(name, line);
            if (std::ranges::find(scene.runs, name) != scene.runs.end())
                problem(line, "runs holds " + shortLine(name) + " twice");
            scene.runs.push_back(name);
        }
    }

    void readFigure(const toml::node& node, std::uint32_t line, TalkScene& scene) {
        scene.figure = node.value_or(std::string());
        static const std::vector<std::string> kKnown(kTalkFigures.begin(), kTalkFigures.end());
        if (std::ranges::find(kKnown, scene.figure) != kKnown.end()) return;
        const std::string near = nearestWord(scene.figure, kKnown);
        problem(line, "there is no figure \"" + shortLine(scene.figure) + "\"" +
                          (near.empty() ? "; there are " + enumeration(kKnown) : didYouMean(near)));
    }

    void readMoment(const toml::node& node, std::uint32_t line, TalkScene& scene) {
        constexpr std::string_view kSession = "session ";
        if (const auto* images = node.as_integer()) {
            scene.at = {TalkMoment::Kind::Images, images->get()};
            if (images->get() >= 0 && images->get() <= kFarthestMoment) return;
        } else if (const auto* text = node.as_string()) {
            if (text->get() == "end") return;
            const std::string& words = text->get();
            const bool digits = words.starts_with(kSession) && words.size() > kSession.size() &&
                                words.size() < kSession.size() + 6 &&
                                words.find_first_not_of("0123456789", kSession.size()) == std::string::npos;
            scene.at = {TalkMoment::Kind::Session, digits ? std::stoll(words.substr(kSession.size())) : 0};
            if (scene.at.number > 0) return;
        }
        problem(line, "at must be \"end\", \"session 2\" or a number of images");
    }

    void readSpeed(const toml::node& node, std::uint32_t line, TalkScene& scene) {
        scene.play = node.is_integer() ? node.value_or(std::int64_t{0}) : 0;
        if (std::ranges::find(kTalkSpeeds, scene.play) != kTalkSpeeds.end()) return;
        std::vector<std::string> speeds;
        for (const std::int64_t speed : kTalkSpeeds) speeds.push_back(std::to_string(speed));
        problem(line, "play must be " + enumeration(speeds, " or "));
    }

    void readStart(const toml::node& node, std::uint32_t line, TalkScene& scene) {
        scene.start = node.value_or(std::string());
        const TalkRun* run = talk_.run(scene.start);
        if (!run)
            requireRun(scene.start, line);
        else if (run->experiment.empty())
            problem(line, "start names " + scene.start + ", which is no run with experiment");
    }

    std::vector<TomlProblem>& problems_;
    Talk talk_;
};

std::string quotedText(const std::string& text) {
    std::string escaped = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return escaped + "\"";
}

std::string valueOf(const OptionValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text ? quotedText(*text) : toText(value);
}

std::string runText(const TalkRun& run) {
    std::string text = "\n[[run]]\nname = " + quotedText(run.name) + "\n";
    const auto add = [&](const char* key, const std::string& value) {
        if (!value.empty()) text += std::string(key) + " = " + quotedText(value) + "\n";
    };
    add("recorded", run.recorded);
    add("folder", run.folder);
    add("experiment", run.experiment);
    if (!run.set.empty()) {
        text += "set = {";
        for (const auto& [key, value] : run.set)
            text += (text.ends_with('{') ? " " : ", ") + quotedText(key) + " = " + valueOf(value);
        text += " }\n";
    }
    if (run.seconds > 0) text += "seconds = " + shortestText(run.seconds) + "\n";
    return text;
}

std::string sceneText(const TalkScene& scene) {
    std::string text = "\n[[scene]]\ncaption = " + quotedText(scene.caption) + "\n";
    if (!scene.note.empty()) text += "note = " + quotedText(scene.note) + "\n";
    if (!scene.runs.empty()) {
        text += "runs = [";
        for (const std::string& run : scene.runs) text += (text.ends_with('[') ? "" : ", ") + quotedText(run);
        text += "]\n";
    }
    if (!scene.figure.empty()) text += "figure = " + quotedText(scene.figure) + "\n";
    if (scene.now) text += "now = true\n";
    if (scene.at.kind == TalkMoment::Kind::Images) text += "at = " + std::to_string(scene.at.number) + "\n";
    if (scene.at.kind == TalkMoment::Kind::Session)
        text += "at = \"session " + std::to_string(scene.at.number) + "\"\n";
    if (scene.play > 0) text += "play = " + std::to_string(scene.play) + "\n";
    if (scene.spotlight) text += "spotlight = true\n";
    if (!scene.start.empty()) text += "start = " + quotedText(scene.start) + "\n";
    return text;
}

}  // namespace

const TalkRun* Talk::run(std::string_view name) const {
    const auto found = std::ranges::find(runs, name, &TalkRun::name);
    return found == runs.end() ? nullptr : &*found;
}

TalkScene Talk::scene(std::size_t index) const {
    TalkScene scene = scenes.at(index);
    for (std::size_t i = index; i-- > 0 && (scene.runs.empty() || scene.figure.empty());) {
        if (scene.runs.empty()) scene.runs = scenes[i].runs;
        if (scene.figure.empty()) scene.figure = scenes[i].figure;
    }
    return scene;
}

std::vector<std::string> Talk::needed() const {
    std::set<std::string> started;
    for (const TalkScene& scene : scenes) started.insert(scene.start);
    std::vector<std::string> names;
    for (const TalkRun& run : runs)
        if (!started.contains(run.name)) names.push_back(run.name);
    return names;
}

Talk parseTalk(std::string_view toml, const std::string& origin) {
    const toml::table file = parsedToml(toml, origin);
    std::vector<TomlProblem> problems;
    Talk talk;
    try {
        talk = TalkReader(problems).read(file);
    } catch (const TooManyProblems&) {
        // The first ones are said.
    }
    throwProblems(origin, std::move(problems), kTalkHint);
    return talk;
}

Talk readTalk(const fs::path& file) {
    return parseTalk(readTextFile(file, FilePlace::Named, kLongestTalk), file.string());
}

std::string formatTalk(const Talk& talk) {
    std::string text = "title = " + quotedText(talk.title) + "\n";
    if (talk.minutes > 0) text += "minutes = " + shortestText(talk.minutes) + "\n";
    for (const TalkRun& run : talk.runs) text += runText(run);
    for (const TalkScene& scene : talk.scenes) text += sceneText(scene);
    return text;
}

void writeTalk(const Talk& talk, const fs::path& file) {
    const std::string text = formatTalk(talk);
    parseTalk(text, "The talk for " + file.string());
    replaceTextFile(file, text);
}

std::vector<ShippedTalk> shippedTalks() {
    std::vector<ShippedTalk> talks;
    for (const fs::path& file : folderEntries(resourceFolder() / "talks"))
        if (file.extension() == ".toml") talks.push_back({file, readTalk(file).title});
    std::ranges::sort(talks, {}, &ShippedTalk::title);
    return talks;
}

Experiment talkExperiment(const OptionTable& table, const TalkRun& run, const fs::path& folder) {
    try {
        // A file beside the talk, or else a preset: what is called so where the program was started is neither.
        const fs::path beside = folder / run.experiment;
        const fs::path preset = resourceFolder() / "presets" / (run.experiment + ".toml");
        const bool inReach = isTalkExperiment(run.experiment);
        const bool file = inReach && !folder.empty() && isPlainFile(beside);
        if (!file && !(inReach && isPlainFile(preset))) {
            const std::string near = nearestPreset(run.experiment);
            throw inputError(
                "There is no preset and no file beside the talk called \"" + shortLine(run.experiment) + "\".",
                (near.empty() ? "" : "Did you mean " + near + "? ") +
                    ("Its experiment must be " + std::string(kTalkExperiments) + "."));
        }
        Experiment experiment = readExperiment(table, file ? beside : preset);
        for (const auto& [key, value] : run.set) {
            const Option* option = table.find(key);
            if (!option) {
                const std::string near = table.nearest(key);
                throw inputError("There is no option " + shortLine(key) + (near.empty() ? "." : didYouMean(near)));
            }
            table.set(experiment, *option, value);
        }
        const std::vector<std::string> problems = table.problems(experiment);
        if (!problems.empty()) throw inputError(problems.front());
        return experiment;
    } catch (const Error& error) {
        throw Error(error.kind(), "The talk's run " + run.name + ": " + error.what(), error.hint());
    }
}

bool sameTalkExperiment(const OptionTable& table, const Experiment& a, const Experiment& b) {
    return std::ranges::all_of(table.options(), [&](const Option& option) {
        const bool machine =
            option.key == "device" || option.key == "threads" || option.key == "precision" || option.section() == "gpu";
        return machine || option.get(a) == option.get(b);
    });
}

}  // namespace palimpsest
