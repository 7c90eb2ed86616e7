// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/change_marks.h"

#include <QCoreApplication>

#include "ui/curve_store.h"
#include "ui/run_label.h"
#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {

std::vector<const LiveChange*> ownChanges(const CurveStore& store, const RunCurves& run) {
    const RunCurves* parent = store.find(run.parent);
    const bool shared = parent && parent->visible;
    std::vector<const LiveChange*> changes;
    for (const LiveChange& change : run.changes)
        if (!shared || change.at >= run.forked_at) changes.push_back(&change);
    return changes;
}

std::vector<ChangeMark> changeMarks(const CurveStore& store, const Theme& theme,
                                    const std::function<double(const RunCurves&, std::int64_t)>& placeOf) {
    std::vector<ChangeMark> marks;
    for (const RunCurves* run : store.visibleRuns())
        for (const LiveChange* change : ownChanges(store, *run))
            marks.push_back({placeOf(*run, change->at), changeText(store.table(), *change),
                             runColour(theme, run->primary, run->colour)});
    return marks;
}

std::optional<Readout::Row> changeRow(const CurveStore& store, const RunCurves& run, double samples, QPointF at,
                                      const Theme& theme) {
    const LiveChange* newest = nullptr;
    for (const LiveChange& change : run.changes)
        if (static_cast<double>(change.at) <= samples) newest = &change;
    if (!newest) return std::nullopt;
    return Readout::Row{
        at, changeText(store.table(), *newest),
        QCoreApplication::translate("palimpsest::ChangeMarks", "from %1 images").arg(countText(newest->at)),
        runColour(theme, run.primary, run.colour), MarkerShape::Diamond};
}

}  // namespace palimpsest
