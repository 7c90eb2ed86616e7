// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/metrics/metrics.h"
#include "engine/report/averages.h"
#include "ui/state/curve_options.h"
#include "ui/state/history_store.h"
#include "ui/state/seed_groups.h"

namespace palimpsest {

// Means over runs that differ in nothing but the seed, as figures and their tables show them and as reports compute
// them: of anytime accuracy evaluation by evaluation or along sessions, of retention, and of the loss.

/// Places of a band, about, however many evaluations there are.
inline constexpr std::size_t kMostBandPlaces = 4000;

/// Mean of several curves and how far they lie around it.
struct SeedBand {
    std::vector<double> x, mean, half_width;
    std::vector<std::size_t> evaluations;  ///< of each curve that a place was made from, from 0
};

enum class BandWidth {
    Deviation,  ///< sample standard deviation, as in reports
    Error,      ///< standard error of the mean: the same / sqrt(N)
};

/// Width of the band that the user chose.
BandWidth bandWidth(CurveOptions::Band band);
double halfWidth(const Spread& values, BandWidth width);

/// A curve that is asked for its points one by one, since a band reads some of very many.
struct SeedPoints {
    std::size_t count = 0;
    std::function<double(std::size_t)> x, y;
};

/// Mean evaluation by evaluation, as far as the shortest curve goes; of very many evaluations every nth. Empty with
/// fewer than two curves.
SeedBand seedBand(const std::vector<SeedPoints>& curves, BandWidth width);

/// A run along sessions and parts of them (sessionPlace()), asked for its points one by one.
struct SessionPoints {
    std::size_t count = 0;
    std::function<double(std::size_t)> x;
    double reach = 0;                                     ///< the last evaluation holds until here
    std::function<std::optional<double>(double)> height;  ///< see heightAt()
};

/// An evaluation: its place along the sessions, and its number there.
struct PlacedValue {
    double x = 0, y = 0;
};

/// The session that an evaluation at a place belongs to, from 0: what was measured right at a border was learned before
/// it.
std::int64_t sessionOfPlace(double place);

/// The height of a curve at a place, from the evaluations next to it: on the straight line between two of one session,
/// and that of a session's last one until the session ends. `before`: at the place or before it. Nothing where it is
/// another session's, since nothing is carried over from session to session.
std::optional<double> heightAt(double place, const PlacedValue& before, const std::optional<PlacedValue>& after);

/// Mean of several curves at equal places of equal sessions: their evaluations stand elsewhere in each. It has the
/// places at which one of them was evaluated and all of them have a height, as far as the shortest one reaches; every
/// nth when there are very many. Empty with fewer than two curves. It has no `evaluations`.
SeedBand sessionBand(const std::vector<SessionPoints>& curves, BandWidth width);

/// Retention of one session over several runs: by session after which it was measured, from 0. As in reports, each
/// entry is the mean over the runs that have it, as fractions; `count` says how many.
using RetentionMean = std::map<std::int64_t, Spread>;

/// Distance between the sessions that have a line, from the first; more than 1 where there are more than can be told
/// apart.
std::int64_t retentionStride(const ShownRun& run);
RetentionMean retentionMean(const std::vector<const ShownRun*>& runs, std::int64_t session);
/// Numbers of seeds that its entries are means of.
report::SessionSeeds seedsOf(const RetentionMean& mean);

/// Losses of several runs, update by update as far as the shortest goes.
struct SeedLosses {
    std::vector<HistoryStore::History> histories;

    /// Updates that all of them made.
    std::size_t size() const;
    Spread at(std::size_t update) const;
    /// Images seen at an update: their mean, since batches end elsewhere in every stream.
    double place(std::size_t update) const;
};

/// The runs of a group whose loss is known, and their losses.
struct LossGroup {
    SeedGroup group;
    SeedLosses losses;
};
/// Groups with at least two such runs.
std::vector<LossGroup> lossGroups(const RunSet& store, const HistoryStore& histories);

}  // namespace palimpsest
