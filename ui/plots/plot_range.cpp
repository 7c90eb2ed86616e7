// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_range.h"

#include <qcustomplot.h>

#include <algorithm>

namespace palimpsest {
namespace {

constexpr double kMostZoom = 200;     // times the whole range
constexpr double kLogSpan = 1000;     // of the longest logarithmic axis, from its first to its last number
constexpr double kFollowRoom = 0.03;  // of the range, right of the newest point

/// Beginning of a logarithmic axis: the first point that it can show. 0: there is none.
double firstPositive(QCustomPlot& canvas) {
    double first = 0;
    for (int i = 0; i < canvas.plottableCount(); ++i) {
        bool found = false;
        const double lower = canvas.plottable(i)->getKeyRange(found, QCP::sdPositive).lower;
        if (found && lower > 0 && (first == 0 || lower < first)) first = lower;
    }
    return first;
}

}  // namespace

PlotRange::PlotRange(QCustomPlot& plot) : plot_(plot), axis_(*plot.xAxis) {}

bool PlotRange::logarithmic() const {
    return axis_.scaleType() == QCPAxis::stLogarithmic;
}

void PlotRange::set(double lower, double upper) {
    setting_ = true;
    axis_.setRange(lower, upper);
    setting_ = false;
}

void PlotRange::setWhole(double lower, double upper) {
    lower_ = logarithmic() ? std::max({lower, firstPositive(plot_), upper / kLogSpan}) : lower;
    upper_ = upper;
    if (!zoomed_) set(lower_, upper_);
}

void PlotRange::showAll() {
    zoomed_ = false;
    set(lower_, upper_);
}

void PlotRange::follow(double newest) {
    const QCPRange sight = axis_.range();
    if (sight.contains(newest)) return;
    const double upper = std::min(upper_, newest + kFollowRoom * sight.size());
    set(std::max(lower_, upper - sight.size()), upper);
}

bool PlotRange::setLogarithmic(bool log) {
    if (log == logarithmic()) return false;
    setting_ = true;
    axis_.setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    setting_ = false;
    zoomed_ = false;
    return true;
}

void PlotRange::clamp() {
    if (setting_) return;
    const QCPRange wanted = axis_.range();
    if (logarithmic()) {
        const double lower = std::clamp(wanted.lower, lower_, upper_ / 1.05);
        const double upper = std::clamp(wanted.upper, lower * 1.05, upper_);
        zoomed_ = lower > lower_ * 1.001 || upper < upper_ * 0.999;
        set(lower, upper);
        return;
    }
    const double whole = upper_ - lower_;
    const double size = std::clamp(wanted.size(), whole / kMostZoom, whole);
    double lower = wanted.size() == size ? wanted.lower : wanted.center() - size / 2;
    lower = std::clamp(lower, lower_, upper_ - size);
    zoomed_ = size < whole * 0.999;
    set(lower, lower + size);
}

}  // namespace palimpsest
