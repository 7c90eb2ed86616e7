// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "engine/library/foreign_curve.h"
#include "engine/support/error.h"
#include "engine/support/npy_header.h"

namespace palimpsest {

namespace fs = std::filesystem;

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
    const std::string bytes = readCurveFile(file);
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
    checkNpySize(bytes, header, wide ? 8 : 4, bad);
    const std::string_view data = std::string_view(bytes).substr(header.data);
    if (type == "<f8") return numbersOf<double>(data);
    if (type == "<f4") return numbersOf<float>(data);
    return wide ? numbersOf<std::int64_t>(data) : numbersOf<std::int32_t>(data);
}

/// What the three files of one run begin with: ".../seed_3".
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

ForeignCurve readNpyCurve(const fs::path& file, std::int64_t every) {
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
    ForeignCurve curve;
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
    settleCurve(curve, accuracies, where);
    return curve;
}

}  // namespace palimpsest
