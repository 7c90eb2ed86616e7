// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/experiment_differences.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "engine/config/experiment_file.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

std::string lettersOf(const std::string& text) {
    std::string letters;
    for (const unsigned char c : text)
        if (std::isalnum(c)) letters += static_cast<char>(std::tolower(c));
    return letters;
}

/// A proper name as its makers write it, any other choice as the experiment file does.
std::string choiceText(const Option& option, const std::string& value) {
    for (const Choice& choice : option.choices)
        if (choice.value == value && lettersOf(choice.title) == lettersOf(value)) return choice.title;
    return value;
}

std::string wordText(const std::string& value) {
    if (value.empty()) return "none";
    return value.find('/') == std::string::npos ? value : std::filesystem::path(value).filename().string();
}

std::string numberText(const Option& option, const OptionValue& value, double number) {
    if (!option.special.empty() && number == option.minimum) return option.special;
    const std::string separator = option.unit.empty() ? "" : " ";
    return toText(value) + separator + option.unit;
}

}  // namespace

Experiment spelledOut(Experiment experiment) {
    experiment.memory = resolvedMemory(experiment);
    if (experiment.memory.size == 0) experiment.memory.batch_size = 0;
    return experiment;
}

std::string experimentIdentity(const OptionTable& table, const Experiment& experiment) {
    return formatExperiment(table, spelledOut(experiment));
}

std::string identityApartFromSeed(const OptionTable& table, Experiment experiment) {
    experiment.seed = 0;
    // The window names experiments by itself, after what was changed last.
    experiment.name.clear();
    return experimentIdentity(table, experiment);
}

std::string firstSettingApart(const OptionTable& table, const Experiment& there, const Experiment& here) {
    for (const Option& option : table.options()) {
        const std::string before = table.text(there, option), after = table.text(here, option);
        if (before == after) continue;
        const auto word = [](const std::string& text) { return text.empty() ? "nothing" : shortLine(plainLine(text)); };
        return option.key + ": " + word(before) + " there, " + word(after) + " here";
    }
    return {};
}

std::string valueText(const Option& option, const OptionValue& value) {
    if (const auto* on = std::get_if<bool>(&value)) return *on ? "on" : "off";
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return numberText(option, value, static_cast<double>(*whole));
    if (const auto* real = std::get_if<double>(&value)) return numberText(option, value, *real);
    const std::string& word = std::get<std::string>(value);
    return option.type == OptionType::Choice ? choiceText(option, word) : wordText(word);
}

std::vector<ExperimentDifference> experimentDifferences(const OptionTable& table, const Experiment& before,
                                                        const Experiment& after) {
    const Experiment before_spelled = spelledOut(before), after_spelled = spelledOut(after);
    const auto matters = [&](const Option& option) {
        return table.idleReason(before, option).empty() || table.idleReason(after, option).empty();
    };
    std::vector<ExperimentDifference> differences;
    for (const Option& option : table.options()) {
        if (option.key == "name" || option.get(before) == option.get(after) || !matters(option)) continue;
        if (option.get(before_spelled) == option.get(after_spelled)) continue;
        differences.push_back({&option, valueText(option, option.get(before)), valueText(option, option.get(after))});
    }
    return differences;
}

}  // namespace palimpsest
