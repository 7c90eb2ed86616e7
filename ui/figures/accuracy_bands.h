// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_overlay.h"
#include "ui/plots/seed_band.h"
#include "ui/state/seed_groups.h"

class QCPGraph;
class QCustomPlot;

namespace palimpsest {

class CurveGraph;
class RunSet;
struct RunAxis;
struct ShownRun;
struct Theme;

/// Runs that differ in nothing but the seed, in a figure of anytime accuracy: the mean of each group of them, and how
/// far they lie around it; over the mean, which is thin then, a smoothed one where a person chose so. The graphs are
/// the figure's.
class AccuracyBands {
public:
    /// All of them outlive it.
    AccuracyBands(QCustomPlot& plot, const RunSet& store, const RunAxis& axis);
    ~AccuracyBands();

    /// These groups, as they are now, and no others. `smoothing`: points that the running mean over a mean reaches
    /// over, 0: there is none; clear() before another one.
    void update(const std::vector<SeedGroup>& groups, BandWidth width, int smoothing, const Theme& theme);
    void style(const Theme& theme);
    /// Takes them out of the figure.
    void clear();

    /// The run belongs to a group that is averaged, in whose mean it need not count.
    bool has(const ShownRun& run) const { return of(run); }
    /// Part of the mean, whose end speaks for it.
    bool averages(const ShownRun& run) const;
    std::vector<CurveEnd> ends(const Theme& theme) const;
    /// Along images seen: the evaluation that the mean with the run in it shows at a place; nothing: no such mean is
    /// there.
    std::optional<std::size_t> evaluationOf(const ShownRun& run, double place) const;
    /// Along sessions, where each run was evaluated elsewhere: the accuracy that a mean with the run in it takes of it
    /// at a place; nothing: it takes none.
    std::optional<double> accuracyOf(const ShownRun& run, double place) const;
    /// One for each mean that reaches the place.
    void addRows(Readout& out, double place, const Theme& theme) const;

private:
    struct Band;
    const Band* of(const ShownRun& run) const;
    Band& bandFor(const std::string& group, int smoothing);
    /// A mean that is up to date stays as it is.
    void average(Band& band, const std::vector<const ShownRun*>& runs, BandWidth width, const Theme& theme);
    void remove(Band& band);
    void draw(Band& band, const Theme& theme);
    /// The evaluation of its runs that a band shows at a place.
    std::optional<std::size_t> evaluationAt(const Band& band, double place) const;
    /// What a band is the mean of.
    struct Taken {
        double place = 0;  ///< along the axis; where the runs were evaluated elsewhere, the middle of that
        std::vector<double> accuracies;
    };
    /// At a place, of each of its runs; nothing: it is not there.
    std::optional<Taken> takenAt(const Band& band, double place) const;
    void addRow(Readout& out, const Band& band, const Taken& taken, const Theme& theme) const;

    QCustomPlot& plot_;
    const RunSet& store_;
    const RunAxis& axis_;
    std::vector<std::unique_ptr<Band>> bands_;
};

}  // namespace palimpsest
