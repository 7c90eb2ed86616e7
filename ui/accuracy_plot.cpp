// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy_plot.h"

#include <qcustomplot.h>

#include <algorithm>
#include <limits>

#include "ui/curve_graph.h"
#include "ui/curve_store.h"
#include "ui/metric_chip.h"
#include "ui/panel.h"
#include "ui/plot_decor.h"
#include "ui/plot_style.h"
#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr double kEmptyStream = 6000;  // length of the axis before there is a run
constexpr int kMarkersPerCurve = 8;
constexpr double kMostNameRoom = 0.35;  // of the figure's width

/// Marker distance that a growing curve does not change.
int markerSkip(const RunCurves& run) {
    const std::int64_t every = std::max<std::int64_t>(1, run.experiment.evaluation.every_samples);
    return static_cast<int>(std::max<std::int64_t>(0, run.total_samples / every / kMarkersPerCurve - 1));
}

/// The last point at or before a place; the first point when there is none.
const AnytimePoint* pointAt(const RunCurves& run, double place) {
    if (run.anytime.empty()) return nullptr;
    auto at = std::upper_bound(run.anytime.begin(), run.anytime.end(), place,
                               [](double x, const AnytimePoint& p) { return x < static_cast<double>(p.samples_seen); });
    return &*(at == run.anytime.begin() ? at : at - 1);
}

/// A mark so near to a point of the curve would only cover it.
bool onCurve(const RunCurves& run, const AnytimePoint& end) {
    const AnytimePoint* before = pointAt(run, static_cast<double>(end.samples_seen));
    return before && end.samples_seen >= before->samples_seen &&
           end.samples_seen - before->samples_seen <= run.total_samples / 200;
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
    QCPGraph* line = nullptr;
    QCPGraph* session_ends = nullptr;
    std::size_t line_points = 0;
    std::size_t session_points = 0;
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
    useImageTicks(*canvas());
    setUnit(tr("images seen"));
    overlay().setInvitation(tr("Press |F5| to start"), ghost());
    setWholeRange(0, kEmptyStream);
}

AccuracyPlot::~AccuracyPlot() = default;

void AccuracyPlot::sync() {
    updateCurves();
    updateBorders();
    updateEnds();
    updateChip();
    double whole = 0;
    for (const RunCurves* run : store()->visibleRuns())
        whole = std::max(whole, static_cast<double>(std::max(run->total_samples, run->samples_seen)));
    setWholeRange(0, whole > 0 ? whole : kEmptyStream);
    overlay().setEmpty(curves_.empty());
}

void AccuracyPlot::updateCurves() {
    const std::vector<const RunCurves*> runs = store()->visibleRuns();
    std::erase_if(curves_, [&](const std::unique_ptr<Curve>& curve) {
        const bool wanted = std::any_of(runs.begin(), runs.end(), [&](const RunCurves* run) {
            return run->id == curve->id && run->generation == curve->generation;
        });
        if (!wanted) {
            canvas()->removeGraph(curve->line);
            canvas()->removeGraph(curve->session_ends);
        }
        return !wanted;
    });
    for (const RunCurves* run : runs) {
        auto found =
            std::find_if(curves_.begin(), curves_.end(), [&](const auto& curve) { return curve->id == run->id; });
        if (found == curves_.end()) {
            auto curve = std::make_unique<Curve>();
            curve->id = run->id;
            curve->generation = run->generation;
            curve->look = run->look;
            curve->primary = !run->primary;
            curve->line = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
            curve->session_ends = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
            curve->session_ends->setLineStyle(QCPGraph::lsNone);
            found = curves_.insert(curves_.end(), std::move(curve));
        }
        Curve& curve = **found;
        if (curve.primary != run->primary || curve.colour != run->colour) {
            curve.primary = run->primary;
            curve.colour = run->colour;
            curve.marker_skip = markerSkip(*run);
            style(curve);
        }
        for (; curve.line_points < run->anytime.size(); ++curve.line_points) {
            const AnytimePoint& point = run->anytime[curve.line_points];
            curve.line->addData(static_cast<double>(point.samples_seen), point.accuracy * 100);
        }
        for (; curve.session_points < run->session_ends.size(); ++curve.session_points) {
            const AnytimePoint& point = run->session_ends[curve.session_points];
            if (onCurve(*run, point)) continue;
            curve.session_ends->addData(static_cast<double>(point.samples_seen), point.accuracy * 100);
        }
    }
}

void AccuracyPlot::style(Curve& curve) const {
    const QPen pen = runPen(theme(), curve.primary, curve.look, curve.colour);
    curve.line->setPen(pen);
    QColor area = runColour(theme(), true, curve.colour);
    area.setAlphaF(theme().dark ? 0.20F : 0.13F);
    curve.line->setBrush(curve.primary ? QBrush(area) : QBrush(Qt::NoBrush));
    if (curve.primary) {
        curve.line->setScatterStyle({});
    } else {
        styleMarkers(*curve.line, curve.look, 2.5, QPen(pen.color(), 0.5), pen.color());
        curve.line->setScatterSkip(curve.marker_skip);
    }
    styleMarkers(*curve.session_ends, 0, 3.5, QPen(pen.color(), 1.5), theme().panel);
    curve.session_ends->setVisible(curve.primary);
    const QString layer = curve.primary ? QStringLiteral("main") : QStringLiteral("background runs");
    if (!canvas()->layer(QStringLiteral("background runs")))
        canvas()->addLayer(QStringLiteral("background runs"), canvas()->layer(QStringLiteral("main")),
                           QCustomPlot::limBelow);
    curve.line->setLayer(layer);
    curve.session_ends->setLayer(QStringLiteral("axes"));
}

void AccuracyPlot::restyle(const Theme&) {
    for (const auto& curve : curves_) style(*curve);
    updateEnds();
}

void AccuracyPlot::updateBorders() {
    std::vector<SessionBorder> borders;
    if (const RunCurves* run = store()->primary()) {
        for (std::size_t i = 0; i < run->session_starts.size(); ++i) {
            SessionBorder border;
            border.x = static_cast<double>(run->session_starts[i]);
            border.end = static_cast<double>(i + 1 < run->session_starts.size() ? run->session_starts[i + 1]
                                                                                : run->total_samples);
            border.name = tr("session %1").arg(i + 1);
            border.short_name = QString::number(i + 1);
            border.current =
                run->goesOn() && run->samples_seen >= run->session_starts[i] &&
                (static_cast<double>(run->samples_seen) < border.end || i + 1 == run->session_starts.size());
            borders.push_back(std::move(border));
        }
    }
    decor().setBorders(std::move(borders));
}

void AccuracyPlot::updateEnds() {
    std::vector<CurveEnd> ends;
    int room = 0;
    for (const RunCurves* run : store()->visibleRuns()) {
        // As wide as it will ever be, so that the axes keep their width while a run goes on.
        room = std::max(
            room, PlotDecor::roomFor(store()->label(run->id) + QStringLiteral(" · 100.0 %"), font(), run->primary));
        if (run->anytime.empty()) continue;
        const AnytimePoint& last = run->anytime.back();
        CurveEnd end;
        end.id = run->id;
        end.x = static_cast<double>(last.samples_seen);
        end.y = last.accuracy * 100;
        end.text = store()->label(run->id) + QStringLiteral(" · ") + percentText(last.accuracy) + QStringLiteral(" %");
        end.colour = runColour(theme(), run->primary, run->colour);
        end.strong = run->primary;
        end.dot = true;
        end.shape = run->primary ? MarkerShape::Circle : markerOf(run->look);
        ends.push_back(std::move(end));
    }
    setNameRoom(std::min(room, static_cast<int>(kMostNameRoom * canvas()->width())));
    decor().setEnds(std::move(ends));
    const bool hollow = std::any_of(curves_.begin(), curves_.end(), [](const std::unique_ptr<Curve>& curve) {
        return curve->primary && curve->session_ends->dataCount() > 0;
    });
    decor().setHollowKey(hollow ? tr("end of a session, not part of A_AUC") : QString(), runColour(theme(), true));
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
    if (other && other->reach() == run->reach()) {
        compared = other->areaUpTo(run->reach());
    } else if (other) {
        // Only the stretch that both runs have seen can be compared.
        const std::int64_t stretch = std::min(run->reach(), other->reach());
        const std::optional<double> part = run->areaUpTo(stretch);
        compared = other->areaUpTo(stretch);
        if (part && compared) {
            value = part;
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
    chip_->setValue(value, compared, note);
}

QString AccuracyPlot::describe() const {
    QStringList parts;
    for (const RunCurves* run : store()->visibleRuns())
        if (!run->anytime.empty())
            parts.push_back(tr("%1: %2 % after %3 images")
                                .arg(store()->label(run->id), percentText(run->anytime.back().accuracy),
                                     countText(run->anytime.back().samples_seen)));
    if (parts.isEmpty())
        return store()->primary() && store()->primary()->goesOn()
                   ? tr("No point yet. The first comes after %1 images.")
                         .arg(countText(store()->primary()->experiment.evaluation.every_samples))
                   : tr("No curve yet. Press F5 to start.");
    if (!chip_->text().isEmpty()) parts.push_back(chip_->text());
    return parts.join(QStringLiteral("; "));
}

std::vector<double> AccuracyPlot::readingPlaces() const {
    std::vector<double> places;
    if (const RunCurves* run = store()->primary())
        for (const AnytimePoint& point : run->anytime) places.push_back(static_cast<double>(point.samples_seen));
    return places;
}

Readout AccuracyPlot::readoutAt(double place) const {
    Readout out;
    out.x = canvas()->xAxis->coordToPixel(place);
    out.heading = tr("%1 images").arg(countText(static_cast<qint64>(place)));
    for (const RunCurves* run : store()->visibleRuns()) {
        const AnytimePoint* point = pointAt(*run, place);
        if (!point || static_cast<double>(run->samples_seen) < place) continue;
        if (run->primary)
            out.heading += tr(" · session %1 · %2 classes").arg(point->session + 1).arg(point->classes_seen);
        out.rows.push_back({QPointF(out.x, canvas()->yAxis->coordToPixel(point->accuracy * 100)),
                            store()->label(run->id), percentText(point->accuracy) + QStringLiteral(" %"),
                            runColour(theme(), run->primary, run->colour),
                            run->primary ? MarkerShape::Circle : markerOf(run->look)});
    }
    return out;
}

}  // namespace palimpsest
