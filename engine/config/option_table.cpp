// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/config/backbone_names.h"
#include "engine/config/option_sections.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

std::vector<Option> declareOptions(const Catalogue& catalogue, const std::vector<MethodDeclaration>& methods) {
    using namespace option_sections;
    std::vector<Option> rows;
    for (const std::vector<Option>& section :
         {general(), stream(catalogue), backbone(catalogue), method(catalogue, methods), mask(catalogue),
          initialSession(methods), memory(), training(methods), evaluation(), gpu()})
        rows.insert(rows.end(), section.begin(), section.end());
    return rows;
}

/// The key whose last part begins with the words typed, the typed section's first: "stream.disjoint" begins
/// stream.disjoint_percent. Empty when there is none.
std::string begunWith(const std::vector<Option>& options, std::string_view key, std::string_view leaf) {
    std::string elsewhere;
    for (const Option& option : options) {
        if (!option.leaf().starts_with(std::string(leaf) + "_")) continue;
        if (std::string_view(option.key).starts_with(key)) return option.key;
        if (elsewhere.empty()) elsewhere = option.key;
    }
    return elsewhere;
}

std::string bound(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? std::to_string(static_cast<std::int64_t>(value))
                                                                : toText(OptionValue(value));
}

std::vector<std::string> valuesOf(const std::vector<Choice>& choices) {
    std::vector<std::string> values;
    for (const Choice& choice : choices) values.push_back(choice.value);
    return values;
}

std::string quotedValue(const OptionValue& value) {
    const std::string* text = std::get_if<std::string>(&value);
    return text ? "\"" + *text + "\"" : toText(value);
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Checks type, range and choice.
bool accepts(const Option& option, const OptionValue& value) {
    switch (option.type) {
        case OptionType::Boolean:
            return std::holds_alternative<bool>(value);
        case OptionType::Integer: {
            const std::int64_t* number = std::get_if<std::int64_t>(&value);
            return number && *number >= static_cast<std::int64_t>(option.minimum) &&
                   *number <= static_cast<std::int64_t>(option.maximum);
        }
        case OptionType::Real: {
            const double* number = std::get_if<double>(&value);
            return number && std::isfinite(*number) && *number >= option.minimum && *number <= option.maximum;
        }
        case OptionType::Choice: {
            const std::string* word = std::get_if<std::string>(&value);
            return word && (option.choices.empty() ? isPlainLine(*word)
                                                   : std::any_of(option.choices.begin(), option.choices.end(),
                                                                 [&](const Choice& c) { return c.value == *word; }));
        }
        case OptionType::Text: {
            const std::string* line = std::get_if<std::string>(&value);
            return line && isPlainLine(*line);
        }
    }
    return false;
}

/// The value of a text; the text itself where it does not fit the type, so that the check can quote it.
OptionValue interpreted(const Option& option, std::string_view text) {
    if (option.type == OptionType::Boolean && (text == "true" || text == "false")) return text == "true";
    if (option.type == OptionType::Integer) {
        if (const auto number = parsed<std::int64_t>(text)) return *number;
    }
    if (option.type == OptionType::Real) {
        if (const auto number = parsed<double>(text)) return *number;
    }
    return std::string(text);
}

/// The error for a value that is not accepted, with the values that are.
Error refusal(const Option& option, const OptionValue& value) {
    const std::string shown = quotedValue(value);
    std::string hint;
    if (option.type == OptionType::Choice) {
        std::string bare = shown;
        std::erase(bare, '"');
        const std::vector<std::string> values = valuesOf(option.choices);
        const std::string near = nearestWord(bare, values);
        if (option.key == "backbone.name")
            hint = backboneMeant(bare, values, "");
        else if (!near.empty())
            hint = "Did you mean " + near + "?";
    }
    return inputError(option.key + " is " + shown + ", but must be " + allowedText(option) + ".", hint);
}

}  // namespace

std::string Option::section() const {
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

std::string Option::leaf() const {
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? key : key.substr(dot + 1);
}

bool Option::isReadBy(const std::string& method) const {
    return only_methods.empty() || std::find(only_methods.begin(), only_methods.end(), method) != only_methods.end();
}

OptionTable::OptionTable(Catalogue catalogue, const std::vector<MethodDeclaration>& methods)
    : catalogue_(std::move(catalogue)), methods_(&methods), options_(declareOptions(catalogue_, methods)) {}

const MethodDeclaration& OptionTable::method(const std::string& name) const {
    static const MethodDeclaration unknown{};
    const auto found =
        std::ranges::find_if(*methods_, [&](const MethodDeclaration& method) { return method.choice.value == name; });
    return found == methods_->end() ? unknown : *found;
}

const Option* OptionTable::find(std::string_view key) const {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.key == key; });
    return found == options_.end() ? nullptr : &*found;
}

std::string OptionTable::nearest(std::string_view key) const {
    std::vector<std::string> keys;
    std::vector<std::string> leaves;
    for (const Option& option : options_) {
        keys.push_back(option.key);
        leaves.push_back(option.leaf());
    }
    // The right leaf in the wrong section, or without one, is the commonest slip.
    const std::string_view leaf = key.substr(key.rfind('.') == std::string_view::npos ? 0 : key.rfind('.') + 1);
    const std::string near = nearestWord(key, keys);
    if (!near.empty() && editDistance(key, near) <= 2) return near;
    // Among several such, a basic one comes before an expert one.
    const Option* same = nullptr;
    for (const Option& option : options_)
        if (option.leaf() == leaf && (!same || (same->level > option.level))) same = &option;
    if (same) return same->key;
    if (const std::string whole = begunWith(options_, key, leaf); !whole.empty()) return whole;
    if (!near.empty()) return near;
    const std::string like = nearestWord(leaf, leaves);
    return like.empty() ? std::string() : nearest(like);
}

Experiment OptionTable::defaults() const {
    Experiment experiment;
    for (const Option& option : options_) option.assign(experiment, option.standard);
    return experiment;
}

void OptionTable::set(Experiment& experiment, const Option& option, const OptionValue& value) const {
    OptionValue converted = value;
    const std::int64_t* whole = std::get_if<std::int64_t>(&value);
    if (option.type == OptionType::Real && whole) converted = static_cast<double>(*whole);
    if (!accepts(option, converted)) throw refusal(option, value);
    option.assign(experiment, converted);
    if (option.key == "method.name" || option.key == "method.external_command") experiment.program.clear();
}

void OptionTable::setText(Experiment& experiment, std::string_view key, std::string_view text) const {
    const Option* option = find(key);
    if (!option) {
        const std::string near = nearest(key);
        throw inputError("There is no option \"" + std::string(key) + "\".",
                         near.empty() ? "`palimpsest-cli options` lists all of them." : "Did you mean " + near + "?");
    }
    set(experiment, *option, interpreted(*option, text));
}

std::string OptionTable::text(const Experiment& experiment, const Option& option) const {
    return toText(option.get(experiment));
}

std::string methodTitle(const Catalogue& catalogue, const Experiment& experiment) {
    if (!experiment.program.empty()) return experiment.program;
    for (const Choice& choice : catalogue.methods)
        if (choice.value == experiment.method.name && !choice.title.empty()) return choice.title;
    return experiment.method.name;
}

std::string allowedText(const Option& option) {
    const std::string range = " from " + bound(option.minimum) + " to " + bound(option.maximum);
    switch (option.type) {
        case OptionType::Boolean:
            return "true or false";
        case OptionType::Integer:
            return "a whole number" + range;
        case OptionType::Real:
            return "a number" + range;
        case OptionType::Choice:
            return option.choices.empty() ? "a word" : "one of " + enumeration(valuesOf(option.choices), " or ");
        case OptionType::Text:
            break;
    }
    return "a line of text";
}

std::string toText(const OptionValue& value) {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const std::string* text = std::get_if<std::string>(&value)) return *text;
    return shortestText(std::get<double>(value));
}

const char* toText(OptionEffect effect) {
    switch (effect) {
        case OptionEffect::NextBatch:
            return "at the next batch";
        case OptionEffect::NextSession:
            return "at the next session";
        case OptionEffect::NextRun:
            break;
    }
    return "at the next run";
}

std::vector<std::int64_t> blockList(const std::string& key, const std::string& text) {
    constexpr std::int64_t kLast = 999;  // deeper networks are refused anyway
    const auto refused = [&](const std::string& why) {
        return inputError(key + " is \"" + text + "\", " + why + ".",
                          "Write rising numbers with commas between them, such as 0,1, or none.");
    };
    if (text == "none") return {};
    std::vector<std::int64_t> blocks;
    std::string_view rest = text;
    while (true) {
        const std::size_t comma = rest.find(',');
        std::string_view word = rest.substr(0, comma);
        while (word.starts_with(' ')) word.remove_prefix(1);
        while (word.ends_with(' ')) word.remove_suffix(1);
        std::int64_t block = -1;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), block);
        if (error != std::errc() || end != word.data() + word.size() || block < 0 || block > kLast)
            throw refused("which is no list of blocks from 0 to " + std::to_string(kLast));
        if (!blocks.empty() && block == blocks.back())
            throw refused("which names block " + std::to_string(block) + " twice");
        if (!blocks.empty() && block < blocks.back())
            throw refused("where block " + std::to_string(block) + " comes after " + std::to_string(blocks.back()));
        blocks.push_back(block);
        if (comma == std::string_view::npos) return blocks;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace palimpsest
