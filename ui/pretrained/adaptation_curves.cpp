// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_curves.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "ui/plots/curve_graph.h"
#include "ui/pretrained/adaptation_log.h"
#include "ui/pretrained/adaptation_plot.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

/// Steps people count in, so that the axis stays where it is for long.
double roundUp(double value) {
    if (!(value > 0)) return 1;
    const double magnitude = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0})
        if (value <= factor * magnitude) return factor * magnitude;
    return 10 * magnitude;
}

/// Adds a value to a curve of running means.
void addMean(QCPGraph& graph, double step, double value) {
    if (!std::isfinite(value)) return;
    const double before = graph.data()->isEmpty() ? value : (graph.data()->constEnd() - 1)->value;
    graph.addData(step, nextMean(before, value));
}

}  // namespace

AdaptationCurves::AdaptationCurves(QCustomPlot& canvas)
    : raw_(new CurveGraph(canvas.xAxis, canvas.yAxis)),
      other_(new CurveGraph(canvas.xAxis, canvas.yAxis)),
      mean_(new CurveGraph(canvas.xAxis, canvas.yAxis)) {}

void AdaptationCurves::clear() {
    for (CurveGraph* graph : {raw_, mean_, other_}) graph->replace({});
    taken_ = 0;
    highest_ = lowest_ = 0;
}

void AdaptationCurves::take(const AdaptationLog& log) {
    const QVector<AdaptationProgress>& reports = log.reports();
    for (; taken_ < reports.size(); ++taken_) {
        const AdaptationProgress& report = reports[taken_];
        const auto step = static_cast<double>(report.step);
        if (std::isfinite(report.loss)) raw_->addData(step, report.loss);
        addMean(*mean_, step, report.loss);
        if (log.hasOther()) addMean(*other_, step, report.other_loss);
        for (const CurveGraph* graph : {mean_, other_}) {
            if (graph->data()->isEmpty()) continue;
            // By the means: a lone spike would press the curves flat.
            const double value = (graph->data()->constEnd() - 1)->value;
            highest_ = std::max(highest_, value);
            lowest_ = std::min(lowest_, value);
        }
    }
}

void AdaptationCurves::restyle(const Theme& theme) {
    QColor faint = theme.accent;
    faint.setAlphaF(0.25F);
    raw_->setPen(QPen(faint, theme.weight));
    mean_->setPen(QPen(theme.accent, 2.25 * theme.weight));
    QPen dashed(theme.quiet, 1.5 * theme.weight);
    dashed.setDashPattern({4, 3});
    other_->setPen(dashed);
}

bool AdaptationCurves::empty() const {
    return raw_->data()->isEmpty();
}

int AdaptationCurves::points() const {
    return mean_->data()->size();
}

double AdaptationCurves::lastStep() const {
    return empty() ? 0 : (raw_->data()->constEnd() - 1)->key;
}

QCPRange AdaptationCurves::range() const {
    return {lowest_ < 0 ? -roundUp(-lowest_) : 0, roundUp(1.05 * highest_)};
}

std::vector<CurveEnd> AdaptationCurves::ends(const Theme& theme) const {
    std::vector<CurveEnd> ends;
    const auto add = [&](const QCPGraph& graph, const QString& name, const QColor& colour, bool strong) {
        if (graph.data()->isEmpty()) return;
        const auto last = graph.data()->constEnd() - 1;
        CurveEnd end;
        end.id = strong ? "loss" : "other";
        end.x = last->key;
        end.y = last->value;
        end.text = name + ' ' + lossText(last->value);
        end.colour = colour;
        end.strong = end.dot = strong;
        ends.push_back(std::move(end));
    };
    add(*mean_, AdaptationPlot::tr("loss"), theme.accent, true);
    add(*other_, AdaptationPlot::tr("perturbing pass"), theme.quiet, false);
    return ends;
}

}  // namespace palimpsest
