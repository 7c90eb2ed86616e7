// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/figures/seed_bands.h"
#include "ui/plots/a_auc_chip.h"
#include "ui/plots/percent_axis.h"
#include "ui/plots/plot_view.h"
#include "ui/plots/run_axis.h"

namespace palimpsest {

class AccuracyPlotCurve;
class GuessBook;
class GuessLine;

/// Anytime accuracy over the images seen: on all classes seen so far, after every so many images. The area under the
/// selected run is shaded: its mean height is A_AUC. The x axis is as long as the stream from the start. Hollow points
/// are the evaluations at the ends of sessions, which are not part of A_AUC; a key below the axis says so. If the
/// user chose so, a mean is drawn over the curve of the selected run, runs stand side by side by session, and those
/// that differ in nothing but the seed are thin below their mean and its band. A fork is drawn from its branching
/// point, a ring, on; the past it shares is thin and faint, and left to its parent where that is shown. Live changes
/// are dashed marks.
class AccuracyPlot : public PlotView {
    Q_OBJECT
public:
    explicit AccuracyPlot(RunSet* store, QWidget* parent = nullptr);
    ~AccuracyPlot() override;

    MetricChip* chip() const { return chip_; }
    /// From now on guesses are drawn and shown.
    void setGuesses(GuessBook* book);

protected:
    void sync() override;
    void restyle(const Theme& theme) override;
    QString describe() const override;
    std::vector<double> readingPlaces() const override;
    Readout readoutAt(double place) const override;
    std::optional<std::int64_t> momentAt(double place) const override;
    std::optional<double> placeOf(std::int64_t moment) const override;
    bool alongImages() const override { return !axis_.by_session; }
    std::optional<double> newestPlace() const override;
    void applyOptions(const CurveOptions& options) override;

private:
    /// The visible runs, and the selected one; none while a guess of the next run is drawn.
    std::vector<const ShownRun*> drawnRuns() const;
    const ShownRun* drawnRun() const;
    void updateCurves();
    void updateBorders();
    void updateEnds();
    void updateInvitation();
    void updateChip(const std::vector<SeedGroup>& groups, BandWidth width);

    RunAxis axis_;
    std::vector<std::unique_ptr<AccuracyPlotCurve>> curves_;
    PercentAxis percent_;
    AccuracyBands bands_;
    bool crowded_ = false;
    int smoothing_ = 0;
    GuessLine* guess_ = nullptr;
    MetricChip* chip_;
    AucChipText area_;  ///< what the chip says
};

}  // namespace palimpsest
