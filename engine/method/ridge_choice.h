// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

class RidgeStatistics;
class StateArchive;

/// Ridges to choose from: 1e-4, 1e-3, ... 1e9. The published 1e6 to 1e9 of Fly-CL and 1e-8 to 1e8 of RanPAC are for
/// features of their size; the least one here is for Fourier features, of which a whole image has the length 1.
std::span<const double> ridgeGrid();

/// Generalised cross-validation (Golub, Heath and Wahba, 1979; Fly-CL, main.py) of the plain regression on the sums:
/// (|Y - Y'|^2 / N) / (1 - df / N)^2, df = sum of s / (s + lambda) over the eigenvalues s of G. One
/// eigen-decomposition serves all ridges. Infinite for a ridge that the rounding of G hides.
std::vector<double> gcvScores(const RidgeStatistics& statistics, std::span<const double> ridges);
/// The ridge of the grid with the least score; the largest one of several.
double gcvRidge(const RidgeStatistics& statistics);

/// A ridge chosen by prediction before learning (Dawid, Prequential analysis, 1984): all regressions of the grid are
/// solved side by side, each batch is scored with every one of them before it is added to the sums, and the one with
/// the least sum of squared errors so far decides. Images of a class that had no sample when they were solved are left
/// out: no ridge can know them, and the strongest, which says next to nothing, would be the least wrong.
class PrequentialRidge {
public:
    /// `first`: the ridge while nothing has been scored.
    explicit PrequentialRidge(double first) : ridge_(first) {}

    /// Adds the squared errors on phi [B, M] with units int64 [B] of known classes; nothing before solve().
    void score(const Tensor& phi, const Tensor& units);
    /// Chooses, and solves for all ridges. Returns the weights of the chosen one, float32 [M, C].
    Tensor solve(const RidgeStatistics& statistics, bool balanced);
    double ridge() const { return ridge_; }
    /// Sums of squared errors, ridge by ridge of the grid; empty while nothing has been scored. Infinite for one that
    /// could not be solved at some time.
    const std::vector<double>& errors() const { return errors_; }
    void keep(StateArchive& archive);

private:
    double ridge_;
    std::vector<double> errors_;
    std::vector<bool> solved_;  // by ridge
    Tensor weights_;            // [ridges, M, C] of the last solve(); undefined before
    Tensor known_;              // bool [C]: had the class a sample then?
};

}  // namespace palimpsest
