// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_overlay.h"

namespace palimpsest {

class RunSet;
struct LiveChange;
struct ShownRun;
struct Theme;

/// The changes that a figure marks for a run: all of its own. Those it shares with the run it branched off are that
/// run's, as long as that is shown, too.
std::vector<const LiveChange*> ownChanges(const RunSet& store, const ShownRun& run);
/// Changes of all visible runs, those of the selected run first; of several runs, each names its own. `placeOf`: along
/// x, of a run's images seen; `colourOf`: a run's, null: as runs have it in most figures.
std::vector<ChangeMark> changeMarks(const RunSet& store, const Theme& theme,
                                    const std::function<double(const ShownRun&, std::int64_t)>& placeOf,
                                    const std::function<QColor(const ShownRun&)>& colourOf = nullptr);
/// For a readout: the newest change of the run that held after so many images; nothing: none.
std::optional<Readout::Row> changeRow(const RunSet& store, const ShownRun& run, double samples, QPointF at,
                                      const Theme& theme);

}  // namespace palimpsest
