// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace palimpsest::report {
namespace {

/// Of two texts that are equally near the one further from zero, as by hand: 12.5 is "13". std::to_chars() takes the
/// even one, the window does not.
double awayFromTies(double value, int digits) {
    const double unit = std::pow(10.0, digits);
    const double scaled = std::abs(value) * unit;
    const bool exact = std::fma(std::abs(value), unit, -scaled) == 0;
    if (!exact || !(scaled < 1e15) || scaled - std::floor(scaled) != 0.5) return value;
    return std::copysign((std::floor(scaled) + 1) / unit, value);
}

}  // namespace

std::string fixedText(double value, int digits) {
    value = awayFromTies(value, digits);
    std::array<char, 400> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits).ptr;
    std::string result(text.data(), end);
    // "-0.00" is zero.
    if (result.starts_with('-') && result.find_first_of("123456789") == std::string::npos) {
        result.erase(0, 1);
    }
    return result;
}

std::string trimmedText(double value, int digits) {
    std::string text = fixedText(value, digits);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
    }
    if (text.ends_with('.')) {
        text.pop_back();
    }
    return text;
}

std::string shortText(double value) {
    std::array<char, 64> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string percentText(double fraction) {
    return fixedText(100 * fraction, 1);
}

std::string spreadText(const Spread& fractions) {
    if (fractions.count == 0) {
        return "–";
    }
    const std::string mean = percentText(fractions.mean);
    return fractions.count == 1 ? mean : mean + " ± " + percentText(fractions.deviation);
}

std::string differenceText(double fraction) {
    const std::string size = percentText(std::abs(fraction));
    if (size.find_first_of("123456789") == std::string::npos) {
        return "±" + size;
    }
    return (fraction < 0 ? "−" : "+") + size;
}

std::string countText(std::int64_t count) {
    std::string text = std::to_string(count);
    const std::size_t stop = text.starts_with('-') ? 1 : 0;
    for (std::size_t at = text.size(); at > stop + 3; at -= 3) {
        text.insert(at - 3, ",");
    }
    return text;
}

std::string countedText(std::int64_t count, const std::string& singular, const std::string& plural) {
    return countText(count) + " " + (count == 1 ? singular : plural);
}

}  // namespace palimpsest::report
