// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/accuracy_plot.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <map>

#include "ui/figures/accuracy_plot_curve.h"
#include "ui/figures/guess_line.h"
#include "ui/plots/dense_lines.h"
#include "ui/plots/metric_chip.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/run_axis.h"
#include "ui/state/curve_options.h"
#include "ui/state/guess_book.h"
#include "ui/state/key_names.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

constexpr double kEmptyStream = 6000;  // length of the axis before there is a run

/// The evaluation of A_Last, where it is not the last point of the curve; null: that, or the run has not ended.
const AnytimePoint* lastEnd(const ShownRun& run) {
    const auto& ends = run.points.sessionEnds();
    if (!run.finished || ends.empty() || std::ssize(ends) < run.facts->sessions()) return nullptr;
    const AnytimePoint& last = run.points.anytime().back();
    return ends.back().samples_seen == last.samples_seen && ends.back().accuracy == last.accuracy ? nullptr
                                                                                                  : &ends.back();
}

bool parentShown(const RunSet& store, const ShownRun& run) {
    const ShownRun* parent = isFork(run) ? store.find(run.facts->parent) : nullptr;
    return parent && parent->display.visible;
}

/// x and y of each point in turn.
QPolygonF lineOf(std::initializer_list<double> numbers) {
    QPolygonF line;
    for (const double* at = numbers.begin(); at != numbers.end(); at += 2) line.append({at[0], at[1]});
    return line;
}

/// Sketch of the figure to come, in a unit square.
QVector<QPolygonF> ghost() {
    return {lineOf({0.0,  0.28, 0.05, 0.5,  0.12, 0.7,  0.14, 0.66, 0.3,  0.76, 0.41, 0.78,
                    0.42, 0.74, 0.62, 0.78, 0.63, 0.73, 0.8,  0.76, 0.81, 0.72, 1.0,  0.75}),
            lineOf({0.0,  0.28, 0.05, 0.46, 0.12, 0.62, 0.14, 0.38, 0.3,  0.62, 0.41, 0.66,
                    0.42, 0.46, 0.61, 0.58, 0.63, 0.3,  0.8,  0.46, 0.81, 0.33, 1.0,  0.4})};
}

}  // namespace

AccuracyPlot::AccuracyPlot(RunSet* store, QWidget* parent)
    : PlotView(
          store, CurveKind::Anytime,
          {QStringLiteral("anytime"), tr("Anytime accuracy"), tr("%, on all classes seen so far"),
           tr("How well the network tells apart all classes it has seen so far, while it learns.\n"
              "Dotted: what the selected run's frozen features give without learning (nearest class mean, NCM), and\n"
              "what guessing one of the classes seen so far gives (chance).\n"
              "Hollow points: the same at the end of a session, and an early look at a few test images; they do\n"
              "not count in A_AUC.\n"
              "Wheel: zoom. Drag: move. Double click: show all.")},
          parent),
      percent_(canvas()->yAxis),
      bands_(*canvas(), *store, axis_),
      chip_(new MetricChip(QStringLiteral("A_AUC"))) {
    chip_->setObjectName(QStringLiteral("areaChip"));
    addHeaderWidget(chip_);
    panel()->setShortTitles({tr("Accuracy"), tr("Acc.")});
    explainArea(chip_, store, [this]() -> const AucChipText& { return area_; });
    new CrowdLayer(canvas());  // the canvas's own
    useImageTicks(*canvas());
    setUnit(tr("images seen"));
    updateInvitation();
    setWholeRange(0, kEmptyStream);
}

void AccuracyPlot::setGuesses(GuessBook* book) {
    guess_ = new GuessLine(canvas(), store(), book, GuessedCurve::Anytime, this);
    connect(guess_, &GuessLine::changed, this, &AccuracyPlot::schedule);
}

void AccuracyPlot::updateInvitation() {
    // A sketch of the answer would be drawn after.
    if (guess_ && guess_->drawing())
        overlay().setInvitation(
            tr("Drag from left to right: how many test images of all classes so far will it recognise?"), {});
    else
        overlay().setInvitation(tr("Press |{startRun}| to start"), ghost());
}

AccuracyPlot::~AccuracyPlot() = default;

void AccuracyPlot::sync() {
    const bool guessing = guess_ && guess_->drawing();
    const CurveOptions::Band band = options() ? options()->values().band : CurveOptions::Band::None;
    const std::vector<SeedGroup> groups = band == CurveOptions::Band::None || guessing
                                              ? std::vector<SeedGroup>()
                                              : seedGroups(*store(), CurveKind::Anytime);
    bands_.update(groups, bandWidth(band), smoothing_, theme());
    updateCurves();
    double highest = bands_.highest();
    for (const auto& curve : curves_) highest = std::max(highest, curve->highest());
    if (guess_) {
        guess_->update(theme(), axis_.by_session);
        highest = std::max(highest, guess_->highest());
    }
    percent_.fit(drawnRuns(), highest, guessing || (options() && options()->values().whole_percent));
    updateBorders();
    updateEnds();
    updateChip(groups, bandWidth(band));
    double whole = 0;
    for (const ShownRun* run : drawnRuns()) {
        const double samples = static_cast<double>(std::max(run->facts->total_samples, run->points.samplesSeen()));
        whole = std::max(whole, axis_.by_session ? static_cast<double>(run->facts->sessions()) : samples);
    }
    if (guessing && !axis_.by_session) whole = std::max(whole, static_cast<double>(guess_->book()->images()));
    setWholeRange(0, whole > 0 ? whole : axis_.by_session ? 1 : kEmptyStream);
    updateInvitation();
    overlay().setEmpty(curves_.empty() && !(guess_ && guess_->visible()));
}

std::vector<const ShownRun*> AccuracyPlot::drawnRuns() const {
    return guess_ && guess_->drawing() ? std::vector<const ShownRun*>() : store()->visibleRuns();
}

const ShownRun* AccuracyPlot::drawnRun() const {
    return guess_ && guess_->drawing() ? nullptr : store()->selected();
}

void AccuracyPlot::applyOptions(const CurveOptions& options) {
    const CurveOptions::Values& values = options.values();
    if (values.by_session == axis_.by_session && values.smoothing == smoothing_) return;
    axis_.by_session = values.by_session;
    smoothing_ = values.smoothing;
    for (const auto& curve : curves_) curve->remove();
    curves_.clear();
    bands_.clear();
    setUnit(axis_.by_session ? tr("sessions") : tr("images seen"));
    showAll();
    if (axis_.by_session) {
        auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
        ticker->setTickStep(1);
        ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
        canvas()->xAxis->setTicker(ticker);
    } else {
        useImageTicks(*canvas());
    }
}

void AccuracyPlot::updateCurves() {
    const std::vector<const ShownRun*> runs = drawnRuns();
    const bool guessing = guess_ && guess_->drawing();
    crowded_ = runs.size() > CrowdLayer::kCrowd;
    std::erase_if(curves_, [&](const std::unique_ptr<AccuracyPlotCurve>& curve) {
        const ShownRun* run = store()->find(curve->id());
        const bool wanted = !guessing && run && run->display.visible && run->generation == curve->generation();
        if (!wanted) curve->remove();
        return !wanted;
    });
    std::map<QString, AccuracyPlotCurve*> known;
    for (const auto& curve : curves_) known[curve->id()] = curve.get();
    for (const ShownRun* run : runs) {
        AccuracyPlotCurve*& curve = known[run->id];
        if (!curve)
            curve = curves_.emplace_back(std::make_unique<AccuracyPlotCurve>(*canvas(), *run, smoothing_)).get();
        const bool banded = bands_.has(*run);
        curve->setLook({.selected = run->display.selected,
                        .hue = crowded_ && !banded && !run->display.selected ? kNoHue : run->display.hue,
                        .colour = run->display.colour,
                        .banded = banded,
                        .crowded = crowded_,
                        .parent_shown = parentShown(*store(), *run)},
                       *run, theme());
        curve->appendNews(*run, axis_, theme());
    }
}

void AccuracyPlot::restyle(const Theme&) {
    for (const auto& curve : curves_) curve->style(theme());
    bands_.style(theme());
    updateEnds();
}

void AccuracyPlot::updateBorders() {
    const auto placeOf = [this](const ShownRun& run, std::int64_t samples) { return axis_.placeIn(run, samples); };
    decor().setChanges(drawnRun() ? changeMarks(*store(), theme(), placeOf) : std::vector<ChangeMark>());
    decor().setBorders(axis_.by_session ? evenSessionBorders(drawnRun()) : sessionBorders(drawnRun()));
}

void AccuracyPlot::updateEnds() {
    std::vector<CurveEnd> ends = bands_.ends(theme()), faints;
    std::vector<QPointF> nameless;  // where the other curves of a crowd end
    int room = 0, spare = 0;
    for (const CurveEnd& end : ends) room = std::max(room, PlotDecor::roomFor(end.text, font(), end.strong));
    const auto addFaint = [&](const std::optional<QPointF>& last, const QString& id, const QString& words,
                              const QString& fewer = {}) {
        if (!last) return;
        CurveEnd faint;
        faint.id = id;
        faint.x = last->x();
        faint.y = last->y();
        faint.text = words.arg(percentText(last->y() / 100));
        if (!fewer.isEmpty()) faint.short_text = fewer.arg(percentText(last->y() / 100));
        spare = std::max(spare, PlotDecor::roomFor(words.arg(percentText(1)), font(), false));
        faint.colour = theme().quiet;
        faints.push_back(std::move(faint));
    };
    for (const auto& curve : curves_) {
        addFaint(curve->lastReference(), QStringLiteral("reference"), tr("nearest class mean · %1 %"),
                 tr("NCM · %1 %"));
        addFaint(curve->lastChance(), QStringLiteral("chance"), tr("chance · %1 %"));
        const ShownRun* run = store()->find(curve->id());
        if (!run || bands_.averages(*run)) continue;
        if (crowded_ && !run->display.selected) {
            if (!run->points.anytime().empty())
                nameless.emplace_back(axis_.placeIn(*run, run->points.anytime().back().samples_seen),
                                      curve->lastMean().value_or(run->points.anytime().back().accuracy * 100));
            continue;
        }
        // A run with a mean has one name, where the strong line ends.
        const bool smoothed = run->display.selected && smoothing_ > 0 && !bands_.has(*run);
        const QString name = smoothed ? tr("%1 · %2 %, mean %3 %") : tr("%1 · %2 %");
        const auto written = [&, label = store()->label(run->id)](double accuracy, double mean) {
            return smoothed ? name.arg(label, percentText(accuracy), percentText(mean))
                            : name.arg(label, percentText(accuracy));
        };
        if (run->points.anytime().empty()) continue;
        // As wide as it will ever be, so that the axes keep their width while a run goes on.
        room = std::max(room, PlotDecor::roomFor(written(1, 1), font(), run->display.selected));
        const AnytimePoint& last = run->points.anytime().back();
        CurveEnd end;
        end.id = run->id;
        end.x = axis_.placeIn(*run, last.samples_seen);
        end.y = curve->lastMean().value_or(last.accuracy * 100);
        end.text = written(last.accuracy, end.y / 100);
        end.colour = ownColour(*run, theme());
        end.strong = run->display.selected;
        end.dot = true;
        end.shape = run->display.selected ? MarkerShape::Circle : markerOf(run->display.style);
        end.mark = curve->lastHollow();
        ends.push_back(std::move(end));
    }
    if (!nameless.empty()) {
        // So many names and colours cannot be told apart; that there are none is said where most of them end.
        std::ranges::sort(nameless, {}, [](const QPointF& end) { return end.y(); });
        CurveEnd others;
        others.id = QStringLiteral("others");
        others.x = nameless[nameless.size() / 2].x();
        others.y = nameless[nameless.size() / 2].y();
        others.text = tr("%1 other runs, too many for colours").arg(nameless.size());
        others.short_text = tr("%1 others").arg(nameless.size());
        others.colour = theme().quiet;
        spare = std::max(spare, PlotDecor::roomFor(others.short_text, font(), false));
        faints.push_back(std::move(others));
    }
    std::move(faints.begin(), faints.end(), std::back_inserter(ends));
    // While a guess is drawn, its figure keeps its width, and no other name stands in it.
    if (guess_ && guess_->drawing()) ends.clear();
    if (guess_ && (guess_->drawing() || guess_->visible()))
        room = std::max(room, PlotDecor::roomFor(GuessLine::widestName(), font(), false));
    if (const auto end = guess_ ? guess_->end(theme()) : std::nullopt) ends.push_back(*end);
    setNameRoom(room, spare);
    decor().setEnds(std::move(ends));
    const bool hollow = std::any_of(curves_.begin(), curves_.end(), [](const auto& curve) { return curve->hollow(); });
    const bool looked = std::any_of(curves_.begin(), curves_.end(), [](const auto& curve) { return curve->looked(); });
    const QString points = !looked  ? tr("end of a session, not part of A_AUC")
                           : hollow ? tr("early look and end of a session, not part of A_AUC")
                                    : tr("early look, not part of A_AUC");
    const ShownRun* selected = drawnRun();
    decor().setHollowKey(hollow || looked ? points : QString(), selected ? ownColour(*selected, theme()) : QColor());
}

void AccuracyPlot::updateChip(const std::vector<SeedGroup>& groups, BandWidth width) {
    const ShownRun* run = drawnRun();
    area_ = run ? areaText(*store(), groups, width).value_or(AucChipText()) : AucChipText();
    if (run) area_.chip.colour = ownColour(*run, theme());
    chip_->setToolTip(area_.tip);
    chip_->setContent(area_.chip);
}

QString AccuracyPlot::describe() const {
    QStringList parts;
    for (const ShownRun* run : drawnRuns())
        if (!run->points.anytime().empty())
            parts.push_back(tr("%1: %2 % after %3 images")
                                .arg(store()->label(run->id), percentText(run->points.anytime().back().accuracy),
                                     countText(run->points.anytime().back().samples_seen)));
    for (const ShownRun* run : drawnRuns())
        if (run->points.anytime().empty() && !run->points.early().empty())
            parts.push_back(tr("%1: early look, %2 % after %3 images")
                                .arg(store()->label(run->id), percentText(run->points.early().back().accuracy),
                                     countText(run->points.early().back().samples_seen)));
    for (const ShownRun* run : drawnRuns())
        if (isFork(*run))
            parts.push_back(
                tr("%1 branched off after %2 images").arg(store()->label(run->id), countText(run->facts->forked_at)));
    for (const ChangeMark& change : decor().changes()) parts.push_back(change.caption());
    if (const QString guess = guess_ ? guess_->describe() : QString(); !guess.isEmpty()) parts.push_back(guess);
    if (parts.isEmpty())
        return drawnRun() && drawnRun()->inProgress()
                   ? tr("No point yet. The first comes after %1 images.")
                         .arg(countText(drawnRun()->facts->experiment.evaluation.every_samples))
                   : KeyNames::instance().filled(tr("No curve yet. Press {startRun} to start."));
    if (!chip_->text().isEmpty()) parts.push_back(chip_->text());
    return parts.join(QStringLiteral("; "));
}

std::vector<double> AccuracyPlot::readingPlaces() const {
    std::vector<double> places;
    if (const ShownRun* run = drawnRun())
        for (const AnytimePoint& point : run->points.anytime())
            places.push_back(axis_.placeIn(*run, point.samples_seen));
    return places;
}

std::optional<std::int64_t> AccuracyPlot::momentAt(double place) const {
    const ShownRun* run = store()->selected();
    return run ? std::optional(static_cast<std::int64_t>(axis_.samplesIn(*run, place))) : std::nullopt;
}

std::optional<double> AccuracyPlot::placeOf(std::int64_t moment) const {
    const ShownRun* run = store()->selected();
    return run ? std::optional(axis_.placeIn(*run, moment)) : std::nullopt;
}

std::optional<double> AccuracyPlot::newestPlace() const {
    const ShownRun* run = store()->selected();
    if (!run || run->points.anytime().empty()) return std::nullopt;
    return axis_.placeIn(*run, run->points.anytime().back().samples_seen);
}

Readout AccuracyPlot::readoutAt(double place) const {
    constexpr int kMostRows = 14;
    Readout out;
    out.x = canvas()->xAxis->coordToPixel(place);
    const ShownRun *selected = store()->selected(), *compared = store()->compared();
    const AnytimePoint* own = selected ? axis_.evaluationAt(*selected, place) : nullptr;
    const std::int64_t images = own ? own->samples_seen : static_cast<std::int64_t>(place);
    out.heading = tr("%1 images").arg(countText(images));
    qsizetype led = 0;            // rows of the selected run, which stay the first
    QVector<Readout::Row> faint;  // its nearest class mean, chance and routing
    for (const ShownRun* run : store()->visibleRuns()) {
        const double samples = axis_.samplesIn(*run, place);
        const AnytimePoint* point = axis_.evaluationAt(*run, place);
        // Runs of a mean show the values that it is the mean of.
        auto evaluation = bands_.evaluationOf(*run, place);
        if (evaluation && *evaluation >= run->points.anytime().size()) evaluation.reset();
        if (evaluation) point = &run->points.anytime()[*evaluation];
        const std::optional<double> averaged = bands_.accuracyOf(*run, place);
        const bool reached =
            evaluation || averaged || static_cast<double>(run->points.samplesSeen()) >= std::floor(samples);
        if (!point || !reached) continue;
        const double accuracy = averaged.value_or(point->accuracy);
        if (run->display.selected)
            out.heading += tr(" · session %1 · %2 classes").arg(point->session + 1).arg(point->classes_seen);
        if (out.rows.size() >= kMostRows && run != compared) {
            ++out.more;
            continue;
        }
        QString value = percentText(accuracy) + QStringLiteral(" %");
        // Evaluated elsewhere, it says where; a mean is taken right here.
        if (!averaged && point->samples_seen != images)
            value = tr("%1 at %2").arg(value, countText(point->samples_seen));
        const double x = averaged ? place : axis_.placeIn(*run, point->samples_seen);
        out.rows.push_back({QPointF(canvas()->xAxis->coordToPixel(x), canvas()->yAxis->coordToPixel(accuracy * 100)),
                            store()->label(run->id), value, ownColour(*run, theme()),
                            run->display.selected ? MarkerShape::Circle : markerOf(run->display.style),
                            run->display.selected || run == compared});
        const QPointF foot(out.x, canvas()->axisRect()->bottom());
        if (auto change = changeRow(*store(), *run, samples, foot, theme())) out.rows.push_back(*change);
        if (run->display.selected && !averaged) {
            const auto add = [&](const std::optional<double>& share, const QString& name, bool drawn) {
                if (!share) return;
                const QPointF at(canvas()->xAxis->coordToPixel(x), canvas()->yAxis->coordToPixel(*share * 100));
                faint.push_back(
                    {at, name, percentText(*share) + QStringLiteral(" %"), theme().quiet, MarkerShape::Circle});
                faint.back().marked = drawn;
            };
            add(point->reference, tr("nearest class mean"), true);
            if (point->classes_seen > 0) add(1.0 / static_cast<double>(point->classes_seen), tr("chance"), true);
            // The table's number, which the curve need not end with.
            if (const AnytimePoint* end = lastEnd(*run); end && point == &run->points.anytime().back()) {
                add(end->accuracy, tr("A_Last, at the end (%1 images)").arg(countText(end->samples_seen)), false);
                faint.back().kept = true;
            }
            // Numbers without a line of their own.
            add(point->router, tr("router accuracy"), false);
            add(point->agreement, tr("head agreement"), false);
        }
        if (run->display.selected) led = out.rows.size();
    }
    const qsizetype runs = out.rows.size();
    bands_.addRows(out, place, theme());
    // Means come before the runs behind them, where little room leaves these out.
    std::rotate(out.rows.begin() + led, out.rows.begin() + runs, out.rows.end());
    // Nearest class mean, chance and routing of the selected run follow what it is compared with.
    const auto means = std::max<qsizetype>(std::ssize(out.rows) - runs, std::min<qsizetype>(1, runs - led));
    for (qsizetype i = 0; i < faint.size(); ++i) out.rows.insert(led + means + i, faint[i]);
    return out;
}

}  // namespace palimpsest
