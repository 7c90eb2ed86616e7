// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/percent_axis.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "engine/report/figure.h"
#include "ui/state/shown_run.h"

namespace palimpsest {
namespace {

/// The smallest round step that divides the axis into four parts at most.
double tickStep(double upper) {
    for (const double step : {5.0, 10.0, 20.0})
        if (upper <= 4 * step && std::fmod(upper, step) == 0) return step;
    return 25;
}

}  // namespace

void PercentAxis::fit(const std::vector<const ShownRun*>& runs, double highest, bool whole) {
    std::set<std::pair<QString, int>> shown;
    for (const ShownRun* run : runs) shown.emplace(run->id, run->generation);
    // A run that left may have been the highest.
    if (!std::ranges::includes(shown, runs_)) upper_ = 0;
    runs_ = std::move(shown);
    if (highest >= 0) upper_ = std::max(upper_, report::percentCeiling(highest));
    const double upper = whole || upper_ == 0 ? 100 : upper_;
    if (axis_->range() == QCPRange(0, upper)) return;
    axis_->setRange(0, upper);
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(tickStep(upper));
    axis_->setTicker(ticker);
}

}  // namespace palimpsest
