// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/adaptive_rate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {
namespace {

constexpr double kSignificance = 0.05;
constexpr std::int64_t kFirstUpdates = 20;  // nothing is recorded before

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Variance of the mean.
double meanVariance(std::span<const double> values, double middle) {
    double sum = 0;
    for (const double value : values) sum += (value - middle) * (value - middle);
    const double n = static_cast<double>(values.size());
    return sum / (n - 1) / n;
}

/// Continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22).
double betaFraction(double a, double b, double x) {
    constexpr double kTiny = 1e-300;
    const auto safe = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
    double c = 1, d = 1 / safe(1 - (a + b) * x / (a + 1)), result = d;
    for (int m = 1; m < 500; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / safe(1 + even * d);
        c = safe(1 + even / c);
        result *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / safe(1 + odd * d);
        c = safe(1 + odd / c);
        result *= d * c;
        if (std::abs(d * c - 1) < 1e-15) break;
    }
    return result;
}

/// Regularised incomplete beta function I_x(a, b).
double incompleteBeta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    // The fraction converges fast on one side of the mean only.
    return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, 1 - x) / b;
}

}  // namespace

double welchGreater(std::span<const double> a, std::span<const double> b) {
    if (a.size() < 2 || b.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    const double meanA = mean(a), meanB = mean(b);
    const double va = meanVariance(a, meanA), vb = meanVariance(b, meanB);
    if (va + vb <= 0) return std::numeric_limits<double>::quiet_NaN();
    const double t = (meanA - meanB) / std::sqrt(va + vb);
    const double freedom =
        (va + vb) * (va + vb) /
        (va * va / (static_cast<double>(a.size()) - 1) + vb * vb / (static_cast<double>(b.size()) - 1));
    const double tail = 0.5 * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
    return t > 0 ? tail : 1 - tail;
}

std::optional<double> AdaptiveRate::meanFall(std::span<const double> losses) const {
    double fall = 0;
    std::int64_t slots = 0;
    for (std::size_t slot = 0; slot < std::min(before_.size(), losses.size()); ++slot) {
        if (std::find(rewritten_.begin(), rewritten_.end(), static_cast<std::int64_t>(slot)) != rewritten_.end())
            continue;
        fall += before_[slot] - losses[slot];
        ++slots;
    }
    if (slots == 0) return std::nullopt;
    return fall / static_cast<double>(slots);
}

void AdaptiveRate::compareTurns() {
    const auto wanted = static_cast<std::size_t>(settings_.length);
    if (falls_high_.size() != falls_low_.size() || falls_high_.size() < wanted) return;
    const double chance = welchGreater(falls_low_, falls_high_);
    if (chance < kSignificance) {
        high_ = low_;
        low_ *= settings_.step;
    } else if (chance > 1 - kSignificance) {
        low_ = high_;
        high_ /= settings_.step;
    } else {
        return;
    }
    falls_high_.clear();
    falls_low_.clear();
    is_high_ = !is_high_;
}

double AdaptiveRate::next(std::span<const double> losses, std::span<const std::int64_t> rewritten) {
    rewritten_.insert(rewritten_.end(), rewritten.begin(), rewritten.end());
    if (++updates_ % settings_.period != 0) return rate();
    if (!before_.empty() && updates_ > kFirstUpdates) {
        std::vector<double>& falls = is_high_ ? falls_high_ : falls_low_;
        if (const auto fall = meanFall(losses)) falls.push_back(*fall);
        if (static_cast<std::int64_t>(falls.size()) > settings_.length) falls.erase(falls.begin());
    }
    before_.assign(losses.begin(), losses.end());
    rewritten_.clear();
    is_high_ = !is_high_;
    compareTurns();
    return rate();
}

void AdaptiveRate::keep(StateArchive& archive) {
    archive("high", high_);
    archive("low", low_);
    archive("is_high", is_high_);
    archive("updates", updates_);
    archive("before", before_);
    archive("falls_high", falls_high_);
    archive("falls_low", falls_low_);
    archive("rewritten", rewritten_);
}

}  // namespace palimpsest
