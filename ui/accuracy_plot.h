// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/plot_view.h"

namespace palimpsest {

/// Anytime accuracy over the images seen: on all classes seen so far, after every so many images. The area under the
/// primary run is shaded: its mean height is A_AUC. The x axis is as long as the stream from the start. Hollow points
/// are the evaluations at the ends of sessions, which are not part of A_AUC; a key below the axis says so.
class AccuracyPlot : public PlotView {
    Q_OBJECT
public:
    explicit AccuracyPlot(CurveStore* store, QWidget* parent = nullptr);
    ~AccuracyPlot() override;

    MetricChip* chip() const { return chip_; }

protected:
    void sync() override;
    void restyle(const Theme& theme) override;
    QString describe() const override;
    std::vector<double> readingPlaces() const override;
    Readout readoutAt(double place) const override;

private:
    struct Curve;
    void updateCurves();
    void updateBorders();
    void updateEnds();
    void updateChip();
    void style(Curve& curve) const;

    std::vector<std::unique_ptr<Curve>> curves_;
    MetricChip* chip_;
};

}  // namespace palimpsest
