// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <vector>

#include "ui/plots/plot_decor.h"

class QCPRange;
class QCustomPlot;

namespace palimpsest {

class AdaptationLog;
class CurveGraph;
struct Theme;

/// The curves of an adaptation's loss: each report, the running mean, and the mean of the perturbing pass.
class AdaptationCurves {
public:
    /// They belong to the canvas and go with it.
    explicit AdaptationCurves(QCustomPlot& canvas);

    void clear();
    /// What has been reported since the last time.
    void take(const AdaptationLog& log);
    void restyle(const Theme& theme);

    bool empty() const;
    /// Values in the curve of the loss.
    int points() const;
    /// 0 while there is none.
    double lastStep() const;
    /// In round numbers, so that the axis stays where it is for long.
    QCPRange range() const;
    /// Names and values at the ends of both means.
    std::vector<CurveEnd> ends(const Theme& theme) const;

private:
    CurveGraph *raw_, *other_, *mean_;
    qsizetype taken_ = 0;  ///< reports in the curves
    double highest_ = 0, lowest_ = 0;
};

}  // namespace palimpsest
