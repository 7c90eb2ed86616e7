// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace palimpsest {
namespace {

/// Value whose text by std::to_chars(), which takes the even one of two texts that are equally near, is the one further
/// from zero.
double awayFromTies(double value, int decimals) {
    const double unit = std::pow(10.0, decimals);
    const double scaled = std::abs(value) * unit;
    const bool exact = std::fma(std::abs(value), unit, -scaled) == 0;
    if (!exact || !(scaled < 1e15) || scaled - std::floor(scaled) != 0.5) return value;
    return std::copysign((std::floor(scaled) + 1) / unit, value);
}

std::string digitsOf(double value, int decimals) {
    std::array<char, 400> text{};
    char* const end = text.data() + text.size();
    return {text.data(), std::to_chars(text.data(), end, value, std::chars_format::fixed, decimals).ptr};
}

bool isZero(const std::string& digits) {
    return digits.find_first_of("123456789") == std::string::npos;
}

std::string twoDigits(std::int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

std::string grouped(std::int64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const bool border = i > 0 && (digits.size() - i) % 3 == 0 && digits[i - 1] != '-';
        if (border) text += ',';
        text += digits[i];
    }
    return text;
}

std::string counted(std::int64_t number, const std::string& one, const std::string& many) {
    return grouped(number) + ' ' + (number == 1 ? one : many);
}

std::string byteCount(std::int64_t bytes) {
    if (bytes < 1000) return counted(std::max<std::int64_t>(bytes, 0), "byte", "bytes");
    const char* const units[] = {"kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    // 999.6 would be written as 1000.
    while (value >= 999.5 && unit + 1 < std::size(units)) {
        value /= 1000;
        ++unit;
    }
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fixedText(value, decimals) + ' ' + units[unit];
}

std::string fixedText(double value, int decimals) {
    std::string text = digitsOf(awayFromTies(value, decimals), decimals);
    if (text.starts_with('-') && isZero(text)) text.erase(0, 1);
    return text;
}

std::string trimmedText(double value, int decimals) {
    std::string text = fixedText(value, decimals);
    if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

std::string shortestDigits(double value) {
    std::array<char, 64> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string shortestText(double value) {
    char buffer[64];
    // 0.0001 reads better than 1e-04, though that is shorter.
    const bool plain = std::abs(value) >= 1e-4 && std::abs(value) < 1e6;
    const auto [end, error] = plain ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed)
                                    : std::to_chars(buffer, buffer + sizeof buffer, value);
    std::string shortest(buffer, end);
    if (shortest.find_first_not_of("-0123456789") == std::string::npos) shortest += ".0";
    return shortest;
}

std::string perCent(double fraction) {
    return fixedText(100 * fraction, 1);
}

std::string signedPerCent(double fraction) {
    const std::string size = perCent(std::abs(fraction));
    if (isZero(size)) return "±" + size;
    return (fraction < 0 ? "−" : "+") + size;
}

std::string perCentColumn(const std::optional<double>& fraction) {
    if (!fraction || !std::isfinite(*fraction)) return "    -  ";
    const std::string number = perCent(*fraction);
    return std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " %";
}

std::string duration(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
    if (whole < 60) return std::to_string(whole) + " s";
    if (whole < 3600) return std::to_string(whole / 60) + " min " + twoDigits(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + twoDigits(whole % 3600 / 60) + " min";
}

std::string roughDuration(double seconds) {
    const double unit = seconds < 57.5 ? 5 : 60;
    const auto whole = static_cast<std::int64_t>(std::round(std::max(0.0, seconds) / unit) * unit);
    if (whole >= 60 && whole < 3600) return std::to_string(whole / 60) + " min";
    return duration(static_cast<double>(std::max<std::int64_t>(whole, 5)));
}

}  // namespace palimpsest
