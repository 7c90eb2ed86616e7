// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/principal_axes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace palimpsest {
namespace {

constexpr int kMostSweeps = 60;         // ten are usual
constexpr double kNoSpread = 1e-13;     // of the largest eigenvalue: rounding, and no direction
constexpr double kShortLeftover = 0.5;  // of a coordinate axis, across which another one is taken

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Of the two directions, the one whose largest entry is positive.
void turnPositive(std::vector<double>& axis) {
    const auto largest = std::ranges::max_element(axis, {}, [](double x) { return std::abs(x); });
    if (largest != axis.end() && *largest < 0)
        for (double& x : axis) x = -x;
}

bool scaleToUnit(std::vector<double>& axis) {
    const double length = std::sqrt(dot(axis, axis));
    if (!(length > 0)) return false;
    for (double& x : axis) x /= length;
    return true;
}

/// The first coordinate axis that is far from `other`, made to stand at a right angle to it.
std::vector<double> axisAcross(std::span<const double> other, std::size_t width) {
    for (std::size_t k = 0; k < width; ++k) {
        std::vector<double> axis(width, 0.0);
        axis[k] = 1;
        if (!other.empty()) {
            const double part = other[k];
            if (1 - part * part < kShortLeftover && k + 1 < width) continue;
            for (std::size_t i = 0; i < width; ++i) axis[i] -= part * other[i];
        }
        if (scaleToUnit(axis)) return axis;
    }
    return std::vector<double>(width, 0.0);
}

double along(std::span<const double> axis, std::span<const float> values, std::span<const double> mean) {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(axis.size(), values.size()); ++i)
        sum += axis[i] * (static_cast<double>(values[i]) - (mean.empty() ? 0.0 : mean[i]));
    return sum;
}

}  // namespace

SymmetricEigen symmetricEigen(std::vector<double> matrix, std::size_t n) {
    std::vector<double> vectors(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) vectors[i * n + i] = 1;
    const double all = std::sqrt(dot(matrix, matrix));
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double off = 0;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) off += matrix[p * n + q] * matrix[p * n + q];
        if (!(std::sqrt(2 * off) > 1e-15 * all)) break;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                const double pq = matrix[p * n + q];
                if (pq == 0) continue;
                const double theta = (matrix[q * n + q] - matrix[p * n + p]) / (2 * pq);
                const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                // Columns p and q equal rows p and q, so that the columns are copied once the rows have turned.
                double* const row_p = &matrix[p * n];
                double* const row_q = &matrix[q * n];
                const double pp = row_p[p], qq = row_q[q];
                for (std::size_t k = 0; k < n; ++k) {
                    const double kp = row_p[k], kq = row_q[k];
                    row_p[k] = c * kp - s * kq;
                    row_q[k] = s * kp + c * kq;
                }
                row_p[p] = pp - t * pq;
                row_q[q] = qq + t * pq;
                row_p[q] = row_q[p] = 0;
                for (std::size_t k = 0; k < n; ++k) {
                    if (k == p || k == q) continue;
                    matrix[k * n + p] = row_p[k];
                    matrix[k * n + q] = row_q[k];
                }
                double* const vector_p = &vectors[p * n];
                double* const vector_q = &vectors[q * n];
                for (std::size_t k = 0; k < n; ++k) {
                    const double kp = vector_p[k], kq = vector_q[k];
                    vector_p[k] = c * kp - s * kq;
                    vector_q[k] = s * kp + c * kq;
                }
            }
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return matrix[i * n + i]; });
    SymmetricEigen result;
    result.vectors.reserve(n * n);
    for (const std::size_t i : order) {
        result.values.push_back(matrix[i * n + i]);
        result.vectors.insert(result.vectors.end(), vectors.begin() + static_cast<std::ptrdiff_t>(i * n),
                              vectors.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
    }
    return result;
}

std::array<double, 2> PrincipalAxes::place(std::span<const float> point) const {
    return {along(axes[0], point, mean), along(axes[1], point, mean)};
}

std::array<double, 2> PrincipalAxes::direction(std::span<const float> row) const {
    return {along(axes[0], row, {}), along(axes[1], row, {})};
}

PrincipalAxes principalAxes(std::span<const float> points, std::size_t width) {
    PrincipalAxes result;
    const std::size_t n = width > 0 ? points.size() / width : 0;
    if (n == 0) return result;
    result.mean.assign(width, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < width; ++k) result.mean[k] += static_cast<double>(points[i * width + k]);
    for (double& x : result.mean) x /= static_cast<double>(n);

    // Centred, and by rows of the smaller side: [n, width] or [width, n].
    const bool by_points = n < width;
    const std::size_t side = by_points ? n : width, other = by_points ? width : n;
    std::vector<double> centred(side * other);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < width; ++k)
            centred[by_points ? i * width + k : k * n + i] =
                static_cast<double>(points[i * width + k]) - result.mean[k];
    const auto row = [&](std::size_t i) { return std::span<const double>(centred).subspan(i * other, other); };
    std::vector<double> products(side * side);
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = i; j < side; ++j)
            products[i * side + j] = products[j * side + i] = dot(row(i), row(j)) / static_cast<double>(n);
    double whole = 0;
    for (std::size_t i = 0; i < side; ++i) whole += products[i * side + i];

    const SymmetricEigen eigen = symmetricEigen(std::move(products), side);
    for (std::size_t a = 0; a < result.axes.size(); ++a) {
        std::vector<double>& axis = result.axes[a];
        const bool spread = a < side && eigen.values[a] > 0 && eigen.values[a] > kNoSpread * eigen.values[0];
        if (spread) {
            const auto vector = std::span<const double>(eigen.vectors).subspan(a * side, side);
            if (by_points) {
                axis.assign(width, 0.0);
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t k = 0; k < width; ++k) axis[k] += vector[i] * row(i)[k];
            } else {
                axis.assign(vector.begin(), vector.end());
            }
            scaleToUnit(axis);
            turnPositive(axis);
            result.share[a] = eigen.values[a] / whole;
        } else {
            axis = axisAcross(a == 0 ? std::span<const double>() : std::span<const double>(result.axes[0]), width);
        }
    }
    return result;
}

}  // namespace palimpsest
