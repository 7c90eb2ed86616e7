// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/plot_decor.h"
#include "ui/plot_view.h"

namespace palimpsest {

struct AnytimePoint;
struct RunCurves;

/// Anytime accuracy over the images seen: on all classes seen so far, after every so many images. The area under the
/// primary run is shaded: its mean height is A_AUC. The x axis is as long as the stream from the start. Hollow points
/// are the evaluations at the ends of sessions, which are not part of A_AUC; a key below the axis says so. Where a
/// person chose so, a mean is drawn over the curve of the primary run, runs stand side by side by session, and those
/// that differ in nothing but the seed are thin below their mean and its band. A fork is drawn from its branching
/// point, a ring, on; the past it shares is thin and faint, and left to its parent where that is shown. Live changes
/// are dashed marks.
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
    std::optional<std::int64_t> momentAt(double place) const override;
    std::optional<double> placeOf(std::int64_t moment) const override;
    bool alongImages() const override { return !by_session_; }
    std::optional<double> newestPlace() const override;
    void obey(const CurveOptions& options) override;

private:
    struct Curve;
    struct Band;
    double placeIn(const RunCurves& run, std::int64_t samples) const;
    double samplesIn(const RunCurves& run, double place) const;
    void removeCurve(Curve& curve);
    void removeBand(Band& band);
    void updateBands();
    void drawBand(Band& band);
    void addBandEnds(std::vector<CurveEnd>& ends) const;
    /// That of the run's seeds, in which it need not count; null: they are not averaged.
    const Band* bandOf(const RunCurves& run) const;
    /// Thin below the mean of its seeds.
    bool banded(const RunCurves& run) const { return bandOf(run); }
    /// Part of that mean, whose end speaks for it.
    bool averaged(const RunCurves& run) const;
    /// The evaluation of its runs that a band shows at a place.
    std::optional<std::size_t> evaluationAt(const Band& band, double place) const;
    void addBandRow(Readout& out, const Band& band, std::size_t evaluation) const;
    void updateCurves();
    void updateBorders();
    void updateEnds();
    void updateChip();
    /// A point of the run's curve, which begins where the run branched off; before that stands its shared past.
    void addPoint(Curve& curve, const RunCurves& run, const AnytimePoint& point) const;
    void style(Curve& curve) const;

    std::vector<std::unique_ptr<Curve>> curves_;
    std::vector<std::unique_ptr<Band>> bands_;
    bool by_session_ = false;
    bool crowded_ = false;
    int smoothing_ = 0;
    MetricChip* chip_;
    std::int64_t area_reach_ = 0;  ///< images up to which the chip's number is taken
};

}  // namespace palimpsest
