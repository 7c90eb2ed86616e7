// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/session_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace palimpsest {
namespace {

/// Where one of the curves has an evaluation and none has ended, each place once, in order.
std::vector<double> placesOf(const std::vector<SessionPoints>& curves) {
    std::vector<double> places;
    std::size_t all = 0;
    double end = std::numeric_limits<double>::infinity();
    for (const SessionPoints& curve : curves) {
        all += curve.count;
        end = std::min(end, curve.reach);
    }
    const std::size_t step = std::max<std::size_t>(1, all / kMostBandPlaces);
    for (const SessionPoints& curve : curves) {
        for (std::size_t i = 0; i < curve.count; i += step) places.push_back(curve.x(i));
        if (curve.count > 0) places.push_back(curve.x(curve.count - 1));
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    places.erase(std::upper_bound(places.begin(), places.end(), end), places.end());
    return places;
}

std::optional<double> heightOf(const SessionCurve& curve, double place) {
    const auto after =
        static_cast<std::size_t>(std::upper_bound(curve.x.begin(), curve.x.end(), place) - curve.x.begin());
    if (after == 0) return std::nullopt;
    const auto evaluation = [&](std::size_t i) { return PlacedValue{curve.x[i], curve.y[i]}; };
    return heightAt(place, evaluation(after - 1),
                    after < curve.x.size() ? std::optional(evaluation(after)) : std::nullopt);
}

}  // namespace

std::int64_t sessionOfPlace(double place) {
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(place)) - 1);
}

std::optional<double> heightAt(double place, const PlacedValue& before, const std::optional<PlacedValue>& after) {
    const std::int64_t session = sessionOfPlace(place);
    if (sessionOfPlace(before.x) != session) return std::nullopt;
    if (!after || sessionOfPlace(after->x) != session || after->x <= before.x) return before.y;
    const double part = std::clamp((place - before.x) / (after->x - before.x), 0.0, 1.0);
    return before.y + part * (after->y - before.y);
}

SeedBand sessionBand(const std::vector<SessionPoints>& curves, BandWidth width) {
    SeedBand band;
    if (curves.size() < 2) return band;
    std::vector<double> values;
    for (const double place : placesOf(curves)) {
        values.clear();
        for (const SessionPoints& curve : curves)
            if (const auto value = curve.height(place)) values.push_back(*value);
        if (values.size() < curves.size()) continue;
        const Spread all = spread(values);
        band.x.push_back(place);
        band.mean.push_back(all.mean);
        band.half_width.push_back(halfWidth(all, width));
    }
    return band;
}

SeedBand sessionBand(const std::vector<SessionCurve>& curves, BandWidth width) {
    std::vector<SessionPoints> points;
    for (const SessionCurve& curve : curves)
        points.push_back({curve.x.size(), [&](std::size_t i) { return curve.x[i]; }, curve.reach,
                          [&](double place) { return heightOf(curve, place); }});
    return sessionBand(points, width);
}

}  // namespace palimpsest
