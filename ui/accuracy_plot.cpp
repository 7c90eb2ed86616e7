// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy_plot.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/run/seed_runs.h"
#include "ui/change_marks.h"
#include "ui/crowd_layer.h"
#include "ui/curve_graph.h"
#include "ui/curve_options.h"
#include "ui/curve_store.h"
#include "ui/key_names.h"
#include "ui/metric_chip.h"
#include "ui/number_cards.h"
#include "ui/panel.h"
#include "ui/plot_decor.h"
#include "ui/plot_style.h"
#include "ui/run_label.h"
#include "ui/running_mean.h"
#include "ui/seed_band.h"
#include "ui/session_borders.h"
#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr double kEmptyStream = 6000;  // length of the axis before there is a run
constexpr int kMarkersPerCurve = 8;
constexpr const char* kNow = "~";                       // after any moment in ISO 8601
constexpr const char* kBackground = "background runs";  // layer
constexpr std::size_t kCrowd = 12;                      // curves; above that each is a hair line without a name

/// Marker distance that a growing curve does not change.
int markerSkip(const RunCurves& run) {
    const std::int64_t every = std::max<std::int64_t>(1, run.experiment.evaluation.every_samples);
    return static_cast<int>(std::max<std::int64_t>(0, run.total_samples / every / kMarkersPerCurve - 1));
}

/// The last point at or before so many images; the first point when there is none.
const AnytimePoint* pointAt(const RunCurves& run, double samples) {
    if (run.anytime.empty()) return nullptr;
    auto at = std::upper_bound(run.anytime.begin(), run.anytime.end(), samples,
                               [](double x, const AnytimePoint& p) { return x < static_cast<double>(p.samples_seen); });
    return &*(at == run.anytime.begin() ? at : at - 1);
}

/// A mark so near to a point of the curve would only cover it.
bool onCurve(const RunCurves& run, const AnytimePoint& end) {
    const AnytimePoint* before = pointAt(run, static_cast<double>(end.samples_seen));
    return before && end.samples_seen >= before->samples_seen &&
           end.samples_seen - before->samples_seen <= run.total_samples / 200;
}

bool isFork(const RunCurves& run) {
    return !run.parent.isEmpty() && run.forked_at > 0;
}

bool parentShown(const CurveStore& store, const RunCurves& run) {
    const RunCurves* parent = isFork(run) ? store.find(run.parent) : nullptr;
    return parent && parent->visible;
}

/// Those of one group that count in its mean, as in reports.
std::vector<const RunCurves*> countingRuns(std::vector<const RunCurves*> runs) {
    // Of two that began at one moment the later comer is the newer; the store has them as they came.
    std::reverse(runs.begin(), runs.end());
    std::vector<SeedRun> known;
    for (const RunCurves* run : runs)
        known.push_back({run->experiment.seed, run->finished, run->goesOn(), std::ssize(run->session_ends),
                         run->anytime.back().samples_seen, run->started.empty() ? kNow : run->started});
    std::vector<const RunCurves*> counting;
    for (const std::size_t place : runsThatCount(known)) counting.push_back(runs[place]);
    return counting;
}

/// As far as both are known.
bool learnedAnotherStream(const RunCurves& run, const RunCurves& other) {
    return !run.fingerprint.empty() && !other.fingerprint.empty() && run.fingerprint != other.fingerprint;
}

/// That a person gave to each of them.
QString commonName(const std::vector<const RunCurves*>& runs) {
    const QString& name = runs.front()->given;
    const bool common = std::all_of(runs.begin(), runs.end(), [&](const RunCurves* run) { return run->given == name; });
    return common ? name : QString();
}

/// What the figure will look like, in a unit square.
QVector<QPolygonF> ghost() {
    return {{{0.0, 0.28},
             {0.05, 0.5},
             {0.12, 0.7},
             {0.14, 0.66},
             {0.3, 0.76},
             {0.41, 0.78},
             {0.42, 0.74},
             {0.62, 0.78},
             {0.63, 0.73},
             {0.8, 0.76},
             {0.81, 0.72},
             {1.0, 0.75}},
            {{0.0, 0.28},
             {0.05, 0.46},
             {0.12, 0.62},
             {0.14, 0.38},
             {0.3, 0.62},
             {0.41, 0.66},
             {0.42, 0.46},
             {0.61, 0.58},
             {0.63, 0.3},
             {0.8, 0.46},
             {0.81, 0.33},
             {1.0, 0.4}}};
}

}  // namespace

struct AccuracyPlot::Curve {
    QString id;
    int generation = 0;
    bool primary = false;
    int look = 0;
    int marker_skip = 0;
    QColor colour;
    bool banded = false;
    CurveGraph* line = nullptr;
    QCPGraph* session_ends = nullptr;
    CurveGraph* mean = nullptr;  ///< drawn over the line of the primary run
    std::optional<RunningMean> running;
    CurveGraph* past = nullptr;  ///< of a fork: shared with its parent
    QCPGraph* branch = nullptr;  ///< likewise: the ring where it begins to differ
    bool parent_shown = false;
    std::size_t line_points = 0;
    std::size_t session_points = 0;

    /// Once all of a fork's past is there.
    void branchOff(double place) {
        if (!past || branch->dataCount() > 0 || past->dataCount() == 0) return;
        // Between two evaluations the last one says how good it was then.
        const auto last = past->data()->constEnd() - 1;
        const double key = last->key, value = last->value;
        if (place > key) past->addData(place, value);
        line->addData(place, value);
        branch->addData(place, value);
    }
};

/// Runs that differ in nothing but the seed.
struct AccuracyPlot::Band {
    std::string group;
    QString label;
    QStringList runs;        ///< ids of those that count in the mean
    std::size_t points = 0;  ///< of theirs, that it was computed from
    BandWidth width = BandWidth::Deviation;
    bool primary = false;
    int look = 0;
    SeedBand values;
    QCPGraph *low = nullptr, *high = nullptr;
    CurveGraph* mean = nullptr;
};

AccuracyPlot::AccuracyPlot(CurveStore* store, QWidget* parent)
    : PlotView(store, CurveKind::Anytime,
               {QStringLiteral("anytime"), tr("Anytime accuracy"), tr("%, on all classes seen so far"),
                tr("How well the network tells apart all classes it has seen so far, while it learns.\n"
                   "Hollow points: the same at the end of a session; they do not count in A_AUC.\n"
                   "Wheel: zoom. Drag: move. Double click: show all.")},
               parent),
      chip_(new MetricChip(QStringLiteral("A_AUC"))) {
    chip_->setObjectName(QStringLiteral("areaChip"));
    addHeaderWidget(chip_);
    explainArea(chip_, store, [this] { return area_reach_; });
    canvas()->addLayer(kBackground, canvas()->layer(QStringLiteral("main")), QCustomPlot::limBelow);
    new CrowdLayer(canvas(), kBackground);  // the canvas's own
    useImageTicks(*canvas());
    setUnit(tr("images seen"));
    overlay().setInvitation(tr("Press |{startRun}| to start"), ghost());
    setWholeRange(0, kEmptyStream);
}

AccuracyPlot::~AccuracyPlot() = default;

void AccuracyPlot::sync() {
    updateBands();
    updateCurves();
    updateBorders();
    updateEnds();
    updateChip();
    double whole = 0;
    for (const RunCurves* run : store()->visibleRuns()) {
        const double samples = static_cast<double>(std::max(run->total_samples, run->samples_seen));
        whole = std::max(whole, by_session_ ? static_cast<double>(run->sessions()) : samples);
    }
    setWholeRange(0, whole > 0 ? whole : by_session_ ? 1 : kEmptyStream);
    overlay().setEmpty(curves_.empty());
}

void AccuracyPlot::obey(const CurveOptions& options) {
    const CurveOptions::Values& values = options.values();
    if (values.by_session == by_session_ && values.smoothing == smoothing_) return;
    by_session_ = values.by_session;
    smoothing_ = values.smoothing;
    for (const auto& curve : curves_) removeCurve(*curve);
    curves_.clear();
    for (const auto& band : bands_) removeBand(*band);
    bands_.clear();
    setUnit(by_session_ ? tr("sessions") : tr("images seen"));
    showAll();
    if (by_session_) {
        auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
        ticker->setTickStep(1);
        ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
        canvas()->xAxis->setTicker(ticker);
    } else {
        useImageTicks(*canvas());
    }
}

double AccuracyPlot::placeIn(const RunCurves& run, std::int64_t samples) const {
    return by_session_ ? sessionPlace(run, static_cast<double>(samples)) : static_cast<double>(samples);
}

double AccuracyPlot::samplesIn(const RunCurves& run, double place) const {
    // A point is found again whatever its place was rounded to.
    return by_session_ ? samplesAtSession(run, place) + 0.5 : place;
}

void AccuracyPlot::removeCurve(Curve& curve) {
    canvas()->removeGraph(curve.line);
    canvas()->removeGraph(curve.session_ends);
    if (curve.mean) canvas()->removeGraph(curve.mean);
    if (curve.past) canvas()->removeGraph(curve.past);
    if (curve.branch) canvas()->removeGraph(curve.branch);
}

void AccuracyPlot::removeBand(Band& band) {
    canvas()->removeGraph(band.mean);
    canvas()->removeGraph(band.high);
    canvas()->removeGraph(band.low);
}

const AccuracyPlot::Band* AccuracyPlot::bandOf(const RunCurves& run) const {
    const auto found =
        std::find_if(bands_.begin(), bands_.end(), [&](const auto& band) { return band->group == run.seed_group; });
    return found == bands_.end() ? nullptr : found->get();
}

bool AccuracyPlot::averaged(const RunCurves& run) const {
    const Band* band = bandOf(run);
    return band && band->runs.contains(run.id);
}

void AccuracyPlot::updateBands() {
    const CurveOptions::Band wanted = options() ? options()->values().band : CurveOptions::Band::None;
    std::map<std::string, std::vector<const RunCurves*>> groups;
    if (wanted != CurveOptions::Band::None)
        for (const RunCurves* run : store()->visibleRuns())
            if (!run->anytime.empty()) groups[run->seed_group].push_back(run);
    for (auto& [group, runs] : groups) runs = countingRuns(std::move(runs));
    std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
    std::erase_if(bands_, [&](const std::unique_ptr<Band>& band) {
        if (groups.contains(band->group)) return false;
        removeBand(*band);
        return true;
    });
    std::vector<LabelledRun> experiments;
    for (const auto& [group, runs] : groups)
        experiments.emplace_back(&runs.front()->experiment, runs.front()->changesOfItsOwn(), commonName(runs));
    const QStringList labels = runLabels(store()->table(), experiments);
    const BandWidth width = wanted == CurveOptions::Band::Error ? BandWidth::Error : BandWidth::Deviation;
    qsizetype number = 0;
    for (const auto& [group, runs] : groups) {
        auto found = std::find_if(bands_.begin(), bands_.end(), [&](const auto& band) { return band->group == group; });
        if (found == bands_.end()) {
            found = bands_.insert(bands_.end(), std::make_unique<Band>());
            Band& band = **found;
            band.group = group;
            band.low = new QCPGraph(canvas()->xAxis, canvas()->yAxis);
            band.high = new QCPGraph(canvas()->xAxis, canvas()->yAxis);
            band.mean = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
        }
        Band& band = **found;
        std::size_t points = 0;
        QStringList ids;
        for (const RunCurves* run : runs) {
            points += run->anytime.size();
            ids.push_back(run->id);
        }
        const bool primary = std::any_of(runs.begin(), runs.end(), [](const RunCurves* run) { return run->primary; });
        band.label = labels.value(number++);
        // Of another program's settings nothing is known.
        if (runs.front()->imported) band.label = runs.front()->name;
        if (band.points == points && band.runs == ids && band.width == width && band.primary == primary) continue;
        band.points = points;
        band.runs = ids;
        band.width = width;
        band.primary = primary;
        band.look = runs.front()->look;
        std::vector<SeedCurve> curves;
        for (const RunCurves* run : runs) {
            SeedCurve& curve = curves.emplace_back();
            for (const AnytimePoint& point : run->anytime) {
                curve.x.push_back(placeIn(*run, point.samples_seen));
                curve.y.push_back(point.accuracy * 100);
            }
        }
        band.values = seedBand(curves, width);
        drawBand(band);
    }
}

void AccuracyPlot::drawBand(Band& band) {
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
    band.mean->setPen(runPen(theme(), band.primary, band.look));
    QColor ground = runColour(theme(), band.primary);
    ground.setAlphaF(band.primary ? 0.30F : 0.18F);
    band.low->setPen(Qt::NoPen);
    band.high->setPen(Qt::NoPen);
    band.high->setBrush(ground);
    band.high->setChannelFillGraph(band.low);
}

void AccuracyPlot::updateCurves() {
    const std::vector<const RunCurves*> runs = store()->visibleRuns();
    const bool crowded = runs.size() > kCrowd;
    std::erase_if(curves_, [&](const std::unique_ptr<Curve>& curve) {
        const RunCurves* run = store()->find(curve->id);
        const bool wanted = run && run->visible && run->generation == curve->generation;
        if (!wanted) removeCurve(*curve);
        return !wanted;
    });
    std::map<QString, Curve*> known;
    for (const auto& curve : curves_) known[curve->id] = curve.get();
    for (const RunCurves* run : runs) {
        Curve*& place = known[run->id];
        const bool fresh = !place;
        if (fresh) {
            curves_.push_back(std::make_unique<Curve>());
            place = curves_.back().get();
            place->id = run->id;
            place->generation = run->generation;
            place->look = run->look;
            place->line = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
            place->session_ends = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
            place->session_ends->setLineStyle(QCPGraph::lsNone);
            if (isFork(*run)) {
                place->past = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
                place->branch = new QCPGraph(canvas()->xAxis, canvas()->yAxis);
                place->branch->setLineStyle(QCPGraph::lsNone);
            }
            if (smoothing_ > 0) {
                place->mean = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
                place->running.emplace(smoothing_);
            }
        }
        Curve& curve = *place;
        if (fresh || curve.primary != run->primary || curve.colour != run->colour || curve.banded != banded(*run) ||
            crowded != crowded_ || curve.parent_shown != parentShown(*store(), *run)) {
            curve.parent_shown = parentShown(*store(), *run);
            curve.primary = run->primary;
            curve.colour = run->colour;
            curve.banded = banded(*run);
            curve.marker_skip = markerSkip(*run);
            curve.line->setCrowded(crowded && !run->primary);
            style(curve);
        }
        for (; curve.line_points < run->anytime.size(); ++curve.line_points) {
            const AnytimePoint& point = run->anytime[curve.line_points];
            addPoint(curve, *run, point);
        }
        // A replay tells of the past bit by bit.
        if (!run->replayed || run->samples_seen >= run->forked_at) curve.branchOff(placeIn(*run, run->forked_at));
        for (; curve.session_points < run->session_ends.size(); ++curve.session_points) {
            const AnytimePoint& point = run->session_ends[curve.session_points];
            if (onCurve(*run, point)) continue;
            curve.session_ends->addData(placeIn(*run, point.samples_seen), point.accuracy * 100);
        }
    }
    crowded_ = crowded;
}

void AccuracyPlot::addPoint(Curve& curve, const RunCurves& run, const AnytimePoint& point) const {
    const double x = placeIn(run, point.samples_seen), y = point.accuracy * 100;
    const double mean = curve.mean ? curve.running->take(y) : 0;
    if (curve.past && point.samples_seen <= run.forked_at) {
        curve.past->addData(x, y);
        return;
    }
    curve.branchOff(placeIn(run, run.forked_at));
    curve.line->addData(x, y);
    if (curve.mean) curve.mean->addData(x, mean);
}

void AccuracyPlot::style(Curve& curve) const {
    QPen pen = runPen(theme(), curve.primary, curve.look, curve.colour);
    if (curve.mean) {
        curve.mean->setPen(pen);
        curve.mean->setVisible(curve.primary);
    }
    // A line below its mean, and a seed below that of its group, is thin and faint.
    if (curve.banded || (curve.mean && curve.primary)) {
        QColor faint = pen.color();
        faint.setAlphaF(0.55F);
        pen = QPen(faint, theme().weight);
    }
    curve.line->setPen(pen);
    QColor area = runColour(theme(), true, curve.colour);
    area.setAlphaF(theme().dark ? 0.20F : 0.13F);
    curve.line->setBrush(curve.primary ? QBrush(area) : QBrush(Qt::NoBrush));
    if (curve.past) {
        QColor faint = pen.color();
        faint.setAlphaF(0.45F);
        // The area reaches back: it is A_AUC.
        curve.past->setPen(curve.parent_shown ? QPen(Qt::NoPen) : QPen(faint, theme().weight));
        curve.past->setBrush(curve.line->brush());
        styleMarkers(*curve.branch, 0, 4 * theme().weight, QPen(pen.color(), 1.5 * theme().weight), theme().panel);
    }
    if (curve.primary || curve.banded) {
        curve.line->setScatterStyle({});
    } else {
        styleMarkers(*curve.line, curve.look, 2.5 * theme().weight, QPen(pen.color(), 0.5), pen.color());
        curve.line->setScatterSkip(curve.marker_skip);
    }
    styleMarkers(*curve.session_ends, 0, 3.5 * theme().weight,
                 QPen(runColour(theme(), curve.primary), 1.5 * theme().weight), theme().panel);
    curve.session_ends->setVisible(curve.primary);
    const QString layer = curve.primary ? "main" : kBackground;
    curve.line->setLayer(layer);
    curve.session_ends->setLayer(QStringLiteral("axes"));
    if (!curve.past) return;
    curve.past->setLayer(layer);
    curve.branch->setLayer(QStringLiteral("axes"));
}

void AccuracyPlot::restyle(const Theme&) {
    for (const auto& curve : curves_) style(*curve);
    for (const auto& band : bands_) drawBand(*band);
    updateEnds();
}

void AccuracyPlot::updateBorders() {
    decor().setChanges(changeMarks(
        *store(), theme(), [this](const RunCurves& run, std::int64_t samples) { return placeIn(run, samples); }));
    decor().setBorders(by_session_ ? evenSessionBorders(store()->primary()) : sessionBorders(store()->primary()));
}

void AccuracyPlot::updateEnds() {
    std::vector<CurveEnd> ends;
    int room = 0;
    addBandEnds(ends);
    for (const CurveEnd& end : ends) room = std::max(room, PlotDecor::roomFor(end.text, font(), end.strong));
    for (const RunCurves* run : store()->visibleRuns()) {
        if (averaged(*run) || (crowded_ && !run->primary)) continue;
        // As wide as it will ever be, so that the axes keep their width while a run goes on.
        room = std::max(
            room, PlotDecor::roomFor(store()->label(run->id) + QStringLiteral(" · 100.0 %"), font(), run->primary));
        if (run->anytime.empty()) continue;
        const AnytimePoint& last = run->anytime.back();
        CurveEnd end;
        end.id = run->id;
        end.x = placeIn(*run, last.samples_seen);
        end.y = last.accuracy * 100;
        end.text = store()->label(run->id) + QStringLiteral(" · ") + percentText(last.accuracy) + QStringLiteral(" %");
        end.colour = runColour(theme(), run->primary, run->colour);
        end.strong = run->primary;
        end.dot = true;
        end.shape = run->primary ? MarkerShape::Circle : markerOf(run->look);
        ends.push_back(std::move(end));
    }
    setNameRoom(room);
    decor().setEnds(std::move(ends));
    const bool hollow = std::any_of(curves_.begin(), curves_.end(), [](const std::unique_ptr<Curve>& curve) {
        return curve->primary && curve->session_ends->dataCount() > 0;
    });
    decor().setHollowKey(hollow ? tr("end of a session, not part of A_AUC") : QString(), runColour(theme(), true));
}

void AccuracyPlot::addBandEnds(std::vector<CurveEnd>& ends) const {
    for (const auto& band : bands_) {
        if (band->values.x.empty()) continue;
        CurveEnd end;
        end.id = QString::fromStdString(band->group);
        end.x = band->values.x.back();
        end.y = band->values.mean.back();
        end.text = tr("%1, N = %2 · %3 ± %4 %")
                       .arg(band->label)
                       .arg(band->runs.size())
                       .arg(percentText(end.y / 100), percentText(band->values.half_width.back() / 100));
        end.colour = runColour(theme(), band->primary);
        end.strong = band->primary;
        end.dot = true;
        end.shape = band->primary ? MarkerShape::Circle : markerOf(band->look);
        ends.push_back(std::move(end));
    }
}

void AccuracyPlot::updateChip() {
    const RunCurves* run = store()->primary();
    const RunCurves* other = store()->compared();
    if (!run || run->anytime.empty()) {
        chip_->setValue(std::nullopt);
        return;
    }
    QString tip = tr("A_AUC: mean of the anytime accuracies, the shaded area.");
    std::optional<double> value = run->areaUpTo(std::numeric_limits<std::int64_t>::max()), compared;
    QString note;
    area_reach_ = std::numeric_limits<std::int64_t>::max();
    const bool comparable = !other || !learnedAnotherStream(*other, *run);
    if (!comparable) {
        // Each in its own right: a stretch of one stream says nothing of the other.
        compared = other->areaUpTo(area_reach_);
        note = tr("other stream");
        tip += '\n' + tr("%1 learned another stream, so the two numbers are no comparison of how they learned.")
                          .arg(store()->label(other->id));
    } else if (other && other->reach() == run->reach()) {
        compared = other->areaUpTo(run->reach());
    } else if (other) {
        // Only the stretch that both runs have seen can be compared.
        const std::int64_t stretch = std::min(run->reach(), other->reach());
        const std::optional<double> part = run->areaUpTo(stretch);
        compared = other->areaUpTo(stretch);
        if (part && compared) {
            value = part;
            area_reach_ = stretch;
            note = run->goesOn() && stretch == run->reach() ? tr("so far") : tr("up to %1").arg(countText(stretch));
            tip += '\n' + tr("Both runs up to %1 images, as far as the shorter one goes.").arg(countText(stretch));
        } else {
            compared.reset();
        }
    }
    if (!run->areaIsFinal()) {
        if (note.isEmpty()) note = tr("so far");
        tip += '\n' + tr("So far: %1 of %2 images.").arg(countText(run->samples_seen), countText(run->total_samples));
    }
    chip_->setToolTip(tip);
    chip_->setValue(value, compared, note, comparable);
}

QString AccuracyPlot::describe() const {
    QStringList parts;
    for (const RunCurves* run : store()->visibleRuns())
        if (!run->anytime.empty())
            parts.push_back(tr("%1: %2 % after %3 images")
                                .arg(store()->label(run->id), percentText(run->anytime.back().accuracy),
                                     countText(run->anytime.back().samples_seen)));
    for (const RunCurves* run : store()->visibleRuns())
        if (isFork(*run))
            parts.push_back(
                tr("%1 branched off after %2 images").arg(store()->label(run->id), countText(run->forked_at)));
    for (const ChangeMark& change : changes()) parts.push_back(change.caption());
    if (parts.isEmpty())
        return store()->primary() && store()->primary()->goesOn()
                   ? tr("No point yet. The first comes after %1 images.")
                         .arg(countText(store()->primary()->experiment.evaluation.every_samples))
                   : KeyNames::instance().filled(tr("No curve yet. Press {startRun} to start."));
    if (!chip_->text().isEmpty()) parts.push_back(chip_->text());
    return parts.join(QStringLiteral("; "));
}

std::vector<double> AccuracyPlot::readingPlaces() const {
    std::vector<double> places;
    if (const RunCurves* run = store()->primary())
        for (const AnytimePoint& point : run->anytime) places.push_back(placeIn(*run, point.samples_seen));
    return places;
}

std::optional<std::int64_t> AccuracyPlot::momentAt(double place) const {
    const RunCurves* run = store()->primary();
    return run ? std::optional(static_cast<std::int64_t>(samplesIn(*run, place))) : std::nullopt;
}

std::optional<double> AccuracyPlot::placeOf(std::int64_t moment) const {
    const RunCurves* run = store()->primary();
    return run ? std::optional(placeIn(*run, moment)) : std::nullopt;
}

std::optional<double> AccuracyPlot::newestPlace() const {
    const RunCurves* run = store()->primary();
    if (!run || run->anytime.empty()) return std::nullopt;
    return placeIn(*run, run->anytime.back().samples_seen);
}

Readout AccuracyPlot::readoutAt(double place) const {
    constexpr int kMostRows = 14;
    Readout out;
    out.x = canvas()->xAxis->coordToPixel(place);
    const RunCurves* primary = store()->primary();
    const double images = primary ? std::floor(samplesIn(*primary, place)) : place;
    out.heading = tr("%1 images").arg(countText(static_cast<qint64>(images)));
    for (const RunCurves* run : store()->visibleRuns()) {
        const double samples = samplesIn(*run, place);
        const AnytimePoint* point = pointAt(*run, samples);
        // Where a mean is shown, its runs show what it is the mean of.
        auto evaluation = averaged(*run) ? evaluationAt(*bandOf(*run), place) : std::nullopt;
        if (evaluation && *evaluation >= run->anytime.size()) evaluation.reset();
        if (evaluation) point = &run->anytime[*evaluation];
        if (!point || (!evaluation && static_cast<double>(run->samples_seen) < std::floor(samples))) continue;
        if (run->primary)
            out.heading += tr(" · session %1 · %2 classes").arg(point->session + 1).arg(point->classes_seen);
        if (out.rows.size() >= kMostRows) {
            ++out.more;
            continue;
        }
        out.rows.push_back({QPointF(out.x, canvas()->yAxis->coordToPixel(point->accuracy * 100)),
                            store()->label(run->id), percentText(point->accuracy) + QStringLiteral(" %"),
                            runColour(theme(), run->primary, run->colour),
                            run->primary ? MarkerShape::Circle : markerOf(run->look)});
        const QPointF foot(out.x, canvas()->axisRect()->bottom());
        if (auto change = changeRow(*store(), *run, samples, foot, theme())) out.rows.push_back(*change);
    }
    const qsizetype runs = out.rows.size();
    for (const auto& band : bands_)
        if (const auto evaluation = evaluationAt(*band, place)) addBandRow(out, *band, *evaluation);
    // Means come before the runs behind them; the run in full colour stays the first.
    const bool led = primary && !out.rows.isEmpty() && out.rows.front().name == store()->label(primary->id);
    std::rotate(out.rows.begin() + (led ? 1 : 0), out.rows.begin() + runs, out.rows.end());
    return out;
}

std::optional<std::size_t> AccuracyPlot::evaluationAt(const Band& band, double place) const {
    const SeedBand& values = band.values;
    if (values.x.empty()) return std::nullopt;
    // Evaluations of the primary run are what a person goes along.
    const RunCurves* primary = store()->primary();
    if (primary && band.runs.contains(primary->id)) {
        const double samples = samplesIn(*primary, place);
        const AnytimePoint* point = pointAt(*primary, samples);
        if (!point || static_cast<double>(primary->samples_seen) < std::floor(samples)) return std::nullopt;
        const auto evaluation = static_cast<std::size_t>(point - primary->anytime.data());
        return evaluation <= values.evaluations.back() ? std::optional(evaluation) : std::nullopt;
    }
    const auto after = std::upper_bound(values.x.begin(), values.x.end(), place + 1e-9);
    if (after == values.x.begin() || place > values.x.back() + 1e-9) return std::nullopt;
    return values.evaluations[static_cast<std::size_t>(after - values.x.begin() - 1)];
}

void AccuracyPlot::addBandRow(Readout& out, const Band& band, std::size_t evaluation) const {
    std::vector<double> accuracies;
    for (const QString& id : band.runs) {
        const RunCurves* run = store()->find(id);
        if (run && evaluation < run->anytime.size()) accuracies.push_back(run->anytime[evaluation].accuracy);
    }
    const Spread values = spread(accuracies);
    out.rows.push_back({QPointF(out.x, canvas()->yAxis->coordToPixel(values.mean * 100)),
                        tr("%1, mean of N = %2").arg(band.label).arg(values.count),
                        tr("%1 ± %2 %").arg(percentText(values.mean), percentText(halfWidth(values, band.width))),
                        runColour(theme(), band.primary), MarkerShape::Diamond});
}

}  // namespace palimpsest
