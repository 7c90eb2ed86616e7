// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_overlay.h"
#include "ui/plots/seed_band.h"
#include "ui/state/history_store.h"
#include "ui/state/seed_groups.h"

class QCustomPlot;

namespace palimpsest {

class RunSet;
struct ShownRun;
struct Theme;

/// The losses of runs that differ in nothing but the seed, update by update as far as the shortest goes.
struct SeedLosses {
    std::vector<HistoryStore::History> histories;

    /// Updates that all of them made.
    std::size_t size() const;
    Spread at(std::size_t update) const;
    /// Images seen at an update: their mean, since batches end elsewhere in every stream.
    double place(std::size_t update) const;
};

/// Of a group's runs those whose loss is known, and their losses.
struct LossGroup {
    SeedGroup group;
    SeedLosses losses;
};
/// Those of at least two runs.
std::vector<LossGroup> lossGroups(const RunSet& store, const HistoryStore& histories);

/// Runs that differ in nothing but the seed, in the figure of the loss: the mean of each group, what smooths it where a
/// person chose so, and a band. The graphs are the figure's.
class LossBands {
public:
    /// Both outlive it.
    LossBands(QCustomPlot& plot, const RunSet& store);
    ~LossBands();

    /// These groups, as they are now, and no others; what is new is appended. `smoothing`: points that a running mean
    /// reaches over; 0: none is drawn.
    void update(std::vector<LossGroup> groups, BandWidth width, int smoothing, const Theme& theme);
    void style(const Theme& theme);

    /// The run belongs to a group that is averaged, in whose mean it need not count.
    bool has(const ShownRun& run) const;
    /// Part of a mean, whose end speaks for it.
    bool averages(const ShownRun& run) const;
    std::vector<CurveEnd> ends(const Theme& theme) const;
    /// The highest edge between two places; 0: there is none.
    double highest(double from, double to) const;
    /// One for each mean that reaches the place.
    void addRows(Readout& out, double place, const Theme& theme) const;

private:
    struct Band;
    void append(Band& band);
    void thinOut(Band& band);
    void style(Band& band, const Theme& theme);
    void remove(Band& band);

    QCustomPlot& plot_;
    const RunSet& store_;
    std::vector<std::unique_ptr<Band>> bands_;
};

}  // namespace palimpsest
