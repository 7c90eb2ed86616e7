// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace palimpsest {

/// Correct and total of one evaluation or one class.
struct Hits {
    std::int64_t correct = 0;
    std::int64_t samples = 0;
};

/// Correct and total of every class 0..classes-1 of one evaluation (MISA, methods/_trainer.py, _interpret_pred).
/// Throws Error(Run) when the lists differ in length or a true class is out of range.
std::vector<Hits> countHits(std::span<const std::int64_t> truth, std::span<const std::int64_t> predicted,
                            std::int64_t classes);

/// A_AUC: plain mean of the anytime accuracies; end-of-session evaluations are not part of it
/// (paper, equation of A_AUC; MISA, methods/_trainer.py). Absent for an empty list (the official code: nan).
std::optional<double> areaUnderCurve(std::span<const double> anytimeAccuracies);

/// R[i][j]: accuracy after session i on the data of session j. Absent entries (j > i, or no test data) are skipped.
using RMatrix = std::vector<std::vector<std::optional<double>>>;
/// Paper: A_Last = (1/T) sum_j R[T,j].
std::optional<double> lastAccuracy(const RMatrix& r);
/// Paper: F_Last = (1/T) sum_j (max_i R[i,j] - R[T,j]); never negative.
std::optional<double> lastForgetting(const RMatrix& r);

/// Official code: correct / total over all exposed test samples of one evaluation.
double microAccuracy(std::span<const Hits> classes);
/// Official code: mean of the T end-of-session accuracies (A_avg).
std::optional<double> averageAccuracy(std::span<const double> sessionEndAccuracies);
/// Official code: per-class accuracy correct / (count + 1e-5), in float32.
float classAccuracy(const Hits& hits);
/// Official code's F_Last: mean over classes k with max_{t<T} a[t,k] > 0 of (max_{t<T} a[t,k] - a[T,k]), the maximum
/// over sessions before the last; can be negative. sessions[t][k]. T = 1: -999, as published. Absent (nan) when no
/// class qualifies.
std::optional<double> classwiseForgetting(std::span<const std::vector<Hits>> sessions);
/// FlyGCL's BWT_last: mean over classes of the last accuracy minus the first one at a session end that is not zero. A
/// class first answered rightly in the last session adds 0; one that never was is left out. sessions[t][k]. Absent when
/// no class qualifies.
std::optional<double> backwardTransfer(std::span<const std::vector<Hits>> sessions);

/// Mean and sample standard deviation (divided by N - 1) of N values; a single one has no deviation, which is 0 here.
struct Spread {
    double mean = 0;
    double deviation = 0;
    std::int64_t count = 0;
};
Spread spread(std::span<const double> values);
/// "67.7 ± 1.9" in per cent, or "67.7" for a single value; "–" without one.
std::string spreadPerCent(const Spread& fractions);

/// "session 5", "sessions 2, 4 and 6–9": numbers of sessions from 1. `sessions`: ascending, from 0.
std::string sessionList(std::span<const std::size_t> sessions);

}  // namespace palimpsest
