// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/accuracy_plot_curve.h"

#include <qcustomplot.h>

#include <algorithm>

#include "ui/plots/curve_graph.h"
#include "ui/plots/dense_lines.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/run_axis.h"
#include "ui/state/run_set.h"
#include "ui/style/curve_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kMarkersPerCurve = 8;

/// Marker distance that a growing curve does not change.
int markerSkip(const ShownRun& run) {
    const std::int64_t every = std::max<std::int64_t>(1, run.facts->experiment.evaluation.every_samples);
    return static_cast<int>(std::max<std::int64_t>(0, run.facts->total_samples / every / kMarkersPerCurve - 1));
}

/// A mark so near to a point of the curve would only cover it.
bool onCurve(const ShownRun& run, const AnytimePoint& end) {
    const AnytimePoint* before = pointAt(run, static_cast<double>(end.samples_seen));
    return before && end.samples_seen >= before->samples_seen &&
           end.samples_seen - before->samples_seen <= run.facts->total_samples / 200;
}

}  // namespace

bool isFork(const ShownRun& run) {
    return !run.facts->parent.isEmpty() && run.facts->forked_at > 0;
}

AccuracyPlotCurve::AccuracyPlotCurve(QCustomPlot& plot, const ShownRun& run, int smoothing)
    : id_(run.id),
      generation_(run.generation),
      dash_(run.display.style),
      line_(new CurveGraph(plot.xAxis, plot.yAxis)),
      session_ends_(new CurveGraph(plot.xAxis, plot.yAxis)) {
    session_ends_->setLineStyle(QCPGraph::lsNone);
    if (isFork(run)) {
        past_ = new CurveGraph(plot.xAxis, plot.yAxis);
        branch_ = new QCPGraph(plot.xAxis, plot.yAxis);
        branch_->setLineStyle(QCPGraph::lsNone);
    }
    if (smoothing > 0) {
        mean_ = new CurveGraph(plot.xAxis, plot.yAxis);
        running_.emplace(smoothing);
    }
}

void AccuracyPlotCurve::remove() {
    QCustomPlot* plot = line_->parentPlot();
    for (QCPGraph* graph :
         std::initializer_list<QCPGraph*>{line_, session_ends_, early_, reference_, chance_, mean_, past_, branch_})
        if (graph) plot->removeGraph(graph);
}

bool AccuracyPlotCurve::looked() const {
    return look_ && look_->selected && early_;
}

bool AccuracyPlotCurve::hollow() const {
    return look_ && look_->selected && session_ends_->dataCount() > 0;
}

std::optional<QPointF> AccuracyPlotCurve::lastHollow() const {
    if (!hollow()) return std::nullopt;
    const auto last = session_ends_->data()->constEnd() - 1;
    return QPointF(last->key, last->value);
}

std::optional<double> AccuracyPlotCurve::lastMean() const {
    if (!mean_ || !look_ || !look_->selected || look_->banded || mean_->dataCount() == 0) return std::nullopt;
    return (mean_->data()->constEnd() - 1)->value;
}

std::optional<QPointF> AccuracyPlotCurve::lastOf(const CurveGraph* graph) const {
    if (!look_ || !look_->selected || !graph || graph->dataCount() == 0) return std::nullopt;
    const auto last = graph->data()->constEnd() - 1;
    return QPointF(last->key, last->value);
}

std::optional<QPointF> AccuracyPlotCurve::lastReference() const {
    return lastOf(reference_);
}

std::optional<QPointF> AccuracyPlotCurve::lastChance() const {
    return lastOf(chance_);
}

double AccuracyPlotCurve::highest() const {
    return look_ && look_->selected ? std::max(highest_, highest_faint_) : highest_;
}

void AccuracyPlotCurve::setLook(const Look& look, const ShownRun& run, const Theme& theme) {
    if (look_ == look) return;
    look_ = look;
    marker_skip_ = markerSkip(run);
    line_->setCrowded(look.crowded && !look.selected);
    style(theme);
}

void AccuracyPlotCurve::style(const Theme& theme) {
    if (!look_) return;
    const bool selected = look_->selected, banded = look_->banded;
    QPen pen = runPen(theme, selected, dash_, runColour(theme, look_->hue, look_->colour));
    if (mean_) {
        mean_->setPen(pen);
        mean_->setVisible(selected && !banded);  // that of its group is smoothed in its place
    }
    // A line below its mean, and a seed below that of its group, is thin and faint.
    if (banded || (mean_ && selected)) pen = thinBelow(pen, theme);
    line_->setPen(pen);
    QColor area = runColour(theme, look_->hue, look_->colour);
    area.setAlphaF(theme.dark ? 0.20F : 0.13F);
    line_->setBrush(selected ? QBrush(area) : QBrush(Qt::NoBrush));
    if (past_) {
        QColor faint = pen.color();
        faint.setAlphaF(0.45F);
        // The area reaches back: it is A_AUC.
        past_->setPen(look_->parent_shown ? QPen(Qt::NoPen) : QPen(faint, theme.weight));
        past_->setBrush(line_->brush());
        styleMarkers(*branch_, 0, 4 * theme.weight, QPen(pen.color(), 1.5 * theme.weight), theme.panel);
    }
    if (selected || banded) {
        line_->setScatterStyle({});
    } else {
        styleMarkers(*line_, dash_, 2.5 * theme.weight, QPen(pen.color(), 0.5), pen.color());
        line_->setScatterSkip(marker_skip_);
    }
    for (QCPGraph* points : std::initializer_list<QCPGraph*>{session_ends_, early_}) {
        if (!points) continue;
        styleMarkers(*points, 0, 3.5 * theme.weight,
                     QPen(runColour(theme, look_->hue, look_->colour), 1.5 * theme.weight), theme.panel);
        points->setVisible(selected);
        points->setLayer(QStringLiteral("axes"));
    }
    for (CurveGraph* line : {reference_, chance_}) {
        if (!line) continue;
        line->setPen(QPen(theme.quiet, line == chance_ ? 0.75 * theme.weight : theme.weight, Qt::DotLine));
        line->setVisible(selected);
        line->setLayer(QStringLiteral("grid"));
    }
    const QString layer = selected ? "main" : CrowdLayer::kName;
    line_->setLayer(layer);
    if (!past_) return;
    past_->setLayer(layer);
    branch_->setLayer(QStringLiteral("axes"));
}

void AccuracyPlotCurve::appendNews(const ShownRun& run, const RunAxis& axis, const Theme& theme) {
    if (early_points_ < run.points.early().size() && !early_) {
        early_ = new QCPGraph(line_->keyAxis(), line_->valueAxis());
        early_->setLineStyle(QCPGraph::lsNone);
        style(theme);
    }
    for (; early_points_ < run.points.early().size(); ++early_points_) {
        const AnytimePoint& point = run.points.early()[early_points_];
        early_->addData(axis.placeIn(run, point.samples_seen), point.accuracy * 100);
        highest_ = std::max(highest_, point.accuracy * 100);
    }
    for (; line_points_ < run.points.anytime().size(); ++line_points_)
        addPoint(run, run.points.anytime()[line_points_], axis, theme);
    // A replay tells of the past bit by bit.
    if (!run.replayed || run.points.samplesSeen() >= run.facts->forked_at)
        branchOff(axis.placeIn(run, run.facts->forked_at));
    for (; session_points_ < run.points.sessionEnds().size(); ++session_points_) {
        const AnytimePoint& point = run.points.sessionEnds()[session_points_];
        if (onCurve(run, point)) continue;
        session_ends_->addData(axis.placeIn(run, point.samples_seen), point.accuracy * 100);
        highest_ = std::max(highest_, point.accuracy * 100);
    }
}

void AccuracyPlotCurve::addPoint(const ShownRun& run, const AnytimePoint& point, const RunAxis& axis,
                                 const Theme& theme) {
    const double x = axis.placeIn(run, point.samples_seen), y = point.accuracy * 100;
    const double mean = mean_ ? running_->add(y) : 0;
    highest_ = std::max(highest_, y);
    if (point.reference) {
        if (!reference_) {
            reference_ = new CurveGraph(line_->keyAxis(), line_->valueAxis());
            style(theme);
        }
        reference_->addData(x, *point.reference * 100);
        highest_faint_ = std::max(highest_faint_, *point.reference * 100);
    }
    if (point.classes_seen > 0) {
        if (!chance_) {
            chance_ = new CurveGraph(line_->keyAxis(), line_->valueAxis());
            style(theme);
        }
        const double chance = 100.0 / static_cast<double>(point.classes_seen);
        chance_->addData(x, chance);
        highest_faint_ = std::max(highest_faint_, chance);
    }
    if (past_ && point.samples_seen <= run.facts->forked_at) {
        past_->addData(x, y);
        return;
    }
    branchOff(axis.placeIn(run, run.facts->forked_at));
    line_->addData(x, y);
    if (mean_) mean_->addData(x, mean);
}

void AccuracyPlotCurve::branchOff(double place) {
    if (!past_ || branch_->dataCount() > 0 || past_->dataCount() == 0) return;
    // Between two evaluations the last one says how good it was then.
    const auto last = past_->data()->constEnd() - 1;
    const double key = last->key, value = last->value;
    if (place > key) past_->addData(place, value);
    line_->addData(place, value);
    branch_->addData(place, value);
}

}  // namespace palimpsest
