// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_folder.h"

namespace palimpsest {

/// A point of a curve: a number of images seen or of sessions that have ended, and an accuracy from 0 to 1.
struct GuessPoint {
    double place = 0;
    double accuracy = 0;
    bool operator==(const GuessPoint&) const = default;
};

/// The two curves that somebody can guess.
enum class GuessedCurve {
    Anytime,   ///< anytime accuracy, over the images seen
    Retention  ///< accuracy on session 1 after 1, 2, ... sessions
};

/// Curves that somebody expected of a run before it was seen; points in order of their places, few or many.
struct Guess {
    std::vector<GuessPoint> anytime;
    std::vector<GuessPoint> retention;

    const std::vector<GuessPoint>& of(GuessedCurve curve) const {
        return curve == GuessedCurve::Anytime ? anytime : retention;
    }
    bool empty() const { return anytime.empty() && retention.empty(); }
    bool operator==(const Guess&) const = default;
};

/// File of a run folder: samples_seen,after_session,accuracy, of which the first or the second is empty.
inline constexpr const char* kGuessFile = "guess.csv";

/// The guess that lies in a run folder; empty where there is none. Throws Error(Input) for one that cannot be read.
Guess readGuess(const std::filesystem::path& run);
/// Throws Error(Input) where it cannot be written.
void writeGuess(const std::filesystem::path& run, const Guess& guess);

/// The same where the run has none yet: who plays a run again knows what came. False: one is there, and stays. Throws
/// Error(Input) also for one that cannot be read.
bool keepFirstGuess(const std::filesystem::path& run, const Guess& guess);

/// On the line through the points; nothing before the first and behind the last.
std::optional<double> guessedAt(const std::vector<GuessPoint>& points, double place);

/// Measured points to compare a guess with: every anytime evaluation.
std::vector<GuessPoint> measuredAnytime(const std::vector<AnytimePoint>& points);
/// The same of session 1, of the retention of one run; points without test data are left out.
std::vector<GuessPoint> measuredRetention(const std::vector<RetentionPoint>& points);
std::vector<GuessPoint> measuredOf(const RunRecord& record, GuessedCurve curve);
/// "anytime", "retention".
const char* toText(GuessedCurve curve);

/// How far a guess is off: the mean distance of the measured points from its line.
struct GuessScore {
    double distance = 0;     ///< from 0 to 1
    std::size_t points = 0;  ///< measured ones that it is the mean of
    GuessPoint farthest;     ///< the measured one that is farthest off
    double expected = 0;     ///< accuracy guessed there
};
/// Nothing: no measured point lies where something was guessed.
std::optional<GuessScore> guessScore(const std::vector<GuessPoint>& guessed, const std::vector<GuessPoint>& measured);

/// A table of guesses beside what was measured, which people open as a spreadsheet:
/// folder,name,seed,curve,place,guessed,measured,distance. Runs without a guess are left out. `unread`: gets a sentence
/// on each run that cannot be read.
std::string guessTable(const OptionTable& table, const std::vector<std::filesystem::path>& runs,
                       std::vector<std::string>* unread = nullptr);

/// "12.3 points off on average, most after 1,200 images: 60 % guessed, 22.5 % measured".
std::string guessSentence(GuessedCurve curve, const GuessScore& score);

}  // namespace palimpsest
