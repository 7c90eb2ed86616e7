// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/value_checks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

/// Begins what a check says of a value, behind the name of its flag.
constexpr std::string_view kMustBe = "must be ";

/// `isTaken` may write the value so that CLI11 reads the same in it. `shown` stands behind the type in the help.
void addCheck(CLI::Option* flag, const std::string& what, std::function<bool(std::string&)> isTaken,
              const std::string& shown = std::string()) {
    flag->transform(CLI::Validator(
        [what, isTaken = std::move(isTaken)](std::string& value) {
            return isTaken(value)
                       ? std::string()
                       : std::string(kMustBe) + what + ", not " + (value.empty() ? "empty" : shortLine(value));
        },
        shown));
}

template <class Number>
std::optional<Number> numberOf(const std::string& text) {
    Number number{};
    const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return number;
}

/// CLI11 takes a number that begins with 0 for an octal one.
bool isWholeNumber(std::string& value, std::int64_t least, std::int64_t most) {
    const std::optional<std::int64_t> number = numberOf<std::int64_t>(value);
    if (!number || *number < least || *number > most) return false;
    value = std::to_string(*number);
    return true;
}

void addToHelp(CLI::Option* flag, const std::string& range) {
    flag->description(flag->get_description() + " (" + range + ")");
}

}  // namespace

CLI::Option* takesFrom(CLI::Option* flag, std::int64_t least, std::int64_t most) {
    const std::string range = grouped(least) + " to " + grouped(most);
    addToHelp(flag, range);
    addCheck(flag, "a whole number from " + range,
             [least, most](std::string& value) { return isWholeNumber(value, least, most); });
    return flag;
}

CLI::Option* takesNumberFrom(CLI::Option* flag, double least, double most) {
    const auto text = [](double bound) {
        return bound == std::floor(bound) ? grouped(static_cast<std::int64_t>(bound)) : shortestDigits(bound);
    };
    const std::string range = text(least) + " to " + text(most);
    addToHelp(flag, range);
    addCheck(flag, "a number from " + range, [least, most](const std::string& value) {
        const std::optional<double> number = numberOf<double>(value);
        return number && *number >= least && *number <= most;
    });
    return flag;
}

CLI::Option* takesAtLeast(CLI::Option* flag, std::int64_t least) {
    addCheck(flag, "a whole number, " + grouped(least) + " or more", [least](std::string& value) {
        return isWholeNumber(value, least, std::numeric_limits<std::int64_t>::max());
    });
    return flag;
}

CLI::Option* takesOneOf(CLI::Option* flag, const std::vector<std::string>& words) {
    std::string shown;
    for (const std::string& word : words) shown += (shown.empty() ? "{" : ",") + word;
    addCheck(
        flag, enumeration(words, " or "),
        [words](const std::string& value) { return std::ranges::find(words, value) != words.end(); }, shown + "}");
    return flag;
}

std::string valueFault(const CLI::ParseError& error) {
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
        const std::size_t colon = text.find(": " + std::string(kMustBe));
        return colon == std::string::npos ? text : text.substr(0, colon) + text.substr(colon + 1);
    }
    if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
        constexpr std::string_view kBegin = "Could not convert: ";
        const std::size_t sign = text.find(" = ");
        if (!text.starts_with(kBegin) || sign == std::string::npos) return text;
        return text.substr(kBegin.size(), sign - kBegin.size()) + " cannot be " + shortLine(text.substr(sign + 3));
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        constexpr std::string_view kNeeded = ": 1 required ", kEnd = " missing";
        const std::size_t needed = text.find(kNeeded);
        if (needed == std::string::npos || !text.ends_with(kEnd)) return text;
        std::string type = text.substr(needed + kNeeded.size());
        type.resize(type.size() - kEnd.size());
        return text.substr(0, needed) + " needs a value: " + type.substr(0, type.find(':'));
    }
    return {};
}

}  // namespace palimpsest
