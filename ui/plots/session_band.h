// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ui/plots/seed_band.h"

namespace palimpsest {

/// Of one run, evaluation by evaluation, along sessions and parts of them (sessionPlace()).
struct SessionCurve {
    std::vector<double> x, y;
    double reach = 0;  ///< the last evaluation holds until here
};

/// The same, asked for its points one by one.
struct SessionPoints {
    std::size_t count = 0;
    std::function<double(std::size_t)> x;
    double reach = 0;
    std::function<std::optional<double>(double)> height;  ///< see heightAt()
};

/// An evaluation: where along the sessions, and its number there.
struct PlacedValue {
    double x = 0, y = 0;
};

/// The session that an evaluation at a place belongs to, from 0: what was measured right at a border was learned before
/// it.
std::int64_t sessionOfPlace(double place);

/// The height of a curve at a place, of the evaluations next to it: on the straight line between two of one session,
/// and that of a session's last one until the session ends. `before`: at the place or before it. Nothing where it is
/// another session's, since nothing is carried over from session to session.
std::optional<double> heightAt(double place, const PlacedValue& before, const std::optional<PlacedValue>& after);

/// Mean of several curves at equal places of equal sessions: their evaluations stand elsewhere in each. It has the
/// places at which one of them was evaluated and all of them have a height, as far as the shortest one reaches; every
/// so manieth when there are very many. Empty with fewer than two curves. It has no `evaluations`.
SeedBand sessionBand(const std::vector<SessionPoints>& curves, BandWidth width);
SeedBand sessionBand(const std::vector<SessionCurve>& curves, BandWidth width);

}  // namespace palimpsest
