// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/experiment_file.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "engine/config/toml_values.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// Reads one parsed file into an experiment and gathers every problem instead of stopping at the first.
class Reader {
public:
    Reader(const OptionTable& table, std::vector<TomlProblem>& problems)
        : table_(table), problems_(problems), experiment_(table.defaults()) {
        for (const Option& option : table.options()) {
            if (!option.section().empty() && (sections_.empty() || sections_.back() != option.section())) {
                sections_.push_back(option.section());
            }
        }
    }

    Experiment read(const toml::table& file) {
        for (const auto& [key, node] : file) {
            const std::string name(key.str());
            if (const toml::table* section = node.as_table()) {
                readSection(name, *section, line(key));
            } else if (std::find(sections_.begin(), sections_.end(), name) != sections_.end()) {
                problem(line(key), name + " is a section, written [" + name + "]");
            } else {
                readValue(name, node, line(key));
            }
        }
        return experiment_;
    }

private:
    static std::uint32_t line(const toml::key& key) { return key.source().begin.line; }

    void problem(std::uint32_t line, std::string sentence) { addProblem(problems_, line, std::move(sentence)); }

    void readSection(const std::string& name, const toml::table& section, std::uint32_t line) {
        if (std::find(sections_.begin(), sections_.end(), name) == sections_.end()) {
            const std::string near = nearestWord(name, sections_);
            problem(line, "unknown section [" + name + "]" + (near.empty() ? "" : didYouMean("[" + near + "]")));
            return;
        }
        for (const auto& [key, node] : section) {
            readValue(name + "." + std::string(key.str()), node, Reader::line(key));
        }
    }

    void readValue(const std::string& key, const toml::node& node, std::uint32_t line) {
        const Option* option = table_.find(key);
        if (!option) {
            problem(line, "unknown key " + key + didYouMean(table_.nearest(key)));
            return;
        }
        const std::optional<OptionValue> value = optionValue(node);
        if (!value) {
            problem(line, key + " must be a single value, not a list, a table or a date");
            return;
        }
        try {
            table_.set(experiment_, *option, *value);
        } catch (const Error& error) {
            problem(line, withoutStop(error.sentence()));
        }
    }

    const OptionTable& table_;
    std::vector<TomlProblem>& problems_;
    std::vector<std::string> sections_;
    Experiment experiment_;
};

std::string quoted(const std::string& text) {
    std::string escaped = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return escaped + "\"";
}

/// The text of the first comment line; empty when the file does not begin with one.
std::string firstComment(const std::string& toml) {
    if (!toml.starts_with('#')) return {};
    const std::string line = toml.substr(1, toml.find('\n') - 1);
    return line.substr(std::min(line.size(), line.find_first_not_of(' ')));
}

/// True for what only a grid of runs has: otherwise each of its keys would be called unknown.
bool isGrid(const OptionTable& table, const toml::table& file) {
    if (!file["seeds"].is_array() && !file["row"].is_array() && !file["vary"].is_table()) return false;
    return std::ranges::none_of(table.options(), [&](const Option& option) {
        // Both have an initial session.
        return option.section() != "initial_session" && !option.section().empty() && file.contains(option.section());
    });
}

Experiment readFrom(const OptionTable& table, const toml::table& file, const std::string& origin) {
    if (isGrid(table, file))
        throw inputError(origin + " is a grid of runs, not an experiment.",
                         "`palimpsest-cli sweep` runs it, and so does the queue of the window.");
    std::vector<TomlProblem> problems;
    Experiment experiment;
    try {
        experiment = Reader(table, problems).read(file);
    } catch (const TooManyProblems&) {
        // The first ones are said.
    }
    const bool one = problems.size() == 1;
    throwProblems(origin, std::move(problems),
                  one ? "`palimpsest-cli options` lists every key."
                      : "`palimpsest-cli options` lists every key with what it allows.");
    return experiment;
}

}  // namespace

bool isPath(const std::string& name) {
    static const std::set<std::string> kEndings = {".csv", ".json", ".log", ".pyd", ".toml"};
    return name.find('/') != std::string::npos || kEndings.contains(fs::path(name).extension().string());
}

Experiment parseExperiment(const OptionTable& table, std::string_view toml, const std::string& origin) {
    return readFrom(table, parsedToml(toml, origin), origin);
}

std::string nameAfter(const fs::path& file) {
    fs::path stem = file.stem();
    if (stem.extension() == ".palimpsest") stem = stem.stem();
    return plainLine(stem.string());
}

Experiment readExperiment(const OptionTable& table, const fs::path& file, FilePlace place) {
    const toml::table toml = parsedToml(readTextFile(file, place, file_limit::kSettings), file.string());
    Experiment experiment = readFrom(table, toml, file.string());
    if (const std::string name = nameAfter(file); place == FilePlace::Named && !toml.contains("name") && !name.empty())
        experiment.name = name;
    std::string& list = experiment.stream.index_list;
    if (!list.empty() && fs::path(list).is_relative()) {
        list = (fs::absolute(file).parent_path() / list).lexically_normal().string();
    }
    return experiment;
}

std::string formatExperiment(const OptionTable& table, const Experiment& experiment) {
    std::string toml;
    std::string section;
    for (const Option& option : table.options()) {
        if (option.section() != section) {
            section = option.section();
            toml += "\n[" + section + "]\n";
        }
        const OptionValue value = option.get(experiment);
        const std::string* text = std::get_if<std::string>(&value);
        toml += option.leaf() + " = " + (text ? quoted(*text) : toText(value)) + "\n";
    }
    return toml;
}

std::string formatExperiment(const OptionTable& table, const Experiment& experiment, const fs::path& folder) {
    Experiment written = experiment;
    std::string& list = written.stream.index_list;
    if (!list.empty()) {
        const fs::path whole = fs::absolute(list).lexically_normal();
        const fs::path relative = whole.lexically_relative(fs::absolute(folder).lexically_normal());
        list = (relative.empty() || *relative.begin() == ".." ? whole : relative).string();
    }
    return formatExperiment(table, written);
}

void writeExperiment(const OptionTable& table, const Experiment& experiment, const fs::path& file, FilePlace place) {
    const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
    // A run cannot be resumed without its settings, however many of its checkpoints are on the disk.
    replaceTextFile(file, formatExperiment(table, experiment, folder), Keep::OnDiskWithName, place);
}

std::vector<Preset> listPresets() {
    std::vector<Preset> presets;
    std::error_code ignored;
    const fs::path folder = resourceFolder() / "presets";
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, ignored);
    for (; !ignored && entry != fs::recursive_directory_iterator(); entry.increment(ignored)) {
        const fs::path& path = entry->path();
        if (path.extension() != ".toml") continue;
        const std::string name = path.lexically_relative(folder).replace_extension().generic_string();
        const std::string toml = readTextFile(path, FilePlace::Named, file_limit::kSettings);
        const toml::table file = parsedToml(toml, path.string());
        presets.push_back({name, file["name"].value_or(name), firstComment(toml), path});
    }
    std::sort(presets.begin(), presets.end(), [](const Preset& a, const Preset& b) {
        const auto place = [](const Preset& preset) { return std::tuple(preset.grouped(), preset.name != "default"); };
        return std::tuple(place(a), a.name) < std::tuple(place(b), b.name);
    });
    return presets;
}

Experiment loadExperiment(const OptionTable& table, const std::string& fileOrPreset) {
    std::error_code ignored;
    if (fs::is_regular_file(fileOrPreset, ignored)) return readExperiment(table, fileOrPreset);
    if (const fs::path ofRun = fs::path(fileOrPreset) / "experiment.toml"; fs::is_regular_file(ofRun, ignored)) {
        return readExperiment(table, ofRun, FilePlace::InFolder);
    }
    std::string names, group;
    std::vector<std::string> known;
    for (const Preset& preset : listPresets()) {
        if (preset.name == fileOrPreset) return readExperiment(table, preset.file);
        known.push_back(preset.name);
        if (preset.grouped())
            group = preset.name.substr(0, preset.name.find('/'));
        else
            names += (names.empty() ? "" : ", ") + preset.name;
    }
    if (!group.empty() && fileOrPreset.starts_with(group + "/")) {
        const std::string near = nearestWord(fileOrPreset, known);
        throw inputError("There is no preset called \"" + fileOrPreset + "\".",
                         (near.empty() ? "" : "Did you mean " + near + "? ") +
                             std::string("`palimpsest-cli presets` lists them all."));
    }
    if (fs::is_directory(fileOrPreset, ignored))
        throw inputError("The folder " + fileOrPreset + " holds no experiment.toml.",
                         "Name an experiment file, the folder of a run or a preset.");
    if (isPath(fileOrPreset))
        throw inputError("There is no file or folder " + fileOrPreset + ".",
                         "Name an experiment file, the folder of a run or a preset.");
    const std::string near = nearestWord(fileOrPreset, known);
    throw inputError("There is no preset or file called \"" + fileOrPreset + "\".",
                     (near.empty() ? "" : "Did you mean " + near + "? ") + ("The presets are " + names + "."));
}

}  // namespace palimpsest
