// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/change_marks.h"

#include <QCoreApplication>

#include "ui/state/run_label.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

struct ChangeRowText {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::ChangeRowText)
};

/// As its curve ends.
MarkerShape shapeOf(const ShownRun& run) {
    return run.display.selected ? MarkerShape::Circle : markerOf(run.display.style);
}

}  // namespace

std::vector<const LiveChange*> ownChanges(const RunSet& store, const ShownRun& run) {
    const ShownRun* parent = store.find(run.facts->parent);
    const bool shared = parent && parent->display.visible;
    std::vector<const LiveChange*> changes;
    for (const LiveChange& change : run.changes)
        if (!shared || change.at >= run.facts->forked_at) changes.push_back(&change);
    return changes;
}

std::vector<ChangeMark> changeMarks(const RunSet& store, const Theme& theme,
                                    const std::function<double(const ShownRun&, std::int64_t)>& placeOf,
                                    const std::function<QColor(const ShownRun&)>& colourOf) {
    std::vector<ChangeMark> marks;
    const std::vector<const ShownRun*> runs = store.visibleRuns();
    for (const ShownRun* run : runs)
        for (const LiveChange* change : ownChanges(store, *run)) {
            ChangeMark& mark = marks.emplace_back();
            mark.x = placeOf(*run, change->at);
            mark.text = changeText(store.table(), *change);
            mark.colour = colourOf ? colourOf(*run) : runColour(theme, run->display.selected, run->display.colour);
            if (runs.size() < 2) continue;
            mark.run = store.label(run->id);
            mark.shape = shapeOf(*run);
            if (!run->display.selected) mark.dash = runPen(theme, false, run->display.style).dashPattern();
        }
    return marks;
}

std::optional<Readout::Row> changeRow(const RunSet& store, const ShownRun& run, double samples, QPointF at,
                                      const Theme& theme) {
    const LiveChange* newest = nullptr;
    for (const LiveChange& change : run.changes)
        if (static_cast<double>(change.at) <= samples) newest = &change;
    if (!newest) return std::nullopt;
    ChangeMark mark;
    mark.text = changeText(store.table(), *newest);
    const bool several = store.visibleRuns().size() > 1;
    if (several) mark.run = store.label(run.id);
    return Readout::Row{at, mark.caption(), ChangeRowText::tr("from %1 images").arg(countText(newest->at)),
                        runColour(theme, run.display.selected, run.display.colour),
                        several ? shapeOf(run) : MarkerShape::Diamond};
}

}  // namespace palimpsest
