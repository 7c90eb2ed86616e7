// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/seed_bands.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "ui/plots/curve_graph.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/run_axis.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kWhisker = 6;                 // pixels that its ends are wide
constexpr std::int64_t kMostWhiskers = 10;     // sessions; more would cover the lines
constexpr std::int64_t kMostMeanMarkers = 40;  // on one line
constexpr double kPlaceRounding = 1e-9;        // of a place along sessions

QString percentUnit() {
    return QStringLiteral(" %");
}

/// The height of a run's curve at a place along the sessions, as a fraction; nothing: it has none there.
std::optional<double> accuracyAt(const ShownRun& run, const RunAxis& axis, double place) {
    if (place > axis.placeIn(run, run.reach()) + kPlaceRounding) return std::nullopt;
    const auto after = std::upper_bound(
        run.points.anytime().begin(), run.points.anytime().end(), place + kPlaceRounding,
        [&](double x, const AnytimePoint& point) { return x < axis.placeIn(run, point.samples_seen); });
    if (after == run.points.anytime().begin()) return std::nullopt;
    const auto placed = [&](auto at) { return PlacedValue{axis.placeIn(run, at->samples_seen), at->accuracy}; };
    return heightAt(place, placed(after - 1),
                    after == run.points.anytime().end() ? std::nullopt : std::optional(placed(after)));
}

// A run of a million evaluations is not copied for the some thousand that a band needs.
SeedPoints alongImages(const ShownRun& run, const RunAxis& axis) {
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

/// Removes the values of groups that are shown no more.
void forgetOthers(auto& values, const std::vector<SeedGroup>& groups) {
    std::erase_if(values, [&](const auto& known) {
        return std::ranges::find(groups, known.first, &SeedGroup::key) == groups.end();
    });
}

}  // namespace

QString retentionLayer(QCustomPlot& plot, bool selected, std::int64_t session) {
    for (const char* name : {"compared", "later sessions", "first session"})
        if (!plot.layer(name)) plot.addLayer(name, plot.layer(QStringLiteral("axes")), QCustomPlot::limBelow);
    return !selected      ? QStringLiteral("compared")
           : session == 0 ? QStringLiteral("first session")
                          : QStringLiteral("later sessions");
}

double styleRetentionMarkers(QCPGraph& line, bool selected, std::int64_t session, int look, const Theme& theme) {
    const double radius = (!selected ? 2.5 : session == 0 ? 5 : 4) * theme.weight;
    const double rim = !selected ? 0.5 : (session == 0 ? 2.5 : 1.75) * theme.weight;
    const QColor colour = line.pen().color();
    if (selected)
        styleMarkers(line, static_cast<int>(session), radius, QPen(colour, rim), theme.panel);
    else
        styleMarkers(line, look, radius, QPen(colour, rim), colour);
    return radius + rim / 2;
}

bool SeedBands::Band::sameAs(const Band& other) const {
    return group == other.group && runs == other.runs && state == other.state && width == other.width &&
           smoothing == other.smoothing && selected == other.selected;
}

SeedBands::SeedBands(QCustomPlot& plot, const RunSet& store, Graphs graphs)
    : plot_(plot), store_(store), graphs_(graphs) {}

SeedBands::~SeedBands() = default;

void SeedBands::show(const std::vector<SeedGroup>& groups, BandWidth width, int smoothing, const Theme& theme) {
    std::vector<std::unique_ptr<Band>> before = std::move(bands_);
    bands_.clear();
    for (const SeedGroup& group : groups) {
        auto band = std::make_unique<Band>();
        band->group = group.key;
        band->state = stateOf(group);
        band->width = width;
        band->smoothing = smoothing;
        band->look = group.runs.front()->display.style;
        band->hue = group.runs.front()->display.hue;
        for (const ShownRun* run : group.runs) {
            band->runs.append(run->id);
            band->selected = band->selected || run->display.selected;
        }
        const auto old =
            std::find_if(before.begin(), before.end(), [&](const auto& one) { return one && one->group == group.key; });
        const bool known = old != before.end();
        band->since = known ? (*old)->since : ++shown_;
        if (known && (*old)->sameAs(*band)) {
            band = std::move(*old);
        } else {
            if (known && graphs_ == Graphs::Stay && (*old)->smoothing == smoothing)
                std::swap(band->lines, (*old)->lines);
            for (const auto& line : band->lines) empty(*line, smoothing);
            average(*band, group.runs);
            for (const auto& line : band->lines) styleLine(*band, *line, theme);
        }
        band->label = group.label;
        for (const auto& line : band->lines) grow(*band, *line);
        bands_.push_back(std::move(band));
    }
    for (const auto& old : before)
        if (old) remove(*old);
    if (graphs_ == Graphs::Stay) std::ranges::sort(bands_, {}, [](const auto& band) { return band->since; });
}

void SeedBands::addLine(Band& band, std::int64_t session, bool edges, bool whiskers) {
    Line& line = *band.lines.emplace_back(std::make_unique<Line>());
    line.session = session;
    if (edges) {
        line.low = new QCPGraph(plot_.xAxis, plot_.yAxis);
        line.high = new QCPGraph(plot_.xAxis, plot_.yAxis);
        line.high->setChannelFillGraph(line.low);
    }
    line.mean = new CurveGraph(plot_.xAxis, plot_.yAxis);
    if (band.smoothing > 0) {
        line.smooth = new CurveGraph(plot_.xAxis, plot_.yAxis);
        line.running.emplace(band.smoothing);
    }
    if (!whiskers) return;
    line.whiskers = new QCPErrorBars(plot_.xAxis, plot_.yAxis);
    line.whiskers->setDataPlottable(line.mean);
    line.whiskers->setErrorType(QCPErrorBars::etValueError);
    line.whiskers->setWhiskerWidth(kWhisker);
}

void SeedBands::grow(const Band& band, Line& line) {
    for (const std::size_t size = sizeOf(band, line); line.points < size; ++line.points) {
        const Point point = pointOf(band, line, line.points);
        line.mean->addData(point.x, point.mean);
        line.highest = std::max(line.highest, point.mean + point.half_width);
        if (line.smooth) line.smooth->addData(point.x, line.running->add(point.mean));
        if (line.whiskers) line.whiskers->addData(point.half_width);
        if (!line.high || line.points % line.step != 0) continue;
        line.low->addData(point.x, point.mean - point.half_width);
        line.high->addData(point.x, point.mean + point.half_width);
        if (static_cast<std::size_t>(line.low->dataCount()) > 2 * kMostBandPlaces) thinOut(line);
    }
}

/// Removes every other place, so that a band of any length is drawn at once.
void SeedBands::thinOut(Line& line) {
    line.step *= 2;
    for (QCPGraph* edge : {line.low, line.high}) {
        QVector<QCPGraphData> kept;
        for (int i = 0; i < edge->dataCount(); i += 2) kept.append(*edge->data()->at(i));
        edge->data()->set(kept, true);
    }
}

void SeedBands::empty(Line& line, int smoothing) {
    line.points = 0;
    line.highest = -1;
    line.step = 1;
    for (CurveGraph* graph : {line.mean, line.smooth})
        if (graph) graph->replace({});
    for (QCPGraph* edge : {line.low, line.high})
        if (edge) edge->data()->clear();
    if (line.running) line.running.emplace(smoothing);
}

void SeedBands::remove(Band& band) {
    for (const auto& line : band.lines) {
        if (line->whiskers) plot_.removePlottable(line->whiskers);
        for (QCPGraph* graph : std::initializer_list<QCPGraph*>{line->smooth, line->mean, line->high, line->low})
            if (graph) plot_.removeGraph(graph);
    }
}

void SeedBands::clear() {
    for (const auto& band : bands_) remove(*band);
    bands_.clear();
}

const SeedBands::Band* SeedBands::bandOf(const ShownRun& run) const {
    const auto found =
        std::find_if(bands_.begin(), bands_.end(), [&](const auto& band) { return band->group == run.seed_group; });
    return found == bands_.end() ? nullptr : found->get();
}

bool SeedBands::isBelowSelected(const ShownRun& run) const {
    return has(run) && store_.isSeedOfSelected(run);
}

bool SeedBands::averages(const ShownRun& run) const {
    const Band* band = bandOf(run);
    return band && band->runs.contains(run.id) &&
           std::ranges::none_of(band->lines, [](const auto& line) { return line->points == 0; });
}

void SeedBands::style(const Theme& theme) {
    for (const auto& band : bands_)
        for (const auto& line : band->lines) styleLine(*band, *line, theme);
}

SeedBands::Style SeedBands::styleOf(const Band& band, const Line&, const Theme& theme) const {
    const QColor colour = runColour(theme, band.hue);
    return {runPen(theme, band.selected, band.look, colour), colour, {}, {}};
}

void SeedBands::styleLine(const Band& band, Line& line, const Theme& theme) const {
    const Style style = styleOf(band, line, theme);
    line.mean->setPen(style.pen);
    if (line.smooth) {
        QPen thin = thinBelow(style.pen, theme);
        thin.setColor(style.colour);  // the seeds around it are faint
        line.mean->setPen(thin);
        line.smooth->setPen(style.pen);
    }
    if (line.whiskers) line.whiskers->setPen(QPen(style.pen.color(), theme.weight));
    if (!style.line_layer.isEmpty())
        for (QCPLayerable* graph : std::initializer_list<QCPLayerable*>{line.mean, line.smooth, line.whiskers})
            if (graph) graph->setLayer(style.line_layer);
    if (!line.high) return;
    QColor ground = style.colour;
    ground.setAlphaF(band.selected ? 0.30F : 0.18F);
    for (QCPGraph* edge : {line.low, line.high}) {
        edge->setPen(Qt::NoPen);
        if (!style.edge_layer.isEmpty()) edge->setLayer(style.edge_layer);
    }
    line.high->setBrush(ground);
}

double SeedBands::highest() const {
    double highest = -1;
    for (const auto& band : bands_)
        for (const auto& line : band->lines) highest = std::max(highest, line->highest);
    return highest;
}

std::vector<CurveEnd> SeedBands::ends(const Theme& theme) const {
    std::vector<CurveEnd> ends;
    for (const auto& band : bands_)
        for (const auto& line : band->lines)
            if (line->points > 0) ends.push_back(endOf(*band, *line, theme));
    return ends;
}

CurveEnd SeedBands::endOf(const Band& band, const Line& line, const Theme& theme) const {
    const Point last = pointOf(band, line, line.points - 1);
    CurveEnd end;
    end.id = QString::fromStdString(band.group);
    end.x = last.x;
    end.y = last.mean;
    end.text = (line.smooth ? tr("%1, N = %2 · mean %3") : tr("%1, N = %2 · %3"))
                   .arg(band.label, QString::number(band.runs.size()), lastText(band, line));
    // The one name stands where the strong line ends.
    if (line.smooth) {
        end.y = (line.smooth->data()->constEnd() - 1)->value;
        end.text = tr("%1, smoothed %2").arg(end.text, numberText(end.y));
    }
    end.colour = styleOf(band, line, theme).colour;
    end.strong = band.selected;
    end.dot = true;
    end.shape = band.selected ? MarkerShape::Circle : markerOf(band.look);
    return end;
}

QString SeedBands::numberText(double value) const {
    return percentText(value / 100) + percentUnit();
}

void SeedBands::addRows(Readout& out, double place, const Theme& theme) const {
    for (const auto& band : bands_)
        for (const auto& line : band->lines) {
            const auto reading = readingAt(*band, *line, place);
            if (!reading) continue;
            const QString runs = QString::number(reading->values.count);
            out.rows.push_back({QPointF(plot_.xAxis->coordToPixel(reading->x), plot_.yAxis->coordToPixel(reading->y)),
                                tr("%1, mean of N = %2").arg(rowName(*band, *line), runs),
                                spreadText(reading->values, band->width), styleOf(*band, *line, theme).colour,
                                rowShape(*band, *line)});
        }
}

void AccuracyBands::update(const std::vector<SeedGroup>& groups, BandWidth width, int smoothing, const Theme& theme) {
    forgetOthers(values_, groups);
    show(groups, width, smoothing, theme);
}

std::vector<std::uint64_t> AccuracyBands::stateOf(const SeedGroup& group) const {
    std::uint64_t points = 0, reach = 0;
    std::vector<std::uint64_t> state;
    for (const ShownRun* run : group.runs) {
        points += run->points.anytime().size();
        reach += static_cast<std::uint64_t>(run->reach());
        state.push_back(static_cast<std::uint64_t>(run->generation));
    }
    state.insert(state.end(), {points, reach});
    return state;
}

void AccuracyBands::average(Band& band, const std::vector<const ShownRun*>& runs) {
    if (axis_.by_session) {
        std::vector<SessionPoints> curves;
        for (const ShownRun* run : runs) curves.push_back(alongSessions(*run, axis_));
        values_[band.group] = sessionBand(curves, band.width);
    } else {
        std::vector<SeedPoints> curves;
        for (const ShownRun* run : runs) curves.push_back(alongImages(*run, axis_));
        values_[band.group] = seedBand(curves, band.width);
    }
    if (band.lines.empty()) addLine(band, 0, true, false);
}

SeedBands::Point AccuracyBands::pointOf(const Band& band, const Line&, std::size_t index) const {
    const SeedBand& values = values_.at(band.group);
    return {values.x[index], values.mean[index], values.half_width[index]};
}

std::optional<std::size_t> AccuracyBands::evaluationOf(const ShownRun& run, double place) const {
    return !axis_.by_session && averages(run) ? evaluationAt(*bandOf(run), place) : std::nullopt;
}

std::optional<double> AccuracyBands::accuracyOf(const ShownRun& run, double place) const {
    return axis_.by_session && averages(run) ? accuracyAt(run, axis_, place) : std::nullopt;
}

std::optional<std::size_t> AccuracyBands::evaluationAt(const Band& band, double place) const {
    const SeedBand& values = values_.at(band.group);
    if (values.x.empty()) return std::nullopt;
    // The readout steps along the evaluations of the selected run.
    const ShownRun* selected = store().selected();
    if (selected && band.runs.contains(selected->id)) {
        const double samples = axis_.samplesIn(*selected, place);
        const AnytimePoint* point = axis_.evaluationAt(*selected, place);
        if (!point || static_cast<double>(selected->points.samplesSeen()) < std::floor(samples)) return std::nullopt;
        const auto evaluation = static_cast<std::size_t>(point - selected->points.anytime().data());
        return evaluation <= values.evaluations.back() ? std::optional(evaluation) : std::nullopt;
    }
    if (place > values.x.back() + kPlaceRounding) return std::nullopt;
    return values.evaluations[static_cast<std::size_t>(nearestIn(values.x, place) - values.x.begin())];
}

std::optional<SeedBands::Reading> AccuracyBands::readingAt(const Band& band, const Line&, double place) const {
    std::optional<std::size_t> evaluation;
    if (!axis_.by_session) {
        evaluation = evaluationAt(band, place);
        if (!evaluation) return std::nullopt;
    }
    std::vector<double> accuracies;
    double places = 0;
    for (const QString& id : band.runs) {
        const ShownRun* run = store().find(id);
        if (!run) continue;
        if (evaluation) {
            if (*evaluation >= run->points.anytime().size()) continue;
            accuracies.push_back(run->points.anytime()[*evaluation].accuracy);
            places += axis_.placeIn(*run, run->points.anytime()[*evaluation].samples_seen);
        } else if (const auto accuracy = accuracyAt(*run, axis_, place)) {
            accuracies.push_back(*accuracy);
            places += place;
        } else {
            return std::nullopt;
        }
    }
    if (accuracies.empty()) return std::nullopt;
    const Spread values = spread(accuracies);
    return Reading{places / static_cast<double>(accuracies.size()), values.mean * 100, values};
}

QString AccuracyBands::spreadText(const Spread& values, BandWidth width) const {
    return tr("%1 ± %2 %").arg(percentText(values.mean), percentText(halfWidth(values, width)));
}

QString AccuracyBands::lastText(const Band& band, const Line& line) const {
    const Point last = pointOf(band, line, line.points - 1);
    return tr("%1 ± %2 %").arg(percentText(last.mean / 100), percentText(last.half_width / 100));
}

void LossBands::update(std::vector<LossGroup> groups, BandWidth width, int smoothing, const Theme& theme) {
    std::vector<SeedGroup> known;
    std::map<std::string, SeedLosses> losses;
    for (LossGroup& group : groups) {
        losses[group.group.key] = std::move(group.losses);
        known.push_back(std::move(group.group));
    }
    losses_ = std::move(losses);
    show(known, width, smoothing, theme);
}

std::vector<std::uint64_t> LossBands::stateOf(const SeedGroup& group) const {
    std::vector<std::uint64_t> state;
    for (const HistoryStore::History& history : losses_.at(group.key).histories)
        state.push_back(reinterpret_cast<std::uintptr_t>(history.get()));
    return state;
}

void LossBands::average(Band& band, const std::vector<const ShownRun*>&) {
    addLine(band, 0, true, false);
}

SeedBands::Point LossBands::pointOf(const Band& band, const Line&, std::size_t index) const {
    const SeedLosses& losses = losses_.at(band.group);
    const Spread value = losses.at(index);
    return {losses.place(index), value.mean, halfWidth(value, band.width)};
}

std::optional<SeedBands::Reading> LossBands::readingAt(const Band& band, const Line& line, double place) const {
    if (line.points == 0) return std::nullopt;
    // The readout steps along the updates of the selected run; of several on one batch it shows the last.
    const SeedLosses& losses = losses_.at(band.group);
    const ShownRun* selected = store().selected();
    const qsizetype own = selected ? band.runs.indexOf(selected->id) : -1;
    const PointSeries& along = losses.histories[static_cast<std::size_t>(std::max<qsizetype>(0, own))]->loss;
    const std::size_t update = along.upper(*nearestIn(std::span(along.xs()), place)) - 1;
    if (update >= line.points) return std::nullopt;  // the mean does not get there
    const Spread value = losses.at(update);
    return Reading{losses.place(update), value.mean, value};
}

/// Above the noise of the seeds.
SeedBands::Style LossBands::styleOf(const Band& band, const Line&, const Theme& theme) const {
    const QColor colour = runColour(theme, band.hue);
    return {runPen(theme, band.selected, band.look, colour),
            colour,
            band.selected ? QStringLiteral("axes") : QStringLiteral("main"),
            {}};
}

double LossBands::highest(double from, double to) const {
    double most = 0;
    for (const auto& band : bands())
        for (const auto& line : band->lines) {
            bool found = false;
            const QCPRange range = line->high->getValueRange(found, QCP::sdBoth, {from, to});
            if (found) most = std::max(most, range.upper);
        }
    return most;
}

QString LossBands::numberText(double value) const {
    return lossText(value);
}

QString LossBands::spreadText(const Spread& values, BandWidth width) const {
    return tr("%1 ± %2").arg(lossText(values.mean), lossText(halfWidth(values, width)));
}

void RetentionBands::update(const std::vector<SeedGroup>& groups, BandWidth width, std::int64_t stride,
                            const Theme& theme) {
    stride_ = stride;
    forgetOthers(sessions_, groups);
    show(groups, width, 0, theme);
}

std::vector<std::uint64_t> RetentionBands::stateOf(const SeedGroup& group) const {
    std::vector<std::uint64_t> state{static_cast<std::uint64_t>(stride_)};
    for (const ShownRun* run : group.runs) {
        std::uint64_t points = 0;
        for (const auto& [session, known] : run->points.retention()) points += known.size();
        state.insert(state.end(), {static_cast<std::uint64_t>(run->generation), points});
    }
    return state;
}

void RetentionBands::average(Band& band, const std::vector<const ShownRun*>& runs) {
    std::int64_t sessions = 1;
    for (const ShownRun* run : runs)
        if (band.selected) sessions = std::max(sessions, run->facts->sessions());
    Sessions& values = sessions_[band.group] = {};
    values.means.resize(static_cast<std::size_t>(sessions));
    values.seeds.resize(static_cast<std::size_t>(sessions));
    for (std::int64_t session = 0; session < sessions; session += stride_) {
        const RetentionMean mean = retentionMean(runs, session);
        values.means[static_cast<std::size_t>(session)].assign(mean.begin(), mean.end());
        values.seeds[static_cast<std::size_t>(session)] = seedsOf(mean);
        if (mean.empty()) continue;
        // One band is readable, several on top of each other are not.
        addLine(band, session, session == 0, session > 0 && sessions <= kMostWhiskers);
        band.lines.back()->mean->setScatterSkip(static_cast<int>(std::ssize(mean) / kMostMeanMarkers));
    }
}

std::size_t RetentionBands::sizeOf(const Band& band, const Line& line) const {
    return sessions_.at(band.group).means[static_cast<std::size_t>(line.session)].size();
}

SeedBands::Point RetentionBands::pointOf(const Band& band, const Line& line, std::size_t index) const {
    const auto& [after, value] = sessions_.at(band.group).means[static_cast<std::size_t>(line.session)][index];
    return {static_cast<double>(after + 1), 100 * value.mean, 100 * halfWidth(value, band.width)};
}

const std::pair<std::int64_t, Spread>& RetentionBands::lastOf(const Band& band, const Line& line) const {
    return sessions_.at(band.group).means[static_cast<std::size_t>(line.session)].back();
}

std::optional<SeedBands::Reading> RetentionBands::readingAt(const Band& band, const Line& line, double place) const {
    const auto& means = sessions_.at(band.group).means[static_cast<std::size_t>(line.session)];
    const auto at =
        std::ranges::find(means, static_cast<std::int64_t>(place) - 1, [](const auto& mean) { return mean.first; });
    return at == means.end() ? std::nullopt : std::optional(Reading{place, 100 * at->second.mean, at->second});
}

SeedBands::Style RetentionBands::styleOf(const Band& band, const Line& line, const Theme& theme) const {
    const QPen pen =
        band.selected ? sessionPen(theme, line.session) : runPen(theme, false, band.look, runColour(theme, band.hue));
    // Bands lie below all lines.
    return {pen, pen.color(), retentionLayer(plot(), band.selected, line.session), retentionLayer(plot(), false, 0)};
}

void RetentionBands::styleLine(const Band& band, Line& line, const Theme& theme) const {
    SeedBands::styleLine(band, line, theme);
    line.reach = styleRetentionMarkers(*line.mean, band.selected, line.session, band.look, theme);
}

/// A single run has no deviation.
QString RetentionBands::spreadText(const Spread& values, BandWidth width) const {
    if (values.count < 2) return percentText(values.mean) + percentUnit();
    return tr("%1 ± %2 %").arg(percentText(values.mean), percentText(halfWidth(values, width)));
}

QString RetentionBands::nameOf(const Band& band, const Line& line) const {
    const QString name = band.selected ? tr("session %1").arg(line.session + 1)
                                       : tr("session %1, %2").arg(line.session + 1).arg(band.label);
    // The caption gives the number of the other sessions.
    const std::vector<report::SessionSeeds>& seeds = sessions_.at(band.group).seeds;
    const report::SessionSeeds& own = seeds[static_cast<std::size_t>(line.session)];
    if (band.selected && line.session > 0 && own == report::usualSeeds(seeds)) return name;
    return tr("%1, N = %2").arg(name, QString::fromStdString(report::seedsText(own)));
}

CurveEnd RetentionBands::endOf(const Band& band, const Line& line, const Theme& theme) const {
    const Point last = pointOf(band, line, line.points - 1);
    CurveEnd end;
    end.id = QString::fromStdString(band.group) + '#' + QString::number(line.session);
    end.x = last.x;
    end.y = last.mean;
    end.text = nameOf(band, line) + QStringLiteral(" · ") + lastText(band, line);
    end.colour = styleOf(band, line, theme).colour;
    end.strong = band.selected && line.session == 0;
    end.reach = line.reach;
    return end;
}

QString RetentionBands::rowName(const Band& band, const Line& line) const {
    const QString session = tr("session %1").arg(line.session + 1);
    return band.selected ? session : session + QStringLiteral(", ") + band.label;
}

MarkerShape RetentionBands::rowShape(const Band& band, const Line& line) const {
    return markerOf(band.selected ? static_cast<int>(line.session) : band.look);
}

std::vector<QString> RetentionBands::widestNames() const {
    std::vector<QString> names;
    for (const auto& band : bands())
        for (const auto& line : band->lines)
            names.push_back(nameOf(*band, *line) + QStringLiteral(" · 100.0 ± 10.0 %"));
    return names;
}

void RetentionBands::addPlaces(std::set<double>& places) const {
    for (const auto& band : bands())
        for (const auto& line : band->lines)
            for (std::size_t i = 0; i < line->points; ++i) places.insert(pointOf(*band, *line, i).x);
}

QStringList RetentionBands::describe() const {
    QStringList parts;
    for (const auto& band : bands())
        for (const auto& line : band->lines) parts.push_back(nameOf(*band, *line) + ' ' + lastText(*band, *line));
    return parts;
}

QString RetentionBands::averaging() const {
    for (const auto& band : bands()) {
        if (!band->selected) continue;
        const std::string seeds = report::seedsText(sessions_.at(band->group).seeds);
        if (!seeds.empty()) return tr("mean of %1").arg(QString::fromStdString(seeds));
    }
    return {};
}

}  // namespace palimpsest
