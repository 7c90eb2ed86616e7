// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_overlay.h"
#include "ui/plots/seed_band.h"
#include "ui/state/seed_groups.h"

class QCustomPlot;

namespace palimpsest {

class RunSet;
struct ShownRun;
struct Theme;

/// The layer of a figure of retention on which the line of a session stands: session 1 above the others, what is
/// compared below them. Made where it is missing.
QString retentionLayer(QCustomPlot& plot, bool selected, std::int64_t session);

/// Runs that differ in nothing but the seed, in a figure of retention: the mean of each group, and how far they lie
/// around it. Of the group with the selected run there is a mean a session, session 1 with a band and the others
/// with whiskers; of another group session 1 alone. The graphs are the figure's.
class RetentionBands {
public:
    /// Both outlive it.
    RetentionBands(QCustomPlot& plot, const RunSet& store);
    ~RetentionBands();

    /// These groups, as they are now, and no others. `stride`: of very many sessions every so manieth has a line.
    void update(const std::vector<SeedGroup>& groups, BandWidth width, std::int64_t stride, const Theme& theme);
    void style(const Theme& theme);

    /// The run belongs to a group that is averaged, in whose mean it need not count.
    bool has(const ShownRun& run) const;
    /// Part of a mean, whose ends speak for it.
    bool averages(const ShownRun& run) const;
    bool empty() const { return bands_.empty(); }
    std::vector<CurveEnd> ends(const Theme& theme) const;
    /// The end's name at its widest.
    std::vector<QString> widestNames() const;
    /// Where a mean has a value.
    void addPlaces(std::set<double>& places) const;
    /// One for each mean with a value there.
    void addRows(Readout& out, double place, const Theme& theme) const;
    /// Each mean's last value in words.
    QStringList describe() const;
    /// "mean of 3 seeds (session 5: 2)" of the group with the selected run; empty without one.
    QString averaging() const;

private:
    struct Band;
    struct Line;
    void draw(Band& band, Line& line);
    void style(const Band& band, Line& line, const Theme& theme);
    void remove(Line& line);
    QString nameOf(const Band& band, const Line& line) const;

    QCustomPlot& plot_;
    const RunSet& store_;
    std::vector<std::unique_ptr<Band>> bands_;
};

}  // namespace palimpsest
