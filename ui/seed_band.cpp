// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/seed_band.h"

#include <algorithm>
#include <cmath>

#include "engine/metrics/metrics.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostPlaces = 4000;

/// Walks along one curve; places are asked for in ascending order and lie within it.
class Walk {
public:
    explicit Walk(const SeedCurve& curve) : curve_(curve) {}

    double at(double x) {
        while (next_ + 1 < curve_.x.size() && curve_.x[next_] < x) ++next_;
        if (next_ == 0 || curve_.x[next_] <= x) return curve_.y[next_];
        const double x0 = curve_.x[next_ - 1], x1 = curve_.x[next_];
        const double part = x1 > x0 ? (x - x0) / (x1 - x0) : 1;
        return curve_.y[next_ - 1] + part * (curve_.y[next_] - curve_.y[next_ - 1]);
    }

private:
    const SeedCurve& curve_;
    std::size_t next_ = 0;
};

}  // namespace

SeedBand seedBand(const std::vector<SeedCurve>& curves, BandWidth width) {
    SeedBand band;
    const bool none = std::any_of(curves.begin(), curves.end(), [](const SeedCurve& curve) { return curve.x.empty(); });
    if (curves.size() < 2 || none) return band;
    double from = curves.front().x.front(), to = curves.front().x.back();
    std::vector<Walk> walks;
    for (const SeedCurve& curve : curves) {
        from = std::max(from, curve.x.front());
        to = std::min(to, curve.x.back());
        walks.emplace_back(curve);
    }
    const std::vector<double>& places = curves.front().x;
    const std::size_t step = std::max<std::size_t>(1, places.size() / kMostPlaces);
    const double seeds = static_cast<double>(curves.size());
    std::vector<double> values(curves.size());
    for (std::size_t i = 0; i < places.size(); i += step) {
        if (places[i] < from || places[i] > to) continue;
        for (std::size_t k = 0; k < walks.size(); ++k) values[k] = walks[k].at(places[i]);
        const Spread all = spread(values);
        band.x.push_back(places[i]);
        band.mean.push_back(all.mean);
        // Sample deviation / sqrt(N) is population deviation / sqrt(N - 1).
        band.half_width.push_back(width == BandWidth::Deviation ? all.deviation : all.deviation / std::sqrt(seeds - 1));
    }
    return band;
}

}  // namespace palimpsest
