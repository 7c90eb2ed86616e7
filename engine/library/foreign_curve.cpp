// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/foreign_curve.h"

#include <algorithm>
#include <cmath>

#include "engine/support/error.h"
#include "engine/support/small_letter.h"
#include "engine/support/text_file.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestFile = 64 << 20;
constexpr std::size_t kMostPoints = 1'000'000;

std::string ending(const fs::path& file) {
    std::string text = file.extension().string();
    for (char& c : text) c = smallLetter(c);
    return text;
}

bool isCsv(const fs::path& file) {
    return ending(file) == ".csv" || ending(file) == ".tsv";
}

}  // namespace

bool isForeignCurve(const fs::path& file) {
    return isCsv(file) || ending(file) == ".npy";
}

ForeignCurve readForeignCurve(const fs::path& file, std::int64_t every) {
    if (isCsv(file)) return readCsvCurve(file);
    if (ending(file) == ".npy") return readNpyCurve(file, every);
    throw inputError(file.string() + " is neither a .csv nor a .npy file.",
                     "Give a table with columns samples_seen and accuracy, or a seed_N_eval.npy of the official code.");
}

std::string readCurveFile(const fs::path& file) {
    std::error_code error;
    if (const auto size = fs::file_size(file, error); !error && size > kLargestFile)
        throw inputError("The file " + file.string() + " is larger than any curve.",
                         "Give the accuracies alone; 64 MB is the most that is read.");
    return readTextFile(file);
}

void settleCurve(ForeignCurve& curve, const fs::path& file, const std::vector<std::string>& where) {
    const auto bad = [&](std::size_t i, const std::string& why) {
        return inputError(file.string() + " " + where[i] + ": " + why, "Nothing was imported; mend the file.");
    };
    std::vector<AnytimePoint>& points = curve.points;
    if (points.empty())
        throw inputError(file.string() + " holds no accuracy.", "Give a file with at least one evaluation.");
    if (points.size() > kMostPoints)
        throw inputError(file.string() + " holds more than a million evaluations.", "Thin them out first.");
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
    for (AnytimePoint& point : points) point.accuracy /= 100;
    for (double& accuracy : curve.session_ends) accuracy /= 100;
}

}  // namespace palimpsest
