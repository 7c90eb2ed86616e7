// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/guess.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/support/append_file.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostGuessed = 10'000;        // points of one curve
constexpr std::uint64_t kLongestGuess = 1'000'000;  // bytes of the file
constexpr const char* kHeader = "samples_seen,after_session,accuracy\n";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
    throw inputError("The guess in " + file.string() + " cannot be read: " + why + ".",
                     "Its lines are samples_seen,after_session,accuracy, with an accuracy from 0 to 1. Without the "
                     "file, the run is as it was.");
}

bool isPlace(double number) {
    return std::isfinite(number) && number >= 0;
}

/// Places are whole where nobody wrote others by hand.
std::string placeCell(double place) {
    const double whole = std::round(place);
    return place == whole && whole < 1e15 ? csvCell(static_cast<std::int64_t>(whole)) : csvCell(place);
}

void addRows(std::string& text, const std::vector<GuessPoint>& points, bool images) {
    for (const GuessPoint& point : points) {
        const std::string place = placeCell(point.place);
        text += (images ? place + "," : "," + place) + "," + csvCell(point.accuracy) + "\n";
    }
}

/// Rows of measured points where something was guessed; of a run without any, of the guess alone.
std::string comparedRows(const std::string& head, const std::vector<GuessPoint>& guessed,
                         const std::vector<GuessPoint>& measured) {
    std::string text;
    for (const GuessPoint& point : measured)
        if (const std::optional<double> expected = guessedAt(guessed, point.place))
            text += head + placeCell(point.place) + "," + csvCell(*expected) + "," + csvCell(point.accuracy) + "," +
                    csvCell(std::abs(*expected - point.accuracy)) + "\n";
    if (!text.empty()) return text;
    for (const GuessPoint& point : guessed)
        text += head + placeCell(point.place) + "," + csvCell(point.accuracy) + ",,\n";
    return text;
}

void sortByPlace(std::vector<GuessPoint>& points) {
    std::ranges::stable_sort(points, {}, &GuessPoint::place);
}

}  // namespace

Guess readGuess(const std::filesystem::path& run) {
    const std::filesystem::path file = run / kGuessFile;
    Guess guess;
    if (!isPlainFile(file)) return guess;
    std::string fault;
    const CsvScan scan = scanCsv(
        file, {"samples_seen", "after_session", "accuracy"},
        [&](std::span<const double> row) {
            const bool images = !std::isnan(row[0]);
            const double place = images ? row[0] : row[1];
            if (!isPlace(place) || images != std::isnan(row[1]))
                fault = "a line has no place, or two";
            else if (!(row[2] >= 0 && row[2] <= 1))
                fault = "an accuracy is not from 0 to 1";
            else if (std::vector<GuessPoint>& points = images ? guess.anytime : guess.retention;
                     points.size() >= kMostGuessed)
                fault = "it has more than " + grouped(kMostGuessed) + " points";
            else
                points.push_back({place, row[2]});
        },
        kLongestGuess);
    if (fault.empty() && !scan.warnings.empty()) fault = scan.warnings.front();
    if (fault.empty() && scan.torn) fault = "its last line is cut off";
    if (fault.ends_with('.')) fault.pop_back();
    if (!fault.empty()) refuse(file, fault);
    sortByPlace(guess.anytime);
    sortByPlace(guess.retention);
    return guess;
}

void writeGuess(const std::filesystem::path& run, const Guess& guess) {
    std::string text = kHeader;
    addRows(text, guess.anytime, true);
    addRows(text, guess.retention, false);
    replaceTextFile(run / kGuessFile, text, Keep::Written, FilePlace::InFolder);
}

bool keepFirstGuess(const std::filesystem::path& run, const Guess& guess) {
    if (!readGuess(run).empty()) return false;
    writeGuess(run, guess);
    return true;
}

std::optional<double> guessedAt(const std::vector<GuessPoint>& points, double place) {
    const auto next = std::ranges::lower_bound(points, place, {}, &GuessPoint::place);
    if (next == points.end()) return std::nullopt;
    if (next->place == place) return next->accuracy;
    if (next == points.begin()) return std::nullopt;
    const GuessPoint& before = *(next - 1);
    return std::lerp(before.accuracy, next->accuracy, (place - before.place) / (next->place - before.place));
}

std::vector<GuessPoint> measuredAnytime(const std::vector<AnytimePoint>& points) {
    std::vector<GuessPoint> measured;
    measured.reserve(points.size());
    for (const AnytimePoint& point : points)
        measured.push_back({static_cast<double>(point.samples_seen), point.accuracy});
    return measured;
}

std::vector<GuessPoint> measuredRetention(const std::vector<RetentionPoint>& points) {
    std::vector<GuessPoint> measured;
    for (const RetentionPoint& point : points)
        if (point.session == 0 && point.samples > 0)
            measured.push_back({static_cast<double>(point.after_session + 1), point.accuracy});
    return measured;
}

std::vector<GuessPoint> measuredOf(const RunRecord& record, GuessedCurve curve) {
    return curve == GuessedCurve::Anytime ? measuredAnytime(record.anytime) : measuredRetention(record.retention);
}

std::optional<GuessScore> guessScore(const std::vector<GuessPoint>& guessed, const std::vector<GuessPoint>& measured) {
    GuessScore score;
    double sum = 0, most = -1;
    for (const GuessPoint& point : measured) {
        const std::optional<double> expected = guessedAt(guessed, point.place);
        if (!expected) continue;
        const double distance = std::abs(*expected - point.accuracy);
        sum += distance;
        ++score.points;
        if (distance <= most) continue;
        most = distance;
        score.farthest = point;
        score.expected = *expected;
    }
    if (score.points == 0) return std::nullopt;
    score.distance = sum / static_cast<double>(score.points);
    return score;
}

const char* toText(GuessedCurve curve) {
    return curve == GuessedCurve::Anytime ? "anytime" : "retention";
}

std::string guessTable(const OptionTable& table, const std::vector<std::filesystem::path>& runs,
                       std::vector<std::string>* unread) {
    std::string text = "folder,name,seed,curve,place,guessed,measured,distance\n";
    for (const std::filesystem::path& run : runs) {
        try {
            const Guess guess = readGuess(run);
            if (guess.empty()) continue;
            const RunRecord record = readRun(table, run);
            const std::string head = tableCell(plainLine(run.filename().string())) + "," +
                                     tableCell(plainLine(record.experiment.name)) + "," +
                                     std::to_string(record.experiment.seed) + ",";
            for (const GuessedCurve curve : {GuessedCurve::Anytime, GuessedCurve::Retention})
                text += comparedRows(head + toText(curve) + ",", guess.of(curve), measuredOf(record, curve));
        } catch (const Error& error) {
            if (unread) unread->push_back(error.what());
        }
    }
    return text;
}

std::string guessSentence(GuessedCurve curve, const GuessScore& score) {
    const auto place = static_cast<std::int64_t>(score.farthest.place);
    const std::string where =
        curve == GuessedCurve::Anytime ? counted(place, "image", "images") : "session " + grouped(place);
    return perCent(score.distance) +
           (score.points == 1 ? " points off after " : " points off on average, most after ") + where + ": " +
           trimmedText(score.expected * 100, 1) + " % guessed, " + perCent(score.farthest.accuracy) + " % measured";
}

}  // namespace palimpsest
