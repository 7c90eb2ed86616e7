// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCPAxis;
class QCustomPlot;

namespace palimpsest {

/// The x range of a figure: the whole of it until the user zooms, and then never beyond it.
class PlotRange {
public:
    /// `plot`: whose plottables say where a logarithmic axis can begin. It outlives this.
    explicit PlotRange(QCustomPlot& plot);

    double lower() const { return lower_; }
    double upper() const { return upper_; }
    bool zoomed() const { return zoomed_; }
    bool logarithmic() const;

    void setWhole(double lower, double upper);
    void showAll();
    /// Keeps the newest point in sight; the figure comes back even if the user has moved it, since they chose to
    /// follow.
    void follow(double newest);
    /// True: the axis became another one, and its ticks do not fit it yet.
    bool setLogarithmic(bool log);
    /// Whatever moved the axis: back into the whole range.
    void clamp();

private:
    void set(double lower, double upper);

    QCustomPlot& plot_;
    QCPAxis& axis_;
    double lower_ = 0, upper_ = 1;  ///< the whole range
    bool zoomed_ = false;
    bool setting_ = false;
};

}  // namespace palimpsest
