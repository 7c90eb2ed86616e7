// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_draft.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"
#include "engine/sweep/queue_file.h"

namespace palimpsest {
namespace {

std::string tomlWord(const std::string& text) {
    std::string word = "\"";
    for (const char c : plainLine(text)) {
        if (c == '"' || c == '\\') word += '\\';
        word += c;
    }
    return word + "\"";
}

std::string tomlWord(const OptionValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text ? tomlWord(*text) : toText(value);
}

template <class Values, class Text>
std::string tomlList(const Values& values, Text text) {
    std::string list;
    for (const auto& value : values) list += (list.empty() ? "" : ", ") + text(value);
    return "[" + list + "]";
}

}  // namespace

std::string exampleValues(const Option& option) {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> values;
    const auto add = [&](const std::string& text) {
        if (values.size() < kMost && std::find(values.begin(), values.end(), text) == values.end())
            values.push_back(text);
    };
    for (const Choice& choice : option.choices) add(choice.value);
    if (option.type == OptionType::Boolean) values = {"false", "true"};
    if (option.type == OptionType::Integer || option.type == OptionType::Real) {
        const auto* whole = std::get_if<std::int64_t>(&option.standard);
        const double standard = whole ? static_cast<double>(*whole) : std::get<double>(option.standard);
        // Doubled, of nothing counted, and halved where that is too much.
        for (const double value : {standard, standard == 0 ? 1 : 2 * standard, standard == 0 ? 2 : 4 * standard,
                                   standard / 2, standard / 4, option.maximum / 2}) {
            if (value < option.minimum || value > option.maximum) continue;
            if (!whole)
                add(toText(OptionValue(value)));
            else if (value == std::floor(value))
                add(toText(OptionValue(static_cast<std::int64_t>(value))));
        }
    }
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ", ") + value;
    return list;
}

std::vector<OptionValue> axisValues(const OptionTable& table, const SweepDraft::Axis& axis) {
    const Option* option = table.find(axis.key);
    if (!option && !axis.key.empty()) {
        const std::string near = table.nearest(axis.key);
        throw inputError("There is no option " + shortLine(axis.key) + ".",
                         near.empty() ? "Choose one from the list, or remove the row." : "Did you mean " + near + "?");
    }
    if (!option || axis.key == "seed" || axis.key == "name")
        throw inputError("A row of the grid has no option to vary.", "Choose one, or remove the row.");
    const char separator = axis.values.find(';') != std::string::npos ? ';' : ',';
    std::vector<OptionValue> values;
    std::set<std::string> known;
    Experiment scratch = table.defaults();
    const std::string_view text = axis.values;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        const std::string part(trimmed(std::string_view(text).substr(begin, end - begin), " \""));
        begin = end + 1;
        if (part.empty()) continue;
        table.setText(scratch, axis.key, part);
        if (!known.insert(table.text(scratch, *option)).second)
            throw inputError(axis.key + " has the value " + shortLine(part) + " twice.", "Name each value once.");
        values.push_back(option->get(scratch));
        if (values.size() > static_cast<std::size_t>(kMostSweepRuns))
            throw inputError(axis.key + " has more than " + grouped(kMostSweepRuns) + " values.", "Name fewer.");
    }
    if (values.empty()) {
        const std::string example = exampleValues(*option);
        throw inputError(axis.key + " has no values to take.",
                         "Write them apart by commas" + (example.empty() ? "." : ", such as " + example + "."));
    }
    return values;
}

SweepGrid gridOf(const OptionTable& table, const SweepDraft& draft) {
    SweepGrid grid;
    grid.title = plainLine(draft.title);
    grid.seeds = parsedSeeds(draft.seeds, static_cast<std::int64_t>(table.find("seed")->maximum));
    grid.metrics = {"a_auc", "a_last_overall", "f_last_classwise", "a_last", "f_last"};
    if (draft.axes.empty())
        throw inputError("Nothing varies in this grid.", "Add an option with the values that it takes in turn.");
    std::set<std::string> varied;
    auto runs = static_cast<std::int64_t>(grid.seeds.size());
    for (const SweepDraft::Axis& axis : draft.axes) {
        if (!varied.insert(axis.key).second && !axis.key.empty())
            throw inputError(axis.key + " stands in two rows of the grid.", "Write all its values in one.");
        grid.axes.push_back({axis.key, axisValues(table, axis)});
        runs *= static_cast<std::int64_t>(grid.axes.back().values.size());
        if (runs > kMostSweepRuns)
            throw inputError("This grid has more than " + grouped(kMostSweepRuns) + " runs.",
                             "Take fewer seeds or values.");
    }
    for (const Option& option : table.options())
        if (option.key != "seed" && option.key != "name" && !varied.contains(option.key))
            grid.settings.push_back({option.key, option.get(draft.base)});
    return grid;
}

std::int64_t runsOf(const SweepGrid& grid) {
    auto runs = static_cast<std::int64_t>(grid.seeds.size() * std::max<std::size_t>(1, grid.rows.size()));
    for (const SweepAxis& axis : grid.axes) runs *= static_cast<std::int64_t>(axis.values.size());
    return runs;
}

std::string formatSweepGrid(const SweepGrid& grid) {
    std::string toml;
    if (grid.title.find_first_not_of(' ') != std::string::npos) toml += "title = " + tomlWord(grid.title) + "\n";
    toml += "base = " + tomlWord(grid.base) + "\n";
    toml += "seeds = " + tomlList(grid.seeds, [](std::int64_t seed) { return std::to_string(seed); }) + "\n";
    toml += "metrics = " + tomlList(grid.metrics, [](const std::string& metric) { return tomlWord(metric); }) + "\n";
    toml +=
        "\n# What varies: every combination is a row, and the first is what the others are compared with.\n[vary]\n";
    for (const SweepAxis& axis : grid.axes)
        toml += tomlWord(axis.key) + " = " +
                tomlList(axis.values, [](const OptionValue& value) { return tomlWord(value); }) + "\n";
    toml += "\n# The same in all rows.\n[set]\n";
    for (const SweepSetting& setting : grid.settings)
        toml += tomlWord(setting.key) + " = " + tomlWord(setting.value) + "\n";
    return toml;
}

}  // namespace palimpsest
