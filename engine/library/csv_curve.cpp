// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "engine/library/foreign_curve.h"
#include "engine/support/error.h"
#include "engine/support/small_letter.h"
#include "engine/support/utf8.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSamples[] = {"samplesseen", "samples", "imagesseen", "images", "datacnt", "steps", "step"};
constexpr const char* kAccuracy[] = {"accuracy", "anytimeaccuracy", "testaccuracy", "testacc", "acc"};
constexpr const char* kSession[] = {"session"};
constexpr const char* kLoss[] = {"loss", "testloss"};

/// "Samples seen" and samples_seen are the same name; "accuracy (%)" is one, too.
std::string plainName(std::string_view cell) {
    std::string name;
    for (const char each : cell)
        if (const char c = smallLetter(each); c >= 'a' && c <= 'z') name += c;
    return name;
}

std::string_view trimmed(std::string_view cell) {
    constexpr std::string_view kAround = " \t\r\"";
    const std::size_t first = cell.find_first_not_of(kAround);
    if (first == std::string_view::npos) return {};
    return cell.substr(first, cell.find_last_not_of(kAround) - first + 1);
}

std::vector<std::string_view> cellsOf(std::string_view line, char between) {
    std::vector<std::string_view> cells;
    while (true) {
        const std::size_t end = line.find(between);
        cells.push_back(trimmed(line.substr(0, end)));
        if (end == std::string_view::npos) return cells;
        line.remove_prefix(end + 1);
    }
}

char separatorOf(std::string_view header) {
    for (const char c : {'\t', ';'})
        if (header.find(c) != std::string_view::npos) return c;
    return ',';
}

std::optional<std::size_t> columnOf(const std::vector<std::string_view>& header, std::span<const char* const> names) {
    for (const char* name : names)
        for (std::size_t i = 0; i < header.size(); ++i)
            if (plainName(header[i]) == name) return i;
    return std::nullopt;
}

std::optional<double> numberIn(std::string_view cell, bool decimalComma) {
    std::string text(cell);
    if (decimalComma) std::replace(text.begin(), text.end(), ',', '.');
    if (text.ends_with('%')) text.pop_back();
    while (text.ends_with(' ')) text.pop_back();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

ForeignCurve readCsvCurve(const fs::path& file) {
    const std::string text = readCurveFile(file);
    std::string_view rest = text;
    if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);  // as spreadsheets write it
    std::size_t number = 0;
    const auto nextLine = [&] {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        return line;
    };
    const std::string_view first = nextLine();
    const char between = separatorOf(first);
    const std::vector<std::string_view> header = cellsOf(first, between);
    const auto samples = columnOf(header, kSamples), accuracy = columnOf(header, kAccuracy);
    if (!samples || !accuracy)
        throw inputError(
            file.string() + " line 1: there is no column for " + (samples ? "the accuracy" : "the images seen") + ".",
            "Name the columns samples_seen and accuracy in the first line.");
    const auto session = columnOf(header, kSession), loss = columnOf(header, kLoss);
    ForeignCurve curve;
    curve.files = {file};
    std::vector<std::string> where;
    while (!rest.empty()) {
        const std::string_view line = nextLine();
        if (trimmed(line).empty()) continue;
        const std::vector<std::string_view> cells = cellsOf(line, between);
        const auto cell = [&](std::optional<std::size_t> column) -> std::optional<double> {
            if (!column || *column >= cells.size()) return std::nullopt;
            return numberIn(cells[*column], between != ',');
        };
        const std::optional<double> seen = cell(samples), share = cell(accuracy);
        if (!seen || !share || std::abs(*seen) > 9e15)
            throw inputError(file.string() + " line " + std::to_string(number) + ": \"" + shortLine(trimmed(line)) +
                                 "\" is not a number of images and an accuracy.",
                             "Nothing was imported; mend the line or take it out.");
        AnytimePoint& point = curve.points.emplace_back();
        point.samples_seen = std::llround(*seen);
        point.accuracy = *share;
        const double home = cell(session).value_or(0);
        point.session = std::abs(home) < 1e9 ? std::max<std::int64_t>(0, std::llround(home)) : 0;
        point.loss = cell(loss).value_or(std::nan(""));
        where.push_back("line " + std::to_string(number));
    }
    settleCurve(curve, file, where);
    return curve;
}

}  // namespace palimpsest
