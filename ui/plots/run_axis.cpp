// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/run_axis.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/state/run_label.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

struct SessionBorderText {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::SessionBorderText)
};

QString sessionName(std::size_t session) {
    return SessionBorderText::tr("session %1").arg(session + 1);
}

double endOf(const ShownRun& run, std::size_t session) {
    return static_cast<double>(session + 1 < run.facts->session_starts.size() ? run.facts->session_starts[session + 1]
                                                                              : run.facts->total_samples);
}

struct ChangeRowText {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::ChangeRowText)
};

/// As its curve ends.
MarkerShape shapeOf(const ShownRun& run) {
    return run.display.selected ? MarkerShape::Circle : markerOf(run.display.style);
}

}  // namespace

double RunAxis::placeIn(const ShownRun& run, std::int64_t samples) const {
    return by_session ? sessionPlace(run, static_cast<double>(samples)) : static_cast<double>(samples);
}

double RunAxis::samplesIn(const ShownRun& run, double place) const {
    // A point is found again whatever its place was rounded to.
    return by_session ? samplesAtSession(run, place) + 0.5 : place;
}

const AnytimePoint* RunAxis::evaluationAt(const ShownRun& run, double place) const {
    if (run.points.anytime().empty()) return nullptr;
    return &*nearestIn(run.points.anytime(), by_session ? samplesAtSession(run, place) : place,
                       &AnytimePoint::samples_seen);
}

const AnytimePoint* pointAt(const ShownRun& run, double samples) {
    if (run.points.anytime().empty()) return nullptr;
    auto at = std::upper_bound(run.points.anytime().begin(), run.points.anytime().end(), samples,
                               [](double x, const AnytimePoint& p) { return x < static_cast<double>(p.samples_seen); });
    return &*(at == run.points.anytime().begin() ? at : at - 1);
}

std::vector<SessionBorder> sessionBorders(const ShownRun* run) {
    std::vector<SessionBorder> borders;
    if (!run) return borders;
    for (std::size_t i = 0; i < run->facts->session_starts.size(); ++i) {
        SessionBorder border;
        border.x = static_cast<double>(run->facts->session_starts[i]);
        border.end = endOf(*run, i);
        border.name = sessionName(i);
        border.short_name = QString::number(i + 1);
        border.current =
            run->inProgress() && run->points.samplesSeen() >= run->facts->session_starts[i] &&
            (static_cast<double>(run->points.samplesSeen()) < border.end || i + 1 == run->facts->session_starts.size());
        borders.push_back(std::move(border));
    }
    return borders;
}

std::vector<SessionBorder> evenSessionBorders(const ShownRun* run) {
    std::vector<SessionBorder> borders = sessionBorders(run);
    for (std::size_t i = 0; i < borders.size(); ++i) {
        borders[i].x = static_cast<double>(i);
        borders[i].end = static_cast<double>(i) + 1;
    }
    return borders;
}

double sessionPlace(const ShownRun& run, double samples) {
    const auto& starts = run.facts->session_starts;
    if (starts.empty()) return 0;
    const auto after = std::upper_bound(starts.begin(), starts.end(), samples,
                                        [](double x, std::int64_t start) { return x < static_cast<double>(start); });
    const auto session = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - starts.begin() - 1));
    const double begin = static_cast<double>(starts[session]), length = endOf(run, session) - begin;
    const double part = length > 0 ? std::clamp((samples - begin) / length, 0.0, 1.0) : 0;
    return static_cast<double>(session) + part;
}

std::int64_t sessionsEnded(const ShownRun& run, std::int64_t moment) {
    if (run.facts->session_starts.empty()) return 0;
    if (run.facts->total_samples > 0 && moment >= run.facts->total_samples) return run.facts->sessions();
    return static_cast<std::int64_t>(std::floor(sessionPlace(run, static_cast<double>(moment))));
}

double samplesAtSession(const ShownRun& run, double place) {
    if (run.facts->session_starts.empty()) return 0;
    const double last = static_cast<double>(run.facts->session_starts.size() - 1);
    const auto session = static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, last));
    const double begin = static_cast<double>(run.facts->session_starts[session]);
    return begin + (place - static_cast<double>(session)) * (endOf(run, session) - begin);
}

std::vector<const LiveChange*> ownChanges(const RunSet& store, const ShownRun& run) {
    const ShownRun* parent = store.find(run.facts->parent);
    const bool shared = parent && parent->display.visible;
    std::vector<const LiveChange*> changes;
    for (const LiveChange& change : run.changes)
        if (!shared || change.at >= run.facts->forked_at) changes.push_back(&change);
    return changes;
}

QColor ownColour(const ShownRun& run, const Theme& theme) {
    return runColour(theme, run.display.hue, run.display.colour);
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
            mark.colour = colourOf ? colourOf(*run) : ownColour(*run, theme);
            if (runs.size() < 2) continue;
            mark.run = store.label(run->id);
            mark.shape = shapeOf(*run);
            if (!run->display.selected) mark.dash = runPen(theme, false, run->display.style, mark.colour).dashPattern();
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
                        ownColour(run, theme), several ? shapeOf(run) : MarkerShape::Diamond};
}

}  // namespace palimpsest
