// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <cstdint>
#include <functional>
#include <vector>

#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_overlay.h"

namespace palimpsest {

class RunSet;
struct AnytimePoint;
struct LiveChange;
struct ShownRun;
struct Theme;

/// Places of a run's images along x: by their number, or by sessions and parts of them.
struct RunAxis {
    bool by_session = false;

    double placeIn(const ShownRun& run, std::int64_t samples) const;
    double samplesIn(const ShownRun& run, double place) const;
    /// The run's evaluation nearest to a place along x, before it or after; null without any.
    const AnytimePoint* evaluationAt(const ShownRun& run, double place) const;
};

/// The last evaluation at or before so many images; the first one where there is none; null without any.
const AnytimePoint* pointAt(const ShownRun& run, double samples);

/// Beginnings of the sessions of a run, over the images seen; none without a run.
std::vector<SessionBorder> sessionBorders(const ShownRun* run);
/// The same with a session's width of 1, however long it is.
std::vector<SessionBorder> evenSessionBorders(const ShownRun* run);
/// Images seen as sessions and parts of them: 1.5 is half way through the second. The session's number where it is not
/// known how long it is.
double sessionPlace(const ShownRun& run, double samples);
/// Sessions that have ended after so many images, empty ones among them.
std::int64_t sessionsEnded(const ShownRun& run, std::int64_t moment);
/// Inverse of sessionPlace().
double samplesAtSession(const ShownRun& run, double place);

/// Colour of a run in most figures, and of its row in the list.
QColor ownColour(const ShownRun& run, const Theme& theme);
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
