// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

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

}  // namespace

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

Error refusal(const Option& option, const OptionValue& value) {
    const std::string shown = quotedValue(value);
    std::string hint;
    if (option.type == OptionType::Choice) {
        std::string bare = shown;
        std::erase(bare, '"');
        const std::string near = nearestWord(bare, valuesOf(option.choices));
        if (!near.empty()) hint = "Did you mean " + near + "?";
    }
    return inputError(option.key + " is " + shown + ", but must be " + allowedText(option) + ".", hint);
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
