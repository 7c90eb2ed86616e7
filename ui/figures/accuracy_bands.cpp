// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/accuracy_bands.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "ui/figures/accuracy_plot.h"
#include "ui/plots/curve_graph.h"
#include "ui/plots/run_axis.h"
#include "ui/plots/session_band.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"
#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

using Runs = std::vector<const ShownRun*>;

/// The height of a run's curve at a place along the sessions, as a fraction; nothing: it has none there.
std::optional<double> accuracyAt(const ShownRun& run, const RunAxis& axis, double place) {
    constexpr double kRounding = 1e-9;
    if (place > axis.placeIn(run, run.reach()) + kRounding) return std::nullopt;
    const auto after = std::upper_bound(
        run.points.anytime().begin(), run.points.anytime().end(), place + kRounding,
        [&](double x, const AnytimePoint& point) { return x < axis.placeIn(run, point.samples_seen); });
    if (after == run.points.anytime().begin()) return std::nullopt;
    const auto placed = [&](auto at) { return PlacedValue{axis.placeIn(run, at->samples_seen), at->accuracy}; };
    return heightAt(place, placed(after - 1),
                    after == run.points.anytime().end() ? std::nullopt : std::optional(placed(after)));
}

// A run of a million evaluations is not copied for the some thousand that a band needs.
SeedPoints pointsOf(const ShownRun& run, const RunAxis& axis) {
    return {run.points.anytime().size(),
            [&](std::size_t i) { return axis.placeIn(run, run.points.anytime()[i].samples_seen); },
            [&](std::size_t i) { return run.points.anytime()[i].accuracy * 100; }};
}

SessionPoints alongSessions(const ShownRun& run, const RunAxis& axis) {
    return {run.points.anytime().size(),
            [&](std::size_t i) { return axis.placeIn(run, run.points.anytime()[i].samples_seen); },
            axis.placeIn(run, run.reach()),
            [&](double place) {
                const auto height = accuracyAt(run, axis, place);
                return height ? std::optional(*height * 100) : std::nullopt;
            }};
}

}  // namespace

struct AccuracyBands::Band {
    std::string group;
    QString label;
    QStringList runs;        ///< ids of those that count in the mean
    std::size_t points = 0;  ///< of theirs, that it was computed from
    std::int64_t reach = 0;  ///< likewise: images that their evaluations reach
    std::vector<int> generations;
    BandWidth width = BandWidth::Deviation;
    bool selected = false;
    int look = 0;
    SeedBand values;
    QCPGraph *low = nullptr, *high = nullptr;
    CurveGraph* mean = nullptr;
    CurveGraph* smooth = nullptr;  ///< drawn over it
    int smoothing = 0;
};

AccuracyBands::AccuracyBands(QCustomPlot& plot, const RunSet& store, const RunAxis& axis)
    : plot_(plot), store_(store), axis_(axis) {}

AccuracyBands::~AccuracyBands() = default;

void AccuracyBands::remove(Band& band) {
    if (band.smooth) plot_.removeGraph(band.smooth);
    plot_.removeGraph(band.mean);
    plot_.removeGraph(band.high);
    plot_.removeGraph(band.low);
}

void AccuracyBands::clear() {
    for (const auto& band : bands_) remove(*band);
    bands_.clear();
}

const AccuracyBands::Band* AccuracyBands::of(const ShownRun& run) const {
    const auto found =
        std::find_if(bands_.begin(), bands_.end(), [&](const auto& band) { return band->group == run.seed_group; });
    return found == bands_.end() ? nullptr : found->get();
}

AccuracyBands::Band& AccuracyBands::bandFor(const std::string& group, int smoothing) {
    const auto found =
        std::find_if(bands_.begin(), bands_.end(), [&](const auto& band) { return band->group == group; });
    if (found != bands_.end()) return **found;
    Band& band = *bands_.emplace_back(std::make_unique<Band>());
    band.group = group;
    band.low = new QCPGraph(plot_.xAxis, plot_.yAxis);
    band.high = new QCPGraph(plot_.xAxis, plot_.yAxis);
    band.mean = new CurveGraph(plot_.xAxis, plot_.yAxis);
    band.smoothing = smoothing;
    if (smoothing > 0) band.smooth = new CurveGraph(plot_.xAxis, plot_.yAxis);
    return band;
}

bool AccuracyBands::averages(const ShownRun& run) const {
    const Band* band = of(run);
    return band && !band->values.x.empty() && band->runs.contains(run.id);
}

void AccuracyBands::update(const std::vector<SeedGroup>& groups, BandWidth width, int smoothing, const Theme& theme) {
    std::erase_if(bands_, [&](const std::unique_ptr<Band>& band) {
        if (std::any_of(groups.begin(), groups.end(), [&](const SeedGroup& group) { return group.key == band->group; }))
            return false;
        remove(*band);
        return true;
    });
    for (const SeedGroup& group : groups) {
        Band& band = bandFor(group.key, smoothing);
        band.label = group.label;
        average(band, group.runs, width, theme);
    }
}

void AccuracyBands::average(Band& band, const Runs& runs, BandWidth width, const Theme& theme) {
    std::size_t points = 0;
    std::int64_t reach = 0;
    QStringList ids;
    std::vector<int> generations;
    for (const ShownRun* run : runs) {
        generations.push_back(run->generation);
        points += run->points.anytime().size();
        reach += run->reach();
        ids.push_back(run->id);
    }
    const bool selected = std::any_of(runs.begin(), runs.end(), [](const ShownRun* run) { return run->look.selected; });
    if (band.points == points && band.reach == reach && band.runs == ids && band.width == width &&
        band.selected == selected && band.generations == generations)
        return;
    band.generations = std::move(generations);
    band.points = points;
    band.reach = reach;
    band.runs = ids;
    band.width = width;
    band.selected = selected;
    band.look = runs.front()->look.style;
    if (axis_.by_session) {
        std::vector<SessionPoints> curves;
        for (const ShownRun* run : runs) curves.push_back(alongSessions(*run, axis_));
        band.values = sessionBand(curves, width);
    } else {
        std::vector<SeedPoints> curves;
        for (const ShownRun* run : runs) curves.push_back(pointsOf(*run, axis_));
        band.values = seedBand(curves, width);
    }
    draw(band, theme);
}

void AccuracyBands::style(const Theme& theme) {
    for (const auto& band : bands_) draw(*band, theme);
}

void AccuracyBands::draw(Band& band, const Theme& theme) {
    const SeedBand& values = band.values;
    QVector<QCPGraphData> mean, low, high;
    for (std::size_t i = 0; i < values.x.size(); ++i) {
        mean.append({values.x[i], values.mean[i]});
        low.append({values.x[i], values.mean[i] - values.half_width[i]});
        high.append({values.x[i], values.mean[i] + values.half_width[i]});
    }
    band.mean->replace(mean);
    band.low->data()->set(low, true);
    band.high->data()->set(high, true);
    const QPen pen = runPen(theme, band.selected, band.look);
    band.mean->setPen(pen);
    if (band.smooth) {
        QPen thin = thinBelow(pen, theme);
        thin.setColor(pen.color());  // the seeds around it are faint
        band.mean->setPen(thin);
        RunningMean running(band.smoothing);
        QVector<QCPGraphData> smooth = mean;
        for (QCPGraphData& point : smooth) point.value = running.take(point.value);
        band.smooth->replace(smooth);
        band.smooth->setPen(pen);
    }
    QColor ground = runColour(theme, band.selected);
    ground.setAlphaF(band.selected ? 0.30F : 0.18F);
    band.low->setPen(Qt::NoPen);
    band.high->setPen(Qt::NoPen);
    band.high->setBrush(ground);
    band.high->setChannelFillGraph(band.low);
}

std::vector<CurveEnd> AccuracyBands::ends(const Theme& theme) const {
    std::vector<CurveEnd> ends;
    for (const auto& band : bands_) {
        if (band->values.x.empty()) continue;
        CurveEnd end;
        end.id = QString::fromStdString(band->group);
        end.x = band->values.x.back();
        end.y = band->values.mean.back();
        end.text = (band->smooth ? AccuracyPlot::tr("%1, N = %2 · mean %3 ± %4 %")
                                 : AccuracyPlot::tr("%1, N = %2 · %3 ± %4 %"))
                       .arg(band->label)
                       .arg(band->runs.size())
                       .arg(percentText(end.y / 100), percentText(band->values.half_width.back() / 100));
        // The one name stands where the strong line ends.
        if (band->smooth) {
            end.y = (band->smooth->data()->constEnd() - 1)->value;
            end.text = AccuracyPlot::tr("%1, smoothed %2 %").arg(end.text, percentText(end.y / 100));
        }
        end.colour = runColour(theme, band->selected);
        end.strong = band->selected;
        end.dot = true;
        end.shape = band->selected ? MarkerShape::Circle : markerOf(band->look);
        ends.push_back(std::move(end));
    }
    return ends;
}

std::optional<std::size_t> AccuracyBands::evaluationOf(const ShownRun& run, double place) const {
    return !axis_.by_session && averages(run) ? evaluationAt(*of(run), place) : std::nullopt;
}

std::optional<double> AccuracyBands::accuracyOf(const ShownRun& run, double place) const {
    return axis_.by_session && averages(run) ? accuracyAt(run, axis_, place) : std::nullopt;
}

std::optional<std::size_t> AccuracyBands::evaluationAt(const Band& band, double place) const {
    const SeedBand& values = band.values;
    if (values.x.empty()) return std::nullopt;
    // Evaluations of the selected run are what a person goes along.
    const ShownRun* selected = store_.selected();
    if (selected && band.runs.contains(selected->id)) {
        const double samples = axis_.samplesIn(*selected, place);
        const AnytimePoint* point = axis_.evaluationAt(*selected, place);
        if (!point || static_cast<double>(selected->points.samplesSeen()) < std::floor(samples)) return std::nullopt;
        const auto evaluation = static_cast<std::size_t>(point - selected->points.anytime().data());
        return evaluation <= values.evaluations.back() ? std::optional(evaluation) : std::nullopt;
    }
    if (place > values.x.back() + 1e-9) return std::nullopt;
    return values.evaluations[static_cast<std::size_t>(nearestIn(values.x, place) - values.x.begin())];
}

std::optional<AccuracyBands::Taken> AccuracyBands::takenAt(const Band& band, double place) const {
    std::size_t evaluation = 0;
    if (!axis_.by_session) {
        const auto found = evaluationAt(band, place);
        if (!found) return std::nullopt;
        evaluation = *found;
    }
    Taken taken;
    double places = 0;
    for (const QString& id : band.runs) {
        const ShownRun* run = store_.find(id);
        if (!run) continue;
        if (!axis_.by_session) {
            if (evaluation >= run->points.anytime().size()) continue;
            taken.accuracies.push_back(run->points.anytime()[evaluation].accuracy);
            places += axis_.placeIn(*run, run->points.anytime()[evaluation].samples_seen);
        } else if (const auto accuracy = accuracyAt(*run, axis_, place)) {
            taken.accuracies.push_back(*accuracy);
            places += place;
        } else {
            return std::nullopt;
        }
    }
    if (taken.accuracies.empty()) return std::nullopt;
    taken.place = places / static_cast<double>(taken.accuracies.size());
    return taken;
}

void AccuracyBands::addRows(Readout& out, double place, const Theme& theme) const {
    for (const auto& band : bands_)
        if (const auto taken = takenAt(*band, place)) addRow(out, *band, *taken, theme);
}

void AccuracyBands::addRow(Readout& out, const Band& band, const Taken& taken, const Theme& theme) const {
    const Spread values = spread(taken.accuracies);
    out.rows.push_back(
        {QPointF(plot_.xAxis->coordToPixel(taken.place), plot_.yAxis->coordToPixel(values.mean * 100)),
         AccuracyPlot::tr("%1, mean of N = %2").arg(band.label, QString::number(values.count)),
         AccuracyPlot::tr("%1 ± %2 %").arg(percentText(values.mean), percentText(halfWidth(values, band.width))),
         runColour(theme, band.selected), MarkerShape::Diamond});
}

}  // namespace palimpsest
