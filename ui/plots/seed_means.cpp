// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/seed_means.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

/// Places at which one of the curves has an evaluation and none has ended, each once, in order.
std::vector<double> sessionPlaces(const std::vector<SessionPoints>& curves) {
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

}  // namespace

BandWidth bandWidth(CurveOptions::Band band) {
    return band == CurveOptions::Band::Error ? BandWidth::Error : BandWidth::Deviation;
}

double halfWidth(const Spread& values, BandWidth width) {
    if (width == BandWidth::Deviation || values.count < 2) return values.deviation;
    return values.deviation / std::sqrt(static_cast<double>(values.count));
}

SeedBand seedBand(const std::vector<SeedPoints>& curves, BandWidth width) {
    SeedBand band;
    if (curves.size() < 2) return band;
    const std::size_t length = std::ranges::min_element(curves, {}, &SeedPoints::count)->count;
    std::vector<double> places(curves.size()), values(curves.size());
    for (const std::size_t k : report::averagedEvaluations(length, kMostBandPlaces)) {
        for (std::size_t run = 0; run < curves.size(); ++run) {
            places[run] = curves[run].x(k);
            values[run] = curves[run].y(k);
        }
        const Spread all = spread(values);
        band.x.push_back(spread(places).mean);
        band.mean.push_back(all.mean);
        band.half_width.push_back(halfWidth(all, width));
        band.evaluations.push_back(k);
    }
    return band;
}

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
    for (const double place : sessionPlaces(curves)) {
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

std::int64_t retentionStride(const ShownRun& run) {
    constexpr std::int64_t kMostLines = 40;
    const std::int64_t sessions = std::max<std::int64_t>(run.facts->sessions(), std::ssize(run.points.retention()));
    return std::max<std::int64_t>(1, (sessions + kMostLines - 1) / kMostLines);
}

RetentionMean retentionMean(const std::vector<const ShownRun*>& runs, std::int64_t session) {
    std::map<std::int64_t, std::vector<double>> values;
    for (const ShownRun* run : runs)
        for (const RetentionPoint& point : run->points.retentionOf(session)) {
            const bool sound = session <= point.after_session && point.after_session < run->facts->sessions();
            if (sound) values[point.after_session].push_back(point.accuracy);
        }
    RetentionMean mean;
    for (const auto& [after, accuracies] : values) mean[after] = spread(accuracies);
    return mean;
}

report::SessionSeeds seedsOf(const RetentionMean& mean) {
    report::SessionSeeds seeds;
    for (const auto& [after, accuracy] : mean) {
        seeds.least = seeds.most == 0 ? accuracy.count : std::min(seeds.least, accuracy.count);
        seeds.most = std::max(seeds.most, accuracy.count);
    }
    return seeds;
}

std::size_t SeedLosses::size() const {
    std::size_t least = histories.empty() ? 0 : std::numeric_limits<std::size_t>::max();
    for (const HistoryStore::History& history : histories) least = std::min(least, history->loss.size());
    return least;
}

Spread SeedLosses::at(std::size_t update) const {
    std::vector<double> values;
    for (const HistoryStore::History& history : histories) values.push_back(history->loss.y(update));
    return spread(values);
}

double SeedLosses::place(std::size_t update) const {
    double sum = 0;
    for (const HistoryStore::History& history : histories) sum += history->loss.x(update);
    return sum / static_cast<double>(histories.size());
}

std::vector<LossGroup> lossGroups(const RunSet& store, const HistoryStore& histories) {
    std::vector<LossGroup> groups;
    for (SeedGroup& known : seedGroups(store, CurveKind::Anytime)) {
        LossGroup group{{known.key, {}, known.label}, {}};
        for (const ShownRun* run : known.runs) {
            const HistoryStore::History history = histories.find(run->id);
            if (!history || history->loss.empty()) continue;
            group.group.runs.push_back(run);
            group.losses.histories.push_back(history);
        }
        if (group.group.runs.size() > 1) groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace palimpsest
