// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "engine/record/principal_axes.h"
#include "engine/support/random.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_principal_axes {

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool near(double a, double b, double within = 1e-12) {
    return std::abs(a - b) <= within;
}

/// Points whose spread differs from direction to direction.
std::vector<float> cloud(std::size_t n, std::size_t width) {
    Random random(7, 1);
    std::vector<float> points;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < width; ++k)
            points.push_back(static_cast<float>(3 + random.normal() / static_cast<double>(k + 1)));
    return points;
}

double varianceAlong(std::span<const float> points, std::size_t width, const std::vector<double>& axis) {
    const std::size_t n = points.size() / width;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double at = 0;
        for (std::size_t k = 0; k < width; ++k) at += axis[k] * static_cast<double>(points[i * width + k]);
        sum += at;
        squares += at * at;
    }
    const double mean = sum / static_cast<double>(n);
    return squares / static_cast<double>(n) - mean * mean;
}

}  // namespace

class TestPrincipalAxes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fourPointsByHand() {
        // About the mean (1, 2): (±2, ±2) and (±1, ∓1). Covariance [[2.5, 1.5], [1.5, 2.5]], eigenvalues 4 and 1.
        const std::vector<float> points{3, 4, -1, 0, 2, 1, 0, 3};
        const PrincipalAxes axes = principalAxes(points, 2);
        const double half = std::sqrt(0.5);
        QVERIFY(near(axes.mean[0], 1) && near(axes.mean[1], 2));
        QVERIFY(near(axes.axes[0][0], half) && near(axes.axes[0][1], half));
        // Both entries of the second are as large: the first one is positive.
        QVERIFY(near(axes.axes[1][0], half) && near(axes.axes[1][1], -half));
        QVERIFY(near(axes.share[0], 0.8) && near(axes.share[1], 0.2));
        const auto place = axes.place(std::span(points).first(2));
        QVERIFY(near(place[0], std::sqrt(8.0)) && near(place[1], 0));
        // A direction has no place: the mean is not taken off.
        const std::vector<float> row{1, 0};
        QVERIFY(near(axes.direction(row)[0], half) && near(axes.direction(row)[1], half));
    }

    void axesAreOrthonormalAndHaveTheMostVariance_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("width");
        QTest::newRow("more points than numbers") << 60 << 7;
        QTest::newRow("fewer") << 12 << 64;
        QTest::newRow("as many") << 20 << 20;
    }
    void axesAreOrthonormalAndHaveTheMostVariance() {
        QFETCH(int, n);
        QFETCH(int, width);
        const auto wide = static_cast<std::size_t>(width);
        const std::vector<float> points = cloud(static_cast<std::size_t>(n), wide);
        const PrincipalAxes axes = principalAxes(points, wide);
        QVERIFY(near(dot(axes.axes[0], axes.axes[0]), 1, 1e-10) && near(dot(axes.axes[1], axes.axes[1]), 1, 1e-10));
        QVERIFY(near(dot(axes.axes[0], axes.axes[1]), 0, 1e-10));
        double whole = 0;
        for (std::size_t k = 0; k < wide; ++k) {
            std::vector<double> unit(wide, 0.0);
            unit[k] = 1;
            whole += varianceAlong(points, wide, unit);
        }
        const double first = varianceAlong(points, wide, axes.axes[0]),
                     second = varianceAlong(points, wide, axes.axes[1]);
        QVERIFY(near(axes.share[0], first / whole, 1e-9) && near(axes.share[1], second / whole, 1e-9));
        QVERIFY(axes.share[0] >= axes.share[1] && axes.share[0] + axes.share[1] <= 1 + 1e-9);
        // No other direction has more than the first, and none across it more than the second.
        Random random(3, 2);
        for (int i = 0; i < 200; ++i) {
            std::vector<double> other(wide);
            for (double& x : other) x = random.normal();
            const double length = std::sqrt(dot(other, other));
            for (double& x : other) x /= length;
            QVERIFY(varianceAlong(points, wide, other) <= first * (1 + 1e-9));
            const double part = dot(other, axes.axes[0]);
            for (std::size_t k = 0; k < wide; ++k) other[k] -= part * axes.axes[0][k];
            const double left = std::sqrt(dot(other, other));
            for (double& x : other) x /= left;
            QVERIFY(varianceAlong(points, wide, other) <= second * (1 + 1e-9));
        }
    }

    void bothWaysGiveTheSameAxes() {
        // With numbers that never differ beside them, points are fewer than numbers: products of points with points.
        const std::vector<float> points = cloud(30, 8);
        std::vector<float> wide;
        for (std::size_t i = 0; i < 30; ++i) {
            wide.insert(wide.end(), points.begin() + static_cast<std::ptrdiff_t>(i * 8),
                        points.begin() + static_cast<std::ptrdiff_t>(i * 8 + 8));
            wide.resize(wide.size() + 32, 0.0F);
        }
        const PrincipalAxes narrow = principalAxes(points, 8), padded = principalAxes(wide, 40);
        for (std::size_t axis = 0; axis < 2; ++axis) {
            QVERIFY(near(narrow.share[axis], padded.share[axis], 1e-10));
            for (std::size_t k = 0; k < 40; ++k)
                QVERIFY(near(padded.axes[axis][k], k < 8 ? narrow.axes[axis][k] : 0, 1e-9));
        }
    }

    void theSignDependsOnThePointsAloneAndNotOnTheirOrder() {
        const std::size_t width = 6;
        const std::vector<float> points = cloud(40, width);
        std::vector<float> turned;
        for (std::size_t i = 40; i-- > 0;)
            turned.insert(turned.end(), points.begin() + static_cast<std::ptrdiff_t>(i * width),
                          points.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        const PrincipalAxes a = principalAxes(points, width), b = principalAxes(turned, width);
        QCOMPARE(principalAxes(points, width).axes, a.axes);  // the same bits
        for (std::size_t axis = 0; axis < 2; ++axis) {
            for (std::size_t k = 0; k < width; ++k) QVERIFY(near(a.axes[axis][k], b.axes[axis][k], 1e-9));
            const auto largest = std::ranges::max_element(a.axes[axis], {}, [](double x) { return std::abs(x); });
            QVERIFY(*largest > 0);
        }
    }

    void pointsWithoutSpreadHaveAPlaneAllTheSame_data() {
        QTest::addColumn<QList<float>>("points");
        QTest::newRow("one") << QList<float>{1, 2, 3};
        QTest::newRow("equal") << QList<float>{1, 2, 3, 1, 2, 3};
        QTest::newRow("along a line") << QList<float>{0, 0, 0, 2, 0, 0, 4, 0, 0};
    }
    void pointsWithoutSpreadHaveAPlaneAllTheSame() {
        QFETCH(QList<float>, points);
        const PrincipalAxes axes = principalAxes({points.data(), static_cast<std::size_t>(points.size())}, 3);
        QVERIFY(near(dot(axes.axes[0], axes.axes[0]), 1) && near(dot(axes.axes[1], axes.axes[1]), 1));
        QVERIFY(near(dot(axes.axes[0], axes.axes[1]), 0));
        QCOMPARE(axes.share[1], 0.0);
        QVERIFY(axes.share[0] == 0 || near(axes.share[0], 1));
        QVERIFY(principalAxes({}, 3).empty());
    }

    void eigenvectorsSolveTheirEquation() {
        const std::size_t n = 30;
        const std::vector<float> points = cloud(n, n);
        std::vector<double> matrix(n * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                matrix[i * n + j] = static_cast<double>(points[i * n + j]) + static_cast<double>(points[j * n + i]);
        const SymmetricEigen eigen = symmetricEigen(matrix, n);
        for (std::size_t v = 0; v < n; ++v) {
            if (v > 0) QVERIFY(eigen.values[v] <= eigen.values[v - 1]);
            for (std::size_t i = 0; i < n; ++i) {
                double sum = 0;
                for (std::size_t j = 0; j < n; ++j) sum += matrix[i * n + j] * eigen.vectors[v * n + j];
                QVERIFY(near(sum, eigen.values[v] * eigen.vectors[v * n + i], 1e-9));
            }
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestPrincipalAxes)

}  // namespace tst_principal_axes

#include "tst_principal_axes.moc"
