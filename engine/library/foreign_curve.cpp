// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/foreign_curve.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/npy_header.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// A table has a few; each of a line takes memory.
constexpr std::size_t kMostColumns = 10'000;

/// Checks what both kinds have in common: accuracies from 0 to 1 (or to 100, which are divided), images that grow.
/// `where[i]`: "line 7" or "entry 7" of point i.
void normaliseCurve(ForeignResults& curve, const fs::path& file, const std::vector<std::string>& where) {
    const auto bad = [&](std::size_t i, const std::string& why) {
        return inputError(file.string() + " " + where[i] + ": " + why, "Nothing was imported; mend the file.");
    };
    std::vector<AnytimePoint>& points = curve.points;
    if (points.empty())
        throw inputError(file.string() + " holds no accuracy.", "Give a file with at least one evaluation.");
    double largest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double accuracy = points[i].accuracy;
        if (!std::isfinite(accuracy) || accuracy < 0 || accuracy > 100)
            throw bad(i, "the accuracy is neither a fraction nor a percentage.");
        if (points[i].samples_seen <= 0) throw bad(i, "the number of images seen is not above 0.");
        if (i > 0 && points[i].samples_seen <= points[i - 1].samples_seen)
            throw bad(i, "the number of images seen does not grow (" + std::to_string(points[i].samples_seen) +
                             " after " + std::to_string(points[i - 1].samples_seen) + ").");
        largest = std::max(largest, accuracy);
    }
    for (const double accuracy : curve.session_ends) {
        if (!std::isfinite(accuracy) || accuracy < 0 || accuracy > 100)
            throw inputError("An accuracy at the end of a session in " + curve.files.back().string() +
                                 " is neither a fraction nor a percentage.",
                             "Nothing was imported; move that file away to do without it.");
        largest = std::max(largest, accuracy);
    }
    if (largest <= 1) return;
    const auto small = std::ranges::find_if(
        points, [](const AnytimePoint& point) { return point.accuracy > 0 && point.accuracy <= 1; });
    if (small != points.end())
        curve.notes.push_back("One accuracy is " + shortestText(largest) + ", so all are taken for per cent: " +
                              shortestText(small->accuracy) + " is " + shortestText(small->accuracy) + " %.");
    for (AnytimePoint& point : points) point.accuracy /= 100;
    for (double& accuracy : curve.session_ends) accuracy /= 100;
}

constexpr const char* kSamples[] = {"samplesseen", "samples", "imagesseen", "images", "datacnt", "steps", "step"};
constexpr const char* kAccuracy[] = {"accuracy", "anytimeaccuracy", "testaccuracy", "testacc", "acc"};
constexpr const char* kSession[] = {"session"};
constexpr const char* kLoss[] = {"loss", "testloss"};

/// "Samples seen" and samples_seen are the same name; "accuracy (%)" is one, too.
std::string plainName(std::string_view cell) {
    std::string name;
    for (const char each : cell)
        if (const char c = asciiLower(each); c >= 'a' && c <= 'z') name += c;
    return name;
}

/// What stands around a cell and is none of it.
constexpr std::string_view kAroundCells = " \t\r\"";

/// The first `most` cells of a line.
std::vector<std::string_view> cellsOf(std::string_view line, char between, std::size_t most) {
    std::vector<std::string_view> cells;
    while (cells.size() < most) {
        const std::size_t end = line.find(between);
        cells.push_back(trimmed(line.substr(0, end), kAroundCells));
        if (end == std::string_view::npos) return cells;
        line.remove_prefix(end + 1);
    }
    return cells;
}

Error tooManyPoints(const fs::path& file) {
    return inputError(file.string() + " holds more than a million evaluations.", "Thin them out first.");
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

ForeignResults readCsvCurve(const fs::path& file, std::string_view text) {
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
    const std::vector<std::string_view> header = cellsOf(first, between, kMostColumns + 1);
    if (header.size() > kMostColumns)
        throw inputError(file.string() + " line 1: there are more than " + grouped(kMostColumns) + " columns.",
                         "Nothing was imported; keep those of the images seen and the accuracy.");
    const auto samples = columnOf(header, kSamples), accuracy = columnOf(header, kAccuracy);
    if (!samples || !accuracy)
        throw inputError(
            file.string() + " line 1: there is no column for " + (samples ? "the accuracy" : "the images seen") + ".",
            "Name the columns samples_seen and accuracy in the first line.");
    const auto session = columnOf(header, kSession), loss = columnOf(header, kLoss);
    ForeignResults curve;
    curve.files = {file};
    std::vector<std::string> where;
    const std::size_t needed = 1 + std::max({*samples, *accuracy, session.value_or(0), loss.value_or(0)});
    while (!rest.empty()) {
        const std::string_view line = nextLine();
        if (trimmed(line, kAroundCells).empty()) continue;
        const std::vector<std::string_view> cells = cellsOf(line, between, needed);
        const auto cell = [&](std::optional<std::size_t> column) -> std::optional<double> {
            if (!column || *column >= cells.size()) return std::nullopt;
            return numberIn(cells[*column], between != ',');
        };
        const std::optional<double> seen = cell(samples), share = cell(accuracy);
        if (!seen || !share || std::abs(*seen) >= 9e15)
            throw inputError(file.string() + " line " + std::to_string(number) + ": \"" +
                                 shortLine(trimmed(line, kAroundCells)) +
                                 "\" is not a number of images and an accuracy.",
                             "Nothing was imported; mend the line or take it out.");
        if (curve.points.size() == kMostForeignPoints) throw tooManyPoints(file);
        AnytimePoint& point = curve.points.emplace_back();
        point.samples_seen = std::llround(*seen);
        point.accuracy = *share;
        const double home = cell(session).value_or(0);
        point.session = std::abs(home) < 1e9 ? std::max<std::int64_t>(0, std::llround(home)) : 0;
        point.loss = cell(loss).value_or(std::nan(""));
        where.push_back("line " + std::to_string(number));
    }
    normaliseCurve(curve, file, where);
    return curve;
}

namespace {

constexpr const char* kRemedy =
    "Give the lists that the official code saves: seed_N_eval.npy, with seed_N_eval_time.npy beside it.";

template <class Number>
std::vector<double> numbersOf(std::string_view bytes) {
    static_assert(std::endian::native == std::endian::little);
    std::vector<double> values(bytes.size() / sizeof(Number));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Number value;
        std::memcpy(&value, bytes.data() + i * sizeof(Number), sizeof(Number));
        values[i] = static_cast<double>(value);
    }
    return values;
}

/// A plain list of numbers.
std::vector<double> readList(const fs::path& file) {
    const std::string bytes = readResultsFile(file);
    const NpyComplaint bad = [&](const std::string& why) {
        return inputError("The file " + file.string() + " " + why + ".", kRemedy);
    };
    const NpyHeader header = readNpyHeader(bytes, bad);
    const std::string& type = header.type;
    const bool known = type == "<f8" || type == "<f4" || type == "<i8" || type == "<i4";
    if (!known) throw unknownNpyType(type, bad);
    if (header.shape.size() != 1) {
        std::string shape;
        for (const std::int64_t size : header.shape) shape += (shape.empty() ? "" : " × ") + std::to_string(size);
        throw bad("is no list of numbers but has the shape (" + shape + ")");
    }
    const bool wide = type.ends_with('8');
    if (header.shape.front() > std::int64_t{kMostForeignPoints}) throw tooManyPoints(file);
    checkNpySize(bytes, header, wide ? 8 : 4, bad);
    const std::string_view data = std::string_view(bytes).substr(header.data);
    if (type == "<f8") return numbersOf<double>(data);
    if (type == "<f4") return numbersOf<float>(data);
    return wide ? numbersOf<std::int64_t>(data) : numbersOf<std::int32_t>(data);
}

/// Common beginning of the three files of one run: ".../seed_3".
fs::path stemOf(const fs::path& file) {
    std::string name = file.stem().string();
    for (const std::string_view ending : {"_eval_time", "_eval"}) {
        if (!name.ends_with(ending)) continue;
        name.resize(name.size() - ending.size());
        break;
    }
    return file.parent_path() / name;
}

std::optional<std::int64_t> seedOf(const fs::path& stem) {
    const std::string name = stem.filename().string();
    const std::size_t at = name.rfind("seed_");
    if (at == std::string::npos) return std::nullopt;
    std::int64_t seed = 0;
    const auto [end, error] = std::from_chars(name.data() + at + 5, name.data() + name.size(), seed);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(seed) : std::nullopt;
}

fs::path beside(fs::path stem, const char* ending) {
    return stem += ending;
}

}  // namespace

ForeignResults readNpyCurve(const fs::path& file, std::int64_t every) {
    std::error_code ignored;
    const fs::path stem = stemOf(file);
    const fs::path times = beside(stem, "_eval_time.npy"), ends = beside(stem, ".npy");
    const fs::path named = beside(stem, "_eval.npy");
    // A list whose name says nothing is taken for the accuracies.
    const bool plain = file == ends && !seedOf(stem) && !fs::exists(named, ignored);
    const fs::path accuracies = plain ? file : named;
    if (!fs::exists(accuracies, ignored))
        throw inputError("There is no " + accuracies.filename().string() + " beside " + file.string() +
                             ", which holds the accuracies.",
                         kRemedy);
    ForeignResults curve;
    curve.seed = seedOf(stem);
    const std::vector<double> shares = readList(accuracies);
    curve.files = {accuracies};
    std::vector<double> seen;
    if (fs::exists(times, ignored)) {
        seen = readList(times);
        curve.files.push_back(times);
    } else if (every > 0) {
        for (std::size_t i = 0; i < shares.size(); ++i)
            seen.push_back(static_cast<double>(every) * static_cast<double>(i + 1));
    } else {
        throw inputError("There is no " + times.filename().string() + " beside " + accuracies.string() +
                             ", so nobody can say how many images each accuracy belongs to.",
                         "Put that file there, or say with --every how many images lie between two evaluations.");
    }
    if (seen.size() != shares.size())
        throw inputError(accuracies.string() + " holds " + std::to_string(shares.size()) + " accuracies, but " +
                             times.filename().string() + " holds " + std::to_string(seen.size()) +
                             " numbers of images.",
                         kRemedy);
    if (accuracies != ends && fs::exists(ends, ignored)) {
        curve.session_ends = readList(ends);
        curve.files.push_back(ends);
    }
    std::vector<std::string> where;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        AnytimePoint& point = curve.points.emplace_back();
        point.samples_seen = std::abs(seen[i]) < 9e15 ? std::llround(seen[i]) : 0;
        point.accuracy = shares[i];
        point.loss = std::nan("");
        where.push_back("entry " + std::to_string(i + 1));
    }
    normaliseCurve(curve, accuracies, where);
    return curve;
}

}  // namespace palimpsest
