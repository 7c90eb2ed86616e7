// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace palimpsest {

/// The plane in which points differ most: the mean, the two eigenvectors of the covariance with the largest
/// eigenvalues, and their share of the whole variance (Pearson, 1901; Hotelling, 1933).
struct PrincipalAxes {
    std::vector<double> mean;                 ///< [D]
    std::array<std::vector<double>, 2> axes;  ///< [D] each, of unit length and at right angles
    std::array<double, 2> share{};            ///< 0..1 of the variance of all directions; 0 where there is none

    bool empty() const { return mean.empty(); }
    /// Coordinates of a point [D] in the plane, its origin the mean.
    std::array<double, 2> place(std::span<const float> point) const;
    /// Coordinates of a direction [D], which has no place.
    std::array<double, 2> direction(std::span<const float> row) const;
};

/// Of `points` [n, width], row by row, in double precision throughout. Exact but for rounding, and the same bits for
/// the same points: the eigenvectors are those of the covariance, or of the points' products with each other where
/// there are fewer points than numbers in each, found by Jacobi rotations. Of the two directions of an axis, the one is
/// taken whose entry of largest magnitude, the first of several, is positive. Where points differ in fewer than two
/// directions, coordinate axes stand in. Empty without a point. Time grows with min(n, width)^3.
PrincipalAxes principalAxes(std::span<const float> points, std::size_t width);

/// Eigenvalues, descending, and eigenvectors, one a row, of a symmetric matrix [n, n]: cyclic Jacobi rotations (Golub
/// and Van Loan, Matrix Computations, 8.5).
struct SymmetricEigen {
    std::vector<double> values;   ///< [n]
    std::vector<double> vectors;  ///< [n, n]
};
SymmetricEigen symmetricEigen(std::vector<double> matrix, std::size_t n);

}  // namespace palimpsest
