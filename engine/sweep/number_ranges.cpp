// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/number_ranges.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <system_error>

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

std::string numberRanges(const std::vector<std::int64_t>& numbers, std::string_view separator) {
    std::string text;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        if (!text.empty()) text += separator;
        text += std::to_string(numbers[first]);
        if (last > first) text += "-" + std::to_string(numbers[last]);
        first = last + 1;
    }
    return text;
}

std::vector<RangeText> rangeTexts(std::string_view text) {
    std::vector<RangeText> ranges;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const std::size_t dash = part.find('-');
        const std::string_view first = part.substr(0, dash);
        ranges.push_back({first, dash == std::string_view::npos ? first : part.substr(dash + 1)});
        begin = end + 1;
    }
    return ranges;
}

std::vector<std::int64_t> parsedRanges(std::string_view text, std::int64_t most, std::string_view what) {
    const auto refuse = [&](const std::string& why) {
        throw inputError(std::string(what) + " is \"" + plainLine(text.substr(0, 60)) + "\": " + why,
                         "Write numbers from 1 to " + std::to_string(most) + ", such as 3 or 1-4,7.");
    };
    std::set<std::int64_t> numbers;
    const auto number = [&](std::string_view digits) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size()) refuse("that is no list of numbers.");
        if (value < 1 || value > most) refuse("there is no number " + std::string(digits) + ".");
        return value;
    };
    for (const RangeText& range : rangeTexts(text)) {
        const std::int64_t first = number(range.first), last = number(range.last);
        if (last < first) refuse("a range of it ends before it begins.");
        for (std::int64_t one = first; one <= last; ++one) numbers.insert(one);
    }
    return {numbers.begin(), numbers.end()};
}

}  // namespace palimpsest
