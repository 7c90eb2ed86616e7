// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/figures/seed_bands.h"
#include "ui/plots/figure_pages.h"
#include "ui/plots/grid_content.h"
#include "ui/plots/plot_view.h"
#include "ui/plots/seed_means.h"
#include "ui/state/history_store.h"

namespace palimpsest {

struct ShownRun;

/// The loss of each update of the selected run, and the mean over its seeds with their band if one is drawn;
/// in a file, of all visible ones.
class LossTable : public FigureTable {
    Q_OBJECT
public:
    LossTable(RunSet* store, HistoryStore* histories) : store_(store), histories_(histories) {}

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : rows_; }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : seeds_.histories.empty() ? 3 : 5;
    }
    void refresh() override;
    void applyOptions(const CurveOptions& options) override { band_ = options.values().band; }
    /// Plain numbers, full precision, a header line; shares in per cent.
    QString csv() const;

protected:
    QString cellText(int row, int column) const override;
    QString heading(int column) const override;

private:
    RunSet* store_;
    HistoryStore* histories_;
    HistoryStore::History shown_;
    int rows_ = 0;
    CurveOptions::Band band_ = CurveOptions::Band::None;
    SeedLosses seeds_;          ///< whose mean is listed
    std::size_t averaged_ = 0;  ///< rows that have it
    CurveOptions::Band listed_ = CurveOptions::Band::None;
};

/// The loss of every update of all visible runs over the images seen. A mean over neighbouring updates may be drawn
/// over each curve, which stays; runs that differ in nothing but the seed may be thin below their mean and its band.
class LossPlot : public PlotView {
    Q_OBJECT
public:
    LossPlot(RunSet* store, HistoryStore* histories, QWidget* parent = nullptr);
    ~LossPlot() override;
    /// The numbers of all visible runs; null: there are none.
    std::function<report::Publication()> source() const;

protected:
    void sync() override;
    void restyle(const Theme& theme) override;
    QString describe() const override;
    std::vector<double> readingPlaces() const override;
    Readout readoutAt(double place) const override;
    /// Nothing for a place out of sight: no other one is shown instead.
    std::optional<double> placeOf(std::int64_t moment) const override;
    std::optional<double> newestPlace() const override;
    void applyOptions(const CurveOptions& options) override;

private:
    struct Curve;
    void updateCurves();
    /// Compared runs have hues: noisy lines cross too often to be told apart by dashes.
    QColor colourOf(const ShownRun& run) const;
    void style(Curve& curve, const ShownRun& run) const;
    void fitHeight();
    void updateEnds();
    QString whyEmpty() const;

    HistoryStore* histories_;
    std::vector<std::unique_ptr<Curve>> curves_;
    LossBands bands_;
    bool crowded_ = false;
    bool log_ = false;
};

}  // namespace palimpsest
