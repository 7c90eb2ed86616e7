// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/area_text.h"

#include <algorithm>
#include <limits>

#include "ui/accuracy_plot.h"
#include "ui/curve_store.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

/// As far as both are known.
bool learnedAnotherStream(const RunCurves& run, const RunCurves& other) {
    return !run.fingerprint.empty() && !other.fingerprint.empty() && run.fingerprint != other.fingerprint;
}

}  // namespace

std::optional<AreaText> areaText(const CurveStore& store) {
    const RunCurves* run = store.primary();
    const RunCurves* other = store.compared();
    if (!run || run->anytime.empty()) return std::nullopt;
    AreaText area;
    area.tip = AccuracyPlot::tr("A_AUC: mean of the anytime accuracies, the shaded area.");
    area.reach = std::numeric_limits<std::int64_t>::max();
    area.value = run->areaUpTo(area.reach);
    area.comparable = !other || !learnedAnotherStream(*other, *run);
    if (!area.comparable) {
        // Each in its own right: a stretch of one stream says nothing of the other.
        area.compared = other->areaUpTo(area.reach);
        area.note = AccuracyPlot::tr("other stream");
        area.tip += '\n' + AccuracyPlot::tr(
                               "%1 learned another stream, so the two numbers are no comparison of how they learned.")
                               .arg(store.label(other->id));
    } else if (other && other->reach() == run->reach()) {
        area.compared = other->areaUpTo(run->reach());
    } else if (other) {
        // Only the stretch that both runs have seen can be compared.
        const std::int64_t stretch = std::min(run->reach(), other->reach());
        const std::optional<double> part = run->areaUpTo(stretch);
        area.compared = other->areaUpTo(stretch);
        if (part && area.compared) {
            area.value = part;
            area.reach = stretch;
            area.note = run->goesOn() && stretch == run->reach() ? AccuracyPlot::tr("so far")
                                                                 : AccuracyPlot::tr("up to %1").arg(countText(stretch));
            area.tip +=
                '\n' +
                AccuracyPlot::tr("Both runs up to %1 images, as far as the shorter one goes.").arg(countText(stretch));
        } else {
            area.compared.reset();
        }
    }
    if (!run->areaIsFinal()) {
        if (area.note.isEmpty()) area.note = AccuracyPlot::tr("so far");
        area.tip += '\n' + AccuracyPlot::tr("So far: %1 of %2 images.")
                               .arg(countText(run->samples_seen), countText(run->total_samples));
    }
    return area;
}

}  // namespace palimpsest
